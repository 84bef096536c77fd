// The shipped island: golden hashes and promises.
#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

Result<World> island(std::int64_t samples, std::uint64_t seed, const Exec& exec) {
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  if (!r) return std::move(r).error();
  r->seed = seed;
  const Result<GridSpec> spec = spec_for_samples(*r, samples, samples);
  if (!spec) return spec.error();
  return run(*r, *spec, exec);
}

std::string hashes_of(World& w) {
  std::string out;
  for (const auto& [name, field] : w.fields)
    out += name + " " +
           std::visit(
               [](const auto& g) {
                 using T = std::remove_cvref_t<decltype(g[0])>;
                 return content_hash<T>(g.view()).hex();
               },
               field) +
           "\n";
  for (const auto& g : w.weights) out += content_hash<std::uint32_t>(g.view()).hex() + "\n";
  for (const auto& reach : w.rivers.reaches)
    for (const auto& p : reach.points)
      out += format_number(p.x) + " " + format_number(p.y) + " " + format_number(p.z_m) + "\n";
  return out;
}

TEST(Island, SameBitsForAnyThreadCountAndBackend) {
  Result<World> one = island(129, 3, Exec());
  ASSERT_TRUE(one.ok()) << one.error().text();
  const std::string expected = hashes_of(*one);
  for (const int threads : {2, 7})
    for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::automatic}) {
      Result<World> other = island(129, 3, Exec(threads, backend));
      ASSERT_TRUE(other.ok());
      EXPECT_EQ(expected, hashes_of(*other)) << threads;
    }
}

// Golden: changes only together with kRecipeVersion or the recipe itself. Equal on every compiler, SIMD level and, in
// tests/wasm_probe.cpp, in WebAssembly.
TEST(Island, GoldenHash) {
  Result<World> w = island(65, 7, Exec(2));
  ASSERT_TRUE(w.ok()) << w.error().text();
  EXPECT_EQ(content_hash<float>(std::as_const(*w).find<float>("height")).hex(), "63274a80a3e0718eb1e9830ce7902030");
  EXPECT_EQ(content_hash<double>(std::as_const(*w).find<double>("flow")).hex(), "971cf40b8428959c3c11a1e555f9b4e2");
  EXPECT_EQ(content_hash<std::uint8_t>(std::as_const(*w).find<std::uint8_t>("biome")).hex(),
            "4ce4f2e95eafebcddd9cee9261c95804");
}

TEST(Island, KeepsItsPromises) {
  for (const std::int64_t samples : {2, 3, 17, 65, 257}) {
    Result<World> made = island(samples, 7, Exec(2));
    ASSERT_TRUE(made.ok()) << made.error().text();
    World& w = *made;
    const GridView<const float> height = std::as_const(w).find<float>("height");
    for (int x = 0; x < height.width(); ++x) {
      EXPECT_LE(height(x, 0), 0);
      EXPECT_LE(height(x, height.height() - 1), 0);
      EXPECT_LE(height(0, x), 0);
      EXPECT_LE(height(height.width() - 1, x), 0);
    }
    for (const LedgerEntry& entry : w.ledgers) EXPECT_EQ(entry.ledger.balance(), 0);
    const auto sea = std::as_const(w).find<std::uint8_t>("sea");
    const auto lake = std::as_const(w).find<std::int32_t>("lake_id");
    const auto water = std::as_const(w).find<float>("water");
    Grid<float> surface(height.width(), height.height());
    for (std::int64_t i = 0; i < surface.cells(); ++i) surface[i] = lake[i] != 0 ? height[i] + water[i] : height[i];
    const auto pits = hydrology::audit_pits<float>(surface.view(), sea, Exec());
    EXPECT_TRUE(pits.ok()) << samples << ": " << pits.place;
    const auto ends = hydrology::audit_river_ends(w.rivers, height.width(), height.height(), sea, lake);
    EXPECT_TRUE(ends.ok()) << ends.place;
    for (std::int64_t i = 0; i < surface.cells(); ++i) surface[i] = height[i] + water[i];
    const auto beds = hydrology::audit_river_beds(w.rivers, surface.view(), 0.01);
    EXPECT_TRUE(beds.ok()) << beds.place;
  }
}

TEST(Run, CancelledRunsSaySo) {
  volatile int flag = 1;
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  ASSERT_TRUE(r.ok());
  const auto spec = spec_for_samples(*r, 33, 33);
  const Result<World> w = run(*r, *spec, Exec().with_cancel(&flag));
  ASSERT_FALSE(w.ok());
  EXPECT_EQ(w.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace thalweg::recipe
