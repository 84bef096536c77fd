// Filling depressions tile by tile: three pure functions after Barnes 2016, "Parallel Priority-Flood depression filling
// for trillion cell digital elevation models on desktops or clusters". For every way to cut the grid into tiles the
// result is that of fill (depressions.h), bit for bit. T: int16_t, int32_t, float, double.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/basin_graph.h"
#include "thalweg/hydrology/tile_plan.h"

namespace thalweg::hydrology {

/// The heights of a tile and of one cell around it, where there are any.
template <class T>
struct FillTile {
  GridView<const T> window;
  OutletMask outlets;  ///< of the window; may be empty
  TileRect place;      ///< of the tile, in the window

  GridView<const T> cells() const { return window.window(place.x, place.y, place.width, place.height); }
};

/// What others need to know of a tile. Its basins that reach the perimeter are numbered from 2; 1 is the outside.
template <class T>
struct FillSummary {
  using Real = internal::RealOf<T>;
  std::vector<std::uint32_t> basin;          ///< of each cell of the perimeter
  std::vector<Real> height;                  ///< likewise
  std::vector<internal::Pass<Real>> passes;  ///< lowest ways between these basins through the tile: a forest
  std::uint32_t basins = 0;                  ///< one more than the highest number
};

/// A tile's basins: what the last step needs beside the heights. Worth keeping where there is memory for it.
template <class T>
struct FillBasins {
  using Real = internal::RealOf<T>;
  Grid<std::uint32_t> label;
  std::vector<std::uint32_t> owner;  ///< basin of the summary that a label's water flows to first
  std::vector<Real> level;           ///< least level that it needs for this; -infinity where it is its own owner

  std::int64_t bytes() const {
    return label.cells() * 4 + static_cast<std::int64_t>(owner.size() * (sizeof(std::uint32_t) + sizeof(Real)));
  }
};

/// Tile -> summary. Cost: that of filling the tile; 9 bytes a cell.
template <class T>
FillSummary<T> summarize_fill(const FillTile<T>& tile, FillBasins<T>& basins);

/// All summaries, by tile -> water level of each tile's basins. Fails where the tiles' perimeters have more than 4e9
/// basins in all.
template <class T>
Result<std::vector<std::vector<internal::RealOf<T>>>> solve_fill(const TilePlan& plan,
                                                                 const std::vector<FillSummary<T>>& summaries);

/// Tile + its levels -> filled tile.
template <class T>
void finish_fill(GridView<const T> tile, const FillBasins<T>& basins, const std::vector<internal::RealOf<T>>& levels,
                 GridView<T> out);

}  // namespace thalweg::hydrology
