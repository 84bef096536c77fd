// Every shipped recipe: it is one, its bits are known, and water gets off its land.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/audit.h"
#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

struct Shipped {
  const char* name;
  const char* height_hash;  ///< at 65 x 65 samples
};
// Golden: changes only together with kRecipeVersion or the recipe itself.
constexpr Shipped kShipped[] = {
    {"archipelago", "a0118d1797e64f2cd5a44557ccf447d2"},
    {"canyon", "a9c55f2a6565181abdeda0a0679af3ad"},
    {"island", "63274a80a3e0718eb1e9830ce7902030"},
    {"mesa", "0bbc946a8b4c784398380f34410df479"},
};

Result<World> made(const Shipped& shipped, std::int64_t samples, const Exec& exec) {
  Result<Recipe> r = parse_recipe(shipped_text(shipped.name), std::string(shipped.name) + ".toml");
  if (!r) return std::move(r).error();
  const Result<GridSpec> spec = spec_for_samples(*r, samples, samples);
  if (!spec) return spec.error();
  return run(*r, *spec, exec);
}

TEST(ShippedRecipes, AllStandInTheTable) {
  std::vector<std::string> files, names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(THALWEG_SOURCE_DIR) + "/recipes"))
    files.push_back(entry.path().stem().string());
  for (const Shipped& s : kShipped) names.emplace_back(s.name);
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, names);
}

TEST(ShippedRecipes, GoldenHashes) {
  for (const Shipped& s : kShipped)
    for (const int threads : {1, 3}) {
      Result<World> w = made(s, 65, Exec(threads));
      ASSERT_TRUE(w.ok()) << w.error().text();
      EXPECT_EQ(content_hash<float>(std::as_const(*w).find<float>("height")).hex(), s.height_hash) << s.name;
    }
}

TEST(ShippedRecipes, DrainAtAnySize) {
  for (const Shipped& s : kShipped)
    for (const std::int64_t samples : {2, 3, 17, 129}) {
      SCOPED_TRACE(std::string(s.name) + " " + std::to_string(samples));
      Result<World> world = made(s, samples, Exec(2));
      ASSERT_TRUE(world.ok()) << world.error().text();
      const World& w = *world;
      const GridView<const float> height = w.find<float>("height"), water = w.find<float>("water");
      const auto sea = w.find<std::uint8_t>("sea");
      const auto lake = w.find<std::int32_t>("lake_id");
      Grid<float> surface(height.width(), height.height());
      for (std::int64_t i = 0; i < surface.cells(); ++i) {
        const int x = static_cast<int>(i % height.width()), y = static_cast<int>(i / height.width());
        ASSERT_TRUE(std::isfinite(height(x, y)));
        surface[i] = lake(x, y) != 0 ? height(x, y) + water(x, y) : height(x, y);
      }
      const auto pits = hydrology::audit_pits<float>(surface.view(), sea, Exec());
      EXPECT_EQ(pits.faults, 0) << pits.place;
      for (const LedgerEntry& entry : w.ledgers) EXPECT_EQ(entry.ledger.balance(), 0);
    }
}

}  // namespace
}  // namespace thalweg::recipe
