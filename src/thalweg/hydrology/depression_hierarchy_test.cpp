#include "thalweg/hydrology/depression_hierarchy.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/river_test_world.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::grid_of;
using test::random_terrain;

template <class T>
struct Built {
  Grid<T> height;
  Grid<std::int32_t> label;
  DepressionHierarchy tree;
  const Depression& operator[](std::int32_t i) const { return tree.depressions[static_cast<std::size_t>(i)]; }
  std::int32_t count() const { return static_cast<std::int32_t>(tree.depressions.size()) - 1; }
};

template <class T>
Built<T> build(Grid<T> height, OutletMask mask = {}, const Exec& exec = Exec(), double cell_m = 1) {
  Built<T> b;
  b.label = Grid<std::int32_t>(height.width(), height.height(), 99);
  b.height = std::move(height);
  auto tree =
      depression_hierarchy<T>(b.height.view(), mask, CellGeometry::uniform(cell_m, b.height.height()), b.label, exec);
  EXPECT_TRUE(tree.ok());
  b.tree = std::move(*tree);
  return b;
}

/// Cells below `limit` that are connected to (x, y), which is one of them.
template <class T>
std::set<std::int64_t> pool(GridView<const T> g, std::int64_t start, double limit, bool or_equal = false) {
  const auto wet = [&](int x, int y) {
    const auto h = static_cast<double>(g(x, y));
    return !is_nodata(g(x, y)) && (h < limit || (or_equal && h == limit));
  };
  std::set<std::int64_t> cells{start};
  std::vector<std::int64_t> front{start};
  while (!front.empty()) {
    const std::int64_t c = front.back();
    front.pop_back();
    for (std::size_t d = 0; d < 8; ++d) {
      const int x = static_cast<int>(c % g.width()) + kDx[d];
      const int y = static_cast<int>(c / g.width()) + kDy[d];
      if (!g.contains(x, y) || !wet(x, y)) continue;
      if (cells.insert(std::int64_t{y} * g.width() + x).second) front.push_back(std::int64_t{y} * g.width() + x);
    }
  }
  return cells;
}

TEST(DepressionHierarchy, HandWorkedTwoPitsInAHollow) {
  //  heights along the middle row:      9  2  5  1  7  3  6   (outlet at the right is the border cell 6)
  const Built<float> b = build(grid_of<float>({{9, 9, 9, 9, 9, 9, 9},  //
                                               {9, 2, 5, 1, 7, 3, 6},
                                               {9, 9, 9, 9, 9, 9, 9}}),
                               {}, Exec(), 10);
  ASSERT_EQ(b.tree.leaves, 3);
  ASSERT_EQ(b.count(), 4);
  EXPECT_EQ(b[1].pit_cell, 7 + 1);
  EXPECT_EQ(b[2].pit_cell, 7 + 3);
  EXPECT_EQ(b[3].pit_cell, 7 + 5);
  // 2 and 1 join at 5; together they spill over 7 into 3; that spills over 6 to the ocean.
  EXPECT_EQ(b[1].parent, 4);
  EXPECT_EQ(b[2].parent, 4);
  EXPECT_EQ(b[1].outlet_m, 5);
  EXPECT_EQ(b[1].outlet_cell, 7 + 2);
  EXPECT_EQ(b[1].overflow, 2);
  EXPECT_EQ(b[2].overflow, 1);
  EXPECT_EQ(b[4].left, 1);
  EXPECT_EQ(b[4].right, 2);
  EXPECT_EQ(b[4].parent, 0);
  EXPECT_EQ(b[4].outlet_m, 7);
  EXPECT_EQ(b[4].outlet_cell, 7 + 4);
  EXPECT_EQ(b[4].overflow, 3);
  EXPECT_EQ(b[4].pit_cell, 7 + 3);
  EXPECT_EQ(b[4].pit_m, 1);
  EXPECT_EQ(b[4].cells, 3);
  EXPECT_EQ(b[4].area_m2, 300);
  EXPECT_EQ(b[4].volume_m3, 100 * (5 + 2 + 6));
  EXPECT_EQ(b[1].volume_m3, 300);
  EXPECT_EQ(b[2].volume_m3, 400);
  EXPECT_EQ(b[3].parent, 0);
  EXPECT_EQ(b[3].outlet_m, 6);
  EXPECT_EQ(b[3].overflow, 0);
  EXPECT_EQ(b[3].volume_m3, 300);
  EXPECT_EQ(b.label(1, 1), 1);
  EXPECT_EQ(b.label(2, 1), 2);  // 5 runs down to 1
  EXPECT_EQ(b.label(4, 1), 2);
  EXPECT_EQ(b.label(5, 1), 3);
  EXPECT_EQ(b.label(0, 0), 0);
  EXPECT_EQ(b.tree.innermost(2, 4), 2);
  EXPECT_EQ(b.tree.innermost(2, 5), 4);
  EXPECT_EQ(b.tree.innermost(2, 7), 0);
}

