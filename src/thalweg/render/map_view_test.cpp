#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "thalweg/render/canvas.h"
#include "thalweg/render/legend.h"
#include "thalweg/render/ramp.h"
#include "thalweg/render/render.h"
#include "thalweg/render/sampling.h"
#include "thalweg/render/test_scene.h"

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

Scene scene_of(const Grid<float>& height, double cell_x = 10, double cell_y = 10) {
  Scene scene;
  scene.height_m = height;
  scene.cell_x_m = cell_x;
  scene.cell_y_m = cell_y;
  return scene;
}

TEST(Sampling, AveragesByAreaAndInterpolates) {
  Grid<float> g(6, 1);
  for (int x = 0; x < 6; ++x) g(x, 0) = static_cast<float>(x);
  const Grid<float> down = sample_mean(GridView<const float>(g), 4, 1, Exec());  // 1.5 cells each
  EXPECT_FLOAT_EQ(down(0, 0), (0 + 0.5F * 1) / 1.5F);
  EXPECT_FLOAT_EQ(down(1, 0), (0.5F * 1 + 2) / 1.5F);
  EXPECT_FLOAT_EQ(down(3, 0), (0.5F * 4 + 5) / 1.5F);
  const Grid<float> up = sample_mean(GridView<const float>(g), 12, 2, Exec());
  EXPECT_FLOAT_EQ(up(0, 0), 0);
  EXPECT_FLOAT_EQ(up(3, 1), 1.25F);
  g(2, 0) = kHole;
  EXPECT_FLOAT_EQ(sample_mean(GridView<const float>(g), 2, 1, Exec())(0, 0), 0.5F);
}

TEST(MapView, SizesKeepProportions) {
  const Grid<float> g(400, 100);
  EXPECT_EQ(map_size(scene_of(g), 1024, 2000).width, 1024);
  EXPECT_EQ(map_size(scene_of(g), 1024, 2000).height, 256);
  EXPECT_EQ(map_size(scene_of(g, 10, 40), 1024, 2000).height, 1024);
  EXPECT_EQ(map_size(scene_of(g, 10, 400), 1024, 2000).height, 2000);
  EXPECT_EQ(map_size(Scene{}, 1024, 2000).width, 0);
  const Image image = map_view(scene_of(g), {}, {}, {.width = 300}, Exec());
  EXPECT_EQ(image.width, 300 + legend_width(text_scale(300)));
}

TEST(MapView, SameForAnyThreads) {
  const Grid<float> g = test_island(150, 130, 3);
  Scene scene = scene_of(g);
  scene.sea_level_m = 0;
  Overlay overlay;
  overlay.values = g;
  overlay.title = "height again";
  const std::vector<MapLine> lines{{{0, 0, 149, 129}, 2.5, {1, 2, 3}}};
  for (const int width : {97, 260}) {
    const Image one = map_view(scene, lines, overlay, {.width = width}, Exec());
    for (const int threads : {2, 7})
      EXPECT_EQ(map_view(scene, lines, overlay, {.width = width}, Exec(threads)).rgb, one.rgb);
  }
}

TEST(MapView, NorthWestSlopesAreBright) {
  Grid<float> g(100, 100);  // a cone
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) g(x, y) = static_cast<float>(1000 - 10 * std::hypot(x - 49.5, y - 49.5));
  Scene scene = scene_of(g);
  Grid<std::uint8_t> one(100, 100);
  scene.ground = one;
  scene.ground_colours = {{150, 150, 150}};
  const Image image = map_view(scene, {}, {}, {.width = 200}, Exec());
  const float north_west = luminance(mean_colour(image, 50, 50, 60, 60));
  const float south_east = luminance(mean_colour(image, 140, 140, 150, 150));
  EXPECT_GT(north_west, 1.3F * south_east);
}

TEST(MapView, ReliefDoesNotDependOnTheUnitsOfHeight) {
  // The exaggeration follows the mean slope: a land a sixteenth as high looks the same.
  const Grid<float> g = test_island(80, 80, 5);
  Grid<float> low = g.clone();
  for (std::int64_t i = 0; i < low.cells(); ++i) low[i] *= 1.0F / 16;
  const Image a = map_view(scene_of(g, 80, 80), {}, {}, {.width = 160}, Exec());
  const Image b = map_view(scene_of(low, 80, 80), {}, {}, {.width = 160}, Exec());
  EXPECT_NEAR(luminance(mean_colour(a, 0, 0, 160, 160)), luminance(mean_colour(b, 0, 0, 160, 160)), 2.0F);
}

