// From GDAL's geotransform and CRS to a GridSpec. Internal to this folder.
#pragma once

#include <gdal_priv.h>

#include <string>

#include "thalweg/core/result.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::io {

struct Placement {
  GridSpec spec;
  bool south_up = false;       ///< the file's first row is the southern one; the spec is of the turned raster
  double vertical_unit_m = 1;  ///< metres per unit of height by the CRS
  std::string vertical_unit;   ///< its name, "" where the CRS has no vertical part
  std::string note;
};

/// Fills `place` (as made) with where the raster lies; `drop_foreign_vertical`: leave out a vertical CRS whose unit is
/// not the metre.
Status place_raster(GDALDataset& dataset, const std::string& path, bool drop_foreign_vertical, Placement& place);

void add_note(std::string& note, const std::string& more);

/// What write_geotiff puts into the software tag; read back, it tells local metres from a lost CRS.
inline constexpr const char* kSoftware = "Thalweg";

}  // namespace thalweg::io
