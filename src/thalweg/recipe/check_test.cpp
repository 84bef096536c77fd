// The recipe as a whole: fields, units, masks, effects.
#include <gtest/gtest.h>

#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

std::string step(const std::string& op, const std::string& lines = "") {
  return "[[step]]\nop = \"" + op + "\"\n" + lines + (lines.empty() ? "" : "\n");
}

TEST(Check, UnknownFieldsGetTheNearestName) {
  EXPECT_EQ(missing(error_of(kHead + kGround + step("clamp", "field = \"hieght\"")),
                    {"r.toml:6:9: ", "step 'clamp' reads field 'hieght', which no step before it writes",
                     "did you mean 'height'?"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("combine", "with = \"other\"")), {"r.toml:6:8: ", "'other'"}), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("combine")), {"r.toml:5:6: ", "needs with"}), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("clamp", "field = \"No Name\"")), {"r.toml:6:9", "letters a-z"}),
            "");
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("select", "from = \"biome\"\nby = \"height\"")), {"r.toml:6:8", "biome"}),
      "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("noise", "out = \"weights\"")), {"r.toml:6:7", "rgba8"}), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("noise", "out = \"" + std::string(65, 'a') + "\"")),
                    {"r.toml:6:7", "64"}),
            "");
}

TEST(Check, LaterWritersAreTold) {
  const std::string text = kHead + kGround + step("combine", "name = \"early\"\nwith = \"rock\"") +
                           step("noise", "name = \"rocks\"\nout = \"rock\"");
  EXPECT_EQ(missing(error_of(text), {"r.toml:7:8: ", "step 'early' reads field 'rock', which no step before it writes",
                                     "step 'rocks' at r.toml:9:6 writes it later"}),
            "");
  // Two steps that wait for each other.
  const std::string cycle =
      kHead + step("curve", "field = \"a\"\nout = \"b\"") + step("curve", "field = \"b\"\nout = \"a\"");
  EXPECT_EQ(missing(error_of(cycle), {"r.toml:4:9: ", "'a'", "writes it later"}), "");
}

TEST(Check, StepsWithoutEffect) {
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("noise", "out = \"rock\"")),
              {"r.toml:6:7: ", "step 'noise' has no effect: nothing reads the field 'rock'", "keep = [\"rock\"]"}),
      "");
  EXPECT_EQ(error_of(kHead + "keep = [\"rock\"]\n" + kGround + step("noise", "out = \"rock\"")), "");
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("noise")),
              {"r.toml:3:6: ", "step 'noise' has no effect: step 'noise' at r.toml:5:6 overwrites field 'height'"}),
      "");
  // What only a step without effect reads has none either; the last of them is named.
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("noise", "out = \"a\"") + step("clamp", "field = \"a\"\nout = \"b\"")),
              {"r.toml:10:7: ", "'b'"}),
      "");
  // Read before it is overwritten; combined rather than replaced; masked.
  EXPECT_EQ(
      error_of(kHead + kGround + step("clamp", "out = \"low\"") + step("noise") + step("combine", "with = \"low\"")),
      "");
  EXPECT_EQ(error_of(kHead + kGround + step("noise", "combine = \"max\"")), "");
  EXPECT_EQ(error_of(kHead + kGround + step("select", "out = \"m\"") + step("noise", "mask = \"m\"")), "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("moisture") + step("moisture")), {"r.toml:5:6", "overwrites"}), "");
  EXPECT_EQ(error_of(kHead + kGround + step("droplets") + step("droplets")), "");  // wear and deposit add up
  EXPECT_EQ(missing(error_of(kHead + "[[sketch]]\nname = \"s\"\npoint = [1, 2]\n" + kGround),
                    {"r.toml:3:8: ", "no step uses the sketch 's'"}),
            "");
}

TEST(Check, Keep) {
  const std::string rock = kGround + step("noise", "out = \"rock\"");
  EXPECT_EQ(missing(error_of(kHead + "keep = [\"rok\"]\n" + rock), {"r.toml:2:9: ", "'rok'", "did you mean 'rock'?"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + "keep = [\"rock\", \"height\"]\n" + rock), {"r.toml:2:17: ", "written anyway"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + "keep = [\"rock\", \"rock\"]\n" + rock), {"r.toml:2:17: ", "twice"}), "");
  EXPECT_EQ(error_of(kHead + "keep = [\"sea\", \"lake_id\", \"directions\"]\n" + kGround + step("rivers")), "");
}

