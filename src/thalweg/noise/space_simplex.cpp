// Simplex noise in space. Its lattice is turned against the axes, so that no plane of samples shows it; every sample
// finds its own lattice points.
#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_simplex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/space_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

SpaceRowKernel SpaceSimplexKernel(SpaceRowMode mode) {
  return mode.slopes ? &scattered_row<Simplex3, true> : &scattered_row<Simplex3, false>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SpaceSimplexKernel);
SpaceRowKernel space_simplex_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceSimplexKernel)(mode);
}
}  // namespace thalweg::noise::detail
#endif
