#include "thalweg/hydrology/lakes.h"

#include <algorithm>
#include <cassert>

#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/lake_outline.h"

namespace thalweg::hydrology {
namespace {

constexpr std::int32_t kTooSmall = -1;  // marks visited depressions that are no lakes

template <class T>
struct Finder {
  GridView<const T> height;
  GridView<const T> filled;
  GridView<const std::uint8_t> directions;
  const CellGeometry& geometry;
  GridView<std::int32_t> lake_id;
  std::vector<std::int64_t> members;  // cells of the depression at hand, in the order of the flood

  bool flooded(int x, int y) const { return filled(x, y) > height(x, y); }  // false for NoData

  /// Marks the depression around (x, y) with `id` and lists its cells.
  void flood(int x, int y, std::int32_t id) {
    const int width = height.width();
    const T level = filled(x, y);
    members.clear();
    lake_id(x, y) = id;
    members.push_back(std::int64_t{y} * width + x);
    for (std::size_t next = 0; next < members.size(); ++next) {
      const int cx = static_cast<int>(members[next] % width);
      const int cy = static_cast<int>(members[next] / width);
      for (std::size_t d = 0; d < 8; ++d) {
        const int nx = cx + kDx[d];
        const int ny = cy + kDy[d];
        if (!height.contains(nx, ny) || lake_id(nx, ny) != 0 || !flooded(nx, ny) || filled(nx, ny) != level) continue;
        lake_id(nx, ny) = id;
        members.push_back(std::int64_t{ny} * width + nx);
      }
    }
  }

  Lake measure(std::int32_t id) const {
    const int width = height.width();
    Lake lake;
    lake.id = id;
    lake.level_m =
        static_cast<double>(filled(static_cast<int>(members[0] % width), static_cast<int>(members[0] / width)));
    for (const std::int64_t cell : members) {
      const int x = static_cast<int>(cell % width);
      const int y = static_cast<int>(cell / width);
      const double depth = lake.level_m - static_cast<double>(height(x, y));
      const double area = geometry.row(y).area_m2;
      lake.area_m2 += area;
      lake.volume_m3 += depth * area;
      lake.max_depth_m = std::max(lake.max_depth_m, depth);
    }
    return lake;
  }

  std::int64_t outlet(std::int32_t id) const {
    std::int64_t best = -1;
    if (directions.empty()) return best;
    const int width = height.width();
    for (const std::int64_t cell : members) {
      const int x = static_cast<int>(cell % width);
      const int y = static_cast<int>(cell / width);
      const std::uint8_t code = directions(x, y);
      if (code == kNoFlow || code == kFlowNoData) continue;
      const auto d = static_cast<std::size_t>(direction_index(code));
      const int nx = x + kDx[d];
      const int ny = y + kDy[d];
      if (!height.contains(nx, ny) || lake_id(nx, ny) == id) continue;
      const std::int64_t target = std::int64_t{ny} * width + nx;
      if (best < 0 || target < best) best = target;
    }
    return best;
  }
};

}  // namespace

template <class T>
std::vector<Lake> find_lakes(GridView<const T> height, GridView<const T> filled,
                             GridView<const std::uint8_t> directions, const CellGeometry& geometry,
                             const LakeParams& params, GridView<std::int32_t> lake_id, const Exec& exec) {
  assert(filled.width() == height.width() && filled.height() == height.height());
  assert(lake_id.width() == height.width() && lake_id.height() == height.height());
  assert(geometry.height() >= height.height());
  parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) std::fill_n(lake_id.row(y), lake_id.width(), 0);
  });
  std::vector<Lake> lakes;
  Finder<T> finder{height, filled, directions, geometry, lake_id, {}};
  for (int y = 0; y < height.height() && !exec.cancelled(); ++y) {
    for (int x = 0; x < height.width(); ++x) {
      if (lake_id(x, y) != 0 || !finder.flooded(x, y)) continue;
      const auto id = static_cast<std::int32_t>(lakes.size() + 1);
      finder.flood(x, y, id);
      Lake lake = finder.measure(id);
      if (lake.area_m2 >= params.min_area_m2 && lake.max_depth_m >= params.min_depth_m) {
        lake.outlet_cell = finder.outlet(id);
        lakes.push_back(std::move(lake));
      } else {
        for (const std::int64_t cell : finder.members)
          lake_id(static_cast<int>(cell % height.width()), static_cast<int>(cell / height.width())) = kTooSmall;
      }
    }
  }
  parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < lake_id.width(); ++x)
        if (lake_id(x, y) == kTooSmall) lake_id(x, y) = 0;
  });
  std::vector<std::vector<Ring>> outlines = internal::trace_outlines(lake_id, lakes.size());
  for (std::size_t i = 0; i < lakes.size(); ++i) lakes[i].outline = std::move(outlines[i]);
  return lakes;
}

template std::vector<Lake> find_lakes<float>(GridView<const float>, GridView<const float>, GridView<const std::uint8_t>,
                                             const CellGeometry&, const LakeParams&, GridView<std::int32_t>,
                                             const Exec&);
template std::vector<Lake> find_lakes<double>(GridView<const double>, GridView<const double>,
                                              GridView<const std::uint8_t>, const CellGeometry&, const LakeParams&,
                                              GridView<std::int32_t>, const Exec&);

}  // namespace thalweg::hydrology
