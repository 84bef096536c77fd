// Height above the nearest drainage.
#include <cassert>
#include <limits>
#include <vector>

#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::hydrology {
namespace {

// Stands for "the way meets no channel" until the heights are taken.
constexpr float kNoChannel = std::numeric_limits<float>::infinity();

// The height that decides a cell by itself: a channel's, or that of a way's last cell. NaN where the way goes on.
float own_base(GridView<const float> height, GridView<const std::uint8_t> directions,
               GridView<const std::uint8_t> channel, bool to_outlets, int x, int y, int& to_x, int& to_y) {
  const float here = is_nodata(height(x, y)) ? kNoChannel : height(x, y);
  if (channel(x, y) != 0) return here;
  if (internal::receiver(directions, x, y, to_x, to_y)) return kNoData<float>;
  return to_outlets ? here : kNoChannel;
}

}  // namespace

Status height_above_drainage(GridView<const float> height, GridView<const std::uint8_t> directions,
                             GridView<const std::uint8_t> channel, const DrainageHeightParams& params,
                             GridView<float> out, const Exec& exec) {
  const int w = height.width();
  const int h = height.height();
  assert(directions.width() == w && directions.height() == h && channel.width() == w && channel.height() == h);
  assert(out.width() == w && out.height() == h);
  parallel_rows(exec, w, h, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < w; ++x) out(x, y) = kNoData<float>;
  });
  // Each way is followed to the first cell that is decided, then told to all of its cells.
  std::vector<std::int64_t> way;
  for (int y0 = 0; y0 < h; ++y0) {
    if (exec.cancelled()) return {};
    for (int x0 = 0; x0 < w; ++x0) {
      way.clear();
      int x = x0;
      int y = y0;
      float base = out(x, y);
      while (is_nodata(base)) {
        if (static_cast<std::int64_t>(way.size()) > height.cells()) return internal::find_cycle(directions);
        way.push_back(std::int64_t{y} * w + x);
        int to_x = x;
        int to_y = y;
        base = own_base(height, directions, channel, params.to_outlets, x, y, to_x, to_y);
        if (!is_nodata(base)) break;
        x = to_x;
        y = to_y;
        base = out(x, y);
      }
      for (const std::int64_t i : way) out(static_cast<int>(i % w), static_cast<int>(i / w)) = base;
    }
  }
  parallel_rows(exec, w, h, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < w; ++x) {
        const float base = out(x, y);
        out(x, y) = base == kNoChannel || directions(x, y) == kFlowNoData ? kNoData<float> : height(x, y) - base;
      }
  });
  return {};
}

}  // namespace thalweg::hydrology
