// How much sky is seen from each cell.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::hydrology {
namespace {

// A ray as steps of one cell along its major axis.
struct Ray {
  bool along_x;   // the major axis
  int major;      // +1 or -1
  double minor;   // cells along the other axis per step, -1..1
  double step_m;  // length of a step
  std::int64_t steps;
};

Ray make_ray(double angle, const CellGeometry::Row& cell, double radius_m, std::int64_t most) {
  double east = exact::sin(angle) / cell.dx_m;
  double south = -exact::cos(angle) / cell.dy_m;
  // Along an axis sin or cos is 0 but for rounding; exactly 0 spares looking beside the row.
  if (std::fabs(east) < 1e-12 * std::fabs(south)) east = 0;
  if (std::fabs(south) < 1e-12 * std::fabs(east)) south = 0;
  Ray ray{};
  ray.along_x = std::fabs(east) >= std::fabs(south);
  const double lead = ray.along_x ? east : south;
  ray.major = lead < 0 ? -1 : 1;
  ray.minor = (ray.along_x ? south : east) / std::fabs(lead);
  const double x_m = (ray.along_x ? 1 : ray.minor) * cell.dx_m;
  const double y_m = (ray.along_x ? ray.minor : 1) * cell.dy_m;
  ray.step_m = std::sqrt(x_m * x_m + y_m * y_m);
  const double steps = radius_m / ray.step_m;
  ray.steps = steps < 1e15 ? std::clamp<std::int64_t>(exact::floor_to_int(steps), 1, most) : most;
  return ray;
}

// Steepest rise along the ray, at least 0, as a tangent.
double horizon_tangent(GridView<const float> height, int x, int y, const Ray& ray) {
  const int major_size = ray.along_x ? height.width() : height.height();
  const int minor_size = ray.along_x ? height.height() : height.width();
  const std::ptrdiff_t major_stride = ray.along_x ? 1 : height.stride();
  const std::ptrdiff_t minor_stride = ray.along_x ? height.stride() : 1;
  const int major_0 = ray.along_x ? x : y;
  const double minor_0 = ray.along_x ? y : x;
  const double here = height(x, y);
  double steepest = 0;
  for (std::int64_t i = 1; i <= ray.steps; ++i) {
    const std::int64_t a = major_0 + ray.major * i;
    const double b = minor_0 + ray.minor * static_cast<double>(i);
    if (a < 0 || a >= major_size || b < 0 || b > minor_size - 1) break;
    const auto b0 = static_cast<std::int64_t>(b);
    const double f = b - static_cast<double>(b0);
    const float* p = height.data() + a * major_stride + b0 * minor_stride;
    const double z0 = p[0];
    const double z = f > 0 ? z0 + f * (static_cast<double>(p[minor_stride]) - z0) : z0;
    const double rise = z - here;
    // Divides only where the horizon rises.
    const double run = static_cast<double>(i) * ray.step_m;
    if (rise > steepest * run) steepest = rise / run;
  }
  return steepest;
}

}  // namespace

void sky_view_factor(GridView<const float> height, const CellGeometry& geometry, const SkyViewParams& params,
                     GridView<float> out, const Exec& exec) {
  assert(validate(params));
  assert(out.width() == height.width() && out.height() == height.height() && geometry.height() >= height.height());
  const std::int64_t most = std::max(height.width(), height.height());
  const auto count = static_cast<std::size_t>(params.directions);
  parallel_for(exec, 0, height.height(), 4, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Ray> rays(count);
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
      for (std::size_t d = 0; d < count; ++d)
        rays[d] = make_ray(2 * exact::kPi * static_cast<double>(d) / static_cast<double>(count), geometry.row(y),
                           params.radius_m, most);
      for (int x = 0; x < height.width(); ++x) {
        if (is_nodata(height(x, y))) {
          out(x, y) = kNoData<float>;
          continue;
        }
        double hidden = 0;
        for (const Ray& ray : rays) {
          const double t = horizon_tangent(height, x, y, ray);
          hidden += t < 1e150 ? t / std::sqrt(1 + t * t) : 1.0;
        }
        out(x, y) = static_cast<float>(1.0 - hidden / static_cast<double>(count));
      }
    }
  });
}

}  // namespace thalweg::hydrology
