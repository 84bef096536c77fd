// Flow accumulation and drainage basins over D8 directions.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

/// Number of cells that drain through each cell, itself included; 0 on NoData. 64 bits. Linear time.
/// Fails with the first offending cell where the directions run in a cycle; a direction that points out of the grid or
/// onto NoData ends the flow. The same bits for any thread count.
Status accumulate_cells(GridView<const std::uint8_t> directions, GridView<std::uint64_t> out, const Exec& exec);

/// Drained area in square metres, own cell included; NaN on NoData. The sums are exact (exact_sums.h): cells of equal
/// size are counted and the count is multiplied once, areas of rows that differ are rounded beforehand, to better than
/// 4e-9 of a cell on grids of up to 2^24 cells.
Status accumulate_area(GridView<const std::uint8_t> directions, const CellGeometry& geometry, GridView<double> out,
                       const Exec& exec);

/// Sum of `weight` (e.g. discharge produced by each cell, m3/s) over everything upstream, own cell included. A NoData
/// weight counts as 0. The sums are exact: weights are rounded beforehand, to better than 2^-29 of the largest one on
/// grids of up to 2^24 cells; those from 1/32 of the largest keep all their bits.
Status accumulate_weighted(GridView<const std::uint8_t> directions, GridView<const float> weight, GridView<double> out,
                           const Exec& exec);

/// Basin labels 1, 2, ... in the order of their outlet cells' indices; kNoData<int32_t> on NoData. Returns their
/// number.
Result<std::int64_t> label_basins(GridView<const std::uint8_t> directions, GridView<std::int32_t> out,
                                  const Exec& exec);

/// 1 on every cell that drains through one of `seeds` (linear cell indices), the seeds included; 0 elsewhere.
Status mark_watershed(GridView<const std::uint8_t> directions, const std::vector<std::int64_t>& seeds,
                      GridView<std::uint8_t> out, const Exec& exec);

}  // namespace thalweg::hydrology