TEST(Check, Units) {
  const std::string mask = step("select", "out = \"m\"");
  // m + 1
  EXPECT_EQ(missing(error_of(kHead + kGround + mask + step("combine", "with = \"m\"")),
                    {"r.toml:8:6: ", "writes values in pure numbers (unit 1) into field 'height', which is in m"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + kGround + mask + step("combine", "with = \"m\"\ncombine = \"smooth-max\"")),
                    {"r.toml:8:6"}),
            "");
  EXPECT_EQ(error_of(kHead + kGround + mask + step("combine", "with = \"m\"\ncombine = \"multiply\"")), "");
  // m * m
  const std::string hills = step("noise", "out = \"hills\"");
  EXPECT_EQ(missing(error_of(kHead + kGround + hills + step("combine", "with = \"hills\"\ncombine = \"multiply\"")),
                    {"r.toml:8:6: ", "multiplies 'height', in m, by values in m"}),
            "");
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("noise", "combine = \"multiply\"")), {"r.toml:5:6: ", "multiplies"}), "");
  EXPECT_EQ(error_of(kHead + kGround + step("noise", "combine = \"multiply\"\nunit = \"1\"")), "");
  // Into a standard field of another unit; wanted in another unit.
  EXPECT_EQ(missing(error_of(kHead + kGround + step("select", "out = \"height\"")),
                    {"r.toml:6:7: ", "height", "which is in m"}),
            "");
  EXPECT_EQ(
      missing(error_of(kHead + kGround + step("noise", "out = \"moisture\"")), {"values in m into field 'moisture'"}),
      "");
  EXPECT_EQ(missing(error_of(kHead + kGround + mask + step("terrace", "field = \"m\"")),
                    {"r.toml:9:9: ", "step 'terrace' needs a field in m; 'm' is in pure numbers (unit 1)"}),
            "");
  // A field of the recipe's own takes the unit of what is written into it anew.
  EXPECT_EQ(error_of(kHead + kGround + step("clamp", "out = \"a\"") +
                     step("curve", "field = \"a\"\noutputs = [0, 1]\nunit = \"1\"") + step("clamp", "mask = \"a\"")),
            "");
  const Result<Recipe> r = parse_recipe(
      kHead + "keep = [\"a\", \"b\"]\n" + kGround + step("clamp", "out = \"a\"") + step("select", "out = \"b\""),
      "r.toml");
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(field_units(*r), (std::map<std::string, std::string>{{"a", "m"}, {"b", "1"}, {"height", "m"}}));
}

TEST(Check, Masks) {
  const std::string mask = step("select", "out = \"m\"");
  EXPECT_EQ(error_of(kHead + kGround + mask + step("terrace", "mask = \"m\"")), "");
  EXPECT_EQ(
      missing(error_of(kHead + kGround + mask + step("terrace", "mask = \"n\"")), {"r.toml:9:8: ", "has the mask 'n'"}),
      "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("terrace", "mask = \"height\"")),
                    {"r.toml:6:8: ", "a mask holds pure numbers 0 to 1; field 'height' is in m"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + kGround + mask + step("droplets", "mask = \"m\"")),
                    {"r.toml:9:8: ", "'droplets' takes no mask"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + kGround + mask + step("noise", "out = \"new\"\nmask = \"m\"")),
                    {"r.toml:10:8: ", "makes the field 'new' anew", "nothing for a mask to keep"}),
            "");
  EXPECT_EQ(missing(error_of(kHead + kGround + step("rivers") + step("clamp", "mask = \"sea\"")),
                    {"r.toml:8:8: ", "in code"}),
            "");
}

TEST(Check, Sketches) {
  const auto text = [&](const std::string& sketch, const std::string& lines) {
    return kHead + "[extent]\nsize_m = 100\n[[sketch]]\nname = \"s\"\n" + sketch + "\n" + kGround +
           step("sketch", lines);
  };
  EXPECT_EQ(error_of(text("point = [50, 50, 9]", "sketch = \"s\"\ntolerance_m = 1")), "");
  EXPECT_EQ(missing(error_of(text("point = [50, 50]", "sketch = \"s\"")), {"r.toml:11:10: ", "has no heights"}), "");
  EXPECT_EQ(
      missing(error_of(text("point = [50, 50, 9]", "sketch = \"t\"")), {"r.toml:11:10: ", "no sketch is named 't'"}),
      "");
  EXPECT_EQ(missing(error_of(text("point = [50, 50, 9]", "")), {"r.toml:10:6: ", "needs sketch"}), "");
  EXPECT_EQ(
      missing(error_of(text("point = [101, 50, 9]", "sketch = \"s\"")), {"r.toml:5:8: ", "outside of the extent"}), "");
  EXPECT_EQ(missing(error_of(text("line = [[-9, -9, 9], [50, -1, 9]]", "sketch = \"s\"")), {"outside of the extent"}),
            "");
  EXPECT_EQ(missing(error_of(text("point = [50, 50, 9]", "sketch = \"s\"\ntolerance_m = 1\nblend = \"add\"")),
                    {"r.toml:10:6", "add"}),
            "");
  EXPECT_EQ(missing(error_of(text("point = [50, 50, 9]", "sketch = \"s\"\ntolerance_m = 1\nweight = 0.5")),
                    {"r.toml:10:6", "weight = 1, is 0.5"}),
            "");
  EXPECT_EQ(
      missing(error_of(text("point = [50, 50, 9]", "sketch = \"s\"\ntolerance_m = 1\nmask = \"m\"\n") + ""), {"'m'"}),
      "");
  const std::string promised = kHead + "[[sketch]]\nname = \"s\"\npoint = [50, 50, 9]\n" + kGround +
                               step("select", "out = \"m\"") +
                               step("sketch", "sketch = \"s\"\ntolerance_m = 1\nmask = \"m\"");
  EXPECT_EQ(missing(error_of(promised), {"r.toml:14:8: ", "promises", "mask"}), "");
}

}  // namespace
}  // namespace thalweg::recipe
