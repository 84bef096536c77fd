// Value noise in space: random heights at lattice points, joined by a quintic or a cubic; and white noise.
#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_value.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/space_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// Rows of a folded line, and of the present row: heights at the lattice columns, and their derivatives by y and z.
enum { kFoldHeight, kFoldHeightByZ };
enum { kHeight = kRowFold, kHeightByY, kHeightByZ, kCubic0, kCubic1, kCubic2, kCubic3 };

const float* height_line(const SpaceRowTask& task, std::int64_t j, std::int64_t k, float scale) {
  SpaceTable& t = *task.table;
  const std::size_t at = seek_line(*task.octave, j, k, t, [&](std::uint32_t line_hash, std::size_t slot) {
    const VU line = hn::Set(U(), line_hash);
    for_columns(t, [&](int c) {
      const VF height = height_of(mix(hn::LoadU(U(), t.hash.data() + c), line));
      hn::StoreU(hn::Mul(height, hn::Set(F(), scale)), F(), t.lines.part(slot, 0) + c);
    });
  });
  return t.lines.part(at, 0);
}

template <bool kSlopes>
int fold_two_layers(const SpaceRowTask& task, std::int64_t j, LatticePoint z, float scale) {
  SpaceTable& t = *task.table;
  return seek_fold(task.z, j, t, [&](int first) {
    const F f;
    const float* a = height_line(task, j, z.cell, scale);
    const float* b = height_line(task, j, z.cell + 1, scale);
    const VF z0 = hn::Set(f, z.fraction);
    const VF w = quintic(z0);
    for_columns(t, [&](int c) {
      const VF va = hn::LoadU(f, a + c);
      const VF vb = hn::LoadU(f, b + c);
      hn::StoreU(lerp(va, vb, w), f, t.folds(first + kFoldHeight) + c);
      if constexpr (kSlopes)
        hn::StoreU(hn::Mul(quintic_slope(z0), hn::Sub(vb, va)), f, t.folds(first + kFoldHeightByZ) + c);
    });
  });
}

template <bool kSlopes>
void straight(const SpaceRowTask& task) {
  const F f;
  SpaceTable& t = *task.table;
  const RowPlace row = straight_place(task);
  const float scale = space_scale(task, Value3::kScale);
  const int a = fold_two_layers<kSlopes>(task, row.at[1].cell, row.at[2], scale);
  const int b = fold_two_layers<kSlopes>(task, row.at[1].cell + 1, row.at[2], scale);
  const VF y0 = hn::Set(f, row.at[1].fraction);
  const VF v = quintic(y0);
  for_columns(t, [&](int c) {
    const VF va = hn::LoadU(f, t.folds(a + kFoldHeight) + c);
    const VF vb = hn::LoadU(f, t.folds(b + kFoldHeight) + c);
    hn::StoreU(lerp(va, vb, v), f, t.folds(kHeight) + c);
    if constexpr (kSlopes) {
      hn::StoreU(hn::Mul(quintic_slope(y0), hn::Sub(vb, va)), f, t.folds(kHeightByY) + c);
      const VF za = hn::LoadU(f, t.folds(a + kFoldHeightByZ) + c);
      const VF zb = hn::LoadU(f, t.folds(b + kFoldHeightByZ) + c);
      hn::StoreU(lerp(za, zb, v), f, t.folds(kHeightByZ) + c);
    }
  });
  const float* height = t.folds(kHeight);
  for (int x = 0; x < task.width; x += lanes_of()) {
    const ColumnLookup at(t.axis[0].local.data() + x);
    const VF fade = hn::LoadU(f, t.fade.data() + x);
    const VF west = at(height, 0);
    const VF east = at(height, 1);
    VF d[3] = {fade, fade, fade};
    if constexpr (kSlopes) {
      d[0] = hn::Mul(quintic_slope(hn::LoadU(f, t.axis[0].fraction.data() + x)), hn::Sub(east, west));
      d[1] = lerp(at(t.folds(kHeightByY), 0), at(t.folds(kHeightByY), 1), fade);
      d[2] = lerp(at(t.folds(kHeightByZ), 0), at(t.folds(kHeightByZ), 1), fade);
    }
    put3<kSlopes>(task, x, lerp(west, east, fade), d);
  }
}

