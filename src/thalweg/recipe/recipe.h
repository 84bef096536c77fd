// Recipes: a TOML text, its sketches and steps, and how they are checked and run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/operators.h"
#include "thalweg/recipe/resources.h"
#include "thalweg/recipe/world.h"

namespace thalweg::recipe {

/// Raised when the same recipe gives another world than before. Stands in world.json.
inline constexpr int kRecipeVersion = 2;
inline constexpr std::string_view kRecipeFormat = "thalweg-recipe 1";

struct Step {
  std::string op;
  std::string name;   ///< as given, else the op; unique where given
  std::string place;  ///< file:line:column of its op
  std::vector<ParamWriter::Named> params;
  std::string mask;  ///< field that says where the step acts, 0..1; "" for everywhere
  /// file:line:column (or option) of the values given, by parameter; of the mask as "mask".
  std::map<std::string, std::string> places;

  /// Of a parameter's value, else of the step.
  const std::string& place_of(const std::string& param) const {
    const auto it = places.find(param);
    return it != places.end() ? it->second : place;
  }
};

/// A `[[sketch]]` table.
struct SketchSource {
  shape::Sketch sketch;
  std::string place;               ///< file:line:column of its name
  std::string file;                ///< "" where the shapes stand in the recipe
  std::string file_place;          ///< file:line:column of `file`
  std::optional<double> height_m;  ///< of vertices without a height of their own
  std::string hash;                ///< content hash of the file
  bool loaded = false;             ///< the shapes are there
};

/// An entry of `keep`.
struct KeptField {
  std::string name;
  std::string place;
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
  std::vector<KeptField> keep;   ///< fields of the recipe's own that are results
  std::vector<SketchSource> sketches;
  std::vector<Step> steps;
  std::string source_name;  ///< file, for messages
  std::string text;         ///< as read, for world.json
  std::string folder;       ///< where relative file names begin; set by whoever read the text
  Images images;            ///< by the path as written; filled by load_resources

  const SketchSource* find_sketch(std::string_view name) const;
  /// Names files that are not loaded yet.
  bool needs_resources() const;
};

/// Parses and checks as a whole (check_recipe). Errors carry file:line:column and the nearest right name. Opens no
/// file: see load_resources.
Result<Recipe> parse_recipe(const std::string& text, const std::string& source_name);

/// The recipe as a whole: required parameters, fields read before they are written (telling a later writer), units,
/// masks, sketches, values that do not go together, steps and sketches without any effect.
Status check_recipe(const Recipe& recipe);

/// Reads every file the recipe names and checks the recipe with what they hold. Errors carry the place of the
/// reference. After settings, before run.
Status load_resources(Recipe& recipe, const Resources& resources);

/// `--set step.param=value`: the same checks; `step` is a step's name, else its op where only one step has it; also
/// step.mask, extent.size_m, extent.cell_m, extent.sea_level_m. All are made before the whole is checked, so that
/// changes may need each other; of two for the same parameter the last counts. The error names the option; the recipe
/// is then as it was.
Status apply_settings(Recipe& recipe, std::span<const std::string> settings);
Status apply_setting(Recipe& recipe, const std::string& setting);

/// Units of all fields at the end of a checked recipe.
std::map<std::string, std::string> field_units(const Recipe& recipe);

/// The grid that `width` x `height` samples over the recipe's extent make. Fails where cells would not be square.
Result<GridSpec> spec_for_samples(const Recipe& recipe, std::int64_t width, std::int64_t height);
/// The grid of cells of `cell_m`; an extent that it does not divide is widened to the next sample, which `*widened`
/// tells.
Result<GridSpec> spec_for_cell(const Recipe& recipe, double cell_m, bool* widened);

/// Bytes that running the recipe over `cells` needs at its peak (fields plus the hungriest step, and its images).
std::uint64_t estimate_peak_bytes(const Recipe& recipe, std::int64_t cells);

/// Called before each step: index, count, name.
using StepCallback = std::function<void(int index, int count, const Step& step)>;

/// Runs all steps over `spec`, then sees how the promises fared. The result depends on recipe (with its files), seed
/// and spec alone. Errors name the step: files not loaded, values that do not go together at this cell size, float
/// fields that get beyond 1e9.
Result<World> run(const Recipe& recipe, const GridSpec& spec, const Exec& exec, const StepCallback& on_step = {});

}  // namespace thalweg::recipe
