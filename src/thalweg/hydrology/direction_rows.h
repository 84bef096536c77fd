// Internal to hydrology: from a rule for single rows to a whole raster of directions.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/hydrology/flats.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology::internal {

/// Directions to strictly lower neighbours: `steepest(rows, y, out)` writes the codes of row y, 0 where there is none;
/// outlets and NoData are seen to here, and cells that wait for resolve_flats() are kFlatPending.
template <class T, class Steepest>
void find_lower(GridView<const T> height, OutletMask outlets, GridView<std::uint8_t> directions, const Exec& exec,
                const Steepest& steepest) {
  assert(directions.width() == height.width() && directions.height() == height.height());
  const int w = height.width();
  if (height.empty()) return;
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    PaddedRows<T> rows(height);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> outlet(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = directions.row(y);
      const std::uint8_t* marked = mask_row(outlets, y);
      steepest(rows, y, to);
      find_outlets(rows.above(), rows.here(), rows.below(), w, marked, scratch.data(), outlet.data());
      const auto* here = rows.here();
      for (int x = 0; x < w; ++x) {
        if (to[x] == kNoFlow && outlet[x] == 0) to[x] = kFlatPending;
        if (marked != nullptr && marked[x] != 0) to[x] = kNoFlow;
        if (here[x] != here[x]) to[x] = kFlowNoData;
      }
      if (y + 1 < y1) rows.next();
    }
  });
}

/// Directions of all cells by the rules of d8().
template <class T, class Steepest>
void route_rows(GridView<const T> height, OutletMask outlets, GridView<std::uint8_t> directions, const Exec& exec,
                const Steepest& steepest) {
  if (height.empty()) return;
  find_lower<T>(height, outlets, directions, exec, steepest);
  exec.progress(0.3);
  if (!exec.cancelled()) resolve_flats<T>(height, directions, exec);
  exec.progress(1);
}

}  // namespace thalweg::hydrology::internal
