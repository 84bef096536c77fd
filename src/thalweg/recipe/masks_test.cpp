// Masks: the same rule for every operator that takes one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "thalweg/core/content_hash.h"
#include "thalweg/recipe/test_recipe.h"

namespace thalweg::recipe {
namespace {

const std::string kExtent = kHead + "[extent]\nsize_m = 320\n";
// A mask that is 0 in the south, 1 in the north, and between in the middle.
const std::string kMask =
    "[[sketch]]\nname = \"north\"\npolygon = [[-10, 220], [330, 220], [330, 330], [-10, 330]]\n"
    "[[step]]\nop = \"sketch-mask\"\nsketch = \"north\"\nfalloff_m = 100\nout = \"m\"\n";

GridView<const float> field(const World& world, const std::string& name) {
  return world.find<float>(name);
}

void expect_blended(const World& before, const World& full, const World& masked, const std::string& target) {
  const auto old = field(before, target);
  const auto fresh = field(full, target);
  const auto out = field(masked, target);
  const auto m = field(masked, "m");
  std::int64_t between = 0;
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      const float k = m(x, y);
      if (k == 0) {
        EXPECT_EQ(std::memcmp(&out(x, y), &old(x, y), sizeof(float)), 0) << x << "," << y;
      } else if (k == 1) {
        EXPECT_EQ(std::memcmp(&out(x, y), &fresh(x, y), sizeof(float)), 0) << x << "," << y;
      } else {
        ++between;
        EXPECT_GE(out(x, y), std::min(old(x, y), fresh(x, y)) - 1e-3F);
        EXPECT_LE(out(x, y), std::max(old(x, y), fresh(x, y)) + 1e-3F);
      }
    }
  EXPECT_GT(between, 0);
}

TEST(Masks, EveryOperatorThatTakesOne) {
  const std::string ground = kMask + kGround + "[[step]]\nop = \"moisture\"\n[[step]]\nop = \"temperature\"\n";
  const std::string sketch =
      "[[sketch]]\nname = \"s\"\nline = [[0, 0, 50], [320, 320, 90]]\n"
      "[[step]]\nop = \"distance\"\nsketch = \"s\"\nlimit_m = 10\nout = \"from_s\"\n";
  const std::string keep = "keep = [\"m\", \"from_s\"]\n" + kExtent + sketch + ground;
  const Result<World> before = run_text(keep, 17);
  ASSERT_TRUE(before.ok()) << before.error().text();
  int operators = 0;
  for (const Operator& op : operator_table()) {
    if (!op.maskable || op.name == "image") continue;
    std::string step = "[[step]]\nop = \"" + op.name + "\"\n";
    std::string target = "height";
    if (op.name == "noise") step += "amplitude_m = 50\nstream = 3\n";
    if (op.name == "moisture") step += "stream = 3\n", target = "moisture";
    if (op.name == "temperature") step += "sea_level_c = 5\n", target = "temperature";
    if (op.name == "combine") step += "with = \"height\"\n";
    if (op.name == "clamp") step += "low = 10\nhigh = 40\n";
    if (op.name == "curve") step += "inputs = [-500, 0, 500]\noutputs = [0, 100, 200]\n";
    if (op.name == "sketch") step += "sketch = \"s\"\n";
    if (op.name == "sketch-mask") step += "sketch = \"s\"\nout = \"moisture\"\n", target = "moisture";
    if (op.name == "select") step += "out = \"moisture\"\n", target = "moisture";
    if (op.name == "distance") step += "sketch = \"s\"\nout = \"from_s\"\nlimit_m = 200\n", target = "from_s";
    const Result<World> full = run_text(keep + step, 17);
    ASSERT_TRUE(full.ok() || full.error().text().find("no effect") != std::string::npos) << full.error().text();
    const Result<World> masked = run_text(keep + step + "mask = \"m\"\n", 17);
    ASSERT_TRUE(masked.ok()) << op.name << ": " << masked.error().text();
    ++operators;
    if (full.ok()) expect_blended(*before, *full, *masked, target);
  }
  EXPECT_GE(operators, 12);
}

TEST(Masks, AFieldMayBeItsOwnMask) {
  const std::string text = "keep = [\"m\"]\n" + kExtent + kMask + kGround;
  const std::string step = "[[step]]\nop = \"curve\"\nfield = \"m\"\ninputs = [0, 1]\noutputs = [1, 0]\n";
  const Result<World> before = run_text(text, 17);
  const Result<World> after = run_text(text + step + "mask = \"m\"\n", 17);
  ASSERT_TRUE(before.ok() && after.ok()) << after.error().text();
  const auto m = field(*before, "m");
  const auto out = field(*after, "m");
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 17; ++x) EXPECT_NEAR(out(x, y), m(x, y) + m(x, y) * (1 - 2 * m(x, y)), 1e-6);
}

TEST(Masks, SameBitsForAnyThreadCount) {
  const std::string text = kExtent + kMask + kGround + "[[step]]\nop = \"blur\"\nradius_m = 60\nmask = \"m\"\n";
  const Result<World> one = run_text(text, 33);
  ASSERT_TRUE(one.ok()) << one.error().text();
  for (const int threads : {2, 7}) {
    const Result<World> other = run_text(text, 33, Exec(threads));
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(content_hash<float>(field(*one, "height")), content_hash<float>(field(*other, "height")));
  }
}

TEST(Run, ValuesBeyondAnyHeightAreRefused) {
  std::string text = kExtent + "[[step]]\nop = \"noise\"\namplitude_m = 1e6\noffset_m = 1e6\n";
  for (int i = 0; i < 3; ++i)
    text += "[[step]]\nop = \"noise\"\ncombine = \"multiply\"\nunit = \"1\"\namplitude_m = 0\noffset_m = 1e4\n";
  const Result<World> world = run_text(text, 9);
  ASSERT_FALSE(world.ok());
  EXPECT_EQ(missing(world.error().text(), {"r.toml:9:6: step 'noise'", "beyond 1e9", "height"}), "");
}

}  // namespace
}  // namespace thalweg::recipe
