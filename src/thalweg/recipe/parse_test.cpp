// What a recipe text may hold.
#include <gtest/gtest.h>

#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

TEST(Recipe, ErrorsNamePlaceAndNearestName) {
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"nois\"\n"),
            "r.toml:3:6: unknown operator 'nois'; did you mean 'noise'?");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\nwavelenght_m = 3\n"),
            "r.toml:4:1: unknown parameter of 'noise' 'wavelenght_m'; did you mean 'wavelength_m'?");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\noctaves = 99\n"), "r.toml:4:11: octaves must be from 1 to 24");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\noctaves = 2.5\n"),
            "r.toml:4:11: octaves must be a whole number");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\nfractal = \"fmb\"\n"),
            "r.toml:4:11: fractal must be one of fbm, ridged, billow, ping-pong, hybrid, slope-damped");
  EXPECT_EQ(error_of(kHead + "sead = 3\n[[step]]\nop = \"noise\"\n"),
            "r.toml:2:1: unknown key 'sead'; did you mean 'seed'?");
  EXPECT_EQ(error_of("[[step]]\nop = \"noise\"\n"), "r.toml:1:1: the first line must be format = \"thalweg-recipe 1\"");
  EXPECT_NE(
      error_of(kHead + "[[step]]\nop = \"droplets\"\n").find("reads field 'height', which no step before it writes"),
      std::string::npos);
  EXPECT_NE(error_of(kHead + "[[step]]\nop = \"moisture\"\n").find("no step writes the field 'height'"),
            std::string::npos);
  EXPECT_NE(error_of(kHead + "[[step\n").find("r.toml:2:"), std::string::npos);
  // What toml++ itself would meet with an assertion or undefined behaviour.
  EXPECT_NE(error_of(kHead + "[\n= 3\n").find("r.toml:2:2: "), std::string::npos);
  EXPECT_EQ(error_of(kHead + "\"a\\nb\" = 3\n").find('\n'), std::string::npos);
  EXPECT_NE(error_of(kHead + "s\xC3\xA9\xC3\xA9"
                             "d = 1\n")
                .find("r.toml:2:2: "),
            std::string::npos);
  EXPECT_NE(error_of("\xEF\xBB\xBF" + kHead + "\xEF\xBA\xBF?").find("r.toml:2:1: "), std::string::npos);
  EXPECT_NE(error_of(kHead + "seed = 3\x7F'[[\xCF\x9F"), "");
  EXPECT_EQ(error_of(kHead + "title = '\xC3\xA9\\' # \xC3\xA9\n[[step]]\nop = \"noise\"\n"), "");
  EXPECT_NE(error_of(kHead), "");
  EXPECT_NE(error_of(kHead + "step = 3\n"), "");
  EXPECT_NE(error_of(kHead + "[[step]]\nop = \"noise\"\n[[step]]\nop = \"redistribute\"\nlow_m = 5\nhigh_m = 5\n"), "");
  EXPECT_NE(error_of(kHead + "[[step]]\nop = \"noise\"\nout = \"biome\"\n"), "");
}

TEST(Recipe, SizesAndCells) {
  Result<Recipe> r = parse_recipe(kHead + "[extent]\nsize_m = [2000, 1000]\n[[step]]\nop = \"noise\"\n", "r.toml");
  ASSERT_TRUE(r.ok());
  const auto spec = spec_for_samples(*r, 201, 101);
  ASSERT_TRUE(spec.ok());
  EXPECT_DOUBLE_EQ(spec->cell_m, 10);
  EXPECT_FALSE(spec_for_samples(*r, 201, 201).ok());
  EXPECT_FALSE(spec_for_samples(*r, 1, 1).ok());
  bool widened = false;
  const auto exact = spec_for_cell(*r, 10, &widened);
  ASSERT_TRUE(exact.ok());
  EXPECT_FALSE(widened);
  EXPECT_EQ(exact->width, 201);
  const auto wide = spec_for_cell(*r, 30, &widened);
  ASSERT_TRUE(wide.ok());
  EXPECT_TRUE(widened);
  EXPECT_EQ(wide->width, 68);
  EXPECT_FALSE(spec_for_cell(*r, 0, nullptr).ok());
  EXPECT_FALSE(spec_for_cell(*r, 1e-9, nullptr).ok());
}

