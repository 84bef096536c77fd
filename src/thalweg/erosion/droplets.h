// Droplet erosion: the same bits for any thread count, order and tiling.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::erosion {

/// Units of mass: one cell's height by 2^-20 m.
inline constexpr double kUnitsPerMetre = 1048576.0;

struct DropletParams {
  double droplets_per_km2 = 8000;
  double path_m = 240;         ///< how far a droplet runs at most
  double brush_radius_m = 24;  ///< over which it wears the ground
  double inertia = 0.05;       ///< 0 turns at once to the steepest descent, 1 never turns
  double capacity = 4;         ///< sediment carried per drop height, speed and water
  double min_slope = 0.01;     ///< slope (rise / run) below which the capacity no longer falls
  double erode_rate = 0.3;     ///< share of the free capacity taken up per step
  double deposit_rate = 0.3;   ///< share of the surplus laid down per step
  double evaporation = 0.01;   ///< share of the water lost per step
  double gravity = 4;
  // (the owner of this file states units, scaling with cell size and defaults exactly)

  template <class Visitor>
  static void describe(DropletParams& p, Visitor& v) {
    v.real("droplets_per_km2", p.droplets_per_km2,
           {.unit = "1/km2", .min = 0, .max = 1e9, .help = "how many droplets fall"});
    v.real("path_m", p.path_m, {.unit = "m", .min = 0, .max = 1e5, .help = "longest way of a droplet"});
    v.real("brush_radius_m", p.brush_radius_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "radius over which a droplet wears the ground"});
    v.real("inertia", p.inertia,
           {.min = 0, .max = 0.99, .help = "0 follows the slope at once, near 1 keeps its course"});
    v.real("capacity", p.capacity, {.min = 0, .max = 100, .help = "sediment a droplet can carry"});
    v.real("min_slope", p.min_slope, {.min = 0, .max = 1, .help = "slope that capacity never falls below"});
    v.real("erode_rate", p.erode_rate, {.min = 0, .max = 1, .help = "share of free capacity taken up per cell"});
    v.real("deposit_rate", p.deposit_rate, {.min = 0, .max = 1, .help = "share of the surplus laid down per cell"});
    v.real("evaporation", p.evaporation, {.min = 0, .max = 1, .help = "share of water lost per cell"});
    v.real("gravity", p.gravity, {.min = 0, .max = 100, .help = "how fast droplets speed up downhill"});
  }
};

/// Exact balance of a run in units of 2^-20 m times one cell: eroded == deposited + exported, always.
struct Ledger {
  std::int64_t eroded = 0;
  std::int64_t deposited = 0;
  std::int64_t exported = 0;  ///< carried off the map
  std::int64_t balance() const { return eroded - deposited - exported; }
};

/// Cells of surrounding land that one cell's result can depend on: a window with this halo gives the same bits as the
/// whole map. Grows with path_m, brush_radius_m and the number of generations.
int droplet_halo_cells(const DropletParams& params, double cell_m);

/// Runs the droplets over `height`. Outputs have its size: `out` the new ground, `wear_m` and `deposit_m` (both >= 0,
/// may be empty) what was removed and laid down. Starts are hashed from (seed, world cell of `spec`, k). NoData cells
/// and the border swallow droplets (exported). `sea_level_m`: a droplet that reaches the sea drops its load there.
Ledger droplets(const DropletParams& params, std::uint64_t seed, const GridSpec& spec, double sea_level_m,
                GridView<const float> height, GridView<float> out, GridView<float> wear_m, GridView<float> deposit_m,
                const Exec& exec);

}  // namespace thalweg::erosion
