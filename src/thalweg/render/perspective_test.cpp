#include <gtest/gtest.h>

#include <limits>

#include "thalweg/render/render.h"
#include "thalweg/render/test_scene.h"

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

PerspectiveParams small_picture(int width = 160, int height = 90) {
  PerspectiveParams params;
  params.width = width;
  params.height = height;
  return params;
}

Scene scene_of(const Grid<float>& height, double cell = 10) {
  Scene scene;
  scene.height_m = height;
  scene.cell_x_m = scene.cell_y_m = cell;
  return scene;
}

TEST(Perspective, SameForAnyThreads) {
  const Grid<float> g = test_island(90, 70, 4);
  Scene scene = scene_of(g);
  scene.sea_level_m = 0;
  const Image one = perspective(scene, small_picture(), Exec());
  EXPECT_EQ(one.rgb.size(), 160U * 90U * 3U);
  for (const int threads : {2, 7}) EXPECT_EQ(perspective(scene, small_picture(), Exec(threads)).rgb, one.rgb);
  EXPECT_EQ(perspective(scene, small_picture(), Exec(3, TaskBackend::threads)).rgb, one.rgb);
}

TEST(Perspective, SkyAboveGround) {
  const Grid<float> g = test_island(120, 120, 9);
  PerspectiveParams params = small_picture();
  params.light = {300, 32};  // behind the land, as seen by the camera
  params.camera.elevation_deg = 16;
  const Image image = perspective(scene_of(g, 20), params, Exec(2));
  const Rgb sky = mean_colour(image, 0, 0, 160, 5);
  const Rgb ground = mean_colour(image, 60, 40, 100, 60);
  EXPECT_GT(luminance(sky), luminance(ground));
  EXPECT_GT(sky.b, sky.r);
  EXPECT_GT(sky.b - sky.r, ground.b - ground.r);
}

TEST(Perspective, SeaIsBlueAndReachesTheHorizon) {
  const Grid<float> g(16, 16, -500.0F);
  Scene scene = scene_of(g, 100);
  scene.sea_level_m = 0;
  PerspectiveParams params = small_picture();
  params.camera.eye = {750, 4000, 300};
  params.camera.target = {750, 0, 100};
  const Image image = perspective(scene, params, Exec(2));
  const Rgb near = mean_colour(image, 0, 80, 160, 90);
  EXPECT_GT(near.b, 1.3F * near.r);
  EXPECT_GT(near.b, near.g);
  // No seam where the map ends: the middle of the picture is as blue as its sides.
  const Rgb left = mean_colour(image, 0, 60, 20, 70);
  const Rgb middle = mean_colour(image, 70, 60, 90, 70);
  EXPECT_NEAR(left.b, middle.b, 12);
}

TEST(Perspective, ShallowWaterIsBrighterThanDeep) {
  Grid<float> g(64, 64);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) g(x, y) = x < 32 ? -1.0F : -200.0F;
  g(0, 0) = 300;  // some relief, which the clearness of the water is relative to
  Scene scene = scene_of(g);
  scene.sea_level_m = 0;
  PerspectiveParams params = small_picture();
  params.camera.eye = {315, 320, 900};
  params.camera.target = {315, 310, 0};
  const Image image = perspective(scene, params, Exec(2));
  EXPECT_GT(luminance(mean_colour(image, 50, 30, 70, 60)), 1.2F * luminance(mean_colour(image, 90, 30, 110, 60)));
}

TEST(Perspective, LitSlopesAreBrighterThanShadowedOnes) {
  // A ridge from north to south, light from the west, seen from above.
  Grid<float> g(101, 101);
  for (int y = 0; y < 101; ++y)
    for (int x = 0; x < 101; ++x) g(x, y) = static_cast<float>(std::max(0, 300 - 10 * std::abs(x - 50)));
  PerspectiveParams params = small_picture();
  params.light = {270, 30};
  params.camera.eye = {500, 510, 2500};
  params.camera.target = {500, 500, 0};
  const Image image = perspective(scene_of(g), params, Exec(2));
  const float west = luminance(mean_colour(image, 66, 40, 76, 50));
  const float east = luminance(mean_colour(image, 84, 40, 94, 50));
  EXPECT_GT(west, 1.5F * east);
  // The shadow cast on the plain reaches 300 / tan 30 = 520 m from the crest; beyond it the plain is lit.
  params.light.elevation_deg = 60;
  const Image high = perspective(scene_of(g), params, Exec(2));
  EXPECT_GT(luminance(mean_colour(high, 84, 40, 94, 50)), east);
}

TEST(Perspective, ClassColoursShow) {
  const Grid<float> g(32, 32);
  Grid<std::uint8_t> classes(32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 16; x < 32; ++x) classes(x, y) = 1;
  Scene scene = scene_of(g);
  scene.ground = classes;
  scene.ground_colours = {{200, 40, 40}, {40, 160, 40}};
  PerspectiveParams params = small_picture();
  params.camera.eye = {155, 160, 400};
  params.camera.target = {155, 155, 0};
  const Image image = perspective(scene, params, Exec(2));
  const Rgb west = mean_colour(image, 50, 35, 70, 55);
  const Rgb east = mean_colour(image, 90, 35, 110, 55);
  EXPECT_GT(west.r, 1.5F * west.g);
  EXPECT_GT(east.g, 1.5F * east.r);
}

TEST(Perspective, OddSizesAndHeights) {
  const Exec exec(2);
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {0, 0}}) {
    Grid<float> g(w, h, 5.0F);
    EXPECT_EQ(perspective(scene_of(g), small_picture(32, 18), exec).rgb.size(), 32U * 18U * 3U);
    g.fill(kHole);
    EXPECT_EQ(perspective(scene_of(g), small_picture(32, 18), exec).rgb.size(), 32U * 18U * 3U);
  }
  Grid<float> tall = test_island(40, 40, 2);
  tall(20, 20) = 1e30F;
  tall(5, 5) = -3e38F;
  tall(6, 30) = std::numeric_limits<float>::infinity();
  for (const bool sea : {false, true}) {
    Scene scene = scene_of(tall);
    if (sea) scene.sea_level_m = 1e20;
    EXPECT_EQ(perspective(scene, small_picture(32, 18), exec).rgb.size(), 32U * 18U * 3U);
  }
  EXPECT_TRUE(perspective(scene_of(tall), small_picture(0, 18), exec).rgb.empty());
  PerspectiveParams inside = small_picture(32, 18);
  inside.camera.eye = {100, 100, -1e6};
  inside.camera.target = inside.camera.eye;
  EXPECT_EQ(perspective(scene_of(tall), inside, exec).rgb.size(), 32U * 18U * 3U);
}

TEST(Perspective, NothingButHolesIsSky) {
  Grid<float> g(20, 20, kHole);
  const Image image = perspective(scene_of(g), small_picture(), Exec(2));
  const Rgb top = mean_colour(image, 0, 0, 160, 10);
  EXPECT_GT(top.b, top.r);
  EXPECT_GT(luminance(top), 60);
}

TEST(Perspective, WholeMapIsInThePicture) {
  // The border columns of the picture show sky only: nothing is cut off at the sides.
  const Grid<float> g = test_island(64, 64, 6);
  const Image image = perspective(scene_of(g), small_picture(), Exec(2));
  for (int y = 2; y < 88; ++y)
    for (const int x : {0, 159}) {
      const Rgb here = mean_colour(image, x, y, x + 1, y + 1);
      EXPECT_GT(luminance(here), 110) << x << ' ' << y;
    }
}

}  // namespace
}  // namespace thalweg::render
