// Outlines of labelled cells as rings; internal to lakes and basins.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/hydrology/lakes.h"

namespace thalweg::hydrology::internal {

/// The rings around the cells that carry each of the ids 1 .. count; other values are outside.
///
/// The rings are those of valid simple-feature polygons (OGC 06-103r4): no ring meets itself. Cells that touch only at
/// a corner are not joined there: the shape is then a multi-polygon whose parts touch at that point. Each part is an
/// outer ring followed by its holes; parts stand in the order of their first cells. Holes may touch each other or the
/// outer ring at points, never along a line, and the inside of a part is connected.
/// Cost: one pass over the grid, n log n in the length of the shores.
std::vector<std::vector<Ring>> trace_outlines(GridView<const std::int32_t> ids, std::size_t count);

}  // namespace thalweg::hydrology::internal
