// Between two passes of droplets: their impulses become ground. Internal to erosion.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/erosion/droplet_plan.h"

namespace thalweg::erosion {

/// The state of a run. Integers in units of 2^-20 m; all grids of one size.
struct DropletState {
  Grid<std::int64_t> ground;  ///< 0 at NoData
  Grid<float> seen_m;         ///< the ground as droplets see it: NaN where they must not be
  Grid<std::int64_t> wear;    ///< impulses of the current pass, see DropletGround
  Grid<std::int64_t> deposit;
  Grid<std::int64_t> spread;
  Grid<std::uint8_t> dug;       ///< 1 where the pass wore the ground
  Grid<std::int64_t> wear_sum;  ///< spread wear of all passes; empty where nobody asks
  Grid<std::int64_t> widened;   ///< deposits of the pass at the width of the reference step; empty where that is a cell
  Grid<float> guard;            ///< guard_of; empty where nothing is protected
};

/// Convolves the non-negative cells [x0, x1) x [y0, y1) of `source` (zero outside its view) with a tent of half-width
/// radius + 1 per axis, into `out` (row-major, resized). Exact: whatever does not divide by the weights' sum stays at
/// its cell, so the sum over everything a cell spreads to is that cell. False, and `out` untouched, where all is zero.
/// Cost independent of the radii.
bool tent(GridView<const std::int64_t> source, int radius_x, int radius_y, int x0, int y0, int x1, int y1,
          std::vector<std::int64_t>& out);

/// Applies and clears the impulses of a pass:
///   deposits fill a cell by at most half of what separates it from its highest neighbour, so that many droplets of one
///   pass cannot fill the same hollow many times over; the surplus goes to the spread deposits;
///   wear and spread deposits go through the brush;
///   worn cells that then lie below all 8 neighbours are levelled with the lowest of them, each neighbour giving the
///   same, as far as the guard lets them. Without it droplets dig plunge pools at the foot of steep gullies, since the
///   brush digs on where the droplets no longer do.
/// Returns the units that levelling took and laid down again: wear and deposit alike.
std::int64_t settle(const DropletPlan& plan, DropletState& state, const Exec& exec);

}  // namespace thalweg::erosion
