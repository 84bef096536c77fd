// What the shape of the land says at every cell: slope, aspect, curvature, wetness, height above the drainage, relief,
// roughness, light and sky.
//
// Common to all functions: views have the same size; `out` overlaps no input; NoData gives NaN; lengths are true metres
// of the cell's own row (CellGeometry), so cells may be oblong or narrow toward the poles. Only + - * / sqrt and
// thalweg::exact: the same bits on every machine and for any thread count.
//
// At the border and beside NoData the 3 x 3 samples are completed so that differences become one-sided: a missing
// neighbour along an axis is the linear continuation of the opposite one through the middle (2c - opposite; c where
// that is missing too), a missing corner continues the plane through the middle and its two axis neighbours. Planes
// keep their slope up to the last cell; second differences across the border are 0.
// Infinite heights give NaN or the limit around them, never a crash.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

enum class SlopeUnit { degrees, tangent };

struct SlopeParams {
  SlopeUnit unit = SlopeUnit::degrees;
  template <class Visitor>
  static void describe(SlopeParams& p, Visitor& v) {
    static constexpr Choice<SlopeUnit> kUnits[] = {{"degrees", SlopeUnit::degrees}, {"tangent", SlopeUnit::tangent}};
    v.choice("unit", p.unit, kUnits, {.help = "degrees 0..90, or tangent (rise over run)"});
  }
};
/// Steepness after Horn 1981: the neighbours' differences weighted 1 2 1. Level ground is 0. O(cells).
void slope(GridView<const float> height, const CellGeometry& geometry, const SlopeParams& params, GridView<float> out,
           const Exec& exec);

/// Compass direction the ground faces (downhill), degrees clockwise from north in [0, 360), by the gradient of slope();
/// -1 on level ground. O(cells).
void aspect(GridView<const float> height, const CellGeometry& geometry, GridView<float> out, const Exec& exec);

enum class CurvatureKind { profile, plan, tangential, laplacian };

struct CurvatureParams {
  CurvatureKind kind = CurvatureKind::profile;
  template <class Visitor>
  static void describe(CurvatureParams& p, Visitor& v) {
    static constexpr Choice<CurvatureKind> kKinds[] = {{"profile", CurvatureKind::profile},
                                                       {"plan", CurvatureKind::plan},
                                                       {"tangential", CurvatureKind::tangential},
                                                       {"laplacian", CurvatureKind::laplacian}};
    v.choice("kind", p.kind, kKinds,
             {.help = "profile: of the ground along the steepest way; plan: of the contour line; tangential: of the "
                      "ground across the steepest way; laplacian: sum of the second derivatives"});
  }
};
/// Curvature in 1/km, positive in hollows: where the way down gets gentler (profile), where contours close in and water
/// gathers (plan, tangential). Derivatives p, q, r, s, t from the partial quartic of Zevenbergen and Thorne 1987, which
/// passes through the middle cell; from them the true curvatures
///   profile    = (p2 r + 2 p q s + q2 t) / ((p2 + q2) (1 + p2 + q2)^1.5)
///   plan       = (q2 r - 2 p q s + p2 t) / (p2 + q2)^1.5
///   tangential = (q2 r - 2 p q s + p2 t) / ((p2 + q2) sqrt(1 + p2 + q2))
///   laplacian  = r + t
/// The first three are 0 on level ground, where they have no direction. O(cells).
void curvature(GridView<const float> height, const CellGeometry& geometry, const CurvatureParams& params,
               GridView<float> out, const Exec& exec);

struct WetnessParams {
  double min_tangent = 0.001;
  template <class Visitor>
  static void describe(WetnessParams& p, Visitor& v) {
    v.real("min_tangent", p.min_tangent, {.min = 1e-9, .max = 1, .help = "slopes below this count as this (flats)"});
  }
};
/// Topographic wetness index ln(a / tan b) (Beven and Kirkby 1979), a in metres: drained area over the contour width
/// sqrt(dx dy). `area_m2` of accumulate_area; `tangent` of slope(). O(cells).
void topographic_wetness(GridView<const double> area_m2, GridView<const float> tangent, const CellGeometry& geometry,
                         const WetnessParams& params, GridView<float> out, const Exec& exec);

/// Stream power index a tan b in metres (Moore, Grayson and Ladson 1991), a and tan b as above. O(cells).
void stream_power_index(GridView<const double> area_m2, GridView<const float> tangent, const CellGeometry& geometry,
                        GridView<float> out, const Exec& exec);

