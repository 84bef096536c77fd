// --set.
#include <gtest/gtest.h>

#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

TEST(Recipe, SettingsAreCheckedLikeTheFile) {
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_TRUE(apply_setting(*r, "drain.method=fill").ok());  // a bare word is a text
  EXPECT_TRUE(apply_setting(*r, "hills.octaves=5").ok());
  EXPECT_TRUE(apply_setting(*r, "extent.size_m=4096").ok());
  EXPECT_EQ(r->width_m, 4096);
  EXPECT_EQ(apply_setting(*r, "hills.octaves=99").error().text(),
            "--set hills.octaves=99: octaves must be from 1 to 24");
  EXPECT_EQ(apply_setting(*r, "hils.octaves=9").error().text(),
            "--set hils.octaves=9: unknown step 'hils'; did you mean 'hills'?");
  EXPECT_NE(apply_setting(*r, "hills.octave=9").error().text().find("did you mean 'octaves'?"), std::string::npos);
  EXPECT_FALSE(apply_setting(*r, "noise").ok());
  EXPECT_FALSE(apply_setting(*r, "=").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.=3").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.octaves=").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.octaves=1\n[x]").ok());
}

TEST(Settings, GoThroughTheChecksOfTheWhole) {
  const std::string text = kHead + "[extent]\nsize_m = 1000\n[[sketch]]\nname = \"s\"\npoint = [900, 10, 5]\n" +
                           kGround +
                           "name = \"a\"\n[[step]]\nop = \"select\"\nout = \"steep\"\n[[step]]\nop = \"clamp\"\n"
                           "mask = \"steep\"\n[[step]]\nop = \"sketch\"\nsketch = \"s\"\n";
  Result<Recipe> r = parse_recipe(text, "r.toml");
  ASSERT_TRUE(r.ok()) << r.error().text();
  const auto error = [&](const std::string& setting) {
    Recipe copy = *r;
    const Status s = apply_setting(copy, setting);
    return s.ok() ? "" : s.error().text();
  };
  EXPECT_EQ(error("select.out=steep2").rfind("--set select.out=steep2: ", 0), 0U);
  EXPECT_EQ(missing(error("clamp.mask=stepe"), {"--set clamp.mask=stepe: ", "did you mean 'steep'?"}), "");
  EXPECT_EQ(missing(error("clamp.mask=height"), {"a mask holds pure numbers", "height"}), "");
  EXPECT_EQ(missing(error("clamp.mask="), {"--set clamp.mask=", "no effect", "steep"}), "");  // nobody reads it then
  EXPECT_EQ(missing(error("a.mask=steep"), {"no step before it writes"}), "");
  EXPECT_EQ(missing(error("sketch.sketch=t"), {"no sketch is named 't'"}), "");
  EXPECT_EQ(missing(error("sketch.sketch="), {"needs sketch"}), "");
  EXPECT_EQ(missing(error("extent.size_m=500"), {"--set extent.size_m=500", "outside"}), "");
  EXPECT_EQ(error("extent.size_m=[1000, 2000]"), "");
  EXPECT_EQ(missing(error("extent.size_m=[1, 2, 3]"), {"must be a number or [west-east, north-south]"}), "");
  EXPECT_EQ(error("sketch.tolerance_m=2"), "");
  EXPECT_EQ(missing(error("a.unit=1"), {"pure numbers", "height", "m"}), "");
  // Changes that need each other: the check comes after all of them.
  Recipe both = *r;
  const std::string pair[] = {"select.out=steep2", "clamp.mask=steep2"};
  const Status together = apply_settings(both, pair);
  EXPECT_TRUE(together.ok()) << together.error().text();
  EXPECT_EQ(both.steps[2].mask, "steep2");
  const std::string odd[] = {"clamp.high=5", "select.out=steep2"};
  EXPECT_FALSE(apply_settings(both = *r, odd).ok());
  EXPECT_EQ(both.steps[2].mask, "steep");
  // A refused setting leaves the recipe as it was.
  const auto before = r->steps[2].mask;
  EXPECT_FALSE(apply_setting(*r, "clamp.mask=none").ok());
  EXPECT_EQ(r->steps[2].mask, before);
  EXPECT_FALSE(apply_setting(*r, "extent.size_m=500").ok());
  EXPECT_EQ(r->width_m, 1000);
}

}  // namespace
}  // namespace thalweg::recipe
