#include "thalweg/hydrology/depressions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/test_fbm.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::naive_fill;
using test::random_terrain;
using test::same_cells;

template <class T>
class FillTest : public ::testing::Test {};
using Types = ::testing::Types<std::int16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(FillTest, Types);

TYPED_TEST(FillTest, EqualsIterationOnRandomTerrain) {
  using T = TypeParam;
  const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {7, 5}, {23, 17}, {40, 31}};
  for (const auto& size : sizes) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const int levels = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 20 : 30000;
      const Grid<T> g = random_terrain<T>(seed, size[0], size[1], levels, seed % 2 == 0 ? 0 : 4);
      Grid<std::uint8_t> mask(size[0], size[1]);
      if (seed % 5 == 4) mask(size[0] / 2, size[1] / 2) = 1;
      const OutletMask outlets = seed % 5 == 4 ? mask.view() : GridView<std::uint8_t>();
      Grid<T> out(size[0], size[1]);
      fill<T>(g, outlets, out, Exec());
      EXPECT_TRUE(same_cells<T>(out, naive_fill<T>(g, outlets))) << size[0] << "x" << size[1] << " seed " << seed;
      Grid<T> again = out.clone();
      fill<T>(again, outlets, again, Exec());  // in place, and idempotent
      EXPECT_TRUE(same_cells<T>(out, again)) << size[0] << "x" << size[1] << " seed " << seed;
    }
  }
}

template <class T>
T step_up(T v) {
  return v < std::numeric_limits<T>::max() ? std::nextafter(v, std::numeric_limits<T>::infinity()) : v;
}

TEST(FillEpsilon, EqualsIterationOnRandomTerrain) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const int levels = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 20 : 30000;
    Grid<float> g = random_terrain<float>(seed, 31, 23, levels, seed % 2 == 0 ? 0 : 3);
    if (seed % 4 == 3)  // heights a few representable steps apart: raised lakes lift their banks
      for (std::int64_t i = 0; i < g.cells(); ++i)
        g[i] = std::nextafter(1.0F, 2.0F) + 0x1p-23F * static_cast<float>(hash64(seed, i) % 12) + 0 * g[i];
    Grid<float> out(31, 23);
    fill_epsilon<float>(g, {}, out, Exec());
    EXPECT_TRUE(same_cells<float>(out, naive_fill<float>(g, {}, step_up<float>))) << "seed " << seed;
  }
}

TEST(FillEpsilon, StaysFiniteAtTheEndOfTheNumbers) {
  constexpr float kMax = std::numeric_limits<float>::max();
  Grid<float> g(5, 5, kMax);
  g(2, 2) = -1;
  Grid<float> out(5, 5);
  fill_epsilon<float>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), kMax);
  g.fill(std::numeric_limits<float>::infinity());
  g(2, 2) = -std::numeric_limits<float>::infinity();
  fill_epsilon<float>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), std::numeric_limits<float>::infinity());
  fill<float>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), std::numeric_limits<float>::infinity());
}

TEST(Fill, TreatsBothZerosAsEqualAndRaisesToPlusZero) {
  Grid<float> g(5, 5, -0.0F);
  g(2, 2) = -3;
  Grid<float> out(5, 5);
  fill<float>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), 0);
  EXPECT_FALSE(std::signbit(out(2, 2)));
  EXPECT_TRUE(std::signbit(out(1, 1)));
  planchon_darboux<float>(g, {}, 0, out, Exec());
  EXPECT_FALSE(std::signbit(out(2, 2)));
  EXPECT_TRUE(std::signbit(out(1, 1)));
}

TEST(PlanchonDarboux, EqualsFillWithoutEpsilon) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Grid<float> g = random_terrain<float>(seed, 37, 29, seed % 2 == 0 ? 5 : 3000, seed % 3 == 0 ? 3 : 0);
    Grid<float> a(37, 29);
    Grid<float> b(37, 29);
    fill<float>(g, {}, a, Exec());
    planchon_darboux<float>(g, {}, 0, b, Exec());
    EXPECT_EQ(content_hash<float>(a), content_hash<float>(b)) << "seed " << seed;
  }
  const Grid<float> g = test::fbm_terrain(257);
  Grid<float> a(257, 257);
  Grid<float> b = g.clone();
  fill<float>(g, {}, a, Exec());
  planchon_darboux<float>(b, {}, 0, b, Exec());  // in place
  EXPECT_EQ(content_hash<float>(a), content_hash<float>(b));
}

