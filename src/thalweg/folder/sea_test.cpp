#include "thalweg/folder/sea.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace thalweg::folder {
namespace {

// An island in a sea at 0 m.
Grid<float> island() {
  Grid<float> g(30, 20, 0.0F);
  for (int y = 6; y < 14; ++y)
    for (int x = 8; x < 22; ++x) g(x, y) = 5;
  return g;
}

TEST(OpenSea, IsTheFlatAtZeroAroundLand) {
  Grid<float> g = island();
  g(0, 3) = -4;                                        // a stray value, at the border where no filling reaches it
  g(2, 2) = std::numeric_limits<float>::denorm_min();  // raised by an epsilon
  g(15, 10) = 0;                                       // low ground inside
  const Grid<std::uint8_t> sea = open_sea(g);
  ASSERT_EQ(sea.cells(), g.cells());
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 30; ++x) {
      const bool land = x >= 8 && x < 22 && y >= 6 && y < 14;
      EXPECT_EQ(sea(x, y), land ? 0 : 1) << x << "," << y;
    }
}

TEST(OpenSea, LeavesDeepLandDry) {
  Grid<float> g = island();
  for (std::int64_t i = 0; i < g.cells(); ++i)
    if (g[i] == 0) g[i] = i % 5 < 3 ? -400.0F : 0.0F;  // three fifths below 0
  EXPECT_TRUE(open_sea(g).empty());
}

TEST(OpenSea, NeedsTheEdgeAndSomeSize) {
  Grid<float> g(40, 40, 7.0F);
  for (int y = 5; y < 30; ++y)
    for (int x = 5; x < 30; ++x) g(x, y) = 0;
  EXPECT_TRUE(open_sea(g).empty());
  g(17, 17) = kNoData<float>;
  EXPECT_FALSE(open_sea(g).empty());
  Grid<float> pond(40, 40, 7.0F);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 11; ++x) pond(x, y) = 0;  // 99 cells
  EXPECT_TRUE(open_sea(pond).empty());
  pond(0, 9) = 0;
  EXPECT_FALSE(open_sea(pond).empty());
  EXPECT_TRUE(open_sea(GridView<const float>()).empty());
}

}  // namespace
}  // namespace thalweg::folder
