#include "thalweg/hydrology/routing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/core/random.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/routing_math.h"
#include "thalweg/hydrology/test_routing.h"

namespace thalweg::hydrology {
namespace {

using internal::kNeighbourOfCode;
using test::apart;
using test::areas;
using test::Case;
using test::cases;
using test::Edge;
using test::Graph;
using test::graph_of_angles;
using test::kTurn;
using test::left_over;
using test::neighbour_angle;
using test::random_terrain;
using test::sums_along;
using test::worst;

TEST(RoutingMath, AtanAndPowAreAccurate) {
  for (int i = 0; i < 20000; ++i) {
    const double u = unit_double(hash64(1, i)) * (i % 3 == 0 ? 1e-3 : 1);
    const double v = unit_double(hash64(2, i)) + 1e-9;
    EXPECT_NEAR(internal::atan_first_quadrant(u, v), static_cast<double>(std::atan2(static_cast<long double>(u), v)),
                5e-16);
    const double t = i % 2 == 0 ? v : v * v * v * v * v;
    const double exponent = i % 5 == 0 ? 1.1 : i % 5 == 1 ? 100 * u : 8 * u;
    const auto want = static_cast<double>(std::pow(static_cast<long double>(std::min(t, 1.0)), exponent));
    if (want > 1e-290) {
      EXPECT_NEAR(internal::pow_of_share(std::min(t, 1.0), exponent) / want, 1, want > 1e-30 ? 1e-13 : 1e-12);
    }
    // In a pair as alone, to the bit.
    const internal::Pair pair = {std::min(t, 1.0), std::min(v, 1.0)};
    const internal::Pair power = internal::pow_of_share(pair, exponent);
    EXPECT_EQ(power[0], internal::pow_of_share(pair[0], exponent));
    EXPECT_EQ(power[1], internal::pow_of_share(pair[1], exponent));
    const internal::Pair other = {v, u};
    const internal::Pair angle = internal::atan_first_quadrant(other, pair);
    EXPECT_EQ(angle[0], internal::atan_first_quadrant(v, pair[0]));
    EXPECT_EQ(angle[1], internal::atan_first_quadrant(u, pair[1]));
  }
  EXPECT_EQ(internal::pow_of_share(1.0, 1.1), 1);
  EXPECT_LT(internal::pow_of_share(1e-300, 100), 1e-290);
  EXPECT_GE(internal::pow_of_share(5e-324, 1.5), 0);
}

// Centre 10, east 8, north-east 7: one facet with slopes 2 and 1.
TEST(Dinf, HandWorked) {
  Grid<float> g(3, 3, 20.0F);
  g(1, 1) = 10;
  g(2, 1) = 8;
  g(2, 0) = 7;
  Grid<float> angle(3, 3);
  const CellGeometry geometry = CellGeometry::uniform(1, 3);
  dinf<float>(g, geometry, {}, angle, Exec());
  const float want = static_cast<float>(std::atan2(1.0, 2.0));
  EXPECT_EQ(angle(1, 1), want);
  EXPECT_EQ(angle(2, 0), kNoAngle);
  EXPECT_EQ(angle(2, 1), static_cast<float>(exact::kPi / 2));
  Grid<float> weight(3, 3);
  weight(1, 1) = 1;
  Grid<double> sum(3, 3);
  ASSERT_TRUE(accumulate_dinf_weighted(angle, geometry, weight, sum, Exec()).ok());
  EXPECT_NEAR(sum(2, 1), 1 - want / (exact::kPi / 4), 1e-7);
  EXPECT_EQ(sum(2, 0), 1);
  Grid<float> none(3, 3);
  dinf<float>(g, geometry, {}, none, Exec(), EdgeAngles::none);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(is_nodata(none[i]), i != 4) << i;
  EXPECT_EQ(none[4], want);
}

TEST(Dinf, PlaneHasItsAngle) {
  for (int step = 0; step < 97; ++step) {
    const double want = kTurn * step / 97;
    for (const double dy : {1.0, 3.0, 0.2}) {
      Grid<double> g(7, 6);
      for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 7; ++x) g(x, y) = -x * 2.0 * std::cos(want) + y * 2.0 * dy * std::sin(want);
      Grid<float> angle(7, 6);
      dinf<double>(g, CellGeometry::uniform(2, 2 * dy, 6), {}, angle, Exec());
      for (int y = 1; y < 5; ++y)
        for (int x = 1; x < 6; ++x) ASSERT_LT(apart(angle(x, y), want), 3e-7) << want << " cells " << dy;
    }
  }
}

// The facet formulas of the paper, one after the other.
template <class T>
double naive_angle(GridView<const T> g, const CellGeometry& geometry, int x, int y) {
  const CellGeometry::Row& cell = geometry.row(y);
  double best = 0;
  double angle = kNoAngle;
  for (int k = 0; k < 8; ++k) {
    const int side = (k + 1) / 2 * 2;  // corner of the side neighbour, counter-clockwise from east
    const auto a = static_cast<std::size_t>((8 - side) & 7);
    const auto b = static_cast<std::size_t>((8 - (k + 1 - side % 2 == side ? k : k + 1 == side ? k : k + 1)) & 7);
    const double e0 = g(x, y);
    const double e1 = g(x + kDx[a], y + kDy[a]);
    const double e2 = g(x + kDx[b], y + kDy[b]);
    const double d1 = side % 4 == 0 ? cell.dx_m : cell.dy_m;
    const double d2 = side % 4 == 0 ? cell.dy_m : cell.dx_m;
    const double s1 = (e0 - e1) / d1;
    const double s2 = (e1 - e2) / d2;
    double r = std::atan2(s2, s1);
    double s = std::hypot(s1, s2);
    if (r < 0) {
      r = 0;
      s = s1;
    }
    if (r > std::atan2(d2, d1)) {
      r = std::atan2(d2, d1);
      s = (e0 - e2) / std::hypot(d1, d2);
    }
    if (s > best * (1 + 1e-12)) {
      best = s;
      angle = side * exact::kPi / 4 + (side == k ? r : -r);
    }
  }
  return angle;
}

TEST(Dinf, EqualsThePaperOnRoughLand) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Grid<float> g(40, 30);
    for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = static_cast<float>(100 * unit_double(hash64(seed, i)));
    const CellGeometry geometry = seed % 3 == 0   ? CellGeometry::geographic(-70, 0.01, 0.01, 30)
                                  : seed % 3 == 1 ? CellGeometry::uniform(30, 11, 30)
                                                  : CellGeometry::uniform(10, 30);
    Grid<float> angle(40, 30);
    dinf<float>(g, geometry, {}, angle, Exec());
    for (int y = 1; y < 29; ++y) {
      for (int x = 1; x < 39; ++x) {
        const double want = naive_angle<float>(g, geometry, x, y);
        if (want == kNoAngle) {
          ASSERT_EQ(angle(x, y), kNoAngle) << seed;
        } else {
          ASSERT_LT(apart(angle(x, y), want), 5e-7) << "seed " << seed << " at " << x << "," << y;
        }
      }
    }
  }
}

