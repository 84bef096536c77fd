#include "thalweg/recipe/toml_text-inl.h"

namespace thalweg::recipe {

Result<toml::table> parse_toml(const std::string& text, const std::string& file) {
  toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const toml::parse_error& e = parsed.error();
    return input_error(std::string(e.description()), place_of(file, e.source()));
  }
  return std::move(parsed).table();
}

}  // namespace thalweg::recipe
