// How natural a result or an elevation model is, beside real ones: hydrology/realism.h over files.
#pragma once

#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/load.h"
#include "thalweg/hydrology/real_ranges.h"
#include "thalweg/hydrology/realism.h"

namespace thalweg::folder {

struct MeasuredLand {
  std::string path;
  hydrology::RealismReport report;
};

/// Measures height_file(), with the water level on lakes, as elevation models show it. The sea is what lies at or below
/// the world's sea level and touches the edge; of a model that names none, what open_sea finds on its filled surface.
/// About 45 bytes a cell.
Result<MeasuredLand> measure_land(const Input& input, const Exec& exec);

/// The land in question and what it is held against: the models of `against` or, where there are none, the shipped
/// ranges of real models of like cells in `terrain`.
struct Figures {
  MeasuredLand land;
  std::vector<MeasuredLand> against;
  hydrology::TerrainType terrain = hydrology::TerrainType::all;
};

/// The range that a figure is judged by: of `against` those with like cells.
hydrology::RealRange range_for(const Figures& figures, const std::string& name);

/// A table of the figures beside the range, or beside those of each model of `against`, and a line that counts.
std::string as_text(const Figures& figures);
/// A JSON array: {name, value (null where the land cannot tell), unit, method, n, real: {n, min, q25, median, q75, max}
/// or null, verdict: "typical", "inside", "outside" or "unjudged", against: [{path, value}]}.
std::string as_json(const Figures& figures);

}  // namespace thalweg::folder