TEST(Parse, SketchTables) {
  const std::string use = "[[step]]\nop = \"distance\"\nsketch = \"s\"\nout = \"d\"\n" + kGround;
  const std::string keep = kHead + "keep = [\"d\"]\n";
  const auto error = [&](const std::string& body) { return error_of(keep + "[[sketch]]\n" + body + use); };
  for (const char* shape :
       {"point = [1, 2]", "point = [1, 2, 3]", "points = [[1, 2], [3, 4.5]]", "line = [[1, 2], [3, 4]]",
        "lines = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "polygon = [[0, 0], [9, 0], [0, 9]]",
        "polygons = [[[0, 0], [9, 0], [0, 9]], [[1, 1], [2, 1], [1, 2]]]"})
    EXPECT_EQ(error("name = \"s\"\n" + std::string(shape) + "\n"), "") << shape;
  EXPECT_EQ(missing(error("point = [1, 2]\n"), {"r.toml:3:1", "name"}), "");
  EXPECT_EQ(missing(error("name = 3\npoint = [1, 2]\n"), {"r.toml:4:8", "quotes"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\n"), {"r.toml:4:8", "has no shape", "polygons"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1, 2]\nline = [[1, 2], [3, 4]]\n"),
                    {"r.toml:4:8", "not both 'line' and 'point'"}),
            "");
  EXPECT_EQ(missing(error("name = \"s\"\npoit = [1, 2]\n"), {"r.toml:5:1", "did you mean 'point'?"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1]\n"), {"r.toml:5:9", "[x, y]"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1, 2, 3, 4]\n"), {"r.toml:5:9", "[x, y]"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1, nan]\n"), {"r.toml:5:9", "coordinates"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1, 2, 1e6]\n"), {"r.toml:5:9", "heights", "100000"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\nline = [1, 2]\n"), {"r.toml:5:9", "[x, y]"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\nlines = [[1, 2], [3, 4]]\n"), {"r.toml:5:"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\nline = [[1, 2]]\n"), {"r.toml:4:8", "sketch 's'"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoints = []\n"), {"r.toml:4:8", "sketch 's'"}), "");
  EXPECT_EQ(
      missing(error("name = \"s\"\npoints = [[1, 2, 3], [4, 5]]\n"), {"r.toml:4:8", "1 of its points", "height_m"}),
      "");
  EXPECT_EQ(error("name = \"s\"\nheight_m = 5\npoints = [[1, 2, 3], [4, 5]]\n"), "");
  EXPECT_EQ(missing(error("name = \"s\"\nheight_m = \"high\"\npoint = [1, 2]\n"), {"r.toml:5:12", "number"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\nfile = 3\n"), {"r.toml:5:8", "GeoJSON"}), "");
  EXPECT_EQ(missing(error("name = \"s\"\npoint = [1, 2]\n[[sketch]]\nname = \"s\"\npoint = [1, 2]\n"),
                    {"r.toml:7:8", "second sketch"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + "[sketch]\nname = \"s\"\n" + kGround), {"r.toml:2:1", "[[sketch]]"}), "");
}

TEST(Parse, Heights) {
  const Result<Recipe> r = parse_recipe(kHead + "[[sketch]]\nname = \"s\"\nheight_m = 5\nline = [[1, 2, 3], [4, 5]]\n" +
                                            kGround + "[[step]]\nop = \"sketch\"\nsketch = \"s\"\n",
                                        "r.toml");
  ASSERT_TRUE(r.ok()) << r.error().text();
  const shape::Sketch& sketch = r->find_sketch("s")->sketch;
  EXPECT_TRUE(sketch.has_heights);
  EXPECT_EQ(sketch.parts[0][0].height_m, 3);
  EXPECT_EQ(sketch.parts[0][1].height_m, 5);
  EXPECT_EQ(sketch.parts[0][1].y_m, 5);
  EXPECT_EQ(r->find_sketch("t"), nullptr);
}

TEST(Parse, Masks) {
  EXPECT_EQ(missing(error_of(kHead + kGround + "mask = 3\n"), {"r.toml:4:8", "mask"}), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + "mask = \"\"\n"), {"r.toml:4:8", "mask"}), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + "mast = \"a\"\n"), {"r.toml:4:1", "did you mean 'mask'?"}), "");
  EXPECT_EQ(missing(error_of("keep = 3\n" + kHead + kGround), {"r.toml:1:8", "keep"}), "");
  EXPECT_EQ(missing(error_of("keep = [3]\n" + kHead + kGround), {"r.toml:1:9", "keep"}), "");
}

}  // namespace
}  // namespace thalweg::recipe
