#include "thalweg/hydrology/routing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
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
using test::graph_of_lower;
using test::is_outlet;
using test::kTurn;
using test::left_over;
using test::random_terrain;
using test::same_cells;
using test::sums_along;
using test::worst;

// Slopes of 1 to the east, 2 to the south and sqrt 2 to the south-east.
TEST(Mfd, HandWorked) {
  Grid<float> g(3, 3, 20.0F);
  g(1, 1) = 10;
  g(2, 1) = 9;
  g(1, 2) = 8;
  Grid<float> weight(3, 3);
  weight(1, 1) = 1;
  Grid<double> sum(3, 3);
  const CellGeometry geometry = CellGeometry::uniform(1, 3);
  const auto route = [&](MfdWeights weights, double exponent) {
    ASSERT_TRUE(accumulate_mfd_weighted<float>(g, geometry, {}, {weights, exponent}, weight, sum, Exec()).ok());
  };
  // The east cell drains on to the south cell, which is the lowest.
  route(MfdWeights::freeman, 1);
  EXPECT_NEAR(sum(2, 1), 1 / 3.0, 1e-14);
  EXPECT_EQ(sum(1, 2), 1);
  route(MfdWeights::freeman, 2);
  EXPECT_NEAR(sum(2, 1), 1 / 5.0, 1e-14);
  route(MfdWeights::freeman, 3);
  EXPECT_NEAR(sum(2, 1), 1 / 9.0, 1e-14);
  route(MfdWeights::freeman, 0);
  EXPECT_NEAR(sum(2, 1), 1 / 2.0, 1e-14);
  route(MfdWeights::freeman, 1.1);
  EXPECT_NEAR(sum(2, 1), 1 / (1 + std::pow(2, 1.1)), 1e-14);
  g(2, 2) = 8;
  route(MfdWeights::quinn, 1);  // 0.5 * 1, 0.354 * 1.414, 0.5 * 2
  EXPECT_NEAR(sum(2, 1), 0.25, 1e-14);
  // The east cell has the south cell one step diagonally (drop 1) and the south-east cell beside it (drop 1):
  // 0.354 / 1.414 against 0.5.
  EXPECT_NEAR(sum(1, 2), 0.5 + 0.25 / 3, 1e-14);
  EXPECT_NEAR(sum(2, 2), 0.25 + 0.25 * 2 / 3, 1e-14);
  EXPECT_FALSE(accumulate_mfd_area<float>(g, geometry, {}, {MfdWeights::quinn, -1}, sum, Exec()).ok());
}

TEST(Mfd, AccumulatesByTheShares) {
  const MfdParams kinds[] = {{MfdWeights::freeman, 1.1}, {MfdWeights::quinn, 1},   {MfdWeights::freeman, 4},
                             {MfdWeights::quinn, 0.5},   {MfdWeights::freeman, 0}, {MfdWeights::freeman, 63}};
  std::size_t turn = 0;
  for (const Case& c : cases()) {
    const MfdParams& params = kinds[turn++ % 6];
    const int w = c.height.width();
    const int h = c.height.height();
    Grid<double> area(w, h);
    const Status status = accumulate_mfd_area<float>(c.height, c.geometry, c.mask, params, area, Exec());
    ASSERT_TRUE(status.ok()) << c.name << ": " << status.error().text();
    const Graph graph = graph_of_lower<float>(c.height, c.geometry, c.mask, params);
    const std::vector<double> want = sums_along(graph, areas(c.geometry, w, h));
    ASSERT_FALSE(want.empty()) << c.name << ": cycle";
    ASSERT_LT(worst(area, want), 1e-10) << c.name;
    test::expect_conserved(c, graph, area);
  }
}

// Rain with any decimals, losses (negative) and gaps: what comes out is what went in, rounded to units once.
TEST(Routing, WeightsAreConserved) {
  Grid<float> dem = random_terrain<float>(3, 64, 50, 2000, 2);
  fill<float>(dem, {}, dem, Exec());
  const CellGeometry geometry = CellGeometry::uniform(25, 50);
  Grid<float> weight(64, 50);
  for (std::int64_t i = 0; i < weight.cells(); ++i)
    weight[i] = static_cast<float>(1e-3 * (unit_double(hash64(9, i)) - 0.2));
  weight(5, 5) = kNoData<float>;
  double given = 0;
  for (std::int64_t i = 0; i < weight.cells(); ++i)
    if (!is_nodata(dem[i]) && !is_nodata(weight[i])) given += static_cast<double>(weight[i]);
  Grid<float> angle(64, 50);
  dinf<float>(dem, geometry, {}, angle, Exec());
  Grid<double> sum(64, 50);
  ASSERT_TRUE(accumulate_dinf_weighted(angle, geometry, weight, sum, Exec()).ok());
  EXPECT_NEAR(left_over(graph_of_angles(angle, geometry), sum), given, 1e-12);
  const MfdParams params;
  ASSERT_TRUE(accumulate_mfd_weighted<float>(dem, geometry, {}, params, weight, sum, Exec()).ok());
  EXPECT_NEAR(left_over(graph_of_lower<float>(dem, geometry, {}, params), sum), given, 1e-12);
  weight(7, 3) = HUGE_VALF;
  const Status s = accumulate_dinf_weighted(angle, geometry, weight, sum, Exec());
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().place, "cell (7, 3)");
}

