#include "thalweg/hydrology/watersheds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/river_test_world.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::directions_of;
using test::grid_of;
using test::make_world;
using test::noise_land;
using test::World;

constexpr std::int32_t kVoid = kNoData<std::int32_t>;

/// A random land that drains everywhere, with NoData, and its cells' labels.
struct Land {
  Grid<std::uint8_t> directions;
  Grid<double> area;
  Grid<std::int32_t> basins;
  std::int64_t count = 0;

  Land(std::uint64_t seed, int w, int h, int levels, int nodata) : directions(w, h), area(w, h), basins(w, h) {
    const Grid<float> g = test::random_terrain<float>(seed, w, h, levels, nodata);
    Grid<float> filled(w, h);
    fill<float>(g.view(), {}, filled, Exec());
    d8<float>(filled.view(), geometry(), {}, directions, Exec());
    EXPECT_TRUE(accumulate_area(directions, geometry(), area, Exec()).ok());
    count = *label_basins(directions, basins, Exec());
  }
  CellGeometry geometry() const { return CellGeometry::uniform(10, directions.height()); }
};

TEST(Watersheds, HandWorkedWithOneNestedInAnother) {
  const auto d = directions_of({"s.s#",  //
                                "sss.",  //
                                "ese.",  //
                                ".s.."});
  Grid<std::int32_t> id(4, 4);
  const auto found = label_watersheds(d, {3 * 4 + 1, 1 * 4 + 0, 2 * 4 + 1}, id, Exec());
  ASSERT_TRUE(found.ok()) << found.error().text();
  const std::vector<std::vector<int>> expected = {{2, 0, 0, kVoid}, {2, 3, 0, 0}, {3, 3, 0, 0}, {0, 1, 0, 0}};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) EXPECT_EQ(id(x, y), expected[y][x]) << x << ", " << y;
  EXPECT_EQ((*found)[0].downstream, 0);
  EXPECT_EQ((*found)[1].downstream, 3);
  EXPECT_EQ((*found)[2].downstream, 1);
  EXPECT_EQ(nested_total(*found, {100, 200, 300}), (std::vector<double>{600, 200, 500}));
}

TEST(Watersheds, FaultsAreTold) {
  const auto d = directions_of({"ew.#"});
  Grid<std::int32_t> id(4, 1);
  EXPECT_FALSE(label_watersheds(d, {-1}, id, Exec()).ok());
  EXPECT_FALSE(label_watersheds(d, {4}, id, Exec()).ok());
  EXPECT_FALSE(label_watersheds(d, {3}, id, Exec()).ok());
  EXPECT_FALSE(label_watersheds(d, {2, 2}, id, Exec()).ok());
  EXPECT_FALSE(label_watersheds(d, {2}, id, Exec()).ok()) << "a cycle";
  EXPECT_TRUE(label_watersheds(d.view().window(2, 0, 2, 1), {}, id.view().window(0, 0, 2, 1), Exec()).ok());
}

TEST(Watersheds, AgreeWithFollowingEveryCell) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Land land(seed, 5 + static_cast<int>(seed % 30), 4 + static_cast<int>(seed % 23), 50, seed % 2 == 0 ? 5 : 0);
    const Grid<std::uint8_t>& d = land.directions;
    std::vector<std::int64_t> outlets;
    for (int i = 0; i < 8; ++i) {
      const auto cell = static_cast<std::int64_t>(hash64(seed, i) % static_cast<std::uint64_t>(d.cells()));
      if (d[cell] != kFlowNoData && std::find(outlets.begin(), outlets.end(), cell) == outlets.end())
        outlets.push_back(cell);
    }
    Grid<std::int32_t> id(d.width(), d.height());
    const auto found = label_watersheds(d, outlets, id, Exec());
    ASSERT_TRUE(found.ok());
    std::vector<double> own(outlets.size());
    for (std::int64_t start = 0; start < d.cells(); ++start) {
      if (d[start] == kFlowNoData) {
        EXPECT_EQ(id[start], kVoid);
        continue;
      }
      std::int32_t expected = 0;
      int x = static_cast<int>(start % d.width());
      int y = static_cast<int>(start / d.width());
      while (expected == 0) {
        const auto at = std::find(outlets.begin(), outlets.end(), std::int64_t{y} * d.width() + x);
        if (at != outlets.end()) expected = static_cast<std::int32_t>(at - outlets.begin() + 1);
        if (!internal::receiver(d, x, y, x, y)) break;
      }
      EXPECT_EQ(id[start], expected);
      if (expected > 0) own[static_cast<std::size_t>(expected - 1)] += 100;
    }
    const std::vector<double> total = nested_total(*found, own);
    for (std::size_t i = 0; i < outlets.size(); ++i) EXPECT_EQ(total[i], land.area[outlets[i]]);
  }
}

