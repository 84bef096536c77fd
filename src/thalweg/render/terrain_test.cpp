#include "thalweg/render/terrain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thalweg/core/random.h"
#include "thalweg/render/test_scene.h"

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

Grid<float> random_grid(int width, int height, std::uint64_t seed, double relief) {
  Grid<float> g(width, height);
  for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = static_cast<float>(relief * unit_double(hash64(seed, i)));
  return g;
}

/// At the source's own resolution.
Terrain plain_terrain(const Grid<float>& height, double cell_x, double cell_y) {
  Scene scene;
  scene.height_m = height;
  scene.cell_x_m = cell_x;
  scene.cell_y_m = cell_y;
  return make_terrain(scene, 1, std::max(height.width(), height.height()), {}, Exec());
}

/// The same by small steps: first place where the ray is under the surface.
double march(const Terrain& terrain, Vec3 o, Vec3 d, double t_max) {
  const double step = t_max / 40000;
  for (double t = 0; t < t_max; t += step) {
    const Vec3 p = o + d * t;
    const double x = p.x / terrain.cell_x;
    const double y = p.y / terrain.cell_y;
    if (x < 0 || y < 0 || x > terrain.width - 1 || y > terrain.height - 1) continue;
    const float z = bilinear(terrain.surface, x, y);
    if (std::isfinite(z) && p.z <= z && p.z >= terrain.floor) return t;
  }
  return -1;
}

TEST(Trace, AgreesWithSmallStepsOnRandomLand) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Grid<float> g = random_grid(23, 17, seed, 30);
    if (seed > 2)
      for (std::int64_t i = 0; i < g.cells(); ++i)
        if (hash64(seed, i, 5) % 11 == 0) g[i] = kHole;
    const Terrain terrain = plain_terrain(g, 10, 7);
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
      const auto r = [&](int k) { return unit_double(hash64(seed, i, k, 9)); };
      const Vec3 from{-200 + 600 * r(0), -200 + 500 * r(1), 60 + 60 * r(2)};
      const Vec3 to{220 * r(3), 110 * r(4), 30 * r(5)};
      const Vec3 d = normalize(to - from);
      const Hit hit = trace(terrain, from, d, 1500);
      const double expected = march(terrain, from, d, 1500);
      // A hit in a wedge thinner than a step may be missed by the reference only.
      if (expected < 0) {
        if (hit.kind != HitKind::none) {
          const Vec3 p = from + d * (hit.t + 0.05);
          EXPECT_NEAR(p.z, bilinear(terrain.surface, p.x / 10, p.y / 7), 0.5) << "seed " << seed << " ray " << i;
        }
        continue;
      }
      ++hits;
      ASSERT_NE(hit.kind, HitKind::none) << "seed " << seed << " ray " << i;
      EXPECT_LE(hit.t, expected + 1e-6) << "seed " << seed << " ray " << i;
      EXPECT_GE(hit.t, expected - 0.08) << "seed " << seed << " ray " << i;
    }
    EXPECT_GT(hits, 20);
  }
}

TEST(Trace, CutEdgesAndHolesHaveWalls) {
  Grid<float> g(9, 9, 50.0F);
  for (int y = 3; y <= 5; ++y)
    for (int x = 3; x <= 5; ++x) g(x, y) = kHole;
  const Terrain terrain = plain_terrain(g, 10, 10);
  const double z = terrain.low - 0.4 * (terrain.low - terrain.floor);
  Hit hit = trace(terrain, {-100, 40, z}, {1, 0, 0}, 1e9);
  EXPECT_EQ(hit.kind, HitKind::wall);
  EXPECT_NEAR(hit.t, 100, 1e-9);
  EXPECT_EQ(hit.wall_normal.x, -1);
  // From inside the hole: its far wall, where the next whole cell begins.
  hit = trace(terrain, {40, 40, z}, {0, 1, 0}, 1e9);
  EXPECT_EQ(hit.kind, HitKind::wall);
  EXPECT_NEAR(hit.t, 20, 1e-9);
  EXPECT_EQ(hit.wall_normal.y, -1);
  // Down through the hole: nothing.
  EXPECT_EQ(trace(terrain, {40, 40, 500}, {0, 0, -1}, 1e9).kind, HitKind::none);
  EXPECT_EQ(trace(terrain, {15, 15, 500}, {0, 0, -1}, 1e9).kind, HitKind::surface);
}

