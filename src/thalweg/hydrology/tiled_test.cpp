// Tiles of every size give the bits of the whole grid.
#include "thalweg/hydrology/tiled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/exact_sums.h"
#include "thalweg/hydrology/test_fbm.h"
#include "thalweg/hydrology/test_terrain.h"
#include "thalweg/hydrology/tiled_fill.h"
#include "thalweg/hydrology/tiled_flow.h"

namespace thalweg::hydrology {
namespace {

using test::random_terrain;

// Byte for byte: tells -0 from 0, as files do. Any NaN is as good as another.
template <class T>
std::string first_difference(GridView<const T> a, GridView<const T> b) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      if (is_nodata(a(x, y)) && is_nodata(b(x, y))) continue;
      if (std::memcmp(&a(x, y), &b(x, y), sizeof(T)) != 0)
        return "(" + std::to_string(x) + ", " + std::to_string(y) + "): " + std::to_string(a(x, y)) + " and " +
               std::to_string(b(x, y));
    }
  return "";
}

template <class T>
struct Drained {
  Grid<T> filled;
  Grid<std::uint8_t> directions;
  Grid<double> area;
  Grid<std::uint64_t> cells;
  Grid<double> weighted;

  Drained(int w, int h) : filled(w, h), directions(w, h), area(w, h), cells(w, h), weighted(w, h) {}
};

// Of very different sizes, so that plain sums of doubles would round.
Grid<float> some_weights(int w, int h) {
  Grid<float> weight(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const std::uint64_t r = hash64(77, x, y);
      weight(x, y) = static_cast<float>(std::ldexp(unit_double(r) - 0.1, static_cast<int>(r % 60)));
    }
  weight(w / 2, h / 2) = kNoData<float>;
  return weight;
}

template <class T>
Drained<T> drain_whole(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets) {
  Drained<T> d(height.width(), height.height());
  fill<T>(height, outlets, d.filled, Exec());
  d8<T>(d.filled, geometry, outlets, d.directions, Exec());
  EXPECT_TRUE(accumulate_area(d.directions, geometry, d.area, Exec()).ok());
  EXPECT_TRUE(accumulate_cells(d.directions, d.cells, Exec()).ok());
  EXPECT_TRUE(
      accumulate_weighted(d.directions, some_weights(height.width(), height.height()), d.weighted, Exec()).ok());
  return d;
}

template <class T>
Drained<T> drain_tiles(const TilePlan& plan, GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                       const Exec& exec) {
  Drained<T> d(height.width(), height.height());
  DrainageTiles<T> tiles;
  tiles.height = memory_source<T>(height);
  if (!outlets.empty()) tiles.outlets = memory_source<std::uint8_t>(outlets);
  tiles.filled = memory_store<T>(d.filled);
  tiles.directions = memory_store<std::uint8_t>(d.directions);
  tiles.area_m2 = memory_sink<double>(d.area);
  const Status s = run_tiled<T>(plan, geometry, tiles, exec);
  EXPECT_TRUE(s.ok()) << s.error().text();
  const Grid<float> weight = some_weights(height.width(), height.height());
  EXPECT_TRUE(accumulate_cells_tiled(plan, tiles.directions.read, memory_sink<std::uint64_t>(d.cells), exec).ok());
  EXPECT_TRUE(accumulate_weighted_tiled(plan, tiles.directions.read, memory_source<float>(weight),
                                        memory_sink<double>(d.weighted), exec)
                  .ok());
  return d;
}

template <class T>
bool same(const Drained<T>& whole, const Drained<T>& tiles, const std::string& what) {
  const std::string found[] = {first_difference<T>(whole.filled, tiles.filled),
                               first_difference<std::uint8_t>(whole.directions, tiles.directions),
                               first_difference<double>(whole.area, tiles.area),
                               first_difference<std::uint64_t>(whole.cells, tiles.cells),
                               first_difference<double>(whole.weighted, tiles.weighted)};
  const char* const names[] = {"filled", "directions", "area", "cells", "weighted"};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(found[i], "") << names[i] << ": " << what;
    if (!found[i].empty()) return false;
  }
  return true;
}

struct TileSize {
  int w, h;
};

