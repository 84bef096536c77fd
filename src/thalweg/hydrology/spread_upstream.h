// Internal to hydrology: values that run up the flow directions.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/flow_graph.h"

namespace thalweg::hydrology::internal {

/// Gives every cell that holds `unset` the value of the first cell downstream that holds another, or `at_end` where
/// there is none. Cells on the way hold `busy` meanwhile, so meeting one means a cycle, which is an error. Each cell is
/// visited twice: linear.
template <class V>
Status spread_upstream(GridView<const std::uint8_t> directions, GridView<V> value, V unset, V busy, V at_end,
                       const Exec& exec) {
  for (int y = 0; y < directions.height(); ++y) {
    if (exec.cancelled()) return cancelled_error();
    for (int x = 0; x < directions.width(); ++x) {
      if (value(x, y) != unset) continue;
      int cx = x;
      int cy = y;
      V found = at_end;
      for (;;) {
        value(cx, cy) = busy;
        int nx = 0;
        int ny = 0;
        if (!receiver(directions, cx, cy, nx, ny)) break;
        if (value(nx, ny) == busy) return find_cycle(directions);
        cx = nx;
        cy = ny;
        if (value(cx, cy) == unset) continue;
        found = value(cx, cy);
        break;
      }
      cx = x;
      cy = y;
      while (value(cx, cy) == busy) {
        value(cx, cy) = found;
        int nx = 0;
        int ny = 0;
        if (!receiver(directions, cx, cy, nx, ny)) break;
        cx = nx;
        cy = ny;
      }
    }
  }
  return {};
}

}  // namespace thalweg::hydrology::internal
