// Recipes: a TOML text, its steps, and how they are checked and run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/operators.h"
#include "thalweg/recipe/world.h"

namespace thalweg::recipe {

/// Raised when the same recipe gives another world than before. Stands in world.json.
inline constexpr int kRecipeVersion = 1;
inline constexpr std::string_view kRecipeFormat = "thalweg-recipe 1";

struct Step {
  std::string op;
  std::string name;   ///< as given, else the op; unique where given
  std::string place;  ///< file:line:column of its op
  std::vector<ParamWriter::Named> params;
};

/// A checked recipe, a plain value.
struct Recipe {
  std::string title;
  std::uint64_t seed = 1;
  double width_m = 8192;   ///< extent west to east: (samples - 1) * cell_m
  double height_m = 8192;  ///< extent north to south
  double cell_m = 8;       ///< used where neither --size nor --cell-m says otherwise
  double sea_level_m = 0;
  bool promises_island = false;  ///< sea all along the edge, and land; audited
  std::vector<Step> steps;
  std::string source_name;  ///< file, for messages
  std::string text;         ///< as read, for world.json
};

/// Parses and checks as a whole: format line, unknown keys (with the nearest right name), types, ranges, fields read
/// before they are written. Errors carry file:line:column.
Result<Recipe> parse_recipe(const std::string& text, const std::string& source_name);

/// `--set step.param=value`: the same checks; `step` is a step's name, else its op where only one step has it; also
/// extent.size_m, extent.cell_m, extent.sea_level_m. The error names the option.
Status apply_setting(Recipe& recipe, const std::string& setting);

/// The grid that `width` x `height` samples over the recipe's extent make. Fails where cells would not be square.
Result<GridSpec> spec_for_samples(const Recipe& recipe, std::int64_t width, std::int64_t height);
/// The grid of cells of `cell_m`; an extent that it does not divide is widened to the next sample, which `*widened`
/// tells.
Result<GridSpec> spec_for_cell(const Recipe& recipe, double cell_m, bool* widened);

/// Bytes that running the recipe over `cells` needs at its peak (fields plus the hungriest step).
std::uint64_t estimate_peak_bytes(const Recipe& recipe, std::int64_t cells);

/// Called before each step: index, count, name.
using StepCallback = std::function<void(int index, int count, const Step& step)>;

/// Runs all steps over `spec`. The result depends on recipe, seed and spec alone. Errors name the step.
Result<World> run(const Recipe& recipe, const GridSpec& spec, const Exec& exec, const StepCallback& on_step = {});

}  // namespace thalweg::recipe
