// The ground and water of a scene at the source's resolution, repaired for drawing.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/render/render.h"

namespace thalweg::render {

struct Land {
  Grid<float> ground;   ///< NaN is a hole
  Grid<float> level;    ///< of water, also beside it below dry ground; NaN: no water near. Empty: none at all.
  Grid<float> bridged;  ///< 1 where a void has been bridged; empty: nowhere
};

/// Takes the scene's heights, carries water levels one cell past the shore, lets a sea of unknown depth (ground at
/// exactly sea level) fall off from the coast, and bridges small voids: patches of NoData of at most 2 % of the map
/// each, as elevation models have on steep ground, would be shafts to the picture's floor. Larger ones stay open.
Land make_land(const Scene& scene, const Exec& exec);

}  // namespace thalweg::render
