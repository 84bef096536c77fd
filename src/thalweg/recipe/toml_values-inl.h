// Values of TOML nodes as parameters, and messages about keys. Private to the module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/recipe.h"
#include "thalweg/recipe/toml_text-inl.h"

namespace thalweg::recipe {

inline constexpr double kLargestExtent_m = 1e9;

/// A parameter's value; nothing for dates, tables and lists of other things than numbers.
std::optional<ParamValue> value_of(const toml::node& node);

/// "unknown key 'sead'; did you mean 'seed'?", or what there is where nothing looks like it.
Error unknown_key(const std::string& what, std::string_view key, const std::vector<std::string>& known,
                  const std::string& place);

/// A number in [min, max] (metres).
Result<double> number_of(const toml::node& node, std::string_view key, double min, double max, const std::string& file);

/// A `[[sketch]]` table.
Result<SketchSource> read_sketch(const toml::node& node, const std::string& file);

/// Fills heights that are missing (NaN) and checks the shapes. Used for shapes in the recipe and in files.
Status finish_sketch(SketchSource& source, const std::string& place);

}  // namespace thalweg::recipe
