// Internal to hydrology: direction rasters as a graph.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {

/// Neighbour number of each code, -1 for those that are no direction (0, 255 and bytes with more than one bit).
inline constexpr std::array<std::int8_t, 256> kNeighbourOfCode = [] {
  std::array<std::int8_t, 256> table{};
  table.fill(-1);
  for (int d = 0; d < 8; ++d) table[std::size_t{1} << d] = static_cast<std::int8_t>(d);
  return table;
}();

/// Where (x, y) drains to: true and the cell when it lies on the grid and is not NoData.
inline bool receiver(GridView<const std::uint8_t> directions, int x, int y, int& to_x, int& to_y) {
  const int d = kNeighbourOfCode[directions(x, y)];
  if (d < 0) return false;
  to_x = x + kDx[static_cast<std::size_t>(d)];
  to_y = y + kDy[static_cast<std::size_t>(d)];
  return directions.contains(to_x, to_y) && directions(to_x, to_y) != kFlowNoData;
}

inline std::string cell_text(int x, int y) {
  return "cell (" + std::to_string(x) + ", " + std::to_string(y) + ")";
}
inline Error cycle_error(int x, int y) {
  return input_error("the flow directions run in a cycle", cell_text(x, y));
}
/// The error for the first cell (by index) that lies on a cycle; call only where there is one. Linear.
Error find_cycle(GridView<const std::uint8_t> directions);

}  // namespace thalweg::hydrology::internal
