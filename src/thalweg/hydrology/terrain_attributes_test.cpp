#include "thalweg/hydrology/terrain_attributes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

constexpr float kNaN = kNoData<float>;
constexpr double kDegrees = 180 / 3.14159265358979323846;

// Heights of a surface z(east, north) in metres, the origin in the middle of the grid.
Grid<float> surface(int w, int h, double dx, double dy, const std::function<double(double, double)>& z) {
  Grid<float> g(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) g(x, y) = static_cast<float>(z((x - w / 2) * dx, (h / 2 - y) * dy));
  return g;
}

Grid<float> slope_of(const Grid<float>& g, const CellGeometry& geometry, SlopeUnit unit = SlopeUnit::degrees) {
  Grid<float> out(g.width(), g.height());
  slope(g, geometry, {unit}, out, Exec());
  return out;
}
Grid<float> aspect_of(const Grid<float>& g, const CellGeometry& geometry) {
  Grid<float> out(g.width(), g.height());
  aspect(g, geometry, out, Exec());
  return out;
}
Grid<float> curvature_of(const Grid<float>& g, const CellGeometry& geometry, CurvatureKind kind) {
  Grid<float> out(g.width(), g.height());
  curvature(g, geometry, {kind}, out, Exec());
  return out;
}

TEST(TerrainAttributes, PlaneOnOblongCellsUpToTheEdge) {
  // Rises 0.3 to the east and 0.4 to the north: tangent 0.5, faces south-west by 3 to 4.
  const Grid<float> g = surface(7, 5, 10, 25, [](double e, double n) { return 0.3 * e + 0.4 * n; });
  const CellGeometry geometry = CellGeometry::uniform(10, 25, 5);
  const Grid<float> degrees = slope_of(g, geometry);
  const Grid<float> tangent = slope_of(g, geometry, SlopeUnit::tangent);
  const Grid<float> facing = aspect_of(g, geometry);
  const Grid<float> laplacian = curvature_of(g, geometry, CurvatureKind::laplacian);
  for (std::int64_t i = 0; i < g.cells(); ++i) {
    EXPECT_NEAR(tangent[i], 0.5, 1e-6);
    EXPECT_NEAR(degrees[i], std::atan(0.5) * kDegrees, 1e-4);
    EXPECT_NEAR(facing[i], 180 + std::atan2(0.3, 0.4) * kDegrees, 1e-3);
    EXPECT_NEAR(laplacian[i], 0, 2e-4);
  }
}

TEST(TerrainAttributes, AspectOfTheFourWindsAndOfLevelGround) {
  const CellGeometry geometry = CellGeometry::uniform(10, 3);
  const auto facing = [&](double east, double north) {
    const Grid<float> g = surface(3, 3, 10, 10, [&](double e, double n) { return -(east * e + north * n); });
    return aspect_of(g, geometry)(1, 1);
  };
  EXPECT_EQ(facing(0, 1), 0);
  EXPECT_EQ(facing(1, 0), 90);
  EXPECT_EQ(facing(0, -1), 180);
  EXPECT_EQ(facing(-1, 0), 270);
  EXPECT_NEAR(facing(-1, 1), 315, 1e-4);
  EXPECT_EQ(facing(0, 0), -1);
  EXPECT_LT(facing(-1e-9, 1), 360);
}

TEST(TerrainAttributes, ConeHasConstantSlopeAndRoundContours) {
  const CellGeometry geometry = CellGeometry::uniform(2, 3, 81);
  const Grid<float> g = surface(121, 81, 2, 3, [](double e, double n) { return 500 - 0.7 * std::hypot(e, n); });
  const Grid<float> steep = slope_of(g, geometry, SlopeUnit::tangent);
  const Grid<float> profile = curvature_of(g, geometry, CurvatureKind::profile);
  const Grid<float> plan = curvature_of(g, geometry, CurvatureKind::plan);
  const Grid<float> facing = aspect_of(g, geometry);
  for (int y = 10; y < 71; ++y) {
    for (int x = 10; x < 111; ++x) {
      const double e = (x - 60) * 2;
      const double n = (40 - y) * 3;
      const double radius = std::hypot(e, n);
      if (radius < 40) continue;
      EXPECT_NEAR(steep(x, y), 0.7, 0.002);
      EXPECT_NEAR(profile(x, y), 0, 0.2);
      EXPECT_NEAR(plan(x, y), -1000 / radius, 0.02 * 1000 / radius) << x << "," << y;  // ridges are negative
      const double away = std::atan2(e, n) * kDegrees;
      EXPECT_NEAR(std::remainder(facing(x, y) - away, 360.0), 0, 0.3);
    }
  }
}

