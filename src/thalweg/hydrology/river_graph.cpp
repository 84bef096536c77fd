#include "thalweg/hydrology/river_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::hydrology::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool in_sea(const RiverInputs& in, int x, int y) {
  return !in.sea.empty() && in.sea(x, y) != 0;
}

bool is_void(const RiverInputs& in, int x, int y) {
  return in.directions(x, y) == kFlowNoData || (!in.height.empty() && is_nodata(in.height(x, y)));
}

/// Cell that (x, y) flows into, or -1 where it has none to flow into.
std::int64_t receiver(const RiverInputs& in, int x, int y) {
  const std::uint8_t code = in.directions(x, y);
  if (code == kNoFlow || code == kFlowNoData) return -1;
  const auto d = static_cast<std::size_t>(direction_index(code));
  const int nx = x + kDx[d];
  const int ny = y + kDy[d];
  if (!in.directions.contains(nx, ny) || is_void(in, nx, ny)) return -1;
  return std::int64_t{ny} * in.directions.width() + nx;
}

/// Land cells with enough area, in order: counted per row, then written.
std::vector<std::int64_t> river_cells(const RiverInputs& in, double min_area_m2, const Exec& exec) {
  const int width = in.directions.width();
  const int height = in.directions.height();
  const auto is_river = [&](int x, int y) {
    return in.area_m2(x, y) >= min_area_m2 && !in_sea(in, x, y) && !is_void(in, x, y);
  };
  std::vector<std::int64_t> begins(static_cast<std::size_t>(height) + 1);
  parallel_rows(exec, width, height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      std::int64_t count = 0;
      for (int x = 0; x < width; ++x) count += is_river(x, y) ? 1 : 0;
      begins[static_cast<std::size_t>(y) + 1] = count;
    }
  });
  for (std::size_t y = 1; y < begins.size(); ++y) begins[y] += begins[y - 1];
  std::vector<std::int64_t> cells(static_cast<std::size_t>(begins.back()));
  parallel_rows(exec, width, height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      auto next = static_cast<std::size_t>(begins[static_cast<std::size_t>(y)]);
      if (begins[static_cast<std::size_t>(y) + 1] == static_cast<std::int64_t>(next)) continue;
      for (int x = 0; x < width; ++x)
        if (is_river(x, y)) cells[next++] = std::int64_t{y} * width + x;
    }
  });
  return cells;
}

/// Counts donors and orders the nodes (Kahn 1962).
void finish(RiverGraph& graph) {
  const std::size_t n = graph.cell.size();
  graph.donors.assign(n, 0);
  for (const std::int64_t down : graph.down)
    if (down >= 0) ++graph.donors[static_cast<std::size_t>(down)];
  std::vector<std::uint8_t> waiting = graph.donors;
  graph.order.clear();
  graph.order.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) graph.order.push_back(static_cast<std::int64_t>(i));
  for (std::size_t next = 0; next < graph.order.size(); ++next) {
    const std::int64_t down = graph.down[static_cast<std::size_t>(graph.order[next])];
    if (down >= 0 && --waiting[static_cast<std::size_t>(down)] == 0) graph.order.push_back(down);
  }
}

}  // namespace

std::int64_t node_at(const RiverGraph& graph, std::int64_t cell) {
  return std::lower_bound(graph.cell.begin(), graph.cell.end(), cell) - graph.cell.begin();
}

std::int64_t cell_of(const Reach::Point& point, int width, int height) {
  const double x = std::floor(point.x + 0.5);
  const double y = std::floor(point.y + 0.5);
  if (!(x >= 0 && y >= 0 && x < width && y < height)) return -1;
  return static_cast<std::int64_t>(y) * width + static_cast<std::int64_t>(x);
}

