#include "thalweg/hydrology/accumulation.h"

#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::naive_accumulation;
using test::random_terrain;
using test::same_cells;

Grid<std::uint8_t> routed(std::uint64_t seed, int width, int height) {
  Grid<float> g = random_terrain<float>(seed, width, height, seed % 2 == 0 ? 5 : 10000, seed % 3 == 0 ? 0 : 3);
  fill<float>(g, {}, g, Exec());
  Grid<std::uint8_t> dir(width, height);
  d8<float>(g, CellGeometry::uniform(10, height), {}, dir, Exec());
  return dir;
}

TEST(Accumulation, EqualsFollowingEveryCell) {
  const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {23, 17}, {61, 47}};
  for (const auto& size : sizes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Grid<std::uint8_t> dir = routed(seed, size[0], size[1]);
      Grid<std::uint64_t> out(size[0], size[1]);
      const Status s = accumulate_cells(dir, out, Exec());
      ASSERT_TRUE(s.ok()) << s.error().text();
      EXPECT_TRUE(same_cells<std::uint64_t>(out, naive_accumulation(dir))) << size[0] << " seed " << seed;
    }
  }
}

TEST(Accumulation, NamesTheFirstCellOfACycle) {
  Grid<std::uint8_t> dir(5, 4, std::uint8_t{1});
  dir(2, 2) = 64;  // north
  dir(2, 1) = 1;   // east
  dir(3, 1) = 4;   // south
  dir(3, 2) = 16;  // west: back
  Grid<std::uint64_t> out(5, 4);
  const Status s = accumulate_cells(dir, out, Exec());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().place, "cell (2, 1)");
  Grid<std::int32_t> label(5, 4);
  const Result<std::int64_t> basins = label_basins(dir, label, Exec());
  ASSERT_FALSE(basins.ok());
  EXPECT_EQ(basins.error().place, "cell (2, 1)");
}

// Y of two branches with a NoData corner, worked by hand.
TEST(Accumulation, HandWorked) {
  Grid<std::uint8_t> dir(3, 3);
  const std::uint8_t codes[9] = {2,  4, 255,  // SE, S, NoData
                                 1,  4, 16,   // E, S, W
                                 64, 4, 64};  // N, S (off the grid), N
  for (int i = 0; i < 9; ++i) dir[i] = codes[i];
  Grid<std::uint64_t> cells(3, 3);
  ASSERT_TRUE(accumulate_cells(dir, cells, Exec()).ok());
  const std::uint64_t want[9] = {1, 1, 0, 2, 7, 2, 1, 8, 1};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(cells[i], want[i]) << i;

  Grid<double> area(3, 3);
  ASSERT_TRUE(accumulate_area(dir, CellGeometry::uniform(10, 20, 3), area, Exec()).ok());
  EXPECT_EQ(area(1, 2), 1600);
  EXPECT_TRUE(is_nodata(area(2, 0)));

  Grid<float> rain(3, 3, 0.5F);
  rain(0, 0) = kNoData<float>;
  Grid<double> discharge(3, 3);
  ASSERT_TRUE(accumulate_weighted(dir, rain, discharge, Exec()).ok());
  EXPECT_EQ(discharge(1, 2), 3.5);
  EXPECT_EQ(discharge(0, 0), 0);

  Grid<std::int32_t> label(3, 3);
  const Result<std::int64_t> count = label_basins(dir, label, Exec());
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 1);
  EXPECT_EQ(label(2, 0), kNoData<std::int32_t>);

  Grid<std::uint8_t> upstream(3, 3);
  ASSERT_TRUE(mark_watershed(dir, {3, 5}, upstream, Exec()).ok());
  const std::uint8_t marked[9] = {0, 0, 0, 1, 0, 1, 1, 0, 1};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(upstream[i], marked[i]) << i;
  EXPECT_FALSE(mark_watershed(dir, {9}, upstream, Exec()).ok());
}

// Float accumulators stop at 2^24; a long chain would show it.
TEST(Accumulation, CountsExactlyAlongAVeryLongRiver) {
  constexpr int kWidth = 5000;
  constexpr int kHeight = 4000;
  Grid<std::uint8_t> dir(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) dir(x, y) = y % 2 == 0 ? 1 : 16;
    dir(y % 2 == 0 ? kWidth - 1 : 0, y) = 4;
  }
  Grid<double> sum(kWidth, kHeight);
  ASSERT_TRUE(accumulate_area(dir, CellGeometry::uniform(1, kHeight), sum, Exec()).ok());
  EXPECT_EQ(sum(0, kHeight - 1), 20'000'000);
}

TEST(Basins, AreNumberedInTheOrderOfTheirOutlets) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Grid<std::uint8_t> dir = routed(seed, 37, 29);
    Grid<std::int32_t> label(37, 29);
    const Result<std::int64_t> count = label_basins(dir, label, Exec());
    ASSERT_TRUE(count.ok());
    std::int32_t next = 0;
    for (int y = 0; y < 29; ++y) {
      for (int x = 0; x < 37; ++x) {
        int ex = x;
        int ey = y;
        ASSERT_TRUE(test::follow(dir, ex, ey));
        ASSERT_EQ(label(x, y), label(ex, ey)) << "seed " << seed;
        if (ex == x && ey == y && dir(x, y) != kFlowNoData) {
          ASSERT_EQ(label(x, y), ++next) << "seed " << seed;
        }
      }
    }
    EXPECT_EQ(next, *count);
  }
}

}  // namespace
}  // namespace thalweg::hydrology
