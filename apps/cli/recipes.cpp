#include "recipes.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "thalweg/io/files.h"

namespace thalweg::cli {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(THALWEG_RECIPES_DIR, ignored))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string shipped_recipe_names() {
  std::string out;
  for (const std::string& name : shipped()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Result<recipe::Recipe> load_recipe(const std::string& name_or_file) {
  std::error_code ignored;
  std::string file = name_or_file;
  const bool is_folder = fs::is_directory(file, ignored);
  if (is_folder || !fs::exists(file, ignored)) {  // a result folder may well bear the name of its recipe
    const std::vector<std::string> names = shipped();
    if (std::find(names.begin(), names.end(), name_or_file) == names.end()) {
      if (is_folder) return input_error("is a folder; a recipe is a file", file);
      std::string message = "no such recipe";
      const std::string near = nearest_name(name_or_file, names);
      if (!near.empty()) message += "; did you mean '" + near + "'?";
      return input_error(message + (near.empty() ? ". " : " ") + "Shipped recipes: " + shipped_recipe_names(),
                         name_or_file);
    }
    file = std::string(THALWEG_RECIPES_DIR) + "/" + name_or_file + ".toml";
  }
  constexpr std::uintmax_t kLargestRecipe = 4 << 20;
  if (const auto bytes = fs::file_size(file, ignored); !ignored && bytes > kLargestRecipe)
    return input_error("is too large for a recipe", file);
  Result<std::string> text = io::read_text_file(file);
  if (!text) return std::move(text).error();
  Result<recipe::Recipe> recipe = recipe::parse_recipe(*text, file == name_or_file ? file : name_or_file + ".toml");
  if (recipe) recipe->folder = fs::path(file).parent_path().string();
  return recipe;
}

}  // namespace thalweg::cli
