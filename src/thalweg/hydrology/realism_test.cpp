#include "thalweg/hydrology/realism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <set>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/fourier.h"
#include "thalweg/hydrology/rivers.h"
#include "thalweg/hydrology/test_fbm.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

RealismReport measure(GridView<const float> land, double cell_m, const RealismParams& params = {}) {
  auto report = measure_realism(land, CellGeometry::uniform(cell_m, land.height()), {}, params, Exec());
  EXPECT_TRUE(report);
  return std::move(*report);
}

double figure(const RealismReport& report, const std::string& name) {
  const RealismFigure* f = report.find(name);
  EXPECT_NE(f, nullptr) << name;
  return f == nullptr ? kNoData<double> : f->value;
}

void expect_near(const RealismReport& report, const std::string& name, double value, double tolerance) {
  EXPECT_NEAR(figure(report, name), value, tolerance) << name;
}

const Grid<float>& fbm() {
  static const Grid<float> land = test::fbm_terrain(1025);
  return land;
}

// Figures that other programs gave for this terrain. Those of channels vary with the ways across its many filled lakes,
// which no two programs route alike: concavity, for one, was 0.98 where lakes counted as channels of almost no slope.
TEST(Realism, NoiseAt30MetresAsMeasuredElsewhere) {
  const RealismReport r = measure(fbm(), 30);
  EXPECT_EQ(r.cells, CellClass::coarse);
  EXPECT_EQ(r.channel_area_km2, 1);
  expect_near(r, "depressions", 28.6, 0.1);
  expect_near(r, "fill-depth", 48.6, 0.1);
  expect_near(r, "pit-peak-ratio", 1.02, 0.01);
  expect_near(r, "spectrum", 4.0, 0.05);
  expect_near(r, "spectrum-long", 4.05, 0.1);
  expect_near(r, "spectrum-short", 3.9, 0.1);
  expect_near(r, "curvature-skew", 0, 0.01);
  expect_near(r, "curvature-kurtosis", 2.8, 0.05);
  expect_near(r, "relief", 753, 25);
  expect_near(r, "hypsometry-map", 0.5, 0.01);
  expect_near(r, "hypsometry-basins", 0.47, 0.03);
  expect_near(r, "valley-share", 31, 1);
  expect_near(r, "drainage-density", 0.70, 0.04);
  expect_near(r, "hack", 0.44, 0.04);
  expect_near(r, "horton-bifurcation", 4.2, 0.3);
  expect_near(r, "horton-area", 3.9, 0.4);
  EXPECT_LT(figure(r, "concavity-r2"), 0.85);
  EXPECT_GT(figure(r, "area-exceedance"), 0.6);
}

TEST(Realism, NoiseAt90Metres) {
  const RealismReport r = measure(fbm(), 90);
  expect_near(r, "slope-mean", 6.8, 0.1);
  expect_near(r, "slope-p90", 11, 0.6);
  expect_near(r, "slope-p99", 16, 0.5);
  expect_near(r, "relief", 310, 20);
  expect_near(r, "valley-share", 37, 1);
}

// Land in balance between uplift and stream power: z rises from each cell's receiver by (U/K)^(1/n) A^-(m/n) a metre.
// Directions follow the heights and heights the directions until they agree.
Grid<float> steady_land(int n, double cell_m, double steepness, double concavity) {
  const CellGeometry geometry = CellGeometry::uniform(cell_m, n);
  Grid<double> z(n, n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) z(x, y) = 100 * unit_double(hash64(4, x, y));
  Grid<double> filled(n, n), area(n, n);
  Grid<std::uint8_t> dir(n, n);
  std::vector<std::int64_t> order(static_cast<std::size_t>(z.cells()));
  for (int round = 0; round < 60; ++round) {
    fill<double>(z, {}, filled, Exec());
    d8<double>(filled, geometry, {}, dir, Exec());
    EXPECT_TRUE(accumulate_area(dir, geometry, area, Exec()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return area[a] > area[b]; });
    for (const std::int64_t i : order) {
      const int x = static_cast<int>(i % n), y = static_cast<int>(i / n);
      if (dir[i] == kNoFlow) {
        z[i] = 0;
        continue;
      }
      const int d = direction_index(dir[i]);
      const auto k = static_cast<std::size_t>(d);
      z[i] = z(x + kDx[k], y + kDy[k]) + geometry.distance_m(y, d) * steepness * exact::pow(area[i], -concavity);
    }
  }
  Grid<float> out(n, n);
  for (std::int64_t i = 0; i < z.cells(); ++i) out[i] = static_cast<float>(z[i]);
  return out;
}