// Water never climbs; what D8 drains is drained; flats, outlets and NoData are D8's.
TEST(Dinf, KeepsItsPromises) {
  for (const Case& c : cases()) {
    const GridView<const float> g = c.height;
    Grid<std::uint8_t> dir(g.width(), g.height());
    d8<float>(g, c.geometry, c.mask, dir, Exec());
    Grid<float> angle(g.width(), g.height());
    dinf<float>(g, c.geometry, c.mask, angle, Exec());
    const Graph graph = graph_of_angles(angle, c.geometry);
    for (int y = 0; y < g.height(); ++y) {
      for (int x = 0; x < g.width(); ++x) {
        const std::string place = c.name + " at " + std::to_string(x) + "," + std::to_string(y);
        const std::uint8_t code = dir(x, y);
        ASSERT_EQ(code == kFlowNoData, is_nodata(angle(x, y))) << place;
        ASSERT_EQ(code == kNoFlow, angle(x, y) == kNoAngle) << place;
        if (code == kNoFlow || code == kFlowNoData) continue;
        ASSERT_TRUE(angle(x, y) >= 0 && angle(x, y) < kTurn) << place;
        const int d = direction_index(code);
        const bool flat = g(x + kDx[static_cast<std::size_t>(d)], y + kDy[static_cast<std::size_t>(d)]) == g(x, y);
        const std::vector<Edge>& edges = graph[static_cast<std::size_t>(y * g.width() + x)];
        ASSERT_TRUE(edges.size() == 1 || edges.size() == 2) << place;
        if (flat) {
          ASSERT_EQ(angle(x, y), static_cast<float>(neighbour_angle(c.geometry.row(y), d))) << place;
        }
        for (const Edge& e : edges) ASSERT_TRUE(flat || g[e.to] < g(x, y)) << place;
      }
    }
  }
}

