// The operator table, its texts and its schema.
#include <gtest/gtest.h>

#include <algorithm>

#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

TEST(Operators, TableIsWhole) {
  for (const Operator& op : operator_table()) {
    EXPECT_FALSE(op.help.empty());
    EXPECT_TRUE(op.run && op.fields && op.check && op.halo_cells) << op.name;
    // The example is a recipe step that passes the checker (after steps that write what it reads).
    std::string text = kHead + "[extent]\nsize_m = 320\n";
    for (const std::string before : {"noise", "rivers", "moisture", "biomes"}) {
      if (op.name == before && op.name != "noise" && op.name != "rivers") break;
      text += "[[step]]\nop = \"" + before + "\"\n";
    }
    EXPECT_EQ(error_of(text + op.example), "") << op.name;
    EXPECT_FALSE(op.fields({}).writes.empty());
    EXPECT_FALSE(op.maskable && op.fields({}).writes.front().name.empty());
    for (const std::string& name : op.required)
      EXPECT_TRUE(std::any_of(op.params.begin(), op.params.end(), [&](const ParamInfo& p) { return p.name == name; }));
    for (const ParamInfo& p : op.params) {
      EXPECT_FALSE(p.help.empty()) << op.name << "." << p.name;
      EXPECT_FALSE(param_fault(p, p.fallback)) << op.name << "." << p.name;
      EXPECT_NE(operator_as_text(op).find(p.name), std::string::npos);
      EXPECT_NE(recipe_schema().find("\"" + p.name + "\""), std::string::npos);
    }
  }
}

TEST(Operators, TextsTellMasksFieldsAndUnits) {
  const std::string select = operator_as_text(*find_operator("select"));
  for (const char* words : {"reads", "a field in m (from)", "a field in 1 (out)", "mask = ", "local (", "cells at 8 m"})
    EXPECT_NE(select.find(words), std::string::npos) << words;
  const std::string biomes = operator_as_text(*find_operator("biomes"));
  for (const char* words : {"height (m), moisture (1)", "where they exist, water (m)", "biome (code)", "none: "})
    EXPECT_NE(biomes.find(words), std::string::npos) << words;
  EXPECT_NE(operator_as_text(*find_operator("sketch")).find("(needed)"), std::string::npos);
  const std::string json = operator_as_json(*find_operator("clamp"));
  EXPECT_NE(json.find("\"mask\": true"), std::string::npos);
  EXPECT_NE(json.find("{\"name\": \"height\", \"unit\": \"\", \"role\": \"reads\", \"param\": \"field\"}"),
            std::string::npos);
  EXPECT_NE(operator_as_json(*find_operator("droplets")).find("\"role\": \"may-read\""), std::string::npos);
}

TEST(Operators, HaloFollowsTheParameters) {
  const Operator& blur = *find_operator("blur");
  const std::vector<ParamWriter::Named> wide = {{"radius_m", 400.0}};
  EXPECT_GT(blur.halo_cells(wide, 8), blur.halo_cells({}, 8));
  EXPECT_GT(blur.halo_cells({}, 4), blur.halo_cells({}, 8));
}

}  // namespace
}  // namespace thalweg::recipe