TEST(Realism, SteadyStreamPowerGivesItsConcavityAndSteepness) {
  const RealismReport r = measure(steady_land(256, 90, 100, 0.45), 90);
  expect_near(r, "concavity", 0.45, 0.01);
  EXPECT_GT(figure(r, "concavity-r2"), 0.995);
  expect_near(r, "steepness", 100, 1.5);
  expect_near(r, "depressions", 0, 0.5);
  EXPECT_GT(figure(r, "hack"), 0.5);
  EXPECT_LT(figure(r, "hack"), 0.7);
  expect_near(r, "area-exceedance", 0.48, 0.08);
}

TEST(Realism, OtherConcavityOtherSteepness) {
  RealismParams params;
  params.reference_concavity = 0.6;
  params.channel_area_km2 = 0.5;
  const RealismReport r = measure(steady_land(200, 60, 900, 0.6), 60, params);
  expect_near(r, "concavity", 0.6, 0.015);
  expect_near(r, "steepness", 900, 20);
  EXPECT_EQ(r.find("steepness")->unit, "m^1.2");
}

// The rivers of rivers.h are traced and ordered by other code.
TEST(Realism, HortonsRatiosFromTracedRivers) {
  const int n = 300;
  const CellGeometry geometry = CellGeometry::uniform(30, n);
  const Grid<float> land = test::fbm_terrain(n + 1);
  const GridView<const float> g = land.view().window(0, 0, n, n);
  Grid<float> filled(n, n);
  Grid<std::uint8_t> dir(n, n);
  Grid<double> area(n, n);
  fill<float>(g, {}, filled, Exec());
  d8<float>(filled, geometry, {}, dir, Exec());
  ASSERT_TRUE(accumulate_area(dir, geometry, area, Exec()));
  RiverInputs inputs{};
  inputs.directions = dir;
  inputs.area_m2 = area;
  inputs.height = filled;
  RiverParams river_params;
  river_params.min_area_km2 = 0.05;
  const auto network = extract_rivers(inputs, geometry, river_params, Exec());
  ASSERT_TRUE(network);
  std::map<std::int32_t, const Reach*> by_id;
  for (const Reach& r : network->reaches) by_id[r.id] = &r;
  struct Sum {
    double count = 0, length = 0, area = 0;
  };
  std::map<int, Sum> sums;
  for (const Reach& r : network->reaches) {
    Sum& s = sums[r.strahler];
    s.length += r.length_m;
    const bool ends = r.downstream == 0 || by_id[r.downstream]->strahler > r.strahler;
    if (!ends) continue;
    // In the last cell of a mouth reaches end beside each other; the one of highest order goes on into it.
    const Reach::Point& end = r.points.back();
    const auto rival = [&](const Reach& other) {
      return other.downstream == 0 && other.points.back().x == end.x && other.points.back().y == end.y &&
             other.strahler >= r.strahler;
    };
    const bool alone = r.downstream == 0 && std::count_if(network->reaches.begin(), network->reaches.end(), rival) == 1;
    s.count += 1;
    s.area += alone ? area(static_cast<int>(end.x), static_cast<int>(end.y)) : r.area_m2;
  }
  std::vector<double> x, count, length, mean_area;
  for (const auto& [order, s] : sums) {
    if (s.count < 2) continue;
    x.push_back(order), count.push_back(std::log(s.count));
    length.push_back(std::log(s.length / s.count)), mean_area.push_back(std::log(s.area / s.count));
  }
  ASSERT_GE(x.size(), 4U);
  const auto ratio = [&](const std::vector<double>& y) {
    double mx = 0, my = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      mx += x[i] / static_cast<double>(x.size()), my += y[i] / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) xx += (x[i] - mx) * (x[i] - mx), xy += (x[i] - mx) * (y[i] - my);
    return std::exp(xy / xx);
  };
  RealismParams params;
  params.channel_area_km2 = 0.05;
  const RealismReport r = measure(g, 30, params);
  expect_near(r, "horton-bifurcation", 1 / ratio(count), 1e-6);
  expect_near(r, "horton-length", ratio(length), 0.02 * ratio(length));
  expect_near(r, "horton-area", ratio(mean_area), 1e-6);
}

