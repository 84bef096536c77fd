// The files that a recipe names: sketches and pictures.
#pragma once

#include <string>
#include <vector>

#include "thalweg/recipe/recipe.h"

namespace thalweg::folder {

/// Readers of GeoJSON and of any raster GDAL opens; relative paths begin at `folder` ("" for the current one).
///
/// GeoJSON: points, lines or polygons (one kind a file) in metres east and north of the extent's south-west corner; a
/// file with a coordinate system of its own is refused, since its numbers would be taken for those metres. A vertex's
/// height: the property height_m of its feature, else its third coordinate, else none.
/// Rasters: the first band as it is; whole numbers up to 16 bits without sign stretch from 0 to their greatest.
recipe::Resources file_resources(const std::string& folder);

/// Paths of all files that the recipe names.
std::vector<std::string> files_of(const recipe::Recipe& recipe);

}  // namespace thalweg::folder
