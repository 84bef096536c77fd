#include "thalweg/recipe/toml_values-inl.h"

#include <cmath>

namespace thalweg::recipe {

std::optional<ParamValue> value_of(const toml::node& node) {
  if (node.is_floating_point()) return node.as_floating_point()->get();
  if (node.is_integer()) return node.as_integer()->get();
  if (node.is_boolean()) return node.as_boolean()->get();
  if (node.is_string()) return node.as_string()->get();
  if (!node.is_array()) return std::nullopt;
  Numbers list;
  for (const toml::node& entry : *node.as_array()) {
    if (entry.is_floating_point()) {
      list.push_back(entry.as_floating_point()->get());
    } else if (entry.is_integer()) {
      list.push_back(static_cast<double>(entry.as_integer()->get()));
    } else {
      return std::nullopt;
    }
  }
  return list;
}

Error unknown_key(const std::string& what, std::string_view key, const std::vector<std::string>& known,
                  const std::string& place) {
  const std::string near = nearest_name(key, known);
  std::string message = "unknown " + what + " '" + std::string(key) + "'";
  if (!near.empty()) {
    message += "; did you mean '" + near + "'?";
  } else {
    message += "; it has ";
    for (std::size_t i = 0; i < known.size(); ++i) message += (i > 0 ? ", " : "") + known[i];
  }
  return input_error(std::move(message), place);
}

Result<double> number_of(const toml::node& node, std::string_view key, double min, double max,
                         const std::string& file) {
  double v = 0;
  if (node.is_floating_point()) {
    v = node.as_floating_point()->get();
  } else if (node.is_integer()) {
    v = static_cast<double>(node.as_integer()->get());
  } else {
    return input_error(std::string(key) + " must be a number", place_of(file, node.source()));
  }
  if (!std::isfinite(v) || v < min || v > max)
    return input_error(std::string(key) + " must be from " + format_number(min) + " to " + format_number(max) + " m",
                       place_of(file, node.source()));
  return v;
}

}  // namespace thalweg::recipe