TEST(MapView, WaterIsBlueAndHolesAreHatched) {
  Grid<float> g(90, 90, 100.0F);
  Grid<float> depth(90, 90);
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 90; ++x) {
      g(x, y) = 100 + static_cast<float>(x);
      if (x < 30) depth(x, y) = 5;
      if (x >= 60) g(x, y) = kHole;
    }
  Scene scene = scene_of(g);
  scene.water_depth_m = depth;
  const Image image = map_view(scene, {}, {}, {.width = 90}, Exec());
  const Rgb water = mean_colour(image, 4, 10, 26, 80);
  EXPECT_GT(water.b, water.r + 30);
  const Rgb land = mean_colour(image, 35, 10, 55, 80);
  EXPECT_LT(land.b, land.r);
  int dark = 0;
  for (int x = 64; x < 88; ++x) dark += mean_colour(image, x, 40, x + 1, 41).r < 200;
  EXPECT_EQ(dark, 6);
}

TEST(MapView, LinesRunThroughCellCentres) {
  const Grid<float> g(10, 10, 1.0F);
  const std::vector<MapLine> lines{{{2, 5, 7, 5}, 3, {255, 0, 0}}};
  const Image image = map_view(scene_of(g), lines, {}, {.width = 100}, Exec());
  const auto red = [&](int x, int y) { return mean_colour(image, x, y, x + 1, y + 1).g < 20; };
  EXPECT_TRUE(red(50, 55));  // row 5 has its centre at 5.5 cells
  EXPECT_TRUE(red(26, 54));
  EXPECT_FALSE(red(50, 59));
  EXPECT_FALSE(red(20, 55));
  EXPECT_FALSE(red(81, 55));
}

TEST(MapView, OverlayClassesAndLegend) {
  const Grid<float> g(60, 60, 1.0F);
  Grid<std::uint8_t> classes(60, 60);
  for (int y = 0; y < 60; ++y)
    for (int x = 30; x < 60; ++x) classes(x, y) = x < 45 ? 1 : 9;  // 9 has no colour: left as it is
  Overlay overlay;
  overlay.classes = classes;
  overlay.class_colours = {{200, 0, 0}, {0, 0, 200}};
  overlay.class_names = {"red land", "blue land"};
  overlay.title = "classes of the test with a long title that needs several lines";
  overlay.opacity = 1;
  const Image image = map_view(scene_of(g), {}, overlay, {.width = 240}, Exec());
  EXPECT_GT(mean_colour(image, 20, 20, 100, 200).r, 120);
  EXPECT_GT(mean_colour(image, 130, 20, 170, 200).b, 120);
  EXPECT_NEAR(mean_colour(image, 200, 20, 230, 200).r, mean_colour(image, 200, 20, 230, 200).g, 40);
  int swatch = 0;
  for (int y = 0; y < image.height; ++y) {
    const Rgb c = mean_colour(image, 250, y, 251, y + 1);
    swatch += c.r > 190 && c.g < 10;
  }
  EXPECT_GE(swatch, 8);
}

/// The box of pixels that are not paper, of the part left of `right`.
struct Box {
  int left, top, right, bottom;
};
Box drawn(const Image& image, int right) {
  Box box{right, image.height, 0, 0};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < right; ++x) {
      const Rgb c = mean_colour(image, x, y, x + 1, y + 1);
      if (to_colour(c) == kPaper) continue;
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1), std::max(box.bottom, y + 1)};
    }
  return box;
}

TEST(MapView, ExactSizeWithTheMapInTheMiddle) {
  const Grid<float> wide(200, 100, 1.0F);
  const Grid<float> high(50, 200, 1.0F);
  const int room = 300 - legend_width(1);
  const Image a = map_view(scene_of(wide), {}, {}, {.width = 300, .height = 300}, Exec());
  EXPECT_EQ(a.width, 300);
  EXPECT_EQ(a.height, 300);
  ASSERT_EQ(a.rgb.size(), 300U * 300U * 3U);
  const Box box = drawn(a, room);
  EXPECT_EQ(box.left, 0);
  EXPECT_EQ(box.right, room);
  EXPECT_EQ(box.top, (300 - room / 2) / 2);
  EXPECT_EQ(box.bottom - box.top, room / 2);
  EXPECT_NE(to_colour(mean_colour(a, room, 150, room + 1, 151)), kPaper);  // the panel's border

  const std::vector<MapLine> lines{{{-9, 100, 90, 100}, 3, {255, 0, 0}}};  // stays inside the map
  const Image b = map_view(scene_of(high), lines, {}, {.width = 300, .height = 300}, Exec());
  EXPECT_EQ(b.width, 300);
  EXPECT_EQ(b.height, 300);
  EXPECT_EQ(drawn(b, room).left, (room - 75) / 2);
  EXPECT_EQ(drawn(b, room).right, (room - 75) / 2 + 75);
  EXPECT_EQ(drawn(b, room).bottom, 300);
}

