// Vector types and the small functions that every noise kernel shares, compiled once per SIMD level.
//
// Every level does the same operations in the same order on each sample - no fused multiply-add, no approximation - so
// that all give the same bits.
#if defined(THALWEG_NOISE_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_SIMD_INL_H_
#undef THALWEG_NOISE_SIMD_INL_H_
#else
#define THALWEG_NOISE_SIMD_INL_H_
#endif

#include <hwy/highway.h>

#include "thalweg/noise/noise_plan.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kPad>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using VF = hn::Vec<F>;
using VI = hn::Vec<I>;
using VU = hn::Vec<U>;

HWY_INLINE int lanes_of() {
  return static_cast<int>(hn::Lanes(F()));
}

HWY_INLINE VF quintic(VF t) {
  const F f;
  const VF p = hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, hn::Set(f, 6.0F)), hn::Set(f, 15.0F))), hn::Set(f, 10.0F));
  return hn::Mul(hn::Mul(hn::Mul(t, t), t), p);
}
/// Its derivative, 30 t^2 (t - 1)^2.
HWY_INLINE VF quintic_slope(VF t) {
  const F f;
  const VF p = hn::Mul(t, hn::Sub(t, hn::Set(f, 1.0F)));
  return hn::Mul(hn::Set(f, 30.0F), hn::Mul(p, p));
}

HWY_INLINE VF lerp(VF a, VF b, VF t) {
  return hn::Add(a, hn::Mul(t, hn::Sub(b, a)));
}

/// Two multiplies mix the hashes of a lattice point's column and row (in space: row and layer already combined).
HWY_INLINE VU mix(VU column, VU row) {
  const U u;
  VU h = hn::Mul(hn::Xor(column, row), hn::Set(u, kHash1));
  return hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(u, kHash2));
}
/// A random height in [-1, 1] from a mixed hash.
HWY_INLINE VF height_of(VU h) {
  return hn::Mul(hn::ConvertTo(F(), hn::BitCast(I(), h)), hn::Set(F(), 0x1.0p-31F));
}

struct Gradient {
  VF x;
  VF y;
};
/// A direction in the plane, any angle alike: the two top bits of the mixed hash pick a quarter turn, the others an
/// angle within it. Length 1 within 2e-4.
HWY_INLINE Gradient gradient_of(VU h) {
  const F f;
  const I i;
  const U u;
  const VF t = hn::Mul(hn::ConvertTo(f, hn::BitCast(i, hn::ShiftLeft<2>(h))), hn::Set(f, 0x1.0p-31F));
  const VF t2 = hn::Mul(t, t);
  const VF s = hn::Mul(t, hn::Add(hn::Set(f, kSin1), hn::Mul(t2, hn::Set(f, kSin3))));
  VF c = hn::Add(hn::Set(f, 1.0F), hn::Mul(t2, hn::Add(hn::Set(f, kCos2), hn::Mul(t2, hn::Set(f, kCos4)))));
  c = hn::Xor(c, hn::BitCast(f, hn::And(h, hn::Set(u, 0x80000000U))));
  const auto swap = hn::MaskFromVec(hn::BitCast(f, hn::BroadcastSignBit(hn::BitCast(i, hn::ShiftLeft<1>(h)))));
  return {hn::IfThenElse(swap, s, c), hn::IfThenElse(swap, c, s)};
}

/// Hash of one axis for any cells within 2^30 of the ones the seeds were made for.
struct AxisHash {
  AxisHash(AxisSeeds s, std::uint32_t m) : clear(s.top_clear), flip(s.top_clear ^ s.top_set), multiplier(m) {}
  HWY_INLINE VU operator()(VI cell) const {
    const U u;
    const VU top = hn::BitCast(u, hn::BroadcastSignBit(cell));
    const VU seed = hn::Xor(hn::Set(u, clear), hn::And(top, hn::Set(u, flip)));
    const VU h = hn::Mul(hn::Xor(hn::BitCast(u, cell), seed), hn::Set(u, multiplier));
    return hn::Xor(h, hn::ShiftRight<15>(h));
  }
  std::uint32_t clear;
  std::uint32_t flip;
  std::uint32_t multiplier;
};

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
