// Drainage of grids larger than memory: filling, D8 directions and accumulation tile by tile.
//
// The mathematics are pure functions: tile -> summary; all summaries -> corrections; tile + correction -> tile
// (tiled_fill.h, tiled_d8.h, tiled_flow.h). What follows only carries tiles from and to wherever they live, on the
// threads of `exec`. Every tile size gives the bits of the whole-grid functions. Memory: per thread 30 bytes a cell of
// a tile (float; double 40), and summaries of about 50 bytes for each cell of a tile's perimeter. All fail with the
// first error that a source or sink reports (of the tile with the lowest number), with ErrorCode::cancelled, or where
// memory runs out; what was written till then is worthless.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/tile_plan.h"

namespace thalweg::hydrology {

/// fill (depressions.h). `outlets` may be null. Reads every tile twice, with one cell around, and must not read what is
/// written. T: int16_t, int32_t, float, double.
template <class T>
Status fill_tiled(const TilePlan& plan, const TileSource<T>& height, const TileSource<std::uint8_t>& outlets,
                  const TileSink<T>& out, const Exec& exec);

/// d8 (directions.h) of a filled surface. `geometry` is of the whole grid. Tiles of `directions` that share flats with
/// others are read back and written again, some several times where flats are wide or winding.
template <class T>
Status d8_tiled(const TilePlan& plan, const TileSource<T>& surface, const TileSource<std::uint8_t>& outlets,
                const CellGeometry& geometry, const TileStore<std::uint8_t>& directions, const Exec& exec);

/// accumulate_cells, accumulate_area, accumulate_weighted (accumulation.h). Directions are read twice. A cycle is
/// reported by one of its cells, not always the first.
Status accumulate_cells_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                              const TileSink<std::uint64_t>& out, const Exec& exec);
Status accumulate_area_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                             const CellGeometry& geometry, const TileSink<double>& out, const Exec& exec);
Status accumulate_weighted_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                                 const TileSource<float>& weight, const TileSink<double>& out, const Exec& exec);

/// Where the tiles of a whole run come from and go to.
template <class T>
struct DrainageTiles {
  TileSource<T> height;
  TileSource<std::uint8_t> outlets;  ///< null: none are marked
  TileStore<T> filled;
  TileStore<std::uint8_t> directions;
  TileSink<double> area_m2;
};
/// Fills, routes and accumulates areas.
template <class T>
Status run_tiled(const TilePlan& plan, const CellGeometry& geometry, const DrainageTiles<T>& tiles, const Exec& exec);

}  // namespace thalweg::hydrology
