// The cells of a river network as a forest of nodes; internal to extraction and carving.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology::internal {

/// One node per cell, in the order of the cells' indices.
struct RiverGraph {
  int width = 0;
  std::vector<std::int64_t> cell;    ///< linear index y * width + x, ascending
  std::vector<std::int64_t> down;    ///< node that this one flows into, -1 where the river ends
  std::vector<std::uint8_t> donors;  ///< number of nodes that flow into this one (at most 8)
  std::vector<std::int64_t> order;   ///< every node after those that flow into it; nodes of a cycle are missing

  std::int64_t size() const { return static_cast<std::int64_t>(cell.size()); }
  int x(std::int64_t node) const { return static_cast<int>(cell[static_cast<std::size_t>(node)] % width); }
  int y(std::int64_t node) const { return static_cast<int>(cell[static_cast<std::size_t>(node)] / width); }
  bool is_end(std::int64_t node) const { return down[static_cast<std::size_t>(node)] < 0; }
};

/// The cells on land that drain at least `min_area_m2`, and the sea cells they flow into. Where the flow leaves the
/// grid or runs onto NoData (direction or height) the last cell before is an end.
RiverGraph graph_of_grid(const RiverInputs& inputs, double min_area_m2, const Exec& exec);

/// The cells of the points of a network on a grid of `width` columns; points are taken at the nearest cell centre.
RiverGraph graph_of_network(const RiverNetwork& network, int width, int height);

/// Node of a cell that is in the graph.
std::int64_t node_at(const RiverGraph& graph, std::int64_t cell);

/// The cell of a point, or -1 off the grid.
std::int64_t cell_of(const Reach::Point& point, int width, int height);

/// Standing water at a cell: sea level, the lake's level, or -infinity on land.
double standing_level(const RiverInputs& inputs, int x, int y);

/// limit[i] becomes the highest limit of i and everything downstream of it.
void carry_upstream(const RiverGraph& graph, std::vector<double>& limit);

/// z[i] = max(limit[i], min(target[i], z of the nodes upstream)). Never rises downstream if `limit` never does.
std::vector<double> grade_downstream(const RiverGraph& graph, const std::vector<double>& target,
                                     const std::vector<double>& limit);

/// Writes z to the points of the network.
void set_z(const RiverGraph& graph, const std::vector<double>& z, int height, RiverNetwork& network);

}  // namespace thalweg::hydrology::internal
