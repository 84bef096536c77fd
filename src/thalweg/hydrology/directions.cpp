// Steepest descent over 8 neighbours.
#include "thalweg/hydrology/directions.h"

#include <vector>

#include "thalweg/hydrology/flats.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology {
namespace {

using internal::find_outlets;
using internal::mask_row;
using internal::PaddedRows;

// No direction yet; above every code, so that any code wins a tie against it.
constexpr int kNone = 256;

// Direction codes of one row, 0 where no neighbour is strictly lower. Neighbours come in three classes of equal
// distance. Within a class the lowest wins, of equal ones the lowest number; between the winners the slopes decide,
// again with the lowest number at ties. NaN wins nothing. Codes are kept as Real so that every lane of a vector has the
// same width.
template <class Real>
void steepest_row(const Real* above, const Real* here, const Real* below, int width, const CellGeometry::Row& cell,
                  std::uint8_t* out) {
  const double dx = cell.dx_m;
  const double dy = cell.dy_m;
  const double diagonal = cell.diagonal_m;
  for (int x = 0; x < width; ++x) {
    const Real h = here[x];
    Real low_x = h, low_y = h, low_d = h;
    Real code_x = kNone, code_y = kNone, code_d = kNone;
    const auto try_cell = [](Real v, Real code, Real& low, Real& best) {
      best = v < low ? code : best;
      low = v < low ? v : low;
    };
    try_cell(here[x + 1], 1, low_x, code_x);
    try_cell(here[x - 1], 16, low_x, code_x);
    try_cell(below[x], 4, low_y, code_y);
    try_cell(above[x], 64, low_y, code_y);
    try_cell(below[x + 1], 2, low_d, code_d);
    try_cell(below[x - 1], 8, low_d, code_d);
    try_cell(above[x - 1], 32, low_d, code_d);
    try_cell(above[x + 1], 128, low_d, code_d);
    const auto height = static_cast<double>(h);
    double best = (height - static_cast<double>(low_x)) / dx;
    auto code = static_cast<double>(code_x);
    const auto compare = [&](double slope, double candidate) {
      const bool wins = (slope > best) | ((slope == best) & (candidate < code));
      code = wins ? candidate : code;
      best = wins ? slope : best;
    };
    best = best == best ? best : 0;  // infinite minus infinite, where nothing is lower
    compare((height - static_cast<double>(low_y)) / dy, static_cast<double>(code_y));
    compare((height - static_cast<double>(low_d)) / diagonal, static_cast<double>(code_d));
    out[x] = static_cast<std::uint8_t>(static_cast<int>(code));
  }
}

}  // namespace

template <class T>
void internal::find_steepest(GridView<const T> height, const CellGeometry& geometry, int first_row, OutletMask outlets,
                             GridView<std::uint8_t> directions, const Exec& exec) {
  assert(directions.width() == height.width() && directions.height() == height.height());
  assert(geometry.height() >= first_row + height.height());
  const int w = height.width();
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    PaddedRows<T> rows(height);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> outlet(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = directions.row(y);
      const std::uint8_t* marked = mask_row(outlets, y);
      steepest_row(rows.above(), rows.here(), rows.below(), w, geometry.row(first_row + y), to);
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
}

template <class T>
void d8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<std::uint8_t> directions,
        const Exec& exec) {
  if (height.empty()) return;
  internal::find_steepest<T>(height, geometry, 0, outlets, directions, exec);
  exec.progress(0.3);
  if (!exec.cancelled()) internal::resolve_flats<T>(height, directions, exec);
  exec.progress(1);
}

template void internal::find_steepest<std::int16_t>(GridView<const std::int16_t>, const CellGeometry&, int, OutletMask,
                                                    GridView<std::uint8_t>, const Exec&);
template void internal::find_steepest<std::int32_t>(GridView<const std::int32_t>, const CellGeometry&, int, OutletMask,
                                                    GridView<std::uint8_t>, const Exec&);
template void internal::find_steepest<float>(GridView<const float>, const CellGeometry&, int, OutletMask,
                                             GridView<std::uint8_t>, const Exec&);
template void internal::find_steepest<double>(GridView<const double>, const CellGeometry&, int, OutletMask,
                                              GridView<std::uint8_t>, const Exec&);
template void d8<std::int16_t>(GridView<const std::int16_t>, const CellGeometry&, OutletMask, GridView<std::uint8_t>,
                               const Exec&);
template void d8<std::int32_t>(GridView<const std::int32_t>, const CellGeometry&, OutletMask, GridView<std::uint8_t>,
                               const Exec&);
template void d8<float>(GridView<const float>, const CellGeometry&, OutletMask, GridView<std::uint8_t>, const Exec&);
template void d8<double>(GridView<const double>, const CellGeometry&, OutletMask, GridView<std::uint8_t>, const Exec&);

}  // namespace thalweg::hydrology
