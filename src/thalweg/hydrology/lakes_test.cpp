#include "thalweg/hydrology/lakes.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <tuple>

#include "thalweg/hydrology/river_test_world.h"

namespace thalweg::hydrology {
namespace {

using test::grid_of;
using test::make_world;
using test::noise_land;

constexpr LakeParams kAll{.min_area_m2 = 0, .min_depth_m = 0};

/// Lakes of level 1 where the picture has '#'.
std::vector<Lake> lakes_of(const std::vector<std::string>& rows, Grid<std::int32_t>& id) {
  Grid<float> ground(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  Grid<float> filled(ground.width(), ground.height(), 1.0F);
  id = Grid<std::int32_t>(ground.width(), ground.height());
  for (int y = 0; y < ground.height(); ++y)
    for (int x = 0; x < ground.width(); ++x)
      ground(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 0.0F : 1.0F;
  return find_lakes<float>(ground, filled, {}, CellGeometry::uniform(1, ground.height()), kAll, id, Exec());
}

double signed_area(const Ring& r) {  // y to the north
  double twice = 0;
  for (std::size_t i = 0; i + 3 < r.xy.size(); i += 2) twice -= r.xy[i] * r.xy[i + 3] - r.xy[i + 2] * r.xy[i + 1];
  return twice / 2;
}

bool encloses(const Ring& r, double x, double y) {
  bool in = false;
  for (std::size_t i = 0; i + 3 < r.xy.size(); i += 2)
    if (r.xy[i] == r.xy[i + 2] && r.xy[i] > x && (r.xy[i + 1] > y) != (r.xy[i + 3] > y)) in = !in;
  return in;
}

/// Cells inside one part: its outer ring without its holes.
std::vector<std::set<std::pair<int, int>>> cells_of_parts(const Lake& lake, int width, int height) {
  std::vector<std::set<std::pair<int, int>>> parts;
  for (const Ring& r : lake.outline) {
    if (!r.hole) parts.emplace_back();
    if (parts.empty()) return parts;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (!encloses(r, x + 0.5, y + 0.5)) continue;
        if (!r.hole) {
          EXPECT_TRUE(parts.back().insert({x, y}).second);
        } else {
          EXPECT_EQ(parts.back().erase({x, y}), 1U) << "hole outside its outer ring, or holes that overlap";
        }
      }
    }
  }
  return parts;
}

bool joined_by_sides(std::set<std::pair<int, int>> cells) {
  std::vector<std::pair<int, int>> front{*cells.begin()};
  cells.erase(cells.begin());
  while (!front.empty()) {
    const auto [x, y] = front.back();
    front.pop_back();
    for (const auto& next : {std::pair{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}})
      if (cells.erase(next) > 0) front.push_back(next);
  }
  return cells.empty();
}

/// Rings closed, simple, rectilinear without needless corners, turning the right way; parts make exactly the cells.
void expect_valid(const Lake& lake, GridView<const std::int32_t> id) {
  ASSERT_FALSE(lake.outline.empty());
  EXPECT_FALSE(lake.outline[0].hole);
  for (const Ring& r : lake.outline) {
    ASSERT_GE(r.xy.size(), 10U);
    EXPECT_EQ(r.xy[0], r.xy[r.xy.size() - 2]);
    EXPECT_EQ(r.xy[1], r.xy[r.xy.size() - 1]);
    std::set<std::pair<double, double>> corners;
    for (std::size_t i = 0; i + 3 < r.xy.size(); i += 2) {
      EXPECT_TRUE(corners.insert({r.xy[i], r.xy[i + 1]}).second) << "ring meets itself";
      EXPECT_NE(r.xy[i] == r.xy[i + 2], r.xy[i + 1] == r.xy[i + 3]);
      if (i > 0) {
        EXPECT_NE(r.xy[i - 2] == r.xy[i], r.xy[i] == r.xy[i + 2]) << "corner on a straight line";
      }
    }
    EXPECT_EQ(signed_area(r) < 0, r.hole);
  }
  std::set<std::pair<int, int>> all;
  for (const auto& part : cells_of_parts(lake, id.width(), id.height())) {
    ASSERT_FALSE(part.empty());
    EXPECT_TRUE(joined_by_sides(part));
    for (const auto& cell : part) EXPECT_TRUE(all.insert(cell).second) << "parts overlap";
  }
  for (int y = 0; y < id.height(); ++y)
    for (int x = 0; x < id.width(); ++x) EXPECT_EQ(all.count({x, y}) != 0, id(x, y) == lake.id) << x << "," << y;
}

TEST(Lakes, HandWorked) {
  const Grid<float> ground = grid_of<float>({{9, 9, 9, 9, 9, 9},  //
                                             {9, 3, 2, 9, 9, 9},
                                             {9, 9, 1, 5, 4, 4},
                                             {9, 9, 9, 9, 9, 9}});
  Grid<float> filled(6, 4);
  fill<float>(ground, {}, filled, Exec());
  const CellGeometry geometry = CellGeometry::uniform(10, 20, 4);
  Grid<std::uint8_t> directions(6, 4);
  d8<float>(filled, geometry, {}, directions, Exec());
  Grid<std::int32_t> id(6, 4, 77);
  const std::vector<Lake> lakes = find_lakes<float>(ground, filled, directions, geometry, kAll, id, Exec());
  ASSERT_EQ(lakes.size(), 1U);
  const Lake& lake = lakes[0];
  EXPECT_EQ(lake.id, 1);
  EXPECT_EQ(lake.level_m, 5);
  EXPECT_EQ(lake.area_m2, 600);
  EXPECT_EQ(lake.volume_m3, 200 * (2 + 3 + 4));
  EXPECT_EQ(lake.max_depth_m, 4);
  EXPECT_EQ(lake.mean_depth_m(), 3);
  EXPECT_EQ(lake.outlet_cell, 2 * 6 + 3);
  ASSERT_EQ(lake.outline.size(), 1U);
  EXPECT_EQ(lake.outline[0].xy, (std::vector<double>{1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 1}));
  EXPECT_GT(signed_area(lake.outline[0]), 0);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) EXPECT_EQ(id(x, y), filled(x, y) > ground(x, y) ? 1 : 0);
}

TEST(Lakes, SmallOnesAreLeftOutAndNumbersFollowFirstCells) {
  const Grid<float> ground = grid_of<float>({{9, 9, 9, 9, 9, 9, 9},  //
                                             {9, 9, 9, 9, 9, 8, 9},
                                             {9, 2, 9, 9, 9, 9, 9},
                                             {9, 2, 9, 1, 9, 9, 9},
                                             {9, 9, 9, 9, 9, 9, 9}});
  Grid<float> filled(7, 5);
  fill<float>(ground, {}, filled, Exec());
  Grid<std::int32_t> id(7, 5);
  const CellGeometry geometry = CellGeometry::uniform(10, 5);
  const auto found = [&](double area, double depth) {
    std::vector<std::pair<double, double>> r;
    for (const Lake& l : find_lakes<float>(ground, filled, {}, geometry, {area, depth}, id, Exec()))
      r.emplace_back(l.area_m2, l.max_depth_m);
    return r;
  };
  using List = std::vector<std::pair<double, double>>;
  EXPECT_EQ(found(0, 0), (List{{100, 1}, {200, 7}, {100, 8}}));
  EXPECT_EQ(found(0, 2), (List{{200, 7}, {100, 8}}));
  EXPECT_EQ(id(5, 1), 0);
  EXPECT_EQ(id(1, 2), 1);
  EXPECT_EQ(id(3, 3), 2);
  EXPECT_EQ(found(150, 0), (List{{200, 7}}));
  EXPECT_EQ(id(3, 3), 0);
}

TEST(Lakes, CellsTouchingAtACornerMakeTwoParts) {
  Grid<std::int32_t> id;
  const std::vector<Lake> lakes = lakes_of({"....",  //
                                            ".#..", "..#.", "...."},
                                           id);
  ASSERT_EQ(lakes.size(), 1U);
  ASSERT_EQ(lakes[0].outline.size(), 2U);
  EXPECT_FALSE(lakes[0].outline[1].hole);
  expect_valid(lakes[0], id);
}

TEST(Lakes, APocketClosedByACornerIsAHole) {
  Grid<std::int32_t> id;
  const std::vector<Lake> lakes = lakes_of({".....",  //
                                            ".##..", ".#.#.", ".###.", "....."},
                                           id);
  ASSERT_EQ(lakes.size(), 1U);
  ASSERT_EQ(lakes[0].outline.size(), 2U);
  EXPECT_TRUE(lakes[0].outline[1].hole);
  expect_valid(lakes[0], id);
}

TEST(Lakes, IslandsThatTouchAtACornerAreTwoHoles) {
  Grid<std::int32_t> id;
  const std::vector<Lake> lakes = lakes_of({"#####",  //
                                            "#.###", "##.##", "#####"},
                                           id);
  ASSERT_EQ(lakes.size(), 1U);
  ASSERT_EQ(lakes[0].outline.size(), 3U);
  expect_valid(lakes[0], id);
}

TEST(Lakes, OutlinesOfRandomMasksAreValid) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const int width = 1 + static_cast<int>(hash64(seed, 1) % 14);
    const int height = 1 + static_cast<int>(hash64(seed, 2) % 14);
    const std::uint64_t percent = 30 + hash64(seed, 3) % 60;
    std::vector<std::string> rows(static_cast<std::size_t>(height), std::string(static_cast<std::size_t>(width), '.'));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (hash64(seed, x, y, 4) % 100 < percent) rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '#';
    Grid<std::int32_t> id;
    const std::vector<Lake> lakes = lakes_of(rows, id);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const Lake& lake : lakes) expect_valid(lake, id);
    if (HasFailure()) break;
  }
}

