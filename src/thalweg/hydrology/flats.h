// Internal to hydrology: directions across flats.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {

/// Marks, in a direction raster under work, a cell that is no outlet and has no lower neighbour.
inline constexpr std::uint8_t kFlatPending = 254;
/// A pending cell that an exit has reached; used in between.
inline constexpr std::uint8_t kFlatReached = 253;

/// The rules of d8 (directions.h) but for flats: cells that are no outlet and have no lower neighbour become
/// kFlatPending. Row 0 of `height` is row `first_row` of `geometry`.
template <class T>
void find_steepest(GridView<const T> height, const CellGeometry& geometry, int first_row, OutletMask outlets,
                   GridView<std::uint8_t> directions, const Exec& exec);

/// Gives every pending cell that can reach a cell of its own height with a way on (or an outlet) a direction across
/// its flat; the others, closed in on all sides, become kNoFlow. What other cells hold does not matter, as long as it
/// is neither of the two marks above. Integer distances from higher ground and from the exits are combined as 2 *
/// to_exit - from_higher, so that water gathers in the middle of the flat and still comes nearer to an exit with every
/// step. Linear; 4 bytes a cell (8 from 2^30 cells up), touched only where there are flats, and 16 a cell of the widest
/// front. Source: Barnes, Lehman and Mulla 2014, "An efficient assignment of drainage direction over flat surfaces".
template <class T>
void resolve_flats(GridView<const T> height, GridView<std::uint8_t> directions, const Exec& exec);

}  // namespace thalweg::hydrology::internal
