#include "thalweg/hydrology/depressions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thalweg/core/content_hash.h"
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

}  // namespace
}  // namespace thalweg::hydrology
