// Randomised steepest descent over 8 neighbours.
#include <vector>

#include "thalweg/core/random.h"
#include "thalweg/hydrology/direction_rows.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::hydrology {
namespace {

constexpr std::uint64_t kPurpose = 0x52484F38;  // "RHO8"

// 1 - r of each cell of an absolute row, in (0, 1].
void random_row(std::uint64_t seed, std::int64_t origin_x, std::int64_t y, int width, double* out) {
  const std::uint64_t row = hash64(derive_seed(seed, kPurpose), y);
  const auto first = static_cast<std::uint64_t>(origin_x);
  for (int x = 0; x < width; ++x)
    out[x] = 1.0 - unit_double(mix64(row + (first + static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15ULL));
}

// Codes as double, so that every lane of a vector has the same width.
template <class Real>
void rho8_row(const Real* above, const Real* here, const Real* below, int width, const CellGeometry::Row& cell,
              const double* one_minus_r, std::uint8_t* out) {
  const double xx = cell.dx_m * cell.dx_m;
  const double yy = cell.dy_m * cell.dy_m;
  const double per_xx = 1 / xx;
  const double per_yy = 1 / yy;
  for (int x = 0; x < width; ++x) {
    const auto h = static_cast<double>(here[x]);
    const auto drop = [&](Real v) { return h - static_cast<double>(v); };
    const double east = drop(here[x + 1]) * per_xx;
    const double west = drop(here[x - 1]) * per_xx;
    const double south = drop(below[x]) * per_yy;
    const double north = drop(above[x]) * per_yy;
    const double beside_x = 1 / (xx + one_minus_r[x] * yy);
    const double beside_y = 1 / (yy + one_minus_r[x] * xx);
    // The value of a diagonal counts from its better flank; one beyond the border (NaN) is never that.
    const auto diagonal = [&](Real v, double flank_x, double flank_y) {
      const bool along_x = (flank_x >= flank_y) | (flank_y != flank_y);
      return drop(v) * (along_x ? beside_x : beside_y);
    };
    double best = -1;
    double code = 0;
    const auto compare = [&](Real v, double value, double candidate) {
      const bool wins = (v < here[x]) & (value > best);
      code = wins ? candidate : code;
      best = wins ? value : best;
    };
    compare(here[x + 1], east, 1);
    compare(below[x + 1], diagonal(below[x + 1], east, south), 2);
    compare(below[x], south, 4);
    compare(below[x - 1], diagonal(below[x - 1], west, south), 8);
    compare(here[x - 1], west, 16);
    compare(above[x - 1], diagonal(above[x - 1], west, north), 32);
    compare(above[x], north, 64);
    compare(above[x + 1], diagonal(above[x + 1], east, north), 128);
    out[x] = static_cast<std::uint8_t>(static_cast<int>(code));
  }
}

}  // namespace

template <class T>
void rho8(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, std::uint64_t seed,
          GridView<std::uint8_t> directions, const Exec& exec, std::int64_t origin_x, std::int64_t origin_y) {
  assert(geometry.height() >= height.height());
  const int w = height.width();
  internal::route_rows<T>(height, outlets, directions, exec, [&](const auto& rows, int y, std::uint8_t* out) {
    std::vector<double> random(static_cast<std::size_t>(w));
    random_row(seed, origin_x, origin_y + y, w, random.data());
    rho8_row(rows.above(), rows.here(), rows.below(), w, geometry.row(y), random.data(), out);
  });
}

template void rho8<std::int16_t>(GridView<const std::int16_t>, const CellGeometry&, OutletMask, std::uint64_t,
                                 GridView<std::uint8_t>, const Exec&, std::int64_t, std::int64_t);
template void rho8<std::int32_t>(GridView<const std::int32_t>, const CellGeometry&, OutletMask, std::uint64_t,
                                 GridView<std::uint8_t>, const Exec&, std::int64_t, std::int64_t);
template void rho8<float>(GridView<const float>, const CellGeometry&, OutletMask, std::uint64_t, GridView<std::uint8_t>,
                          const Exec&, std::int64_t, std::int64_t);
template void rho8<double>(GridView<const double>, const CellGeometry&, OutletMask, std::uint64_t,
                           GridView<std::uint8_t>, const Exec&, std::int64_t, std::int64_t);

}  // namespace thalweg::hydrology
