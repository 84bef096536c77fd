// Conditioning: every depression treated except those that a viewer would call lakes.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/lakes.h"

namespace thalweg::hydrology {

struct ConditionParams {
  DepressionMethod method = DepressionMethod::hybrid;
  double epsilon_m = 0.001;           ///< of planchon-darboux
  double max_breach_depth_m = 30;     ///< of hybrid
  double max_breach_length_m = 1500;  ///< of hybrid
  bool keep_lakes = true;
  LakeParams lakes;
  template <class Visitor>
  static void describe(ConditionParams& p, Visitor& v) {
    v.choice("method", p.method, kDepressionMethods,
             {.help = "fill: raise to the rim; fill-epsilon and planchon-darboux: raise with a gradient; breach: cut a "
                      "way out; hybrid: cut where cheap, fill the rest"});
    v.real("epsilon_m", p.epsilon_m, {.unit = "m", .min = 0, .max = 10, .help = "step per cell of planchon-darboux"});
    v.real("max_breach_depth_m", p.max_breach_depth_m,
           {.unit = "m", .min = 0, .max = 1e5, .help = "hybrid fills where the cut would be deeper"});
    v.real("max_breach_length_m", p.max_breach_length_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "hybrid fills where the cut would be longer"});
    v.boolean("keep_lakes", p.keep_lakes, {.help = "leave depressions that are large and deep enough as lakes"});
    LakeParams::describe(p.lakes, v);
  }
};

/// DepressionStats of a whole treatment, and what it did to protected land.
struct ConditionStats : DepressionStats {
  std::int64_t protected_changed = 0;  ///< cells with protect >= 1 whose height is another
};

/// Treats `height` by the method, keeping the beds of lakes. What remains below its rim afterwards is a lake by
/// `params.lakes`, or nothing. `out` may be the same view. Cost: two floods.
///
/// `protect` (may be empty): land with 1 and more shall stay as it is. Breaching (breach, hybrid) then takes the way
/// out that cuts the fewest protected cells among those within its limits and its search (BreachLimits), whatever it
/// cuts elsewhere. Water must get out all the same: where every way leads through protected land it is cut, and what
/// must be filled is filled. `protected_changed` counts the cells.
ConditionStats condition(const ConditionParams& params, const CellGeometry& geometry, GridView<const float> height,
                         OutletMask sea, GridView<float> out, const Exec& exec, GridView<const float> protect = {});

/// The bare treatment of DepressionMethod, without lakes. T: float, double.
template <class T>
void treat_depressions(DepressionMethod method, double epsilon_m, const BreachLimits& limits,
                       const CellGeometry& geometry, GridView<const T> height, OutletMask outlets, GridView<T> out,
                       const Exec& exec, GridView<const float> protect = {});

}  // namespace thalweg::hydrology
