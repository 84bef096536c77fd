// One droplet on frozen ground. Internal to erosion.
#pragma once

#include <cstddef>
#include <cstdint>

#include "thalweg/erosion/droplet_plan.h"
#include "thalweg/erosion/droplets.h"

namespace thalweg::erosion {

/// A droplet between two updates of the ground. Its place is a cell and a fraction, so that it moves alike in any
/// window.
struct Droplet {
  std::int32_t x = 0;
  std::int32_t y = 0;
  float fx = 0;  ///< in [0, 1)
  float fy = 0;
  float course_x = 0;  ///< unit vector, zero at the start
  float course_y = 0;
  float speed2 = 1;
  float water = 1;
  std::int64_t load = 0;  ///< units of 2^-20 m times one cell
  std::int32_t steps_left = 0;
};

/// The ground as droplets see it and the grids they write, all of one size and stride. Ground is NaN wherever a droplet
/// must not be: within the plan's margin of edges and NoData.
struct DropletGround {
  const float* height_m = nullptr;
  std::int64_t* wear = nullptr;     ///< to be spread by the brush
  std::int64_t* deposit = nullptr;  ///< to be laid where it is, within limits
  std::int64_t* spread = nullptr;   ///< deposits to be spread by the brush
  std::ptrdiff_t stride = 0;
  float sea_level_m = 0;
  const float* guard = nullptr;  ///< guard_of; nullptr: nothing is protected
};

/// Moves the droplet by up to `steps`. True while it lives; a dead one has laid down or exported its load (what
/// the guard refuses is exported). Every move
/// is entered in `ledger`. Requires that the droplet's cell and its eastern and southern neighbours exist.
bool walk(const DropletPlan& plan, const DropletGround& ground, Droplet& droplet, int steps, Ledger& ledger);

}  // namespace thalweg::erosion
