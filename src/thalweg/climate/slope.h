// Inside of the climate module: the steepness of the ground.
#pragma once

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"

namespace thalweg::climate::detail {

/// Difference quotient along one axis from the sample, its neighbours before and after and their spacing: central,
/// one-sided where a neighbour is NoData (or off the grid), 0 where both are.
inline double gradient_along(double before, double here, double after, double step_m) {
  const bool has_before = before == before;
  const bool has_after = after == after;
  if (has_before && has_after) return (after - before) / (2.0 * step_m);
  if (has_after) return (after - here) / step_m;
  if (has_before) return (here - before) / step_m;
  return 0.0;
}

/// Squared tangent of the slope at (x, y); NaN only where heights are infinite or the cell is NoData.
inline double slope_tan2(GridView<const float> height_m, const CellGeometry& geometry, int x, int y) {
  const auto at = [&](int i, int j) {
    return static_cast<double>(height_m.contains(i, j) ? height_m(i, j) : kNoData<float>);
  };
  const CellGeometry::Row& row = geometry.row(y);
  const double here = at(x, y);
  const double dx = gradient_along(at(x - 1, y), here, at(x + 1, y), row.dx_m);
  const double dy = gradient_along(at(x, y - 1), here, at(x, y + 1), row.dy_m);
  return dx * dx + dy * dy;
}

}  // namespace thalweg::climate::detail
