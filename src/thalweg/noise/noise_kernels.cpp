// The inner loops, compiled once per SIMD level. Every level does the same operations in the same order on each
// sample - no fused multiply-add, no approximation - so that all give the same bits.
#include <cstring>
#include <memory>

#include "thalweg/noise/noise_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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

struct Gradient {
  VF x;
  VF y;
};

// The gradient at a lattice point: two multiplies mix the hashes of its column and row; the two top bits pick one of
// four quarters, the others an angle within it.
HWY_INLINE Gradient gradient(VU column, VU row) {
  const F f;
  const I i;
  const U u;
  VU h = hn::Mul(hn::Xor(column, row), hn::Set(u, kHash1));
  h = hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(u, kHash2));
  const VF t = hn::Mul(hn::ConvertTo(f, hn::BitCast(i, hn::ShiftLeft<2>(h))), hn::Set(f, 0x1.0p-31F));
  const VF t2 = hn::Mul(t, t);
  const VF s = hn::Mul(t, hn::Add(hn::Set(f, kSin1), hn::Mul(t2, hn::Set(f, kSin3))));
  VF c = hn::Add(hn::Set(f, 1.0F), hn::Mul(t2, hn::Add(hn::Set(f, kCos2), hn::Mul(t2, hn::Set(f, kCos4)))));
  c = hn::Xor(c, hn::BitCast(f, hn::And(h, hn::Set(u, 0x80000000U))));
  const auto swap = hn::MaskFromVec(hn::BitCast(f, hn::BroadcastSignBit(hn::BitCast(i, hn::ShiftLeft<1>(h)))));
  return {hn::IfThenElse(swap, s, c), hn::IfThenElse(swap, c, s)};
}

HWY_INLINE VF quintic(VF t) {
  const F f;
  const VF p = hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, hn::Set(f, 6.0F)), hn::Set(f, 15.0F))), hn::Set(f, 10.0F));
  return hn::Mul(hn::Mul(hn::Mul(t, t), t), p);
}

HWY_INLINE VF lerp(VF a, VF b, VF t) {
  return hn::Add(a, hn::Mul(t, hn::Sub(b, a)));
}

