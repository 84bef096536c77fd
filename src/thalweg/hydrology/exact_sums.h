// Sums of doubles that are exact, so that their order does not show.
//
// A double holds every multiple of a unit u up to 2^53 u. Terms that are multiples of u, and whose sum cannot pass
// that, add up without any rounding, in whatever order and by whatever detour: so tiles can add the inflow of a
// neighbour afterwards and get the same bits as one pass over the whole grid.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"

namespace thalweg::hydrology {

/// Areas of cells for a grid of `cells` cells: sums are made of units and scaled once at the end. Equal cells count 1
/// each. Else the area of a row is rounded to a multiple of a power of two so small that the area of the whole grid
/// still fits 53 bits: off by less than 2^-52 of that, which is 4e-9 of a cell's own area on a grid of 2^24 cells and
/// 5e-7 on one of 2^31.
class AreaUnits {
 public:
  AreaUnits(const CellGeometry& geometry, int rows, std::int64_t cells);
  /// Of a cell of row y, in units.
  double of_row(int y) const { return rows_.empty() ? 1.0 : rows_[static_cast<std::size_t>(y)]; }
  double unit_m2() const { return unit_m2_; }

 private:
  std::vector<double> rows_;  ///< empty: equal cells
  double unit_m2_ = 1;
};
/// Turns sums of units into square metres. NaN stays.
void scale_area(const AreaUnits& units, GridView<double> sums, const Exec& exec);

/// Largest finite absolute value, 0 where there is none.
double largest_weight(GridView<const float> weight, const Exec& exec);

/// Rounds the weights of a grid of `cells` cells, none larger than `largest`, to multiples of a power of two so small
/// that the sum of all fits 53 bits. On a grid of 2^24 cells every weight from 1/32 of the largest keeps all its bits;
/// smaller ones are off by at most 2^-29 of the largest.
class WeightUnits {
 public:
  WeightUnits(double largest, std::int64_t cells);
  /// NoData counts as 0; infinite weights stay.
  double rounded(float weight) const {
    if (is_nodata(weight)) return 0;
    const double v = weight;
    if (v - v != 0) return v;
    return (v + shift_) - shift_;  // the sum rounds to a multiple of the unit; +0 for either zero
  }

 private:
  double shift_ = 0;
};

}  // namespace thalweg::hydrology