TEST(DepressionHierarchy, FlatsAreNoDepressionsAndAClosedFlatIsOnePit) {
  const Built<std::int16_t> flat = build(Grid<std::int16_t>(9, 7, 4));
  EXPECT_EQ(flat.count(), 0);
  for (std::int64_t i = 0; i < flat.label.cells(); ++i) EXPECT_EQ(flat.label[i], 0);
  // A V-shaped closed flat, in which index order alone would find two pits.
  const Built<std::int16_t> v = build(grid_of<std::int16_t>({{9, 9, 9, 9, 9, 9, 9},  //
                                                             {9, 3, 9, 9, 9, 3, 9},
                                                             {9, 3, 9, 9, 9, 3, 9},
                                                             {9, 9, 3, 3, 3, 9, 9},
                                                             {9, 9, 9, 9, 9, 9, 9}}));
  ASSERT_EQ(v.count(), 1);
  EXPECT_EQ(v[1].cells, 7);
  EXPECT_EQ(v[1].pit_cell, 7 + 1);
  EXPECT_EQ(v[1].outlet_m, 9);
}

TEST(DepressionHierarchy, ThreeThatMeetAtOneHeight) {
  const Built<float> b = build(grid_of<float>({{9, 9, 9, 9, 9, 9, 9},  //
                                               {9, 1, 5, 2, 5, 3, 8},
                                               {9, 9, 9, 9, 9, 9, 9}}));
  ASSERT_EQ(b.tree.leaves, 3);
  ASSERT_EQ(b.count(), 5);
  EXPECT_EQ(b[4].parent, 5);
  EXPECT_EQ(b[4].outlet_m, 5);
  EXPECT_EQ(b[5].outlet_m, 8);
  EXPECT_EQ(b[5].volume_m3, 7 + 3 + 6 + 3 + 5);
  // The same three, but the ocean is reached at 5 too: then all are its own.
  const Built<float> o = build(grid_of<float>({{9, 9, 9, 9, 9, 9, 9},  //
                                               {9, 1, 5, 2, 5, 3, 5},
                                               {9, 9, 9, 9, 9, 9, 9}}));
  ASSERT_EQ(o.count(), 3);
  for (std::int32_t i = 1; i <= 3; ++i) EXPECT_EQ(o[i].parent, 0);
  EXPECT_EQ(o[3].overflow, 0);
  EXPECT_EQ(o[2].overflow, 3);
  EXPECT_EQ(o[1].overflow, 2);
}

