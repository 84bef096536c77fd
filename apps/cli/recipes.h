// Where recipes come from.
#pragma once

#include <string>

#include "thalweg/core/result.h"
#include "thalweg/recipe/recipe.h"

namespace thalweg::cli {

/// A file, else the name of a shipped recipe. The error lists the shipped ones.
Result<recipe::Recipe> load_recipe(const std::string& name_or_file);
/// "island, canyon".
std::string shipped_recipe_names();

}  // namespace thalweg::cli