TEST(Realism, PitsPeaksAndDepressionsByHand) {
  Grid<float> g(9, 9, 10.0F);
  g(2, 2) = 4;  // a pit of one cell
  g(6, 2) = 3;  // two cells at the bottom: no strict minimum
  g(6, 3) = 3;
  g(2, 6) = 15;  // two peaks
  g(6, 6) = 16;
  const RealismReport r = measure(g, 30);
  expect_near(r, "pit-peak-ratio", 0.5, 1e-12);
  EXPECT_EQ(r.find("pit-peak-ratio")->n, 2);
  expect_near(r, "depressions", 100 * 3 / 81.0, 1e-9);
  expect_near(r, "fill-depth", (6 + 7 + 7) / 81.0, 1e-9);
  expect_near(r, "hypsometry-map", ((10 * 76 + 4 + 3 + 3 + 15 + 16) / 81.0 - 3) / 13, 1e-6);
}

TEST(Realism, PlaneHasItsSlopeReliefAndHypsometry) {
  Grid<float> g(201, 151);
  for (int y = 0; y < 151; ++y)
    for (int x = 0; x < 201; ++x) g(x, y) = static_cast<float>(3 * x);
  const RealismReport r = measure(g, 30);  // tangent 0.1
  for (const char* name : {"slope-mean", "slope-p90", "slope-p99"}) expect_near(r, name, 5.7106, 1e-3);
  expect_near(r, "relief", 3 * 2 * 42, 1e-3);  // 1250 m are 42 cells
  expect_near(r, "hypsometry-map", 0.5, 1e-6);
  ASSERT_EQ(r.hypsometric_curve.size(), 21U);
  EXPECT_NEAR(r.hypsometric_curve[10], 0.5, 0.01);
  EXPECT_EQ(r.hypsometric_curve[20], 0);
  expect_near(r, "depressions", 0, 0);
  EXPECT_TRUE(std::isnan(figure(r, "pit-peak-ratio")));
  EXPECT_EQ(r.find("pit-peak-ratio")->n, 0);
}

TEST(Realism, ValleyFloorOfAValley) {
  // Walls of tangent 0.1 on both sides of a channel that falls 1 mm a cell: 10 m are reached 100 m away.
  Grid<float> g(101, 400);
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 101; ++x) g(x, y) = static_cast<float>(3.0 * std::abs(x - 50) + 0.001 * (400 - y));
  RealismParams params;
  params.channel_area_km2 = 0.5;
  const RealismReport r = measure(g, 30, params);
  expect_near(r, "valley-share", 100 * 7 / 99.0, 1);  // 3 cells to each side; the outermost leave the map
}

TEST(Realism, UpsideDownLandHasTheOppositeSkew) {
  Grid<float> g = test::fbm_terrain(257);
  for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = g[i] * g[i] / 2000;
  Grid<float> down(257, 257);
  for (std::int64_t i = 0; i < g.cells(); ++i) down[i] = 2000 - g[i];
  const RealismReport a = measure(g, 30), b = measure(down, 30);
  EXPECT_GT(std::fabs(figure(a, "curvature-skew")), 0.01);
  expect_near(b, "curvature-skew", -figure(a, "curvature-skew"), 1e-4);
  expect_near(b, "pit-peak-ratio", 1 / figure(a, "pit-peak-ratio"), 1e-9);
  expect_near(b, "spectrum", figure(a, "spectrum"), 1e-4);
}

// Cosines of all wave vectors up to 120 across, with power k^-beta and random phases.
Grid<float> waves(std::uint64_t seed, double beta) {
  const int n = 256;
  std::vector<std::complex<double>> cells(n * n);
  for (int j = -120; j <= 120; ++j)
    for (int i = -120; i <= 120; ++i) {
      if (i == 0 && j == 0) continue;
      const double phase = 2 * exact::kPi * unit_double(hash64(seed, i, j));
      cells[static_cast<std::size_t>((j + n) % n * n + (i + n) % n)] =
          std::polar(std::pow(std::hypot(i, j), -beta / 2), phase);
    }
  internal::fourier_square(cells, n, Exec());
  Grid<float> g(n, n);
  for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = static_cast<float>(cells[static_cast<std::size_t>(i)].real());
  return g;
}

TEST(Realism, SpectrumOfKnownPower) {
  for (const double beta : {2.0, 4.0}) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) mean += figure(measure(waves(seed, beta), 30), "spectrum") / 4;
    EXPECT_NEAR(mean, beta, 0.12);
  }
}

