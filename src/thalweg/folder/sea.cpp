#include "thalweg/folder/sea.h"

#include <vector>

#include "thalweg/hydrology/directions.h"

namespace thalweg::folder {
namespace {

constexpr float kZero_m = 1e-30F;
constexpr std::size_t kLeastCells = 100;

constexpr std::uint8_t kSea = 1;
constexpr std::uint8_t kDry = 2;  // low, but no sea

struct Area {
  std::vector<std::int64_t> cells;
  std::size_t at_zero = 0;
  bool touches_edge = false;

  bool is_sea() const { return touches_edge && cells.size() >= kLeastCells && 2 * at_zero >= cells.size(); }
};

// The low cells connected to (x, y), marked as dry.
void gather(GridView<const float> surface, GridView<std::uint8_t> mark, int x, int y, Area& area) {
  const std::int64_t w = surface.width();
  area.cells.assign(1, y * w + x);
  area.at_zero = 0;
  area.touches_edge = false;
  mark(x, y) = kDry;
  for (std::size_t next = 0; next < area.cells.size(); ++next) {
    const int cx = static_cast<int>(area.cells[next] % w);
    const int cy = static_cast<int>(area.cells[next] / w);
    if (surface(cx, cy) >= -kZero_m) ++area.at_zero;
    for (std::size_t d = 0; d < 8; ++d) {
      const int nx = cx + hydrology::kDx[d];
      const int ny = cy + hydrology::kDy[d];
      if (!surface.contains(nx, ny) || is_nodata(surface(nx, ny))) {
        area.touches_edge = true;
      } else if (surface(nx, ny) <= kZero_m && mark(nx, ny) == 0) {
        mark(nx, ny) = kDry;
        area.cells.push_back(ny * w + nx);
      }
    }
  }
}

}  // namespace

Grid<std::uint8_t> open_sea(GridView<const float> surface) {
  const std::int64_t w = surface.width();
  Grid<std::uint8_t> mark(surface.width(), surface.height());
  bool any = false;
  Area area;
  for (int y = 0; y < surface.height(); ++y)
    for (int x = 0; x < surface.width(); ++x) {
      if (!(surface(x, y) <= kZero_m) || mark(x, y) != 0) continue;
      gather(surface, mark, x, y, area);
      if (!area.is_sea()) continue;
      any = true;
      for (const std::int64_t cell : area.cells) mark(static_cast<int>(cell % w), static_cast<int>(cell / w)) = kSea;
    }
  if (!any) return {};
  for (std::int64_t i = 0; i < mark.cells(); ++i)
    if (mark[i] == kDry) mark[i] = 0;
  return mark;
}

}  // namespace thalweg::folder
