// Internal to hydrology: which local minimum each cell descends to.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {

// Labels. Zero is what fresh memory holds.
inline constexpr std::uint32_t kUnsetBasin = 0;
inline constexpr std::uint32_t kOutsideBasin = 1;

/// Every cell points to the lowest of its neighbours (by height, then cell index), so each belongs to the basin of one
/// local minimum (labels from 2 on, in no order of use) or to the outside (kOutsideBasin), whose roots are the outlets
/// of depressions.h and NoData. `label` holds zeros on entry and is contiguous. Returns one more than the largest
/// label. Minima are numbered in 32 bits: two of them are never neighbours. Linear.
template <class T>
std::uint32_t label_minima(GridView<const T> height, OutletMask outlets, GridView<std::uint32_t> label,
                           const Exec& exec);

}  // namespace thalweg::hydrology::internal
