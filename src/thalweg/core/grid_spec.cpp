#include "thalweg/core/grid_spec.h"

#include <cmath>

#include "thalweg/core/exact_math.h"

namespace thalweg {
namespace {
CellGeometry::Row make_row(double dx_m, double dy_m) {
  return {dx_m, dy_m, std::sqrt(dx_m * dx_m + dy_m * dy_m), dx_m * dy_m};
}
}  // namespace

CellGeometry CellGeometry::uniform(double dx_m, double dy_m, int height) {
  CellGeometry g;
  g.rows_.assign(static_cast<std::size_t>(height), make_row(dx_m, dy_m));
  return g;
}

CellGeometry CellGeometry::geographic(double first_lat, double step_lon, double step_lat, int height) {
  constexpr double kSemiMajor = 6378137.0;
  constexpr double kFlattening = 1.0 / 298.257223563;
  constexpr double kE2 = kFlattening * (2.0 - kFlattening);
  constexpr double kDegree = exact::kPi / 180.0;
  CellGeometry g;
  g.uniform_ = false;
  g.rows_.reserve(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    double lat = first_lat - y * step_lat;
    if (lat > 89.999) lat = 89.999;  // a cell at the pole has no width: keep distances positive
    if (lat < -89.999) lat = -89.999;
    const double s = exact::sin(lat * kDegree);
    const double w = std::sqrt(1.0 - kE2 * s * s);
    const double prime_vertical = kSemiMajor / w;
    const double meridional = kSemiMajor * (1.0 - kE2) / (w * w * w);
    const double step = step_lat < 0 ? -step_lat : step_lat;
    g.rows_.push_back(
        make_row(prime_vertical * exact::cos(lat * kDegree) * step_lon * kDegree, meridional * step * kDegree));
  }
  return g;
}

CellGeometry CellGeometry::of(const GridSpec& spec) {
  if (spec.georeference && spec.georeference->geographic) {
    const auto& t = spec.georeference->transform;
    const double step_lon = t[1] < 0 ? -t[1] : t[1];
    return geographic(spec.georeference->cell_centre(0, 0)[1], step_lon, -t[5], spec.height);
  }
  return uniform(spec.cell_m, spec.cell_y_m, spec.height);
}

}  // namespace thalweg