TEST(TerrainAttributes, SphereCurvesAlikeInEveryDirection) {
  constexpr double kRadius = 1000;
  const CellGeometry geometry = CellGeometry::uniform(5, 8, 61);
  const Grid<float> dome =
      surface(61, 61, 5, 8, [](double e, double n) { return std::sqrt(kRadius * kRadius - e * e - n * n); });
  const Grid<float> profile = curvature_of(dome, geometry, CurvatureKind::profile);
  const Grid<float> tangential = curvature_of(dome, geometry, CurvatureKind::tangential);
  for (int y = 2; y < 59; y += 3)
    for (int x = 2; x < 59; x += 4) {
      if (x == 30 && y == 30) continue;  // the level top has no direction
      EXPECT_NEAR(profile(x, y), -1000 / kRadius, 0.02) << x << "," << y;
      EXPECT_NEAR(tangential(x, y), -1000 / kRadius, 0.02) << x << "," << y;
    }
  EXPECT_EQ(profile(30, 30), 0);
}

TEST(TerrainAttributes, BowlAndSaddle) {
  const CellGeometry geometry = CellGeometry::uniform(10, 41);
  const Grid<float> bowl = surface(41, 41, 10, 10, [](double e, double n) { return 0.002 * (e * e + n * n); });
  // At 100 m east of the middle: p = 0.4, r = t = 0.004.
  EXPECT_NEAR(curvature_of(bowl, geometry, CurvatureKind::laplacian)(30, 20), 8, 1e-3);
  EXPECT_NEAR(curvature_of(bowl, geometry, CurvatureKind::plan)(30, 20), 10, 1e-3);
  EXPECT_NEAR(curvature_of(bowl, geometry, CurvatureKind::profile)(30, 20), 4 / std::pow(1.16, 1.5), 1e-3);
  EXPECT_NEAR(curvature_of(bowl, geometry, CurvatureKind::tangential)(30, 20), 4 / std::sqrt(1.16), 1e-3);
  const Grid<float> saddle = surface(41, 41, 10, 10, [](double e, double n) { return 0.002 * (e * e - n * n); });
  EXPECT_NEAR(curvature_of(saddle, geometry, CurvatureKind::laplacian)(27, 12), 0, 1e-3);
  EXPECT_NEAR(curvature_of(saddle, geometry, CurvatureKind::plan)(30, 20), -10, 1e-3);  // the way up leads on a ridge
  EXPECT_NEAR(curvature_of(saddle, geometry, CurvatureKind::profile)(20, 10), -4 / std::pow(1.16, 1.5), 1e-3);
  // Turned by 45 degrees only the mixed derivative is left.
  const Grid<float> turned = surface(41, 41, 10, 10, [](double e, double n) { return 0.004 * e * n; });
  EXPECT_NEAR(curvature_of(turned, geometry, CurvatureKind::profile)(27, 13),
              4 / std::pow(1 + 0.0016 * 0.98 * 100, 1.5), 0.05);
}

