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

}  // namespace
}  // namespace thalweg::hydrology
