// `thalweg erode`: one erosion operator over a given elevation model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/writer.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/recipe/operators.h"
#include "thalweg/recipe/recipe.h"

namespace thalweg::folder {

/// The operators that `erode` offers.
std::vector<std::string> erosion_operators();

/// A recipe of one erosion step, with `settings` PARAM=VALUE. Errors name the option.
Result<recipe::Step> erosion_step(const std::string& op, const std::vector<std::string>& settings);

/// Whether the step can run on cells like these: square ones, within the operator's limits.
Status check_erosion(const io::Raster& dem, const std::string& source, const recipe::Step& step);

/// Writes height.tif, wear.tif, deposit.tif, preview.png and world.json. Requires check_erosion.
Result<std::string> write_eroded(io::Raster&& dem, const std::string& source, const recipe::Step& step,
                                 const std::vector<std::string>& settings, std::uint64_t seed, Writer& writer,
                                 const Exec& exec);

}  // namespace thalweg::folder