TEST(MapView, SmallPicturesAreAllMap) {
  const Grid<float> g(160, 90, 1.0F);
  const Image image = map_view(scene_of(g), {}, {}, {.width = 160, .height = 90}, Exec());
  EXPECT_EQ(image.width, 160);
  EXPECT_EQ(image.height, 90);
  const Colour land = to_colour(mean_colour(image, 0, 0, 1, 1));
  for (std::size_t i = 0; i < image.rgb.size(); ++i) ASSERT_EQ(image.rgb[i], land[i % 3]) << i;
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 500}, {500, 1}, {7, 3}, {239, 400}, {240, 129}, {641, 479}}) {
    const Image odd = map_view(scene_of(g), {}, {}, {.width = w, .height = h}, Exec());
    EXPECT_EQ(odd.width, w);
    EXPECT_EQ(odd.height, h);
    EXPECT_EQ(odd.rgb.size(), static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3);
  }
  EXPECT_TRUE(map_view(Scene{}, {}, {}, {.width = 40, .height = 40}, Exec()).rgb.empty());
}

TEST(MapView, LegendIsAsWideAsItsLongestName) {
  const std::string name = "temperate-rain-forest";
  const int needed = 16 + 13 + Canvas::text_width(name, 1);
  ASSERT_GT(needed, legend_width(1));
  Legend legend;
  legend.entries = {{{0, 0, 0}, "ice"}, {{0, 0, 0}, name}};
  EXPECT_EQ(panel_beside(legend, 500, 1).width, needed);
  EXPECT_EQ(panel_beside(legend, 180, 1).width, 120);  // 40 % of 300
  EXPECT_EQ(panel_beside(legend, 90, 1).width, legend_width(1));
  EXPECT_EQ(panel_within(legend, 500, 300).width, needed);
  EXPECT_EQ(panel_within(legend, 300, 300).width, 120);
  EXPECT_EQ(panel_within(legend, 600, 600).scale, 1);  // twice the size would cut the name
  EXPECT_EQ(panel_within(legend, 1280, 720).scale, 2);
  EXPECT_EQ(panel_within(legend, 1280, 720).width, 2 * needed);
  legend.entries.clear();
  legend.title = "a title of many words, " + name;
  EXPECT_EQ(panel_within(legend, 600, 200).width, 16 + Canvas::text_width(legend.title, 1));

  // The last letter is there: a wider picture than the name needs has the same ink.
  Overlay overlay;
  const Grid<std::uint8_t> classes(20, 20);
  overlay.classes = classes;
  overlay.class_colours = {{200, 0, 0}};
  overlay.class_names = {name};
  const Grid<float> g(20, 20, 1.0F);
  const Image image = map_view(scene_of(g), {}, overlay, {.width = 300}, Exec());
  EXPECT_EQ(image.width, 300 + needed);
  int ink = 0;
  for (int y = 0; y < 60; ++y)
    for (int x = image.width - 8 - 6; x < image.width - 8; ++x) ink += mean_colour(image, x, y, x + 1, y + 1).r < 60;
  EXPECT_GT(ink, 4);
}

