#include "thalweg/erosion/droplets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "thalweg/core/random.h"
#include "thalweg/erosion/droplet_plan.h"
#include "thalweg/erosion/test_land.h"
#include "thalweg/erosion/test_run.h"

namespace thalweg::erosion {
namespace {

// Sum of before - after in exact units. Below 8 m a float is as fine as a unit: such land must be given.
std::int64_t units_lost(GridView<const float> before, GridView<const float> after) {
  std::int64_t sum = 0;
  for (int y = 0; y < before.height(); ++y)
    for (int x = 0; x < before.width(); ++x)
      if (before(x, y) == before(x, y))
        sum += std::llround(static_cast<double>(before(x, y)) * kUnitsPerMetre) -
               std::llround(static_cast<double>(after(x, y)) * kUnitsPerMetre);
  return sum;
}

// Land within +-4 m whose heights are whole units.
Grid<float> low_land(const GridSpec& spec, std::uint64_t seed) {
  Grid<float> land = test_land(spec, seed);
  for (std::int64_t i = 0; i < land.cells(); ++i) land[i] = std::floor(land[i] * 0.004F * 1048576.0F) / 1048576.0F;
  return land;
}

std::int64_t units(float metres) {
  return std::llround(static_cast<double>(metres) * kUnitsPerMetre);
}

TEST(Droplets, LedgerIsZeroAndEqualsTheGround) {
  const GridSpec spec = test_spec(200, 150, 8);
  Grid<float> land = low_land(spec, 11);
  for (int i = 0; i < 20; ++i) land(90 + i, 60 + i / 2) = kNoData<float>;
  for (const double brush_m : {0.0, 16.0, 32.0, 40.0, 136.0}) {
    DropletParams params;
    params.brush_radius_m = brush_m;
    const Outcome o = run(params, spec, land);
    EXPECT_GT(o.ledger.eroded, 0);
    EXPECT_GT(o.ledger.deposited, 0);
    EXPECT_GT(o.ledger.exported, 0);
    EXPECT_EQ(o.ledger.balance(), 0);
    EXPECT_EQ(units_lost(land, o.ground), o.ledger.exported);
    std::int64_t worn = 0;
    for (std::int64_t i = 0; i < land.cells(); ++i) {
      if (is_nodata(land[i])) continue;
      if (o.wear_m[i] < 8.0F && o.deposit_m[i] < 8.0F) {
        ASSERT_EQ(units(land[i]) - units(o.ground[i]), units(o.wear_m[i]) - units(o.deposit_m[i]));
      }
      worn += units(o.wear_m[i]);
    }
    EXPECT_EQ(worn, o.ledger.eroded);
  }
}

TEST(Droplets, SameBitsForThreadsAndBackends) {
  const GridSpec spec = test_spec(333, 270, 8);
  const Grid<float> land = test_land(spec, 5);
  const Outcome one = run({}, spec, land, Exec(), 0.0);
  EXPECT_EQ(one.ledger.balance(), 0);
  for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::tbb})
    for (const int threads : {2, 7}) {
      const Outcome many = run({}, spec, land, Exec(threads, backend), 0.0);
      EXPECT_TRUE(same_bits(one.ground, many.ground));
      EXPECT_TRUE(same_bits(one.wear_m, many.wear_m));
      EXPECT_TRUE(same_bits(one.deposit_m, many.deposit_m));
      EXPECT_EQ(one.ledger.eroded, many.ledger.eroded);
      EXPECT_EQ(one.ledger.exported, many.ledger.exported);
    }
}

