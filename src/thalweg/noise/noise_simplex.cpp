// Gradient noise on the triangular lattice: each of the three nearest points adds its gradient's plane times
// (1/2 - distance^2)^4, which ends exactly where the point's triangles do.
//
// The lattice is the square one skewed: u = x + (x + y) * kSkew, v = y + (x + y) * kSkew. Both are sums of a column's
// part and a row's, each found in double from its absolute index and kept as cell and fraction, so that far away
// nothing is lost and a sample depends on its own index alone.
#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_simplex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

constexpr auto kUnskewF = static_cast<float>(kUnskew);

/// A corner of the triangle seen from the sample.
struct Corner {
  VF n;  ///< its share of the noise
  VF dx;
  VF dy;
};
template <bool kSlopes>
HWY_INLINE Corner corner(VU column, VU row, VF x, VF y) {
  const F f;
  const Gradient g = gradient_of(mix(column, row));
  const VF far = hn::Sub(hn::Set(f, 0.5F), hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
  const VF t = hn::Max(far, hn::Zero(f));
  const VF t2 = hn::Mul(t, t);
  const VF t4 = hn::Mul(t2, t2);
  const VF plane = hn::Add(hn::Mul(g.x, x), hn::Mul(g.y, y));
  Corner c{hn::Mul(t4, plane), t, t};
  if constexpr (kSlopes) {
    const VF fall = hn::Mul(hn::Mul(hn::Set(f, -8.0F), hn::Mul(t2, t)), plane);
    c.dx = hn::Add(hn::Mul(t4, g.x), hn::Mul(fall, x));
    c.dy = hn::Add(hn::Mul(t4, g.y), hn::Mul(fall, y));
  }
  return c;
}

template <class Mask>
HWY_INLINE VU pick(Mask mask, VU yes, VU no) {
  const F f;
  return hn::BitCast(U(), hn::IfThenElse(mask, hn::BitCast(f, yes), hn::BitCast(f, no)));
}

template <RowMode kMode>
HWY_INLINE void sample(const Output<kMode>& out, int i, const AxisHash& column_hash, const AxisHash& row_hash,
                       CellAndFraction u, CellAndFraction v, VF scale) {
  const F f;
  constexpr bool kSlopes = kMode == RowMode::store_slopes;
  const VI next = hn::Set(I(), 1);
  const VF one = hn::Set(f, 1.0F);
  const VF g = hn::Set(f, kUnskewF);
  const VF back = hn::Mul(hn::Add(u.fraction, v.fraction), g);
  const VF x0 = hn::Sub(u.fraction, back);
  const VF y0 = hn::Sub(v.fraction, back);
  const auto east = hn::Gt(u.fraction, v.fraction);  // the middle corner lies east, else south
  const VF x1 = hn::Add(hn::Sub(x0, hn::IfThenElseZero(east, one)), g);
  const VF y1 = hn::Add(hn::Sub(y0, hn::IfThenZeroElse(east, one)), g);
  const VF away = hn::Set(f, 1.0F - 2.0F * kUnskewF);
  const VU c0 = column_hash(u.cell);
  const VU c2 = column_hash(hn::Add(u.cell, next));
  const VU r0 = row_hash(v.cell);
  const VU r2 = row_hash(hn::Add(v.cell, next));
  const Corner a = corner<kSlopes>(c0, r0, x0, y0);
  const Corner b = corner<kSlopes>(pick(east, c2, c0), pick(east, r0, r2), x1, y1);
  const Corner c = corner<kSlopes>(c2, r2, hn::Sub(x0, away), hn::Sub(y0, away));
  VF dx = one;
  VF dy = one;
  if constexpr (kSlopes) {
    dx = hn::Mul(scale, hn::Add(hn::Add(a.dx, b.dx), c.dx));
    dy = hn::Mul(scale, hn::Add(hn::Add(a.dy, b.dy), c.dy));
  }
  out.put(i, hn::Mul(scale, hn::Add(hn::Add(a.n, b.n), c.n)), dx, dy);
}

/// The sum of a column's part of a skewed coordinate and a row's; the fractions are in [0, 1].
struct SkewSum {
  SkewSum(std::int64_t first, LatticePoint row) : start(first + row.cell), fraction(row.fraction) {}
  HWY_INLINE CellAndFraction operator()(const std::int32_t* local, const float* column) const {
    const F f;
    const VF one = hn::Set(f, 1.0F);
    const VF sum = hn::Add(hn::LoadU(f, column), hn::Set(f, fraction));
    const auto carry = hn::Ge(sum, one);
    const VI cell = hn::Add(hn::LoadU(I(), local), low_cell(start));
    // A true mask is -1 in every lane.
    return {hn::Sub(cell, hn::BitCast(I(), hn::VecFromMask(f, carry))), hn::Sub(sum, hn::IfThenElseZero(carry, one))};
  }
  std::int64_t start;
  float fraction;
};

template <RowMode kMode, bool kBent>
void simplex(const RowTask& task) {
  const F f;
  OctaveTable& t = *task.table;
  const Octave& octave = *task.octave;
  const double q = lattice_position(task.y, task.cell_y_m, octave.frequency, octave.shift_y);
  const SkewSum sum_u(t.first_column, split_position(q * kSkew));
  const SkewSum sum_v(t.skew_first, split_position(q * (1.0 + kSkew)));
  if (!t.lattice_valid) {  // seeds serve the whole tile, whose rows are all close to its first
    t.column_seeds = axis_seeds(octave.seed, 0, sum_u.start);
    t.row_seeds = axis_seeds(octave.seed, 1, sum_v.start);
    t.lattice_valid = true;
  }
  const AxisHash column_hash(t.column_seeds, kColumnMultiplier);
  const AxisHash row_hash(t.row_seeds, kRowMultiplier);
  const VF scale = hn::Set(f, scale_of(task, kSimplexScale));
  const Bender bend(octave.bend);
  const VF skew = hn::Set(f, static_cast<float>(kSkew));
  const std::int32_t* skew_local = t.skew_local.data();
  const float* skew_fraction = t.skew_fraction.data();
  const Output<kMode> out(task);
  const float* bends_x = task.bend_x;
  const float* bends_y = task.bend_y;
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    CellAndFraction u = sum_u(t.local.data() + x, t.fraction.data() + x);
    CellAndFraction v = sum_v(skew_local + x, skew_fraction + x);
    if constexpr (kBent) {
      const VF bend_x = hn::LoadU(f, bends_x + x);
      const VF bend_y = hn::LoadU(f, bends_y + x);
      const VF both = hn::Mul(hn::Add(bend_x, bend_y), skew);
      const CellAndFraction du = bend(u.fraction, hn::Add(bend_x, both));
      const CellAndFraction dv = bend(v.fraction, hn::Add(bend_y, both));
      u = {hn::Add(u.cell, du.cell), du.fraction};
      v = {hn::Add(v.cell, dv.cell), dv.fraction};
    }
    sample<kMode>(out, x, column_hash, row_hash, u, v, scale);
  }
}

RowKernel SimplexKernel(RowMode mode, bool is_bent) {
  if (mode == RowMode::store_slopes)
    return is_bent ? &simplex<RowMode::store_slopes, true> : &simplex<RowMode::store_slopes, false>;
  return is_bent ? &simplex<RowMode::store, true> : &simplex<RowMode::store, false>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SimplexKernel);
RowKernel simplex_kernel(RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(SimplexKernel)(mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