// All tile sizes of a list, 1 and 2 threads, with and without room to keep work.
template <class T>
void expect_tiles_equal_whole(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                              const std::vector<TileSize>& sizes, const std::string& what) {
  const Drained<T> whole = drain_whole<T>(height, geometry, outlets);
  int variant = 0;
  for (const TileSize& size : sizes) {
    TilePlan plan{height.width(), height.height(), size.w, size.h, variant % 2 == 0 ? 0 : 20000};
    const Exec exec = variant % 3 == 2 ? Exec(2) : Exec();
    ++variant;
    const std::string text = what + ", tiles of " + std::to_string(size.w) + " x " + std::to_string(size.h);
    if (!same(whole, drain_tiles<T>(plan, height, geometry, outlets, exec), text)) return;
  }
}

const std::vector<TileSize> kSizes = {{1, 1}, {2, 3}, {5, 5}, {7, 1}, {1, 8}, {8, 16}, {13, 11}, {100, 4}, {100, 100}};

TEST(TilePlan, CutsTheGridWithoutGapOrOverlap) {
  for (const TileSize& size : kSizes) {
    const TilePlan plan{23, 17, size.w, size.h};
    Grid<int> seen(23, 17);
    for (std::int64_t t = 0; t < plan.tiles(); ++t) {
      const TileRect r = plan.tile(t);
      for (int y = r.y; y < r.y + r.height; ++y)
        for (int x = r.x; x < r.x + r.width; ++x) {
          ++seen(x, y);
          EXPECT_EQ(plan.tile_of(x, y), t);
        }
    }
    for (std::int64_t i = 0; i < seen.cells(); ++i) EXPECT_EQ(seen[i], 1);
  }
}

TEST(Perimeter, NumbersEveryOuterCellOnce) {
  for (int h = 1; h <= 5; ++h)
    for (int w = 1; w <= 5; ++w) {
      const Perimeter rim(w, h);
      std::size_t count = 0;
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          if (!rim.contains(x, y)) continue;
          ++count;
          const auto p = rim.place(rim.index(x, y));
          EXPECT_TRUE(p.x == x && p.y == y) << w << " x " << h;
          EXPECT_LT(rim.index(x, y), rim.size());
        }
      EXPECT_EQ(count, rim.size()) << w << " x " << h;
    }
}

template <class T>
class TiledOf : public testing::Test {};
using Types = testing::Types<std::int16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(TiledOf, Types);

TYPED_TEST(TiledOf, EqualsTheWholeOnRandomTerrain) {
  using T = TypeParam;
  const TileSize grids[] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {23, 17}, {41, 37}};
  for (const TileSize& grid : grids) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const int levels = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 12 : 10000;
      const Grid<T> g = random_terrain<T>(seed, grid.w, grid.h, levels, seed % 4 == 0 ? 4 : 0);
      Grid<std::uint8_t> mask;
      if (seed % 5 == 1) {
        mask = Grid<std::uint8_t>(grid.w, grid.h);
        for (int y = 0; y < grid.h; ++y)
          for (int x = 0; x < grid.w; ++x) mask(x, y) = hash64(seed + 99, x, y) % 50 == 0 ? 1 : 0;
      }
      const CellGeometry geometry = seed % 2 == 0 ? CellGeometry::uniform(27.3, 31.1, grid.h)
                                                  : CellGeometry::geographic(61.3, 0.01, 0.01, grid.h);
      expect_tiles_equal_whole<T>(g, geometry, mask, kSizes, "seed " + std::to_string(seed));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Tiled, EqualsTheWholeOnPlainSurfaces) {
  constexpr int kW = 37;
  constexpr int kH = 29;
  struct Case {
    const char* name;
    float (*height)(int x, int y);
  };
  const Case cases[] = {
      {"flat", [](int, int) { return 7.0F; }},
      {"checkerboard", [](int x, int y) { return static_cast<float>((x + y) % 2); }},
      {"plane", [](int x, int y) { return static_cast<float>(2 * x + y); }},
      {"comb", [](int x, int y) { return x % 2 == 0 && y < kH - 2 ? 9.0F : 1.0F; }},
      {"bowl", [](int x, int y) { return static_cast<float>((x - 18) * (x - 18) + (y - 14) * (y - 14)); }},
      {"walled flat", [](int x, int y) { return x == 0 || y == 0 || x == kW - 1 || y == kH - 1 ? 5.0F : 1.0F; }},
      {"zeros", [](int x, int y) { return (x * y) % 3 == 0   ? -0.0F
                                          : (x * y) % 3 == 1 ? 0.0F
                                                             : -1.0F; }},
      {"huge",
       [](int x, int y) {
         const auto r = hash64(5, x, y);
         return r % 7 == 0 ? 1e30F : r % 7 == 1 ? -1e30F : r % 7 == 2 ? std::numeric_limits<float>::infinity() : 0.0F;
       }},
      {"nodata", [](int, int) { return kNoData<float>; }},
  };
  for (const Case& c : cases) {
    Grid<float> g(kW, kH);
    for (int y = 0; y < kH; ++y)
      for (int x = 0; x < kW; ++x) g(x, y) = c.height(x, y);
    expect_tiles_equal_whole<float>(g, CellGeometry::uniform(10, kH), {}, kSizes, c.name);
  }
}

