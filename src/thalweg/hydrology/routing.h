// Flow routing besides D8: rho8, D-infinity and multiple flow directions (MFD), and accumulation over them.
//
// Common to all: the terms of directions.h. `height` is a depression-free surface (depressions.h) or any other; heights
// are never altered. Distances are true metres of each row, so cells may be oblong or geographic. Water goes to
// strictly lower neighbours only; a cell that has none but lies on a flat that drains gives everything to one neighbour
// of the same height, the one D8 gives it. So the graph has no cycle and every cell that D8 drains is drained. Outlet
// cells (on the border, beside NoData, or marked) follow d8()'s rule: they drain to lower neighbours where they have
// some, marked ones never. Results are the same bits for any number of threads. T: int16_t, int32_t, float, double.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

enum class Routing { d8, rho8, dinf, mfd };
inline constexpr Choice<Routing> kRoutings[] = {
    {"d8", Routing::d8}, {"rho8", Routing::rho8}, {"dinf", Routing::dinf}, {"mfd", Routing::mfd}};

/// Randomised D8: a raster of D8 codes like d8()'s, but the diagonal distance varies at random, so that on a plane the
/// mean step points down the slope instead of to the nearest of eight directions. Flats as in d8().
/// One random number r in [0, 1) a cell, hashed from the seed and the cell's absolute index (origin + x, origin + y;
/// see GridSpec): a window of a grid gets the same ones. Neighbours are compared by drop / distance^2, for a diagonal
/// drop / (a^2 + (1 - r) b^2) with a the side on which the nearer of its two flanks lies (by the same measure) and b
/// the other. On square cells this is the published rule: drop / 1 against drop / (2 - r). Ties: the lowest neighbour
/// number.
/// Cost: linear. Source: Fairfield and Leymarie 1991; the form for oblong cells keeps its property there.
template <class T>
void rho8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, std::uint64_t seed,
          GridView<std::uint8_t> directions, const Exec& exec, std::int64_t origin_x = 0, std::int64_t origin_y = 0);

/// Angle of a cell without flow: D8's kNoFlow.
inline constexpr float kNoAngle = -1;

/// What dinf() gives the cells on the border of the grid and beside NoData.
enum class EdgeAngles {
  drain,  ///< an angle from the neighbours that exist
  none,   ///< NaN: nothing is known about them. TauDEM's rule
};

/// D-infinity: direction of the steepest of eight triangular facets, in radians counter-clockwise from east as lengths
/// in metres show it, in [0, 2 pi); kNoAngle where nothing drains, NaN on NoData.
/// Where the steepest way leads inside a facet both its corners are strictly lower, in falling order; else the angle is
/// exactly that of one lower neighbour (rounded to float like the corners themselves). Flats: the angle of d8()'s
/// direction. Ties: a neighbour before the inside of a facet; neighbours as in d8(); facets by their side neighbour in
/// the order E, N, W, S, and at one of these the counter-clockwise one first.
/// Accurate to the last place of float. Cost: linear; besides the angles 1 byte a cell and what d8() needs for flats.
/// Source: Tarboton 1997.
template <class T>
void dinf(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<float> angles,
          const Exec& exec, EdgeAngles edge = EdgeAngles::drain);

/// How MFD weighs a lower neighbour at distance d with drop h.
enum class MfdWeights {
  freeman,  ///< (h / d)^exponent: Freeman 1991 (1.1), Holmgren 1994 (4 to 6)
  quinn,    ///< (h / d)^exponent * contour length: Quinn 1991 (1). Half a side, 0.354 sides on diagonals of square
            ///< cells; in general half the cell's area / d
};

struct MfdParams {
  MfdWeights weights = MfdWeights::freeman;
  double exponent = 1.1;
  template <class Visitor>
  static void describe(MfdParams& p, Visitor& v) {
    static constexpr Choice<MfdWeights> kWeights[] = {{"freeman", MfdWeights::freeman}, {"quinn", MfdWeights::quinn}};
    v.choice("weights", p.weights, kWeights,
             {.help = "freeman: slope to the power of the exponent; quinn: that times the length of the contour"});
    v.real("exponent", p.exponent,
           {.min = 0,
            .max = 100,
            .help = "0 spreads evenly, 1.1 is Freeman's, 1 Quinn's, 4 to 6 Holmgren's, higher "
                    "comes near D8"});
  }
};

