// The inner loops of sketches, compiled once per SIMD level. Every level does the same operations in the same order on
// each sample - no fused multiply-add, no approximation - so that all give the same bits.
#include <limits>

#include "thalweg/shape/sketch_outline.h"

#ifdef __EMSCRIPTEN__  // Highway 1.0.3 has no doubles in WebAssembly's own vectors, only in emulated ones
#define HWY_DISABLED_TARGETS (HWY_WASM | HWY_WASM_EMU256)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/shape/sketch_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thalweg::shape::detail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// body(D, x) for whole vectors of a span, then sample by sample.
template <class Body>
HWY_INLINE void for_lanes(Span span, const Body& body) {
  const hn::ScalableTag<double> many;
  const hn::CappedTag<double, 1> one;
  const int lanes = static_cast<int>(hn::Lanes(many));
  int x = span.begin;
  for (; x + lanes <= span.end; x += lanes) body(many, x);
  for (; x < span.end; ++x) body(one, x);
}

void TakeNearer(const Segment& s, const double* px, double y_m, Span span, double* distance2, double* height_m) {
  const double ay_m = y_m - s.ay_m, by_m = y_m - s.by_m;
  const double climb = s.b_height_m - s.a_height_m;
  for_lanes(span, [&](auto d, int x) HWY_ATTR {
    const auto at = hn::LoadU(d, px + x);
    const auto ax = hn::Sub(at, hn::Set(d, s.ax_m)), ay = hn::Set(d, ay_m);
    const auto bx = hn::Sub(at, hn::Set(d, s.bx_m)), by = hn::Set(d, by_m);
    const auto dx = hn::Set(d, s.dx_m), dy = hn::Set(d, s.dy_m);
    const auto along = hn::Add(hn::Mul(ax, dx), hn::Mul(ay, dy));
    const auto off = hn::Sub(hn::Mul(ax, dy), hn::Mul(ay, dx));
    const auto inverse = hn::Set(d, s.inverse_length2);
    const auto to_a = hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay));
    const auto to_b = hn::Add(hn::Mul(bx, bx), hn::Mul(by, by));
    const auto to_line = hn::Mul(hn::Mul(off, off), inverse);
    const auto before = hn::Le(along, hn::Zero(d));
    const auto beyond = hn::Ge(along, hn::Set(d, s.length2_m2));
    const auto d2 = hn::IfThenElse(before, to_a, hn::IfThenElse(beyond, to_b, to_line));
    const auto old = hn::LoadU(d, distance2 + x);
    const auto nearer = hn::Lt(d2, old);
    hn::StoreU(hn::IfThenElse(nearer, d2, old), d, distance2 + x);
    if (height_m == nullptr) return;
    const auto low = hn::Set(d, s.a_height_m);
    const auto between = hn::Add(low, hn::Mul(hn::Mul(along, inverse), hn::Set(d, climb)));
    const auto h = hn::IfThenElse(before, low, hn::IfThenElse(beyond, hn::Set(d, s.b_height_m), between));
    hn::StoreU(hn::IfThenElse(nearer, h, hn::LoadU(d, height_m + x)), d, height_m + x);
  });
}

