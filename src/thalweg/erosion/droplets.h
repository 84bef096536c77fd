// Droplet erosion: the same bits for any thread count, order and tiling.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"

namespace thalweg::erosion {

/// Units of mass: one cell's height by 2^-20 m.
inline constexpr double kUnitsPerMetre = 1048576.0;

/// Heights beyond +-this (and infinities) do not fit the fixed point: such cells are treated as NoData.
inline constexpr double kMaxHeightM = 1048576.0;

/// Lengths, densities and rates are physical: the same values give the same erosion at any cell size. The reference
/// step ties them to the classical scheme, which speaks in cells: at cells of `step_reference_m` a step is one cell
/// and every rate is the classical one; at other sizes the rates are those of the same path walked in other steps.
struct DropletParams {
  double droplets_per_km2 = 7800;
  double path_m = 240;          ///< how far a droplet runs at most
  double brush_radius_m = 32;   ///< wear falls to nothing at this distance from the droplet's way
  double step_reference_m = 8;  ///< the stretch of way that rates are told for; also how wide deposits are laid
  double inertia = 0.6;         ///< 0 turns at once to the steepest descent, 1 never turns
  double capacity = 3;          ///< load = capacity * sin(slope) * speed * water * step_reference_m^3
  double min_slope = 0.01;      ///< slope (rise / run) below which the capacity no longer falls
  double erode_rate = 0.3;      ///< share of the free capacity taken up per reference step
  double deposit_rate = 0.3;    ///< share of the surplus laid down per reference step
  double evaporation = 0.01;    ///< share of the water lost per reference step
  double gravity = 4;           ///< gain of speed^2 (1 at the start) per 1000 m of fall
  double sea_deposit = 0.1;     ///< share of a load that stays at the shore; the sea takes the rest (exported)

  template <class Visitor>
  static void describe(DropletParams& p, Visitor& v) {
    v.real("droplets_per_km2", p.droplets_per_km2,
           {.unit = "1/km2", .min = 0, .max = 1e9, .help = "how many droplets fall"});
    v.real("path_m", p.path_m, {.unit = "m", .min = 0, .max = 1e5, .help = "longest way of a droplet"});
    v.real("brush_radius_m", p.brush_radius_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "distance at which the wear of a droplet falls to nothing"});
    v.real("step_reference_m", p.step_reference_m,
           {.unit = "m", .min = 0.01, .max = 1e4, .help = "stretch of way the rates are told for; width of deposits"});
    v.real("inertia", p.inertia,
           {.min = 0, .max = 0.99, .help = "0 follows the slope at once, near 1 keeps its course"});
    v.real("capacity", p.capacity, {.min = 0, .max = 100, .help = "sediment a droplet can carry"});
    v.real("min_slope", p.min_slope, {.min = 0, .max = 1, .help = "slope that capacity never falls below"});
    v.real("erode_rate", p.erode_rate,
           {.min = 0, .max = 1, .help = "share of free capacity taken up per reference step"});
    v.real("deposit_rate", p.deposit_rate,
           {.min = 0, .max = 1, .help = "share of the surplus laid down per reference step"});
    v.real("evaporation", p.evaporation, {.min = 0, .max = 1, .help = "share of water lost per reference step"});
    v.real("gravity", p.gravity, {.unit = "1/km", .min = 0, .max = 100, .help = "how fast droplets speed up downhill"});
    v.real("sea_deposit", p.sea_deposit,
           {.min = 0, .max = 1, .help = "share of the load that stays at the shore; deep water takes the rest"});
  }
};

/// Exact balance of a run in units of 2^-20 m times one cell: eroded == deposited + exported, always, and the sum of
/// the ground before less the sum after (in the same units) == exported. `eroded` and `deposited` are gross: they count
/// every single move, also where one droplet fills what another has dug.
struct Ledger {
  std::int64_t eroded = 0;
  std::int64_t deposited = 0;
  std::int64_t exported = 0;  ///< carried off the map, into NoData, out to sea or off protected land
  std::int64_t balance() const { return eroded - deposited - exported; }
};

/// Whether the parameters can run on cells of this size (the smaller side, metres): each in its range, and way, brush,
/// reference step, density and number of passes within what the fixed point is proved for. The message says which
/// parameter to change and to what.
Status check_droplet_params(const DropletParams& params, double cell_m);

/// Fails where a height lies outside +-kMaxHeightM or is infinite, naming the first such cell. NaN (NoData) is fine.
Status check_droplet_input(GridView<const float> height);

/// Cells of surrounding land that one cell's result can depend on: a window with this halo gives the same bits as the
/// whole map. Grows with path_m, brush_radius_m and droplets_per_km2. `cell_m` is the smaller side of a cell. 0 where
/// check_droplet_params fails.
int droplet_halo_cells(const DropletParams& params, double cell_m);

/// Runs the droplets over `height`. Outputs have its size: `out` the new ground (may be `height`'s own cells; cells
/// that did not change keep their bits), `wear_m` and `deposit_m` (both >= 0, may be empty) what was removed and laid
/// down; in exact units before - after == wear - deposit in every cell. Starts are hashed from (seed, world cell of
/// `spec`, k).
///
/// NoData, heights outside +-kMaxHeightM and the edge of the grid swallow droplets with their load (exported): a
/// droplet that comes within brush radius + reference step of them is gone, so that no brush reaches over. The rule is
/// the same for the edge of a map and the edge of a window; droplet_halo_cells counts it in. `sea_level_m`: none start
/// at or below it, and a droplet that reaches it lays `sea_deposit` of its load down there through the brush; the rest
/// is exported.
///
/// `protect` (may be empty) says where the land stays as it is: 0 not at all, 1 and more entirely; NaN is 0. A droplet
/// digs and lays down the less, the more of what its brush reaches is protected, and keeps its load instead; so cells
/// with 1 keep their very bits, and around them erosion fades out over the brush's radius. A load that would come to
/// rest on protected land is taken away (exported), not heaped up at its border. The ledger stays exact, and the halo
/// is the same.
///
/// Requires check_droplet_params(params, min(spec.cell_m, spec.cell_y_m)); where it fails nothing happens (out =
/// height). Cancellable between passes. Cost: about 3 us a droplet of 30 steps on one core, 37 to 53 bytes a cell, 8
/// more with `protect`.
///
/// Droplets after Beyer 2015, "Implementation of a method for hydraulic erosion"; the frozen generations, the deferred
/// brush and the clamp of deposits are described in docs/droplets.md.
Ledger droplets(const DropletParams& params, std::uint64_t seed, const GridSpec& spec, double sea_level_m,
                GridView<const float> height, GridView<float> out, GridView<float> wear_m, GridView<float> deposit_m,
                const Exec& exec, GridView<const float> protect = {});

}  // namespace thalweg::erosion
