// Internal to hydrology: rows of heights with a rim of NoData, so that kernels see neighbours without border cases.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {

/// Floating type that holds every T exactly; NoData is NaN in it, which loses every comparison.
template <class T>
using RealOf = std::conditional_t<std::is_same_v<T, std::int16_t> || std::is_same_v<T, float>, float, double>;

/// The rows y-1, y, y+1 of a grid, each with one NaN before and behind; rows outside the grid are all NaN. So a cell is
/// an outlet by position exactly when one of its eight neighbours is NaN. One element more may be read behind each row.
template <class T, class RowReal = RealOf<T>>
class PaddedRows {
 public:
  using Real = RowReal;

  explicit PaddedRows(GridView<const T> grid)
      : grid_(grid), pitch_(static_cast<std::size_t>(grid.width()) + 2), rows_(3 * pitch_ + 1) {}

  /// Rows around y; the cheap way on is next().
  void start(int y) {
    y_ = y;
    for (int d = -1; d <= 1; ++d) load(y + d);
  }
  void next() { load(++y_ + 1); }

  const Real* above() const { return row(y_ - 1); }
  const Real* here() const { return row(y_); }
  const Real* below() const { return row(y_ + 1); }

 private:
  Real* slot(int y) { return rows_.data() + static_cast<std::size_t>((y + 3) % 3) * pitch_ + 1; }
  const Real* row(int y) const { return rows_.data() + static_cast<std::size_t>((y + 3) % 3) * pitch_ + 1; }
  void load(int y) {
    constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
    const int w = grid_.width();
    Real* to = slot(y);
    to[-1] = to[w] = kNaN;
    if (y < 0 || y >= grid_.height()) {
      for (int x = 0; x < w; ++x) to[x] = kNaN;
      return;
    }
    const T* from = grid_.row(y);
    for (int x = 0; x < w; ++x) {
      if constexpr (std::is_floating_point_v<T>) {
        to[x] = static_cast<Real>(from[x]);
      } else {
        to[x] = from[x] == kNoData<T> ? kNaN : static_cast<Real>(from[x]);
      }
    }
  }

  GridView<const T> grid_;
  std::size_t pitch_;
  std::vector<Real> rows_;
  int y_ = 0;
};

/// flags[x] = 1 where the cell (x, y) of the rows is NoData, on the border, beside NoData or marked in `outlets`.
/// `scratch` has room for width + 2 bytes.
template <class Real>
void find_outlets(const Real* above, const Real* here, const Real* below, int width, const std::uint8_t* outlets,
                  std::uint8_t* scratch, std::uint8_t* flags) {
  std::uint8_t* column = scratch + 1;
  for (int x = -1; x <= width; ++x) {
    const bool nan = (above[x] != above[x]) | (here[x] != here[x]) | (below[x] != below[x]);
    column[x] = nan ? 1 : 0;
  }
  for (int x = 0; x < width; ++x) flags[x] = static_cast<std::uint8_t>(column[x - 1] | column[x] | column[x + 1]);
  if (outlets != nullptr)
    for (int x = 0; x < width; ++x) flags[x] = static_cast<std::uint8_t>(flags[x] | (outlets[x] != 0 ? 1 : 0));
}

inline const std::uint8_t* mask_row(OutletMask outlets, int y) {
  return outlets.empty() ? nullptr : outlets.row(y);
}

}  // namespace thalweg::hydrology::internal