// With c the distance to the segment's line and s along it from the foot of that, r^2 = c^2 + s^2:
//   integral of 1 / r^3 ds = s / (c^2 r),  of s / r^3 ds = -1 / r,
//   of r^2 ds = c^2 s + s^3 / 3,           of s r^2 ds = r^4 / 4.
// With both ends on one side of the foot the difference of the first is taken in the form in which c^2 has cancelled.
void AddSight(const SightKernel& kernel, const Segment& s, const double* px, double y_m, Span span, double* weight,
              double* sight) {
  const double ux = s.dx_m / s.length_m, uy = s.dy_m / s.length_m;
  const double ay_m = y_m - s.ay_m;
  const double slope = (s.b_height_m - s.a_height_m) / s.length_m;
  const double reach2 = kernel.reach2 > 0 ? kernel.reach2 : std::numeric_limits<double>::max();
  for_lanes(span, [&](auto d, int x) HWY_ATTR {
    const auto ax = hn::Sub(hn::LoadU(d, px + x), hn::Set(d, s.ax_m)), ay = hn::Set(d, ay_m);
    const auto foot = hn::Add(hn::Mul(ax, hn::Set(d, ux)), hn::Mul(ay, hn::Set(d, uy)));
    const auto off = hn::Sub(hn::Mul(ax, hn::Set(d, uy)), hn::Mul(ay, hn::Set(d, ux)));
    const auto c2 = hn::Mul(off, off);
    const auto room = hn::Sub(hn::Set(d, reach2), c2);
    const auto half = hn::Sqrt(hn::IfThenElse(hn::Gt(room, hn::Zero(d)), room, hn::Zero(d)));
    const auto back = hn::Sub(hn::Zero(d), half);
    const auto a = hn::Sub(hn::Zero(d), foot), b = hn::Sub(hn::Set(d, s.length_m), foot);
    const auto s0 = hn::IfThenElse(hn::Gt(a, back), a, back);
    const auto s1 = hn::IfThenElse(hn::Lt(b, half), b, half);
    const auto length = hn::Sub(s1, s0);
    const auto seen = hn::Gt(length, hn::Zero(d));
    const auto s00 = hn::Mul(s0, s0), s11 = hn::Mul(s1, s1), s01 = hn::Mul(s0, s1);
    const auto q0 = hn::Add(c2, s00), q1 = hn::Add(c2, s11);
    const auto r0 = hn::Sqrt(q0), r1 = hn::Sqrt(q1);
    const auto per_both = hn::Div(hn::Set(d, 1.0), hn::Mul(r0, r1));
    const auto s1r0 = hn::Mul(s1, r0), s0r1 = hn::Mul(s0, r1);
    const auto one_side = hn::Gt(s01, hn::Zero(d));
    const auto rise = hn::IfThenElse(one_side, hn::Mul(length, hn::Add(s1, s0)), hn::Sub(s1r0, s0r1));
    const auto run = hn::IfThenElse(one_side, hn::Add(s1r0, s0r1), c2);
    const auto bare = hn::Mul(hn::Div(rise, run), per_both);

    const auto alpha = hn::Set(d, kernel.alpha), beta = hn::Set(d, kernel.beta);
    const auto thirds = hn::Mul(hn::Add(hn::Add(s11, s01), s00), hn::Set(d, 1.0 / 3.0));
    const auto taper = hn::Mul(length, hn::Sub(hn::Mul(beta, hn::Add(c2, thirds)), alpha));
    const auto sum = hn::Add(bare, taper);
    const auto quarter = hn::Mul(hn::Mul(hn::Set(d, 0.25), beta), hn::Add(q1, q0));
    const auto tilt = hn::Mul(hn::Sub(q1, q0), hn::Sub(quarter, hn::Mul(hn::Set(d, 0.5), alpha)));
    const auto moment = hn::Add(hn::Mul(hn::Sub(r1, r0), per_both), tilt);
    const auto at_foot = hn::Add(hn::Set(d, s.a_height_m), hn::Mul(hn::Set(d, slope), foot));
    const auto height = hn::Add(hn::Mul(sum, at_foot), hn::Mul(hn::Set(d, slope), moment));
    const auto add = [&](auto v, double* to) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, to + x), hn::IfThenElseZero(seen, v)), d, to + x);
    };
    add(sum, weight);
    add(height, sight);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::shape::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::shape::detail {
HWY_EXPORT(TakeNearer);
HWY_EXPORT(AddSight);

void take_nearer(const Segment& s, const Frame& frame, int y, Span span, double* distance2, double* height_m) {
  HWY_DYNAMIC_DISPATCH(TakeNearer)(s, frame.x_m(), frame.y_m(y), span, distance2, height_m);
}

SightKernel::SightKernel(double reach_m)
    : reach2(reach_m * reach_m), alpha(2.5 / (reach2 * reach_m)), beta(1.5 / (reach2 * reach2 * reach_m)) {}

void SightKernel::add(const Segment& s, const Frame& frame, int y, Span span, double* weight, double* sight) const {
  if (s.length_m == 0) return;
  HWY_DYNAMIC_DISPATCH(AddSight)(*this, s, frame.x_m(), frame.y_m(y), span, weight, sight);
}
}  // namespace thalweg::shape::detail
#endif
