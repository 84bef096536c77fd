// Sketches, what they promise and protect; files that a recipe names; pictures.
#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/recipe/image.h"
#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

const std::string kExtent = kHead + "[extent]\nsize_m = 320\n";  // 33 samples are 10 m apart

Promise promise_of(shape::SketchKind kind, std::vector<std::vector<shape::SketchPoint>> parts) {
  Promise p;
  p.sketch.name = "s";
  p.sketch.kind = kind;
  p.sketch.parts = std::move(parts);
  p.sketch.has_heights = true;
  p.tolerance_m = 2;
  return p;
}

// 5 x 4 samples, 10 m apart, the south-west one at the origin.
struct Land {
  GridSpec spec;
  Grid<float> height{5, 4, 100.0F};
  Grid<float> water{5, 4};
  Land() {
    spec.width = 5;
    spec.height = 4;
    spec.cell_m = spec.cell_y_m = 10;
    spec.origin_y = -3;
  }
  PromiseResult check(const Promise& p) const { return check_promise(p, spec, height, water, Exec()); }
};

TEST(Promises, PointsCountAtTheNearestSample) {
  Land land;
  const Promise p = promise_of(shape::SketchKind::points, {{{21, 9, 101}}, {{900, 9, 500}}});
  PromiseResult r = land.check(p);
  EXPECT_EQ(r.samples, 1);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.worst_x, 2);
  EXPECT_EQ(r.worst_y, 2);  // the second row from the south
  EXPECT_FLOAT_EQ(static_cast<float>(r.worst_m), 1);
  land.height(2, 2) = 96;
  r = land.check(p);
  EXPECT_EQ(r.faults, 1);
  EXPECT_EQ(worst_place(r), "column 2, row 2: 96 m instead of 101 m");
  land.water(2, 2) = 0.5F;
  r = land.check(p);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.samples, 0);
  EXPECT_EQ(r.under_water, 1);
}

TEST(Promises, LinesCountWithinHalfACell) {
  Land land;
  const Promise p = promise_of(shape::SketchKind::lines, {{{0, 12, 100}, {40, 12, 104}}});
  PromiseResult r = land.check(p);
  EXPECT_EQ(r.samples, 5);
  EXPECT_EQ(r.faults, 2);  // at 3 m and 4 m; 2 m is within
  EXPECT_EQ(r.worst_x, 4);
  EXPECT_FLOAT_EQ(static_cast<float>(r.wanted_m), 104);
  for (const float far : {1e6F, kNoData<float>}) {
    land.height(0, 0) = far;  // not on the line
    EXPECT_EQ(land.check(p).faults, 2);
  }
}

TEST(Promises, PolygonsCountInside) {
  Land land;
  const Promise p = promise_of(shape::SketchKind::polygons, {{{5, 5, 100}, {35, 5, 100}, {35, 25, 100}, {5, 25, 100}}});
  EXPECT_EQ(land.check(p).samples, 6);
  land.height(1, 1) = 103;
  land.height(3, 2) = kNoData<float>;
  const PromiseResult r = land.check(p);
  EXPECT_EQ(r.faults, 2);
  EXPECT_EQ(worst_place(r), "column 3, row 2: no data instead of 100 m");
}

TEST(Promises, OneSided) {
  Land land;
  Promise p = promise_of(shape::SketchKind::points, {{{20, 10, 90}}});
  EXPECT_FALSE(land.check(p).ok());
  p.side = PromiseSide::at_least;
  EXPECT_TRUE(land.check(p).ok());
  p.side = PromiseSide::at_most;
  EXPECT_FALSE(land.check(p).ok());
  land.height(2, 2) = 50;
  EXPECT_TRUE(land.check(p).ok());
  p.side = PromiseSide::at_least;
  EXPECT_FALSE(land.check(p).ok());
}

TEST(Sketches, PullPromiseAndProtect) {
  const std::string text =
      kExtent +
      "[[sketch]]\nname = \"plain\"\nheight_m = 40\n"
      "polygon = [[95, 95], [225, 95], [225, 225], [95, 225]]\n" +
      kGround + "offset_m = 300\n" +
      "[[step]]\nop = \"sketch\"\nsketch = \"plain\"\nfalloff_m = 60\ntolerance_m = 0.5\nprotect = true\n";
  const Result<World> world = run_text(text, 33);
  ASSERT_TRUE(world.ok()) << world.error().text();
  ASSERT_EQ(world->promises.size(), 1U);
  const Promise& p = world->promises.front();
  EXPECT_EQ(p.step, "sketch");
  EXPECT_TRUE(p.result.ok());
  EXPECT_EQ(p.result.samples, 169);
  EXPECT_EQ(p.result.worst_m, 0);
  const auto protect = world->find<float>("protect");
  ASSERT_FALSE(protect.empty());
  EXPECT_EQ(protect(16, 16), 1);
  EXPECT_EQ(protect(0, 0), 0);
  EXPECT_GT(protect(24, 16), 0);
  EXPECT_LT(protect(26, 16), 1);
  // What is done to the land later may break the promise, and that is found.
  const Result<World> broken = run_text(text + "[[step]]\nop = \"noise\"\ncombine = \"add\"\namplitude_m = 80\n", 33);
  ASSERT_TRUE(broken.ok());
  EXPECT_FALSE(broken->promises.front().result.ok());
  EXPECT_GT(broken->promises.front().result.worst_m, 0.5);
}