TEST(Lakes, SumsOverARandomWorld) {
  const test::World w = make_world(noise_land(5, 150, 120, true), CellGeometry::uniform(30, 120), kAll, false);
  ASSERT_GT(w.lakes.size(), 10U);
  double volume = 0;
  double expected = 0;
  std::int64_t first = -1;
  for (const Lake& lake : w.lakes) {
    volume += lake.volume_m3;
    ASSERT_GE(lake.outlet_cell, 0);
    EXPECT_EQ(w.ground[lake.outlet_cell], lake.level_m);  // the sill
    EXPECT_EQ(w.lake_id[lake.outlet_cell], 0);
    std::int64_t i = 0;
    while (w.lake_id[i] != lake.id) ++i;
    EXPECT_GT(i, first);
    first = i;
  }
  for (std::int64_t i = 0; i < w.ground.cells(); ++i) {
    EXPECT_EQ(w.lake_id[i] > 0, w.filled[i] > w.ground[i]);
    expected += 900 * (static_cast<double>(w.filled[i]) - static_cast<double>(w.ground[i]));
  }
  EXPECT_NEAR(volume, expected, 1e-9 * expected);
}

TEST(Lakes, OddInputsDoNotFail) {
  const float inf = std::numeric_limits<float>::infinity();
  const int sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 3}, {0, 0}};
  for (const auto& size : sizes) {
    for (const float bottom : {0.0F, kNoData<float>, -inf, -1e30F}) {
      for (const float top : {0.0F, kNoData<float>, inf, 1e30F}) {
        Grid<float> ground(size[0], size[1], bottom);
        Grid<float> filled(size[0], size[1], top);
        Grid<std::int32_t> id(size[0], size[1]);
        const auto lakes = find_lakes<float>(ground, filled, {}, CellGeometry::uniform(1, size[1]), kAll, id, Exec());
        EXPECT_EQ(lakes.size(), top > bottom && size[0] > 0 ? 1U : 0U);
      }
    }
  }
}

