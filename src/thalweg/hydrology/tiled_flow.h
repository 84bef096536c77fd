// Flow accumulation tile by tile: three pure functions after Barnes 2017, "Parallel non-divergent flow accumulation for
// trillion cell digital elevation models on desktops or clusters". For every way to cut the grid into tiles the result
// is that of accumulate_cells, accumulate_area or accumulate_weighted (accumulation.h), bit for bit, because their sums
// are exact (exact_sums.h): inflow may be added afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/exact_sums.h"
#include "thalweg/hydrology/tile_plan.h"

namespace thalweg::hydrology {

/// What each cell of a tile gives: the number 1, its area in units, or its rounded weight.
struct CellShare {
  using Sum = std::uint64_t;
  static constexpr Sum kEmpty = 0;  ///< on NoData
  Sum operator()(int, int) const { return 1; }
};
struct AreaShare {
  using Sum = double;
  static constexpr Sum kEmpty = kNoData<double>;
  const AreaUnits& units;
  int first_row;  ///< row of the grid that is row 0 of the tile
  Sum operator()(int, int y) const { return units.of_row(first_row + y); }
};
struct WeightShare {
  using Sum = double;
  static constexpr Sum kEmpty = kNoData<double>;
  const WeightUnits& units;
  GridView<const float> weight;
  Sum operator()(int x, int y) const { return units.rounded(weight(x, y)); }
};

/// What others need to know of a tile, for the cells of its perimeter.
template <class Sum>
struct FlowSummary {
  static constexpr std::int32_t kStays = -1;
  std::vector<std::uint8_t> direction;
  std::vector<std::int32_t> link;  ///< cell of the perimeter at which what enters here leaves again, or kStays
  std::vector<Sum> sum;            ///< what drains through the cell from within the tile
};

/// Tile -> summary. Fails where the directions run in a cycle within the tile; the place is a cell of the tile. Linear.
template <class Share>
Result<FlowSummary<typename Share::Sum>> summarize_flow(GridView<const std::uint8_t> directions, const Share& share);

/// All summaries, by tile -> what flows into the cells of each tile's perimeter from other tiles. Fails where the
/// directions run in a cycle through several tiles. Linear.
template <class Sum>
Result<std::vector<std::vector<Sum>>> solve_flow(const TilePlan& plan, const std::vector<FlowSummary<Sum>>& summaries);

/// Tile + its inflow -> sums of the tile.
template <class Share>
Status finish_flow(GridView<const std::uint8_t> directions, const Share& share,
                   const std::vector<typename Share::Sum>& inflow, GridView<typename Share::Sum> out);

}  // namespace thalweg::hydrology
