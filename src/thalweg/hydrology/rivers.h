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
  GridView<const float> water_level_m;    ///< optional: level at lake cells (the filled surface will do)
  OutletMask sea;                         ///< optional
  double sea_level_m = 0;
};

/// Traces every cell that drains at least min_area_km2. A reach that enters a lake goes on through it (z = level) along
/// the directions to the outlet; one that reaches the sea ends at its first sea cell (z = sea level).
/// z starts as the ground height and is lowered where needed so that no point is above the one before it.
/// Order: Strahler 1957, Shreve 1966. Linear in river cells after one pass over the grid.
Result<RiverNetwork> extract_rivers(const RiverInputs& inputs, const CellGeometry& geometry, const RiverParams& params,
                                    const Exec& exec);

/// Cuts the channels into the ground: the bed lies depth_m below the old ground (never above the bed upstream), as wide
/// as width_m (at least one cell), with banks that rise to the ground over `bank_m` on each side. Lowers only; sea and
/// lake cells keep their height. Sets the z of the network's points to the new bed and writes the water depth of
/// channels into `water_depth_m` (0 elsewhere; may be empty).
void carve_rivers(RiverNetwork& network, const RiverInputs& inputs, const CellGeometry& geometry, double bank_m,
                  GridView<float> height, GridView<float> water_depth_m, const Exec& exec);

}  // namespace thalweg::hydrology
