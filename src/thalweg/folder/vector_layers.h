// Rivers and lakes between their in-memory form (grid coordinates) and vector layers (the raster's CRS).
#pragma once

#include <array>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {

/// CRS coordinates of a point in grid coordinates (cell centres at whole numbers): the georeference's where there is
/// one, else metres east and north of the world's origin.
std::array<double, 2> to_map(const GridSpec& spec, double column, double row);
/// The inverse of to_map.
std::array<double, 2> to_grid(const GridSpec& spec, double x, double y);

/// An empty layer in the CRS of the grid.
io::Layer make_layer(std::string name, const GridSpec& spec);
/// The polygon (or several) inside rings that run along cell corners, every vertex at height z_m; no attributes.
io::Feature polygon_feature(const std::vector<hydrology::Ring>& rings, double z_m, const GridSpec& spec);

io::Layer rivers_layer(const hydrology::RiverNetwork& network, const GridSpec& spec);
io::Layer lakes_layer(const std::vector<hydrology::Lake>& lakes, const GridSpec& spec);

/// Reads back what rivers_layer wrote. Fails on a line without the attributes it needs.
Result<hydrology::RiverNetwork> network_from_layer(const io::Layer& layer, const GridSpec& spec);

/// Lake polygons painted onto a grid: the level at cells whose centre lies inside one, NaN elsewhere.
Result<Grid<float>> lake_levels(const io::Layer& layer, const GridSpec& spec);

}  // namespace thalweg::folder
