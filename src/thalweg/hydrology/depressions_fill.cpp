// Filling depressions: the graph of basins over the whole grid.
#include "thalweg/hydrology/basin_graph.h"
#include "thalweg/hydrology/basin_labels.h"
#include "thalweg/hydrology/depressions.h"

namespace thalweg::hydrology {

using internal::find_passes;
using internal::flood_basins;
using internal::Pass;
using internal::raise_cells;
using internal::RealOf;

template <class T>
void fill(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec) {
  assert(out.width() == height.width() && out.height() == height.height());
  if (height.empty()) return;
  Grid<std::uint32_t> label(height.width(), height.height());
  const std::uint32_t labels = internal::label_minima<T>(height, outlets, label.view(), exec.part(0, 0.6));
  if (exec.cancelled()) return;
  const std::vector<Pass<RealOf<T>>> passes = find_passes<T>(height, label, exec);
  exec.progress(0.8);
  raise_cells<T>(height, label, flood_basins(passes, labels), out, exec);
  exec.progress(1);
}

template void fill<std::int16_t>(GridView<const std::int16_t>, OutletMask, GridView<std::int16_t>, const Exec&);
template void fill<std::int32_t>(GridView<const std::int32_t>, OutletMask, GridView<std::int32_t>, const Exec&);
template void fill<float>(GridView<const float>, OutletMask, GridView<float>, const Exec&);
template void fill<double>(GridView<const double>, OutletMask, GridView<double>, const Exec&);

}  // namespace thalweg::hydrology
