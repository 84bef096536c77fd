// What a recipe promises of the finished land, and whether it holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/shape/sketch.h"

namespace thalweg::recipe {

/// On which side of the sketch's height the land may lie.
enum class PromiseSide {
  within,    ///< neither above nor below by more than the tolerance
  at_least,  ///< not below by more: land that a step raised
  at_most,   ///< not above by more: land that a step lowered
};
std::string_view name_of(PromiseSide side);

/// How a promise fared. A sample counts where it lies inside a polygon, within half a cell of a line, or nearest to a
/// point.
struct PromiseResult {
  std::int64_t samples = 0;      ///< on dry land, compared
  std::int64_t under_water = 0;  ///< on the sketch but under river, lake or sea: not compared
  std::int64_t faults = 0;       ///< farther from the sketch's height than the tolerance
  double worst_m = 0;            ///< largest deviation, and where it is: the first of equal ones
  int worst_x = -1;
  int worst_y = -1;
  double wanted_m = 0;  ///< the sketch's height there
  double found_m = 0;   ///< the land's
  bool ok() const { return faults == 0; }
};

/// The land on a sketch lies within `tolerance_m` of the sketch's height, except where water covers it.
struct Promise {
  std::string step;      ///< that made it
  shape::Sketch sketch;  ///< has heights
  PromiseSide side = PromiseSide::within;
  double tolerance_m = 0;
  PromiseResult result;  ///< filled at the end of a run
};

/// Compares heights with a promise. `water_m` (depth, wet where above 0) may be empty: no water. Deviations are from
/// the sketch's height as float, so that land pulled in full deviates by exactly 0. NoData on the sketch is a fault.
/// Cost and memory: two fields.
PromiseResult check_promise(const Promise& promise, const GridSpec& spec, GridView<const float> height_m,
                            GridView<const float> water_m, const Exec& exec);

/// "column 12, row 7: 431.2 m instead of 440 m", or "" where no sample was compared.
std::string worst_place(const PromiseResult& result);

}  // namespace thalweg::recipe
