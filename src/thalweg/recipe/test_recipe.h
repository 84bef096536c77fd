// Small recipes for the tests of this module.
#pragma once

#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>

#include "thalweg/recipe/recipe.h"

namespace thalweg::recipe {

inline const std::string kHead = "format = \"thalweg-recipe 1\"\n";
inline const std::string kGround = "[[step]]\nop = \"noise\"\n";

/// Text of a shipped recipe.
inline std::string shipped_text(const std::string& name) {
  std::ifstream in(std::string(THALWEG_SOURCE_DIR) + "/recipes/" + name + ".toml");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
inline std::string island_text() {
  return shipped_text("island");
}

/// "" where the text is a recipe.
inline std::string error_of(const std::string& text) {
  const Result<Recipe> r = parse_recipe(text, "r.toml");
  return r.ok() ? "" : r.error().text();
}

/// "" where a one-line error holds all the words, else what is wrong with it.
inline std::string missing(const std::string& error, std::initializer_list<const char*> words) {
  for (const char* w : words)
    if (error.find(w) == std::string::npos) return "'" + std::string(w) + "' is not in: " + error;
  return error.find('\n') == std::string::npos ? "" : "more than one line: " + error;
}

/// Runs a recipe over size x size samples of its extent.
inline Result<World> run_text(const std::string& text, int size, const Exec& exec = {}) {
  Result<Recipe> r = parse_recipe(text, "r.toml");
  if (!r) return std::move(r).error();
  const Result<GridSpec> spec = spec_for_samples(*r, size, size);
  if (!spec) return spec.error();
  return run(*r, *spec, exec);
}

}  // namespace thalweg::recipe
