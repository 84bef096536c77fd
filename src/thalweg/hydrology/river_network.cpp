// Extraction of the river network from directions and drained areas.
#include <algorithm>
#include <limits>
#include <string>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/river_graph.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology {
namespace {

using internal::RiverGraph;

constexpr double kSecondsPerYear = 365.25 * 86400.0;

Status check_inputs(const RiverInputs& in, const CellGeometry& geometry) {
  const int width = in.directions.width();
  const int height = in.directions.height();
  const auto fits = [&](const auto& view, bool optional) {
    return (optional && view.empty()) || (view.width() == width && view.height() == height);
  };
  if (!fits(in.area_m2, false) || !fits(in.height, false))
    return input_error("rivers need area and height of the same size as the directions");
  if (!fits(in.discharge_m3_s, true) || !fits(in.lake_id, true) || !fits(in.water_level_m, true) || !fits(in.sea, true))
    return input_error("a field given for the rivers has another size than the directions");
  if (!in.lake_id.empty() && in.water_level_m.empty()) return input_error("lakes are given without their water level");
  if (geometry.height() < height) return input_error("the cell geometry has fewer rows than the directions");
  return {};
}

/// Strahler and Shreve order of every node: that of the reach which begins there or passes through.
struct Orders {
  std::vector<int> strahler;
  std::vector<int> shreve;
};

Orders stream_orders(const RiverGraph& graph) {
  Orders orders{std::vector<int>(graph.cell.size()), std::vector<int>(graph.cell.size())};
  std::vector<std::uint8_t> equal(graph.cell.size());  // how many donors have the highest order so far
  for (const std::int64_t node : graph.order) {
    const auto i = static_cast<std::size_t>(node);
    if (graph.donors[i] == 0) {
      orders.strahler[i] = 1;
      orders.shreve[i] = 1;
    } else if (equal[i] > 1) {
      ++orders.strahler[i];
    }
    if (graph.down[i] < 0) continue;
    const auto d = static_cast<std::size_t>(graph.down[i]);
    orders.shreve[d] += orders.shreve[i];
    if (orders.strahler[i] > orders.strahler[d]) {
      orders.strahler[d] = orders.strahler[i];
      equal[d] = 1;
    } else if (orders.strahler[i] == orders.strahler[d]) {
      ++equal[d];
    }
  }
  return orders;
}

/// Ground or water level at each node, and the level of standing water there.
void surfaces(const RiverGraph& graph, const RiverInputs& in, std::vector<double>& surface,
              std::vector<double>& standing) {
  surface.resize(graph.cell.size());
  standing.resize(graph.cell.size());
  for (std::int64_t node = 0; node < graph.size(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    standing[i] = internal::standing_level(in, graph.x(node), graph.y(node));
    surface[i] = standing[i] > -std::numeric_limits<double>::infinity()
                     ? standing[i]
                     : static_cast<double>(in.height(graph.x(node), graph.y(node)));
  }
}

ReachEnd end_kind(const RiverInputs& in, int x, int y) {
  if (!in.sea.empty() && in.sea(x, y) != 0) return ReachEnd::sea;
  if (!in.lake_id.empty() && in.lake_id(x, y) > 0) return ReachEnd::lake;
  for (std::size_t d = 0; d < 8; ++d) {
    const int nx = x + kDx[d];
    const int ny = y + kDy[d];
    if (!in.directions.contains(nx, ny) || in.directions(nx, ny) == kFlowNoData || is_nodata(in.height(nx, ny)))
      return ReachEnd::edge;
  }
  return ReachEnd::pit;
}

class Builder {
 public:
  Builder(const RiverInputs& in, const CellGeometry& geometry, const RiverParams& params, const RiverGraph& graph)
      : in_(in), geometry_(geometry), params_(params), graph_(graph), orders_(stream_orders(graph)) {
    std::vector<double> surface;
    std::vector<double> limit;
    surfaces(graph, in, surface, limit);
    internal::carry_upstream(graph, limit);
    z_ = internal::grade_downstream(graph, surface, limit);
  }

  bool begins_reach(std::size_t i) const { return graph_.down[i] >= 0 && graph_.donors[i] != 1; }

  /// The reach from node `first`; `reach_at` gives the number of the reach that begins at a node.
  Reach build(std::int64_t first, const std::vector<std::int32_t>& reach_at) const {
    Reach reach;
    const auto f = static_cast<std::size_t>(first);
    reach.id = reach_at[f];
    reach.begins_at_source = graph_.donors[f] == 0;
    reach.strahler = orders_.strahler[f];
    reach.shreve = orders_.shreve[f];
    std::size_t i = f;
    std::size_t before = f;
    reach.points.push_back(point(i));
    do {
      before = i;
      i = static_cast<std::size_t>(graph_.down[before]);
      reach.length_m += step_m(before, i);
      reach.points.push_back(point(i));
    } while (graph_.down[i] >= 0 && graph_.donors[i] == 1);
    const auto last = static_cast<std::int64_t>(i);
    if (graph_.down[i] >= 0) {
      reach.downstream = reach_at[i];
    } else {
      reach.end = end_kind(in_, graph_.x(last), graph_.y(last));
    }
    const bool owns_last = graph_.down[i] < 0 && graph_.donors[i] == 1 && reach.end != ReachEnd::sea;
    measure(owns_last ? i : before, reach);
    return reach;
  }

 private:
  Reach::Point point(std::size_t i) const {
    const auto node = static_cast<std::int64_t>(i);
    return {static_cast<double>(graph_.x(node)), static_cast<double>(graph_.y(node)), z_[i]};
  }
  double step_m(std::size_t from, std::size_t to) const {
    const auto a = static_cast<std::int64_t>(from);
    const auto b = static_cast<std::int64_t>(to);
    const CellGeometry::Row& row = geometry_.row(graph_.y(a));
    if (graph_.y(a) == graph_.y(b)) return row.dx_m;
    return graph_.x(a) == graph_.x(b) ? row.dy_m : row.diagonal_m;
  }
  void measure(std::size_t i, Reach& reach) const {
    const int x = graph_.x(static_cast<std::int64_t>(i));
    const int y = graph_.y(static_cast<std::int64_t>(i));
    reach.area_m2 = in_.area_m2(x, y);
    reach.discharge_m3_s = in_.discharge_m3_s.empty()
                               ? reach.area_m2 * (params_.runoff_mm_per_yr * 1e-3) / kSecondsPerYear
                               : in_.discharge_m3_s(x, y);
    if (!(reach.discharge_m3_s > 0)) reach.discharge_m3_s = 0;
    reach.width_m = params_.width_coefficient * exact::pow(reach.discharge_m3_s, 0.5);
    reach.depth_m = params_.depth_coefficient * exact::pow(reach.discharge_m3_s, 0.4);
  }

  const RiverInputs& in_;
  const CellGeometry& geometry_;
  const RiverParams& params_;
  const RiverGraph& graph_;
  Orders orders_;
  std::vector<double> z_;
};

/// A river goes on upstream in the largest of the reaches that meet.
void number_rivers(std::vector<Reach>& reaches) {
  std::vector<std::size_t> main(reaches.size(), reaches.size());
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].downstream == 0) continue;
    std::size_t& best = main[static_cast<std::size_t>(reaches[i].downstream - 1)];
    if (best == reaches.size() || reaches[i].area_m2 > reaches[best].area_m2) best = i;
  }
  std::int32_t rivers = 0;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].downstream != 0 && main[static_cast<std::size_t>(reaches[i].downstream - 1)] == i) continue;
    ++rivers;
    for (std::size_t r = i; r < reaches.size(); r = main[r]) reaches[r].river = rivers;
  }
}

