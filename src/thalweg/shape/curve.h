// Operators that change each sample by its own value, or by that of another field at the same sample.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"

// All functions: NoData (NaN) stays, `out` may be the same view as an input, same bits on every machine and thread
// count, O(cells).
namespace thalweg::shape {

/// Values below low become low, above high become high. Requires high >= low.
struct ClampParams {
  double low = 0;
  double high = 1000;
  template <class Visitor>
  static void describe(ClampParams& p, Visitor& v) {
    v.real("low", p.low, {.min = -1e6, .max = 1e6, .help = "least value, in the field's unit"});
    v.real("high", p.high, {.min = -1e6, .max = 1e6, .help = "greatest value; at least low"});
  }
};
void clamp(const ClampParams& params, GridView<const float> in, GridView<float> out, const Exec& exec);

enum class CurveKind { smooth, linear };

/// A curve through points: a value at inputs[i] becomes outputs[i]. `smooth` is the monotone cubic of Fritsch and
/// Carlson (1980), which never overshoots its points. Beyond the ends the end values hold.
struct CurveParams {
  CurveKind kind = CurveKind::smooth;
  Numbers inputs = {0, 1000};
  Numbers outputs = {0, 1000};
  template <class Visitor>
  static void describe(CurveParams& p, Visitor& v) {
    static constexpr Choice<CurveKind> kKinds[] = {{"smooth", CurveKind::smooth}, {"linear", CurveKind::linear}};
    v.choice("kind", p.kind, kKinds, {.help = "between the points: smooth without overshoot, or straight"});
    v.numbers("inputs", p.inputs, {.min = -1e6, .max = 1e6, .help = "values, rising"});
    v.numbers("outputs", p.outputs, {.min = -1e6, .max = 1e6, .help = "what each of them becomes; as many"});
  }
};
/// Fails where the lists differ in length, have fewer than 2 entries, or the inputs do not rise.
Status check_curve(const CurveParams& params);
/// Requires check_curve.
void curve(const CurveParams& params, GridView<const float> in, GridView<float> out, const Exec& exec);

/// Steps of equal height with risers between flat treads; `sharpness` 0 leaves the land as it is, 1 makes level treads
/// with upright risers, 65 % of the way up from tread to tread. Treads may vary: `jitter` moves each tread by up to
/// half that share of step_m either way, hashed from the step's number and the seed, so that no two cliffs have the
/// same height.
struct TerraceParams {
  double step_m = 80;
  double offset_m = 0;
  double sharpness = 0.7;
  double jitter = 0.3;
  template <class Visitor>
  static void describe(TerraceParams& p, Visitor& v) {
    v.real("step_m", p.step_m, {.unit = "m", .min = 0.01, .max = 1e5, .help = "height from tread to tread"});
    v.real("offset_m", p.offset_m, {.unit = "m", .min = -1e5, .max = 1e5, .help = "height of one tread"});
    v.real("sharpness", p.sharpness, {.min = 0, .max = 1, .help = "0: as it was, 1: level treads, upright risers"});
    v.real("jitter", p.jitter, {.min = 0, .max = 0.9, .help = "how much steps differ in height, as a share of step_m"});
  }
};
/// Monotone: order of heights stays, to the last bit. The same map of heights everywhere, smooth but at sharpness 1.
/// Tread 0 lies at offset_m exactly. Heights that are so great that float does not resolve the steps stay.
void terrace(const TerraceParams& params, std::uint64_t seed, GridView<const float> in, GridView<float> out,
             const Exec& exec);

enum class Combine { set, add, subtract, multiply, max, min, smooth_max, smooth_min };

/// How two values become one. smooth_max and smooth_min round the crease over `smooth` (in the field's unit), by the
/// polynomial of Quilez ("smooth minimum"): equal to max and min where the values differ by more than that.
struct CombineParams {
  Combine combine = Combine::set;
  double smooth = 50;
  template <class Visitor>
  static void describe(CombineParams& p, Visitor& v) {
    static constexpr Choice<Combine> kKinds[] = {{"set", Combine::set},
                                                 {"add", Combine::add},
                                                 {"subtract", Combine::subtract},
                                                 {"multiply", Combine::multiply},
                                                 {"max", Combine::max},
                                                 {"min", Combine::min},
                                                 {"smooth-max", Combine::smooth_max},
                                                 {"smooth-min", Combine::smooth_min}};
    v.choice("combine", p.combine, kKinds, {.help = "how it meets what the field holds already"});
    v.real("smooth", p.smooth,
           {.min = 1e-6, .max = 1e6, .help = "for smooth-max and smooth-min: how wide the crease is rounded"});
  }
};
/// out = a (what the field holds) combined with b. NoData in either gives NoData, except that `set` takes b.
void combine(const CombineParams& params, GridView<const float> a, GridView<const float> b, GridView<float> out,
             const Exec& exec);

/// out = a + mask * (b - a), mask clamped to 0..1; exactly a where mask is 0 or NoData, exactly b where it is 1.
void blend(GridView<const float> mask, GridView<const float> a, GridView<const float> b, GridView<float> out,
           const Exec& exec);

}  // namespace thalweg::shape
