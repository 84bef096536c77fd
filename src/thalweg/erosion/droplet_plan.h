// What a droplet run does, worked out from physical parameters for one cell size. Internal to erosion.
#pragma once

#include <cstdint>

#include "thalweg/core/result.h"
#include "thalweg/erosion/droplets.h"

namespace thalweg::erosion {

/// Everything the kernels need, in cells and units of 2^-20 m.
struct DropletPlan {
  // Schedule.
  double per_cell = 0;  ///< droplets per cell of the whole run
  int generations = 0;  ///< droplets of one generation see the ground of the same moments
  int steps = 1;        ///< a droplet's life
  int sub_steps = 1;    ///< steps between two updates of the ground
  int passes() const { return generations * ((steps + sub_steps - 1) / sub_steps); }

  // Brushes: tents of half-width radius + 1 cells per axis.
  int brush_x = 0;
  int brush_y = 0;
  int deposit_x = 0;
  int deposit_y = 0;
  int margin = 1;      ///< droplets keep this many cells away from edges and NoData
  int pass_reach = 0;  ///< cells that a cell's change in one pass can depend on

  // One step of min(cell_m, cell_y_m) metres.
  float step_x = 1;  ///< cells per step along x (below 1: a droplet never skips a cell)
  float step_y = 1;
  float slope_x = 1;  ///< 1 / cell_m
  float slope_y = 1;
  float per_step_m = 1;  ///< 1 / metres per step
  float inertia = 0;
  float turn = 1;              ///< weight of the slope against the course
  float capacity_units = 0;    ///< capacity in units per drop metre of one step
  float min_drop_m = 0;        ///< min_slope over one step
  float erode_share = 0;       ///< per step
  float deposit_share = 0;     ///< per step
  float water_keep = 1;        ///< per step
  float speed2_per_m = 0;      ///< gain of speed^2 per metre of fall
  float dig_units_per_m = 0;   ///< most a step may take, in units per metre of its fall
  float fill_units_per_m = 0;  ///< most a step may lay down going up, in units per metre of its rise
  std::int64_t sea_share = 0;  ///< of a load that stays at the shore, in 1 / 65536
  std::int64_t max_move = 0;   ///< no step moves more units than this, so that sums stay below 2^62
  std::int64_t max_load = 0;
};

/// Fails like check_droplet_params.
Result<DropletPlan> plan_droplets(const DropletParams& params, double cell_m, double cell_y_m);

}  // namespace thalweg::erosion
