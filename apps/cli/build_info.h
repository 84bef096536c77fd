// What this binary is.
#pragma once

#include <string>

namespace thalweg::cli {
std::string version_text();
/// Version, commit, compiler, SIMD levels, parts.
std::string build_info_text();
}  // namespace thalweg::cli