// Less than a unit of rain on most cells: shares may vanish but nothing goes negative or missing.
TEST(Routing, TinyAmountsStayWhole) {
  Grid<float> dem = random_terrain<float>(4, 40, 40, 2000, 0);
  fill<float>(dem, {}, dem, Exec());
  const CellGeometry geometry = CellGeometry::uniform(1, 40);
  Grid<float> weight(40, 40, 1e-15F);
  weight(20, 20) = 4;
  Grid<double> sum(40, 40);
  const MfdParams params{MfdWeights::freeman, 0};
  ASSERT_TRUE(accumulate_mfd_weighted<float>(dem, geometry, {}, params, weight, sum, Exec()).ok());
  const double unit = std::ldexp(1.0, 3 - 52);
  for (std::int64_t i = 0; i < sum.cells(); ++i) ASSERT_TRUE(sum[i] >= unit && sum[i] < 4.1) << i;
  EXPECT_EQ(left_over(graph_of_lower<float>(dem, geometry, {}, params), sum), 4 + 1599 * unit);
}

TEST(Routing, MirroredLandGivesTheMirroredResult) {
  Grid<float> g(60, 45);
  for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = static_cast<float>(100 * unit_double(hash64(77, i)));
  Grid<float> turned(60, 45);
  for (int y = 0; y < 45; ++y)
    for (int x = 0; x < 60; ++x) turned(x, y) = g(59 - x, 44 - y);
  Grid<float> mirrored(60, 45);
  for (int y = 0; y < 45; ++y)
    for (int x = 0; x < 60; ++x) mirrored(x, y) = g(59 - x, y);
  const CellGeometry geometry = CellGeometry::uniform(3, 2, 45);
  Grid<float> a(60, 45), b(60, 45), c(60, 45);
  dinf<float>(g, geometry, {}, a, Exec());
  dinf<float>(mirrored, geometry, {}, b, Exec());
  dinf<float>(turned, geometry, {}, c, Exec());
  Grid<double> sa(60, 45), sb(60, 45), ma(60, 45), mb(60, 45), mc(60, 45);
  ASSERT_TRUE(accumulate_dinf_area(a, geometry, sa, Exec()).ok());
  ASSERT_TRUE(accumulate_dinf_area(b, geometry, sb, Exec()).ok());
  ASSERT_TRUE(accumulate_mfd_area<float>(g, geometry, {}, {}, ma, Exec()).ok());
  ASSERT_TRUE(accumulate_mfd_area<float>(mirrored, geometry, {}, {}, mb, Exec()).ok());
  ASSERT_TRUE(accumulate_mfd_area<float>(turned, geometry, {}, {}, mc, Exec()).ok());
  for (int y = 0; y < 45; ++y) {
    for (int x = 0; x < 60; ++x) {
      const int m = 59 - x;
      if (a(x, y) == kNoAngle) {
        ASSERT_EQ(b(m, y), kNoAngle);
        continue;
      }
      ASSERT_LT(apart(std::fmod(exact::kPi * 3 - a(x, y), kTurn), b(m, y)), 1e-6) << x << "," << y;
      ASSERT_LT(apart(std::fmod(exact::kPi + a(x, y), kTurn), c(m, 44 - y)), 1e-6) << x << "," << y;
      ASSERT_NEAR(sa(x, y) / sb(m, y), 1, 1e-5) << x << "," << y;
      ASSERT_NEAR(ma(x, y) / mb(m, y), 1, 1e-11) << x << "," << y;
      ASSERT_NEAR(ma(x, y) / mc(m, 44 - y), 1, 1e-11) << x << "," << y;
    }
  }
}

