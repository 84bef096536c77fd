#include "thalweg/hydrology/watersheds.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "thalweg/hydrology/lake_outline.h"
#include "thalweg/hydrology/river_graph.h"
#include "thalweg/hydrology/spread_upstream.h"

namespace thalweg::hydrology {
namespace {

constexpr std::int32_t kUnset = -1;
constexpr std::int32_t kBusy = -2;

/// Everything unset, NoData marked.
void clear_labels(GridView<const std::uint8_t> directions, GridView<std::int32_t> out, const Exec& exec) {
  assert(out.width() == directions.width() && out.height() == directions.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < out.width(); ++x)
        out(x, y) = directions(x, y) == kFlowNoData ? kNoData<std::int32_t> : kUnset;
  });
}

Status spread(GridView<const std::uint8_t> directions, GridView<std::int32_t> out, const Exec& exec) {
  return internal::spread_upstream<std::int32_t>(directions, out, kUnset, kBusy, 0, exec);
}

std::int32_t& at(GridView<std::int32_t> out, std::int64_t cell) {
  return out(static_cast<int>(cell % out.width()), static_cast<int>(cell / out.width()));
}

void set_downstream(GridView<const std::uint8_t> directions, GridView<const std::int32_t> labels,
                    std::vector<Watershed>& watersheds) {
  for (Watershed& w : watersheds) {
    int x = 0;
    int y = 0;
    if (internal::receiver(directions, static_cast<int>(w.outlet_cell % labels.width()),
                           static_cast<int>(w.outlet_cell / labels.width()), x, y))
      w.downstream = labels(x, y);
  }
}

}  // namespace

std::int64_t snap_outlet(GridView<const double> accumulation, const CellGeometry& geometry, double column, double row,
                         double radius_m) {
  const double cx = std::floor(column + 0.5);
  const double cy = std::floor(row + 0.5);
  if (!(cx >= 0 && cy >= 0 && cx < accumulation.width() && cy < accumulation.height())) return -1;
  const int x0 = static_cast<int>(cx);
  const int y0 = static_cast<int>(cy);
  const CellGeometry::Row& cell = geometry.row(y0);
  const auto reach = [&](double step_m, double most) {  // whole cells to either side
    return static_cast<int>(std::min(std::max(0.0, radius_m) / step_m + 1, most));
  };
  const int rx = reach(cell.dx_m, accumulation.width());
  const int ry = reach(cell.dy_m, accumulation.height());
  std::int64_t best = -1;
  double best_value = 0;
  double best_distance = 0;
  for (int y = std::max(0, y0 - ry); y <= std::min(accumulation.height() - 1, y0 + ry); ++y) {
    for (int x = std::max(0, x0 - rx); x <= std::min(accumulation.width() - 1, x0 + rx); ++x) {
      const double value = accumulation(x, y);
      const double dx = (x - column) * cell.dx_m;
      const double dy = (y - row) * cell.dy_m;
      const double distance = std::sqrt(dx * dx + dy * dy);
      const bool near = distance <= radius_m || (x == x0 && y == y0);
      if (!near || is_nodata(value)) continue;
      if (best >= 0 && (value < best_value || (value == best_value && distance >= best_distance))) continue;
      best = std::int64_t{y} * accumulation.width() + x;
      best_value = value;
      best_distance = distance;
    }
  }
  return best;
}

Result<std::vector<Watershed>> label_watersheds(GridView<const std::uint8_t> directions,
                                                const std::vector<std::int64_t>& outlets, GridView<std::int32_t> out,
                                                const Exec& exec) {
  return guard_memory([&]() -> Result<std::vector<Watershed>> {
    if (outlets.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      return input_error("more outlets than labels (2^31 - 1)");
    clear_labels(directions, out, exec);
    std::vector<Watershed> watersheds;
    for (const std::int64_t cell : outlets) {
      const std::string name = "outlet " + std::to_string(watersheds.size() + 1);
      if (cell < 0 || cell >= directions.cells()) return input_error(name + " is not a cell of the grid");
      std::int32_t& label = at(out, cell);
      if (is_nodata(label)) return input_error(name + " lies on NoData");
      if (label != kUnset) return input_error(name + " is the same cell as outlet " + std::to_string(label));
      label = static_cast<std::int32_t>(watersheds.size() + 1);
      watersheds.push_back({label, cell, 0});
    }
    THALWEG_TRY(spread(directions, out, exec));
    set_downstream(directions, out, watersheds);
    return watersheds;
  });
}

std::vector<double> nested_total(const std::vector<Watershed>& watersheds, std::vector<double> own) {
  assert(own.size() == watersheds.size());
  std::vector<std::int32_t> waiting(own.size());
  const auto below = [&](std::size_t i) { return static_cast<std::size_t>(watersheds[i].downstream - 1); };
  for (std::size_t i = 0; i < own.size(); ++i)
    if (watersheds[i].downstream != 0) ++waiting[below(i)];
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (waiting[i] == 0) ready.push_back(i);
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::size_t i = ready[next];
    if (watersheds[i].downstream == 0) continue;
    own[below(i)] += own[i];
    if (--waiting[below(i)] == 0) ready.push_back(below(i));
  }
  return own;
}

