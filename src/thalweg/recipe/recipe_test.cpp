#include "thalweg/recipe/recipe.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/depressions.h"

namespace thalweg::recipe {
namespace {

std::string island_text() {
  std::ifstream in(std::string(THALWEG_SOURCE_DIR) + "/recipes/island.toml");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::string kHead = "format = \"thalweg-recipe 1\"\n";

std::string error_of(const std::string& text) {
  const Result<Recipe> r = parse_recipe(text, "r.toml");
  return r.ok() ? "" : r.error().text();
}

TEST(Recipe, ErrorsNamePlaceAndNearestName) {
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"nois\"\n"),
            "r.toml:3:6: unknown operator 'nois'; did you mean 'noise'?");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\nwavelenght_m = 3\n"),
            "r.toml:4:1: unknown parameter of 'noise' 'wavelenght_m'; did you mean 'wavelength_m'?");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\noctaves = 99\n"), "r.toml:4:11: octaves must be from 1 to 24");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\noctaves = 2.5\n"),
            "r.toml:4:11: octaves must be a whole number");
  EXPECT_EQ(error_of(kHead + "[[step]]\nop = \"noise\"\nfractal = \"fmb\"\n"),
            "r.toml:4:11: fractal must be one of fbm, ridged, billow");
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

TEST(Recipe, SettingsAreCheckedLikeTheFile) {
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  ASSERT_TRUE(r.ok()) << r.error().text();
  EXPECT_TRUE(apply_setting(*r, "drain.method=fill").ok());  // a bare word is a text
  EXPECT_TRUE(apply_setting(*r, "hills.octaves=5").ok());
  EXPECT_TRUE(apply_setting(*r, "extent.size_m=4096").ok());
  EXPECT_EQ(r->width_m, 4096);
  EXPECT_EQ(apply_setting(*r, "hills.octaves=99").error().text(),
            "--set hills.octaves=99: octaves must be from 1 to 24");
  EXPECT_EQ(apply_setting(*r, "hils.octaves=9").error().text(),
            "--set hils.octaves=9: unknown step 'hils'; did you mean 'hills'?");
  EXPECT_NE(apply_setting(*r, "hills.octave=9").error().text().find("did you mean 'octaves'?"), std::string::npos);
  EXPECT_FALSE(apply_setting(*r, "noise").ok());
  EXPECT_FALSE(apply_setting(*r, "=").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.=3").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.octaves=").ok());
  EXPECT_FALSE(apply_setting(*r, "noise.octaves=1\n[x]").ok());
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

TEST(Operators, TableIsWhole) {
  for (const Operator& op : operator_table()) {
    EXPECT_FALSE(op.help.empty());
    EXPECT_TRUE(op.run && op.fields && op.check && op.halo_cells) << op.name;
    // The example is a recipe step that passes the checker (after steps that write what it reads).
    std::string text = kHead;
    for (const char* before : {"noise", "moisture", "rivers", "biomes"})
      if (op.name != "noise") text += "[[step]]\nop = \"" + std::string(before) + "\"\n";
    EXPECT_EQ(error_of(text + op.example), "") << op.name;
    for (const ParamInfo& p : op.params) {
      EXPECT_FALSE(p.help.empty()) << op.name << "." << p.name;
      EXPECT_FALSE(param_fault(p, p.fallback)) << op.name << "." << p.name;
      EXPECT_NE(operator_as_text(op).find(p.name), std::string::npos);
      EXPECT_NE(recipe_schema().find("\"" + p.name + "\""), std::string::npos);
    }
  }
}

Result<World> island(std::int64_t samples, std::uint64_t seed, const Exec& exec) {
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  if (!r) return std::move(r).error();
  r->seed = seed;
  const Result<GridSpec> spec = spec_for_samples(*r, samples, samples);
  if (!spec) return spec.error();
  return run(*r, *spec, exec);
}