TEST(SnapOutlet, TakesTheLargestWithinTheRadius) {
  const Grid<double> a = grid_of<double>({{1, 1, 1, 9, 1},  //
                                          {1, 2, 1, 1, 1},
                                          {7, 1, 1, 1, 7}});
  const CellGeometry g = CellGeometry::uniform(10, 3);
  EXPECT_EQ(snap_outlet(a, g, 1, 1, 0), 6);
  EXPECT_EQ(snap_outlet(a, g, 0.9, 0.2, 0), 1);
  EXPECT_EQ(snap_outlet(a, g, 1, 1, 13), 6);
  EXPECT_EQ(snap_outlet(a, g, 1, 1, 15), 10);
  EXPECT_EQ(snap_outlet(a, g, 1, 1, 23), 3);
  EXPECT_EQ(snap_outlet(a, g, 2, 2, 20), 10);        // two of 7 equally far: the lower index
  EXPECT_EQ(snap_outlet(a, g, 2.1, 2.1, 21.5), 14);  // the nearer
  EXPECT_EQ(snap_outlet(a, g, 2, 2, 1e300), 3);
  EXPECT_EQ(snap_outlet(a, g, 5, 1, 1e300), -1);
  EXPECT_EQ(snap_outlet(a, g, std::nan(""), 1, 5), -1);
  EXPECT_EQ(snap_outlet(a, g, 1, 1, std::nan("")), 6);
  EXPECT_EQ(snap_outlet(Grid<double>(3, 3, kNoData<double>), g, 1, 1, 30), -1);
  // Cells half as high: more rows are near.
  EXPECT_EQ(snap_outlet(a, CellGeometry::uniform(100, 5, 3), 3, 2, 11), 3);
}

TEST(ReachBasins, EachCellGoesToTheFirstReachOnItsWay) {
  const World w = make_world(noise_land(3, 90, 80, true), CellGeometry::uniform(30, 80));
  RiverParams params;
  params.min_area_km2 = 0.01;
  const auto network = extract_rivers(w.inputs(), w.geometry, params, Exec());
  ASSERT_TRUE(network.ok());
  Grid<std::int32_t> id(90, 80);
  ASSERT_TRUE(label_reach_basins(w.directions, *network, id, Exec()).ok());
  std::vector<Watershed> reaches;
  std::vector<double> own(network->reaches.size());
  for (const Reach& r : network->reaches) reaches.push_back({r.id, -1, r.downstream});
  for (std::int64_t i = 0; i < id.cells(); ++i)
    if (id[i] > 0) own[static_cast<std::size_t>(id[i] - 1)] += 900;
  const std::vector<double> total = nested_total(reaches, own);
  ASSERT_GT(reaches.size(), 10U);
  for (std::size_t i = 0; i < total.size(); ++i) EXPECT_DOUBLE_EQ(total[i], network->reaches[i].area_m2);

  int highest = 0;
  for (const Reach& r : network->reaches) highest = std::max(highest, r.strahler);
  ASSERT_GE(highest, 3);
  for (int order = 1; order <= highest; ++order) {
    const auto basins = label_order_basins(w.directions, *network, order, id, Exec());
    ASSERT_TRUE(basins.ok());
    std::map<std::int32_t, double> area;
    for (std::int64_t i = 0; i < id.cells(); ++i)
      if (id[i] > 0) area[id[i]] += 900;
    EXPECT_EQ(area.size(), basins->size());
    for (const Watershed& b : *basins) {
      EXPECT_DOUBLE_EQ(area[b.id], w.area[b.outlet_cell]);
      EXPECT_EQ(b.downstream, 0);
    }
    std::int64_t streams = 0;
    for (const Reach& r : network->reaches)
      if (r.strahler == order &&
          (r.downstream == 0 || network->reaches[static_cast<std::size_t>(r.downstream - 1)].strahler > order))
        ++streams;
    EXPECT_EQ(static_cast<std::int64_t>(basins->size()), streams);
  }
}

