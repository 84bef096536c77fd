// Masks from the shape of the land: where is it high, steep, turned to the north, curved?
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::shape {

enum class SelectBy { height, slope, aspect, curvature };

/// A mask that is 1 where the measure lies in [low, high] and falls by smoothstep to 0 over `soft` on either side.
///
/// The measure: `height` in the field's unit; `slope` in degrees; `aspect` the compass direction the ground faces
/// (degrees clockwise from north, low..high may pass through 360: 315 to 45 is north; level ground is selected never);
/// `curvature` in 1/km, the Laplacian, positive in hollows and negative on crests. Slope, aspect and curvature are
/// taken from the least-squares plane and paraboloid of the 3 x 3 samples that lie `scale_m` apart (at least one cell,
/// rounded to whole cells), so that a mask at half the cell size is the same mask. The samples are taken as they are:
/// detail much finer than scale_m shows as speckle, and a blurred copy of the land is the field to select from.
struct SelectParams {
  SelectBy by = SelectBy::slope;
  double low = 30;
  double high = 90;
  double soft = 5;
  double scale_m = 20;
  template <class Visitor>
  static void describe(SelectParams& p, Visitor& v) {
    static constexpr Choice<SelectBy> kKinds[] = {{"height", SelectBy::height},
                                                  {"slope", SelectBy::slope},
                                                  {"aspect", SelectBy::aspect},
                                                  {"curvature", SelectBy::curvature}};
    v.choice("by", p.by, kKinds,
             {.help = "what is measured: height in the field's unit, slope and aspect in degrees, "
                      "curvature in 1/km (hollows positive)"});
    v.real("low", p.low, {.min = -1e6, .max = 1e6, .help = "selected from here"});
    v.real("high", p.high, {.min = -1e6, .max = 1e6, .help = "to here; for aspect low..high may pass north"});
    v.real("soft", p.soft, {.min = 0, .max = 1e6, .help = "over which the mask falls to 0 outside of low..high"});
    v.real("scale_m", p.scale_m,
           {.unit = "m",
            .min = 0.01,
            .max = 1e5,
            .help = "distance over which slope, aspect and curvature are measured; from a blurred field where the land "
                    "has much finer detail"});
  }
};
/// Fails where low > high (aspect: allowed; values must be 0..360).
Status check_select(const SelectParams& params);
/// Cells to each side that decide a sample. `cell_m`: the lesser of both spacings.
int select_halo_cells(const SelectParams& params, double cell_m);
/// NoData gives 0, and so do slope, aspect and curvature of infinite heights. Neighbours that are missing (edge,
/// NoData) are taken as the least-squares plane through the others continues, level across where those lie on one line;
/// with no neighbour at all the ground counts as level. `out` must not overlap `in`. A window with select_halo_cells
/// around it gives the bits of the whole grid (but at the grid's own edges). O(cells). Paraboloid after Evans (1972).
void select(const SelectParams& params, const CellGeometry& geometry, GridView<const float> in, GridView<float> out,
            const Exec& exec);

}  // namespace thalweg::shape
