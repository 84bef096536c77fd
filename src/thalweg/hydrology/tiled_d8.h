// D8 directions tile by tile, flats resolved: for every way to cut the grid into tiles those of d8 (directions.h).
//
// Slopes need one cell around a tile. Across flats the whole-grid program measures two distances, from higher ground
// and to the exits. Here a tile measures them from its own cells and from what its neighbours know at their perimeters;
// where a neighbour learns of a shorter way, the tile measures again, until nobody does. The least distances are
// unique, so neither order nor tile size shows.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/tile_plan.h"

namespace thalweg::hydrology {

/// A cell on a flat: steps to higher ground and to an exit, from 1.
struct FlatDistance {
  static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();
  std::int64_t from_higher = 0;  ///< kUnknown: none found yet; 0: the cell is on no flat
  std::int64_t to_exit = 0;      ///< likewise

  bool on_flat() const { return to_exit != 0; }
  friend bool operator==(const FlatDistance&, const FlatDistance&) = default;
};
/// Of the cells of a tile's perimeter, or of the cells around a tile; empty where none is on a flat.
using FlatEdge = std::vector<FlatDistance>;

/// A direction raster under work holds finished codes and, for cells on flats, codes with these three bits: then bit 4
/// tells that higher ground is beside, and bit 3 that an exit is, in the direction of bits 0 to 2.
inline constexpr std::uint8_t kOnFlat = 0xC0;
inline constexpr std::uint8_t kFlatBesideHigher = 0x10;
inline constexpr std::uint8_t kFlatBesideExit = 0x08;
constexpr bool is_on_flat(std::uint8_t code) {
  return (code & 0xE0) == kOnFlat;
}

/// Tile -> codes. `window` is the tile, at `place` in it, and two cells around, where there are any; row 0 of it is
/// row `first_row` of the geometry. `outlets`: of the window; may be empty. Returns whether there are flats.
template <class T>  // int16_t, int32_t, float, double
bool route_tile(GridView<const T> window, OutletMask outlets, const TileRect& place, const CellGeometry& geometry,
                int first_row, GridView<std::uint8_t> codes);

/// Codes -> distances at the perimeter, as far as the tile alone knows. Where no flat reaches the perimeter the codes
/// become directions at once. `far`: distances may pass 2^29, as on grids of so many cells.
FlatEdge start_flats(GridView<std::uint8_t> codes, bool far);

/// Codes + what lies around -> distances at the perimeter. `around` is numbered as the perimeter of the rectangle one
/// cell larger on each side.
FlatEdge measure_flats(GridView<const std::uint8_t> codes, const FlatEdge& around, bool far);

/// Codes + distances around -> directions, in place.
void finish_flats(GridView<std::uint8_t> codes, const FlatEdge& around, bool far);

/// What lies around a tile, from the perimeters of all. Sets `shorter` where this brings a cell of the tile a shorter
/// way than its own perimeter knows.
FlatEdge flats_around(const TilePlan& plan, std::int64_t tile, const std::vector<FlatEdge>& edges, bool& shorter);

}  // namespace thalweg::hydrology
