// What a fractal sum does with the noise of one octave, one row of samples at a time, in the plane and in space.
//
// A row is computed as
//
//   begin_rows<kDims>(field, width, rows);                      // clears the running rows that the fractal uses
//   for every active octave, first to last:
//     make n: the octave's noise in [-1, 1], times octave_scale(field.fractal, octave) (plan), plus octave_shift; and
//     where needs_slopes: d[i], the derivatives of that n per lattice unit along each axis
//     add_octave_rows<kDims>(field, octave, width, noise, rows);
//   add_rest_rows<kDims>(field, width, rows);                   // octaves too fine for the grid add their mean
//   finish_row(field, amplitude, offset, width, rows.acc, out);
//   finish_slope_row(+-amplitude, width, rows.slope[i], out);   // for each axis, where derivatives are wanted
//
// All rows have room for kTile + kPad floats; whole vectors are read and written, so the samples behind `width` must be
// numbers but are not used. kDims is 2 or 3. Everything is per sample: nothing depends on where a row begins.
#if defined(THALWEG_NOISE_FRACTAL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_FRACTAL_ROWS_INL_H_
#undef THALWEG_NOISE_FRACTAL_ROWS_INL_H_
#else
#define THALWEG_NOISE_FRACTAL_ROWS_INL_H_
#endif

#include <array>
#include <cstring>

#include <hwy/highway.h>

#include "thalweg/noise/noise_plan.h"
#include "thalweg/noise/noise_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

/// The running values of a row.
struct FractalRows {
  float* acc = nullptr;     ///< the sum so far
  float* weight = nullptr;  ///< of Fractal::ridged: how much the next octave counts
  std::array<float*, 3> slope =
      {};  ///< gradient of the sum so far; given for slope_damped (in units of damping_slope)
           ///< and where fbm is asked for its derivatives (per metre and amplitude), else null
};
/// The noise of one octave.
struct NoiseRows {
  const float* n = nullptr;
  std::array<const float*, 3> d = {};  ///< given wherever FractalRows::slope is
};

/// The octave's shaped value, faded to its mean.
HWY_INLINE VF faded(const Octave& o, VF value) {
  const F f;
  const VF mean = hn::Set(f, o.mean);
  return hn::Add(mean, hn::Mul(hn::Set(f, o.fade), hn::Sub(value, mean)));
}
HWY_INLINE void add_to(float* row, VF v) {
  hn::StoreU(hn::Add(hn::LoadU(F(), row), v), F(), row);
}

// The steps: each takes in the vector n of the samples from x on. kDims 0 is for steps that need no derivatives.

/// acc += n, which has amplitude and fade in it.
template <int kDims>
struct FbmStep {
  FbmStep(const Field&, const Octave& o) : slope(o.slope) {}
  HWY_INLINE void operator()(int x, VF n, const VF* d, const FractalRows& rows) const {
    add_to(rows.acc + x, n);
    for (std::size_t i = 0; i < kDims; ++i) add_to(rows.slope[i] + x, hn::Mul(hn::Set(F(), slope), d[i]));
  }
  float slope;
};