/// code by cell, from the definition: sets of cells, divided again and again.
using Codes = std::map<std::int64_t, std::int64_t>;
void divide_slowly(const Land& land, std::set<std::int64_t> cells, std::int64_t outlet, int levels, std::int64_t code,
                   Codes& codes) {
  const int w = land.directions.width();
  const auto down = [&](std::int64_t c) {
    int x = static_cast<int>(c % w);
    int y = static_cast<int>(c / w);
    return internal::receiver(land.directions, x, y, x, y) ? std::int64_t{y} * w + x : std::int64_t{-1};
  };
  if (levels == 0) {
    for (const std::int64_t c : cells) codes[c] = code;
    return;
  }
  const auto donors = [&](std::int64_t c) {  // by neighbour number
    std::vector<std::int64_t> found;
    for (std::size_t d = 0; d < 8; ++d) {
      const int x = static_cast<int>(c % w) + kDx[d];
      const int y = static_cast<int>(c / w) + kDy[d];
      const std::int64_t n = std::int64_t{y} * w + x;
      if (land.directions.view().contains(x, y) && down(n) == c) found.push_back(n);
    }
    return found;
  };
  std::vector<std::int64_t> stem{outlet};
  std::vector<std::pair<std::int64_t, std::size_t>> sides;  // cell, place on the stem
  for (;;) {
    const std::vector<std::int64_t> up = donors(stem.back());
    if (up.empty()) break;
    const std::int64_t main = *std::max_element(
        up.begin(), up.end(), [&](std::int64_t a, std::int64_t b) { return land.area[a] < land.area[b]; });
    for (const std::int64_t u : up)
      if (u != main && cells.count(u) != 0) sides.emplace_back(u, stem.size() - 1);
    if (cells.count(main) == 0) break;  // the stem goes on in the part above
    stem.push_back(main);
  }
  std::vector<std::pair<std::int64_t, std::size_t>> chosen = sides;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](const auto& a, const auto& b) { return land.area[a.first] > land.area[b.first]; });
  if (chosen.size() > 4) chosen.resize(4);
  std::vector<std::pair<std::int64_t, std::size_t>> in_order;
  for (const auto& s : sides)
    if (std::find(chosen.begin(), chosen.end(), s) != chosen.end()) in_order.push_back(s);
  if (in_order.empty()) {
    divide_slowly(land, std::move(cells), outlet, levels - 1, code * 10, codes);
    return;
  }
  std::map<int, std::set<std::int64_t>> parts;
  for (const std::int64_t c : cells) {
    std::int64_t at = c;
    int digit = 0;
    while (digit == 0) {
      for (std::size_t k = 0; k < in_order.size(); ++k)
        if (at == in_order[k].first) digit = 2 * static_cast<int>(k) + 2;
      const auto s = std::find(stem.begin(), stem.end(), at);
      if (s != stem.end()) {
        const auto place = static_cast<std::size_t>(s - stem.begin());
        digit = 1;
        for (const auto& side : in_order)
          if (side.second < place) digit += 2;
      }
      at = down(at);
    }
    parts[digit].insert(c);
  }
  for (auto& [digit, part] : parts) {
    std::int64_t lowest = -1;
    for (const std::int64_t c : part)
      if (part.count(down(c)) == 0) lowest = c;
    divide_slowly(land, part, lowest, levels - 1, code * 10 + digit, codes);
  }
}

TEST(Pfafstetter, HandWorked) {
  // The main stem runs west along the second row; tributaries join from north and south.
  const auto d = directions_of({"..s.s..",  //
                                "wwwwwww",  //
                                ".n..nn."});
  Grid<double> area(7, 3);
  ASSERT_TRUE(accumulate_area(d, CellGeometry::uniform(1, 3), area, Exec()).ok());
  Grid<std::int32_t> region(7, 3);
  ASSERT_TRUE(label_watersheds(d, {7}, region, Exec()).ok());
  Grid<std::int32_t> id(7, 3);
  PfafstetterParams params;
  params.levels = 1;
  const auto found = label_pfafstetter(d, area, region, params, id, Exec());
  ASSERT_TRUE(found.ok()) << found.error().text();
  std::map<std::int32_t, std::int64_t> code;
  for (const SubBasin& b : *found) code[b.label] = b.code;
  const auto c = [&](int x, int y) { return code[id(x, y)]; };
  // All five tributaries have one cell; the lower ones win: those at columns 1, 2, 4 (south, then north: neighbour 2
  // before 6), so the one at column 5 is part of the headwater.
  const std::vector<std::vector<int>> expected = {{0, 0, 4, 0, 8, 0, 0},  //
                                                  {1, 1, 3, 5, 5, 9, 9},
                                                  {0, 2, 0, 0, 6, 9, 0}};
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 7; ++x)
      if (expected[y][x] != 0 || region(x, y) == 0) {
        EXPECT_EQ(region(x, y) == 0 ? 0 : c(x, y), expected[y][x]) << x << ", " << y;
      }
  for (const SubBasin& b : *found) {
    if (b.code == 1) {
      EXPECT_EQ(b.downstream, 0);
      continue;
    }
    const std::int64_t below = code[b.downstream];
    EXPECT_EQ(below, b.code == 9 || b.code == 8 || b.code == 6 ? 5 : b.code == 5 || b.code == 4 ? 3 : 1) << b.code;
  }
  params.min_tributary_km2 = 1;
  const auto none = label_pfafstetter(d, area, region, params, id, Exec());
  ASSERT_EQ(none->size(), 1U);
  EXPECT_EQ((*none)[0].code, 0);
}

