#include "thalweg/hydrology/audit.h"

#include <gtest/gtest.h>

#include <limits>

#include "thalweg/hydrology/river_test_world.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::directions_of;
using test::grid_of;
using test::naive_fill;
using test::random_terrain;

TEST(AuditPits, FindsAPlantedPitAndSaysWhere) {
  Grid<float> g(9, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 9; ++x) g(x, y) = static_cast<float>(20 - x);
  AuditCheck check = audit_pits<float>(g, {}, Exec());
  EXPECT_TRUE(check.ok());
  EXPECT_EQ(check.checked, 72);
  EXPECT_EQ(check.place, "");
  g(6, 4) = 3.4F;
  check = audit_pits<float>(g, {}, Exec());
  EXPECT_EQ(check.faults, 1);
  EXPECT_EQ(check.name, "no-pit");
  EXPECT_EQ(check.place, "column 6, row 4 (3.4 m)");
  Grid<std::uint8_t> sea(9, 8);
  sea(6, 4) = 1;
  EXPECT_TRUE(audit_pits<float>(g, sea, Exec()).ok());
}

TEST(AuditPits, FlatsCountOnceAndOnlyWhenClosed) {
  const Grid<double> closed = grid_of<double>({{9, 9, 9, 9, 9},  //
                                               {9, 2, 2, 9, 9},
                                               {9, 9, 9, 2, 9},
                                               {9, 9, 9, 9, 9}});
  EXPECT_EQ(audit_pits<double>(closed, {}, Exec()).faults, 1);
  const Grid<double> open = grid_of<double>({{9, 9, 9, 9, 9},  //
                                             {9, 2, 2, 9, 9},
                                             {9, 9, 9, 2, 2},
                                             {9, 9, 9, 9, 9}});
  EXPECT_TRUE(audit_pits<double>(open, {}, Exec()).ok());
}

TEST(AuditPits, AgreesWithFillingOnRandomTerrain) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Grid<float> g = random_terrain<float>(seed, 1 + static_cast<int>(seed % 13), 1 + static_cast<int>(seed % 11),
                                                seed % 2 == 0 ? 4 : 30, seed % 3 == 0 ? 5 : 0);
    const AuditCheck check = audit_pits<float>(g, {}, Exec(3));
    const Grid<float> filled = naive_fill<float>(g, {});
    EXPECT_EQ(check.ok(), test::same_cells<float>(g, filled)) << "seed " << seed;
    EXPECT_TRUE(audit_pits<float>(filled, {}, Exec()).ok()) << "seed " << seed;
  }
}

TEST(AuditPits, OddInputs) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const float v : {0.0F, kNoData<float>, inf, -inf, 1e30F}) {
    const int sizes[][2] = {{0, 0}, {1, 1}, {1, 5}, {5, 1}, {2, 2}, {3, 3}, {5, 5}};
    for (const auto& size : sizes) {
      Grid<float> g(size[0], size[1], v);
      EXPECT_TRUE(audit_pits<float>(g, {}, Exec()).ok());
    }
  }
  Grid<float> g(5, 5, 1e30F);
  g(2, 2) = -inf;
  EXPECT_EQ(audit_pits<float>(g, {}, Exec()).place, "column 2, row 2 (-inf m)");
}

TEST(AuditDirections, CleanOnRoutedTerrain) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Grid<float> g = random_terrain<float>(seed, 23, 17, seed % 2 == 0 ? 5 : 1000, seed % 3 == 0 ? 3 : 0);
    fill<float>(g, {}, g, Exec());
    Grid<std::uint8_t> dir(23, 17);
    d8<float>(g, CellGeometry::uniform(10, 17), {}, dir, Exec());
    const AuditCheck check = audit_directions(dir, g, {}, Exec(2));
    EXPECT_TRUE(check.ok()) << seed << ": " << check.place << "; " << check.note;
  }
}

TEST(AuditDirections, FindsEachKindOfFault) {
  const auto good = directions_of({"ees", "ees", "eee"});
  EXPECT_TRUE(audit_directions(good, {}, {}, Exec()).ok());
  const auto place = [](const Grid<std::uint8_t>& d, GridView<const float> s = {}, OutletMask o = {}) {
    const AuditCheck check = audit_directions(d, s, o, Exec());
    EXPECT_EQ(check.ok(), check.place.empty());
    return (check.faults == 0 ? "" : std::to_string(check.faults) + " " + check.place);
  };
  auto bad = good.clone();
  bad(1, 2) = 3;  // two bits
  EXPECT_EQ(place(bad), "1 column 1, row 2: no direction code");
  EXPECT_EQ(place(directions_of({"eees", "ee.s", "eees", "eees"})),
            "1 column 2, row 1: has no direction and is no outlet");
  Grid<std::uint8_t> mask(4, 4);
  mask(2, 1) = 1;
  EXPECT_EQ(place(directions_of({"eees", "ee.s", "eees", "eees"}), {}, mask), "");
  EXPECT_EQ(place(directions_of({"eee", "e.#", "eee"})), "");  // beside NoData
  EXPECT_EQ(place(directions_of({"eee", "ee#", "eee"})), "1 column 1, row 1: points to NoData");
  EXPECT_EQ(place(directions_of({"eswe", "enwe", "eeee"})), "1 column 1, row 0: flow returns to this cell");
  EXPECT_EQ(place(directions_of({"ewew"})), "2 column 0, row 0: flow returns to this cell");
  const Grid<float> s = grid_of<float>({{3, 2.5, 2.75}});
  EXPECT_EQ(place(directions_of({"eee"}), s), "1 column 1, row 0 (2.5 m): climbs");
  EXPECT_EQ(place(directions_of({"e.#"}), s), "1 column 2, row 0 (2.75 m): NoData of directions and surface differ");
}

