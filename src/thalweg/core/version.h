// Version of the library.
#pragma once

#include <string_view>

namespace thalweg {
inline constexpr std::string_view kVersion = "0.1.0";
}  // namespace thalweg