TEST(MapView, AFieldKeepsTheColoursOfItsLegend) {
  // Rough wet ground with biomes below: of all that only a gentle shade is left.
  const Grid<float> height = test_island(120, 120, 9);
  Grid<float> depth(120, 120);
  Grid<std::uint8_t> ground(120, 120);
  Grid<float> field(120, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x) {
      depth(x, y) = x % 40 < 20 ? 30.0F : 0.0F;
      field(x, y) = y >= 110 ? kHole : static_cast<float>(y / 11);
    }
  Scene scene = scene_of(height);
  scene.water_depth_m = depth;
  scene.sea_level_m = 0;
  scene.ground = ground;
  scene.ground_colours = {{200, 30, 30}};
  Overlay overlay;
  overlay.values = field;
  const Image image = map_view(scene, {}, overlay, {.width = 120}, Exec());
  float darkest = 1;
  float brightest = 1;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x) {
      const Rgb c = mean_colour(image, x, y, x + 1, y + 1);
      if (y >= 110) {
        EXPECT_NEAR(c.r, c.b, 30) << x << ' ' << y;
        continue;
      }
      const Rgb want = even_ramp(static_cast<float>(y / 11) / 9);
      const float shade = luminance(c) / luminance(want);
      darkest = std::min(darkest, shade);
      brightest = std::max(brightest, shade);
      ASSERT_NEAR(c.r, want.r * shade, 1.5F) << x << ' ' << y;
      ASSERT_NEAR(c.g, want.g * shade, 1.5F) << x << ' ' << y;
      ASSERT_NEAR(c.b, want.b * shade, 1.5F) << x << ' ' << y;
    }
  EXPECT_GT(darkest, 0.72F);
  EXPECT_LT(darkest, 0.95F);  // the relief is still seen
  EXPECT_LT(brightest, 1.12F);
}

TEST(MapView, OddSizes) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}}) {
    Grid<float> g(w, h, 5.0F);
    EXPECT_FALSE(map_view(scene_of(g), {}, {}, {.width = 64}, Exec()).rgb.empty());
    g.fill(kHole);
    Overlay overlay;
    overlay.values = g;
    EXPECT_FALSE(map_view(scene_of(g), {}, overlay, {.width = 64}, Exec()).rgb.empty());
    g.fill(1e30F);
    g(0, 0) = -1e30F;
    overlay.logarithmic = true;
    EXPECT_FALSE(map_view(scene_of(g), {{{kHole, 0, 1e300, 5}, 1, {}}}, overlay, {.width = 64}, Exec()).rgb.empty());
  }
  EXPECT_TRUE(map_view(Scene{}, {}, {}, {}, Exec()).rgb.empty());
}

TEST(Ramp, LightnessRisesEvenly) {
  const auto lightness = [](float t) {
    const Colour c = to_colour(even_ramp(t));
    return std::cbrt(luminance(from_srgb(c)));
  };
  const float step = (lightness(1) - lightness(0)) / 16;
  EXPECT_GT(step, 0.025F);
  for (int i = 0; i < 16; ++i)
    EXPECT_NEAR(lightness(static_cast<float>(i + 1) / 16) - lightness(static_cast<float>(i) / 16), step, 0.2F * step);
}

TEST(Ramp, NiceTicks) {
  const auto labels = [](double low, double high, bool logarithmic) {
    std::string all;
    for (const Tick& t : nice_ticks(low, high, logarithmic, 5)) all += t.label + " ";
    return all;
  };
  EXPECT_EQ(labels(0, 10, false), "0 2 4 6 8 10 ");
  EXPECT_EQ(labels(-0.32, 0.21, false), "-0.2 0.0 0.2 ");
  EXPECT_EQ(labels(1234, 3776, false), "2000 3000 ");
  EXPECT_EQ(labels(1, 2e7, true), "1 100 10000 1e6 ");
  EXPECT_EQ(labels(0.01, 3, true), "0.01 0.1 1 ");
  EXPECT_EQ(labels(2, 7, true), "2 3 4 5 6 7 ");
  EXPECT_EQ(labels(5, 5, false), "");
  EXPECT_EQ(labels(0, INFINITY, false), "");
  EXPECT_DOUBLE_EQ(nice_ticks(0, 10, false, 5)[1].at, 0.2);
}

TEST(Canvas, TextIsDrawnAndMeasured) {
  EXPECT_EQ(Canvas::text_width("", 2), 0);
  EXPECT_EQ(Canvas::text_width("0", 1), 5);
  EXPECT_EQ(Canvas::text_width("i", 3), 3);
  Image image{40, 12, std::vector<std::uint8_t>(40 * 12 * 3, 255)};
  Canvas canvas(image);
  canvas.text(1, 1, "I", 1, {0, 0, 0});
  EXPECT_EQ(mean_colour(image, 2, 1, 3, 8).r, 0);    // the stem
  EXPECT_EQ(mean_colour(image, 1, 2, 2, 7).r, 255);  // beside it
  canvas.text(-100, -100, "off", 2, {0, 0, 0});
  canvas.text(39, 11, "off\xff", 2, {0, 0, 0});
}

}  // namespace
}  // namespace thalweg::render