TEST(TerrainAttributes, MirroredLandHasMirroredFigures) {
  const int w = 33, h = 21;
  const Grid<float> g = test::random_terrain<float>(11, w, h, 900, 5);
  Grid<float> mirrored(w, h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) mirrored(x, y) = g(w - 1 - x, y);
  const CellGeometry geometry = CellGeometry::uniform(30, 20, h);
  const Grid<float> a = slope_of(g, geometry), b = slope_of(mirrored, geometry);
  const Grid<float> fa = aspect_of(g, geometry), fb = aspect_of(mirrored, geometry);
  const Grid<float> ka = curvature_of(g, geometry, CurvatureKind::plan);
  const Grid<float> kb = curvature_of(mirrored, geometry, CurvatureKind::plan);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int m = w - 1 - x;
      if (std::isnan(g(x, y))) {
        EXPECT_TRUE(std::isnan(a(x, y)) && std::isnan(fa(x, y)) && std::isnan(ka(x, y)));
        continue;
      }
      EXPECT_NEAR(a(x, y), b(m, y), 1e-4);
      EXPECT_NEAR(ka(x, y), kb(m, y), 1e-3 * std::fabs(ka(x, y)) + 1e-6);
      if (fa(x, y) >= 0) {
        EXPECT_NEAR(std::remainder(fa(x, y) + fb(m, y), 360.0), 0, 1e-3);
      }
    }
}

TEST(TerrainAttributes, BesideNoDataDifferencesAreOneSided) {
  const CellGeometry geometry = CellGeometry::uniform(10, 5);
  Grid<float> g = surface(5, 5, 10, 10, [](double e, double n) { return 0.2 * e - 0.1 * n; });
  g(2, 2) = g(0, 0) = g(1, 0) = kNaN;
  const Grid<float> tangent = slope_of(g, geometry, SlopeUnit::tangent);
  for (std::int64_t i = 0; i < g.cells(); ++i)
    if (std::isnan(g[i])) {
      EXPECT_TRUE(std::isnan(tangent[i]));
    } else {
      EXPECT_NEAR(tangent[i], std::hypot(0.2, 0.1), 1e-6) << i;
    }
}

TEST(TerrainAttributes, LatitudesHaveTheirOwnCellSizes) {
  const CellGeometry geometry = CellGeometry::geographic(60, 0.001, 0.001, 200);
  Grid<float> g(9, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 9; ++x) g(x, y) = static_cast<float>(x);
  const Grid<float> tangent = slope_of(g, geometry, SlopeUnit::tangent);
  for (const int y : {1, 100, 198}) EXPECT_NEAR(tangent(4, y), 1 / geometry.row(y).dx_m, 1e-7);
}

TEST(TerrainAttributes, WetnessAndPower) {
  const CellGeometry geometry = CellGeometry::uniform(10, 40, 1);
  Grid<double> area(3, 1);
  Grid<float> tangent(3, 1);
  area[0] = 4000, area[1] = 4000, area[2] = kNoData<double>;
  tangent[0] = 0.25F, tangent[1] = 0, tangent[2] = 0.25F;
  Grid<float> out(3, 1);
  topographic_wetness(area, tangent, geometry, {}, out, Exec());
  EXPECT_NEAR(out[0], std::log(200 / 0.25), 1e-6);  // contour width 20 m
  EXPECT_NEAR(out[1], std::log(200 / 0.001), 1e-6);
  EXPECT_TRUE(std::isnan(out[2]));
  stream_power_index(area, tangent, geometry, out, Exec());
  EXPECT_FLOAT_EQ(out[0], 50);
  EXPECT_EQ(out[1], 0);
  EXPECT_TRUE(std::isnan(out[2]));
}