RiverGraph graph_of_grid(const RiverInputs& in, double min_area_m2, const Exec& exec) {
  RiverGraph graph;
  graph.width = in.directions.width();
  std::vector<std::int64_t> land = river_cells(in, min_area_m2, exec);
  std::vector<std::int64_t> targets(land.size());
  parallel_for(exec, 0, static_cast<std::int64_t>(land.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      targets[i] = receiver(in, static_cast<int>(land[i] % graph.width), static_cast<int>(land[i] / graph.width));
  });
  std::vector<std::int64_t> mouths;
  for (const std::int64_t t : targets)
    if (t >= 0 && in_sea(in, static_cast<int>(t % graph.width), static_cast<int>(t / graph.width))) mouths.push_back(t);
  std::sort(mouths.begin(), mouths.end());
  mouths.erase(std::unique(mouths.begin(), mouths.end()), mouths.end());
  graph.cell.resize(land.size() + mouths.size());
  std::merge(land.begin(), land.end(), mouths.begin(), mouths.end(), graph.cell.begin());
  graph.down.assign(graph.cell.size(), -1);
  parallel_for(exec, 0, static_cast<std::int64_t>(land.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (targets[i] < 0) continue;
      const std::int64_t down = node_at(graph, targets[i]);
      // An area raster that does not grow downstream ends the river.
      if (down < graph.size() && graph.cell[static_cast<std::size_t>(down)] == targets[i])
        graph.down[static_cast<std::size_t>(node_at(graph, land[i]))] = down;
    }
  });
  finish(graph);
  return graph;
}

RiverGraph graph_of_network(const RiverNetwork& network, int width, int height) {
  RiverGraph graph;
  graph.width = width;
  for (const Reach& reach : network.reaches)
    for (const Reach::Point& p : reach.points)
      if (const std::int64_t cell = cell_of(p, width, height); cell >= 0) graph.cell.push_back(cell);
  std::sort(graph.cell.begin(), graph.cell.end());
  graph.cell.erase(std::unique(graph.cell.begin(), graph.cell.end()), graph.cell.end());
  graph.down.assign(graph.cell.size(), -1);
  for (const Reach& reach : network.reaches) {
    for (std::size_t i = 0; i + 1 < reach.points.size(); ++i) {
      const std::int64_t from = cell_of(reach.points[i], width, height);
      const std::int64_t to = cell_of(reach.points[i + 1], width, height);
      if (from >= 0 && to >= 0 && from != to)
        graph.down[static_cast<std::size_t>(node_at(graph, from))] = node_at(graph, to);
    }
  }
  finish(graph);
  return graph;
}

double standing_level(const RiverInputs& in, int x, int y) {
  if (in_sea(in, x, y)) return in.sea_level_m;
  if (!in.lake_id.empty() && !in.water_level_m.empty() && in.lake_id(x, y) > 0)
    return static_cast<double>(in.water_level_m(x, y));
  return -kInfinity;
}

void carry_upstream(const RiverGraph& graph, std::vector<double>& limit) {
  for (std::size_t k = graph.order.size(); k-- > 0;) {
    const auto i = static_cast<std::size_t>(graph.order[k]);
    if (graph.down[i] >= 0) limit[i] = std::max(limit[i], limit[static_cast<std::size_t>(graph.down[i])]);
  }
}

std::vector<double> grade_downstream(const RiverGraph& graph, const std::vector<double>& target,
                                     const std::vector<double>& limit) {
  std::vector<double> z = target;  // until its turn comes: the lowest of the target and the z upstream
  for (const std::int64_t node : graph.order) {
    const auto i = static_cast<std::size_t>(node);
    z[i] = std::max(limit[i], z[i]);
    if (graph.down[i] < 0) continue;
    double& below = z[static_cast<std::size_t>(graph.down[i])];
    below = std::min(below, z[i]);
  }
  return z;
}

void set_z(const RiverGraph& graph, const std::vector<double>& z, int height, RiverNetwork& network) {
  for (Reach& reach : network.reaches)
    for (Reach::Point& p : reach.points)
      if (const std::int64_t cell = cell_of(p, graph.width, height); cell >= 0)
        p.z_m = z[static_cast<std::size_t>(node_at(graph, cell))];
}

}  // namespace thalweg::hydrology::internal
