#include "thalweg/hydrology/directions.h"

#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::follow;
using test::is_outlet;
using test::random_terrain;

// Steepest strictly lower neighbour, straight from the definition.
template <class T>
std::uint8_t naive_steepest(GridView<const T> g, const CellGeometry& geometry, int x, int y) {
  std::uint8_t code = kNoFlow;
  double best = 0;
  for (int d = 0; d < 8; ++d) {
    const int nx = x + kDx[d];
    const int ny = y + kDy[d];
    if (!g.contains(nx, ny) || is_nodata(g(nx, ny))) continue;
    const double slope = (static_cast<double>(g(x, y)) - static_cast<double>(g(nx, ny))) / geometry.distance_m(y, d);
    if (slope > best) {
      best = slope;
      code = static_cast<std::uint8_t>(1 << d);
    }
  }
  return code;
}

template <class T>
void check_directions(GridView<const T> g, const CellGeometry& geometry, OutletMask mask, bool filled,
                      const std::string& what) {
  Grid<std::uint8_t> dir(g.width(), g.height());
  d8<T>(g, geometry, mask, dir, Exec());
  for (int y = 0; y < g.height(); ++y) {
    for (int x = 0; x < g.width(); ++x) {
      const std::string place = what + " at " + std::to_string(x) + "," + std::to_string(y);
      const int code = dir(x, y);
      if (is_nodata(g(x, y))) {
        ASSERT_EQ(code, kFlowNoData) << place;
        continue;
      }
      if (!mask.empty() && mask(x, y) != 0) {
        ASSERT_EQ(code, kNoFlow) << place;
        continue;
      }
      const int steepest = naive_steepest(g, geometry, x, y);
      if (steepest != kNoFlow || is_outlet(g, mask, x, y)) {
        ASSERT_EQ(code, steepest) << place;
        continue;
      }
      ASSERT_FALSE(filled && code == kNoFlow) << place;
      if (code == kNoFlow) continue;
      ASSERT_EQ(code & (code - 1), 0) << place;
      const auto d = static_cast<std::size_t>(direction_index(static_cast<std::uint8_t>(code)));
      ASSERT_EQ(g(x + kDx[d], y + kDy[d]), g(x, y)) << place;
      int ex = x;
      int ey = y;
      ASSERT_TRUE(follow(dir, ex, ey)) << place << ": cycle";
      ASSERT_TRUE(!filled || is_outlet(g, mask, ex, ey)) << place;
    }
  }
}

template <class T>
class D8Test : public ::testing::Test {};
using Types = ::testing::Types<std::int16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(D8Test, Types);

TYPED_TEST(D8Test, KeepsItsPromisesOnRandomTerrain) {
  using T = TypeParam;
  const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {7, 5}, {23, 17}, {40, 31}};
  for (const auto& size : sizes) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const int levels = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 20 : 30000;
      Grid<T> g = random_terrain<T>(seed, size[0], size[1], levels, seed % 2 == 0 ? 0 : 4);
      Grid<std::uint8_t> mask(size[0], size[1]);
      if (seed % 5 == 4) mask(size[0] / 2, size[1] / 2) = 1;
      const OutletMask outlets = seed % 5 == 4 ? mask.view() : GridView<std::uint8_t>();
      const CellGeometry geometry = seed % 4 == 0   ? CellGeometry::geographic(60, 0.01, 0.01, size[1])
                                    : seed % 4 == 1 ? CellGeometry::uniform(30, 90, size[1])
                                                    : CellGeometry::uniform(1, size[1]);
      const std::string what =
          std::to_string(size[0]) + "x" + std::to_string(size[1]) + " seed " + std::to_string(seed);
      check_directions<T>(g, geometry, outlets, false, what + " raw");
      fill<T>(g, outlets, g, Exec());
      check_directions<T>(g, geometry, outlets, true, what + " filled");
    }
  }
}

}  // namespace
}  // namespace thalweg::hydrology