TEST(TerrainAttributes, HeightAboveDrainageByHand) {
  // A valley along row 1 that runs east; the last column's northern cell leaves the map by itself.
  Grid<float> g(3, 3);
  Grid<std::uint8_t> dir(3, 3), channel(3, 3);
  const float z[9] = {9, 8, 7, 5, 4, 3, 6, 7, 8};
  const std::uint8_t d[9] = {4, 4, 0, 1, 1, 0, 64, 64, 64};
  for (int i = 0; i < 9; ++i) g[i] = z[i], dir[i] = d[i];
  channel(1, 1) = channel(2, 1) = 1;
  Grid<float> out(3, 3);
  ASSERT_TRUE(height_above_drainage(g, dir, channel, {}, out, Exec()));
  const float expected[9] = {5, 4, 0, 1, 0, 0, 2, 3, 5};
  for (int i = 0; i < 9; ++i) EXPECT_EQ(out[i], expected[i]) << i;
  ASSERT_TRUE(height_above_drainage(g, dir, channel, {.to_outlets = false}, out, Exec()));
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_EQ(out[0], 5);
  dir(1, 1) = 16;  // back west: a circle, but it has a channel in it; without, there is no end
  EXPECT_TRUE(height_above_drainage(g, dir, channel, {}, out, Exec()));
  channel.fill(0);
  EXPECT_FALSE(height_above_drainage(g, dir, channel, {}, out, Exec()));
}

TEST(TerrainAttributes, HeightAboveDrainageOnRandomLand) {
  const Grid<float> g = test::random_terrain<float>(5, 60, 50, 400, 8);
  const CellGeometry geometry = CellGeometry::uniform(10, 50);
  Grid<float> filled(60, 50), out(60, 50);
  Grid<std::uint8_t> dir(60, 50), channel(60, 50);
  fill<float>(g, {}, filled, Exec());
  d8<float>(filled, geometry, {}, dir, Exec());
  const Grid<std::uint64_t> n = test::naive_accumulation(dir);
  for (std::int64_t i = 0; i < n.cells(); ++i) channel[i] = n[i] >= 12 ? 1 : 0;
  ASSERT_TRUE(height_above_drainage(filled, dir, channel, {}, out, Exec()));
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 60; ++x) {
      if (std::isnan(g(x, y))) {
        EXPECT_TRUE(std::isnan(out(x, y)));
        continue;
      }
      int cx = x, cy = y;
      while (channel(cx, cy) == 0 && dir(cx, cy) != kNoFlow) {
        const auto d = static_cast<std::size_t>(direction_index(dir(cx, cy)));
        if (!dir.view().contains(cx + kDx[d], cy + kDy[d]) || dir(cx + kDx[d], cy + kDy[d]) == kFlowNoData) break;
        cx += kDx[d], cy += kDy[d];
      }
      EXPECT_EQ(out(x, y), filled(x, y) - filled(cx, cy));
      EXPECT_GE(out(x, y), 0);
    }
}

TEST(TerrainAttributes, ReliefIsHighestLessLowestOfTheWindow) {
  for (const double radius : {0.0, 14.0, 31.0, 95.0, 5000.0}) {
    const int w = 37, h = 29;
    const Grid<float> g = test::random_terrain<float>(3, w, h, 1000, 30);
    const CellGeometry geometry = CellGeometry::uniform(10, 15, h);
    const int rx = static_cast<int>(std::floor(radius / 10 + 0.5)),
              ry = static_cast<int>(std::floor(radius / 15 + 0.5));
    Grid<float> out(w, h);
    local_relief(g, geometry, {radius}, out, Exec());
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        if (std::isnan(g(x, y))) {
          ASSERT_TRUE(std::isnan(out(x, y)));
          continue;
        }
        float low = g(x, y), high = low;
        for (int j = std::max(0, y - ry); j <= std::min(h - 1, y + ry); ++j)
          for (int i = std::max(0, x - rx); i <= std::min(w - 1, x + rx); ++i)
            if (!std::isnan(g(i, j))) low = std::min(low, g(i, j)), high = std::max(high, g(i, j));
        ASSERT_EQ(out(x, y), high - low) << x << "," << y << " radius " << radius;
      }
  }
}

TEST(TerrainAttributes, RoughnessSeesNoPlane) {
  const CellGeometry geometry = CellGeometry::uniform(10, 25, 9);
  Grid<float> g = surface(9, 9, 10, 25, [](double e, double n) { return 3 * e - 2 * n; });
  Grid<float> out(9, 9);
  for (const std::int64_t radius : {1, 3}) {
    roughness(g, geometry, {radius}, out, Exec());
    for (std::int64_t i = 0; i < g.cells(); ++i) EXPECT_NEAR(out[i], 0, 1e-3);
  }
  // A spike of 9 m on a plane: the plane rises by 1, residuals are 8 and eight times -1.
  g(4, 4) += 9;
  roughness(g, geometry, {1}, out, Exec());
  EXPECT_NEAR(out(4, 4), std::sqrt((64 + 8) / 9.0), 1e-4);
}

