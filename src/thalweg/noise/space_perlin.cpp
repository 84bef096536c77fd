// Perlin noise in space.
#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_perlin.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/space_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// Rows of a folded line, and with slopes their derivatives by z: a line's noise is (x * dx + y * dy + rest).
enum { kFoldX, kFoldY, kFoldRest, kFoldXByZ, kFoldYByZ, kFoldRestByZ };
// Rows of the present row: a column's noise is slope * dx + value.
enum { kSlope = kRowFold, kValue, kSlopeByY, kValueByY, kSlopeByZ, kValueByZ };

std::size_t gradient_line(const SpaceRowTask& task, std::int64_t j, std::int64_t k, float scale) {
  SpaceTable& t = *task.table;
  return seek_line(*task.octave, j, k, t, [&](std::uint32_t line_hash, std::size_t slot) {
    const F f;
    const VU line = hn::Set(U(), line_hash);
    const VF s = hn::Set(f, scale);
    for_columns(t, [&](int c) {
      const Vector3 g = gradient3_of(mix(hn::LoadU(U(), t.hash.data() + c), line));
      hn::StoreU(hn::Mul(g.x, s), f, t.lines.part(slot, 0) + c);
      hn::StoreU(hn::Mul(g.y, s), f, t.lines.part(slot, 1) + c);
      hn::StoreU(hn::Mul(g.z, s), f, t.lines.part(slot, 2) + c);
    });
  });
}

// Folds the lattice lines (j, k) and (j, k + 1) into one.
template <bool kSlopes>
int fold_layers(const SpaceRowTask& task, std::int64_t j, LatticePoint z, float scale) {
  SpaceTable& t = *task.table;
  return seek_fold(task.z, j, t, [&](int first) {
    const F f;
    const std::size_t a = gradient_line(task, j, z.cell, scale);
    const std::size_t b = gradient_line(task, j, z.cell + 1, scale);
    const VF z0 = hn::Set(f, z.fraction);
    const VF z1 = hn::Sub(z0, hn::Set(f, 1.0F));
    const VF w = quintic(z0);
    for_columns(t, [&](int c) {
      const VF xa = hn::LoadU(f, t.lines.part(a, 0) + c);
      const VF xb = hn::LoadU(f, t.lines.part(b, 0) + c);
      const VF ya = hn::LoadU(f, t.lines.part(a, 1) + c);
      const VF yb = hn::LoadU(f, t.lines.part(b, 1) + c);
      const VF za = hn::LoadU(f, t.lines.part(a, 2) + c);
      const VF zb = hn::LoadU(f, t.lines.part(b, 2) + c);
      const VF ra = hn::Mul(za, z0);
      const VF rb = hn::Mul(zb, z1);
      hn::StoreU(lerp(xa, xb, w), f, t.folds(first + kFoldX) + c);
      hn::StoreU(lerp(ya, yb, w), f, t.folds(first + kFoldY) + c);
      hn::StoreU(lerp(ra, rb, w), f, t.folds(first + kFoldRest) + c);
      if constexpr (kSlopes) {
        const VF turn = quintic_slope(z0);
        hn::StoreU(hn::Mul(turn, hn::Sub(xb, xa)), f, t.folds(first + kFoldXByZ) + c);
        hn::StoreU(hn::Mul(turn, hn::Sub(yb, ya)), f, t.folds(first + kFoldYByZ) + c);
        hn::StoreU(hn::Add(hn::Mul(turn, hn::Sub(rb, ra)), lerp(za, zb, w)), f, t.folds(first + kFoldRestByZ) + c);
      }
    });
  });
}

