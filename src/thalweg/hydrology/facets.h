// Internal to hydrology: the eight facets of D-infinity as angles.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/routing_math.h"

namespace thalweg::hydrology::internal {

/// D8 neighbour number of corner k; corners run counter-clockwise from east, 0 to 7.
constexpr unsigned corner_neighbour(unsigned k) {
  return (8U - k) & 7U;
}

/// Directions to the neighbours of a cell, corner 8 being east again. Angles are compared as float, where rounding is
/// monotone: an angle between two corners never rounds beyond one of them.
struct Corners {
  std::array<float, 9> angle;
  std::array<double, 8> per_span;  ///< 1 / (angle[k + 1] - angle[k])

  explicit Corners(const CellGeometry::Row& cell) {
    const double up = atan_first_quadrant(cell.dy_m, cell.dx_m);
    const double pi = exact::kPi;
    const double exact_angle[9] = {0, up, pi / 2, pi - up, pi, pi + up, 3 * pi / 2, 2 * pi - up, 2 * pi};
    for (std::size_t k = 0; k < 9; ++k) angle[k] = static_cast<float>(exact_angle[k]);
    for (std::size_t k = 0; k < 8; ++k)
      per_span[k] = 1 / (static_cast<double>(angle[k + 1]) - static_cast<double>(angle[k]));
  }
};

/// The corners of every row; one set where all rows are alike.
class CornerTable {
 public:
  CornerTable(const CellGeometry& geometry, int height) {
    const int rows = geometry.is_uniform() ? (height > 0 ? 1 : 0) : height;
    rows_.reserve(static_cast<std::size_t>(rows));
    for (int y = 0; y < rows; ++y) rows_.emplace_back(geometry.row(y));
  }
  const Corners& row(int y) const { return rows_[rows_.size() == 1 ? 0 : static_cast<std::size_t>(y)]; }

 private:
  std::vector<Corners> rows_;
};

/// Where an angle leads: to corner `k` alone, or to k and k + 1.
struct FacetShare {
  unsigned k = 0;
  bool inside = false;
  double next = 0;  ///< share of corner k + 1, in (0, 1) where inside
};

/// Shares below this go to the other corner: angles made elsewhere miss a neighbour's direction by the last place of
/// float (6e-7 of a facet) or by having measured the row a little differently (1e-6 for one row of one third of a
/// second).
inline constexpr double kLeastShare = 1e-5;

/// Precondition: 0 <= angle <= corners.angle[8].
inline FacetShare facet_share(float angle, const Corners& corners) {
  unsigned k = 0;
  for (std::size_t j = 1; j < 8; ++j) k += angle >= corners.angle[j] ? 1 : 0;
  const double next = (static_cast<double>(angle) - static_cast<double>(corners.angle[k])) * corners.per_span[k];
  if (next > 1 - kLeastShare) return {(k + 1) & 7U, false, 0};
  if (next < kLeastShare) return {k, false, 0};
  return {k, true, next};
}

}  // namespace thalweg::hydrology::internal
