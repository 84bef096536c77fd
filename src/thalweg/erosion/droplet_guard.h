// Protected land: how much of a droplet's work each place may take. Internal to erosion.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/erosion/droplet_plan.h"

namespace thalweg::erosion {

/// Share of wear and deposits that a droplet in a cell may trade: 1 less the highest protection among all cells that a
/// move made there can touch in one pass, through the bilinear shares, the width of deposits, the brush and the
/// leveller. So nothing ever lands on fully protected cells, and no mass has to be moved away from them. Those cells
/// lie no further than the rim that droplets avoid (DropletPlan::margin): windows need no larger halo. Empty where
/// nothing is protected. NaN protects nothing. Cost: linear in the cells, times the brush near protected ones.
Grid<float> guard_of(const DropletPlan& plan, GridView<const float> protect, const Exec& exec);

}  // namespace thalweg::erosion
