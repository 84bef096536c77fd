#include "thalweg/hydrology/accumulation.h"

#include "thalweg/hydrology/exact_sums.h"
#include "thalweg/hydrology/flow_sums.h"

namespace thalweg::hydrology {

using internal::accumulate;

Status accumulate_cells(GridView<const std::uint8_t> directions, GridView<std::uint64_t> out, const Exec& exec) {
  return accumulate(
      directions, out, [](int, int) { return std::uint64_t{1}; }, std::uint64_t{0}, exec);
}

Status accumulate_area(GridView<const std::uint8_t> directions, const CellGeometry& geometry, GridView<double> out,
                       const Exec& exec) {
  assert(geometry.height() >= directions.height());
  const AreaUnits units(geometry, directions.height(), directions.cells());
  const auto own = [&](int, int y) { return units.of_row(y); };
  THALWEG_TRY(accumulate(directions, out, own, kNoData<double>, exec));
  scale_area(units, out, exec);
  return {};
}

Status accumulate_weighted(GridView<const std::uint8_t> directions, GridView<const float> weight, GridView<double> out,
                           const Exec& exec) {
  assert(weight.width() == directions.width() && weight.height() == directions.height());
  const WeightUnits units(largest_weight(weight, exec), directions.cells());
  const auto own = [&](int x, int y) { return units.rounded(weight(x, y)); };
  return accumulate(directions, out, own, kNoData<double>, exec);
}

}  // namespace thalweg::hydrology