/// Everything that can be said about a tree, checked by flooding cell by cell.
template <class T>
void expect_tree(const Built<T>& b, OutletMask mask) {
  const GridView<const T> g = b.height.view();
  const Grid<T> filled = test::naive_fill<T>(g, mask);
  // Leaves are the closed flats without lower neighbours.
  std::set<std::int64_t> pits;
  for (int y = 0; y < g.height(); ++y) {
    for (int x = 0; x < g.width(); ++x) {
      EXPECT_EQ(is_nodata(g(x, y)), is_nodata(b.label(x, y)));
      if (is_nodata(g(x, y)) || test::is_outlet(g, mask, x, y)) continue;
      const std::int64_t cell = std::int64_t{y} * g.width() + x;
      const auto level = static_cast<double>(g(x, y));
      bool closed = true;
      for (const std::int64_t c : pool<T>(g, cell, level, true)) {
        const int cx = static_cast<int>(c % g.width());
        const int cy = static_cast<int>(c / g.width());
        closed = closed && c >= cell && static_cast<double>(g(cx, cy)) == level && !test::is_outlet(g, mask, cx, cy);
      }
      if (closed) pits.insert(cell);
    }
  }
  std::set<std::int64_t> leaves;
  for (std::int32_t i = 1; i <= b.tree.leaves; ++i) {
    EXPECT_TRUE(leaves.insert(b[i].pit_cell).second);
    EXPECT_TRUE(i == 1 || b[i - 1].pit_cell < b[i].pit_cell);
  }
  EXPECT_EQ(leaves, pits);
  std::map<std::int64_t, double> volume_of_ocean;
  std::int32_t tops = 0;
  for (std::int32_t i = 1; i <= b.count(); ++i) {
    const Depression& d = b[i];
    SCOPED_TRACE("depression " + std::to_string(i));
    EXPECT_EQ(d.is_leaf(), i <= b.tree.leaves);
    EXPECT_GT(d.depth_m(), 0);
    EXPECT_EQ(
        static_cast<double>(g(static_cast<int>(d.pit_cell % g.width()), static_cast<int>(d.pit_cell / g.width()))),
        d.pit_m);
    EXPECT_EQ(static_cast<double>(
                  g(static_cast<int>(d.outlet_cell % g.width()), static_cast<int>(d.outlet_cell / g.width()))),
              d.outlet_m);
    // Its cells: what is wet around any of its pits just before it is full.
    std::set<std::int64_t> cells;
    std::int64_t deepest = d.pit_cell;
    for (std::int32_t leaf = 1; leaf <= b.tree.leaves; ++leaf) {
      std::int32_t up = leaf;
      while (up != 0 && up != i) up = b[up].parent;
      if (up != i) continue;
      cells.merge(pool<T>(g, b[leaf].pit_cell, d.outlet_m));
      if (std::pair(b[leaf].pit_m, b[leaf].pit_cell) < std::pair(d.pit_m, deepest)) deepest = b[leaf].pit_cell;
    }
    EXPECT_EQ(deepest, d.pit_cell);
    double volume = 0;
    for (const std::int64_t c : cells) {
      const int x = static_cast<int>(c % g.width());
      const int y = static_cast<int>(c / g.width());
      EXPECT_FALSE(test::is_outlet(g, mask, x, y));
      volume += d.outlet_m - static_cast<double>(g(x, y));
    }
    EXPECT_EQ(d.cells, static_cast<std::int64_t>(cells.size()));
    EXPECT_NEAR(d.area_m2, static_cast<double>(cells.size()), 1e-9);
    EXPECT_NEAR(d.volume_m3, volume, 1e-9 * volume);
    const std::int64_t pit = d.pit_cell;
    const auto water =
        static_cast<double>(filled(static_cast<int>(pit % g.width()), static_cast<int>(pit / g.width())));
    if (d.parent == 0) {
      ++tops;
      EXPECT_EQ(water, d.outlet_m);
      std::int32_t next = d.overflow;
      while (next != 0 && b[next].parent != 0) next = b[next].parent;
      EXPECT_NE(next, i);
      EXPECT_TRUE(next == 0 || b[next].outlet_m <= d.outlet_m);
    } else {
      EXPECT_GT(d.parent, i);
      EXPECT_TRUE(b[d.parent].left == i || b[d.parent].right == i);
      EXPECT_GE(b[d.parent].outlet_m, d.outlet_m);
      EXPECT_LT(d.outlet_m, water) << "it reaches the ocean at this height";
      // Just full it reaches its sibling.
      const std::int32_t sibling = b[d.parent].left == i ? b[d.parent].right : b[d.parent].left;
      EXPECT_EQ(pool<T>(g, d.pit_cell, d.outlet_m, true).count(b[sibling].pit_cell), 1U);
      EXPECT_EQ(b[sibling].outlet_m, d.outlet_m);
    }
  }
  EXPECT_EQ(b.count() - b.tree.leaves, b.tree.leaves - tops);
  // Labels lead downhill to the pit.
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x) {
      if (is_nodata(g(x, y))) continue;
      const std::int32_t in = b.tree.innermost(b.label(x, y), static_cast<double>(g(x, y)));
      EXPECT_EQ(in != 0, filled(x, y) > g(x, y)) << x << ", " << y;
      std::int32_t slow = b.label(x, y);
      while (slow != 0 && !(b[slow].outlet_m > static_cast<double>(g(x, y)))) slow = b[slow].parent;
      EXPECT_EQ(in, slow);
    }
}

