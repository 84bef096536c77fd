#include "thalweg/erosion/droplet_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "thalweg/core/random.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/erosion/test_land.h"
#include "thalweg/erosion/test_run.h"

namespace thalweg::erosion {
namespace {

Outcome run_guarded(const DropletParams& params, const GridSpec& spec, GridView<const float> height,
                    GridView<const float> protect, const Exec& exec = Exec(), double sea_level_m = kNoSea) {
  return run(params, spec, height, exec, sea_level_m, 7, protect);
}

// A round area of `value`, and a soft rim of `rim` cells.
Grid<float> disc(const GridSpec& spec, double cx, double cy, double radius, float value = 1, double rim = 0) {
  Grid<float> protect(spec.width, spec.height);
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) {
      const double beyond = std::hypot(x - cx, y - cy) - radius;
      protect(x, y) = value * static_cast<float>(beyond <= 0 ? 1 : rim > 0 ? std::max(0.0, 1 - beyond / rim) : 0);
    }
  return protect;
}

TEST(DropletGuard, ReachesAsFarAsTheBrush) {
  DropletPlan plan;
  plan.brush_x = 2;
  plan.brush_y = 0;  // the leveller reaches 1
  plan.deposit_x = 1;
  Grid<float> protect(20, 12);
  protect(10, 6) = 0.75F;
  protect(0, 0) = 7;
  protect(19, 11) = kNoData<float>;
  protect(19, 0) = -3;
  const Grid<float> guard = guard_of(plan, protect, Exec());
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x) {
      // The cell and its eastern and southern neighbours (bilinear shares), 3 cells in x and 1 in y around them.
      const bool near = x >= 10 - 4 && x <= 10 + 3 && y >= 6 - 2 && y <= 6 + 1;
      const bool corner = x <= 3 && y <= 1;
      EXPECT_EQ(guard(x, y), corner ? 0.0F : near ? 0.25F : 1.0F) << x << " " << y;
    }
  protect(10, 6) = protect(0, 0) = 0;
  EXPECT_TRUE(guard_of(plan, protect, Exec()).empty());
  EXPECT_TRUE(guard_of(plan, {}, Exec()).empty());
}

TEST(DropletGuard, ProtectedCellsKeepTheirBits) {
  for (const double cell_m : {8.0, 3.0, 20.0}) {
    const GridSpec spec = test_spec(150, 130, cell_m);
    Grid<float> land = test_land(spec, 11);
    land(100, 20) = kNoData<float>;
    Grid<float> protect = disc(spec, 70, 60, 25);
    for (int i = 0; i < 100; ++i) protect(20 + i, 10 + i) = 1;  // a path one cell wide
    protect(149, 129) = 1;
    for (const double brush_m : {0.0, 32.0, 80.0}) {
      DropletParams params;
      params.brush_radius_m = brush_m;
      const Outcome o = run_guarded(params, spec, land, protect);
      EXPECT_EQ(o.ledger.balance(), 0);
      std::int64_t changed = 0;
      for (std::int64_t i = 0; i < land.cells(); ++i) {
        if (protect[i] < 1) {
          changed += o.ground[i] < land[i] || o.ground[i] > land[i] ? 1 : 0;
          continue;
        }
        ASSERT_EQ(std::memcmp(&o.ground[i], &land[i], sizeof(float)), 0);
        ASSERT_EQ(o.wear_m[i], 0.0F);
        ASSERT_EQ(o.deposit_m[i], 0.0F);
      }
      if (brush_m <= 32) {
        EXPECT_GT(changed, 1000);
      }
    }
  }
}

TEST(DropletGuard, NoProtectionIsTheSameAsNone) {
  const GridSpec spec = test_spec(120, 100, 8);
  const Grid<float> land = test_land(spec, 5);
  Grid<float> protect(spec.width, spec.height);
  const Outcome none = run_guarded({}, spec, land, {});
  protect(3, 3) = kNoData<float>;
  protect(4, 3) = -1;
  const Outcome zero = run_guarded({}, spec, land, protect);
  EXPECT_TRUE(same_bits(none.ground, zero.ground));
  EXPECT_TRUE(same_bits(none.deposit_m, zero.deposit_m));
  EXPECT_EQ(none.ledger.exported, zero.ledger.exported);
  // One protected cell in a corner that droplets avoid: the guarded code runs, and nothing changes either.
  protect(0, 0) = 1;
  const Outcome corner = run_guarded({}, spec, land, protect);
  EXPECT_TRUE(same_bits(none.ground, corner.ground));
  EXPECT_TRUE(same_bits(none.wear_m, corner.wear_m));
}

