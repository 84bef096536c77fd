// What the eroded ground looks like, in figures.
#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/erosion/droplets.h"
#include "thalweg/erosion/sequential_droplets.h"
#include "thalweg/erosion/test_land.h"

namespace thalweg::erosion {
namespace {

TEST(DropletsQuality, LooksLikeTheSequentialScheme) {
  const GridSpec spec = test_spec(257, 257, 8);
  const Grid<float> land = test_land(spec, 21, 7);
  const DropletParams params;
  const auto in_sequence = [&](std::uint64_t seed) {
    SequentialDroplets reference(params, 8, land);
    reference.run(seed, spec);
    return reference.ground();
  };
  const Grid<float> sequential = in_sequence(7);
  const Grid<float> other = in_sequence(8);
  Grid<float> parallel(257, 257);
  droplets(params, 7, spec, -1e9, land, parallel, {}, {}, Exec());
  // The same droplets in another order differ less than other droplets do.
  EXPECT_LT(root_mean_square(parallel, sequential), 1.1 * root_mean_square(other, sequential));
  const GroundFigures p = ground_figures(parallel);
  const GroundFigures s = ground_figures(sequential);
  EXPECT_LT(p.pits, s.pits / 2);
  EXPECT_NEAR(p.kurtosis / s.kurtosis, 1, 0.25);
  EXPECT_NEAR(p.fine / s.fine, 1, 0.25);
  EXPECT_NEAR(p.coarse / s.coarse, 1, 0.25);
}

TEST(DropletsQuality, TheCellSizeDoesNotChangeTheErosion) {
  const DropletParams params;
  double wear[3] = {};
  double change[3] = {};
  Grid<float> at16;
  for (int i = 0; i < 3; ++i) {
    const int cells = 128 << i;
    const GridSpec spec = test_spec(cells + 1, cells + 1, 2048.0 / cells);
    const Grid<float> land = test_land(spec, 6, 4, 2000, 400);
    Grid<float> ground(cells + 1, cells + 1);
    Grid<float> worn(cells + 1, cells + 1);
    const Ledger ledger = droplets(params, 7, spec, -1e9, land, ground, worn, {}, Exec());
    EXPECT_EQ(ledger.balance(), 0);
    double counted = 0;
    double alike = 0;
    const int step = 1 << i;
    for (int y = 16 * step; y < cells - 16 * step; y += step)  // the same places at each size
      for (int x = 16 * step; x < cells - 16 * step; x += step) {
        wear[i] += static_cast<double>(worn(x, y));
        change[i] += std::pow(static_cast<double>(ground(x, y) - land(x, y)), 2);
        if (i > 0) alike += std::pow(static_cast<double>(ground(x, y) - at16(x / step, y / step)), 2);
        ++counted;
      }
    wear[i] /= counted;
    change[i] = std::sqrt(change[i] / counted);
    // The shapes are those of the coarsest: they differ by far less than the erosion changed.
    if (i > 0) {
      EXPECT_LT(std::sqrt(alike / counted), 0.5 * change[i]);
    } else {
      at16 = std::move(ground);
    }
  }
  for (int i : {0, 2}) {
    EXPECT_NEAR(wear[i] / wear[1], 1, 0.15);
    EXPECT_NEAR(change[i] / change[1], 1, 0.15);
  }
}

}  // namespace
}  // namespace thalweg::erosion
