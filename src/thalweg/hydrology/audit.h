// The audit: does water get down to the sea? Works on grids and lines; reading folders is the command's part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology {

/// One rule and how it fared. `place` names the first fault (column, row, height or reach).
struct AuditCheck {
  std::string name;  ///< "no-pit", "directions-acyclic", "river-climbs", ...
  std::int64_t checked = 0;
  std::int64_t faults = 0;
  std::string place;  ///< "column 12, row 7 (3.4 m)", with the reach where there is one; "" without a fault
  std::string note;   ///< what was measured, in words
  bool ok() const { return faults == 0; }
};

/// No cell of `surface` (ground, or water level on lakes) outside the outlets lies strictly below all its neighbours,
/// and no flat is closed: from every cell a way leads to an outlet without climbing. Outlets are the cells of the
/// border, those beside NoData and those marked. A pit of many cells counts once, at its first cell. Linear, one byte
/// per cell. T: float, double.
template <class T>
AuditCheck audit_pits(GridView<const T> surface, OutletMask outlets, const Exec& exec);

/// Every direction is one of the nine codes, points to a cell of the grid that is not NoData (or off the grid, at an
/// outlet), following them never returns, and none climbs `surface` (optional). Cells that are no outlets have one.
/// NoData directions and NoData of `surface` coincide. A cycle counts once, at its first cell. Linear, one byte per
/// cell.
AuditCheck audit_directions(GridView<const std::uint8_t> directions, GridView<const float> surface, OutletMask outlets,
                            const Exec& exec);

/// z never rises along a reach nor across a confluence (equal there), and lies at most `tolerance_m` above `surface`
/// (ground plus water; optional) under the point (the cell with the nearest centre). Counts points.
AuditCheck audit_river_beds(const RiverNetwork& network, GridView<const float> surface, double tolerance_m);

/// Every reach ends in another reach (at its first point), the sea, a lake or at the edge of the map, and not in a pit;
/// following them never returns. The edge is the border, or with `ground` given also the cells beside its NoData.
/// Reaches may stand in any order; ids must be unique. Counts reaches; a cycle once.
AuditCheck audit_river_ends(const RiverNetwork& network, int width, int height, OutletMask sea,
                            GridView<const std::int32_t> lake_id, GridView<const float> ground = {});

/// eroded = deposited + exported, in exact integer units.
AuditCheck audit_ledger(const std::string& step, std::int64_t eroded, std::int64_t deposited, std::int64_t exported);

}  // namespace thalweg::hydrology
