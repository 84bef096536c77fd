// Internal to hydrology: the 3 x 3 samples around a cell and what differences say about them.
#pragma once

#include <cassert>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology::internal {

/// Heights around `c`, north up. Complete: missing ones are continued as terrain_attributes.h says.
struct Neighbourhood {
  double nw, n, ne, w, c, e, sw, s, se;
};

inline void complete_axis(double& before, double c, double& after) {
  const bool no_before = before != before;
  const bool no_after = after != after;
  if (no_before) before = no_after ? c : 2 * c - after;
  if (no_after) after = no_before ? c : 2 * c - before;
}

inline void complete(Neighbourhood& z) {
  complete_axis(z.w, z.c, z.e);
  complete_axis(z.n, z.c, z.s);
  if (z.nw != z.nw) z.nw = z.n + z.w - z.c;
  if (z.ne != z.ne) z.ne = z.n + z.e - z.c;
  if (z.sw != z.sw) z.sw = z.s + z.w - z.c;
  if (z.se != z.se) z.se = z.s + z.e - z.c;
}

/// Rise per metre toward the east and toward the south.
struct Gradient {
  double east, south;
};

/// Horn 1981: differences of the neighbours weighted 1 2 1.
inline Gradient horn_gradient(const Neighbourhood& z, const CellGeometry::Row& cell) {
  const double east = (z.ne - z.nw) + 2 * (z.e - z.w) + (z.se - z.sw);
  const double south = (z.sw - z.nw) + 2 * (z.s - z.n) + (z.se - z.ne);
  return {east / (8 * cell.dx_m), south / (8 * cell.dy_m)};
}

/// out(x, y) = measure(neighbourhood, cell) for every cell that is not NoData; NaN on the others.
template <class Measure>
void for_neighbourhoods(GridView<const float> height, const CellGeometry& geometry, GridView<float> out,
                        const Exec& exec, const Measure& measure) {
  assert(out.width() == height.width() && out.height() == height.height() && geometry.height() >= height.height());
  parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
    PaddedRows<float> rows(height);
    rows.start(begin);
    for (int y = begin; y < end; ++y) {
      if (y > begin) rows.next();
      const float* a = rows.above();
      const float* h = rows.here();
      const float* b = rows.below();
      const CellGeometry::Row& cell = geometry.row(y);
      float* to = out.row(y);
      for (int x = 0; x < height.width(); ++x) {
        if (is_nodata(h[x])) {
          to[x] = kNoData<float>;
          continue;
        }
        Neighbourhood z{a[x - 1], a[x], a[x + 1], h[x - 1], h[x], h[x + 1], b[x - 1], b[x], b[x + 1]};
        complete(z);
        to[x] = static_cast<float>(measure(z, cell));
      }
    }
  });
}

}  // namespace thalweg::hydrology::internal