// A corridor that winds to the middle, one cell wide between walls: a flat whose exit is very far by steps.
Grid<float> spiral(int n) {
  Grid<float> g(n, n, 9.0F);
  int x = 1;
  int y = 0;
  int d = 1;  // south, then west is turned to by the walls
  const int dx[] = {1, 0, -1, 0};
  const int dy[] = {0, 1, 0, -1};
  g(x, y) = 1;
  for (;;) {
    const auto free = [&](int k) {
      const int nx = x + dx[k];
      const int ny = y + dy[k];
      const int ox = nx + dx[k];
      const int oy = ny + dy[k];
      return nx > 0 && ny > 0 && nx < n - 1 && ny < n - 1 && g(nx, ny) != 1 &&
             (!g.view().contains(ox, oy) || g(ox, oy) != 1);
    };
    if (!free(d)) d = (d + 3) % 4;
    if (!free(d)) return g;
    x += dx[d];
    y += dy[d];
    g(x, y) = 1;
  }
}

TEST(Tiled, ResolvesSpiralFlatsAcrossManyTiles) {
  const Grid<float> g = spiral(33);
  std::int64_t corridor = 0;
  for (std::int64_t i = 0; i < g.cells(); ++i) corridor += g[i] == 1 ? 1 : 0;
  ASSERT_GT(corridor, 400);
  expect_tiles_equal_whole<float>(g, CellGeometry::uniform(10, 33), {}, kSizes, "spiral");
}

TEST(Tiled, EqualsTheWholeOnFractalTerrain) {
  const Grid<float> g = test::fbm_terrain(257);
  const std::vector<TileSize> sizes = {{32, 32}, {64, 48}, {257, 13}, {256, 256}};
  expect_tiles_equal_whole<float>(g, CellGeometry::uniform(30, 257), {}, sizes, "fBm");
  Grid<std::int16_t> steps(257, 257);
  for (std::int64_t i = 0; i < g.cells(); ++i) steps[i] = static_cast<std::int16_t>(g[i] / 20);
  expect_tiles_equal_whole<std::int16_t>(steps, CellGeometry::geographic(47, 1 / 1200.0, 1 / 1200.0, 257), {}, sizes,
                                         "fBm in steps");
}

TEST(Tiled, AreTheSameForAnyThreads) {
  const Grid<float> g = random_terrain<float>(3, 150, 140, 9, 1);
  const CellGeometry geometry = CellGeometry::uniform(5, 140);
  const Drained<float> whole = drain_whole<float>(g, geometry, {});
  const TilePlan plan{150, 140, 16, 20};
  for (const int threads : {1, 2, 7})
    same(whole, drain_tiles<float>(plan, g, geometry, {}, Exec(threads, TaskBackend::threads)),
         std::to_string(threads) + " threads");
}

