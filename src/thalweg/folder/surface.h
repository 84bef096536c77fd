// The surface that one sees: the ground, and the water on lakes.
#pragma once

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/load.h"

namespace thalweg::folder {

/// Water level in metres where the lakes of a folder lie, by their polygons; NoData elsewhere, and everywhere where the
/// folder has no lakes.geojson.
Result<Grid<float>> lake_level_grid(const Input& input, const GridSpec& spec);

/// Ground, or the level of the lake on it where that is higher.
Grid<float> water_surface(GridView<const float> height, GridView<const float> lake_level_m);

}  // namespace thalweg::folder
