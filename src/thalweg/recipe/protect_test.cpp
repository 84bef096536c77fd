// The field `protect` holds back every step that wears the land.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "thalweg/recipe/recipe.h"

namespace thalweg::recipe {
namespace {

Grid<float> height_after(const std::string& steps) {
  const Result<Recipe> recipe = parse_recipe(
      "format = \"thalweg-recipe 1\"\n[extent]\nsize_m = 1600\ncell_m = 8\nsea_level_m = -500\n" + steps, "r.toml");
  EXPECT_TRUE(recipe.ok()) << (recipe.ok() ? "" : recipe.error().text());
  const Result<GridSpec> spec = spec_for_samples(*recipe, 101, 101);
  Result<World> world = run(*recipe, *spec, Exec(2));
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().text());
  return std::move(std::get<Grid<float>>(world->fields.at("height")));
}

const std::string kRough = "[[step]]\nop = \"noise\"\nwavelength_m = 500\namplitude_m = 150\n";
const std::string kProtectAll =
    "[[step]]\nname = \"all\"\nop = \"noise\"\nout = \"protect\"\nunit = \"1\"\namplitude_m = 0\noffset_m = 1\n";

bool same(const Grid<float>& a, const Grid<float>& b) {
  for (std::int64_t i = 0; i < a.cells(); ++i)
    if (a[i] != b[i]) return false;
  return a.cells() == b.cells();
}

TEST(Protect, DropletsLeaveTheLandAsItIs) {
  const std::string droplets = "[[step]]\nop = \"droplets\"\n";
  const Grid<float> before = height_after(kRough);
  EXPECT_FALSE(same(before, height_after(kRough + droplets)));
  EXPECT_TRUE(same(before, height_after(kRough + kProtectAll + droplets)));
}

TEST(Protect, RiversLeaveTheBanks) {
  const std::string drained = kRough + "[[step]]\nop = \"depressions\"\nmethod = \"fill\"\nkeep_lakes = false\n";
  const std::string rivers = "[[step]]\nop = \"rivers\"\nmin_area_km2 = 0.05\nwidth_coefficient = 100\n";
  const Grid<float> before = height_after(drained);
  const Grid<float> free = height_after(drained + rivers);
  const Grid<float> kept = height_after(drained + kProtectAll + rivers);
  std::int64_t free_changed = 0;
  std::int64_t kept_changed = 0;
  for (std::int64_t i = 0; i < before.cells(); ++i) {
    free_changed += free[i] != before[i] ? 1 : 0;
    kept_changed += kept[i] != before[i] ? 1 : 0;
  }
  EXPECT_GT(kept_changed, 0);
  EXPECT_LT(3 * kept_changed, free_changed);
}

}  // namespace
}  // namespace thalweg::recipe
