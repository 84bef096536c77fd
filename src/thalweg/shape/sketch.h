// Sketches: points, lines and polygons in metres that the land is pulled toward, and distances to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"

namespace thalweg::shape {

struct SketchPoint {
  double x_m = 0;       ///< east of the world's origin
  double y_m = 0;       ///< north of it
  double height_m = 0;  ///< wanted here; used where the sketch has heights
};

enum class SketchKind { points, lines, polygons };

/// One sketch: parts of one kind. A part is a point (one vertex), a line (two or more) or a ring of a polygon (three or
/// more, closed by itself; inside is decided by the even-odd rule over all rings, so holes need no order).
struct Sketch {
  std::string name;
  SketchKind kind = SketchKind::points;
  std::vector<std::vector<SketchPoint>> parts;
  bool has_heights = false;
};

/// Fails on empty sketches, too few vertices, coordinates that are not finite or beyond 1e9 m.
Status check_sketch(const Sketch& sketch);

/// Distance in metres from every sample to the sketch, up to `limit_m` (exactly limit_m beyond); 0 inside polygons.
/// And, where `height_m` is not empty, the sketch's height at its nearest point: interpolated along a line or a ring's
/// edge; inside a polygon the mean of its edges' heights (those of its holes too), weighted by the integral along them
/// of 1 / distance^3 - where all are equal exactly that height; NaN beyond limit_m. Exact distances to segments in
/// double; equally near parts: the first counts. Positions follow from absolute sample indices, so a window has the
/// bits of the whole. O(cells within limit_m of each segment); inside a polygon of several heights O(cells * edges).
void sketch_distance(const Sketch& sketch, const GridSpec& spec, double limit_m, GridView<float> distance_m,
                     GridView<float> height_m, const Exec& exec);

/// Mask 1 on the sketch, falling by smoothstep to 0 at falloff_m from it. With 0 only samples on it: inside polygons,
/// within half a cell of lines (a chain without gaps), within half a cell's diagonal of points (at least one each).
void sketch_mask(const Sketch& sketch, const GridSpec& spec, double falloff_m, GridView<float> mask, const Exec& exec);

enum class SketchBlend { set, raise, lower, add };

/// How the land is pulled toward the sketch's heights.
struct SketchParams {
  SketchBlend blend = SketchBlend::set;
  double falloff_m = 500;
  double core_m = 0;
  double weight = 1;
  template <class Visitor>
  static void describe(SketchParams& p, Visitor& v) {
    static constexpr Choice<SketchBlend> kKinds[] = {{"set", SketchBlend::set},
                                                     {"raise", SketchBlend::raise},
                                                     {"lower", SketchBlend::lower},
                                                     {"add", SketchBlend::add}};
    v.choice("blend", p.blend, kKinds,
             {.help = "set: to the sketch's height; raise, lower: only where that is up, down; add: by it"});
    v.real("falloff_m", p.falloff_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "distance over which the pull falls to nothing"});
    v.real("core_m", p.core_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "distance from the sketch within which it is in full"});
    v.real("weight", p.weight, {.min = 0, .max = 1, .help = "strength of the pull on the sketch itself"});
  }
};
/// out = in pulled toward the sketch: by weight on it and within core_m, by smoothstep less to 0 at core_m + falloff_m.
/// On it are samples inside polygons, within half a cell of lines and half a cell's diagonal of points: there the pull
/// is in full, to the height of the sketch's nearest point.
/// Samples farther away keep their bits; with weight 1 and blend set, nothing of the land is left within core_m, and a
/// sketch of one height is met exactly there (as float). Requires sketch.has_heights. `in` may be `out`. NoData stays,
/// and infinite land where it is not replaced in full.
///
/// The height pulled to is the sketch's own on it and goes over into that of other parts and stretches as they come
/// into sight: points weigh by 1 / distance^2 (Shepard 1968), lines by the integral along them of 1 / distance^3, which
/// does not depend on how finely they are divided; both are tapered to 0 at the end of the reach. Inside polygons it is
/// that of sketch_distance. Between parts and inside bends the pull is somewhat stronger than that of the nearest
/// alone. So there is no cliff or crease where two parts are equally near; there is one only where lines of different
/// height cross. O(cells within reach of each segment); inside a polygon of several heights O(cells * edges).
void pull_to_sketch(const SketchParams& params, const Sketch& sketch, const GridSpec& spec, GridView<const float> in,
                    GridView<float> out, const Exec& exec);

}  // namespace thalweg::shape