TEST(Pfafstetter, AgreesWithTheDefinitionAndNests) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Land land(seed, 12 + static_cast<int>(seed % 17), 9 + static_cast<int>(seed % 13), 200,
                    seed % 3 == 0 ? 3 : 0);
    const Grid<std::uint8_t>& d = land.directions;
    std::map<std::int64_t, std::int64_t> coarser;
    for (int levels = 1; levels <= 4; ++levels) {
      Grid<std::int32_t> id(d.width(), d.height());
      PfafstetterParams params;
      params.levels = levels;
      const auto found = label_pfafstetter(d, land.area, land.basins, params, id, Exec());
      ASSERT_TRUE(found.ok()) << found.error().text();
      std::map<std::int64_t, std::int64_t> code;
      std::map<std::int32_t, int> exits;
      for (std::int64_t i = 0; i < d.cells(); ++i) {
        if (d[i] == kFlowNoData) {
          EXPECT_EQ(id[i], kVoid);
          continue;
        }
        ASSERT_TRUE(id[i] > 0 && id[i] <= static_cast<std::int32_t>(found->size()));
        const SubBasin& b = (*found)[static_cast<std::size_t>(id[i] - 1)];
        EXPECT_EQ(b.label, id[i]);
        EXPECT_EQ(b.region, land.basins[i]);
        code[i] = b.code;
        int x = static_cast<int>(i % d.width());
        int y = static_cast<int>(i / d.width());
        if (!internal::receiver(d, x, y, x, y) || id(x, y) != id[i]) {
          ++exits[id[i]];
          EXPECT_EQ(b.outlet_cell, i);
        }
        // The union of a code's parts is the code one level up.
        EXPECT_EQ(levels > 1 ? code[i] / 10 : 0, levels > 1 ? coarser[i] : 0);
      }
      EXPECT_EQ(exits.size(), found->size()) << "parts without cells";
      for (const auto& [label, count] : exits) EXPECT_EQ(count, 1) << label;
      for (std::size_t i = 1; i < found->size(); ++i)
        EXPECT_LT(std::pair((*found)[i - 1].region, (*found)[i - 1].code),
                  std::pair((*found)[i].region, (*found)[i].code));
      coarser = code;
    }
    Codes slow;
    for (std::int64_t i = 0; i < d.cells(); ++i) {
      int x = static_cast<int>(i % d.width());
      int y = static_cast<int>(i / d.width());
      if (d[i] == kFlowNoData || internal::receiver(d, x, y, x, y)) continue;
      std::set<std::int64_t> cells;
      for (std::int64_t c = 0; c < d.cells(); ++c)
        if (land.basins[c] == land.basins[i]) cells.insert(c);
      divide_slowly(land, cells, i, 4, 0, slow);
    }
    EXPECT_EQ(slow, coarser);
    if (HasFailure()) break;
  }
}

TEST(Pfafstetter, DividesNestedWatershedsAndTellsFaults) {
  const Land land(5, 40, 30, 500, 0);
  const std::int64_t outlet = snap_outlet(land.area, land.geometry(), 20, 15, 1e9);
  std::int64_t inner = -1;  // the largest cell upstream of it with a third of its area at most
  for (std::int64_t i = 0; i < land.area.cells(); ++i)
    if (land.basins[i] == land.basins[outlet] && land.area[i] < land.area[outlet] / 3 &&
        (inner < 0 || land.area[i] > land.area[inner]))
      inner = i;
  Grid<std::int32_t> region(40, 30);
  ASSERT_TRUE(label_watersheds(land.directions, {outlet, inner}, region, Exec()).ok());
  Grid<std::int32_t> id(40, 30);
  const auto found = label_pfafstetter(land.directions, land.area, region, {}, id, Exec());
  ASSERT_TRUE(found.ok());
  for (std::int64_t i = 0; i < id.cells(); ++i) {
    EXPECT_EQ(id[i] > 0, region[i] > 0);
    if (id[i] <= 0) continue;
    EXPECT_EQ((*found)[static_cast<std::size_t>(id[i] - 1)].region, region[i]);
  }
  for (std::int64_t i = 0; i < region.cells(); ++i) region[i] = 1;  // all basins under one label
  EXPECT_FALSE(label_pfafstetter(land.directions, land.area, region, {}, id, Exec()).ok());
  PfafstetterParams bad;
  bad.levels = 10;
  EXPECT_FALSE(label_pfafstetter(land.directions, land.area, land.basins, bad, id, Exec()).ok());
}