TEST(DropletGuard, SameBitsForThreadsAndWindows) {
  DropletParams params;
  params.droplets_per_km2 = 3900;
  params.path_m = 80;
  const int halo = droplet_halo_cells(params, 8);
  const int tile = 40;
  GridSpec whole = test_spec(2 * halo + tile + 60, 2 * halo + tile + 50, 8);
  whole.origin_x = -1234567890123;
  const Grid<float> land = test_land(whole, 3);
  Grid<float> protect = disc(whole, halo + 60, halo + 50, 12, 1, 10);
  // Stripes outside of the tile, partly beyond the window's edge.
  for (int x = 0; x < whole.width; x += 5)
    for (int y = 0; y < whole.height / 2; ++y) protect(x, y) = std::max(protect(x, y), 0.8F);
  const Outcome all = run_guarded(params, whole, land, protect, Exec(), -60);
  EXPECT_EQ(all.ledger.balance(), 0);
  for (const int threads : {2, 7}) {
    const Outcome many = run_guarded(params, whole, land, protect, Exec(threads, TaskBackend::threads), -60);
    EXPECT_TRUE(same_bits(all.ground, many.ground));
    EXPECT_TRUE(same_bits(all.wear_m, many.wear_m));
    EXPECT_EQ(all.ledger.exported, many.ledger.exported);
  }
  GridSpec part = whole;
  const int x0 = 41;
  const int y0 = 33;
  part.width = part.height = 2 * halo + tile;
  part.origin_x += x0;
  part.origin_y += y0;
  const Outcome window = run_guarded(params, part, land.view().window(x0, y0, part.width, part.height),
                                     protect.view().window(x0, y0, part.width, part.height), Exec(), -60);
  EXPECT_TRUE(same_bits(all.ground.view().window(x0 + halo, y0 + halo, tile, tile),
                        window.ground.view().window(halo, halo, tile, tile)));
}

TEST(DropletGuard, HalfProtectedLandChangesLess) {
  const GridSpec spec = test_spec(160, 160, 8);
  const Grid<float> land = test_land(spec, 9);
  Grid<float> protect(spec.width, spec.height);
  double before = 1e30;
  for (const float p : {0.0F, 0.25F, 0.5F, 0.75F, 0.97F, 1.0F}) {
    std::fill_n(protect.data(), protect.cells(), p);
    const Outcome o = run_guarded({}, spec, land, protect);
    EXPECT_EQ(o.ledger.balance(), 0);
    double sum = 0;
    for (std::int64_t i = 0; i < land.cells(); ++i) sum += std::fabs(static_cast<double>(o.ground[i] - land[i]));
    EXPECT_LT(sum, before);
    before = sum;
  }
  EXPECT_EQ(before, 0);
}

// A plain in rough land: it stays, and nothing heaps up around it. Loads laid down at its border instead of being taken
// away would stand metres high there.
TEST(DropletGuard, NoWallsAroundAPlain) {
  const GridSpec spec = test_spec(240, 240, 8);
  Grid<float> land = test_land(spec, 21, 7, 1500, 350);
  const Grid<float> protect = disc(spec, 120, 120, 50);
  const Grid<float> shape = disc(spec, 120, 120, 50, 1, 30);
  for (std::int64_t i = 0; i < land.cells(); ++i) {
    const float t = shape[i] * shape[i] * (3 - 2 * shape[i]);
    land[i] = land[i] * (1 - t) + 40 * t;
  }
  DropletParams params;
  params.droplets_per_km2 = 15600;
  const Outcome with = run_guarded(params, spec, land, protect);
  const Outcome without = run_guarded(params, spec, land, {});
  double rise_with_m = 0;
  double rise_without_m = 0;
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) {
      const double distance = std::hypot(x - 120, y - 120);
      if (distance > 56) continue;
      const double before = static_cast<double>(land(x, y));
      rise_with_m = std::max(rise_with_m, static_cast<double>(with.ground(x, y)) - before);
      rise_without_m = std::max(rise_without_m, static_cast<double>(without.ground(x, y)) - before);
      if (distance <= 50) {
        ASSERT_EQ(with.ground(x, y), land(x, y));
      }
    }
  EXPECT_LT(rise_with_m, rise_without_m);
}

TEST(DropletGuard, SmallAndSpoiltGrids) {
  for (const int w : {1, 2, 3, 17})
    for (const int h : {1, 2, 3, 17}) {
      const GridSpec spec = test_spec(w, h, 8);
      Grid<float> land = test_land(spec, 4);
      Grid<float> protect(w, h);
      protect(w / 2, h / 2) = std::numeric_limits<float>::infinity();
      if (w > 2) protect(0, 0) = kNoData<float>;
      const Outcome o = run_guarded({}, spec, land, protect);
      EXPECT_EQ(o.ledger.balance(), 0);
      EXPECT_EQ(o.ground(w / 2, h / 2), land(w / 2, h / 2));
    }
}

}  // namespace
}  // namespace thalweg::erosion
