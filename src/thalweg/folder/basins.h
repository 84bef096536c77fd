// Watersheds of chosen outlets and sub-basins as files of a hydrology folder.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/writer.h"

namespace thalweg::folder {

/// An outlet in the coordinates of the map (to_map).
using MapPoint = std::array<double, 2>;

struct BasinInputs {
  GridView<const std::uint8_t> directions;
  GridView<const double> area_m2;
  GridView<const float> height;
  GridView<const std::int32_t> basins;  ///< label_basins
};

/// Points of a GeoJSON file in the map's coordinates.
Result<std::vector<MapPoint>> read_outlets(const std::string& file);

/// Fails where it lies outside of the map.
Status check_outlet(const MapPoint& outlet, const GridSpec& spec);

/// watersheds.tif and watersheds.geojson: the land of each outlet, which moves to the cell with the most drained area
/// within `snap_m`. Fails on an outlet outside of the map or on NoData, and on two that come to lie in one cell.
Status write_watersheds(const std::vector<MapPoint>& outlets, double snap_m, const BasinInputs& inputs,
                        const GridSpec& spec, const CellGeometry& geometry, Writer& writer, const Exec& exec);

/// subbasins.tif and subbasins.geojson: every basin divided by Pfafstetter's method, `levels` digits.
Status write_subbasins(int levels, double min_tributary_km2, const BasinInputs& inputs, const GridSpec& spec,
                       const CellGeometry& geometry, Writer& writer, const Exec& exec);

}  // namespace thalweg::folder
