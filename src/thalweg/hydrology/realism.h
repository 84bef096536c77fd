// How natural is the land? Figures that geomorphology measures on real elevation models, measured the same way on any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

/// What the figures are measured with. Figures compare only where these are alike, and the cell size too.
struct RealismParams {
  double channel_area_km2 = 0;
  double drop_m = 10;
  std::int64_t drop_cells = 40;
  double bin_decades = 0.2;
  std::int64_t bin_cells = 60;
  double reference_concavity = 0.45;
  double relief_window_m = 2500;
  std::int64_t curvature_arm_cells = 3;
  double valley_height_m = 10;
  template <class Visitor>
  static void describe(RealismParams& p, Visitor& v) {
    v.real(
        "channel_area_km2", p.channel_area_km2,
        {.unit = "km2", .min = 0, .max = 1e6, .help = "a channel begins where this much land drains; 0: by cell size"});
    v.real("drop_m", p.drop_m,
           {.unit = "m", .min = 1e-3, .max = 1e4, .help = "channel slopes are taken over this drop"});
    v.integer("drop_cells", p.drop_cells, {.unit = "cells", .min = 1, .max = 10000, .help = "or at most this far"});
    v.real("bin_decades", p.bin_decades,
           {.min = 0.01, .max = 1, .help = "width of the bins of area, in powers of ten"});
    v.integer("bin_cells", p.bin_cells,
              {.unit = "cells", .min = 1, .max = 1e9, .help = "bins with fewer do not count"});
    v.real("reference_concavity", p.reference_concavity, {.min = 0, .max = 2, .help = "of the steepness index"});
    v.real("relief_window_m", p.relief_window_m, {.unit = "m", .min = 1, .max = 1e6, .help = "side of the window"});
    v.integer("curvature_arm_cells", p.curvature_arm_cells,
              {.unit = "cells", .min = 1, .max = 1000, .help = "distance of the samples of the Laplacian"});
    v.real("valley_height_m", p.valley_height_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "land lower than this above its channel is valley floor"});
  }
};

/// Classes of cell size whose figures compare with each other.
enum class CellClass {
  fine,    ///< below 4 m
  medium,  ///< 4 m to 17 m (real models: 4-12 m)
  coarse,  ///< above 17 m (real models: 25-93 m)
};
/// `cell_m`: square root of the cell's area.
CellClass cell_class(double cell_m);
/// Drained area from which a channel is counted by default: 0.005, 0.05 and 1 km2.
double default_channel_area_km2(CellClass cells);

struct RealismFigure {
  std::string name;    ///< "concavity", "hack", ...: every report has all, in the same order
  double value = 0;    ///< NaN where the land is too small or too uniform to tell
  std::string unit;    ///< "" for a pure number
  std::string brief;   ///< how it was measured, in a few words for a table
  std::string method;  ///< the same in full, with the parameters
  std::int64_t n = 0;  ///< samples behind it (cells, streams, basins, bins of the spectrum); 0 with NaN
};

struct RealismReport {
  std::vector<RealismFigure> figures;
  /// Share of the land higher than 0, 0.05, ... 1 of the range of heights; empty without land.
  std::vector<double> hypsometric_curve;
  double cell_m = 0;  ///< of the middle row, square root of the area
  CellClass cells = CellClass::coarse;
  double channel_area_km2 = 0;
  std::int64_t land_cells = 0;

  /// The figure of that name, or nullptr.
  const RealismFigure* find(std::string_view name) const;
};

/// Measures all figures on `height` without its NoData and `sea` (nonzero; may be empty). Land beside those and the
/// border drains out. Give the surface that elevation models show: the water level on lakes. The same bits for any
/// thread count. Linear but for sorting channel cells and the spectrum (n^2 log n); about 40 bytes a cell.
/// Fails when cancelled or out of memory, and where `params` are out of range.
Result<RealismReport> measure_realism(GridView<const float> height, const CellGeometry& geometry, OutletMask sea,
                                      const RealismParams& params, const Exec& exec);

}  // namespace thalweg::hydrology
