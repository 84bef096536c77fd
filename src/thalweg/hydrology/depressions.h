// Depressions: filled, raised with a gradient, or breached.
//
// Common to all functions: `height` and `out` have the same size and may be the same view. NoData stays NoData. Outlets
// are the cells of the border, those beside NoData (8 neighbours) and those marked in `outlets`. What raises (fill,
// fill_epsilon, planchon_darboux) keeps the heights of all outlets. Breaching keeps those that are marked; it may lower
// an outlet of the border or beside NoData to the height of the pit that drains over it.
// Ties are broken by height, then by cell index: the result is a function of the input alone.
// T: int16_t, int32_t, float, double unless said otherwise.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

enum class DepressionMethod { none, fill, fill_epsilon, planchon_darboux, breach, hybrid };
inline constexpr Choice<DepressionMethod> kDepressionMethods[] = {
    {"fill", DepressionMethod::fill},
    {"fill-epsilon", DepressionMethod::fill_epsilon},
    {"planchon-darboux", DepressionMethod::planchon_darboux},
    {"breach", DepressionMethod::breach},
    {"hybrid", DepressionMethod::hybrid},
    {"none", DepressionMethod::none}};

/// What a treatment did, in cells and cubic metres.
struct DepressionStats {
  std::int64_t cells_raised = 0;
  std::int64_t cells_lowered = 0;
  double volume_raised_m3 = 0;
  double volume_lowered_m3 = 0;
  double max_raise_m = 0;
  double max_cut_m = 0;
};

/// Lowest surface without depressions that is nowhere below `height`; flats stay flat. Priority-Flood (Barnes, Lehman
/// and Mulla 2014). Unique, so every correct program gives the same bits. Minima are numbered in 32 bits: two of them
/// are never neighbours, so a grid of fewer than 1.7e10 cells (131000 squared) cannot have too many.
template <class T>
void fill(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec);

/// As fill, but every cell ends up strictly higher than the neighbour it drains to: by the next representable value of
/// float or double (Priority-Flood + epsilon).
template <class T>  // float, double
void fill_epsilon(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec);

/// Planchon and Darboux 2002: flood everything, then drain by sweeps. With `epsilon_m` 0 the result is fill's, bit for
/// bit; with a positive one every cell is at least that much above the cell it drains to. Slower; kept for comparison.
template <class T>  // float, double
void planchon_darboux(GridView<const T> height, OutletMask outlets, double epsilon_m, GridView<T> out,
                      const Exec& exec);

/// Limits of breaching: a depression that has no way out within them is filled instead.
struct BreachLimits {
  double max_depth_m = 1e30;   ///< of the cut at any cell
  double max_length_m = 1e30;  ///< from the pit to the first lower cell
  /// Cells searched around a pit for the cheapest way. Depressions too large for that drain by the way over their
  /// lowest pass, which is found in linear time. 0: no search, always the lowest pass.
  std::int64_t search_cells = 2000;
};
/// Carves a way out of every depression: the one with the least sum of cut depths (then the shortest) to a lower cell
/// or an outlet, all its cells lowered to the height of the pit. Depressions beyond the limits, and the part of one
/// that lies lower than the outlet it drains to, are filled (hybrid). The result has no depression; along the cuts
/// heights never rise, and no cut is deeper than max_depth_m. Pits are treated from the lowest up, equal ones by cell
/// index. Cost: linear, and O(s log s) for each pit where s <= search_cells. After Lindsay 2016, with a total order
/// instead of a random one. Heights are compared and lowered, never computed: every height of the result occurs in the
/// input. Where `protect` (may be empty) is 1 or more, a cut counts 1e7 m more, so that ways around protected land are
/// taken where the search finds one.
template <class T>  // float, double
void breach(GridView<const T> height, OutletMask outlets, const CellGeometry& geometry, const BreachLimits& limits,
            GridView<T> out, const Exec& exec, GridView<const float> protect = {});

/// Cells raised or lowered between two surfaces.
template <class T>
DepressionStats depression_stats(GridView<const T> before, GridView<const T> after, const CellGeometry& geometry);

/// Marks the sea: cells at or below `sea_level_m` that are connected (8 neighbours) to the border of the grid or to
/// NoData through such cells. Land below sea level behind a barrier is not sea. out: 1 sea, 0 not.
template <class T>  // float, double
void mark_sea(GridView<const T> height, double sea_level_m, GridView<std::uint8_t> out);

}  // namespace thalweg::hydrology