// Accumulation over several receivers. Amounts are whole numbers of a unit, the power of two that lets 2^52 units (to a
// factor of 2) hold the total of the map; all receivers of a cell but the one with the largest share get theirs rounded
// down to units and that one gets the rest. So nothing is lost or made, sums do not depend on an order, and doubles
// hold them exactly: what leaves all cells that drain nowhere adds up to what all cells gave, to the last bit. A map of
// n cells has 2^52 / n units a cell: 3e8 where n is 4096^2, 4e6 where it is 1e9.
//
// `out`: own amount and everything from upstream; NaN on NoData.
// `contaminated` (may be empty): 1 where water from outside the map may arrive, so that the sum is a lower bound: cells
// on the border or beside NoData and everything downstream of them, however small the share; 0 elsewhere.
// Cost: linear; 2 bytes a cell besides `out`, and while flats are resolved (MFD) d8()'s.

/// Drained area in square metres over D-infinity angles of any source. A cell's water is shared between the two
/// neighbours that bound the facet, in proportion to the angle (Tarboton 1997); a share below 1e-5 goes to the other
/// one, so that a direction rounded elsewhere does not leak sideways. Shares that point out of the grid or onto NoData
/// leave the map. Angles outside [0, 2 pi] are kNoAngle. Fails with a cell of a cycle where the angles make one;
/// dinf()'s never do with the same geometry. TauDEM's specific catchment area: EdgeAngles::none, the width dx_m of each
/// row as weight, and NaN where contaminated.
Status accumulate_dinf_area(GridView<const float> angles, const CellGeometry& geometry, GridView<double> out,
                            const Exec& exec, GridView<std::uint8_t> contaminated = {});
/// The same for `weight` per cell (e.g. discharge produced, m3/s) instead of area; NoData weights count as 0. Fails
/// with the place of a weight that is infinite.
Status accumulate_dinf_weighted(GridView<const float> angles, const CellGeometry& geometry,
                                GridView<const float> weight, GridView<double> out, const Exec& exec,
                                GridView<std::uint8_t> contaminated = {});

/// Drained area in square metres, each cell's water shared among all its strictly lower neighbours by `params`.
/// Sources: Quinn, Beven, Chevallier and Planchon 1991; Freeman 1991; Holmgren 1994.
template <class T>
Status accumulate_mfd_area(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                           const MfdParams& params, GridView<double> out, const Exec& exec,
                           GridView<std::uint8_t> contaminated = {});
/// The same for `weight` per cell, as in accumulate_dinf_weighted.
template <class T>
Status accumulate_mfd_weighted(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                               const MfdParams& params, GridView<const float> weight, GridView<double> out,
                               const Exec& exec, GridView<std::uint8_t> contaminated = {});

/// A choice of routing as a user makes it.
struct RoutingParams {
  Routing method = Routing::d8;
  MfdParams mfd;
  std::int64_t seed = 0;  ///< of rho8
  template <class Visitor>
  static void describe(RoutingParams& p, Visitor& v) {
    v.choice("method", p.method, kRoutings,
             {.help = "d8: steepest of 8 neighbours; rho8: the same, randomised; dinf: any angle, shared by two "
                      "neighbours; mfd: shared by all lower neighbours"});
    v.integer("seed", p.seed, {.help = "of the random numbers of rho8"});
    MfdParams::describe(p.mfd, v);
  }
};

/// Drained area (`weight` empty) or accumulated weight by any of the methods, from heights. Makes the directions or
/// angles it needs and drops them. Sums of d8 and rho8 are those of accumulation.h.
template <class T>
Status accumulate_routed(const RoutingParams& params, GridView<const T> height, const CellGeometry& geometry,
                         OutletMask outlets, GridView<const float> weight, GridView<double> out, const Exec& exec);

}  // namespace thalweg::hydrology
