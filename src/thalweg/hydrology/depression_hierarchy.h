// Depressions as a tree: which pit lies in which larger hollow, where each spills, and how much it holds.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {

/// A hollow that would hold water up to its outlet. A leaf has one pit; other depressions are two that joined when the
/// water stood at the outlet which they share.
struct Depression {
  std::int32_t parent = 0;  ///< the depression that begins where this one is full, 0 where it spills to the ocean
  std::int32_t left = 0;    ///< the two that joined here (left has the lower number); 0 in a leaf
  std::int32_t right = 0;
  std::int32_t overflow = 0;      ///< leaf (or ocean, 0) whose ground lies beyond the outlet
  std::int64_t pit_cell = -1;     ///< deepest cell; of several the lowest index
  std::int64_t outlet_cell = -1;  ///< the higher cell of the lowest pass; of equal ones the lowest index
  double pit_m = 0;
  double outlet_m = 0;     ///< height of the pass
  std::int64_t cells = 0;  ///< cells lower than the outlet
  double area_m2 = 0;      ///< of those cells
  double volume_m3 = 0;    ///< of water up to the outlet, that in its parts included

  bool is_leaf() const { return left == 0; }
  double depth_m() const { return outlet_m - pit_m; }
};

struct DepressionHierarchy {
  /// [0] is the ocean (everything outside, without figures). Then the leaves in the order of their pit cells, then the
  /// others in the order in which they form; so a parent other than the ocean has a higher number than its parts.
  std::vector<Depression> depressions;
  std::int32_t leaves = 0;  ///< numbers 1 .. leaves
  /// An ancestor of each depression, chosen so that climbing by `skip` and `parent` takes a logarithmic number of steps
  /// (Myers 1983).
  std::vector<std::int32_t> skip;

  /// The smallest depression that contains a cell of this height in leaf `label`; 0 where water never stands on it.
  std::int32_t innermost(std::int32_t label, double height_m) const;
};

/// Builds the tree (Barnes, Callaghan and Wickert 2020). `label` gets the leaf whose pit each cell descends to (to its
/// lowest neighbour again and again), 0 for cells that descend to an outlet, kNoData on NoData. Outlets are those of
/// depressions.h: the border, cells beside NoData, marked ones. T: int16_t, int32_t, float, double.
///
/// A depression has a depth: flats that drain are none, and a closed flat is one pit. outlet_m never falls from a
/// depression to its parent, nor along overflow from a depression of the ocean to that of `overflow`. Filling all
/// depressions of the ocean to their outlets gives fill's surface.
/// Two that meet at a height at which one of them also reaches the ocean do not join: both belong to the ocean. Further
/// ties go to the lower outlet cell, so the tree is a function of the input alone.
/// Cost: n log n in the number of passes between leaves, n log d in cells (d: depth of the tree); 4 bytes per cell
/// besides `label`. Fails with more than 2^31 - 1 depressions.
template <class T>
Result<DepressionHierarchy> depression_hierarchy(GridView<const T> height, OutletMask outlets,
                                                 const CellGeometry& geometry, GridView<std::int32_t> label,
                                                 const Exec& exec);

/// Which depressions are noise. A depression is small that misses any of the limits.
struct SmallDepressionParams {
  double min_area_m2 = 20000;
  double min_depth_m = 1;
  double min_volume_m3 = 0;
  bool inside_larger = false;
  template <class Visitor>
  static void describe(SmallDepressionParams& p, Visitor& v) {
    v.real("min_area_m2", p.min_area_m2,
           {.unit = "m2", .min = 0, .max = 1e15, .help = "smaller depressions are filled"});
    v.real("min_depth_m", p.min_depth_m,
           {.unit = "m", .min = 0, .max = 1e5, .help = "depressions whose deepest cell is less deep are filled"});
    v.real("min_volume_m3", p.min_volume_m3,
           {.unit = "m3", .min = 0, .max = 1e18, .help = "depressions that hold less are filled"});
    v.boolean("inside_larger", p.inside_larger,
              {.help = "fill small pits inside larger depressions too, but for their deepest one"});
  }
};

/// Fills small depressions to their outlets and leaves larger ones as they are, bed and all: what remains of the tree
/// are the depressions of the ocean that are not small, unchanged. With `inside_larger` also their small parts are
/// filled, except the part that holds the deepest pit of a larger one: so the larger keep their depth, and of their
/// small pits one. `out` may be the same view as `height`. Nothing is small: `height`; everything is: fill's surface.
/// T and outlets as above. Cost: that of the tree.
template <class T>
Status fill_small(GridView<const T> height, OutletMask outlets, const CellGeometry& geometry,
                  const SmallDepressionParams& params, GridView<T> out, const Exec& exec);

}  // namespace thalweg::hydrology
