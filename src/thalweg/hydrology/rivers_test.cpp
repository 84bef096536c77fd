#include "thalweg/hydrology/rivers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/river_test_world.h"

namespace thalweg::hydrology {
namespace {

using test::directions_of;
using test::grid_of;
using test::make_world;
using test::noise_land;
using test::World;

constexpr double kEvery = 1e-9;  // km2: every cell of 10 m is a river

/// Fields for a hand-drawn direction grid on cells of 10 m, where every cell may be a river.
struct Drawn {
  Grid<std::uint8_t> directions;
  Grid<double> area;
  Grid<float> height;
  Grid<std::int32_t> lake_id;
  Grid<float> level;
  Grid<std::uint8_t> sea;

  Drawn(const std::vector<std::string>& rows, const std::vector<std::vector<double>>& heights)
      : directions(directions_of(rows)),
        area(directions.width(), directions.height()),
        height(grid_of<float>(heights)),
        lake_id(directions.width(), directions.height()),
        level(directions.width(), directions.height()),
        sea(directions.width(), directions.height()) {
    EXPECT_TRUE(accumulate_area(directions, geometry(), area, Exec()).ok());
  }
  CellGeometry geometry() const { return CellGeometry::uniform(10, directions.height()); }
  RiverInputs inputs() const { return {directions, area, {}, height, lake_id, level, sea, 0}; }
  Result<RiverNetwork> rivers(double min_area_km2 = kEvery) const {
    RiverParams params;
    params.min_area_km2 = min_area_km2;
    return extract_rivers(inputs(), geometry(), params, Exec());
  }
};

std::vector<double> z_of(const Reach& r) {
  std::vector<double> z;
  for (const Reach::Point& p : r.points) z.push_back(p.z_m);
  return z;
}

TEST(Rivers, AYThatEndsAtTheEdge) {
  const Drawn d({"s.s",  //
                 "f.g", ".s.", ".s."},
                {{9, 0, 8}, {7, 0, 6}, {0, 5, 0}, {0, 4, 0}});
  // Single cells without donors end where they begin and are no rivers.
  const auto r = d.rivers();
  ASSERT_TRUE(r.ok()) << r.error().text();
  ASSERT_EQ(r->reaches.size(), 3U);
  const Reach& a = r->reaches[0];
  const Reach& b = r->reaches[1];
  const Reach& c = r->reaches[2];
  EXPECT_EQ(a.id, 1);
  EXPECT_EQ(a.downstream, 3);
  EXPECT_EQ(a.end, ReachEnd::confluence);
  EXPECT_TRUE(a.begins_at_source);
  EXPECT_EQ(a.strahler, 1);
  EXPECT_EQ(a.shreve, 1);
  EXPECT_DOUBLE_EQ(a.length_m, 10 + 10 * std::sqrt(2.0));
  EXPECT_EQ(a.area_m2, 200);
  EXPECT_EQ(z_of(a), (std::vector<double>{9, 7, 5}));
  EXPECT_EQ(z_of(b), (std::vector<double>{8, 6, 5}));
  EXPECT_EQ(c.end, ReachEnd::edge);
  EXPECT_EQ(c.downstream, 0);
  EXPECT_FALSE(c.begins_at_source);
  EXPECT_EQ(c.strahler, 2);
  EXPECT_EQ(c.shreve, 2);
  EXPECT_EQ(c.area_m2, 600);
  EXPECT_EQ(c.points.size(), 2U);
  EXPECT_EQ(a.river, c.river);  // equal areas: the lower number goes on
  EXPECT_NE(b.river, c.river);
  const double q = 600 * 0.8 / (365.25 * 86400);
  EXPECT_DOUBLE_EQ(c.discharge_m3_s, q);
  EXPECT_NEAR(c.width_m, 4 * std::sqrt(q), 1e-12);
  EXPECT_NEAR(c.depth_m, 0.35 * std::pow(q, 0.4), 1e-12);
}

TEST(Rivers, ACombAddsShreveButNotStrahler) {
  const Drawn d({"eeeee.",  //
                 "nnnnn."},
                {{9, 8, 7, 6, 5, 4}, {20, 20, 20, 20, 20, 20}});
  const auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  // Reaches along the comb: from (0,0) [one tooth joins at its first cell], then between teeth.
  int highest_shreve = 0;
  for (const Reach& reach : r->reaches) {
    EXPECT_LE(reach.strahler, 2);
    highest_shreve = std::max(highest_shreve, reach.shreve);
    if (reach.begins_at_source) {
      EXPECT_EQ(reach.strahler, 1);
    }
  }
  EXPECT_EQ(highest_shreve, 5);
  const Reach& last =
      *std::find_if(r->reaches.begin(), r->reaches.end(), [](const Reach& x) { return x.end != ReachEnd::confluence; });
  EXPECT_EQ(last.shreve, 5);
  EXPECT_EQ(last.strahler, 2);
  EXPECT_EQ(last.area_m2, 1100);
  // The main stem follows the larger area all the way up.
  for (const Reach& reach : r->reaches)
    if (reach.points[0].y == 0) {
      EXPECT_EQ(reach.river, last.river);
    }
}

TEST(Rivers, GoesThroughALakeAtItsLevel) {
  const Drawn base({"eeeeeee"}, {{30, 20, 3, 1, 10, 9, 8}});
  Drawn d({"eeeeeee"}, {{30, 20, 3, 1, 10, 9, 8}});
  for (const int x : {2, 3}) {
    d.lake_id(x, 0) = 1;
    d.level(x, 0) = 10;
  }
  const auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  ASSERT_EQ(r->reaches.size(), 1U);
  EXPECT_EQ(z_of(r->reaches[0]), (std::vector<double>{30, 20, 10, 10, 10, 9, 8}));
  EXPECT_EQ(r->reaches[0].end, ReachEnd::edge);
  // Without the lake the ground counts and the bed cuts through the rise.
  EXPECT_EQ(z_of(base.rivers()->reaches[0]), (std::vector<double>{30, 20, 3, 1, 1, 1, 1}));
}

TEST(Rivers, GroundBelowTheWaterDownstreamStandsUnderIt) {
  // A hollow (2) that is no lake, a sill (12), a lake (10), a hollow (-3) and the sea.
  Drawn d({"eeeeeeee."}, {{30, 2, 12, 4, 10, 6, -3, 5, -8}});
  d.lake_id(3, 0) = 1;
  d.level(3, 0) = 10;
  d.sea(8, 0) = 1;
  const auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  ASSERT_EQ(r->reaches.size(), 1U);
  EXPECT_EQ(z_of(r->reaches[0]), (std::vector<double>{30, 10, 10, 10, 10, 6, 0, 0, 0}));
  EXPECT_EQ(r->reaches[0].end, ReachEnd::sea);
  EXPECT_EQ(r->reaches[0].area_m2, 800);  // of the last cell on land
}

TEST(Rivers, LakeAtTheCoastAndLakeWithoutOutlet) {
  Drawn coast({"eee."}, {{9, 1, 4, -1}});
  coast.lake_id(1, 0) = 1;
  coast.level(1, 0) = 4;
  coast.sea(3, 0) = 1;
  const auto a = coast.rivers();
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(z_of(a->reaches[0]), (std::vector<double>{9, 4, 4, 0}));
  EXPECT_EQ(a->reaches[0].end, ReachEnd::sea);

  Drawn closed({"sssss", "eefsg", "eee.w", "nnnnn", "nnnnn"},
               {{9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}, {9, 9, 5, 3, 9}, {9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}});
  closed.lake_id(3, 2) = 1;
  closed.level(3, 2) = 4;
  const auto b = closed.rivers(300e-6);
  ASSERT_TRUE(b.ok());
  ASSERT_FALSE(b->reaches.empty());
  for (const Reach& reach : b->reaches)
    if (reach.downstream == 0) {
      EXPECT_EQ(reach.end, ReachEnd::lake);
      EXPECT_EQ(reach.points.back().z_m, 4);
    }
  closed.lake_id(3, 2) = 0;
  const auto c = closed.rivers(300e-6);
  for (const Reach& reach : c->reaches)
    if (reach.downstream == 0) {
      EXPECT_EQ(reach.end, ReachEnd::pit);
    }
}

TEST(Rivers, TwoReachesMayEndInOneCell) {
  const Drawn d({"s.s",  //
                 "e.w"},
                {{9, 0, 8}, {7, 3, 6}});
  const auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  ASSERT_EQ(r->reaches.size(), 2U);
  for (const Reach& reach : r->reaches) {
    EXPECT_EQ(reach.end, ReachEnd::edge);
    EXPECT_EQ(reach.points.back().z_m, 3);
    EXPECT_EQ(reach.area_m2, 200);
  }
  EXPECT_NE(r->reaches[0].river, r->reaches[1].river);
}

TEST(Rivers, ACycleAndWrongSizesAreErrors) {
  Drawn d({"ees", "wee", "eee"}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  d.directions = directions_of({"esw", "enw", "eee"});
  const auto r = d.rivers();
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().place, "column 1, row 0");
  d.height = Grid<float>(2, 2);
  EXPECT_FALSE(d.rivers().ok());
  Drawn e({"e."}, {{1, 1}});
  e.level = Grid<float>();
  EXPECT_FALSE(e.rivers().ok());
}

TEST(Rivers, LengthsFollowTheRowsOfAGeographicGrid) {
  const Drawn d({"es",  //
                 ".s", ".."},
                {{5, 4}, {0, 3}, {0, 2}});
  const CellGeometry geometry = CellGeometry::geographic(60, 0.001, 0.001, 3);
  RiverParams params;
  params.min_area_km2 = kEvery;
  const auto r = extract_rivers(d.inputs(), geometry, params, Exec());
  ASSERT_TRUE(r.ok());
  ASSERT_EQ(r->reaches.size(), 1U);
  EXPECT_DOUBLE_EQ(r->reaches[0].length_m, geometry.row(0).dx_m + geometry.row(0).dy_m + geometry.row(1).dy_m);
  EXPECT_LT(geometry.row(0).dx_m, 0.6 * geometry.row(0).dy_m);
}

TEST(Rivers, OddInputsDoNotFail) {
  const float inf = std::numeric_limits<float>::infinity();
  const int sizes[][2] = {{0, 0}, {1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 3}, {6, 5}};
  for (const auto& size : sizes) {
    for (const float v : {0.0F, 3.0F, kNoData<float>, inf, -inf, 1e30F}) {
      Grid<float> g(size[0], size[1], v);
      if (g.cells() > 4) g[g.cells() / 2] = 7;
      World w = make_world(std::move(g), CellGeometry::uniform(10, size[1]), {0, 0});
      RiverParams params;
      params.min_area_km2 = kEvery;
      auto r = extract_rivers(w.inputs(), w.geometry, params, Exec());
      ASSERT_TRUE(r.ok()) << r.error().text();
      Grid<float> water(size[0], size[1]);
      carve_rivers(*r, w.inputs(), w.geometry, 25, w.ground, water, Exec());
    }
  }
}

/// Strahler order of a cell by its definition, from the cells that flow into it.
int strahler_of(const World& w, double min_area, int x, int y, int& shreve) {
  int highest = 0;
  int count = 0;
  shreve = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    const int nx = x + kDx[d];
    const int ny = y + kDy[d];
    if (!w.directions.view().contains(nx, ny) || w.directions(nx, ny) != 1 << ((d + 4) % 8)) continue;
    if (w.area(nx, ny) < min_area || w.sea(nx, ny) != 0) continue;
    int s = 0;
    const int order = strahler_of(w, min_area, nx, ny, s);
    shreve += s;
    if (order > highest) {
      highest = order;
      count = 1;
    } else if (order == highest) {
      ++count;
    }
  }
  if (highest == 0) shreve = 1;
  return highest == 0 ? 1 : count > 1 ? highest + 1 : highest;
}

World random_world(std::uint64_t seed, bool fill_ponds = true) {
  return make_world(noise_land(seed, 140, 110, seed % 2 == 0), CellGeometry::uniform(30, 110),
                    {.min_area_m2 = 6000, .min_depth_m = 1}, fill_ponds);
}

constexpr double kMinAreaKm2 = 0.03;

Result<RiverNetwork> rivers_of(const World& w, const Exec& exec = Exec()) {
  RiverParams params;
  params.min_area_km2 = kMinAreaKm2;
  params.width_coefficient = 500;  // channels of several cells and metres even on these small maps
  params.depth_coefficient = 12;
  return extract_rivers(w.inputs(), w.geometry, params, exec);
}

TEST(Rivers, InvariantsOnRandomWorlds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const World w = random_world(seed, seed % 3 != 0);
    const auto r = rivers_of(w);
    ASSERT_TRUE(r.ok()) << r.error().text();
    ASSERT_GT(r->reaches.size(), 20U);
    Grid<float> water = w.surface();  // ponds that were not filled stand full
    for (std::int64_t i = 0; i < water.cells(); ++i) water[i] = w.sea[i] != 0 ? 0 : std::max(water[i], w.filled[i]);
    const AuditCheck beds = audit_river_beds(*r, water, 0);
    EXPECT_TRUE(beds.ok()) << beds.place << "; " << beds.note;
    const AuditCheck ends = audit_river_ends(*r, 140, 110, w.sea, w.lake_id, w.ground);
    EXPECT_TRUE(ends.ok()) << ends.place << "; " << ends.note;
    Grid<std::uint8_t> covered(140, 110);
    double area = 0;
    std::int64_t lake_points = 0;
    for (std::size_t i = 0; i < r->reaches.size(); ++i) {
      const Reach& reach = r->reaches[i];
      EXPECT_EQ(reach.id, static_cast<std::int32_t>(i + 1));
      const auto cell = [](const Reach::Point& p) {
        return static_cast<std::int64_t>(p.y) * 140 + static_cast<std::int64_t>(p.x);
      };
      if (i > 0) {
        EXPECT_LT(cell(r->reaches[i - 1].points[0]), cell(reach.points[0]));
      }
      int shreve = 0;
      EXPECT_EQ(reach.strahler, strahler_of(w, kMinAreaKm2 * 1e6, static_cast<int>(reach.points[0].x),
                                            static_cast<int>(reach.points[0].y), shreve));
      EXPECT_EQ(reach.shreve, shreve);
      for (const Reach::Point& p : reach.points) {
        covered[cell(p)] = 1;
        if (w.sea[cell(p)] != 0) {
          EXPECT_EQ(p.z_m, 0);
        }
        if (w.lake_id[cell(p)] > 0) {
          EXPECT_EQ(p.z_m, w.filled[cell(p)]);
          ++lake_points;
        }
      }
      if (reach.end == ReachEnd::sea) area += reach.area_m2;
      if (reach.downstream != 0) {
        const Reach& below = r->reaches[static_cast<std::size_t>(reach.downstream - 1)];
        EXPECT_GE(below.area_m2, reach.area_m2);
      }
    }
    EXPECT_GT(lake_points, 0);
    std::int64_t land = 0;
    for (std::int64_t i = 0; i < w.sea.cells(); ++i) land += w.sea[i] == 0 ? 1 : 0;
    EXPECT_LE(area, 900.0 * static_cast<double>(land));  // no land drains twice
    for (std::int64_t i = 0; i < w.area.cells(); ++i)
      if (w.sea[i] == 0 && w.area[i] >= kMinAreaKm2 * 1e6 && w.directions[i] != kNoFlow) {
        EXPECT_EQ(covered[i], 1);
      }
  }
}