TEST(Lakes, SameForAnyThreadCountAndStride) {
  const test::World one = make_world(noise_land(9, 130, 90, true), CellGeometry::uniform(30, 90), kAll, false);
  const test::World many =
      make_world(noise_land(9, 130, 90, true), CellGeometry::uniform(30, 90), kAll, false, Exec(7));
  ASSERT_EQ(one.lakes.size(), many.lakes.size());
  for (std::int64_t i = 0; i < one.lake_id.cells(); ++i) ASSERT_EQ(one.lake_id[i], many.lake_id[i]);
  Grid<std::int32_t> wide(200, 90);
  const auto lakes = find_lakes<float>(one.ground, one.filled, one.directions, one.geometry, kAll,
                                       wide.view().window(3, 0, 130, 90), Exec());
  for (std::size_t i = 0; i < lakes.size(); ++i) {
    EXPECT_EQ(lakes[i].volume_m3, one.lakes[i].volume_m3);
    EXPECT_EQ(lakes[i].outlet_cell, many.lakes[i].outlet_cell);
    ASSERT_EQ(lakes[i].outline.size(), one.lakes[i].outline.size());
    for (std::size_t r = 0; r < lakes[i].outline.size(); ++r)
      EXPECT_EQ(lakes[i].outline[r].xy, one.lakes[i].outline[r].xy);
  }
}

}  // namespace
}  // namespace thalweg::hydrology
