// Lakes: depressions that keep their water.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::hydrology {

/// Which depressions count as lakes.
struct LakeParams {
  double min_area_m2 = 20000;
  double min_depth_m = 1;  ///< of the deepest cell
  template <class Visitor>
  static void describe(LakeParams& p, Visitor& v) {
    v.real("lake_min_area_m2", p.min_area_m2,
           {.unit = "m2", .min = 0, .max = 1e15, .help = "smaller depressions are no lakes"});
    v.real("lake_min_depth_m", p.min_depth_m,
           {.unit = "m", .min = 0, .max = 1e5, .help = "shallower depressions are no lakes"});
  }
};

/// One closed line of a lake's outline, in grid coordinates: cell corners, (0, 0) is the north-west corner of the
/// grid's first cell, x to the east, y to the south; the first point is repeated at the end. Outer rings run
/// counter-clockwise on a north-up map, holes clockwise.
struct Ring {
  std::vector<double> xy;
  bool hole = false;
};

struct Lake {
  std::int32_t id = 0;  ///< 1, 2, ... in the order of the first cell
  double level_m = 0;
  double area_m2 = 0;
  double volume_m3 = 0;
  double max_depth_m = 0;
  double mean_depth_m() const { return area_m2 > 0 ? volume_m3 / area_m2 : 0; }
  std::int64_t outlet_cell = -1;  ///< first dry cell that the lake spills to (of several the lowest index), else -1
  /// Rings of valid simple-feature polygons: each ring is simple, outer rings are followed by their holes. Lake cells
  /// that touch only at a corner are not joined there: the lake has then several parts (outer rings) that meet in
  /// that point, in the order of their first cells. Most lakes have one.
  std::vector<Ring> outline;
};

/// Finds the lakes between the ground and its filled surface: connected cells (8 neighbours) of equal level where
/// `filled` > `height`, large and deep enough. `lake_id` gets the number of the lake at each cell, 0 elsewhere.
/// `directions` (D8 on the filled surface, or empty) finds the outlets. A surface that was raised with a gradient
/// (fill_epsilon) has no equal levels: use fill's. Linear but for the outlines (n log n in the length of the shores).
/// T: float, double.
template <class T>
std::vector<Lake> find_lakes(GridView<const T> height, GridView<const T> filled,
                             GridView<const std::uint8_t> directions, const CellGeometry& geometry,
                             const LakeParams& params, GridView<std::int32_t> lake_id, const Exec& exec);

}  // namespace thalweg::hydrology