struct DrainageHeightParams {
  bool to_outlets = true;
  template <class Visitor>
  static void describe(DrainageHeightParams& p, Visitor& v) {
    v.boolean("to_outlets", p.to_outlets,
              {.help = "water that meets no channel: height above the last cell of its way; off: no value"});
  }
};
/// Height above the nearest drainage (HAND, Renno et al. 2008): metres above the first cell with a nonzero `channel`
/// on the way down the directions, the cell itself included. Never negative where `height` is the surface the
/// directions were made on. A direction off the grid or onto NoData ends the way. Linear, each cell is walked once.
/// Fails where the directions run in a cycle.
Status height_above_drainage(GridView<const float> height, GridView<const std::uint8_t> directions,
                             GridView<const std::uint8_t> channel, const DrainageHeightParams& params,
                             GridView<float> out, const Exec& exec);

struct ReliefParams {
  double radius_m = 500;
  template <class Visitor>
  static void describe(ReliefParams& p, Visitor& v) {
    v.real("radius_m", p.radius_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "half the side of the square window, rounded to whole cells"});
  }
};
/// Highest less lowest height in the square window around the cell, metres. The window is cut off at the border and
/// passes over NoData. Each row has the width in cells of its own cell size; the height in cells is that of the middle
/// row. O(cells) whatever the radius (van Herk 1992; Gil and Werman 1993).
void local_relief(GridView<const float> height, const CellGeometry& geometry, const ReliefParams& params,
                  GridView<float> out, const Exec& exec);

struct RoughnessParams {
  std::int64_t radius_cells = 1;
  template <class Visitor>
  static void describe(RoughnessParams& p, Visitor& v) {
    v.integer("radius_cells", p.radius_cells,
              {.unit = "cells", .min = 1, .max = 50, .help = "half the side of the square window"});
  }
};
/// Root mean square distance in height, metres, of the window's samples from their least-squares plane: 0 on any
/// plane, however steep. Windows are cut off at the border and pass over NoData; 0 with fewer than three samples off
/// one line. O(cells * window).
void roughness(GridView<const float> height, const CellGeometry& geometry, const RoughnessParams& params,
               GridView<float> out, const Exec& exec);

struct HillshadeParams {
  double azimuth_deg = 315;
  double altitude_deg = 45;
  double exaggeration = 1;
  bool multidirectional = false;
  template <class Visitor>
  static void describe(HillshadeParams& p, Visitor& v) {
    v.real("azimuth_deg", p.azimuth_deg,
           {.unit = "deg", .min = 0, .max = 360, .help = "where the light comes from, clockwise from north"});
    v.real("altitude_deg", p.altitude_deg,
           {.unit = "deg", .min = 0, .max = 90, .help = "height of the light above the horizon"});
    v.real("exaggeration", p.exaggeration, {.min = 0, .max = 1000, .help = "heights count this many times"});
    v.boolean("multidirectional", p.multidirectional,
              {.help = "four lights 45 degrees apart, from 90 degrees left of the azimuth to 45 right of it, each most "
                       "on slopes it grazes"});
  }
};
/// Light on the ground, 0..1: cosine between the normal (Horn's gradient) and the light, 0 where it faces away; no
/// cast shadows. Multidirectional: four lights weighted sin^2(aspect - azimuth) / 2 (Mark 1992), all equal on level
/// ground. O(cells).
void hillshade(GridView<const float> height, const CellGeometry& geometry, const HillshadeParams& params,
               GridView<float> out, const Exec& exec);

struct SkyViewParams {
  double radius_m = 1000;
  std::int64_t directions = 16;
  template <class Visitor>
  static void describe(SkyViewParams& p, Visitor& v) {
    v.real("radius_m", p.radius_m, {.unit = "m", .min = 0, .max = 1e5, .help = "how far the horizon is searched"});
    v.integer("directions", p.directions, {.min = 4, .max = 64, .help = "in which the horizon is searched"});
  }
};
/// Share of the sky above the horizon that is seen, 0..1: 1 - mean sin(horizon angle) (Zaksek, Ostir and Kokalj 2011).
/// The horizon of a direction is the steepest rise (at least level) to the samples on its ray, one per column or row
/// crossed, linear between two cells; rays pass over NoData and end at the border. Distances take the cell size of the
/// ray's first row. At least one step is taken. O(cells * directions * radius).
void sky_view_factor(GridView<const float> height, const CellGeometry& geometry, const SkyViewParams& params,
                     GridView<float> out, const Exec& exec);

}  // namespace thalweg::hydrology