TEST(PlanchonDarboux, RaisesByAtLeastEpsilon) {
  constexpr double kEpsilon = 0.01;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Grid<float> g = random_terrain<float>(seed, 37, 29, seed % 2 == 0 ? 5 : 3000, 0);
    Grid<float> out(37, 29);
    planchon_darboux<float>(g, {}, kEpsilon, out, Exec());
    for (int y = 1; y < 28; ++y) {
      for (int x = 1; x < 36; ++x) {
        ASSERT_GE(out(x, y), g(x, y));
        double lowest = 1e30;
        for (int d = 0; d < 8; ++d) lowest = std::min(lowest, static_cast<double>(out(x + kDx[d], y + kDy[d])));
        ASSERT_TRUE(out(x, y) == g(x, y) || out(x, y) - lowest >= kEpsilon) << "seed " << seed;
      }
    }
  }
}

// Least sum of cut depths from a pit to a lower cell or the border, by relaxation.
double naive_cost(GridView<const float> g, int px, int py) {
  Grid<double> cost(g.width(), g.height(), 1e30);
  cost(px, py) = 0;
  double best = 1e30;
  for (bool changed = true; changed;) {
    changed = false;
    for (int y = 1; y + 1 < g.height(); ++y) {
      for (int x = 1; x + 1 < g.width(); ++x) {
        for (int d = 0; d < 8; ++d) {
          const int nx = x + kDx[d];
          const int ny = y + kDy[d];
          const double c = cost(x, y) + std::max(0.0, static_cast<double>(g(nx, ny)) - g(px, py));
          if (c < cost(nx, ny)) {
            cost(nx, ny) = c;
            changed = true;
          }
        }
      }
    }
  }
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x)
      if (g(x, y) < g(px, py) || x == 0 || y == 0 || x == g.width() - 1 || y == g.height() - 1)
        best = std::min(best, cost(x, y));
  return best;
}

TEST(Breach, CutsTheCheapestWay) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Grid<float> g = random_terrain<float>(seed, 15, 13, 900, 0);
    for (std::int64_t i = 0; i < g.cells(); ++i) g[i] += 500;  // all above the pit and the border
    for (int x = 0; x < 15; ++x) g(x, 0) = g(x, 12) = -10;
    for (int y = 0; y < 13; ++y) g(0, y) = g(14, y) = -10;
    g(7, 6) = 0;
    BreachLimits limits;
    Grid<float> out(15, 13);
    breach<float>(g, {}, CellGeometry::uniform(1, 13), limits, out, Exec());
    // The pit is the lowest one, so it is cut first; what it lowers lies at its height now.
    double cut = 0;
    for (std::int64_t i = 0; i < g.cells(); ++i)
      if (out[i] == 0) cut += g[i];
    EXPECT_EQ(cut, naive_cost(g, 7, 6)) << "seed " << seed;
  }
}

TEST(Breach, LeavesNoDepressionAndKeepsToItsLimits) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Grid<float> g = random_terrain<float>(seed, 41, 33, seed % 2 == 0 ? 6 : 3000, seed % 3 == 0 ? 3 : 0);
    BreachLimits limits;
    limits.search_cells = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 20 : 2000;
    if (seed % 5 >= 3) limits.max_depth_m = seed % 2 == 0 ? 2 : 700;
    if (seed % 7 >= 4) limits.max_length_m = 4;
    const CellGeometry geometry = CellGeometry::uniform(1, 33);
    Grid<float> out(41, 33);
    breach<float>(g, {}, geometry, limits, out, Exec());
    Grid<float> again(41, 33);
    fill<float>(out, {}, again, Exec());
    EXPECT_EQ(content_hash<float>(out), content_hash<float>(again)) << "seed " << seed;
    const DepressionStats stats = depression_stats<float>(g, out, geometry);
    EXPECT_LE(stats.max_cut_m, limits.max_depth_m) << "seed " << seed;
    Grid<float> filled(41, 33);
    fill<float>(g, {}, filled, Exec());
    for (std::int64_t i = 0; i < g.cells(); ++i) ASSERT_FALSE(out[i] > filled[i]) << "seed " << seed;
  }
}

