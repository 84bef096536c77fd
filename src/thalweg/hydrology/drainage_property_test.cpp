// Properties of the whole chain fill -> directions -> accumulation, on terrain that is hard for it.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/test_fbm.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

struct Case {
  std::string name;
  int width, height;
  std::function<float(int, int)> at;
};

std::vector<Case> hard_cases() {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNaN = kNoData<float>;
  return {
      {"flat", 33, 21, [](int, int) { return 7.0F; }},
      {"all NoData", 9, 8, [](int, int) { return kNaN; }},
      {"one cell", 1, 1, [](int, int) { return 3.0F; }},
      {"one row", 40, 1, [](int x, int) { return static_cast<float>(x % 5); }},
      {"one column", 1, 40, [](int, int y) { return static_cast<float>(y % 7); }},
      {"checkerboard", 30, 31, [](int x, int y) { return static_cast<float>((x + y) % 2); }},
      {"comb of pits", 41, 33, [](int x, int y) { return x % 2 == 1 && y % 4 != 0 ? -static_cast<float>(x) : 5.0F; }},
      {"nested bowls", 45, 45,
       [](int x, int y) { return static_cast<float>(std::max(std::abs(x - 22), std::abs(y - 22)) % 6); }},
      {"NoData islands", 37, 29,
       [](int x, int y) { return x % 9 == 4 && y % 7 == 3 ? kNaN : static_cast<float>((x * y) % 5); }},
      {"serpentine", 41, 41,
       [](int x, int y) {
         const bool wall = y % 4 == 0 && (y % 8 == 0 ? x != 39 : x != 1);
         return wall ? 50.0F : 1.0F;
       }},
      {"huge and infinite", 23, 19,
       [](int x, int y) {
         const int k = (x * 7 + y * 13) % 11;
         return k == 0 ? kInf : k == 1 ? -kInf : k == 2 ? 1e30F : k == 3 ? -1e30F : static_cast<float>(k);
       }},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = hard_cases();
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    auto g = std::make_shared<Grid<float>>(
        test::random_terrain<float>(seed, 47, 38, seed % 2 == 0 ? 4 : 900, seed % 3 == 0 ? 0 : 5));
    cases.push_back({"random, seed " + std::to_string(seed), 47, 38, [g](int x, int y) { return (*g)(x, y); }});
  }
  return cases;
}

Grid<float> make(const Case& c) {
  Grid<float> g(c.width, c.height);
  for (int y = 0; y < c.height; ++y)
    for (int x = 0; x < c.width; ++x) g(x, y) = c.at(x, y);
  return g;
}

// Every cell drains to an outlet, and what arrives at the ends is what there is.
void check_drained(GridView<const float> surface, const std::string& what) {
  const int w = surface.width();
  const int h = surface.height();
  Grid<std::uint8_t> dir(w, h);
  d8<float>(surface, CellGeometry::uniform(3, 4, h), {}, dir, Exec());
  Grid<std::uint64_t> cells(w, h);
  const Status s = accumulate_cells(dir, cells, Exec());
  ASSERT_TRUE(s.ok()) << what << ": " << s.error().text();
  std::uint64_t valid = 0;
  std::uint64_t arrived = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      if (is_nodata(surface(x, y))) continue;
      ++valid;
      if (dir(x, y) == kNoFlow) {
        arrived += cells(x, y);
        EXPECT_TRUE(test::is_outlet<float>(surface, {}, x, y)) << what << " " << x << "," << y;
      }
    }
  }
  EXPECT_EQ(arrived, valid) << what;
}

TEST(Drainage, EveryCellReachesAnOutlet) {
  for (const Case& c : all_cases()) {
    const Grid<float> g = make(c);
    Grid<float> out(c.width, c.height);
    fill<float>(g, {}, out, Exec());
    EXPECT_TRUE(test::same_cells<float>(out, test::naive_fill<float>(g, {}))) << c.name;
    check_drained(out, c.name + ", filled");
    fill_epsilon<float>(g, {}, out, Exec());
    check_drained(out, c.name + ", epsilon");
    planchon_darboux<float>(g, {}, 1e-3, out, Exec());
    check_drained(out, c.name + ", Planchon");
    for (const std::int64_t search : {0, 2000}) {
      BreachLimits limits;
      limits.search_cells = search;
      breach<float>(g, {}, CellGeometry::uniform(1, c.height), limits, out, Exec());
      check_drained(out, c.name + ", breached");
    }
  }
}

TEST(Drainage, HandlesTheEndsOfInt16) {
  constexpr std::int16_t kHigh = std::numeric_limits<std::int16_t>::max();
  constexpr std::int16_t kLow = std::numeric_limits<std::int16_t>::lowest() + 1;  // the lowest itself is NoData
  Grid<std::int16_t> g(5, 5, kHigh);
  g(2, 2) = kLow;
  Grid<std::int16_t> out(5, 5);
  fill<std::int16_t>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), kHigh);
  g(1, 2) = kNoData<std::int16_t>;
  fill<std::int16_t>(g, {}, out, Exec());
  EXPECT_EQ(out(2, 2), kLow);
  EXPECT_EQ(out(1, 2), kNoData<std::int16_t>);
  Grid<std::int32_t> wide(5, 5, std::numeric_limits<std::int32_t>::max());
  wide(2, 2) = std::numeric_limits<std::int32_t>::max() - 1;  // not the same in float
  Grid<std::uint8_t> dir(5, 5);
  d8<std::int32_t>(wide, CellGeometry::uniform(1, 5), {}, dir, Exec());
  EXPECT_EQ(dir(1, 2), kNoFlow | 1);
  EXPECT_EQ(dir(2, 2), kNoFlow);
  Grid<std::int32_t> level(5, 5);
  fill<std::int32_t>(wide, {}, level, Exec());
  EXPECT_EQ(level(2, 2), std::numeric_limits<std::int32_t>::max());
}

