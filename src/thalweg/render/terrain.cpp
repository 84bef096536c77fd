#include "thalweg/render/terrain.h"

#include <cmath>
#include <limits>

#include "thalweg/render/land.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Least and greatest finite height; false if there is none.
bool range_of(GridView<const float> g, double& low, double& high) {
  low = std::numeric_limits<double>::infinity();
  high = -low;
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x)
      if (const double v = g(x, y); std::isfinite(v)) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
  return low <= high;
}

/// Catmull-Rom weights at fraction t.
void cubic_weights(double t, double w[4]) {
  w[0] = t * (-0.5 + t * (1 - 0.5 * t));
  w[1] = 1 + t * t * (-2.5 + 1.5 * t);
  w[2] = t * (0.5 + t * (2 - 1.5 * t));
  w[3] = t * t * (-0.5 + 0.5 * t);
}

/// Cubic interpolation where all samples exist, else linear, else a hole.
float interpolate(const Grid<float>& g, double x, double y, bool cubic) {
  const int x0 = std::min(static_cast<int>(x), std::max(g.width() - 2, 0));
  const int y0 = std::min(static_cast<int>(y), std::max(g.height() - 2, 0));
  const auto at = [&](int cx, int cy) {
    return double{g(std::min(std::max(cx, 0), g.width() - 1), std::min(std::max(cy, 0), g.height() - 1))};
  };
  const double u = x - x0;
  const double v = y - y0;
  double linear = at(x0, y0) * (1 - u) * (1 - v);
  if (u > 0) linear += at(x0 + 1, y0) * u * (1 - v);
  if (v > 0) linear += at(x0, y0 + 1) * (1 - u) * v;
  if (u > 0 && v > 0) linear += at(x0 + 1, y0 + 1) * u * v;
  if (!cubic || std::isnan(linear)) return static_cast<float>(linear);
  double wx[4];
  double wy[4];
  cubic_weights(u, wx);
  cubic_weights(v, wy);
  double sum = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) sum += wx[i] * wy[j] * at(x0 + i - 1, y0 + j - 1);
  return static_cast<float>(std::isnan(sum) ? linear : sum);
}

/// Mean over `step` cells around a source sample, weights falling to the sides; holes are left out.
float average(const Grid<float>& g, int x, int y, int step) {
  if (std::isnan(g(x, y))) return kHole;
  double sum = 0;
  double weight = 0;
  for (int dy = 1 - step; dy < step; ++dy)
    for (int dx = 1 - step; dx < step; ++dx) {
      if (!g.view().contains(x + dx, y + dy)) continue;
      const double v = g(x + dx, y + dy);
      if (std::isnan(v)) continue;
      const double w = (step - std::abs(dx)) * (step - std::abs(dy));
      sum += w * v;
      weight += w;
    }
  return static_cast<float>(sum / weight);
}

/// `up` samples per source cell, or one per `down` source cells.
struct Resampling {
  int up = 1;
  int down = 1;
  int size(int samples) const {
    return samples == 1 ? 2 : up > 1 ? (samples - 1) * up + 1 : std::max((samples - 1) / down + 1, 2);
  }
};

Grid<float> resample(const Grid<float>& g, const Resampling& r, bool cubic, const Exec& exec) {
  Grid<float> out(r.size(g.width()), r.size(g.height()));
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < out.width(); ++x) {
        if (r.up > 1) {
          out(x, y) = interpolate(g, std::min(static_cast<double>(x) / r.up, g.width() - 1.0),
                                  std::min(static_cast<double>(y) / r.up, g.height() - 1.0), cubic);
        } else {
          const int sx = std::min(x * r.down, g.width() - 1);
          const int sy = std::min(y * r.down, g.height() - 1);
          out(x, y) = r.down > 1 ? average(g, sx, sy, r.down) : g(sx, sy);
        }
      }
  });
  return out;
}

void build_surface(const Land& land, const Resampling& r, double low_m, Terrain& out, const Exec& exec) {
  const double limit = 20 * out.extent();
  const auto to_z = [&](double metres) {
    return std::min(std::max((metres - low_m) * out.exaggeration, -limit), limit);
  };
  out.surface = resample(land.ground, r, true, exec);
  Grid<float> level;
  if (!land.level.empty()) {
    level = resample(land.level, r, false, exec);
    out.depth = Grid<float>(out.width, out.height);
  }
  if (!land.bridged.empty()) out.bridged = resample(land.bridged, r, false, exec);
  parallel_rows(exec, out.width, out.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < out.width; ++x) {
        float& z = out.surface(x, y);
        if (std::isnan(z)) {
          if (!out.depth.empty()) out.depth(x, y) = -1;
          continue;
        }
        z = static_cast<float>(to_z(z));
        if (out.depth.empty()) continue;
        const float water = level(x, y);
        const float depth = std::isnan(water) ? -1.0F : static_cast<float>(to_z(water)) - z;
        out.depth(x, y) = depth;
        if (depth > 0) z += depth;
      }
  });
}

