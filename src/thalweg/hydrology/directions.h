// D8 flow directions.
#pragma once

#include <array>
#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"

namespace thalweg::hydrology {

// Neighbours are numbered clockwise from east: 0 E, 1 SE, 2 S, 3 SW, 4 W, 5 NW, 6 N, 7 NE.
inline constexpr std::array<int, 8> kDx = {1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr std::array<int, 8> kDy = {0, 1, 1, 1, 0, -1, -1, -1};

// A direction raster holds 1 << neighbour (1 E, 2 SE, 4 S, 8 SW, 16 W, 32 NW, 64 N, 128 NE), kNoFlow or kFlowNoData.
// 255 cannot be confused with a direction, which has one bit.
inline constexpr std::uint8_t kNoFlow = 0;
inline constexpr std::uint8_t kFlowNoData = 255;

/// Neighbour number of a direction code with one bit set.
constexpr int direction_index(std::uint8_t code) {
  int d = 0;
  while ((code >> d) > 1) ++d;
  return d;
}

/// Cells where water may leave the land, besides the border of the grid and cells beside NoData: nonzero marks one. An
/// empty view marks none. Typically the sea: its cells are outlets and keep their heights.
using OutletMask = GridView<const std::uint8_t>;

/// Steepest descent to one of 8 neighbours (drop / true distance; ties to the lowest neighbour number), flats resolved
/// so that every cell of a flat that has an outlet drains to it without a cycle.
///
/// `height` is a depression-free surface (depressions.h) or any other; NoData cells get kFlowNoData. An outlet cell (on
/// the border, beside NoData, or marked) drains to its steepest strictly lower neighbour and is kNoFlow where it has
/// none; marked cells are always kNoFlow. Other cells are kNoFlow only in a depression that was not treated.
/// Flats: integer gradients away from higher and toward lower ground in a side field, never in the heights.
/// Cost: linear. Bits are independent of threads. T: int16_t, int32_t, float, double.
/// Source: O'Callaghan and Mark 1984; Garbrecht and Martz 1997; Barnes, Lehman and Mulla 2014 (flats).
template <class T>
void d8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<std::uint8_t> directions,
        const Exec& exec);

}  // namespace thalweg::hydrology