TEST(Droplets, WindowWithHaloEqualsTheWhole) {
  for (const double brush_m : {32.0, 56.0}) {
    DropletParams params;
    params.brush_radius_m = brush_m;
    params.droplets_per_km2 = 3900;
    const int halo = droplet_halo_cells(params, 8);
    const int tile = 40;
    GridSpec whole = test_spec(2 * halo + tile + 90, 2 * halo + tile + 70, 8);
    whole.origin_x = -1234567890123;
    whole.origin_y = 987654321;
    const Grid<float> land = test_land(whole, 3);
    const double sea_m = -60;
    const Outcome all = run(params, whole, land, Exec(), sea_m);
    GridSpec part = whole;
    const int x0 = 61;
    const int y0 = 33;
    part.width = part.height = 2 * halo + tile;
    part.origin_x += x0;
    part.origin_y += y0;
    const Outcome window = run(params, part, land.view().window(x0, y0, part.width, part.height), Exec(), sea_m);
    EXPECT_TRUE(same_bits(all.ground.view().window(x0 + halo, y0 + halo, tile, tile),
                          window.ground.view().window(halo, halo, tile, tile)));
    EXPECT_FALSE(same_bits(all.ground.view().window(x0, y0, part.width, part.height), window.ground));
    // A window in the corner of the map shares two true edges.
    part = whole;
    part.width = part.height = halo + tile;
    const Outcome corner = run(params, part, land.view().window(0, 0, part.width, part.height), Exec(), sea_m);
    EXPECT_TRUE(same_bits(all.ground.view().window(0, 0, tile, tile), corner.ground.view().window(0, 0, tile, tile)));
  }
}

TEST(Droplets, WindowsOnFineAndOblongCells) {
  DropletParams params;
  params.path_m = 40;
  params.droplets_per_km2 = 3900;
  for (const double cell_y_m : {4.0, 6.0}) {
    const int halo = droplet_halo_cells(params, 4);
    const int tile = 20;
    GridSpec whole = test_spec(2 * halo + tile + 50, 2 * halo + tile + 20, 4);
    whole.cell_y_m = cell_y_m;
    Grid<float> land = test_land(whole, 9);
    for (int i = 0; i < 30; ++i) land(halo + 40 + i % 7, halo + 9 + i) = kNoData<float>;
    GridSpec part = whole;
    part.width = part.height = 2 * halo + tile;
    part.origin_x += 33;
    part.origin_y += 11;
    const Outcome all = run(params, whole, land);
    const Outcome window = run(params, part, land.view().window(33, 11, part.width, part.height));
    EXPECT_EQ(all.ledger.balance(), 0);
    EXPECT_TRUE(same_bits(all.ground.view().window(33 + halo, 11 + halo, tile, tile),
                          window.ground.view().window(halo, halo, tile, tile)));
  }
}

TEST(Droplets, NoDropletsIsIdentity) {
  const GridSpec spec = test_spec(40, 30, 8);
  Grid<float> land = test_land(spec, 2);
  land(3, 4) = kNoData<float>;
  DropletParams params;
  params.droplets_per_km2 = 0;
  const Outcome o = run(params, spec, land);
  EXPECT_TRUE(same_bits(land, o.ground));
  EXPECT_EQ(o.ledger.eroded, 0);
  for (std::int64_t i = 0; i < land.cells(); ++i) EXPECT_EQ(o.wear_m[i], 0.0F);
}

TEST(Droplets, InPlaceAndInWindowsOfLargerGrids) {
  const GridSpec spec = test_spec(150, 120, 8);
  const Grid<float> land = test_land(spec, 2);
  const Outcome o = run({}, spec, land);
  Grid<float> large(170, 130, -5.0F);
  const GridView<float> inside = large.view().window(7, 3, 150, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 150; ++x) inside(x, y) = land(x, y);
  const Ledger ledger = droplets({}, 7, spec, kNoSea, inside, inside, {}, {}, Exec());
  EXPECT_TRUE(same_bits(o.ground, inside));
  EXPECT_EQ(ledger.eroded, o.ledger.eroded);
  EXPECT_EQ(large(6, 3), -5.0F);
  EXPECT_EQ(large(157, 60), -5.0F);
}

