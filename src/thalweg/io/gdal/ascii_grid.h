// A check that GDAL's reader of Esri ASCII grids does not make. Internal to this folder.
#pragma once

#include <cstdint>
#include <string>

#include "thalweg/core/result.h"

namespace thalweg::io {

/// GDAL reads 0 for numbers that are missing at the end of an ASCII grid or are no numbers. This counts them: an input
/// error where the body of `path` holds fewer than `cells` values or a word that is no number. One pass over the text.
///
/// GDAL also takes the whole grid for 32-bit integers by a look at its beginning and then reads 0 for nan and inf, cuts
/// off later fractions and wraps large numbers. The result: whether all values are whole and of at most 9 digits, so
/// that integers hold them.
Result<bool> check_ascii_grid(const std::string& path, std::int64_t cells);

}  // namespace thalweg::io
