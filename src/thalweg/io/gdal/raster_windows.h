// Rasters that do not fit into memory, in and out window by window.
#pragma once

#include <functional>
#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::io {

/// What takes the cells of a raster. `begin` gets everything known before the cells are read; the type of its (empty)
/// `cells` says which of the other two is called, with windows that cover every cell once.
struct RasterTaker {
  std::function<Status(const Raster& header)> begin;
  std::function<Status(int x, int y, GridView<const float> window)> take_float;
  std::function<Status(int x, int y, GridView<const double> window)> take_double;
};

/// read_raster (raster.h) without holding the cells: the same values, checks and facts; `cells` of the result is empty.
/// An error of `taker` ends the reading and is returned. Peak memory about 90 MB.
Result<Raster> read_raster_windows(const std::string& path, ReadAs as, const RasterTaker& taker);

/// Fills `out` with the cells from (x, y) on.
template <class T>
using CellSource = std::function<Status(int x, int y, GridView<T> out)>;

/// write_geotiff (raster.h) of cells that are asked for window by window, row by row of windows: the same bytes. An
/// error of `cells` is returned and leaves no file.
template <class T>
Status write_geotiff_windows(const std::string& path, const GridSpec& spec, const GeoTiffOptions& options,
                             const CellSource<T>& cells);

}  // namespace thalweg::io
