// Steepest descent over 8 neighbours.
#include "thalweg/hydrology/directions.h"

#include <array>
#include <vector>

#include "thalweg/hydrology/flats.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology {
namespace {

using internal::find_outlets;
using internal::mask_row;
using internal::PaddedRows;

// Direction codes of one row, 0 where no neighbour is strictly lower. Drops and slopes are doubles; of equal slopes the
// lowest neighbour number wins. NaN drops win nothing.
template <class Real>
void steepest_row(const Real* above, const Real* here, const Real* below, int width, const CellGeometry::Row& cell,
                  std::uint8_t* out) {
  for (int x = 0; x < width; ++x) {
    const double h = static_cast<double>(here[x]);
    const std::array<double, 8> drop = {h - here[x + 1], h - below[x + 1], h - below[x], h - below[x - 1],
                                        h - here[x - 1], h - above[x - 1], h - above[x], h - above[x + 1]};
    const std::array<double, 3> length = {cell.dx_m, cell.dy_m, cell.diagonal_m};
    double best = 0;
    int code = kNoFlow;
    for (int d = 0; d < 8; ++d) {
      const double slope = drop[d] / length[(d & 1) != 0 ? 2 : (d >> 1) & 1];
      const bool wins = slope > best;
      best = wins ? slope : best;
      code = wins ? 1 << d : code;
    }
    // A drop so small that its slope is 0 in double still counts: a cell without direction has no lower neighbour.
    if (sizeof(Real) == sizeof(double) && code == kNoFlow) {
      for (int d = 0; d < 8; ++d) {
        code = drop[d] > best ? 1 << d : code;
        best = drop[d] > best ? drop[d] : best;
      }
    }
    out[x] = static_cast<std::uint8_t>(code);
  }
}

}  // namespace

template <class T>
void d8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<std::uint8_t> directions,
        const Exec& exec) {
  assert(directions.width() == height.width() && directions.height() == height.height());
  assert(geometry.height() >= height.height());
  const int w = height.width();
  if (height.empty()) return;
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    PaddedRows<T> rows(height);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> outlet(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = directions.row(y);
      const std::uint8_t* marked = mask_row(outlets, y);
      steepest_row(rows.above(), rows.here(), rows.below(), w, geometry.row(y), to);
      find_outlets(rows.above(), rows.here(), rows.below(), w, marked, scratch.data(), outlet.data());
      const auto* here = rows.here();
      for (int x = 0; x < w; ++x) {
        if (to[x] == kNoFlow && outlet[x] == 0) to[x] = internal::kFlatPending;
        if (marked != nullptr && marked[x] != 0) to[x] = kNoFlow;
        if (here[x] != here[x]) to[x] = kFlowNoData;
      }
      if (y + 1 < y1) rows.next();
    }
  });
  exec.progress(0.3);
  if (!exec.cancelled()) internal::resolve_flats<T>(height, directions, exec);
  exec.progress(1);
}

template void d8<std::int16_t>(GridView<const std::int16_t>, const CellGeometry&, OutletMask, GridView<std::uint8_t>,
                               const Exec&);
template void d8<std::int32_t>(GridView<const std::int32_t>, const CellGeometry&, OutletMask, GridView<std::uint8_t>,
                               const Exec&);
template void d8<float>(GridView<const float>, const CellGeometry&, OutletMask, GridView<std::uint8_t>, const Exec&);
template void d8<double>(GridView<const double>, const CellGeometry&, OutletMask, GridView<std::uint8_t>, const Exec&);

}  // namespace thalweg::hydrology
