// Protected land in conditioning and in the carving of rivers.
#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/conditioning.h"
#include "thalweg/hydrology/river_test_world.h"

namespace thalweg::hydrology {
namespace {

using test::directions_of;
using test::grid_of;
using test::make_world;
using test::noise_land;
using test::World;

constexpr int kWidth = 140;
constexpr int kHeight = 110;

World random_world(std::uint64_t seed) {
  return make_world(noise_land(seed, kWidth, kHeight, seed % 2 == 0), CellGeometry::uniform(10, kHeight));
}

// Blobs of 1, with soft rims.
Grid<float> blobs(std::uint64_t seed) {
  Grid<float> protect(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      protect(x, y) =
          static_cast<float>(std::clamp(12 * (test::smooth_noise(seed + 100, x / 18.0, y / 18.0, 3) - 0.42), 0.0, 1.5));
  protect(0, 0) = kNoData<float>;
  return protect;
}

TEST(CarveProtected, BanksStayAndTheBedIsCut) {
  // The straight channel of rivers_test: bed 30 m wide in column 4, banks of 20 m; protected to the east.
  const Grid<std::uint8_t> directions = directions_of(std::vector<std::string>(8, "....s...."));
  const CellGeometry geometry = CellGeometry::uniform(10, 8);
  Grid<double> area(9, 8, 1000.0);
  Grid<float> height(9, 8);
  Grid<float> protect(9, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 9; ++x) {
      height(x, y) = static_cast<float>(20 - y);
      if (x >= 4) protect(x, y) = 1;
      if (x == 3) protect(x, y) = 0.5F;
    }
  RiverInputs in;
  in.directions = directions;
  in.area_m2 = area;
  in.height = height;
  in.protect = protect;
  RiverParams params;
  params.min_area_km2 = 1e-9;
  auto r = extract_rivers(in, geometry, params, Exec());
  ASSERT_TRUE(r.ok());
  for (Reach& reach : r->reaches) {
    reach.width_m = 30;
    reach.depth_m = 2;
  }
  Grid<float> ground = height.clone();
  carve_rivers(*r, in, geometry, 20, ground, {}, Exec());
  for (int y = 0; y < 8; ++y) {
    EXPECT_EQ(ground(4, y), 18 - y);  // the river's own cells
    EXPECT_EQ(ground(3, y), 19 - y);  // half
    EXPECT_LT(ground(2, y), 20 - y);
    for (int x = 5; x < 9; ++x) EXPECT_EQ(ground(x, y), height(x, y));
  }
}

TEST(CarveProtected, NoPitsAndTheSameLakesOnRandomWorlds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World w = random_world(seed);
    const Grid<float> protect = blobs(seed);
    RiverInputs in = w.inputs();
    in.protect = protect;
    RiverParams params;
    params.min_area_km2 = 0.004;
    params.depth_coefficient = 6;
    params.width_coefficient = 60;
    auto r = extract_rivers(in, w.geometry, params, Exec());
    ASSERT_TRUE(r.ok());
    Grid<std::uint8_t> river(kWidth, kHeight);
    for (const Reach& reach : r->reaches)
      for (const Reach::Point& p : reach.points) river(static_cast<int>(p.x), static_cast<int>(p.y)) = 1;
    Grid<float> carved = w.ground.clone();
    carve_rivers(*r, in, w.geometry, 40, carved, {}, Exec());
    std::int64_t lowered = 0;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < carved.cells(); ++i) {
      ASSERT_LE(carved[i], w.ground[i]);
      lowered += carved[i] < w.ground[i] ? 1 : 0;
      if (!(protect[i] >= 1) || river[i] != 0) continue;
      ASSERT_EQ(carved[i], w.ground[i]);
      ++kept;
    }
    EXPECT_GT(lowered, 300);
    EXPECT_GT(kept, 300);
    const AuditCheck pits = audit_pits<float>(w.surface_of(carved), w.sea, Exec());
    EXPECT_TRUE(pits.ok()) << pits.faults << " " << pits.place;
    const World again = make_world(carved.clone(), w.geometry, w.lake_params, false);
    for (std::int64_t i = 0; i < carved.cells(); ++i) ASSERT_EQ(again.lake_id[i], w.lake_id[i]) << i;
  }
}

TEST(ConditionProtected, TakesTheDearerWayAround) {
  // A pit (1) behind a dam of 3 to the west and one of 8 to the east.
  const Grid<float> land = grid_of<float>({{99, 99, 99, 99, 99, 99, 99},  //
                                           {99, 99, 99, 99, 99, 99, 99},
                                           {0, 3, 3, 1, 8, 8, 0},
                                           {99, 99, 99, 99, 99, 99, 99},
                                           {99, 99, 99, 99, 99, 99, 99}});
  const CellGeometry geometry = CellGeometry::uniform(10, 5);
  ConditionParams params;
  params.keep_lakes = false;
  Grid<float> protect(7, 5);
  Grid<float> out(7, 5);
  ConditionStats stats = condition(params, geometry, land, {}, out, Exec(), protect);
  EXPECT_EQ(out(2, 2), 1);
  EXPECT_EQ(out(4, 2), 8);
  EXPECT_EQ(stats.protected_changed, 0);
  protect(2, 2) = 1;
  stats = condition(params, geometry, land, {}, out, Exec(), protect);
  EXPECT_EQ(out(2, 2), 3);
  EXPECT_EQ(out(4, 2), 1);
  EXPECT_EQ(stats.protected_changed, 0);
  EXPECT_EQ(stats.cells_lowered, 2);
  // Protected on every way: the fewest cells are cut.
  for (int x = 0; x < 7; ++x)
    for (int y = 0; y < 5; ++y) protect(x, y) = x == 3 && y == 2 ? 0.0F : 1.0F;
  protect(1, 2) = 0;
  stats = condition(params, geometry, land, {}, out, Exec(), protect);
  EXPECT_EQ(out(2, 2), 1);
  EXPECT_EQ(stats.protected_changed, 1);
  EXPECT_TRUE(audit_pits<float>(out.view(), {}, Exec()).ok());
}

TEST(ConditionProtected, DrainsAndNeverCutsMoreOfIt) {
  std::int64_t with = 0;
  std::int64_t without = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Grid<float> land = noise_land(seed, kWidth, kHeight, false);
    const Grid<float> protect = blobs(seed);
    const CellGeometry geometry = CellGeometry::uniform(10, kHeight);
    for (const DepressionMethod method : {DepressionMethod::breach, DepressionMethod::hybrid, DepressionMethod::fill}) {
      ConditionParams params;
      params.method = method;
      params.keep_lakes = false;
      Grid<float> plain(kWidth, kHeight);
      Grid<float> careful(kWidth, kHeight);
      condition(params, geometry, land, {}, plain, Exec());
      const ConditionStats stats = condition(params, geometry, land, {}, careful, Exec(), protect);
      EXPECT_TRUE(audit_pits<float>(careful.view(), {}, Exec()).ok());
      std::int64_t changed = 0;
      for (std::int64_t i = 0; i < land.cells(); ++i) {
        const bool all = protect[i] >= 1;
        changed += all && careful[i] != land[i] ? 1 : 0;
        without += all && plain[i] != land[i] ? 1 : 0;
      }
      EXPECT_EQ(stats.protected_changed, changed);
      with += changed;
    }
  }
  EXPECT_LT(with, without);
}

}  // namespace
}  // namespace thalweg::hydrology