TEST(Sketches, SlopingLinesAndPeaksKeepTheirPromises) {
  for (const char* shape :
       {"line = [[0, 160, 0], [320, 163, 900]]", "line = [[20, 33, 10], [150, 200, 300], [310, 60, 50]]",
        "points = [[33, 57, 400], [250, 201, 20]]"}) {
    const std::string text = kExtent + "[[sketch]]\nname = \"s\"\n" + shape + "\n" + kGround +
                             "offset_m = 300\n[[step]]\nop = \"sketch\"\nsketch = \"s\"\nfalloff_m = 60\n"
                             "tolerance_m = 0.001\n";
    for (const int size : {17, 33, 129}) {
      const Result<World> world = run_text(text, size);
      ASSERT_TRUE(world.ok()) << world.error().text();
      const PromiseResult& result = world->promises.front().result;
      EXPECT_GT(result.samples, 0);
      EXPECT_TRUE(result.ok()) << shape << " " << size << ": " << worst_place(result);
    }
  }
}

TEST(Sketches, ProtectedLandKeepsItsHeightUnderErosion) {
  const std::string text = kExtent +
                           "[[sketch]]\nname = \"plain\"\nheight_m = 200\n"
                           "polygon = [[95, 95], [225, 95], [225, 225], [95, 225]]\n" +
                           kGround + "offset_m = 300\namplitude_m = 300\nwavelength_m = 200\n";
  const auto run_with = [&](const std::string& protect) {
    return run_text(text + "[[step]]\nop = \"sketch\"\nsketch = \"plain\"\nfalloff_m = 60\ntolerance_m = 0.01\n" +
                        protect + "[[step]]\nop = \"droplets\"\ndroplets_per_km2 = 20000\n",
                    33);
  };
  const Result<World> free = run_with("");
  const Result<World> kept = run_with("protect = true\n");
  ASSERT_TRUE(free.ok() && kept.ok());
  EXPECT_GT(free->promises.front().result.faults, 0);
  EXPECT_TRUE(kept->promises.front().result.ok()) << worst_place(kept->promises.front().result);
}

TEST(Resources, FilesAreReadByWhoeverCanReadThem) {
  const std::string text = kExtent + "[[sketch]]\nname = \"s\"\nheight_m = 7\nfile = \"a.geojson\"\n" + kGround +
                           "[[step]]\nop = \"sketch\"\nsketch = \"s\"\n"
                           "[[step]]\nop = \"image\"\nfile = \"b.png\"\nout = \"m\"\nunit = \"1\"\nhigh = 1\n"
                           "[[step]]\nop = \"blur\"\nmask = \"m\"\n";
  Result<Recipe> r = parse_recipe(text, "r.toml");
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_TRUE(r->needs_resources());
  const GridSpec spec = *spec_for_samples(*r, 9, 9);
  EXPECT_EQ(missing(run(*r, spec, Exec()).error().text(), {"r.toml:7:8: ", "a.geojson"}), "");
  EXPECT_EQ(missing(load_resources(*r, {}).error().text(), {"r.toml:7:8: ", "cannot be read here"}), "");

  Resources files;
  std::vector<std::string> asked;
  bool lost = true;
  files.load_vectors = [&](const std::string& path) -> Result<VectorFile> {
    asked.push_back(path);
    if (lost) return input_error("no such file", path);
    VectorFile file;
    file.kind = shape::SketchKind::lines;
    file.parts = {{{0, 0, std::nan("")}, {99, 99, 5}}};
    file.hash = "abc";
    return file;
  };
  files.load_raster = [&](const std::string& path) -> Result<ImageFile> {
    asked.push_back(path);
    ImageFile image;
    image.cells = Grid<float>(2, 2, 255.0F);
    image.most = 255;
    return image;
  };
  EXPECT_EQ(missing(load_resources(*r, files).error().text(), {"r.toml:7:8: ", "a.geojson", "no such file"}), "");
  lost = false;
  const Status s = load_resources(*r, files);
  ASSERT_TRUE(s.ok()) << s.error().text();
  EXPECT_EQ(asked, (std::vector<std::string>{"a.geojson", "a.geojson", "b.png"}));
  EXPECT_FALSE(r->needs_resources());
  EXPECT_EQ(r->find_sketch("s")->sketch.parts[0][0].height_m, 7);
  EXPECT_EQ(r->find_sketch("s")->hash, "abc");
  const Result<World> world = run(*r, spec, Exec());
  ASSERT_TRUE(world.ok()) << world.error().text();
  EXPECT_EQ(std::as_const(*world).find<float>("m")(4, 4), 1);
  EXPECT_EQ(world->units.at("m"), "1");
}

TEST(Image, CornersLieOnCornersAtAnyResolution) {
  ImageFile image;
  image.cells = Grid<float>(3, 2);
  const float values[] = {0, 100, 255, 10, 20, kNoData<float>};
  for (int i = 0; i < 6; ++i) image.cells[i] = values[i];
  image.most = 255;
  ImageParams p;
  p.low = 100;
  p.high = 610;
  Grid<float> out(5, 3);
  stretch_image(p, image, out, Exec());
  EXPECT_EQ(out(0, 0), 100);
  EXPECT_EQ(out(2, 0), 300);
  EXPECT_EQ(out(4, 0), 610);
  EXPECT_EQ(out(1, 0), 200);
  EXPECT_EQ(out(4, 2), 100);  // no data
  EXPECT_EQ(out(0, 1), 110);
  p.values = ImageValues::keep;
  p.bilinear = false;
  stretch_image(p, image, out, Exec());
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(out(1, 0), 100);
  EXPECT_EQ(out(0, 2), 10);
  Grid<float> fine(9, 5);
  stretch_image(p, image, fine, Exec());
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) EXPECT_EQ(out(x, y), fine(2 * x, 2 * y));
  Grid<float> one(1, 1);
  stretch_image(p, image, one, Exec());
  EXPECT_EQ(one(0, 0), 20);
}

}  // namespace
}  // namespace thalweg::recipe