// On a cone the area above a cell a distance r from the top, per width, is r / 2; a bowl gathers all at its bottom.
TEST(Routing, ConeBowlAndSaddle) {
  constexpr int kSide = 81;
  constexpr int kTop = 40;
  const CellGeometry geometry = CellGeometry::uniform(1, kSide);
  Grid<double> cone(kSide, kSide), bowl(kSide, kSide), saddle(kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      bowl(x, y) = std::hypot(x - kTop, y - kTop);
      cone(x, y) = 100 - bowl(x, y);
      saddle(x, y) = (x - kTop) * (x - kTop) - (y - kTop) * (y - kTop);
    }
  }
  Grid<float> angle(kSide, kSide);
  dinf<double>(cone, geometry, {}, angle, Exec());
  Grid<double> by_angle(kSide, kSide), by_all(kSide, kSide);
  ASSERT_TRUE(accumulate_dinf_area(angle, geometry, by_angle, Exec()).ok());
  ASSERT_TRUE(accumulate_mfd_area<double>(cone, geometry, {}, {}, by_all, Exec()).ok());
  double mean_by_angle = 0;
  double mean_by_all = 0;
  int count = 0;
  for (int y = 1; y + 1 < kSide; ++y) {
    for (int x = 1; x + 1 < kSide; ++x) {
      const double r = bowl(x, y);
      if (r < 10 || r > 38) continue;
      ASSERT_LT(apart(angle(x, y), std::atan2(kTop - y, x - kTop) + (y > kTop ? kTurn : 0)), 0.5 / r) << x << "," << y;
      ASSERT_NEAR(by_angle(x, y) / (r / 2), 1, 0.45) << x << "," << y;  // worst along the axes
      ASSERT_NEAR(by_all(x, y) / (r / 2), 1, 0.35) << x << "," << y;
      mean_by_angle += by_angle(x, y) / (r / 2);
      mean_by_all += by_all(x, y) / (r / 2);
      ++count;
    }
  }
  EXPECT_NEAR(mean_by_angle / count, 1, 0.1);
  EXPECT_NEAR(mean_by_all / count, 1, 0.1);
  dinf<double>(bowl, geometry, {}, angle, Exec());
  ASSERT_TRUE(accumulate_dinf_area(angle, geometry, by_angle, Exec()).ok());
  ASSERT_TRUE(accumulate_mfd_area<double>(bowl, geometry, {}, {}, by_all, Exec()).ok());
  EXPECT_EQ(angle(kTop, kTop), kNoAngle);
  EXPECT_EQ(by_angle(kTop, kTop), kSide * kSide);
  EXPECT_EQ(by_all(kTop, kTop), kSide * kSide);
  dinf<double>(saddle, geometry, {}, angle, Exec());
  // On the axes two facets tie, each turned away by the fall to the side, 1 against 39: the counter-clockwise one.
  EXPECT_NEAR(angle(kTop + 20, kTop), exact::kPi + std::atan(1 / 39.0), 1e-6);
  EXPECT_NEAR(angle(kTop - 20, kTop), std::atan(1 / 39.0), 1e-6);
  EXPECT_EQ(angle(kTop, kTop + 20), static_cast<float>(1.5 * exact::kPi));
  ASSERT_TRUE(accumulate_mfd_area<double>(saddle, geometry, {}, {}, by_all, Exec()).ok());
  EXPECT_NEAR(by_all(kTop, 0) / by_all(kTop, kSide - 1), 1, 1e-10);
}

TEST(Routing, OddHeightsDoNoHarm) {
  const float odd[] = {0, 1, HUGE_VALF, -HUGE_VALF, 1e30F, -3e38F, 1e-45F, kNoData<float>};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const int w = 1 + static_cast<int>(hash64(seed, 1) % 9);
    const int h = 1 + static_cast<int>(hash64(seed, 2) % 9);
    Grid<float> g(w, h);
    for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = odd[hash64(seed, 3, i) % 8];
    const CellGeometry geometry = CellGeometry::uniform(1, seed % 2 == 0 ? 1 : 1e6, h);
    Grid<float> angle(w, h);
    dinf<float>(g, geometry, {}, angle, Exec());
    Grid<double> sum(w, h);
    ASSERT_TRUE(accumulate_dinf_area(angle, geometry, sum, Exec()).ok()) << seed;
    for (std::int64_t i = 0; i < g.cells(); ++i) ASSERT_TRUE(is_nodata(g[i]) || sum[i] > 0) << seed;
    const MfdParams params{MfdWeights::quinn, seed % 3 == 0 ? 1.0 : seed % 3 == 1 ? 1.1 : 5.0};
    ASSERT_TRUE(accumulate_mfd_area<float>(g, geometry, {}, params, sum, Exec()).ok()) << seed;
    for (std::int64_t i = 0; i < g.cells(); ++i) ASSERT_TRUE(is_nodata(g[i]) || sum[i] > 0) << seed;
    Grid<std::uint8_t> dir(w, h);
    rho8<float>(g, geometry, {}, seed, dir, Exec());
    Grid<std::uint64_t> cells(w, h);
    ASSERT_TRUE(accumulate_cells(dir, cells, Exec()).ok()) << seed;
  }
}

