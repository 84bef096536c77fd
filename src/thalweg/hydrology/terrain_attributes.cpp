#include "thalweg/hydrology/terrain_attributes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/neighbourhood.h"

namespace thalweg::hydrology {
namespace {
using internal::Gradient;
using internal::horn_gradient;
using internal::Neighbourhood;

constexpr double kDegreesPerRadian = 180.0 / exact::kPi;
constexpr double kPerKm = 1000;

// Derivatives of the partial quartic through the nine samples (Zevenbergen and Thorne 1987).
struct Derivatives {
  double p, q;     // first, east and south
  double r, s, t;  // second: east-east, east-south, south-south
};

Derivatives derivatives(const Neighbourhood& z, const CellGeometry::Row& cell) {
  return {(z.e - z.w) / (2 * cell.dx_m), (z.s - z.n) / (2 * cell.dy_m),
          ((z.e - z.c) + (z.w - z.c)) / (cell.dx_m * cell.dx_m),
          ((z.nw - z.ne) + (z.se - z.sw)) / (4 * cell.dx_m * cell.dy_m),
          ((z.s - z.c) + (z.n - z.c)) / (cell.dy_m * cell.dy_m)};
}

double curvature_of(const Derivatives& d, CurvatureKind kind) {
  if (kind == CurvatureKind::laplacian) return d.r + d.t;
  const double g2 = d.p * d.p + d.q * d.q;
  if (g2 == 0) return 0;
  if (kind == CurvatureKind::profile) {
    const double along = (d.p * d.p * d.r + 2 * d.p * d.q * d.s + d.q * d.q * d.t) / g2;
    return along / ((1 + g2) * std::sqrt(1 + g2));
  }
  const double across = (d.q * d.q * d.r - 2 * d.p * d.q * d.s + d.p * d.p * d.t) / g2;
  return kind == CurvatureKind::plan ? across / std::sqrt(g2) : across / std::sqrt(1 + g2);
}

// Unit vector toward a light.
struct Light {
  double east, north, up;
};

Light light_from(double azimuth_deg, double altitude_deg) {
  const double azimuth = azimuth_deg / kDegreesPerRadian;
  const double altitude = altitude_deg / kDegreesPerRadian;
  const double flat = exact::cos(altitude);
  return {flat * exact::sin(azimuth), flat * exact::cos(azimuth), exact::sin(altitude)};
}

double lit(const Gradient& g, const Light& light) {
  const double facing = light.up - g.east * light.east + g.south * light.north;
  return std::max(0.0, facing / std::sqrt(1 + g.east * g.east + g.south * g.south));
}

// Lights of the multidirectional shade and the unit vectors of their azimuths.
struct FourLights {
  std::array<Light, 4> light;
  std::array<Light, 4> level;
};

double lit_by_four(const Gradient& g, const FourLights& lights) {
  const double g2 = g.east * g.east + g.south * g.south;
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    // sin of the angle between the way down (-east, +south as north) and the light's azimuth.
    const double across = -g.east * lights.level[i].north - g.south * lights.level[i].east;
    const double weight = g2 > 0 ? across * across / g2 : 0.5;
    sum += weight * lit(g, lights.light[i]);
  }
  return sum / 2;  // sin^2 at four angles 45 degrees apart sums to 2
}

// out = value(area over contour width, tangent) where both are known.
template <class Value>
void from_area_and_slope(GridView<const double> area_m2, GridView<const float> tangent, const CellGeometry& geometry,
                         GridView<float> out, const Exec& exec, const Value& value) {
  assert(area_m2.width() == out.width() && area_m2.height() == out.height());
  assert(tangent.width() == out.width() && tangent.height() == out.height() && geometry.height() >= out.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const double contour_m = std::sqrt(geometry.row(y).area_m2);
      for (int x = 0; x < out.width(); ++x) {
        const double a = area_m2(x, y);
        const double t = tangent(x, y);
        out(x, y) = a == a && t == t ? static_cast<float>(value(a / contour_m, t)) : kNoData<float>;
      }
    }
  });
}

}  // namespace

void slope(GridView<const float> height, const CellGeometry& geometry, const SlopeParams& params, GridView<float> out,
           const Exec& exec) {
  const bool degrees = params.unit == SlopeUnit::degrees;
  internal::for_neighbourhoods(height, geometry, out, exec, [=](const Neighbourhood& z, const CellGeometry::Row& cell) {
    const Gradient g = horn_gradient(z, cell);
    const double tangent = std::sqrt(g.east * g.east + g.south * g.south);
    return degrees && tangent == tangent ? exact::atan2(tangent, 1.0) * kDegreesPerRadian : tangent;
  });
}

void aspect(GridView<const float> height, const CellGeometry& geometry, GridView<float> out, const Exec& exec) {
  internal::for_neighbourhoods(height, geometry, out, exec, [](const Neighbourhood& z, const CellGeometry::Row& cell) {
    const Gradient g = horn_gradient(z, cell);
    if (g.east == 0 && g.south == 0) return -1.0;
    if (!(std::fabs(g.east) + std::fabs(g.south) < HUGE_VAL)) return static_cast<double>(kNoData<float>);
    const double facing = exact::atan2(-g.east, g.south) * kDegreesPerRadian;
    const double turned = facing < 0 ? facing + 360.0 : facing;
    return static_cast<float>(turned) < 360.0F ? turned : 0.0;  // a hair west of north rounds up to 360
  });
}

void curvature(GridView<const float> height, const CellGeometry& geometry, const CurvatureParams& params,
               GridView<float> out, const Exec& exec) {
  const CurvatureKind kind = params.kind;
  internal::for_neighbourhoods(height, geometry, out, exec, [=](const Neighbourhood& z, const CellGeometry::Row& cell) {
    return kPerKm * curvature_of(derivatives(z, cell), kind);
  });
}

void topographic_wetness(GridView<const double> area_m2, GridView<const float> tangent, const CellGeometry& geometry,
                         const WetnessParams& params, GridView<float> out, const Exec& exec) {
  assert(validate(params));
  const double least = params.min_tangent;
  from_area_and_slope(area_m2, tangent, geometry, out, exec,
                      [=](double a, double t) { return exact::log(a / std::max(t, least)); });
}

void stream_power_index(GridView<const double> area_m2, GridView<const float> tangent, const CellGeometry& geometry,
                        GridView<float> out, const Exec& exec) {
  from_area_and_slope(area_m2, tangent, geometry, out, exec, [](double a, double t) { return a * t; });
}

void hillshade(GridView<const float> height, const CellGeometry& geometry, const HillshadeParams& params,
               GridView<float> out, const Exec& exec) {
  assert(validate(params));
  FourLights four{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double azimuth = params.azimuth_deg - 90 + 45 * static_cast<double>(i);
    four.light[i] = light_from(azimuth, params.altitude_deg);
    four.level[i] = light_from(azimuth, 0);
  }
  const Light one = light_from(params.azimuth_deg, params.altitude_deg);
  const double times = params.exaggeration;
  const bool multi = params.multidirectional;
  internal::for_neighbourhoods(height, geometry, out, exec, [&](const Neighbourhood& z, const CellGeometry::Row& cell) {
    const Gradient g = horn_gradient(z, cell);
    const Gradient seen{g.east * times, g.south * times};
    if (!(std::fabs(seen.east) + std::fabs(seen.south) < 1e150)) return static_cast<double>(kNoData<float>);
    return std::min(1.0, multi ? lit_by_four(seen, four) : lit(seen, one));
  });
}

}  // namespace thalweg::hydrology