std::string first_cell_in_cycle(const RiverGraph& graph) {
  std::vector<bool> placed(graph.cell.size());
  for (const std::int64_t node : graph.order) placed[static_cast<std::size_t>(node)] = true;
  std::int64_t node = 0;
  while (placed[static_cast<std::size_t>(node)]) ++node;
  // A node below a cycle does not exist (its only way out would leave the cycle), so this one is on it.
  return "column " + std::to_string(graph.x(node)) + ", row " + std::to_string(graph.y(node));
}

}  // namespace

Result<RiverNetwork> extract_rivers(const RiverInputs& inputs, const CellGeometry& geometry, const RiverParams& params,
                                    const Exec& exec) {
  return guard_memory([&]() -> Result<RiverNetwork> {
    THALWEG_TRY(check_inputs(inputs, geometry));
    RiverNetwork network;
    if (inputs.directions.empty()) return network;
    const RiverGraph graph = internal::graph_of_grid(inputs, params.min_area_km2 * 1e6, exec);
    if (exec.cancelled()) return cancelled_error();
    if (graph.order.size() != graph.cell.size())
      return input_error("flow directions run in a cycle", first_cell_in_cycle(graph));
    const Builder builder(inputs, geometry, params, graph);
    std::vector<std::int32_t> reach_at(graph.cell.size());
    std::vector<std::int64_t> firsts;
    for (std::size_t i = 0; i < graph.cell.size(); ++i) {
      if (!builder.begins_reach(i)) continue;
      if (firsts.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return input_error("more than 2147483647 reaches; min_area_km2 must be larger");
      firsts.push_back(static_cast<std::int64_t>(i));
      reach_at[i] = static_cast<std::int32_t>(firsts.size());
    }
    network.reaches.resize(firsts.size());
    parallel_for(exec, 0, static_cast<std::int64_t>(firsts.size()), 64, [&](std::int64_t begin, std::int64_t end) {
      for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r)
        network.reaches[r] = builder.build(firsts[r], reach_at);
    });
    if (exec.cancelled()) return cancelled_error();
    number_rivers(network.reaches);
    return network;
  });
}

}  // namespace thalweg::hydrology
