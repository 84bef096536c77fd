// The scene made ready for rays: one surface of ground and water at a fitting resolution.
#pragma once

#include <algorithm>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/render/render.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {

struct Gradient {
  float east = 0;
  float south = 0;
};

/// Samples are `cell_x` x `cell_y` metres apart; z is in metres above the lowest ground, exaggeration applied.
struct Terrain {
  int width = 0;  ///< at least 2 (a single row or column is doubled); 0 when no sample is finite
  int height = 0;
  double cell_x = 1;
  double cell_y = 1;
  Grid<float> surface;      ///< ground or the water above it; NaN is a hole
  Grid<float> depth;        ///< of water, exaggerated; negative on dry ground; empty where there is no water at all
  Grid<float> bridged;      ///< 1 where the source has no data and the surface only bridges; empty: nowhere
  Grid<Gradient> gradient;  ///< of the surface, metres per metre
  std::vector<Grid<float>> maxima;  ///< [k]: highest corner within 2^(k+1) x 2^(k+1) cells; a cell with a hole is -inf
  Grid<float> sun_horizon;          ///< slope of the horizon toward the sun
  Grid<float> sky;                  ///< visible part of the sky, cosine-weighted; its samples are `sky_step` apart
  int sky_step = 1;
  double low = 0;  ///< of the surface
  double high = 0;
  double floor = 0;  ///< lower end of the cut edges
  bool has_sea = false;
  double sea = 0;
  double exaggeration = 1;
  double base_m = 0;        ///< true height of z = 0
  double source_scale = 1;  ///< source cells per sample

  bool empty() const { return width == 0; }
  double extent_x() const { return (width - 1) * cell_x; }
  double extent_y() const { return (height - 1) * cell_y; }
  double extent() const { return extent_x() > extent_y() ? extent_x() : extent_y(); }
};

/// `target_samples`: about how many samples a side serve the picture; larger inputs are averaged, smaller ones
/// interpolated (cubic), so that neither aliases nor facets show. Heights beyond 20 times the extent are cut off.
Terrain make_terrain(const Scene& scene, double exaggeration, int target_samples, const Light& light, const Exec& exec);

/// Slope (rise over run, at least -10) of the highest point seen from each sample toward the unit direction (east,
/// south); -10 where nothing lies that way. Sweeps along lines with a convex hull, linear in samples (Timonen and
/// Westerholm 2010, Scalable Height Field Self-Shadowing).
Grid<float> horizon_slopes(GridView<const float> surface, double cell_x, double cell_y, double east, double south,
                           const Exec& exec);

/// Value at fractional sample position, clamped to the grid.
inline float bilinear(const Grid<float>& g, double x, double y) {
  const double cx = std::min(std::max(x, 0.0), static_cast<double>(g.width() - 1));
  const double cy = std::min(std::max(y, 0.0), static_cast<double>(g.height() - 1));
  const int x0 = std::min(static_cast<int>(cx), g.width() - 2);
  const int y0 = std::min(static_cast<int>(cy), g.height() - 2);
  const auto u = static_cast<float>(cx - x0);
  const auto v = static_cast<float>(cy - y0);
  const float* a = g.row(y0) + x0;
  const float* b = g.row(y0 + 1) + x0;
  const float top = a[0] + (a[1] - a[0]) * u;
  return top + (b[0] + (b[1] - b[0]) * u - top) * v;
}

enum class HitKind { none, surface, wall };
struct Hit {
  HitKind kind = HitKind::none;
  double t = 0;
  Vec3 wall_normal;
};
/// First point of the ray origin + t * direction (unit), 0 <= t <= t_max, on the surface or on a cut edge. Walks the
/// pyramid of maxima (Tevs, Ihrke and Seidel 2008, Maximum Mipmaps); cells are bilinear patches.
Hit trace(const Terrain& terrain, Vec3 origin, Vec3 direction, double t_max);

}  // namespace thalweg::render