// The same for every number of threads and backend, on grids of several blocks of rows, and for views with gaps.
TEST(Drainage, BitsDoNotDependOnThreadsNorOnTheLayout) {
  constexpr int kSize = 513;
  Grid<float> dem = test::fbm_terrain(kSize);
  for (int y = 200; y < 240; ++y)
    for (int x = 100; x < 150; ++x) dem(x, y) = kNoData<float>;
  const CellGeometry geometry = CellGeometry::geographic(50, 0.001, 0.001, kSize);
  std::string first;
  // One at a time: a living Exec of oneTBB caps the threads of all others.
  const auto exec_of = [](int variant) {
    return variant == 1   ? Exec(2, TaskBackend::threads)
           : variant == 2 ? Exec(7, TaskBackend::threads)
           : variant == 3 ? Exec(2)
           : variant == 4 ? Exec(7)
                          : Exec();
  };
  for (int i = 0; i < 6; ++i) {
    const bool gaps = i == 5;
    const Exec exec = exec_of(i);
    const int pitch = gaps ? kSize + 3 : kSize;
    std::vector<float> in(static_cast<std::size_t>(pitch) * kSize, -1e9F);
    std::vector<float> surface(in);
    std::vector<std::uint8_t> dir(in.size());
    std::vector<std::uint64_t> cells(in.size());
    std::vector<double> area(in.size());
    std::vector<std::int32_t> label(in.size());
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) in[static_cast<std::size_t>(y) * pitch + x] = dem(x, y);
    const GridView<float> in_view(in.data(), kSize, kSize, pitch);
    const GridView<float> surface_view(surface.data(), kSize, kSize, pitch);
    const GridView<std::uint8_t> dir_view(dir.data(), kSize, kSize, pitch);
    const GridView<std::uint64_t> cells_view(cells.data(), kSize, kSize, pitch);
    const GridView<double> area_view(area.data(), kSize, kSize, pitch);
    const GridView<std::int32_t> label_view(label.data(), kSize, kSize, pitch);
    std::string all;
    breach<float>(in_view, {}, geometry, {}, surface_view, exec);
    all += content_hash<float>(surface_view).hex();
    planchon_darboux<float>(in_view, {}, 0.01, surface_view, exec);
    all += content_hash<float>(surface_view).hex();
    fill_epsilon<float>(in_view, {}, surface_view, exec);
    all += content_hash<float>(surface_view).hex();
    fill<float>(in_view, {}, surface_view, exec);
    all += content_hash<float>(surface_view).hex();
    d8<float>(surface_view, geometry, {}, dir_view, exec);
    all += content_hash<std::uint8_t>(dir_view).hex();
    ASSERT_TRUE(accumulate_cells(dir_view, cells_view, exec).ok());
    ASSERT_TRUE(accumulate_area(dir_view, geometry, area_view, exec).ok());
    all += content_hash<double>(area_view).hex();
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) area_view(x, y) = static_cast<double>(cells_view(x, y));
    all += content_hash<double>(area_view).hex();
    ASSERT_TRUE(label_basins(dir_view, label_view, exec).ok());
    all += content_hash<std::int32_t>(label_view).hex();
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << "variant " << i;
  }
}

// A flat lake between banks, one way out: water gathers in the middle instead of running along the bank.
TEST(Flats, GradientLeadsAwayFromHigherGround) {
  Grid<float> g(9, 7, 1.0F);
  for (int x = 0; x < 9; ++x) g(x, 0) = g(x, 6) = 5;
  for (int y = 0; y < 7; ++y) g(0, y) = g(8, y) = 5;
  g(8, 3) = 1;  // the gap is on the border: an outlet
  Grid<std::uint8_t> dir(9, 7);
  d8<float>(g, CellGeometry::uniform(1, 7), {}, dir, Exec());
  for (int x = 1; x < 8; ++x) EXPECT_EQ(dir(x, 3), 1) << x;  // straight east along the middle
  EXPECT_EQ(dir(8, 3), kNoFlow);
  EXPECT_NE(dir(2, 1) & (2 | 4), 0);     // north bank: south or south-east
  EXPECT_NE(dir(2, 5) & (64 | 128), 0);  // south bank: north or north-east
}

TEST(Flats, ClosedFlatHasNoDirection) {
  Grid<float> g(6, 6, 5.0F);
  g(2, 2) = g(3, 2) = g(3, 3) = 1;
  Grid<std::uint8_t> dir(6, 6);
  d8<float>(g, CellGeometry::uniform(1, 6), {}, dir, Exec());
  EXPECT_EQ(dir(2, 2), kNoFlow);
  EXPECT_EQ(dir(3, 2), kNoFlow);
  EXPECT_EQ(dir(3, 3), kNoFlow);
}

}  // namespace
}  // namespace thalweg::hydrology