TEST(Droplets, HolesKeepTheirBitsAndTakeNothing) {
  const GridSpec spec = test_spec(160, 160, 8);
  Grid<float> land = test_land(spec, 4);
  const float infinity = std::numeric_limits<float>::infinity();
  const float strange[] = {kNoData<float>, infinity, -infinity, 1e30F, -1e30F, 1.1e6F};
  for (int i = 0; i < 6; ++i) land(20 + 20 * i, 80) = strange[i];
  const Outcome o = run({}, spec, land);
  EXPECT_EQ(o.ledger.balance(), 0);
  EXPECT_GT(o.ledger.exported, 0);
  for (int i = 0; i < 6; ++i) {
    const int x = 20 + 20 * i;
    EXPECT_EQ(std::memcmp(&o.ground(x, 80), &strange[i], sizeof(float)), 0);
    EXPECT_EQ(o.wear_m(x, 80), 0.0F);
    EXPECT_EQ(o.deposit_m(x, 80), 0.0F);
  }
  for (std::int64_t i = 0; i < land.cells(); ++i) {
    EXPECT_GE(o.wear_m[i], 0.0F);
    EXPECT_GE(o.deposit_m[i], 0.0F);
  }
  EXPECT_FALSE(check_droplet_input(land).ok());
  EXPECT_NE(check_droplet_input(land).error().message.find("column 40, row 80"), std::string::npos);
  for (int i = 1; i < 6; ++i) land(20 + 20 * i, 80) = 0;
  EXPECT_TRUE(check_droplet_input(land).ok());
}

TEST(Droplets, SmallAndFlatAndEmptyGrids) {
  for (const int w : {1, 2, 3, 8, 9, 40})
    for (const int h : {1, 2, 3, 9, 12}) {
      const GridSpec spec = test_spec(w, h, 8);
      for (const float level : {0.0F, 12.5F, kNoData<float>, 1e30F}) {
        const Grid<float> flat(w, h, level);
        const Outcome o = run({}, spec, flat, Exec(2, TaskBackend::threads));
        EXPECT_TRUE(same_bits(flat, o.ground));
        EXPECT_EQ(o.ledger.eroded, 0);
      }
      EXPECT_EQ(run({}, spec, test_land(spec, 1)).ledger.balance(), 0);
    }
  const GridSpec none = test_spec(0, 0, 8);
  EXPECT_EQ(run({}, none, Grid<float>()).ledger.eroded, 0);
}

TEST(Droplets, TheSeaTakesLoads) {
  const GridSpec spec = test_spec(200, 80, 8);
  Grid<float> ramp(200, 80);
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 200; ++x) ramp(x, y) = static_cast<float>(100 - x) * 2.0F;
  double shore[3] = {};
  for (int i = 0; i < 3; ++i) {
    DropletParams params;
    params.sea_deposit = 0.5 * i;
    const Outcome o = run(params, spec, ramp, Exec(), 0.0);
    for (int y = 20; y < 60; ++y) {
      for (int x = 98; x < 106; ++x) shore[i] += static_cast<double>(o.deposit_m(x, y)) / (40 * 8);
      // The shore moves out with what is laid down; nothing runs on under water.
      for (int x = 120; x < 200; ++x) EXPECT_EQ(o.ground(x, y), ramp(x, y));
    }
    EXPECT_EQ(o.ledger.balance(), 0);
    EXPECT_GT(o.ledger.exported, 0);
  }
  EXPECT_GT(shore[2], 0.5);
  EXPECT_LT(shore[0], 0.3 * shore[2]);
  EXPECT_LT(shore[1], shore[2]);
  EXPECT_GT(shore[1], shore[0]);
}

