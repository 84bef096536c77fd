#include "thalweg/erosion/droplet_guard.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thalweg::erosion {
namespace {

// Highest value of the row within [x - reach, x + 1 + reach], for all x; `out` holds zeroes.
void spread_along(const float* protect, int width, int reach, float* out) {
  for (int x = 0; x < width; ++x) {
    if (!(protect[x] > 0)) continue;
    const float v = std::min(protect[x], 1.0F);
    const int end = std::min(width, x + reach + 1);
    for (int i = std::max(0, x - 1 - reach); i < end; ++i) out[i] = std::max(out[i], v);
  }
}

bool any_above_zero(const float* row, int width) {
  return std::any_of(row, row + width, [](float v) { return v > 0; });
}

}  // namespace

Grid<float> guard_of(const DropletPlan& plan, GridView<const float> protect, const Exec& exec) {
  const int width = protect.width();
  const int height = protect.height();
  std::vector<std::uint8_t> used(static_cast<std::size_t>(height), 0);
  parallel_rows(exec, width, height, [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      used[static_cast<std::size_t>(y)] = any_above_zero(protect.row(y), width) ? 1 : 0;
  });
  if (std::find(used.begin(), used.end(), 1) == used.end()) return {};

  const int reach_x = plan.deposit_x + std::max(1, plan.brush_x);
  const int reach_y = plan.deposit_y + std::max(1, plan.brush_y);
  Grid<float> rows(width, height);
  Grid<float> guard(width, height);
  parallel_rows(exec, width, height, [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      if (used[static_cast<std::size_t>(y)] != 0) spread_along(protect.row(y), width, reach_x, rows.row(y));
  });
  parallel_rows(exec, width, height, [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y) {
      float* out = guard.row(y);
      const int end = std::min(height, y + reach_y + 2);
      for (int other = std::max(0, y - reach_y); other < end; ++other) {
        if (used[static_cast<std::size_t>(other)] == 0) continue;
        const float* row = rows.row(other);
        for (int x = 0; x < width; ++x) out[x] = std::max(out[x], row[x]);
      }
      for (int x = 0; x < width; ++x) out[x] = 1.0F - out[x];
    }
  });
  return guard;
}

}  // namespace thalweg::erosion