TEST(Rivers, SameForAnyThreadCount) {
  const World w = random_world(4);
  const auto one = rivers_of(w);
  const auto many = rivers_of(w, Exec(7, TaskBackend::threads));
  ASSERT_TRUE(one.ok() && many.ok());
  ASSERT_EQ(one->reaches.size(), many->reaches.size());
  for (std::size_t i = 0; i < one->reaches.size(); ++i) {
    EXPECT_EQ(one->reaches[i].river, many->reaches[i].river);
    EXPECT_EQ(one->reaches[i].length_m, many->reaches[i].length_m);
    EXPECT_EQ(z_of(one->reaches[i]), z_of(many->reaches[i]));
  }
}

TEST(Carve, AStraightChannelByHand) {
  // A plane that falls to the south; one river of 30 m and 2 m along column 4, banks of 20 m.
  Drawn d(std::vector<std::string>(8, "....s...."), std::vector<std::vector<double>>(8, std::vector<double>(9, 0)));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 9; ++x) d.height(x, y) = static_cast<float>(20 - y);
  auto r = d.rivers(90e-6);
  ASSERT_TRUE(r.ok());
  r = d.rivers();
  ASSERT_EQ(r->reaches.size(), 1U);
  Reach& reach = r->reaches[0];
  reach.width_m = 30;
  reach.depth_m = 2;
  for (std::int64_t i = 0; i < d.area.cells(); ++i) d.area[i] = reach.area_m2;
  Grid<float> ground = d.height.clone();
  Grid<float> water(9, 8, 5.0F);
  carve_rivers(*r, d.inputs(), d.geometry(), 20, ground, water, Exec());
  for (int y = 0; y < 8; ++y) {
    const float bed = static_cast<float>(18 - y);
    EXPECT_EQ(reach.points[static_cast<std::size_t>(y)].z_m, bed);
    EXPECT_EQ(ground(4, y), bed);
    EXPECT_EQ(ground(3, y), bed);  // within 15 m
    EXPECT_EQ(ground(5, y), bed);
    EXPECT_FLOAT_EQ(ground(2, y), bed + 2 * 0.15625F);  // 5 m of 20 m up the bank: t = 1/4, 3t^2 - 2t^3
    EXPECT_FLOAT_EQ(ground(1, y), bed + 2 * 0.84375F);  // t = 3/4
    EXPECT_EQ(ground(0, y), d.height(0, y));
    EXPECT_EQ(ground(8, y), d.height(8, y));
    EXPECT_EQ(water(4, y), 2);
    EXPECT_EQ(water(3, y), 2);
    EXPECT_FLOAT_EQ(water(2, y), 2 * 0.84375F);
    EXPECT_EQ(water(0, y), 0);
  }
}

