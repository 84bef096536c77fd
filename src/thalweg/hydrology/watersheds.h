// Watersheds of chosen outlets, sub-basins, their codes, figures and outlines.
//
// All work on D8 directions (directions.h). Labels are 1, 2, ...; 0 is land outside, kNoData<int32_t> NoData. Each
// function is linear in cells unless said otherwise, serial but where told, and fails where directions run in a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology {

/// The cell with the largest accumulation among those whose centres lie within `radius_m` of the point (column, row;
/// cell centres at whole numbers) and the one under it; of equal ones the nearest, then the one with the lower index.
/// -1 where there is none: the point is off the grid, or all is NoData. Cost: the cells of the circle.
std::int64_t snap_outlet(GridView<const double> accumulation, const CellGeometry& geometry, double column, double row,
                         double radius_m);

/// The land that drains through an outlet, but not through another one further up.
struct Watershed {
  std::int32_t id = 0;
  std::int64_t outlet_cell = -1;
  std::int32_t downstream = 0;  ///< the watershed that its water enters next, 0 where there is none
};

/// Labels every cell with the first outlet on its way: id i + 1 for outlets[i]. An outlet that lies upstream of another
/// has its own watershed, nested in the other's: what drains through the lower one is its own land and that of all
/// watersheds whose way downstream leads to it (`nested_total`). Fails on outlets that are off the grid or NoData, or
/// the same cell twice.
Result<std::vector<Watershed>> label_watersheds(GridView<const std::uint8_t> directions,
                                                const std::vector<std::int64_t>& outlets, GridView<std::int32_t> out,
                                                const Exec& exec);

/// Sums over each watershed and all that drain into it. own[i] belongs to watersheds[i].
std::vector<double> nested_total(const std::vector<Watershed>& watersheds, std::vector<double> own);

/// Sub-basins of a network as extract_rivers gives it: each cell gets the id of the first reach on its way, 0 where
/// there is none. The sea cell at a mouth belongs to no reach.
Status label_reach_basins(GridView<const std::uint8_t> directions, const RiverNetwork& network,
                          GridView<std::int32_t> out, const Exec& exec);

/// Basins of streams of one Strahler order: all that drains into a stream of that order, at its lower end. Labels in
/// the order of the reaches that end them; 0 on land that drains to streams of higher order, or none, directly.
Result<std::vector<Watershed>> label_order_basins(GridView<const std::uint8_t> directions, const RiverNetwork& network,
                                                  int order, GridView<std::int32_t> out, const Exec& exec);

struct PfafstetterParams {
  std::int64_t levels = 3;
  double min_tributary_km2 = 0;
  template <class Visitor>
  static void describe(PfafstetterParams& p, Visitor& v) {
    v.integer("levels", p.levels,
              {.min = 1, .max = 9, .help = "digits of the codes; each divides a basin in up to nine"});
    v.real("min_tributary_km2", p.min_tributary_km2,
           {.unit = "km2", .min = 0, .max = 1e8, .help = "smaller tributaries divide nothing"});
  }
};

struct SubBasin {
  std::int32_t label = 0;  ///< 1, 2, ... by region, then by code
  std::int32_t region = 0;
  std::int64_t code = 0;  ///< `levels` digits
  std::int64_t outlet_cell = -1;
  std::int32_t downstream = 0;  ///< label, 0 at the region's outlet
};

/// Divides basins by their drainage (Pfafstetter 1989; Verdin and Verdin 1999). From the outlet the main stem follows
/// the largest area upstream. Its four largest tributaries get the digits 2, 4, 6, 8, going upstream; the land between
/// them, which drains to the main stem directly, 1, 3, 5, 7, and 9 for the headwater. Each part is divided again in the
/// same way, down to `levels`. With fewer tributaries the last odd digit is the headwater; a part without any gets the
/// digit 0. Where two tributaries join in one cell there is no land between them and the digit is left out. So a code's
/// leading digits are its code at fewer levels, and the parts of a basin are exactly the basin.
///
/// `regions`: labels of basins to divide, each with one outlet (label_basins, label_watersheds; cells with 0 or less
/// stay out; fails where a region has two outlets); `area` from accumulate_area. Equal areas: the lower neighbour
/// number; equal tributaries: the lower one on the stem. Cost: linear in cells, and levels times the cells of the
/// stems.
Result<std::vector<SubBasin>> label_pfafstetter(GridView<const std::uint8_t> directions, GridView<const double> area,
                                                GridView<const std::int32_t> regions, const PfafstetterParams& params,
                                                GridView<std::int32_t> out, const Exec& exec);

/// Figures of the land under one label.
struct BasinFigures {
  std::int64_t cells = 0;
  double area_m2 = 0;
  double min_m = 0;
  double max_m = 0;
  double mean_m = 0;  ///< weighted by area
  double relief_m() const { return max_m - min_m; }
  /// Share of the block between min and max that the land fills (Strahler 1952), 0 on a plain: about 0.35 to 0.6.
  double hypsometric_integral() const { return max_m > min_m ? (mean_m - min_m) / (max_m - min_m) : 0; }
};

/// Figures of labels 1 .. count, in that order; those without cells are all 0. Cells whose height is NoData count in
/// area only.
std::vector<BasinFigures> measure_basins(GridView<const std::int32_t> labels, std::int64_t count,
                                         GridView<const float> height, const CellGeometry& geometry);

/// Outlines of labels 1 .. count, with the guarantees of Lake::outline. n log n in their lengths.
std::vector<std::vector<Ring>> trace_basins(GridView<const std::int32_t> labels, std::int64_t count);

}  // namespace thalweg::hydrology