// How a sum takes in one octave's noise n; acc and weight are the sample's running values.
struct FbmStep {
  explicit FbmStep(const Octave&) {}
  HWY_INLINE void operator()(VF n, float* acc, float*) const {
    const F f;
    hn::StoreU(hn::Add(hn::LoadU(f, acc), n), f, acc);  // the amplitude is already in the gradients
  }
  static float scale(const Octave& o) {
    return static_cast<float>(static_cast<double>(o.amplitude) * static_cast<double>(o.fade) * kPerlinScale);
  }
};
struct BillowStep {
  explicit BillowStep(const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(VF n, float* acc, float*) const {
    const F f;
    const VF mean = hn::Set(f, kBillowMean);
    const VF s = hn::Add(mean, hn::Mul(hn::Set(f, octave.fade), hn::Sub(hn::Abs(n), mean)));
    hn::StoreU(hn::Add(hn::LoadU(f, acc), hn::Mul(hn::Set(f, octave.amplitude), s)), f, acc);
  }
  static float scale(const Octave&) { return static_cast<float>(kPerlinScale); }
  const Octave& octave;
};
struct RidgedStep {
  explicit RidgedStep(const Octave& o) : octave(o) {}
  HWY_INLINE void operator()(VF n, float* acc, float* weight) const {
    const F f;
    const VF mean = hn::Set(f, kRidgedMean);
    const VF crest = hn::Sub(hn::Set(f, 1.0F), hn::Abs(n));
    const VF s = hn::Add(mean, hn::Mul(hn::Set(f, octave.fade), hn::Sub(hn::Mul(crest, crest), mean)));
    const VF r = hn::Mul(s, hn::LoadU(f, weight));
    hn::StoreU(hn::Add(hn::LoadU(f, acc), hn::Mul(hn::Set(f, octave.amplitude), r)), f, acc);
    hn::StoreU(hn::Min(hn::Add(r, r), hn::Set(f, 1.0F)), f, weight);
  }
  static float scale(const Octave&) { return static_cast<float>(kPerlinScale); }
  const Octave& octave;
};

void lattice_row(const OctaveTable& t, std::uint32_t row_hash, float scale, float* gx, float* gy) {
  const F f;
  const U u;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const VU row = hn::Set(u, row_hash);
  const VF k = hn::Set(f, scale);
  for (int c = 0; c < t.columns; c += lanes) {
    const Gradient g = gradient(hn::LoadU(u, t.hash.data() + c), row);
    hn::StoreU(hn::Mul(g.x, k), f, gx + c);
    hn::StoreU(hn::Mul(g.y, k), f, gy + c);
  }
}

// Makes gx, gy hold lattice rows `cell` and `cell + 1`; going south row by row only the lower one is new.
void seek_gradients(const Octave& octave, std::int64_t cell, float scale, OctaveTable& t) {
  if (t.gradients_valid && t.gradient_row == cell) return;
  const bool step = t.gradients_valid && t.gradient_row + 1 == cell;
  if (step) t.lower ^= 1;
  const auto a = static_cast<std::size_t>(t.lower);
  const std::size_t b = a ^ 1U;
  if (!step) lattice_row(t, axis_hash_of(octave.seed, 1, cell), scale, t.gx[a].data(), t.gy[a].data());
  lattice_row(t, axis_hash_of(octave.seed, 1, cell + 1), scale, t.gx[b].data(), t.gy[b].data());
  t.gradient_row = cell;
  t.gradients_valid = true;
}

// Folds the y half of the noise into two numbers per lattice column.
void fold_row(float fy, OctaveTable& t) {
  const F f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const auto a = static_cast<std::size_t>(t.lower);
  const std::size_t b = a ^ 1U;
  const VF y0 = hn::Set(f, fy);
  const VF y1 = hn::Sub(y0, hn::Set(f, 1.0F));
  const VF v = quintic(y0);
  for (int c = 0; c < t.columns; c += lanes) {
    hn::StoreU(lerp(hn::LoadU(f, t.gx[a].data() + c), hn::LoadU(f, t.gx[b].data() + c), v), f, t.slope.data() + c);
    const VF q0 = hn::Mul(hn::LoadU(f, t.gy[a].data() + c), y0);
    const VF q1 = hn::Mul(hn::LoadU(f, t.gy[b].data() + c), y1);
    hn::StoreU(lerp(q0, q1, v), f, t.value.data() + c);
  }
}

template <class Step>
void sample_row(const Octave& octave, const OctaveTable& t, int width, float* acc, float* weight) {
  const F f;
  const I i;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const Step step(octave);
  const VF one = hn::Set(f, 1.0F);
  for (int x = 0; x < width; x += lanes) {
    // Cells are at least two samples wide, so one vector of lattice columns serves all lanes.
    const std::int32_t base = t.local[static_cast<std::size_t>(x)];
    const float* slope = t.slope.data() + base;
    const float* value = t.value.data() + base;
    const auto lane = hn::IndicesFromVec(f, hn::Sub(hn::LoadU(i, t.local.data() + x), hn::Set(i, base)));
    const VF fx = hn::LoadU(f, t.fraction.data() + x);
    const VF west = hn::Add(hn::Mul(hn::TableLookupLanes(hn::LoadU(f, slope), lane), fx),
                            hn::TableLookupLanes(hn::LoadU(f, value), lane));
    const VF east = hn::Add(hn::Mul(hn::TableLookupLanes(hn::LoadU(f, slope + 1), lane), hn::Sub(fx, one)),
                            hn::TableLookupLanes(hn::LoadU(f, value + 1), lane));
    step(lerp(west, east, hn::LoadU(f, t.fade.data() + x)), acc + x, weight + x);
  }
}

template <class Step>
void straight_octave(const Octave& octave, LatticePoint row, int width, OctaveTable& t, float* acc, float* weight) {
  seek_gradients(octave, row.cell, Step::scale(octave), t);
  fold_row(row.fraction, t);
  sample_row<Step>(octave, t, width, acc, weight);
}

// Hash of one axis for any cells within 2^30 of the ones the seeds were made for.
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

HWY_INLINE VF corner(VU column, VU row, VF dx, VF dy) {
  const Gradient g = gradient(column, row);
  return hn::Add(hn::Mul(g.x, dx), hn::Mul(g.y, dy));
}

// One octave at bent positions: nothing can be shared between samples, each finds its own four gradients.
template <class Step>
void bent_octave(const Octave& octave, LatticePoint row, int width, const OctaveTable& t, const float* bend_x,
                 const float* bend_y, float* acc, float* weight) {
  const F f;
  const I i;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const Step step(octave);
  const AxisHash column_hash(t.column_seeds, kColumnMultiplier);
  const AxisHash row_hash(axis_seeds(octave.seed, 1, row.cell), kRowMultiplier);
  const VI first_column = hn::Set(i, static_cast<std::int32_t>(static_cast<std::uint32_t>(t.first_column)));
  const VI first_row = hn::Set(i, static_cast<std::int32_t>(static_cast<std::uint32_t>(row.cell)));
  const VF bend = hn::Set(f, octave.bend);
  const VF scale = hn::Set(f, Step::scale(octave));
  const VF one = hn::Set(f, 1.0F);
  const VI next = hn::Set(i, 1);
  for (int x = 0; x < width; x += lanes) {
    const VF px = hn::Add(hn::LoadU(f, t.fraction.data() + x), hn::Mul(hn::LoadU(f, bend_x + x), bend));
    const VF py = hn::Add(hn::Set(f, row.fraction), hn::Mul(hn::LoadU(f, bend_y + x), bend));
    const VF whole_x = hn::Floor(px);
    const VF whole_y = hn::Floor(py);
    const VF fx = hn::Sub(px, whole_x);
    const VF fy = hn::Sub(py, whole_y);
    const VI column = hn::Add(hn::Add(hn::LoadU(i, t.local.data() + x), first_column), hn::ConvertTo(i, whole_x));
    const VI line = hn::Add(first_row, hn::ConvertTo(i, whole_y));
    const VU c0 = column_hash(column);
    const VU c1 = column_hash(hn::Add(column, next));
    const VU r0 = row_hash(line);
    const VU r1 = row_hash(hn::Add(line, next));
    const VF gx = hn::Sub(fx, one);
    const VF gy = hn::Sub(fy, one);
    const VF u = quintic(fx);
    const VF north = lerp(corner(c0, r0, fx, fy), corner(c1, r0, gx, fy), u);
    const VF south = lerp(corner(c0, r1, fx, gy), corner(c1, r1, gx, gy), u);
    step(hn::Mul(lerp(north, south, quintic(fy)), scale), acc + x, weight + x);
  }
}

struct Bend {
  const float* x = nullptr;
  const float* y = nullptr;
};

template <class Step>
void field_row(const Field& field, std::int64_t y, double cell_m, int width, Bend bend,
               std::vector<OctaveTable>& tables, float* acc, float* weight) {
  const F f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  for (int x = 0; x < width; x += lanes) {
    hn::StoreU(hn::Zero(f), f, acc + x);
    hn::StoreU(hn::Set(f, 1.0F), f, weight + x);
  }
  for (int o = 0; o < field.active; ++o) {
    const auto at = static_cast<std::size_t>(o);
    const Octave& octave = field.octaves[at];
    const LatticePoint row = lattice_point(y, cell_m, octave.frequency, octave.shift_y);
    if (bend.x == nullptr) {
      straight_octave<Step>(octave, row, width, tables[at], acc, weight);
    } else {
      bent_octave<Step>(octave, row, width, tables[at], bend.x, bend.y, acc, weight);
    }
  }
  if (field.fractal == Fractal::fbm) return;
  // Octaves too fine for the grid still add their mean (their fade is 0, so the noise given does not matter).
  for (auto o = static_cast<std::size_t>(field.active); o < field.octaves.size(); ++o) {
    const Step step(field.octaves[o]);
    for (int x = 0; x < width; x += lanes) step(hn::Zero(f), acc + x, weight + x);
  }
}

void any_field_row(const Field& field, std::int64_t y, double cell_m, int width, Bend bend,
                   std::vector<OctaveTable>& tables, float* acc, float* weight) {
  switch (field.fractal) {
    case Fractal::fbm:
      return field_row<FbmStep>(field, y, cell_m, width, bend, tables, acc, weight);
    case Fractal::ridged:
      return field_row<RidgedStep>(field, y, cell_m, width, bend, tables, acc, weight);
    case Fractal::billow:
      return field_row<BillowStep>(field, y, cell_m, width, bend, tables, acc, weight);
  }
}

// offset + amplitude * acc, with acc held to its range against the last bit of rounding.
void finish_row(const Plan& plan, int width, float* acc, float* out) {
  const F f;
  const int lanes = static_cast<int>(hn::Lanes(f));
  const VF low = hn::Set(f, plan.main.fractal == Fractal::fbm ? -1.0F : 0.0F);
  const VF high = hn::Set(f, 1.0F);
  const VF amplitude = hn::Set(f, plan.amplitude);
  const VF offset = hn::Set(f, plan.offset);
  for (int x = 0; x < width; x += lanes) {
    const VF n = hn::Min(hn::Max(hn::LoadU(f, acc + x), low), high);
    const VF v = hn::Add(offset, hn::Mul(amplitude, n));
    if (x + lanes <= width) {
      hn::StoreU(v, f, out + x);
    } else {
      hn::StoreU(v, f, acc + x);
      std::memcpy(out + x, acc + x, static_cast<std::size_t>(width - x) * sizeof(float));
    }
  }
}

struct Workspace {
  std::vector<OctaveTable> main;
  std::vector<OctaveTable> warp_x;
  std::vector<OctaveTable> warp_y;
  std::array<float, kTile + kPad> acc;
  std::array<float, kTile + kPad> weight;
  std::array<float, kTile + kPad> bend_x;
  std::array<float, kTile + kPad> bend_y;
};

void FillTile(const Plan& plan, std::int64_t x, std::int64_t y, GridView<float> out) {
  const int width = out.width();
  auto work = std::make_unique<Workspace>();
  make_tables(plan.main, x, plan.cell_x_m, width, work->main);
  if (plan.warped) {
    make_tables(plan.warp_x, x, plan.cell_x_m, width, work->warp_x);
    make_tables(plan.warp_y, x, plan.cell_x_m, width, work->warp_y);
  }
  float* acc = work->acc.data();
  float* weight = work->weight.data();
  for (int row = 0; row < out.height(); ++row) {
    const std::int64_t index = y + row;
    Bend bend;
    if (plan.warped) {
      bend = {work->bend_x.data(), work->bend_y.data()};
      any_field_row(plan.warp_x, index, plan.cell_y_m, width, {}, work->warp_x, work->bend_x.data(), weight);
      any_field_row(plan.warp_y, index, plan.cell_y_m, width, {}, work->warp_y, work->bend_y.data(), weight);
    }
    any_field_row(plan.main, index, plan.cell_y_m, width, bend, work->main, acc, weight);
    finish_row(plan, width, acc, out.row(row));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(FillTile);
void fill_tile(const Plan& plan, std::int64_t x, std::int64_t y, GridView<float> out) {
  HWY_DYNAMIC_DISPATCH(FillTile)(plan, x, y, out);
}
}  // namespace thalweg::noise::detail
#endif