TEST(Carve, StaysAboveTheLakeAndTheSea) {
  Drawn d({"eeeeeeee."}, {{30, 12, 10.5, 4, 10, 9.5, 9, 0.5, -8}});
  d.lake_id(3, 0) = 1;
  d.level(3, 0) = 10;
  d.sea(8, 0) = 1;
  auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  r->reaches[0].width_m = 1;
  r->reaches[0].depth_m = 2;
  for (std::int64_t i = 0; i < d.area.cells(); ++i) d.area[i] = r->reaches[0].area_m2;
  Grid<float> ground = d.height.clone();
  Grid<float> water(9, 1);
  carve_rivers(*r, d.inputs(), d.geometry(), 20, ground, water, Exec());
  const double mm = 1.0 / 1024;
  EXPECT_EQ(ground(0, 0), 28);
  EXPECT_EQ(ground(1, 0), 10 + static_cast<float>(mm));
  EXPECT_EQ(ground(2, 0), 10 + static_cast<float>(mm));  // beside the lake
  EXPECT_EQ(ground(3, 0), 4);
  EXPECT_EQ(ground(4, 0), 10);  // the sill
  EXPECT_LT(ground(5, 0), 9.5);
  EXPECT_GT(ground(5, 0), 7.5);  // not at full depth yet
  EXPECT_EQ(ground(6, 0), 7);
  EXPECT_EQ(ground(7, 0), static_cast<float>(mm));
  EXPECT_EQ(ground(8, 0), -8);
  const std::vector<double> z = z_of(r->reaches[0]);
  EXPECT_EQ(z, (std::vector<double>{28, 10 + mm, 10 + mm, 10, 10, ground(5, 0), 7, mm, 0}));
  EXPECT_EQ(water(3, 0), 0);
  EXPECT_EQ(water(4, 0), 0);
  EXPECT_EQ(water(6, 0), 2);
  EXPECT_EQ(water(8, 0), 0);
}

