// Steepest descent over 8 neighbours.
#include "thalweg/hydrology/directions.h"

#include "thalweg/hydrology/direction_rows.h"

namespace thalweg::hydrology {
namespace {

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
  assert(geometry.height() >= first_row + height.height());
  const auto steepest = [&](const auto& rows, int y, std::uint8_t* out) {
    steepest_row(rows.above(), rows.here(), rows.below(), height.width(), geometry.row(first_row + y), out);
  };
  internal::find_lower<T>(height, outlets, directions, exec, steepest);
}

template <class T>
void d8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<std::uint8_t> directions,
        const Exec& exec) {
  assert(geometry.height() >= height.height());
  internal::route_rows<T>(height, outlets, directions, exec, [&](const auto& rows, int y, std::uint8_t* out) {
    steepest_row(rows.above(), rows.here(), rows.below(), height.width(), geometry.row(y), out);
  });
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