TEST(Tiled, TellsOfErrorsAndCycles) {
  const TilePlan plan{20, 10, 4, 4};
  const TileSource<float> broken = [](int x, int, GridView<float>) -> Status {
    return x > 8 ? Status(machine_error("cannot read", "tile at " + std::to_string(x))) : Status();
  };
  Grid<float> out(20, 10);
  const Status s = fill_tiled<float>(plan, broken, nullptr, memory_sink<float>(out), Exec());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().text(), "tile at 11: cannot read");

  volatile int stop = 1;
  const Grid<float> flat(20, 10);
  const Status cancelled =
      fill_tiled<float>(plan, memory_source<float>(flat), nullptr, memory_sink<float>(out), Exec().with_cancel(&stop));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);

  Grid<std::uint8_t> dir(20, 10, std::uint8_t{1});
  Grid<std::uint64_t> sum(20, 10);
  dir(5, 1) = 4;
  dir(5, 2) = 16;
  dir(4, 2) = 64;
  const Status within =
      accumulate_cells_tiled(plan, memory_source<std::uint8_t>(dir), memory_sink<std::uint64_t>(sum), Exec());
  ASSERT_FALSE(within.ok());
  EXPECT_EQ(within.error().text(), "in the tile at cell (4, 0): cell (0, 1): the flow directions run in a cycle");
  dir(4, 2) = 16;  // now the cycle runs through two tiles
  dir(3, 2) = 64;
  const Status across =
      accumulate_cells_tiled(plan, memory_source<std::uint8_t>(dir), memory_sink<std::uint64_t>(sum), Exec());
  ASSERT_FALSE(across.ok());
  EXPECT_EQ(across.error().message, "the flow directions run in a cycle");
  EXPECT_TRUE(across.error().place == "cell (3, 1)" || across.error().place == "cell (3, 2)" ||
              across.error().place == "cell (4, 1)" || across.error().place == "cell (4, 2)")
      << across.error().place;
}

// A grid of 2.8e9 cells, by its summaries alone: rows flow east, the last column south. All tiles of a column are
// alike.
TEST(Tiled, CountsMoreThan2To31CellsAcrossTiles) {
  const TilePlan plan{70000, 40000, 9000, 9000};
  std::vector<FlowSummary<std::uint64_t>> summaries;
  for (std::int64_t t = 0; t < plan.tiles(); ++t) {
    const TileRect r = plan.tile(t);
    const Perimeter rim(r);
    const bool last = r.x + r.width == plan.width;
    FlowSummary<std::uint64_t> s;
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const auto [x, y] = rim.place(i);
      const bool river = last && x == r.width - 1;
      const auto row_sum = static_cast<std::uint64_t>(x) + 1;
      s.direction.push_back(river ? 4 : 1);
      s.sum.push_back(river ? row_sum * static_cast<std::uint64_t>(y + 1) : row_sum);
      s.link.push_back(static_cast<std::int32_t>(rim.index(r.width - 1, last ? r.height - 1 : y)));
    }
    summaries.push_back(std::move(s));
  }
  const auto inflow = solve_flow<std::uint64_t>(plan, summaries);
  ASSERT_TRUE(inflow.ok());
  const TileRect r = plan.tile(plan.tiles() - 1);
  const Perimeter rim(r);
  std::uint64_t sum = summaries.back().sum[rim.index(r.width - 1, r.height - 1)];
  for (const std::uint64_t v : inflow->back()) sum += v;
  EXPECT_EQ(sum, 2'800'000'000U);
  EXPECT_EQ(inflow->back()[rim.index(0, 7)], 63000U);
  EXPECT_EQ(inflow->back()[rim.index(r.width - 1, 0)], 36000U * 70000U);
}

// The same for filling: a plane that falls to the east, tiles without a pit but their lowest cells on the east side.
// Each tile must get the level of its neighbour's west side, which is lower: nothing is raised.
TEST(Tiled, JoinsBasinsBeyond2To31Cells) {
  const TilePlan plan{70000, 40000, 9000, 9000};
  std::vector<FillSummary<float>> summaries;
  const auto height = [](int x) { return static_cast<float>(100000 - x); };
  for (std::int64_t t = 0; t < plan.tiles(); ++t) {
    const TileRect r = plan.tile(t);
    const Perimeter rim(r);
    FillSummary<float> s;
    s.basins = 3;
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const auto [x, y] = rim.place(i);
      const int gx = r.x + x;
      const int gy = r.y + y;
      const bool outlet = gx == 0 || gy == 0 || gx == plan.width - 1 || gy == plan.height - 1;
      s.basin.push_back(outlet || r.x + r.width == plan.width ? 1 : 2);
      s.height.push_back(height(gx));
    }
    summaries.push_back(std::move(s));
  }
  const auto levels = solve_fill<float>(plan, summaries);
  ASSERT_TRUE(levels.ok());
  for (std::int64_t t = 0; t < plan.tiles(); ++t) {
    const TileRect r = plan.tile(t);
    if (r.x + r.width == plan.width) continue;
    // Tiles of the first and last row touch the outside where the land is lowest, others over the next tile's west
    // side.
    EXPECT_EQ((*levels)[static_cast<std::size_t>(t)][2], height(r.x + r.width - 1)) << t;
  }
}

