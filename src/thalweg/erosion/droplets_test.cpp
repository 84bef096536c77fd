#include "thalweg/erosion/droplets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/erosion/droplet_plan.h"
#include "thalweg/erosion/droplet_settle.h"
#include "thalweg/erosion/droplet_walk.h"
#include "thalweg/erosion/test_land.h"

namespace thalweg::erosion {
namespace {

constexpr double kNoSea = -std::numeric_limits<double>::infinity();

struct Outcome {
  Grid<float> ground;
  Grid<float> wear_m;
  Grid<float> deposit_m;
  Ledger ledger;
};

Outcome run(const DropletParams& params, const GridSpec& spec, GridView<const float> height, const Exec& exec = Exec(),
            double sea_level_m = kNoSea, std::uint64_t seed = 7) {
  const int w = height.width();
  const int h = height.height();
  Outcome o{{w, h}, {w, h}, {w, h}, {}};
  o.ledger = droplets(params, seed, spec, sea_level_m, height, o.ground, o.wear_m, o.deposit_m, exec);
  return o;
}

bool same_bits(GridView<const float> a, GridView<const float> b) {
  for (int y = 0; y < a.height(); ++y)
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width()) * sizeof(float)) != 0) return false;
  return a.width() == b.width() && a.height() == b.height();
}

// Sum of before - after in exact units, from the float grids: exact while heights are below 8 m or so many bits apart
// that rounding is exact is not given, so the land of such tests is kept within +-4 m.
std::int64_t units_lost(GridView<const float> before, GridView<const float> after) {
  std::int64_t sum = 0;
  for (int y = 0; y < before.height(); ++y)
    for (int x = 0; x < before.width(); ++x)
      if (before(x, y) == before(x, y))
        sum += std::llround(static_cast<double>(before(x, y)) * kUnitsPerMetre) -
               std::llround(static_cast<double>(after(x, y)) * kUnitsPerMetre);
  return sum;
}

TEST(Droplets, LedgerIsZeroAndEqualsTheGround) {
  const GridSpec spec = test_spec(200, 150, 8);
  Grid<float> land = test_land(spec, 11);
  for (std::int64_t i = 0; i < land.cells(); ++i) land[i] = std::floor(land[i] * 0.004F * 1048576.0F) / 1048576.0F;
  DropletParams params;
  params.capacity = 0.5;
  const Outcome o = run(params, spec, land);
  EXPECT_GT(o.ledger.eroded, 0);
  EXPECT_GT(o.ledger.deposited, 0);
  EXPECT_GT(o.ledger.exported, 0);
  EXPECT_EQ(o.ledger.balance(), 0);
  EXPECT_EQ(units_lost(land, o.ground), o.ledger.exported);
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
    const Outcome all = run(params, whole, land);
    GridSpec part = whole;
    const int x0 = 61;
    const int y0 = 33;
    part.width = part.height = 2 * halo + tile;
    part.origin_x += x0;
    part.origin_y += y0;
    const Outcome window = run(params, part, land.view().window(x0, y0, part.width, part.height));
    EXPECT_TRUE(same_bits(all.ground.view().window(x0 + halo, y0 + halo, tile, tile),
                          window.ground.view().window(halo, halo, tile, tile)));
    EXPECT_FALSE(same_bits(all.ground.view().window(x0, y0, part.width, part.height), window.ground));
    // A window in the corner of the map shares two true edges.
    part = whole;
    part.width = part.height = halo + tile;
    const Outcome corner = run(params, part, land.view().window(0, 0, part.width, part.height));
    EXPECT_TRUE(same_bits(all.ground.view().window(0, 0, tile, tile), corner.ground.view().window(0, 0, tile, tile)));
  }
}

}  // namespace
}  // namespace thalweg::erosion
