// Random heights at the points of the square lattice, joined by quintic fades (value) or by Catmull and Rom's cubic
// over 4 x 4 points (value-cubic). A straight row folds the lattice rows into one number per lattice column.
#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_value.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// Rows of the table: up to four lattice rows taking turns, then what a row of samples folds them into.
enum ValueRow { kHeights = 0, kFolded = 4, kFoldedByY = 5 };

void lattice_row(const OctaveTable& t, std::uint32_t row_hash, float scale, float* heights) {
  const F f;
  const U u;
  for (int c = 0; c < t.columns; c += lanes_of()) {
    const VU h = mix(hn::LoadU(u, t.hash.data() + c), hn::Set(u, row_hash));
    hn::StoreU(hn::Mul(height_of(h), hn::Set(f, scale)), f, heights + c);
  }
}

// Makes the table hold kRows lattice rows from `cell` on; going south row by row only the last one is new.
template <int kRows>
void seek_heights(const Octave& octave, std::int64_t cell, float scale, OctaveTable& t) {
  if (t.lattice_valid && t.lattice_row == cell) return;
  const bool step = t.lattice_valid && t.lattice_row + 1 == cell;
  if (step) t.turn = (t.turn + 1) % kRows;
  for (int k = step ? kRows - 1 : 0; k < kRows; ++k)
    lattice_row(t, axis_hash_of(octave.seed, 1, cell + k), scale, t.row(kHeights + (t.turn + k) % kRows));
  t.lattice_row = cell;
  t.lattice_valid = true;
}

// The weights of the points around a place: `count` points from `first` cells away on, and their derivatives.
struct Quintic {
  static constexpr int kPoints = 2;
  static constexpr int kFirst = 0;
  static constexpr double kScale = 1;
  static HWY_INLINE VF join(const VF* v, VF t) { return lerp(v[0], v[1], quintic(t)); }
  static HWY_INLINE VF slope(const VF* v, VF t) { return hn::Mul(quintic_slope(t), hn::Sub(v[1], v[0])); }
};
struct CatmullRom {
  static constexpr int kPoints = 4;
  static constexpr int kFirst = -1;
  static constexpr double kScale = 0.64;  // the weights' absolute sum is 1.25 at most, in the middle, for each axis
  static HWY_INLINE VF cubic(VF t, float c3, float c2, float c1) {
    const F f;
    return hn::Mul(t, hn::Add(hn::Mul(t, hn::Add(hn::Mul(t, hn::Set(f, c3)), hn::Set(f, c2))), hn::Set(f, c1)));
  }
  static HWY_INLINE VF square(VF t, float c2, float c1, float c0) {
    const F f;
    return hn::Add(hn::Mul(t, hn::Add(hn::Mul(t, hn::Set(f, c2)), hn::Set(f, c1))), hn::Set(f, c0));
  }
  static HWY_INLINE VF sum(const VF* v, VF w0, VF w1, VF w2, VF w3) {
    return hn::Add(hn::Add(hn::Mul(v[0], w0), hn::Mul(v[1], w1)), hn::Add(hn::Mul(v[2], w2), hn::Mul(v[3], w3)));
  }
  static HWY_INLINE VF join(const VF* v, VF t) {
    const VF one = hn::Set(F(), 1.0F);
    return sum(v, cubic(t, -0.5F, 1.0F, -0.5F), hn::Add(cubic(t, 1.5F, -2.5F, 0.0F), one), cubic(t, -1.5F, 2.0F, 0.5F),
               cubic(t, 0.5F, -0.5F, 0.0F));
  }
  static HWY_INLINE VF slope(const VF* v, VF t) {
    return sum(v, square(t, -1.5F, 2.0F, -0.5F), square(t, 4.5F, -5.0F, 0.0F), square(t, -4.5F, 4.0F, 0.5F),
               square(t, 1.5F, -1.0F, 0.0F));
  }
};

