// Rain that an elevation model is drained with.
#pragma once

#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"

namespace thalweg::folder {

/// Reads a raster of rain that runs off, mm per year, as m3/s of each cell; NoData is 0. Fails where it has another
/// size than the model or lies elsewhere (by more than half a cell; a raster without a place fits any), and on rain
/// that is negative or more than 1e5 mm per year.
Result<Grid<float>> read_rain(const std::string& file, const GridSpec& spec);

}  // namespace thalweg::folder