Status label_reach_basins(GridView<const std::uint8_t> directions, const RiverNetwork& network,
                          GridView<std::int32_t> out, const Exec& exec) {
  clear_labels(directions, out, exec);
  for (const Reach& reach : network.reaches) {
    for (std::size_t p = 0; p < reach.points.size(); ++p) {
      const bool last = p + 1 == reach.points.size();
      if (last && (reach.downstream != 0 || reach.end == ReachEnd::sea)) continue;  // another's, or no land
      const std::int64_t cell = internal::cell_of(reach.points[p], out.width(), out.height());
      if (cell >= 0 && at(out, cell) == kUnset) at(out, cell) = reach.id;
    }
  }
  return spread(directions, out, exec);
}

Result<std::vector<Watershed>> label_order_basins(GridView<const std::uint8_t> directions, const RiverNetwork& network,
                                                  int order, GridView<std::int32_t> out, const Exec& exec) {
  return guard_memory([&]() -> Result<std::vector<Watershed>> {
    clear_labels(directions, out, exec);
    std::vector<Watershed> basins;
    for (const Reach& reach : network.reaches) {
      if (reach.strahler != order || reach.points.size() < 2) continue;
      const bool ends = reach.downstream == 0;
      if (!ends && network.reaches[static_cast<std::size_t>(reach.downstream - 1)].strahler == order) continue;
      // The last cell of its own: the one before the confluence or the sea.
      const std::size_t own = reach.points.size() - (ends && reach.end != ReachEnd::sea ? 1 : 2);
      const std::int64_t cell = internal::cell_of(reach.points[own], out.width(), out.height());
      if (cell < 0 || at(out, cell) != kUnset) continue;
      basins.push_back({static_cast<std::int32_t>(basins.size() + 1), cell, 0});
      at(out, cell) = basins.back().id;
    }
    THALWEG_TRY(spread(directions, out, exec));
    return basins;
  });
}

std::vector<BasinFigures> measure_basins(GridView<const std::int32_t> labels, std::int64_t count,
                                         GridView<const float> height, const CellGeometry& geometry) {
  assert(height.width() == labels.width() && height.height() == labels.height());
  std::vector<BasinFigures> figures(static_cast<std::size_t>(count));
  std::vector<double> measured(figures.size());  // area with a height
  for (int y = 0; y < labels.height(); ++y) {
    const double area = geometry.row(y).area_m2;
    for (int x = 0; x < labels.width(); ++x) {
      if (labels(x, y) <= 0 || labels(x, y) > count) continue;
      const auto i = static_cast<std::size_t>(labels(x, y) - 1);
      BasinFigures& f = figures[i];
      ++f.cells;
      f.area_m2 += area;
      const auto h = static_cast<double>(height(x, y));
      if (is_nodata(h)) continue;
      f.min_m = measured[i] > 0 ? std::min(f.min_m, h) : h;
      f.max_m = measured[i] > 0 ? std::max(f.max_m, h) : h;
      f.mean_m += h * area;
      measured[i] += area;
    }
  }
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (measured[i] > 0) figures[i].mean_m /= measured[i];
  return figures;
}

std::vector<std::vector<Ring>> trace_basins(GridView<const std::int32_t> labels, std::int64_t count) {
  return internal::trace_outlines(labels, static_cast<std::size_t>(count));
}

}  // namespace thalweg::hydrology