TEST(Carve, WaterStandsBackWhereTheChannelNarrows) {
  Drawn d({"eeee"}, {{10, 10, 10, 9}});
  auto r = d.rivers();
  ASSERT_TRUE(r.ok());
  r->reaches[0].depth_m = 2;
  r->reaches[0].discharge_m3_s = 32;
  const Grid<double> discharge = grid_of<double>({{32, 1, 32, 32}});  // (1/32)^0.4 = 1/4
  RiverInputs in = d.inputs();
  in.discharge_m3_s = discharge;
  Grid<float> ground = d.height.clone();
  Grid<float> water(4, 1);
  carve_rivers(*r, in, d.geometry(), 0, ground, water, Exec());
  EXPECT_EQ(z_of(r->reaches[0]), (std::vector<double>{8, 8, 8, 7}));
  for (int x = 0; x < 3; ++x) EXPECT_EQ(water(x, 0), 2);  // not half a metre in the second cell
  EXPECT_EQ(water(3, 0), 2);
}

TEST(Carve, KeepsLakesSeaAndDrainageOnRandomWorlds) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World w = random_world(seed);
    ASSERT_TRUE(audit_pits<float>(w.surface(), w.sea, Exec()).ok());
    auto r = rivers_of(w);
    ASSERT_TRUE(r.ok());
    Grid<float> carved = w.ground.clone();
    Grid<float> water(140, 110);
    carve_rivers(*r, w.inputs(), w.geometry, 15.0 * static_cast<double>(seed % 7), carved, water, Exec());
    std::int64_t lowered = 0;
    for (std::int64_t i = 0; i < carved.cells(); ++i) {
      ASSERT_LE(carved[i], w.ground[i]);
      lowered += carved[i] < w.ground[i] ? 1 : 0;
      if (w.sea[i] != 0 || w.lake_id[i] > 0) {
        ASSERT_EQ(carved[i], w.ground[i]);
        ASSERT_EQ(water[i], 0);
      }
    }
    EXPECT_GT(lowered, 500);
    const Grid<float> surface = w.surface_of(carved);
    const AuditCheck pits = audit_pits<float>(surface, w.sea, Exec());
    EXPECT_TRUE(pits.ok()) << pits.faults << " " << pits.place;

    const World again = make_world(carved.clone(), w.geometry, w.lake_params, false);
    ASSERT_EQ(again.lakes.size(), w.lakes.size());
    for (std::size_t l = 0; l < w.lakes.size(); ++l) EXPECT_EQ(again.lakes[l].level_m, w.lakes[l].level_m);
    for (std::int64_t i = 0; i < carved.cells(); ++i) {
      ASSERT_EQ(again.lake_id[i], w.lake_id[i]) << i;
      ASSERT_EQ(again.sea[i], w.sea[i]) << i;
    }
    const auto river_again = rivers_of(again);
    ASSERT_TRUE(river_again.ok());
    EXPECT_TRUE(audit_river_ends(*river_again, 140, 110, again.sea, again.lake_id, again.ground).ok());

    Grid<float> top = surface.clone();
    for (std::int64_t i = 0; i < top.cells(); ++i) top[i] = w.sea[i] != 0 ? 0 : top[i];
    const AuditCheck beds = audit_river_beds(*r, top, 0);
    EXPECT_TRUE(beds.ok()) << beds.place << "; " << beds.note;
    const AuditCheck ends = audit_river_ends(*r, 140, 110, w.sea, w.lake_id, w.ground);
    EXPECT_TRUE(ends.ok()) << ends.place;
    for (const Reach& reach : r->reaches) {
      double last = std::numeric_limits<double>::infinity();
      for (const Reach::Point& p : reach.points) {
        const int x = static_cast<int>(p.x);
        const int y = static_cast<int>(p.y);
        if (w.sea(x, y) == 0) {
          EXPECT_EQ(p.z_m, surface(x, y));
        }
        const double level = static_cast<double>(top(x, y)) + static_cast<double>(water(x, y));
        EXPECT_LE(level, last + 1e-4) << "the water climbs at " << x << "," << y;
        last = level;
      }
    }
  }
}

TEST(Carve, SameForAnyThreadCountAndInPlace) {
  const World w = random_world(6);
  auto a = rivers_of(w);
  auto b = rivers_of(w);
  ASSERT_TRUE(a.ok() && b.ok());
  Grid<float> apart = w.ground.clone();
  Grid<float> water(140, 110);
  carve_rivers(*a, w.inputs(), w.geometry, 60, apart, water, Exec());
  World same = random_world(6);
  carve_rivers(*b, same.inputs(), same.geometry, 60, same.ground, {}, Exec(7, TaskBackend::threads));
  for (std::int64_t i = 0; i < apart.cells(); ++i) ASSERT_EQ(apart[i], same.ground[i]);
  for (std::size_t i = 0; i < a->reaches.size(); ++i) EXPECT_EQ(z_of(a->reaches[i]), z_of(b->reaches[i]));
}

}  // namespace
}  // namespace thalweg::hydrology