std::string hashes_of(World& w) {
  std::string out;
  for (const auto& [name, field] : w.fields)
    out += name + " " +
           std::visit(
               [](const auto& g) {
                 using T = std::remove_cvref_t<decltype(g[0])>;
                 return content_hash<T>(g.view()).hex();
               },
               field) +
           "\n";
  for (const auto& g : w.weights) out += content_hash<std::uint32_t>(g.view()).hex() + "\n";
  for (const auto& reach : w.rivers.reaches)
    for (const auto& p : reach.points)
      out += format_number(p.x) + " " + format_number(p.y) + " " + format_number(p.z_m) + "\n";
  return out;
}

TEST(Island, SameBitsForAnyThreadCountAndBackend) {
  Result<World> one = island(129, 3, Exec());
  ASSERT_TRUE(one.ok()) << one.error().text();
  const std::string expected = hashes_of(*one);
  for (const int threads : {2, 7})
    for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::automatic}) {
      Result<World> other = island(129, 3, Exec(threads, backend));
      ASSERT_TRUE(other.ok());
      EXPECT_EQ(expected, hashes_of(*other)) << threads;
    }
}

// Golden: changes only together with kRecipeVersion or the recipe itself. Equal on every compiler, SIMD level and, in
// tests/wasm_probe.cpp, in WebAssembly.
TEST(Island, GoldenHash) {
  Result<World> w = island(65, 7, Exec(2));
  ASSERT_TRUE(w.ok()) << w.error().text();
  EXPECT_EQ(content_hash<float>(std::as_const(*w).find<float>("height")).hex(), "63274a80a3e0718eb1e9830ce7902030");
  EXPECT_EQ(content_hash<double>(std::as_const(*w).find<double>("flow")).hex(), "971cf40b8428959c3c11a1e555f9b4e2");
  EXPECT_EQ(content_hash<std::uint8_t>(std::as_const(*w).find<std::uint8_t>("biome")).hex(),
            "4ce4f2e95eafebcddd9cee9261c95804");
}

TEST(Island, KeepsItsPromises) {
  for (const std::int64_t samples : {2, 3, 17, 65, 257}) {
    Result<World> made = island(samples, 7, Exec(2));
    ASSERT_TRUE(made.ok()) << made.error().text();
    World& w = *made;
    const GridView<const float> height = std::as_const(w).find<float>("height");
    for (int x = 0; x < height.width(); ++x) {
      EXPECT_LE(height(x, 0), 0);
      EXPECT_LE(height(x, height.height() - 1), 0);
      EXPECT_LE(height(0, x), 0);
      EXPECT_LE(height(height.width() - 1, x), 0);
    }
    for (const LedgerEntry& entry : w.ledgers) EXPECT_EQ(entry.ledger.balance(), 0);
    const auto sea = std::as_const(w).find<std::uint8_t>("sea");
    const auto lake = std::as_const(w).find<std::int32_t>("lake_id");
    const auto water = std::as_const(w).find<float>("water");
    Grid<float> surface(height.width(), height.height());
    for (std::int64_t i = 0; i < surface.cells(); ++i) surface[i] = lake[i] != 0 ? height[i] + water[i] : height[i];
    const auto pits = hydrology::audit_pits<float>(surface.view(), sea, Exec());
    EXPECT_TRUE(pits.ok()) << samples << ": " << pits.place;
    const auto ends = hydrology::audit_river_ends(w.rivers, height.width(), height.height(), sea, lake);
    EXPECT_TRUE(ends.ok()) << ends.place;
    for (std::int64_t i = 0; i < surface.cells(); ++i) surface[i] = height[i] + water[i];
    const auto beds = hydrology::audit_river_beds(w.rivers, surface.view(), 0.01);
    EXPECT_TRUE(beds.ok()) << beds.place;
  }
}

TEST(Run, CancelledRunsSaySo) {
  volatile int flag = 1;
  Result<Recipe> r = parse_recipe(island_text(), "island.toml");
  ASSERT_TRUE(r.ok());
  const auto spec = spec_for_samples(*r, 33, 33);
  const Result<World> w = run(*r, *spec, Exec().with_cancel(&flag));
  ASSERT_FALSE(w.ok());
  EXPECT_EQ(w.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace thalweg::recipe