TEST(Routing, MarksWhatWaterFromOutsideMayReach) {
  for (const Case& c : cases()) {
    const int w = c.height.width();
    const int h = c.height.height();
    Grid<float> angle(w, h);
    dinf<float>(c.height, c.geometry, c.mask, angle, Exec());
    Grid<double> sum(w, h);
    Grid<std::uint8_t> by_angle(w, h, std::uint8_t{9});
    Grid<std::uint8_t> by_all(w, h, std::uint8_t{9});
    ASSERT_TRUE(accumulate_dinf_area(angle, c.geometry, sum, Exec(), by_angle).ok());
    ASSERT_TRUE(accumulate_mfd_area<float>(c.height, c.geometry, c.mask, {}, sum, Exec(3), by_all).ok());
    std::vector<double> seeds;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        seeds.push_back(!is_nodata(c.height(x, y)) && is_outlet<float>(c.height, {}, x, y) ? 1.0 : 0.0);
    Graph of_angles = graph_of_angles(angle, c.geometry);
    Graph of_lower = graph_of_lower<float>(c.height, c.geometry, c.mask, {});
    for (Graph* graph : {&of_angles, &of_lower})
      for (auto& edges : *graph)
        for (Edge& e : edges) e.share = 1;
    const std::vector<double> want_angle = sums_along(of_angles, seeds);
    const std::vector<double> want_all = sums_along(of_lower, seeds);
    for (std::int64_t i = 0; i < sum.cells(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      ASSERT_EQ(by_angle[i], want_angle[at] > 0 ? 1 : 0) << c.name << " cell " << i;
      ASSERT_EQ(by_all[i], want_all[at] > 0 ? 1 : 0) << c.name << " cell " << i;
    }
  }
}

TEST(Routing, SameBitsForAnyThreadsAndStrides) {
  Grid<float> dem = random_terrain<float>(11, 400, 700, 5000, 1);
  fill<float>(dem, {}, dem, Exec());
  const CellGeometry geometry = CellGeometry::geographic(50, 0.001, 0.001, 700);
  ContentHash first[4];
  for (const int threads : {1, 2, 7}) {
    const Exec exec(threads, threads == 2 ? TaskBackend::threads : TaskBackend::automatic);
    Grid<float> wide_angle(403, 700);
    Grid<double> wide_sum(405, 700);
    Grid<std::uint8_t> wide_flag(410, 700);
    Grid<std::uint8_t> dir(400, 700);
    const GridView<float> angle = wide_angle.view().window(2, 0, 400, 700);
    const GridView<double> sum = wide_sum.view().window(1, 0, 400, 700);
    const GridView<std::uint8_t> flag = wide_flag.view().window(7, 0, 400, 700);
    rho8<float>(dem, geometry, {}, 5, dir, exec);
    dinf<float>(dem, geometry, {}, angle, exec);
    ContentHash hash[4];
    hash[0] = content_hash<std::uint8_t>(dir);
    ASSERT_TRUE(accumulate_dinf_area(angle, geometry, sum, exec, flag).ok());
    hash[1] = content_hash<double>(sum);
    ASSERT_TRUE(accumulate_mfd_area<float>(dem, geometry, {}, {}, sum, exec, flag).ok());
    hash[2] = content_hash<double>(sum);
    hash[3] = content_hash<std::uint8_t>(flag);
    for (int i = 0; i < 4; ++i) {
      if (threads == 1) first[i] = hash[i];
      EXPECT_EQ(hash[i], first[i]) << threads << " threads, result " << i;
    }
  }
}

TEST(Routing, OneFunctionForAllMethods) {
  Grid<double> dem = random_terrain<double>(2, 33, 27, 500, 2);
  fill<double>(dem, {}, dem, Exec());
  const CellGeometry geometry = CellGeometry::uniform(5, 27);
  const Grid<float> one(33, 27, 25.0F);
  for (const Routing method : {Routing::d8, Routing::rho8, Routing::dinf, Routing::mfd}) {
    RoutingParams params;
    params.method = method;
    params.seed = 4;
    Grid<double> area(33, 27), weighted(33, 27), want(33, 27);
    ASSERT_TRUE(accumulate_routed<double>(params, dem, geometry, {}, {}, area, Exec()).ok());
    ASSERT_TRUE(accumulate_routed<double>(params, dem, geometry, {}, one, weighted, Exec()).ok());
    Grid<std::uint8_t> dir(33, 27);
    Grid<float> angle(33, 27);
    if (method == Routing::dinf) {
      dinf<double>(dem, geometry, {}, angle, Exec());
      ASSERT_TRUE(accumulate_dinf_area(angle, geometry, want, Exec()).ok());
    } else if (method == Routing::mfd) {
      ASSERT_TRUE(accumulate_mfd_area<double>(dem, geometry, {}, {}, want, Exec()).ok());
    } else {
      if (method == Routing::d8) d8<double>(dem, geometry, {}, dir, Exec());
      if (method == Routing::rho8) rho8<double>(dem, geometry, {}, 4, dir, Exec());
      ASSERT_TRUE(accumulate_area(dir, geometry, want, Exec()).ok());
    }
    EXPECT_TRUE(same_cells<double>(area, want));
    for (std::int64_t i = 0; i < want.cells(); ++i) {
      if (!is_nodata(want[i])) {
        ASSERT_NEAR(weighted[i], want[i], 1e-6);
      }
    }
  }
}

TEST(Rho8, MeanStepPointsDownThePlane) {
  for (const double dy : {1.0, 2.5, 0.4}) {
    for (int turn = 0; turn < 16; ++turn) {
      const double aspect = kTurn * (turn + 0.37) / 16;
      Grid<double> g(3, 3);
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) g(x, y) = -x * std::cos(aspect) + y * dy * std::sin(aspect);
      double east = 0;
      double north = 0;
      for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        Grid<std::uint8_t> dir(3, 3);
        rho8<double>(g, CellGeometry::uniform(1, dy, 3), {}, seed, dir, Exec());
        const int d = kNeighbourOfCode[dir(1, 1)];
        ASSERT_GE(d, 0);
        east += kDx[static_cast<std::size_t>(d)];
        north -= kDy[static_cast<std::size_t>(d)] * dy;
      }
      EXPECT_LT(apart(std::atan2(north, east), aspect > exact::kPi ? aspect - kTurn : aspect), 0.03) << aspect;
    }
  }
}

