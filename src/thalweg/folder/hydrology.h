// `thalweg hydrology`: the drainage of an elevation model into a folder.
#pragma once

#include <functional>
#include <string>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/basins.h"
#include "thalweg/folder/writer.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"
#include "thalweg/hydrology/routing.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::folder {

struct HydrologyOptions {
  hydrology::DepressionMethod depressions = hydrology::DepressionMethod::fill;
  double river_km2 = 0;  ///< 0: chosen from the size of the map
  hydrology::RiverParams rivers;
  hydrology::LakeParams lakes;
  double epsilon_m = 0.001;  ///< of planchon-darboux
  std::string rain_file;     ///< "" where there is none; its name for world.json
  hydrology::RoutingParams routing;
  std::vector<std::string> attributes;  ///< of attribute_kinds()
  std::vector<MapPoint> outlets;        ///< of watersheds to mark
  double snap_m = -1;                   ///< how far they move to the largest stream; below 0: three cells
  int subbasin_levels = 0;              ///< digits of Pfafstetter codes; 0: no sub-basins
};

/// Threshold that shows the rivers of a map: from its cell size and land, a round number, at least 25 cells.
double default_river_km2(double land_km2, double cell_km2);

/// Bytes per cell that the command needs at its peak beyond the loaded model.
double hydrology_bytes_per_cell(const HydrologyOptions& options);

/// `rain` (may be empty): m3/s of each cell (read_rain); else the runoff of the options' rivers. Writes every file that
/// cli.md lists for `hydrology`, returns world.json.
Result<std::string> write_hydrology(const io::Raster& dem, GridView<const float> rain, const std::string& source,
                                    const HydrologyOptions& options, Writer& writer, const Exec& exec);

}  // namespace thalweg::folder