int fold_four_layers(const SpaceRowTask& task, std::int64_t j, LatticePoint z, float scale) {
  SpaceTable& t = *task.table;
  return seek_fold(task.z, j, t, [&](int first) {
    const F f;
    const float* line[4];
    for (int k = 0; k < 4; ++k) line[k] = height_line(task, j, z.cell + k - 1, scale);
    for_columns(t, [&](int c) {
      const Spline up(hn::LoadU(f, line[0] + c), hn::LoadU(f, line[1] + c), hn::LoadU(f, line[2] + c),
                      hn::LoadU(f, line[3] + c));
      hn::StoreU(up.at(hn::Set(f, z.fraction)), f, t.folds(first + kFoldHeight) + c);
    });
  });
}

void straight_cubic(const SpaceRowTask& task) {
  const F f;
  SpaceTable& t = *task.table;
  const RowPlace row = straight_place(task);
  const float scale = space_scale(task, kCubic3Scale);
  const float* line[4];
  for (int j = 0; j < 4; ++j)
    line[j] = t.folds(fold_four_layers(task, row.at[1].cell + j - 1, row.at[2], scale) + kFoldHeight);
  for_columns(t, [&](int c) {
    const Spline across(hn::LoadU(f, line[0] + c), hn::LoadU(f, line[1] + c), hn::LoadU(f, line[2] + c),
                        hn::LoadU(f, line[3] + c));
    hn::StoreU(across.at(hn::Set(f, row.at[1].fraction)), f, t.folds(kHeight) + c);
  });
  // The cubic between each column and the next, once for all samples there. Row kHeight has others around it in memory,
  // so columns without neighbours read numbers, which no sample uses.
  const float* height = t.folds(kHeight);
  for_columns(t, [&](int c) {
    const Spline along(hn::LoadU(f, height + c - 1), hn::LoadU(f, height + c), hn::LoadU(f, height + c + 1),
                       hn::LoadU(f, height + c + 2));
    hn::StoreU(along.c0, f, t.folds(kCubic0) + c);
    hn::StoreU(along.c1, f, t.folds(kCubic1) + c);
    hn::StoreU(along.c2, f, t.folds(kCubic2) + c);
    hn::StoreU(along.c3, f, t.folds(kCubic3) + c);
  });
  const float* cubic[4] = {t.folds(kCubic0), t.folds(kCubic1), t.folds(kCubic2), t.folds(kCubic3)};
  for (int x = 0; x < task.width; x += lanes_of()) {
    const ColumnLookup at(t.axis[0].local.data() + x);
    const VF fx = hn::LoadU(f, t.axis[0].fraction.data() + x);
    const VF n = hn::Add(
        at(cubic[0], 0),
        hn::Mul(fx, hn::Add(at(cubic[1], 0), hn::Mul(fx, hn::Add(at(cubic[2], 0), hn::Mul(fx, at(cubic[3], 0)))))));
    const VF none[3] = {n, n, n};
    put3<false>(task, x, n, none);
  }
}

SpaceRowKernel SpaceValueKernel(SpaceRowMode mode) {
  if (mode.bent) return mode.slopes ? &scattered_row<Value3, true> : &scattered_row<Value3, false>;
  return mode.slopes ? &straight<true> : &straight<false>;
}
SpaceRowKernel SpaceCubicKernel(SpaceRowMode mode) {
  if (mode.slopes) return &scattered_row<Cubic3, true>;
  return mode.bent ? &scattered_row<Cubic3, false> : &straight_cubic;
}
SpaceRowKernel SpaceWhiteKernel(SpaceRowMode mode) {
  return mode.slopes ? &scattered_row<White3, true> : &scattered_row<White3, false>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SpaceValueKernel);
HWY_EXPORT(SpaceCubicKernel);
HWY_EXPORT(SpaceWhiteKernel);
SpaceRowKernel space_value_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceValueKernel)(mode);
}
SpaceRowKernel space_cubic_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceCubicKernel)(mode);
}
SpaceRowKernel space_white_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceWhiteKernel)(mode);
}
}  // namespace thalweg::noise::detail
#endif
