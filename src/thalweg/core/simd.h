// Which SIMD instructions the run-time dispatch may use.
#pragma once

#include <string>
#include <vector>

#include "thalweg/core/result.h"

namespace thalweg {

/// Levels this machine can run, best first, out of "avx3", "avx2", "sse4", "ssse3", "scalar" (others on other CPUs).
std::vector<std::string> simd_levels();
/// Caps the dispatch at `level` for the rest of the process; "" lifts the cap. Results are the same at every level.
Status cap_simd(const std::string& level);
/// The level in use now.
std::string simd_level();

}  // namespace thalweg
