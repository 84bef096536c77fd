// What was changed, and where the sea is.
#include "thalweg/hydrology/depressions.h"

#include <algorithm>
#include <vector>

namespace thalweg::hydrology {

template <class T>
DepressionStats depression_stats(GridView<const T> before, GridView<const T> after, const CellGeometry& geometry) {
  assert(after.width() == before.width() && after.height() == before.height());
  assert(geometry.height() >= before.height());
  DepressionStats stats;
  for (int y = 0; y < before.height(); ++y) {
    const T* a = before.row(y);
    const T* b = after.row(y);
    double raised_m = 0;
    double lowered_m = 0;
    for (int x = 0; x < before.width(); ++x) {
      if (is_nodata(a[x]) || is_nodata(b[x]) || a[x] == b[x]) continue;
      const double change = static_cast<double>(b[x]) - static_cast<double>(a[x]);
      if (change > 0) {
        ++stats.cells_raised;
        raised_m += change;
        stats.max_raise_m = std::max(stats.max_raise_m, change);
      } else {
        ++stats.cells_lowered;
        lowered_m -= change;
        stats.max_cut_m = std::max(stats.max_cut_m, -change);
      }
    }
    stats.volume_raised_m3 += raised_m * geometry.row(y).area_m2;
    stats.volume_lowered_m3 += lowered_m * geometry.row(y).area_m2;
  }
  return stats;
}

template <class T>
void mark_sea(GridView<const T> height, double sea_level_m, GridView<std::uint8_t> out) {
  assert(out.width() == height.width() && out.height() == height.height());
  const int w = height.width();
  const int h = height.height();
  struct Place {
    int x, y;
  };
  std::vector<Place> front;
  const auto reach = [&](int x, int y) {
    if (out(x, y) != 0 || !(static_cast<double>(height(x, y)) <= sea_level_m)) return;
    out(x, y) = 1;
    front.push_back({x, y});
  };
  for (int y = 0; y < h; ++y) std::fill_n(out.row(y), w, std::uint8_t{0});
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const bool nodata = is_nodata(height(x, y));
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) reach(x, y);
      if (!nodata) continue;
      for (int d = 0; d < 8; ++d)
        if (height.contains(x + kDx[d], y + kDy[d])) reach(x + kDx[d], y + kDy[d]);
    }
  }
  while (!front.empty()) {
    const Place p = front.back();
    front.pop_back();
    for (int d = 0; d < 8; ++d)
      if (height.contains(p.x + kDx[d], p.y + kDy[d])) reach(p.x + kDx[d], p.y + kDy[d]);
  }
}

template DepressionStats depression_stats<std::int16_t>(GridView<const std::int16_t>, GridView<const std::int16_t>,
                                                        const CellGeometry&);
template DepressionStats depression_stats<std::int32_t>(GridView<const std::int32_t>, GridView<const std::int32_t>,
                                                        const CellGeometry&);
template DepressionStats depression_stats<float>(GridView<const float>, GridView<const float>, const CellGeometry&);
template DepressionStats depression_stats<double>(GridView<const double>, GridView<const double>, const CellGeometry&);
template void mark_sea<float>(GridView<const float>, double, GridView<std::uint8_t>);
template void mark_sea<double>(GridView<const double>, double, GridView<std::uint8_t>);

}  // namespace thalweg::hydrology
