// Operators that shape a height field point by point.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::shape {

/// Redistribution e^k: heights are mapped from [low_m, high_m] to e in [0, 1], raised to `exponent`, mapped back.
/// Values outside the range are clamped to it. k > 1 widens lowlands and sharpens peaks.
struct RedistributeParams {
  double low_m = 0;
  double high_m = 1000;
  double exponent = 2;
  template <class Visitor>
  static void describe(RedistributeParams& p, Visitor& v) {
    v.real("low_m", p.low_m, {.unit = "m", .min = -1e5, .max = 1e5, .help = "height that counts as e = 0"});
    v.real("high_m", p.high_m,
           {.unit = "m", .min = -1e5, .max = 1e5, .help = "height that counts as e = 1; above low_m"});
    v.real("exponent", p.exponent,
           {.min = 0.1, .max = 16, .help = "k of e^k: above 1 lowers the middle, below 1 raises it"});
  }
};
/// `height` may be the same view as `out`. Requires high_m > low_m.
void redistribute(const RedistributeParams& params, GridView<const float> height, GridView<float> out,
                  const Exec& exec);

enum class IslandShape { square_bump, euclidean };

/// Turns any land into an island: the normalised height e is mixed toward 1 - d, d the distance from the centre of the
/// extent (0) to its edge (1); then, over the outermost `margin` of d, the land sinks until all of it lies at low_m at
/// the edge. There heights below low_m are raised to it. The coast keeps the land's own relief. NoData stays.
struct IslandParams {
  IslandShape shape = IslandShape::square_bump;
  double low_m = -200;   ///< sea floor: height of e = 0
  double high_m = 1000;  ///< height of e = 1
  double mix = 0.5;
  double margin = 0.5;  ///< share of d over which the land sinks to low_m
  template <class Visitor>
  static void describe(IslandParams& p, Visitor& v) {
    static constexpr Choice<IslandShape> kShapes[] = {{"square-bump", IslandShape::square_bump},
                                                      {"euclidean", IslandShape::euclidean}};
    v.choice("shape", p.shape, kShapes,
             {.help = "distance that falls off: square bump fills the map, euclidean is round"});
    v.real("low_m", p.low_m, {.unit = "m", .min = -1e5, .max = 1e5, .help = "height at the edge of the map"});
    v.real("high_m", p.high_m, {.unit = "m", .min = -1e5, .max = 1e5, .help = "height that counts as 1; above low_m"});
    v.real("mix", p.mix,
           {.min = 0, .max = 1, .help = "0 keeps the land as it is inside the margin, 1 makes a bare bump"});
    v.real("margin", p.margin,
           {.min = 0.01, .max = 1, .help = "outer share of the distance over which the land sinks to low_m"});
  }
};
/// `spec` is the whole extent (the island is centred on it). All samples of its edge are exactly low_m (as float),
/// unless NoData. `height` may be the same view as `out`. Requires high_m > low_m. Source of the mixing: the distance
/// functions in use for generated maps since Patel's "Making maps with noise".
void island(const IslandParams& params, const GridSpec& spec, GridView<const float> height, GridView<float> out,
            const Exec& exec);

}  // namespace thalweg::shape
