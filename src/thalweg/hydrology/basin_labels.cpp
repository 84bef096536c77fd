// Descent of every cell to a local minimum.
#include "thalweg/hydrology/basin_labels.h"

#include "thalweg/hydrology/basin_graph.h"

namespace thalweg::hydrology::internal {

template <class T>
std::uint32_t label_minima(GridView<const T> height, OutletMask outlets, GridView<std::uint32_t> label,
                           const Exec& exec) {
  assert(label.width() == height.width() && label.height() == height.height() && label.contiguous());
  Grid<std::uint8_t> code(height.width(), height.height());
  point_rows(height, outlets, code.view(), exec);
  exec.progress(0.33);
  const std::uint32_t labels = label_cells(code, label, exec);
  exec.progress(1);
  return labels;
}

template std::uint32_t label_minima<std::int16_t>(GridView<const std::int16_t>, OutletMask, GridView<std::uint32_t>,
                                                  const Exec&);
template std::uint32_t label_minima<std::int32_t>(GridView<const std::int32_t>, OutletMask, GridView<std::uint32_t>,
                                                  const Exec&);
template std::uint32_t label_minima<float>(GridView<const float>, OutletMask, GridView<std::uint32_t>, const Exec&);
template std::uint32_t label_minima<double>(GridView<const double>, OutletMask, GridView<std::uint32_t>, const Exec&);

}  // namespace thalweg::hydrology::internal
