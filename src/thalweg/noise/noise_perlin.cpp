// Gradient noise on the square lattice (Perlin 2002). A straight row folds the y half of the noise into two numbers per
// lattice column, so that a sample only takes a lerp; bent samples find their four gradients each.
#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_perlin.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// Rows of the table: gradients of the lattice rows at and below the samples, taking turns; then what a row of samples
// folds them into.
enum PerlinRow { kGradientX = 0, kGradientY = 2, kSlope = 4, kValue = 5, kSlopeByY = 6, kValueByY = 7 };

void lattice_row(const OctaveTable& t, std::uint32_t row_hash, float scale, float* gx, float* gy) {
  const F f;
  const U u;
  const VU row = hn::Set(u, row_hash);
  const VF k = hn::Set(f, scale);
  for (int c = 0; c < t.columns; c += lanes_of()) {
    const Gradient g = gradient_of(mix(hn::LoadU(u, t.hash.data() + c), row));
    hn::StoreU(hn::Mul(g.x, k), f, gx + c);
    hn::StoreU(hn::Mul(g.y, k), f, gy + c);
  }
}

// Makes the table hold lattice rows `cell` and `cell + 1`; going south row by row only the lower one is new.
void seek_gradients(const Octave& octave, std::int64_t cell, float scale, OctaveTable& t) {
  if (t.lattice_valid && t.lattice_row == cell) return;
  const bool step = t.lattice_valid && t.lattice_row + 1 == cell;
  if (step) t.turn ^= 1;
  const int a = t.turn;
  const int b = a ^ 1;
  if (!step) lattice_row(t, axis_hash_of(octave.seed, 1, cell), scale, t.row(kGradientX + a), t.row(kGradientY + a));
  lattice_row(t, axis_hash_of(octave.seed, 1, cell + 1), scale, t.row(kGradientX + b), t.row(kGradientY + b));
  t.lattice_row = cell;
  t.lattice_valid = true;
}

// Folds the y half of the noise into two numbers per lattice column, and the derivatives of these.
template <bool kSlopes>
void fold_row(float fy, OctaveTable& t) {
  const F f;
  const float* xa = t.row(kGradientX + t.turn);
  const float* xb = t.row(kGradientX + (t.turn ^ 1));
  const float* ya = t.row(kGradientY + t.turn);
  const float* yb = t.row(kGradientY + (t.turn ^ 1));
  float* slope = t.row(kSlope);
  float* value = t.row(kValue);
  float* slope_by_y = t.row(kSlopeByY);
  float* value_by_y = t.row(kValueByY);
  const int columns = t.columns;
  const VF y0 = hn::Set(f, fy);
  const VF y1 = hn::Sub(y0, hn::Set(f, 1.0F));
  const VF v = quintic(y0);
  for (int c = 0; c < columns; c += lanes_of()) {
    const VF x0 = hn::LoadU(f, xa + c);
    const VF x1 = hn::LoadU(f, xb + c);
    hn::StoreU(lerp(x0, x1, v), f, slope + c);
    const VF q0 = hn::Mul(hn::LoadU(f, ya + c), y0);
    const VF q1 = hn::Mul(hn::LoadU(f, yb + c), y1);
    hn::StoreU(lerp(q0, q1, v), f, value + c);
    if constexpr (kSlopes) {
      const VF turn = quintic_slope(y0);
      hn::StoreU(hn::Mul(turn, hn::Sub(x1, x0)), f, slope_by_y + c);
      const VF pull = lerp(hn::LoadU(f, ya + c), hn::LoadU(f, yb + c), v);
      hn::StoreU(hn::Add(hn::Mul(turn, hn::Sub(q1, q0)), pull), f, value_by_y + c);
    }
  }
}