// Folds two folded lines into the row's numbers per lattice column.
template <bool kSlopes>
void fold_rows(const SpaceRowTask& task, const RowPlace& row, float scale) {
  const F f;
  SpaceTable& t = *task.table;
  const int a = fold_layers<kSlopes>(task, row.at[1].cell, row.at[2], scale);
  const int b = fold_layers<kSlopes>(task, row.at[1].cell + 1, row.at[2], scale);
  const VF y0 = hn::Set(f, row.at[1].fraction);
  const VF y1 = hn::Sub(y0, hn::Set(f, 1.0F));
  const VF v = quintic(y0);
  for_columns(t, [&](int c) {
    const auto load = [&](int i) { return hn::LoadU(f, t.folds(i) + c); };
    const VF xa = load(a + kFoldX);
    const VF xb = load(b + kFoldX);
    const VF ya = load(a + kFoldY);
    const VF yb = load(b + kFoldY);
    const VF qa = hn::Add(hn::Mul(ya, y0), load(a + kFoldRest));
    const VF qb = hn::Add(hn::Mul(yb, y1), load(b + kFoldRest));
    hn::StoreU(lerp(xa, xb, v), f, t.folds(kSlope) + c);
    hn::StoreU(lerp(qa, qb, v), f, t.folds(kValue) + c);
    if constexpr (kSlopes) {
      const VF turn = quintic_slope(y0);
      hn::StoreU(hn::Mul(turn, hn::Sub(xb, xa)), f, t.folds(kSlopeByY) + c);
      hn::StoreU(hn::Add(hn::Mul(turn, hn::Sub(qb, qa)), lerp(ya, yb, v)), f, t.folds(kValueByY) + c);
      const VF za = hn::Add(hn::Mul(load(a + kFoldYByZ), y0), load(a + kFoldRestByZ));
      const VF zb = hn::Add(hn::Mul(load(b + kFoldYByZ), y1), load(b + kFoldRestByZ));
      hn::StoreU(lerp(load(a + kFoldXByZ), load(b + kFoldXByZ), v), f, t.folds(kSlopeByZ) + c);
      hn::StoreU(lerp(za, zb, v), f, t.folds(kValueByZ) + c);
    }
  });
}

template <bool kSlopes>
void straight(const SpaceRowTask& task) {
  const F f;
  SpaceTable& t = *task.table;
  fold_rows<kSlopes>(task, straight_place(task), space_scale(task, kPerlin3Scale));
  const float* slope = t.folds(kSlope);
  const float* value = t.folds(kValue);
  const VF one = hn::Set(f, 1.0F);
  for (int x = 0; x < task.width; x += lanes_of()) {
    const ColumnLookup at(t.axis[0].local.data() + x);
    const VF fx = hn::LoadU(f, t.axis[0].fraction.data() + x);
    const VF gx = hn::Sub(fx, one);
    const VF fade = hn::LoadU(f, t.fade.data() + x);
    const VF s0 = at(slope, 0);
    const VF s1 = at(slope, 1);
    const VF west = hn::Add(hn::Mul(s0, fx), at(value, 0));
    const VF east = hn::Add(hn::Mul(s1, gx), at(value, 1));
    VF d[3] = {one, one, one};
    if constexpr (kSlopes) {
      d[0] = hn::Add(lerp(s0, s1, fade), hn::Mul(quintic_slope(fx), hn::Sub(east, west)));
      for (int a = 1; a < 3; ++a) {
        const float* turn = t.folds(a == 1 ? kSlopeByY : kSlopeByZ);
        const float* pull = t.folds(a == 1 ? kValueByY : kValueByZ);
        d[a] =
            lerp(hn::Add(hn::Mul(at(turn, 0), fx), at(pull, 0)), hn::Add(hn::Mul(at(turn, 1), gx), at(pull, 1)), fade);
      }
    }
    put3<kSlopes>(task, x, lerp(west, east, fade), d);
  }
}

SpaceRowKernel SpacePerlinKernel(SpaceRowMode mode) {
  if (mode.bent) return mode.slopes ? &scattered_row<Perlin3, true> : &scattered_row<Perlin3, false>;
  return mode.slopes ? &straight<true> : &straight<false>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SpacePerlinKernel);
SpaceRowKernel space_perlin_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpacePerlinKernel)(mode);
}
}  // namespace thalweg::noise::detail
#endif