TEST(BasinFigures, HandWorked) {
  const Grid<std::int32_t> id = grid_of<std::int32_t>({{1, 1, 2}, {1, 0, 2}, {4, kVoid, 2}});
  Grid<float> h = grid_of<float>({{1, 2, 10}, {6, 99, 30}, {5, 98, 20}});
  h(2, 2) = kNoData<float>;
  const auto f = measure_basins(id, 4, h, CellGeometry::uniform(10, 3));
  ASSERT_EQ(f.size(), 4U);
  EXPECT_EQ(f[0].cells, 3);
  EXPECT_EQ(f[0].area_m2, 300);
  EXPECT_EQ(f[0].min_m, 1);
  EXPECT_EQ(f[0].max_m, 6);
  EXPECT_DOUBLE_EQ(f[0].mean_m, 3);
  EXPECT_EQ(f[0].relief_m(), 5);
  EXPECT_DOUBLE_EQ(f[0].hypsometric_integral(), 0.4);
  EXPECT_EQ(f[1].cells, 3);
  EXPECT_EQ(f[1].mean_m, 20);
  EXPECT_EQ(f[1].relief_m(), 20);
  EXPECT_EQ(f[2].cells, 0);
  EXPECT_EQ(f[2].relief_m(), 0);
  EXPECT_EQ(f[3].hypsometric_integral(), 0);
  const auto rings = trace_basins(id, 4);
  ASSERT_EQ(rings.size(), 4U);
  ASSERT_EQ(rings[0].size(), 1U);
  EXPECT_EQ(rings[0][0].xy, (std::vector<double>{0, 0, 0, 2, 1, 2, 1, 1, 2, 1, 2, 0, 0, 0}));
  EXPECT_TRUE(rings[2].empty());
  EXPECT_EQ(trace_basins(id, 1).size(), 1U);  // higher labels are outside
}

TEST(Watersheds, OddSizes) {
  const int sizes[][2] = {{0, 0}, {1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 3}};
  for (const auto& size : sizes) {
    for (const float value : {0.0F, kNoData<float>}) {
      Grid<float> g(size[0], size[1], value);
      Grid<std::uint8_t> d(size[0], size[1]);
      const CellGeometry geometry = CellGeometry::uniform(1, size[1]);
      d8<float>(g.view(), geometry, {}, d, Exec());
      Grid<double> area(size[0], size[1]);
      Grid<std::int32_t> id(size[0], size[1]);
      Grid<std::int32_t> out(size[0], size[1]);
      ASSERT_TRUE(accumulate_area(d, geometry, area, Exec()).ok());
      const auto count = label_basins(d, id, Exec());
      const auto parts = label_pfafstetter(d, area, id, {}, out, Exec());
      ASSERT_TRUE(parts.ok());
      EXPECT_GE(static_cast<std::int64_t>(parts->size()), *count);
      EXPECT_TRUE(label_reach_basins(d, {}, out, Exec()).ok());
      EXPECT_EQ(measure_basins(id, *count, g, geometry).size(), static_cast<std::size_t>(*count));
      EXPECT_EQ(trace_basins(id, *count).size(), static_cast<std::size_t>(*count));
    }
  }
}

TEST(Watersheds, SameForThreads) {
  const Land land(9, 300, 280, 1000, 1);
  const auto outlet = snap_outlet(land.area, land.geometry(), 100, 100, 1e9);
  Grid<std::int32_t> one(300, 280);
  Grid<std::int32_t> many(300, 280);
  ASSERT_TRUE(label_watersheds(land.directions, {outlet, 3000}, one, Exec()).ok());
  ASSERT_TRUE(label_watersheds(land.directions, {outlet, 3000}, many, Exec(7, TaskBackend::threads)).ok());
  EXPECT_TRUE(test::same_cells<std::int32_t>(one.view(), many.view()));
}

}  // namespace
}  // namespace thalweg::hydrology