template <RowMode kMode>
void straight(const RowTask& task) {
  const F f;
  constexpr bool kSlopes = kMode == RowMode::store_slopes;
  OctaveTable& t = *task.table;
  const LatticePoint row = row_point(task);
  seek_gradients(*task.octave, row.cell, scale_of(task, kPerlinScale), t);
  fold_row<kSlopes>(row.fraction, t);
  const float* slopes = t.row(kSlope);
  const float* values = t.row(kValue);
  const VF one = hn::Set(f, 1.0F);
  const float* turn = t.row(kSlopeByY);
  const float* pull = t.row(kValueByY);
  const Output<kMode> out(task);
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    const LaneLookup look(t, x);
    const VF fx = hn::LoadU(f, t.fraction.data() + x);
    const VF gx = hn::Sub(fx, one);
    const VF fade = hn::LoadU(f, t.fade.data() + x);
    const VF s0 = look(slopes, 0);
    const VF s1 = look(slopes, 1);
    const VF west = hn::Add(hn::Mul(s0, fx), look(values, 0));
    const VF east = hn::Add(hn::Mul(s1, gx), look(values, 1));
    VF dx = one;
    VF dy = one;
    if constexpr (kSlopes) {
      dx = hn::Add(lerp(s0, s1, fade), hn::Mul(quintic_slope(fx), hn::Sub(east, west)));
      const VF west_y = hn::Add(hn::Mul(look(turn, 0), fx), look(pull, 0));
      const VF east_y = hn::Add(hn::Mul(look(turn, 1), gx), look(pull, 1));
      dy = lerp(west_y, east_y, fade);
    }
    out.put(x, lerp(west, east, fade), dx, dy);
  }
}

struct Corner {
  Gradient g;
  VF n;
};
HWY_INLINE Corner corner(VU column, VU row, VF dx, VF dy) {
  const Gradient g = gradient_of(mix(column, row));
  return {g, hn::Add(hn::Mul(g.x, dx), hn::Mul(g.y, dy))};
}

template <RowMode kMode>
void bent(const RowTask& task) {
  const F f;
  const I i;
  const BentPoints points(task);
  const VF scale = hn::Set(f, scale_of(task, kPerlinScale));
  const VF one = hn::Set(f, 1.0F);
  const VI next = hn::Set(i, 1);
  const Output<kMode> out(task);
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    const BentPoints::Point p = points.at(x);
    const VU c0 = points.column_hash(p.x.cell);
    const VU c1 = points.column_hash(hn::Add(p.x.cell, next));
    const VU r0 = points.row_hash(p.y.cell);
    const VU r1 = points.row_hash(hn::Add(p.y.cell, next));
    const VF fx = p.x.fraction;
    const VF fy = p.y.fraction;
    const VF gx = hn::Sub(fx, one);
    const VF gy = hn::Sub(fy, one);
    const VF u = quintic(fx);
    const VF v = quintic(fy);
    const Corner nw = corner(c0, r0, fx, fy);
    const Corner ne = corner(c1, r0, gx, fy);
    const Corner sw = corner(c0, r1, fx, gy);
    const Corner se = corner(c1, r1, gx, gy);
    const VF north = lerp(nw.n, ne.n, u);
    const VF south = lerp(sw.n, se.n, u);
    VF dx = one;
    VF dy = one;
    if constexpr (kMode == RowMode::store_slopes) {
      const VF across = lerp(hn::Sub(ne.n, nw.n), hn::Sub(se.n, sw.n), v);
      const VF pull_x = lerp(lerp(nw.g.x, ne.g.x, u), lerp(sw.g.x, se.g.x, u), v);
      const VF pull_y = lerp(lerp(nw.g.y, ne.g.y, u), lerp(sw.g.y, se.g.y, u), v);
      dx = hn::Mul(scale, hn::Add(pull_x, hn::Mul(quintic_slope(fx), across)));
      dy = hn::Mul(scale, hn::Add(pull_y, hn::Mul(quintic_slope(fy), hn::Sub(south, north))));
    }
    out.put(x, hn::Mul(lerp(north, south, v), scale), dx, dy);
  }
}

RowKernel PerlinKernel(RowMode mode, bool is_bent) {
  switch (mode) {
    case RowMode::add:
      return is_bent ? &bent<RowMode::add> : &straight<RowMode::add>;
    case RowMode::store:
      return is_bent ? &bent<RowMode::store> : &straight<RowMode::store>;
    case RowMode::store_slopes:
      break;
  }
  return is_bent ? &bent<RowMode::store_slopes> : &straight<RowMode::store_slopes>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(PerlinKernel);
RowKernel perlin_kernel(RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(PerlinKernel)(mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
