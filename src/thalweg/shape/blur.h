// Blur by a distance in metres.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"

namespace thalweg::shape {

/// Gaussian blur whose standard deviation is radius_m / 2, cut off at radius_m * 1.5 (three deviations).
struct BlurParams {
  double radius_m = 100;
  template <class Visitor>
  static void describe(BlurParams& p, Visitor& v) {
    v.real("radius_m", p.radius_m,
           {.unit = "m", .min = 0.01, .max = 1e5, .help = "twice the standard deviation; at most 1365 cells"});
  }
};
/// Cells to each side that decide a sample. `cell_m`: the lesser of both spacings.
int blur_halo_cells(const BlurParams& params, double cell_m);
/// Fails where the halo would be wider than 2048 cells.
Status check_blur(const BlurParams& params, double cell_m);
/// Weighted mean of the samples around, NoData left out of it and staying NoData; beyond the grid the weights of what
/// is there are made to sum to 1. A constant stays that constant to the bit. A window with halo_cells around it gives
/// the bits of the whole grid (but at the grid's own edges). Rows of a geographic grid have their own width of cell; a
/// halo ends at 2048 cells. `in` and `out` must not overlap. O(cells * halo): the blur is separable.
void blur(const BlurParams& params, const CellGeometry& geometry, GridView<const float> in, GridView<float> out,
          const Exec& exec);

}  // namespace thalweg::shape