TEST(Fourier, AgreesWithTheSum) {
  for (const int n : {2, 3, 4, 6, 8, 12, 24, 32}) {
    const auto side = static_cast<std::size_t>(n);
    std::vector<std::complex<double>> in(side * side);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = {unit_double(hash64(1, static_cast<std::int64_t>(i))),
               unit_double(hash64(2, static_cast<std::int64_t>(i)))};
    std::vector<std::complex<double>> out = in;
    internal::fourier_square(out, n, Exec());
    for (std::size_t k = 0; k < side; ++k)
      for (std::size_t j = 0; j < side; ++j) {
        std::complex<double> sum = 0;
        for (std::size_t y = 0; y < side; ++y)
          for (std::size_t x = 0; x < side; ++x)
            sum += in[y * side + x] * std::polar(1.0, -2 * exact::kPi * static_cast<double>(j * x + k * y) / n);
        ASSERT_NEAR(std::abs(out[k * side + j] - sum), 0, 1e-10 * n * n) << n;
      }
  }
  EXPECT_EQ(internal::fourier_size(1), 0);
  EXPECT_EQ(internal::fourier_size(7), 6);
  EXPECT_EQ(internal::fourier_size(1025), 1024);
  EXPECT_EQ(internal::fourier_size(1600), 1536);
}

TEST(Realism, SeaIsNoLand) {
  const Grid<float> g = test::fbm_terrain(200);
  Grid<float> cut = g.clone();
  Grid<std::uint8_t> sea(200, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x)
      if (x + y < 150) sea(x, y) = 1, cut(x, y) = kNoData<float>;
  const CellGeometry geometry = CellGeometry::uniform(60, 200);
  const auto masked = measure_realism(g, geometry, sea, {}, Exec());
  const auto other = measure_realism(cut, geometry, {}, {}, Exec());
  ASSERT_TRUE(masked && other);
  EXPECT_EQ(masked->land_cells, 40000 - 150 * 151 / 2);
  for (std::size_t i = 0; i < masked->figures.size(); ++i) {
    const double a = masked->figures[i].value, b = other->figures[i].value;
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << masked->figures[i].name;
  }
}

TEST(Realism, SameBitsForAnyThreads) {
  const Grid<float> g = test::fbm_terrain(330);
  const CellGeometry geometry = CellGeometry::geographic(50, 0.001, 0.0008, 330);
  const auto one = measure_realism(g, geometry, {}, {}, Exec(1));
  ASSERT_TRUE(one);
  for (const int threads : {2, 7})
    for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::automatic}) {
      const auto many = measure_realism(g, geometry, {}, {}, Exec(threads, backend));
      ASSERT_TRUE(many);
      for (std::size_t i = 0; i < one->figures.size(); ++i) {
        const double a = one->figures[i].value, b = many->figures[i].value;
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << one->figures[i].name;
        EXPECT_EQ(one->figures[i].n, many->figures[i].n);
      }
    }
}

TEST(Realism, EveryReportHasTheSameFigures) {
  const RealismReport whole = measure(test::fbm_terrain(257), 90);
  std::set<std::string> names;
  for (const RealismFigure& f : whole.figures) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_FALSE(f.method.empty()) << f.name;
    EXPECT_FALSE(f.brief.empty()) << f.name;
    EXPECT_GT(f.n, 0) << f.name;
    EXPECT_TRUE(std::isfinite(f.value)) << f.name;
  }
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {40, 33}})
    for (const float v : {0.0F, kNoData<float>, 1e30F, kInf, -kInf}) {
      Grid<float> g(w, h, v);
      for (int change = 0; change < 2; ++change) {
        const RealismReport r = measure(g, 5);
        ASSERT_EQ(r.figures.size(), whole.figures.size());
        for (std::size_t i = 0; i < r.figures.size(); ++i) {
          EXPECT_EQ(r.figures[i].name, whole.figures[i].name);
          EXPECT_EQ(r.figures[i].n == 0, std::isnan(r.figures[i].value)) << r.figures[i].name;
        }
        g(w / 2, h / 2) = 3;
      }
    }
}

TEST(Realism, RefusesAndStops) {
  RealismParams params;
  params.drop_m = 0;
  const Grid<float> g = test::fbm_terrain(65);
  const CellGeometry geometry = CellGeometry::uniform(30, 65);
  const auto refused = measure_realism(g, geometry, {}, params, Exec());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("drop_m"), std::string::npos);
  const volatile int stop = 1;
  const auto stopped = measure_realism(g, geometry, {}, {}, Exec().with_cancel(&stop));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

TEST(Realism, CellClasses) {
  EXPECT_EQ(cell_class(1), CellClass::fine);
  EXPECT_EQ(cell_class(4), CellClass::medium);
  EXPECT_EQ(cell_class(12), CellClass::medium);
  EXPECT_EQ(cell_class(25), CellClass::coarse);
  EXPECT_EQ(default_channel_area_km2(CellClass::medium), 0.05);
}

}  // namespace
}  // namespace thalweg::hydrology