// Every cell of 46400 x 46300 = 2.15e9, made and checked on demand: minutes, so only
// `./test --full` runs it.
TEST(Tiled, DISABLED_DrainsMoreThan2To31Cells) {
  const TilePlan plan{46400, 46300, 2048, 2048, 0};
  const auto is_pit = [&](int x, int y) {
    return x > 2 && y > 2 && x < plan.width - 3 && y < plan.height - 3 && x % 1000 == 50 && y % 777 == 0;
  };
  const auto plane = [](int x) { return static_cast<float>(100000 - x); };
  const auto filled = [&](int x, int y) { return plane(is_pit(x, y) ? x + 1 : x); };
  const auto code = [&](int x, int y) -> std::uint8_t {
    if (x == plan.width - 1) return kNoFlow;
    if (is_pit(x + 1, y + 1)) return 2;  // a fall of two over a diagonal is steeper than one to the east
    if (is_pit(x + 1, y - 1)) return 128;
    return 1;
  };
  std::atomic<std::int64_t> wrong{0};
  const auto source_of = [](const auto& cell) {
    return [cell](int x, int y, auto out) -> Status {
      for (int j = 0; j < out.height(); ++j)
        for (int i = 0; i < out.width(); ++i) out(i, j) = cell(x + i, y + j);
      return {};
    };
  };
  const auto check_of = [&](const auto& cell) {
    return [&wrong, cell](int x, int y, auto tile) -> Status {
      std::int64_t count = 0;
      for (int j = 0; j < tile.height(); ++j)
        for (int i = 0; i < tile.width(); ++i) count += tile(i, j) == cell(x + i, y + j) ? 0 : 1;
      wrong += count;
      return {};
    };
  };
  DrainageTiles<float> tiles;
  tiles.height = source_of([&](int x, int y) { return is_pit(x, y) ? 7.0F : plane(x); });
  tiles.filled = {source_of(filled), check_of(filled)};
  tiles.directions = {source_of(code), check_of(code)};
  std::atomic<std::int64_t> at_ends{0};
  tiles.area_m2 = [&](int x, int, GridView<const double> tile) -> Status {
    if (x + tile.width() < plan.width) return {};
    std::int64_t sum = 0;
    for (int j = 0; j < tile.height(); ++j) sum += static_cast<std::int64_t>(tile(tile.width() - 1, j));
    at_ends += sum;
    return {};
  };
  const Status s = run_tiled<float>(plan, CellGeometry::uniform(1, plan.height), tiles, Exec(0));
  ASSERT_TRUE(s.ok()) << s.error().text();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(at_ends, plan.cells());
}

TEST(ExactSums, WeightsKeepTheirBitsWithinTheStatedRange) {
  const WeightUnits units(1000.0F, std::int64_t{1} << 24);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto v = static_cast<float>(1000.0 / 32 + unit_double(hash64(1, static_cast<std::int64_t>(i), 0)) * 900);
    EXPECT_EQ(units.rounded(v), static_cast<double>(v));
    EXPECT_EQ(units.rounded(-v), -static_cast<double>(v));
    const float small = v * 1e-6F;
    EXPECT_NEAR(units.rounded(small), static_cast<double>(small), 1000.0 / (1 << 29));
  }
  EXPECT_EQ(units.rounded(kNoData<float>), 0);
  EXPECT_EQ(units.rounded(std::numeric_limits<float>::infinity()), std::numeric_limits<double>::infinity());
}

TEST(ExactSums, AreasOfAGlobeAreExactToTheStatedError) {
  const CellGeometry geometry = CellGeometry::geographic(89.75, 0.5, 0.5, 360);
  const std::int64_t cells = 720 * 360;
  const AreaUnits units(geometry, 360, cells);
  for (int y = 0; y < 360; ++y)
    EXPECT_NEAR(units.of_row(y), geometry.row(y).area_m2, 3.1e9 * static_cast<double>(cells) * 0x1p-52) << y;
}

}  // namespace
}  // namespace thalweg::hydrology