void build_gradient(Terrain& out, const Exec& exec) {
  out.gradient = Grid<Gradient>(out.width, out.height);
  const Grid<float>& s = out.surface;
  const auto slope = [](float before, float here, float after, double cell) {
    const bool b = std::isfinite(before);
    const bool a = std::isfinite(after);
    const double rise = b && a ? 0.5 * (double{after} - before)
                        : a    ? double{after} - here
                        : b    ? double{here} - before
                               : 0.0;
    return static_cast<float>(rise / cell);
  };
  parallel_rows(exec, out.width, out.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < out.width; ++x) {
        const float here = s(x, y);
        if (std::isnan(here)) continue;
        out.gradient(x, y) = {
            slope(x > 0 ? s(x - 1, y) : kHole, here, x + 1 < out.width ? s(x + 1, y) : kHole, out.cell_x),
            slope(y > 0 ? s(x, y - 1) : kHole, here, y + 1 < out.height ? s(x, y + 1) : kHole, out.cell_y)};
      }
  });
}

void build_maxima(Terrain& out, const Exec& exec) {
  int w = out.width - 1;
  int h = out.height - 1;
  while (w > 1 || h > 1) {
    const bool first = out.maxima.empty();
    Grid<float> next((w + 1) / 2, (h + 1) / 2);
    const auto finer = [&](int x, int y) {
      if (x >= w || y >= h) return -kInfinity;
      if (!first) return out.maxima.back()(x, y);
      const float* n = out.surface.row(y) + x;
      const float* s = out.surface.row(y + 1) + x;
      if (std::isnan(n[0] + n[1] + s[0] + s[1])) return -kInfinity;
      return std::max(std::max(n[0], n[1]), std::max(s[0], s[1]));
    };
    parallel_rows(exec, next.width(), next.height(), [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < next.width(); ++x)
          next(x, y) = std::max(std::max(finer(2 * x, 2 * y), finer(2 * x + 1, 2 * y)),
                                std::max(finer(2 * x, 2 * y + 1), finer(2 * x + 1, 2 * y + 1)));
    });
    w = next.width();
    h = next.height();
    out.maxima.push_back(std::move(next));
  }
}

/// Sky visibility from the horizons of 16 directions, at a resolution that its smoothness needs.
void build_sky(Terrain& out, const Exec& exec) {
  constexpr int kDirections = 16;
  constexpr int kSamples = 1100;
  out.sky_step = 1;
  while (std::max(out.width, out.height) / out.sky_step > kSamples) ++out.sky_step;
  const Grid<float> coarse = resample(out.surface, {.up = 1, .down = out.sky_step}, false, exec);
  out.sky = Grid<float>(coarse.width(), coarse.height());
  for (int i = 0; i < kDirections; ++i) {
    const Vec3 d = direction(360.0 * (i + 0.25) / kDirections, 0);
    const Grid<float> slopes =
        horizon_slopes(coarse, out.cell_x * out.sky_step, out.cell_y * out.sky_step, d.x, d.y, exec);
    parallel_rows(exec, coarse.width(), coarse.height(), [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < coarse.width(); ++x) {
          const float s = std::max(slopes(x, y), 0.0F);
          out.sky(x, y) += 1 / (kDirections * (1 + s * s));
        }
    });
  }
}

}  // namespace

Terrain make_terrain(const Scene& scene, double exaggeration, int target_samples, const Light& light,
                     const Exec& exec) {
  Terrain out;
  double low_m = 0;
  double high_m = 0;
  if (scene.height_m.empty() || !range_of(scene.height_m, low_m, high_m)) return out;
  const int samples = std::max(scene.height_m.width(), scene.height_m.height());
  Resampling r;
  if (samples < target_samples) {
    r.up = std::min(std::max(target_samples / samples, 1), 16);
  } else {
    r.down = std::max((samples + target_samples / 2) / target_samples, 1);
  }
  out.width = r.size(scene.height_m.width());
  out.height = r.size(scene.height_m.height());
  out.source_scale = r.up > 1 ? 1.0 / r.up : r.down;
  out.cell_x = scene.cell_x_m * out.source_scale;
  out.cell_y = scene.cell_y_m * out.source_scale;
  out.exaggeration = exaggeration;
  out.base_m = low_m;
  const Land land = make_land(scene, exec);
  build_surface(land, r, low_m, out, exec);
  range_of(out.surface, out.low, out.high);
  out.has_sea = scene.sea_level_m.has_value();
  if (out.has_sea) {
    const double limit = 20 * out.extent();
    out.sea = std::min(std::max((*scene.sea_level_m - low_m) * exaggeration, -limit), limit);
  }
  out.floor = out.low - std::max(0.03 * out.extent(), 0.12 * (out.high - out.low));
  if (out.has_sea) out.floor = std::min(out.floor, out.sea - 1);
  build_gradient(out, exec);
  build_maxima(out, exec);
  const Vec3 sun = direction(light.azimuth_deg, 0);
  out.sun_horizon = horizon_slopes(out.surface, out.cell_x, out.cell_y, sun.x, sun.y, exec);
  build_sky(out, exec);
  return out;
}

}  // namespace thalweg::render