TEST(TerrainAttributes, ShadeOfPlanes) {
  const CellGeometry geometry = CellGeometry::uniform(10, 3);
  Grid<float> out(3, 3);
  const auto shade = [&](double east, double north, const HillshadeParams& params) {
    const Grid<float> g = surface(3, 3, 10, 10, [&](double e, double n) { return -(east * e + north * n); });
    hillshade(g, geometry, params, out, Exec());
    return static_cast<double>(out(1, 1));
  };
  const HillshadeParams north{0, 30, 1, false};
  EXPECT_NEAR(shade(0, 0, north), 0.5, 1e-6);
  EXPECT_NEAR(shade(0, std::tan(60 / kDegrees), north), 1, 1e-6);  // faces the light
  EXPECT_NEAR(shade(0, -std::tan(60 / kDegrees), north), 0, 1e-6);
  EXPECT_NEAR(shade(0, 0.5 * std::tan(60 / kDegrees), {0, 30, 2, false}), 1, 1e-6);
  // Four lights from 225, 270, 315 and 360: a slope to the west is lit by weights 1/2, 0, 1/2, 1 of those it faces at
  // 45, 0, 45 and 90 degrees.
  const HillshadeParams four{315, 45, 1, true};
  EXPECT_NEAR(shade(0, 0, four), std::sqrt(0.5), 1e-6);
  const double s = std::sqrt(0.5);
  const double at45 = s * s + s * s * s, at90 = s * s;
  EXPECT_NEAR(shade(-1, 0, four), (0.5 * at45 + 0.5 * at45 + at90) / 2, 1e-6);
}

TEST(TerrainAttributes, SkyOfPlainPitAndWall) {
  const CellGeometry geometry = CellGeometry::uniform(10, 15, 21);
  Grid<float> g(31, 21, 5.0F);
  Grid<float> out(31, 21);
  sky_view_factor(g, geometry, {200, 16}, out, Exec());
  for (std::int64_t i = 0; i < g.cells(); ++i) EXPECT_EQ(out[i], 1);
  // A bowl with a rim at 45 degrees from the middle hides 1 - sin 45 degrees.
  g = surface(31, 21, 10, 15, [](double e, double n) { return std::hypot(e, n); });
  sky_view_factor(g, geometry, {100, 16}, out, Exec());
  // Beside the tip of the bowl the line between two cells runs above it.
  EXPECT_NEAR(out(15, 10), 1 - std::sqrt(0.5), 0.025);
  // An endless wall of 45 degrees on the eastern side, seen at its foot: directions with an eastern part only.
  const Grid<float> wall = surface(31, 21, 10, 15, [](double e, double) { return e > 0 ? e : 0; });
  sky_view_factor(wall, geometry, {100, 16}, out, Exec());
  double hidden = 0;
  for (int d = 0; d < 16; ++d) {
    const double t = std::max(0.0, std::sin(d * 22.5 / kDegrees));
    hidden += t / std::sqrt(1 + t * t) / 16;
  }
  EXPECT_NEAR(out(15, 10), 1 - hidden, 1e-6);
  g(3, 3) = kNaN;
  sky_view_factor(g, geometry, {100, 16}, out, Exec());
  EXPECT_TRUE(std::isnan(out(3, 3)));
  EXPECT_FALSE(std::isnan(out(4, 3)));
}

