// The sea of an elevation model that says nothing about one.
#pragma once

#include <cstdint>

#include "thalweg/core/grid.h"

namespace thalweg::folder {

/// Cells of open sea, 1 each, else 0; an empty grid where there is none. Models of coasts hold the sea as a flat at
/// exactly 0 m, with stray values below from the radar. So sea is a connected (8 neighbours) area at or below 0 m that
/// touches the border of the grid or NoData, of at least 100 cells, at least half of which lie at 0 m. The last rule
/// leaves deep land dry, like the Dead Sea's shores. Within 1e-30 m counts as 0: fill-epsilon raises by less. Give the
/// surface without depressions, so that what it says can be found again in the file. Linear.
Grid<std::uint8_t> open_sea(GridView<const float> surface);

}  // namespace thalweg::folder