TEST(Dinf, AccumulatesByTheShares) {
  for (const Case& c : cases()) {
    const int w = c.height.width();
    const int h = c.height.height();
    Grid<float> angle(w, h);
    dinf<float>(c.height, c.geometry, c.mask, angle, Exec());
    Grid<double> area(w, h);
    const Status status = accumulate_dinf_area(angle, c.geometry, area, Exec());
    ASSERT_TRUE(status.ok()) << c.name << ": " << status.error().text();
    const Graph graph = graph_of_angles(angle, c.geometry);
    const std::vector<double> want = sums_along(graph, areas(c.geometry, w, h));
    ASSERT_FALSE(want.empty()) << c.name << ": cycle";
    ASSERT_LT(worst(area, want), 2e-6) << c.name;
    test::expect_conserved(c, graph, area);
  }
}

TEST(Dinf, CornersAloneAreD8) {
  const Grid<float> dem = random_terrain<float>(5, 50, 40, 30, 3);
  Grid<std::uint8_t> dir(50, 40);
  const CellGeometry geometry = CellGeometry::uniform(3, 1, 40);
  d8<float>(dem, geometry, {}, dir, Exec());
  Grid<float> angle(50, 40, kNoAngle);
  Grid<float> one(50, 40, 1.0F);
  for (std::int64_t i = 0; i < dir.cells(); ++i) {
    if (dir[i] == kFlowNoData) angle[i] = kNoData<float>;
    const int d = kNeighbourOfCode[dir[i]];
    if (d >= 0) angle[i] = static_cast<float>(neighbour_angle(geometry.row(0), d));
  }
  Grid<std::uint64_t> want(50, 40);
  ASSERT_TRUE(accumulate_cells(dir, want, Exec()).ok());
  Grid<double> sum(50, 40);
  ASSERT_TRUE(accumulate_dinf_weighted(angle, geometry, one, sum, Exec()).ok());
  for (std::int64_t i = 0; i < dir.cells(); ++i)
    ASSERT_EQ(is_nodata(sum[i]) ? 0 : sum[i], static_cast<double>(want[i])) << i;
}

TEST(Dinf, NamesACellOfACycle) {
  Grid<float> angle(6, 5, kNoAngle);
  angle(4, 4) = 0.3F;                                   // out of the grid in part
  angle(3, 3) = 0;                                      // east
  angle(4, 3) = static_cast<float>(exact::kPi / 2);     // north
  angle(4, 2) = static_cast<float>(exact::kPi) + 0.1F;  // west, and a little south-west: back to (3, 3)
  angle(3, 2) = static_cast<float>(exact::kPi);         // below the cycle
  Grid<double> out(6, 5);
  const Status s = accumulate_dinf_area(angle, CellGeometry::uniform(1, 5), out, Exec());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().place, "cell (4, 2)");
  angle(4, 2) = 9.0F;  // no angle
  angle(0, 0) = -7.0F;
  EXPECT_TRUE(accumulate_dinf_area(angle, CellGeometry::uniform(1, 5), out, Exec()).ok());
}

}  // namespace
}  // namespace thalweg::hydrology