TEST(Breach, NeedsNoFillingWithoutLimits) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Grid<float> g = random_terrain<float>(seed, 41, 33, seed % 2 == 0 ? 6 : 3000, 0);
    BreachLimits limits;
    limits.search_cells = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 20 : 2000;
    Grid<float> out = g.clone();
    const CellGeometry geometry = CellGeometry::uniform(1, 33);
    breach<float>(out, {}, geometry, limits, out, Exec());
    EXPECT_EQ(depression_stats<float>(g, out, geometry).cells_raised, 0) << "seed " << seed;
  }
}

TEST(Breach, KeepsTheHeightOfMarkedOutlets) {
  Grid<float> g(7, 5, 9.0F);
  g(3, 2) = 1;  // pit
  g(5, 2) = 4;  // sea
  Grid<std::uint8_t> sea(7, 5);
  sea(5, 2) = 1;
  Grid<float> out(7, 5);
  breach<float>(g, sea, CellGeometry::uniform(1, 5), {}, out, Exec());
  EXPECT_EQ(out(5, 2), 4);
  EXPECT_EQ(out(4, 2), 4);
  EXPECT_EQ(out(3, 2), 4);
  EXPECT_EQ(out(2, 2), 9);
}

TEST(MarkSea, LeavesLowLandBehindABarrierDry) {
  Grid<float> g(7, 5, 10.0F);
  for (int y = 0; y < 5; ++y) g(0, y) = g(1, y) = -5;
  g(3, 2) = -3;  // polder
  g(2, 3) = 0;   // at the level, beside the sea
  Grid<std::uint8_t> sea(7, 5, std::uint8_t{9});
  mark_sea<float>(g, 0, sea);
  EXPECT_EQ(sea(0, 0), 1);
  EXPECT_EQ(sea(1, 4), 1);
  EXPECT_EQ(sea(2, 3), 1);
  EXPECT_EQ(sea(3, 2), 1);  // touches (2, 3) at the corner
  EXPECT_EQ(sea(5, 2), 0);
  g(2, 3) = 0.5F;
  mark_sea<float>(g, 0, sea);
  EXPECT_EQ(sea(3, 2), 0);
  g(4, 2) = kNoData<float>;
  mark_sea<float>(g, 0, sea);
  EXPECT_EQ(sea(3, 2), 1);
  EXPECT_EQ(sea(4, 2), 0);
}

TEST(DepressionStats, CountsCellsAndVolumes) {
  Grid<float> a(3, 2, 5.0F);
  Grid<float> b(3, 2, 5.0F);
  b(0, 0) = 7;
  b(1, 1) = 4.5F;
  a(2, 1) = b(2, 1) = kNoData<float>;
  const DepressionStats s = depression_stats<float>(a, b, CellGeometry::uniform(10, 20, 2));
  EXPECT_EQ(s.cells_raised, 1);
  EXPECT_EQ(s.cells_lowered, 1);
  EXPECT_EQ(s.volume_raised_m3, 400);
  EXPECT_EQ(s.volume_lowered_m3, 100);
  EXPECT_EQ(s.max_raise_m, 2);
  EXPECT_EQ(s.max_cut_m, 0.5);
}

// Numbers agreed on by five other programs (hydrology of the common test terrain).
TEST(Fill, AgreesWithOthersOnFractalTerrain) {
  const Grid<float> g = test::fbm_terrain(1025);
  double sum = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < g.cells(); ++i) {
    sum += g[i];
    squares += static_cast<double>(g[i]) * g[i];
  }
  const double n = static_cast<double>(g.cells());
  EXPECT_NEAR(sum / n, 1005.24, 0.005);
  EXPECT_NEAR(std::sqrt(squares / n - sum / n * (sum / n)), 355.77, 0.005);
  Grid<float> out(1025, 1025);
  fill<float>(g, {}, out, Exec());
  const DepressionStats s = depression_stats<float>(g, out, CellGeometry::uniform(1, 1025));
  EXPECT_EQ(s.cells_raised, 300000);
  EXPECT_NEAR(s.volume_raised_m3, 51028216.24, 0.005);
  EXPECT_NEAR(s.max_raise_m, 818.645, 0.0005);
}

}  // namespace
}  // namespace thalweg::hydrology
