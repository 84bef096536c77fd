// Rivers as objects: reaches, their order, discharge and channel, and beds that never climb.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

/// Where rivers begin and how large their channels are. Channel size by hydraulic geometry (Leopold and Maddock 1953):
/// width = width_coefficient * Q^0.5, depth = depth_coefficient * Q^0.4, Q in m3/s.
struct RiverParams {
  double min_area_km2 = 0.25;
  double runoff_mm_per_yr = 800;  ///< turns drained area into discharge where no rain field is given
  double width_coefficient = 4;
  double depth_coefficient = 0.35;
  template <class Visitor>
  static void describe(RiverParams& p, Visitor& v) {
    v.real("min_area_km2", p.min_area_km2,
           {.unit = "km2", .min = 1e-6, .max = 1e8, .help = "a river begins where this much land drains"});
    v.real("runoff_mm_per_yr", p.runoff_mm_per_yr,
           {.unit = "mm/yr", .min = 0, .max = 2e4, .help = "water that runs off; gives discharge from area"});
    v.real("width_coefficient", p.width_coefficient,
           {.unit = "m/(m3/s)^0.5", .min = 0, .max = 100, .help = "width = this * Q^0.5"});
    v.real("depth_coefficient", p.depth_coefficient,
           {.unit = "m/(m3/s)^0.4", .min = 0, .max = 20, .help = "depth = this * Q^0.4"});
  }
};

enum class ReachEnd { confluence, sea, lake, edge, pit };

/// A piece of river between source or confluence and the next confluence or mouth. Points run downstream, at cell
/// centres; the last one is the first of the reach it flows into.
struct Reach {
  struct Point {
    double x = 0;    ///< column of the cell centre (0 is the first column's centre)
    double y = 0;    ///< row of the cell centre, rows go south
    double z_m = 0;  ///< bed height; inside lakes and the sea the water level. Never rises along the reach.
  };
  std::int32_t id = 0;          ///< 1, 2, ... in the order of the first cell's index
  std::int32_t downstream = 0;  ///< id of the reach it flows into, 0 at a mouth
  std::int32_t river = 0;       ///< all reaches of one river (main stem by largest area) share a number
  ReachEnd end = ReachEnd::confluence;
  bool begins_at_source = false;
  int strahler = 1;
  int shreve = 1;
  double length_m = 0;
  double area_m2 = 0;  ///< drained at the lower end, before the confluence
  double discharge_m3_s = 0;
  double width_m = 0;
  double depth_m = 0;
  std::vector<Point> points;
};

struct RiverNetwork {
  std::vector<Reach> reaches;
};

/// What the extraction looks at. Optional views may be empty.
struct RiverInputs {
  GridView<const std::uint8_t> directions;
  GridView<const double> area_m2;         ///< accumulate_area
  GridView<const double> discharge_m3_s;  ///< optional; else area * runoff
  GridView<const float> height;           ///< ground; z of the points follows it
  GridView<const std::int32_t> lake_id;   ///< optional, of find_lakes
  GridView<const float> water_level_m;    ///< level at lake cells (the filled surface will do); needed with lake_id
  OutletMask sea;                         ///< optional
  double sea_level_m = 0;
  GridView<const float> protect = {};  ///< optional: 1 where carving leaves the banks as they are
};

/// Traces every cell that drains at least min_area_km2. A reach that enters a lake goes on through it (z = level) along
/// the directions to the outlet, so that networks stay connected; only in a lake without an outlet does it end. One
/// that reaches the sea ends at its first sea cell (z = sea level). It ends at the edge where the last cell lies on the
/// border or beside NoData, and in a pit elsewhere. Two reaches that meet in a cell without an outflow both end there.
///
/// z of a cell is
///   max(level of the highest standing water downstream, min(ground or water level here, z of the cells upstream)).
/// Both parts never rise downstream, so z does not either; all reaches that meet in a cell have its z; in a lake and at
/// the mouth it is the level, since nothing upstream is below that. On land it is the ground or lower (where a rise
/// lies upstream of lower ground), except where the ground itself lies below the lake or sea downstream: there the
/// water stands back to that level and z is the level. This happens only in depressions that were neither filled nor
/// count as lakes.
///
/// Order: Strahler 1957, Shreve 1966. Rivers are numbered in the order of their last reaches; at a confluence the river
/// goes on in the reach with the largest area (then the lowest id). Linear in river cells after one pass over the grid.
/// Fails where directions run in a cycle, and where an input has the wrong size or is missing.
Result<RiverNetwork> extract_rivers(const RiverInputs& inputs, const CellGeometry& geometry, const RiverParams& params,
                                    const Exec& exec);

/// Cuts the channels into the ground: the bed lies depth_m below the old ground (scaled along the reach by Q^0.4, and
/// never above the bed upstream), as wide as width_m (scaled by Q^0.5; at least one cell), with banks that rise to the
/// ground over `bank_m` on each side. `inputs` are those of the extraction; inputs.height may be the same cells as
/// `height`. Lowers only. Sets the z of the network's points to the new bed.
///
/// Standing water stays as it is. Sea and lake cells keep their height; beds are not cut below the level of the lake or
/// sea downstream (the base level); cells beside a lake or the sea stay about 1 mm above its level, or as low as they
/// were. So every lake keeps its level, cells and outlet, and mark_sea finds the same sea. Below a lake's outlet the
/// bed sinks to its full depth over width + bank_m.
///
/// No new pit: a bed cell drains along the river, and every lowered cell to a lowered neighbour at most as high, nearer
/// to the river. Directions and areas of lowered cells may change; compute them again.
///
/// Protected land (inputs.protect; 0 not at all, 1 and more entirely, NaN is 0): beds and banks beside the river's own
/// cells are lowered by as much less, and where it is 1 not at all; growth ends there. The cells that the network runs
/// through are cut all the same, since the river must flow; so in protected land its bed is one cell wide, with steep
/// sides.
///
/// `water_depth_m` (may be empty): depth of the river's water where the ground was cut, 0 elsewhere. Its surface is
/// level across the channel, never rises downstream (to float rounding), fills the channel to depth_m but not above the
/// old ground, stands back from lakes, the sea and larger rivers, and has depth 0 on an outlet's sill, whose ground is
/// the lake's level. Cost: n log n in the cells of channels and banks, one byte per cell of the grid.
void carve_rivers(RiverNetwork& network, const RiverInputs& inputs, const CellGeometry& geometry, double bank_m,
                  GridView<float> height, GridView<float> water_depth_m, const Exec& exec);

}  // namespace thalweg::hydrology