struct BillowStep {
  BillowStep(const Field&, const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(int x, VF n, const VF*, const FractalRows& rows) const {
    add_to(rows.acc + x, hn::Mul(hn::Set(F(), octave.amplitude), faded(octave, hn::Abs(n))));
  }
  const Octave& octave;
};

/// Crests (1 - |n|)^2, each octave weighted by twice the one before: detail gathers on the ridges.
struct RidgedStep {
  RidgedStep(const Field&, const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(int x, VF n, const VF*, const FractalRows& rows) const {
    const F f;
    const VF crest = hn::Sub(hn::Set(f, 1.0F), hn::Abs(n));
    const VF r = hn::Mul(faded(octave, hn::Mul(crest, crest)), hn::LoadU(f, rows.weight + x));
    add_to(rows.acc + x, hn::Mul(hn::Set(f, octave.amplitude), r));
    hn::StoreU(hn::Min(hn::Add(r, r), hn::Set(f, 1.0F)), f, rows.weight + x);
  }
  const Octave& octave;
};

/// Folds (n + 1) * strength into [0, 1] by a triangle wave of period 2.
struct PingPongStep {
  PingPongStep(const Field& field, const Octave& o) : octave(o), strength(field.ping_pong_strength) {}
  HWY_INLINE void operator()(int x, VF n, const VF*, const FractalRows& rows) const {
    const F f;
    const VF one = hn::Set(f, 1.0F);
    const VF t = hn::Mul(hn::Add(n, one), hn::Set(f, strength));
    const VF turn = hn::Sub(t, hn::Mul(hn::Set(f, 2.0F), hn::Floor(hn::Mul(t, hn::Set(f, 0.5F)))));
    const VF value = hn::Sub(one, hn::Abs(hn::Sub(turn, one)));
    add_to(rows.acc + x, hn::Mul(hn::Set(f, octave.amplitude), faded(octave, value)));
  }
  const Octave& octave;
  float strength;
};

/// Every octave counts by how high the sum of those before it stands between its bounds.
struct HybridStep {
  HybridStep(const Field&, const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(int x, VF n, const VF*, const FractalRows& rows) const {
    const F f;
    const VF half = hn::Set(f, 0.5F);
    const VF value = faded(octave, hn::Add(hn::Mul(n, half), half));
    const VF sum = hn::LoadU(f, rows.acc + x);
    // The first octave has no sum before it: `before` is 0 there and the weight 1.
    const VF weight = hn::Add(hn::Mul(sum, hn::Set(f, octave.before)), hn::Set(f, octave.before > 0.0F ? 0.0F : 1.0F));
    hn::StoreU(hn::Add(sum, hn::Mul(hn::Set(f, octave.amplitude), hn::Mul(value, weight))), f, rows.acc + x);
  }
  const Octave& octave;
};

/// Every octave is divided by 1 + |gradient of the plain sum so far, this octave included|^2 / damping_slope^2.
template <int kDims>
struct SlopeDampedStep {
  SlopeDampedStep(const Field&, const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(int x, VF n, const VF* d, const FractalRows& rows) const {
    const F f;
    VF divisor = hn::Set(f, octave.unresolved);
    for (std::size_t i = 0; i < kDims; ++i) {
      const VF g = hn::Add(hn::LoadU(f, rows.slope[i] + x), hn::Mul(hn::Set(f, octave.slope), d[i]));
      hn::StoreU(g, f, rows.slope[i] + x);
      divisor = hn::Add(divisor, hn::Mul(g, g));
    }
    const VF share = hn::Mul(hn::Set(f, octave.amplitude), faded(octave, n));
    add_to(rows.acc + x, hn::Div(share, hn::Add(hn::Set(f, 1.0F), divisor)));
  }
  const Octave& octave;
};

template <int kSlopes, class Step>
HWY_INLINE void step_row(const Field& field, const Octave& octave, int width, const NoiseRows& noise,
                         const FractalRows& rows) {
  const F f;
  const Step step(field, octave);
  for (int x = 0; x < width; x += lanes_of()) {
    VF d[3] = {hn::Zero(f), hn::Zero(f), hn::Zero(f)};
    for (std::size_t i = 0; i < kSlopes; ++i) d[i] = hn::LoadU(f, noise.d[i] + x);
    step(x, hn::LoadU(f, noise.n + x), d, rows);
  }
}
template <class Step>
HWY_INLINE void rest_row(const Field& field, const Octave& octave, float n, int width, const FractalRows& rows) {
  const F f;
  const Step step(field, octave);
  const VF d[3] = {hn::Zero(f), hn::Zero(f), hn::Zero(f)};
  for (int x = 0; x < width; x += lanes_of()) step(x, hn::Set(f, n), d, rows);
}

template <int kDims>
inline void begin_rows(const Field& field, int width, const FractalRows& rows) {
  const F f;
  for (int x = 0; x < width; x += lanes_of()) hn::StoreU(hn::Zero(f), f, rows.acc + x);
  if (field.fractal == Fractal::ridged)
    for (int x = 0; x < width; x += lanes_of()) hn::StoreU(hn::Set(f, 1.0F), f, rows.weight + x);
  for (std::size_t i = 0; i < kDims && rows.slope[i] != nullptr; ++i)
    for (int x = 0; x < width; x += lanes_of()) hn::StoreU(hn::Zero(f), f, rows.slope[i] + x);
}

template <int kDims>
inline void add_octave_rows(const Field& field, const Octave& octave, int width, const NoiseRows& noise,
                            const FractalRows& rows) {
  switch (field.fractal) {
    case Fractal::fbm:
      if (rows.slope[0] != nullptr) return step_row<kDims, FbmStep<kDims>>(field, octave, width, noise, rows);
      return step_row<0, FbmStep<0>>(field, octave, width, noise, rows);
    case Fractal::ridged:
      return step_row<0, RidgedStep>(field, octave, width, noise, rows);
    case Fractal::billow:
      return step_row<0, BillowStep>(field, octave, width, noise, rows);
    case Fractal::ping_pong:
      return step_row<0, PingPongStep>(field, octave, width, noise, rows);
    case Fractal::hybrid:
      return step_row<0, HybridStep>(field, octave, width, noise, rows);
    case Fractal::slope_damped:
      return step_row<kDims, SlopeDampedStep<kDims>>(field, octave, width, noise, rows);
  }
}

/// Octaves too fine for the grid still add their mean; their fade is 0, so the noise given does not matter.
template <int kDims>
inline void add_rest_rows(const Field& field, int width, const FractalRows& rows) {
  for (auto o = static_cast<std::size_t>(field.active); o < field.octaves.size(); ++o) {
    const Octave& octave = field.octaves[o];
    switch (field.fractal) {
      case Fractal::fbm:
        if (octave.mean != 0.0F) rest_row<FbmStep<0>>(field, octave, octave_shift(field.fractal, octave), width, rows);
        break;
      case Fractal::ridged:
        rest_row<RidgedStep>(field, octave, 0, width, rows);
        break;
      case Fractal::billow:
        rest_row<BillowStep>(field, octave, 0, width, rows);
        break;
      case Fractal::ping_pong:
        rest_row<PingPongStep>(field, octave, 0, width, rows);
        break;
      case Fractal::hybrid:
        rest_row<HybridStep>(field, octave, 0, width, rows);
        break;
      case Fractal::slope_damped:
        if (octave.mean != 0.0F) rest_row<SlopeDampedStep<kDims>>(field, octave, 0, width, rows);
        break;
    }
  }
}

HWY_INLINE void store_part(VF v, int x, int width, float* out) {
  const F f;
  if (x + lanes_of() <= width) {
    hn::StoreU(v, f, out + x);
  } else {
    float last[kPad];
    hn::StoreU(v, f, last);
    std::memcpy(out + x, last, static_cast<std::size_t>(width - x) * sizeof(float));
  }
}

/// out = offset + amplitude * acc, with acc held to its range against the last bits of rounding. Writes only `width`.
inline void finish_row(const Field& field, float amplitude, float offset, int width, const float* acc, float* out) {
  const F f;
  const bool both_signs = field.fractal == Fractal::fbm || field.fractal == Fractal::slope_damped;
  const VF low = hn::Set(f, both_signs ? -1.0F : 0.0F);
  const VF high = hn::Set(f, 1.0F);
  for (int x = 0; x < width; x += lanes_of()) {
    const VF n = hn::Min(hn::Max(hn::LoadU(f, acc + x), low), high);
    store_part(hn::Add(hn::Set(f, offset), hn::Mul(hn::Set(f, amplitude), n)), x, width, out);
  }
}
/// out = amplitude * slope; a negative amplitude turns the axis round. Writes only `width`.
inline void finish_slope_row(float amplitude, int width, const float* slope, float* out) {
  const F f;
  for (int x = 0; x < width; x += lanes_of())
    store_part(hn::Mul(hn::Set(f, amplitude), hn::LoadU(f, slope + x)), x, width, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