template <class Join, bool kSlopes>
void fold_row(float fy, OctaveTable& t) {
  const F f;
  const VF y = hn::Set(f, fy);
  const float* rows[Join::kPoints];
  for (int k = 0; k < Join::kPoints; ++k) rows[k] = t.row(kHeights + (t.turn + k) % Join::kPoints);
  float* folded = t.row(kFolded);
  float* by_y = t.row(kFoldedByY);
  const int columns = t.columns;
  for (int c = 0; c < columns; c += lanes_of()) {
    VF v[Join::kPoints];
    for (int k = 0; k < Join::kPoints; ++k) v[k] = hn::LoadU(f, rows[k] + c);
    hn::StoreU(Join::join(v, y), f, folded + c);
    if constexpr (kSlopes) hn::StoreU(Join::slope(v, y), f, by_y + c);
  }
}

template <class Join, RowMode kMode>
void straight(const RowTask& task) {
  const F f;
  constexpr bool kSlopes = kMode == RowMode::store_slopes;
  OctaveTable& t = *task.table;
  const LatticePoint row = row_point(task);
  seek_heights<Join::kPoints>(*task.octave, row.cell + Join::kFirst, scale_of(task, Join::kScale), t);
  fold_row<Join, kSlopes>(row.fraction, t);
  const float* folded = t.row(kFolded);
  const float* by_y = t.row(kFoldedByY);
  const Output<kMode> out(task);
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    const LaneLookup look(t, x);
    const VF fx = hn::LoadU(f, t.fraction.data() + x);
    VF v[Join::kPoints];
    for (int k = 0; k < Join::kPoints; ++k) v[k] = look(folded, k);
    VF dx = fx;
    VF dy = fx;
    if constexpr (kSlopes) {
      VF w[Join::kPoints];
      for (int k = 0; k < Join::kPoints; ++k) w[k] = look(by_y, k);
      dx = Join::slope(v, fx);
      dy = Join::join(w, fx);
    }
    out.put(x, Join::join(v, fx), dx, dy);
  }
}

template <class Join, RowMode kMode>
void bent(const RowTask& task) {
  const F f;
  const BentPoints points(task);
  const VF scale = hn::Set(f, scale_of(task, Join::kScale));
  const Output<kMode> out(task);
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    const BentPoints::Point p = points.at(x);
    VU column[Join::kPoints];
    for (int k = 0; k < Join::kPoints; ++k)
      column[k] = points.column_hash(hn::Add(p.x.cell, hn::Set(I(), k + Join::kFirst)));
    VF across[Join::kPoints];
    VF across_by_x[Join::kPoints];
    for (int j = 0; j < Join::kPoints; ++j) {
      const VU line = points.row_hash(hn::Add(p.y.cell, hn::Set(I(), j + Join::kFirst)));
      VF v[Join::kPoints];
      for (int k = 0; k < Join::kPoints; ++k) v[k] = height_of(mix(column[k], line));
      across[j] = Join::join(v, p.x.fraction);
      if constexpr (kMode == RowMode::store_slopes) across_by_x[j] = Join::slope(v, p.x.fraction);
    }
    VF dx = scale;
    VF dy = scale;
    if constexpr (kMode == RowMode::store_slopes) {
      dx = hn::Mul(scale, Join::join(across_by_x, p.y.fraction));
      dy = hn::Mul(scale, Join::slope(across, p.y.fraction));
    }
    out.put(x, hn::Mul(scale, Join::join(across, p.y.fraction)), dx, dy);
  }
}

template <class Join>
RowKernel kernel_of(RowMode mode, bool is_bent) {
  if (mode == RowMode::store_slopes)
    return is_bent ? &bent<Join, RowMode::store_slopes> : &straight<Join, RowMode::store_slopes>;
  return is_bent ? &bent<Join, RowMode::store> : &straight<Join, RowMode::store>;
}
RowKernel ValueKernel(bool is_cubic, RowMode mode, bool is_bent) {
  return is_cubic ? kernel_of<CatmullRom>(mode, is_bent) : kernel_of<Quintic>(mode, is_bent);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(ValueKernel);
RowKernel value_kernel(bool cubic, RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(ValueKernel)(cubic, mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
