// Small pieces of JSON text; the recipe module needs no JSON library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "thalweg/core/params.h"

namespace thalweg::recipe {

inline std::string json_quote(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[(c >> 4) & 15];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

inline std::string value_as_json(const ParamValue& value) {
  if (const auto* d = std::get_if<double>(&value)) return format_number(*d);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* list = std::get_if<Numbers>(&value)) {
    std::string out = "[";
    for (const double v : *list) out += (out.size() > 1 ? ", " : "") + format_number(v);
    return out + "]";
  }
  return json_quote(std::get<std::string>(value));
}

inline std::string names_as_json(const std::vector<std::string>& names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? ", " : "") + json_quote(names[i]);
  return out + "]";
}

inline bool is_numeric(const ParamInfo& p) {
  return p.kind == ParamKind::real || p.kind == ParamKind::integer || p.kind == ParamKind::numbers;
}

}  // namespace thalweg::recipe
