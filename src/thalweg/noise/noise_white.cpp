// White noise: every square of the lattice its own height.
#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_white.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// The table holds the hash of every sample's column, not of lattice columns.
void straight(const RowTask& task) {
  const F f;
  const U u;
  const VU row = hn::Set(u, axis_hash_of(task.octave->seed, 1, row_point(task).cell));
  const VF scale = hn::Set(f, scale_of(task, 1));
  for (int x = 0; x < task.width; x += lanes_of()) {
    const VU h = mix(hn::LoadU(u, task.table->hash.data() + x), row);
    hn::StoreU(hn::Mul(scale, height_of(h)), f, task.n + x);
  }
}

void bent(const RowTask& task) {
  const F f;
  const BentPoints points(task);
  const VF scale = hn::Set(f, scale_of(task, 1));
  for (int x = 0; x < task.width; x += lanes_of()) {
    const BentPoints::Point p = points.at(x);
    const VU h = mix(points.column_hash(p.x.cell), points.row_hash(p.y.cell));
    hn::StoreU(hn::Mul(scale, height_of(h)), f, task.n + x);
  }
}

RowKernel WhiteKernel(RowMode mode, bool is_bent) {
  if (mode == RowMode::store_slopes) return is_bent ? &with_flat_slopes<bent> : &with_flat_slopes<straight>;
  return is_bent ? &bent : &straight;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(WhiteKernel);
RowKernel white_kernel(RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(WhiteKernel)(mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
