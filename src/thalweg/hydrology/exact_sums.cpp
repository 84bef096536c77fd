#include "thalweg/hydrology/exact_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace thalweg::hydrology {
namespace {

// 1.5 * 2^52 units, where a unit times 2^53 is at least cells * largest. Near this number doubles are one unit apart.
double rounding_shift(double largest, std::int64_t cells) {
  if (!(largest > 0)) return 0;
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  const int count_bits = std::max(2, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cells - 1))));
  return std::ldexp(1.5, exponent + count_bits - 1);
}

}  // namespace

AreaUnits::AreaUnits(const CellGeometry& geometry, int rows, std::int64_t cells) {
  if (geometry.is_uniform()) {
    unit_m2_ = rows > 0 ? geometry.row(0).area_m2 : 1;
    return;
  }
  double largest = 0;
  for (int y = 0; y < rows; ++y) largest = std::max(largest, geometry.row(y).area_m2);
  const double shift = rounding_shift(largest, cells);
  rows_.reserve(static_cast<std::size_t>(rows));
  for (int y = 0; y < rows; ++y) rows_.push_back((geometry.row(y).area_m2 + shift) - shift);
}

void scale_area(const AreaUnits& units, GridView<double> sums, const Exec& exec) {
  const double unit = units.unit_m2();
  if (unit == 1) return;
  parallel_rows(exec, sums.width(), sums.height(), [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      double* row = sums.row(y);
      for (int x = 0, w = sums.width(); x < w; ++x) row[x] *= unit;
    }
  });
}

double largest_weight(GridView<const float> weight, const Exec& exec) {
  std::vector<float> of_row(static_cast<std::size_t>(weight.height()), 0.0F);
  parallel_rows(exec, weight.width(), weight.height(), [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      float largest = 0;
      const float* row = weight.row(y);
      for (int x = 0, w = weight.width(); x < w; ++x) {
        const float v = std::fabs(row[x]);
        largest = v > largest && v - v == 0 ? v : largest;
      }
      of_row[static_cast<std::size_t>(y)] = largest;
    }
  });
  float largest = 0;
  for (const float v : of_row) largest = std::max(largest, v);
  return largest;
}

WeightUnits::WeightUnits(double largest, std::int64_t cells) : shift_(rounding_shift(largest, cells)) {}

}  // namespace thalweg::hydrology