TEST(DepressionHierarchy, AgreesWithFloodingCellByCell) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int w = 3 + static_cast<int>(hash64(seed, 1) % 20);
    const int h = 3 + static_cast<int>(hash64(seed, 2) % 20);
    const int levels = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 12 : 100000;
    Grid<std::uint8_t> mask(w, h);
    if (seed % 4 == 1) mask[static_cast<std::int64_t>(hash64(seed, 3) % static_cast<std::uint64_t>(w * h))] = 1;
    const int nodata = seed % 5 == 0 ? 4 : 0;
    expect_tree(build(random_terrain<float>(seed, w, h, levels, nodata), mask), mask);
    expect_tree(build(random_terrain<std::int16_t>(seed, w, h, levels > 1000 ? 1000 : levels, nodata), mask), mask);
    if (HasFailure()) break;
  }
}

TEST(DepressionHierarchy, VolumesSumToWhatFillRaises) {
  const int n = 160;
  const Built<float> b = build(test::noise_land(4, n, n, false), {}, Exec(), 30);
  Grid<float> filled(n, n);
  fill<float>(b.height.view(), {}, filled, Exec());
  const DepressionStats stats = depression_stats<float>(b.height.view(), filled.view(), CellGeometry::uniform(30, n));
  double volume = 0;
  std::int64_t cells = 0;
  for (std::int32_t i = 1; i <= b.count(); ++i) {
    if (b[i].parent != 0) continue;
    volume += b[i].volume_m3;
    cells += b[i].cells;
  }
  ASSERT_GT(cells, 100);
  EXPECT_EQ(cells, stats.cells_raised);
  EXPECT_NEAR(volume, stats.volume_raised_m3, 1e-9 * volume);
}

TEST(DepressionHierarchy, ADeepNestIsMeasuredFast) {
  // A staircase of pits along one valley: every pass is higher than the one before, so the tree is a chain.
  const int n = 4001;
  Grid<float> g(n, 3, 1e6F);
  for (int x = 1; x < n; ++x) g(x, 1) = x % 2 == 1 ? static_cast<float>(-x) : static_cast<float>(x);
  const Built<float> b = build(std::move(g));
  ASSERT_EQ(b.tree.leaves, (n - 1) / 2);
  EXPECT_EQ(b.count(), 2 * b.tree.leaves - 1);
  EXPECT_EQ(b[b.count()].parent, 0);
  EXPECT_EQ(b[b.count()].cells, n - 2);
}

template <class T>
Grid<T> filled_small(const Grid<T>& g, const SmallDepressionParams& p, OutletMask mask = {}) {
  Grid<T> out(g.width(), g.height());
  EXPECT_TRUE(fill_small<T>(g.view(), mask, CellGeometry::uniform(1, g.height()), p, out, Exec()).ok());
  return out;
}