TEST(Droplets, ParametersThatCannotRun) {
  EXPECT_TRUE(check_droplet_params({}, 8).ok());
  EXPECT_TRUE(check_droplet_params({}, 0.5).ok());
  EXPECT_TRUE(check_droplet_params({}, 90).ok());
  EXPECT_FALSE(check_droplet_params({}, 0.25).ok());
  EXPECT_FALSE(check_droplet_params({}, 0).ok());
  EXPECT_FALSE(check_droplet_params({}, std::nan("")).ok());
  DropletParams p;
  p.inertia = 2;
  EXPECT_FALSE(check_droplet_params(p, 8).ok());
  p = {};
  p.droplets_per_km2 = 1e8;
  EXPECT_NE(check_droplet_params(p, 8).error().message.find("droplets_per_km2"), std::string::npos);
  EXPECT_EQ(droplet_halo_cells(p, 8), 0);
  p = {};
  p.path_m = 8 * 513;
  EXPECT_NE(check_droplet_params(p, 8).error().message.find("path_m must be at most 4096 m"), std::string::npos);
  const Grid<float> land = test_land(test_spec(60, 60, 8), 1);
  EXPECT_TRUE(same_bits(land, run(p, test_spec(60, 60, 8), land).ground));
}

TEST(Droplets, ProgressAndCancellation) {
  const GridSpec spec = test_spec(100, 100, 8);
  const Grid<float> land = test_land(spec, 1);
  double last = 0;
  int calls = 0;
  run({}, spec, land, Exec().with_progress([&](double f) {
    EXPECT_GT(f, last);
    last = f;
    ++calls;
  }));
  EXPECT_EQ(last, 1.0);
  EXPECT_EQ(calls, 12);
  volatile int cancel = 0;
  calls = 0;
  run({}, spec, land, Exec().with_cancel(&cancel).with_progress([&](double) {
    cancel = 1;
    ++calls;
  }));
  EXPECT_EQ(calls, 1);
}

TEST(Droplets, RandomParametersKeepTheGroundSound) {
  const Exec exec(2, TaskBackend::threads);
  for (std::uint64_t round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::int64_t drawn = 0;
    const auto draw = [&](double low, double high) {
      return low + (high - low) * unit_double(hash64(2026, static_cast<std::int64_t>(round), drawn++));
    };
    const double cell = draw(0, 1) < 0.5 ? draw(1, 8) : draw(8, 60);
    GridSpec spec = test_spec(static_cast<int>(draw(1, 90)), static_cast<int>(draw(1, 90)), cell);
    spec.cell_y_m = cell * draw(1, 1.6);
    DropletParams p;
    p.droplets_per_km2 = draw(0, 4e6) / (cell * cell);
    p.path_m = draw(0, 60) * cell;
    p.brush_radius_m = draw(0, 20) * cell;
    p.step_reference_m = draw(0.3, 3) * cell;
    p.inertia = draw(0, 0.99);
    p.capacity = draw(0, 1) < 0.2 ? draw(0, 100) : draw(0, 8);
    p.min_slope = draw(0, 1) < 0.5 ? draw(0, 1) : 0;
    p.erode_rate = draw(0, 1);
    p.deposit_rate = draw(0, 1);
    p.evaporation = draw(0, 1);
    p.gravity = draw(0, 100);
    p.sea_deposit = draw(0, 1);
    const double scale = draw(0, 1) < 0.2 ? draw(0, 2e6) : draw(0, 2000);
    Grid<float> land = test_land(spec, round, 6, 40 * cell, scale);
    if (draw(0, 1) < 0.3)
      land[static_cast<std::int64_t>(draw(0, 1) * static_cast<double>(land.cells()))] = kNoData<float>;
    ASSERT_TRUE(check_droplet_params(p, cell).ok()) << check_droplet_params(p, cell).error().message;
    const Outcome o = run(p, spec, land, exec, draw(0, 1) < 0.5 ? kNoSea : 0.0, round);
    EXPECT_EQ(o.ledger.balance(), 0);
    EXPECT_GE(o.ledger.exported, 0);
    for (std::int64_t i = 0; i < land.cells(); ++i) {
      ASSERT_TRUE(std::isfinite(o.ground[i]) || !std::isfinite(land[i]));
      ASSERT_GE(o.wear_m[i], 0.0F);
      ASSERT_GE(o.deposit_m[i], 0.0F);
    }
  }
}

}  // namespace
}  // namespace thalweg::erosion