// Every attribute of one land, in one list.
std::vector<Grid<float>> everything(const Grid<float>& g, const CellGeometry& geometry, const Exec& exec) {
  const int w = g.width(), h = g.height();
  std::vector<Grid<float>> all;
  const auto next = [&]() -> Grid<float>& { return all.emplace_back(w, h); };
  slope(g, geometry, {}, next(), exec);
  aspect(g, geometry, next(), exec);
  for (const auto kind :
       {CurvatureKind::profile, CurvatureKind::plan, CurvatureKind::tangential, CurvatureKind::laplacian})
    curvature(g, geometry, {kind}, next(), exec);
  local_relief(g, geometry, {100}, next(), exec);
  roughness(g, geometry, {2}, next(), exec);
  hillshade(g, geometry, {}, next(), exec);
  hillshade(g, geometry, {.multidirectional = true}, next(), exec);
  sky_view_factor(g, geometry, {80, 16}, next(), exec);
  Grid<float> filled(w, h);
  Grid<std::uint8_t> dir(w, h), channel(w, h);
  Grid<double> area(w, h);
  fill<float>(g, {}, filled, exec);
  d8<float>(filled, geometry, {}, dir, exec);
  EXPECT_TRUE(accumulate_area(dir, geometry, area, exec));
  for (std::int64_t i = 0; i < area.cells(); ++i) channel[i] = area[i] > 5000 ? 1 : 0;
  EXPECT_TRUE(height_above_drainage(filled, dir, channel, {}, next(), exec));
  Grid<float> tangent(w, h);
  slope(g, geometry, {SlopeUnit::tangent}, tangent, exec);
  topographic_wetness(area, tangent, geometry, {}, next(), exec);
  stream_power_index(area, tangent, geometry, next(), exec);
  return all;
}

TEST(TerrainAttributes, SameBitsForAnyThreads) {
  const Grid<float> g = test::random_terrain<float>(9, 300, 260, 3000, 2);
  const CellGeometry geometry = CellGeometry::geographic(45, 0.0002, 0.0002, 260);
  const std::vector<Grid<float>> one = everything(g, geometry, Exec(1));
  for (const int threads : {2, 7})
    for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::automatic}) {
      const std::vector<Grid<float>> many = everything(g, geometry, Exec(threads, backend));
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_EQ(content_hash<float>(one[i]), content_hash<float>(many[i])) << i;
    }
}

TEST(TerrainAttributes, OddSizesAndHeights) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 3}, {17, 4}})
    for (const float v : {0.0F, 7.0F, kNaN, 1e30F, kInf, -kInf}) {
      Grid<float> g(w, h, v);
      everything(g, CellGeometry::uniform(10, h), Exec());
      g(w / 2, h / 2) = 3;
      everything(g, CellGeometry::uniform(10, h), Exec());
    }
  const std::vector<Grid<float>> one = everything(Grid<float>(1, 1, 7.0F), CellGeometry::uniform(10, 1), Exec());
  EXPECT_EQ(one[0][0], 0);   // slope
  EXPECT_EQ(one[1][0], -1);  // aspect
  EXPECT_EQ(one[6][0], 0);   // relief
  EXPECT_EQ(one[10][0], 1);  // sky
}

TEST(TerrainAttributes, ViewsMayHaveGaps) {
  const Grid<float> whole = test::random_terrain<float>(21, 40, 30, 500, 3);
  const GridView<const float> part = whole.view().window(5, 4, 20, 15);
  Grid<float> copy(20, 15);
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 20; ++x) copy(x, y) = part(x, y);
  const CellGeometry geometry = CellGeometry::uniform(10, 15);
  Grid<float> a(20, 15), b(20, 15);
  slope(part, geometry, {}, a, Exec());
  slope(copy, geometry, {}, b, Exec());
  EXPECT_EQ(content_hash<float>(a), content_hash<float>(b));
  sky_view_factor(part, geometry, {60, 16}, a, Exec());
  sky_view_factor(copy, geometry, {60, 16}, b, Exec());
  EXPECT_EQ(content_hash<float>(a), content_hash<float>(b));
  local_relief(part, geometry, {60}, a, Exec());
  local_relief(copy, geometry, {60}, b, Exec());
  EXPECT_EQ(content_hash<float>(a), content_hash<float>(b));
}

}  // namespace
}  // namespace thalweg::hydrology