/// Two sources meet at (1, 2); the river ends in the sea at (1, 4).
RiverNetwork a_y() {
  RiverNetwork n;
  Reach a;
  a.id = 1;
  a.downstream = 3;
  a.points = {{0, 0, 9}, {0, 1, 8}, {1, 2, 5}};
  Reach b = a;
  b.id = 2;
  b.points = {{2, 0, 9}, {2, 1, 6}, {1, 2, 5}};
  Reach c;
  c.id = 3;
  c.end = ReachEnd::sea;
  c.points = {{1, 2, 5}, {1, 3, 2}, {1, 4, 0}};
  n.reaches = {a, b, c};
  return n;
}

TEST(AuditRiverBeds, FindsClimbsStepsAndFloatingPoints) {
  RiverNetwork n = a_y();
  EXPECT_TRUE(audit_river_beds(n, {}, 0).ok());
  EXPECT_EQ(audit_river_beds(n, {}, 0).checked, 9);
  n.reaches[0].points[1].z_m = 9.5;
  EXPECT_EQ(audit_river_beds(n, {}, 0).place, "reach 1, column 0, row 1 (9.5 m)");
  n = a_y();
  n.reaches[1].points[2].z_m = 5.5;
  const AuditCheck step = audit_river_beds(n, {}, 0);
  EXPECT_EQ(step.faults, 1);
  EXPECT_EQ(step.place, "reach 2, column 1, row 2 (5.5 m)");
  n = a_y();
  n.reaches[2].points[1].z_m = kNoData<double>;
  EXPECT_FALSE(audit_river_beds(n, {}, 0).ok());
  n = a_y();
  Grid<float> surface(3, 5, 9.0F);
  EXPECT_TRUE(audit_river_beds(n, surface, 0).ok());
  surface(1, 3) = 1.995F;
  EXPECT_TRUE(audit_river_beds(n, surface, 0.01).ok());
  EXPECT_EQ(audit_river_beds(n, surface, 0.001).place, "reach 3, column 1, row 3 (2 m)");
}

TEST(AuditRiverEnds, FindsEachKindOfFault) {
  Grid<std::uint8_t> sea(3, 6);
  Grid<std::int32_t> lake(3, 6);
  sea(1, 4) = 1;
  const auto place = [&](const RiverNetwork& n, GridView<const float> ground = {}) {
    const AuditCheck check = audit_river_ends(n, 3, 6, sea, lake, ground);
    EXPECT_EQ(check.ok(), check.place.empty());
    return check.place;
  };
  RiverNetwork n = a_y();
  EXPECT_EQ(place(n), "");
  sea(1, 4) = 0;
  EXPECT_EQ(place(n), "reach 3, column 1, row 4 (0 m): is said to end in the sea, but ends on land");
  n.reaches[2].end = ReachEnd::edge;
  EXPECT_EQ(place(n), "reach 3, column 1, row 4 (0 m): is said to end at the edge of the map, but ends inside");
  Grid<float> ground(3, 6, 9.0F);
  ground(0, 5) = kNoData<float>;
  EXPECT_EQ(place(n, ground), "");
  n.reaches[2].end = ReachEnd::lake;
  EXPECT_EQ(place(n), "reach 3, column 1, row 4 (0 m): is said to end in a lake, but ends on land");
  lake(1, 4) = 1;
  EXPECT_EQ(place(n), "");
  n.reaches[2].end = ReachEnd::pit;
  EXPECT_EQ(place(n), "reach 3, column 1, row 4 (0 m): ends in the middle of the land");
  n = a_y();
  sea(1, 4) = 1;
  n.reaches[1].downstream = 9;
  EXPECT_EQ(place(n), "reach 2, column 1, row 2 (5 m): flows into reach 9, which is missing");
  n = a_y();
  n.reaches[0].points.back().x = 0;
  EXPECT_EQ(place(n), "reach 1, column 0, row 2 (5 m): does not end where reach 3 begins");
  n = a_y();
  n.reaches[1].id = 1;
  EXPECT_EQ(place(n), "reach 1, column 1, row 2 (5 m): another reach has the same number");
  n = a_y();
  n.reaches[2].points = {{1, 2, 5}, {0, 0, 5}};
  n.reaches[2].end = ReachEnd::confluence;
  n.reaches[2].downstream = 1;
  EXPECT_EQ(place(n), "reach 1: flow returns to this reach");
  n = a_y();
  n.reaches[2].points.resize(1);
  EXPECT_EQ(place(n), "reach 3, column 1, row 2 (5 m): has fewer than two points");
}

TEST(AuditLedger, Balances) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(audit_ledger("droplets", 10, 7, 3).ok());
  EXPECT_TRUE(audit_ledger("droplets", kMax, kMax, 0).ok());
  const AuditCheck check = audit_ledger("droplets", 10, 7, 2);
  EXPECT_EQ(check.faults, 1);
  EXPECT_EQ(check.place, "droplets");
  EXPECT_EQ(check.note, "droplets: eroded 10, deposited 7, exported 2 units");
  EXPECT_FALSE(audit_ledger("droplets", -2, kMax, kMax).ok());  // would wrap to equal
}

}  // namespace
}  // namespace thalweg::hydrology