TEST(Horizon, ByHand) {
  // A wall of height 8 in column 5; light from the west, cells of 2 m.
  Grid<float> g(12, 3);
  for (int y = 0; y < 3; ++y) g(5, y) = 8;
  const Grid<float> s = horizon_slopes(g, 2, 2, -1, 0, Exec());
  for (int y = 0; y < 3; ++y) {
    EXPECT_EQ(s(0, y), -10.0F);
    EXPECT_FLOAT_EQ(s(3, y), 0.0F);
    EXPECT_FLOAT_EQ(s(5, y), -4.0F / 5 * 1.0F) << "the lowest visible ground lies farthest";
    for (int x = 6; x < 12; ++x) EXPECT_FLOAT_EQ(s(x, y), 8.0F / static_cast<float>(2 * (x - 5)));
  }
}

TEST(Horizon, AgreesWithLookingAtEverySample) {
  const Grid<float> g = random_grid(19, 14, 3, 40);
  for (const auto& [east, south] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}}) {
    const double length = std::sqrt(static_cast<double>(east * east + south * south));
    const Grid<float> s = horizon_slopes(g, 3, 3, east / length, south / length, Exec());
    for (int y = 0; y < 14; ++y)
      for (int x = 0; x < 19; ++x) {
        float expected = -10;
        for (int k = 1; g.view().contains(x + k * east, y + k * south); ++k)
          expected =
              std::max(expected, static_cast<float>((g(x + k * east, y + k * south) - g(x, y)) / (3 * k * length)));
        EXPECT_NEAR(s(x, y), expected, 1e-4F) << x << ' ' << y << " toward " << east << ' ' << south;
      }
  }
}

TEST(Terrain, WaterLiesOnTheSeaAndOnLakes) {
  Grid<float> g(5, 5, 10.0F);
  g(2, 2) = 4;  // a lake 3 m deep
  g(0, 0) = -6;
  Grid<float> depth(5, 5);
  depth(2, 2) = 3;
  Scene scene;
  scene.height_m = g;
  scene.water_depth_m = depth;
  scene.sea_level_m = 0;
  const Terrain terrain = make_terrain(scene, 2, 5, {}, Exec());
  EXPECT_EQ(terrain.base_m, -6);
  EXPECT_FLOAT_EQ(terrain.surface(0, 0), 12);  // the sea, exaggerated twice
  EXPECT_FLOAT_EQ(terrain.depth(0, 0), 12);
  EXPECT_FLOAT_EQ(terrain.surface(2, 2), 26);
  EXPECT_FLOAT_EQ(terrain.depth(2, 2), 6);
  EXPECT_FLOAT_EQ(terrain.depth(3, 3), -6) << "the shore lies between the lake and its bank";
  EXPECT_LT(terrain.depth(4, 0), 0);
}

TEST(Terrain, SmallVoidsAreBridgedAndLargeOnesStayOpen) {
  Grid<float> g(30, 30);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 30; ++x) g(x, y) = static_cast<float>(2 * x);
  g(7, 7) = g(8, 7) = g(0, 29) = kHole;
  for (int y = 15; y < 21; ++y)
    for (int x = 15; x < 21; ++x) g(x, y) = kHole;
  const Terrain terrain = plain_terrain(g, 1, 1);
  EXPECT_NEAR(terrain.surface(7, 7), 14, 0.5);
  EXPECT_EQ(terrain.bridged(8, 7), 1);
  EXPECT_EQ(terrain.bridged(9, 7), 0);
  EXPECT_TRUE(std::isfinite(terrain.surface(0, 29)));
  EXPECT_TRUE(std::isnan(terrain.surface(17, 17)));
}

TEST(Terrain, EnlargedAndReducedKeepPlanes) {
  Grid<float> g(41, 41);
  for (int y = 0; y < 41; ++y)
    for (int x = 0; x < 41; ++x) g(x, y) = static_cast<float>(3 * x + 2 * y);
  Scene scene;
  scene.height_m = g;
  for (const int samples : {10, 41, 160}) {
    const Terrain t = make_terrain(scene, 1, samples, {}, Exec());
    const int x = t.width / 2;
    const int y = t.height / 3;
    EXPECT_NEAR(t.surface(x, y), 3 * x * t.cell_x + 2 * y * t.cell_y, 1e-3) << samples;
    EXPECT_NEAR(t.gradient(x, y).east, 3, 1e-3);
    EXPECT_NEAR(t.gradient(x, y).south, 2, 1e-3);
  }
}

}  // namespace
}  // namespace thalweg::render
