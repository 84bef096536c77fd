// How the audit names places; internal.
#pragma once

#include <cstdint>
#include <string>

#include "thalweg/core/params.h"

namespace thalweg::hydrology::internal {

inline std::string cell_text(std::int64_t x, std::int64_t y) {
  return "column " + std::to_string(x) + ", row " + std::to_string(y);
}
template <class T>
std::string cell_text(std::int64_t x, std::int64_t y, T height_m) {
  return cell_text(x, y) + " (" + format_number(height_m) + " m)";
}

/// "3 pits", "1 pit".
inline std::string count_text(std::int64_t count, const std::string& what, const std::string& plural = {}) {
  return std::to_string(count) + " " + (count == 1 ? what : plural.empty() ? what + "s" : plural);
}

}  // namespace thalweg::hydrology::internal