TEST(FillSmall, HandWorked) {
  const Grid<float> g = grid_of<float>({{9, 9, 9, 9, 9, 9, 9, 9, 9},  //
                                        {9, 2, 5, 1, 4, 3, 8, 7, 9},
                                        {9, 9, 9, 9, 9, 9, 9, 9, 9}});
  const auto row = [&](const SmallDepressionParams& p) {
    const Grid<float> out = filled_small(g, p);
    return std::vector<float>(out.row(1) + 1, out.row(1) + 8);
  };
  using Row = std::vector<float>;
  EXPECT_EQ(row({0, 0, 0, false}), (Row{2, 5, 1, 4, 3, 8, 7}));
  EXPECT_EQ(row({0, 100, 0, false}), (Row{9, 9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(row({7.5, 0, 0, false}), (Row{9, 9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(row({0, 2, 0, false}), (Row{2, 5, 1, 4, 3, 8, 7}));  // one hollow to the height of 9: large
  EXPECT_EQ(row({0, 2, 0, true}), (Row{2, 5, 1, 4, 4, 8, 8}));   // its pits of depth 1 go
  EXPECT_EQ(row({0, 5, 0, true}), (Row{5, 5, 1, 4, 4, 8, 8}));   // of the small ones the deepest stays
  EXPECT_EQ(row({0, 0, 2.5, true}), (Row{2, 5, 1, 4, 4, 8, 8}));
}

template <class T>
void expect_small_filled(const Grid<T>& g, OutletMask mask, const SmallDepressionParams& p) {
  const Built<T> before = build(g.clone(), mask);
  const Grid<T> out = filled_small(g, p, mask);
  const Built<T> after = build(out.clone(), mask);
  const auto tops = [&](const Built<T>& b, bool all) {
    std::map<std::int64_t, std::array<double, 4>> found;
    for (std::int32_t i = 1; i <= b.count(); ++i) {
      const Depression& d = b[i];
      if (d.parent != 0) continue;
      if (!all && (d.area_m2 < p.min_area_m2 || d.depth_m() < p.min_depth_m || d.volume_m3 < p.min_volume_m3)) continue;
      found[d.pit_cell] = {d.outlet_m, d.pit_m, p.inside_larger ? 0 : d.area_m2, p.inside_larger ? 0 : d.volume_m3};
    }
    return found;
  };
  if (p.inside_larger) {
    // The larger ones keep their pits and depths.
    for (const auto& [pit, d] : tops(before, false)) {
      const auto all = tops(after, true);
      ASSERT_EQ(all.count(pit), 1U);
      EXPECT_EQ(all.at(pit), d);
    }
  } else {
    EXPECT_EQ(tops(before, false), tops(after, true));
  }
  const Grid<T> full = test::naive_fill<T>(g.view(), mask);
  for (std::int64_t i = 0; i < g.cells(); ++i) {
    if (is_nodata(g[i])) continue;
    EXPECT_TRUE(g[i] <= out[i] && out[i] <= full[i]);
    EXPECT_TRUE(p.inside_larger || out[i] == g[i] || out[i] == full[i]);
  }
}

TEST(FillSmall, LeavesExactlyTheLargeOnes) {
  for (std::uint64_t seed = 100; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int w = 3 + static_cast<int>(hash64(seed, 1) % 25);
    const int h = 3 + static_cast<int>(hash64(seed, 2) % 25);
    const int levels = seed % 2 == 0 ? 10 : 1000;
    const auto g = random_terrain<std::int32_t>(seed, w, h, levels, seed % 3 == 0 ? 3 : 0);
    for (const bool inside : {false, true}) {
      expect_small_filled<std::int32_t>(g, {}, {3, 0, 0, inside});
      expect_small_filled<std::int32_t>(g, {}, {0, levels * 0.3, 0, inside});
      expect_small_filled<std::int32_t>(g, {}, {0, 0, levels * 0.7, inside});
    }
    EXPECT_TRUE(test::same_cells<std::int32_t>(filled_small(g, {0, 0, 0, true}).view(), g.view()));
    EXPECT_TRUE(test::same_cells<std::int32_t>(filled_small(g, {1e9, 0, 0, false}).view(),
                                               test::naive_fill<std::int32_t>(g.view(), {}).view()));
    if (HasFailure()) break;
  }
}

TEST(DepressionHierarchy, OddSizesAndHeights) {
  const float inf = std::numeric_limits<float>::infinity();
  const int sizes[][2] = {{0, 0}, {1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 3}, {5, 4}};
  for (const auto& size : sizes) {
    for (const float rim : {0.0F, kNoData<float>, inf, -inf, 1e30F}) {
      for (const float mid : {0.0F, kNoData<float>, inf, -inf, -1e30F}) {
        Grid<float> g(size[0], size[1], rim);
        for (int y = 1; y + 1 < size[1]; ++y)
          for (int x = 1; x + 1 < size[0]; ++x) g(x, y) = mid;
        const Built<float> b = build(g.clone());
        EXPECT_EQ(b.count(), size[0] > 2 && size[1] > 2 && mid < rim ? 1 : 0);
        filled_small(g, {1e9, 1, 1, true});
      }
    }
  }
}

TEST(DepressionHierarchy, SameForThreadsStridesAndInPlace) {
  const int w = 300;
  const int h = 280;
  const Grid<float> g = test::noise_land(8, w, h, true);
  const Built<float> one = build(g.clone());
  for (const int threads : {2, 7}) {
    const Built<float> many = build(g.clone(), {}, Exec(threads, TaskBackend::threads));
    ASSERT_EQ(many.count(), one.count());
    for (std::int64_t i = 0; i < g.cells(); ++i) ASSERT_EQ(many.label[i], one.label[i]);
    for (std::int32_t i = 1; i <= one.count(); ++i) ASSERT_EQ(many[i].volume_m3, one[i].volume_m3);
  }
  Grid<float> wide(w + 9, h);
  const GridView<float> window = wide.view().window(4, 0, w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) window(x, y) = g(x, y);
  const SmallDepressionParams params{20, 1, 0, true};
  const Grid<float> expected = filled_small(g, params);
  ASSERT_TRUE(
      fill_small<float>(window, {}, CellGeometry::uniform(1, h), params, window, Exec(7, TaskBackend::threads)).ok());
  EXPECT_TRUE(test::same_cells<float>(window, expected.view()));
}

}  // namespace
}  // namespace thalweg::hydrology
