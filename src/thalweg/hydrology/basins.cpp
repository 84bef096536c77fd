// What drains together: basin labels, watersheds, and the search for cycles.
#include <limits>
#include <vector>

#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/spread_upstream.h"

namespace thalweg::hydrology {

Error internal::find_cycle(GridView<const std::uint8_t> directions) {
  // 0 new, 1 on the way now, 2 known to end.
  Grid<std::uint8_t> state(directions.width(), directions.height());
  std::int64_t first = directions.cells();
  const std::int64_t w = directions.width();
  for (int y = 0; y < directions.height(); ++y) {
    for (int x = 0; x < directions.width(); ++x) {
      int cx = x;
      int cy = y;
      bool ends = false;
      while (!ends && state(cx, cy) == 0) {
        state(cx, cy) = 1;
        ends = !receiver(directions, cx, cy, cx, cy);
      }
      if (!ends && state(cx, cy) == 1) {
        const int start_x = cx;
        const int start_y = cy;
        do {
          first = std::min(first, cy * w + cx);
          receiver(directions, cx, cy, cx, cy);
        } while (cx != start_x || cy != start_y);
      }
      cx = x;
      cy = y;
      while (state(cx, cy) == 1) {
        state(cx, cy) = 2;
        if (!receiver(directions, cx, cy, cx, cy)) break;
      }
    }
  }
  return cycle_error(static_cast<int>(first % w), static_cast<int>(first / w));
}

Result<std::int64_t> label_basins(GridView<const std::uint8_t> directions, GridView<std::int32_t> out,
                                  const Exec& exec) {
  assert(out.width() == directions.width() && out.height() == directions.height());
  std::int64_t count = 0;
  for (int y = 0; y < directions.height(); ++y) {
    for (int x = 0; x < directions.width(); ++x) {
      int nx = 0;
      int ny = 0;
      if (directions(x, y) == kFlowNoData) {
        out(x, y) = kNoData<std::int32_t>;
      } else if (internal::receiver(directions, x, y, nx, ny)) {
        out(x, y) = 0;
      } else {
        if (count == std::numeric_limits<std::int32_t>::max()) return input_error("more basins than labels (2^31 - 1)");
        out(x, y) = static_cast<std::int32_t>(++count);
      }
    }
  }
  exec.progress(0.3);
  THALWEG_TRY(internal::spread_upstream<std::int32_t>(directions, out, 0, -1, 0, exec));
  exec.progress(1);
  return count;
}

Status mark_watershed(GridView<const std::uint8_t> directions, const std::vector<std::int64_t>& seeds,
                      GridView<std::uint8_t> out, const Exec& exec) {
  assert(out.width() == directions.width() && out.height() == directions.height());
  constexpr std::uint8_t kUnset = 2;
  constexpr std::uint8_t kBusy = 3;
  const std::int64_t w = directions.width();
  for (int y = 0; y < directions.height(); ++y)
    for (int x = 0; x < w; ++x) out(x, y) = directions(x, y) == kFlowNoData ? 0 : kUnset;
  for (const std::int64_t seed : seeds) {
    if (seed < 0 || seed >= directions.cells())
      return input_error("seed " + std::to_string(seed) + " is not a cell of the grid");
    const int x = static_cast<int>(seed % w);
    const int y = static_cast<int>(seed / w);
    if (directions(x, y) != kFlowNoData) out(x, y) = 1;
  }
  return internal::spread_upstream<std::uint8_t>(directions, out, kUnset, kBusy, 0, exec);
}

}  // namespace thalweg::hydrology