TEST(Rho8, IsASeededRoutingLikeD8) {
  for (const Case& c : cases()) {
    const GridView<const float> g = c.height;
    Grid<std::uint8_t> plain(g.width(), g.height());
    Grid<std::uint8_t> dir(g.width(), g.height());
    d8<float>(g, c.geometry, c.mask, plain, Exec());
    rho8<float>(g, c.geometry, c.mask, 1, dir, Exec());
    for (int y = 0; y < g.height(); ++y) {
      for (int x = 0; x < g.width(); ++x) {
        const int d = kNeighbourOfCode[dir(x, y)];
        ASSERT_EQ(d < 0, kNeighbourOfCode[plain(x, y)] < 0) << c.name;
        if (d < 0) {
          ASSERT_EQ(dir(x, y), plain(x, y)) << c.name;
          continue;
        }
        const int nx = x + kDx[static_cast<std::size_t>(d)];
        const int ny = y + kDy[static_cast<std::size_t>(d)];
        ASSERT_TRUE(g(nx, ny) < g(x, y) || dir(x, y) == plain(x, y)) << c.name;
      }
    }
  }
  // A window sees the same random numbers as the whole; another seed does not.
  Grid<float> plane(80, 60);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 80; ++x) plane(x, y) = static_cast<float>(-3 * x - y);
  const CellGeometry geometry = CellGeometry::uniform(1, 60);
  Grid<std::uint8_t> whole(80, 60), part(30, 20), other(80, 60);
  rho8<float>(plane, geometry, {}, 7, whole, Exec(), -40, 1000);
  rho8<float>(plane, geometry, {}, 8, other, Exec(), -40, 1000);
  rho8<float>(plane.view().window(33, 11, 30, 20), geometry, {}, 7, part, Exec(), -40 + 33, 1011);
  EXPECT_TRUE(same_cells<std::uint8_t>(part.view().window(1, 1, 28, 18), whole.view().window(34, 12, 28, 18)));
  EXPECT_FALSE(same_cells<std::uint8_t>(whole, other));
}

}  // namespace
}  // namespace thalweg::hydrology
