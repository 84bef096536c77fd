// A small world with sea, lakes and directions for the tests of lakes, rivers and the audit.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/random.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology::test {

/// Smooth noise: octaves of lattice values, in [0, 1] roughly.
inline double smooth_noise(std::uint64_t seed, double x, double y, int octaves) {
  double sum = 0;
  double amplitude = 0.5;
  for (int o = 0; o < octaves; ++o) {
    const double fx = std::floor(x);
    const double fy = std::floor(y);
    const auto ix = static_cast<std::int64_t>(fx);
    const auto iy = static_cast<std::int64_t>(fy);
    const double u = (x - fx) * (x - fx) * (3 - 2 * (x - fx));
    const double v = (y - fy) * (y - fy) * (3 - 2 * (y - fy));
    const auto at = [&](int dx, int dy) { return unit_double(hash64(seed, ix + dx, iy + dy, o)); };
    const double top = at(0, 0) + u * (at(1, 0) - at(0, 0));
    const double bottom = at(0, 1) + u * (at(1, 1) - at(0, 1));
    sum += amplitude * (top + v * (bottom - top));
    amplitude *= 0.5;
    x = 2 * x + 17.3;
    y = 2 * y + 5.9;
  }
  return sum;
}

/// Land with bays and hollows; `island` puts sea (level 0) all around, else the land runs to the edge of the grid.
inline Grid<float> noise_land(std::uint64_t seed, int width, int height, bool island) {
  Grid<float> g(width, height);
  const double n = std::max(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double dx = 2 * x / n - static_cast<double>(width) / n;
      const double dy = 2 * y / n - static_cast<double>(height) / n;
      const double base = 600 * smooth_noise(seed, 6 * x / n, 6 * y / n, 6);
      g(x, y) = static_cast<float>(island ? base + 150 - 600 * (dx * dx + dy * dy) : base);
    }
  }
  return g;
}

struct World {
  CellGeometry geometry;
  Grid<float> ground;  ///< depressions that are no lakes are filled
  Grid<float> filled;
  Grid<std::uint8_t> sea;
  Grid<std::uint8_t> directions;
  Grid<double> area;
  Grid<std::int32_t> lake_id;
  std::vector<Lake> lakes;
  LakeParams lake_params;

  RiverInputs inputs() const {
    RiverInputs in;
    in.directions = directions;
    in.area_m2 = area;
    in.height = ground;
    in.lake_id = lake_id;
    in.water_level_m = filled;
    in.sea = sea;
    return in;
  }
  /// Ground, or water level on lakes.
  Grid<float> surface() const { return surface_of(ground); }
  Grid<float> surface_of(const Grid<float>& h) const {
    Grid<float> s = h.clone();
    for (std::int64_t i = 0; i < s.cells(); ++i)
      if (lake_id[i] > 0) s[i] = filled[i];
    return s;
  }
};

/// Everything from the ground on. Sea at or below 0.
inline World make_world(Grid<float> ground, const CellGeometry& geometry, const LakeParams& lakes = {},
                        bool fill_ponds = true, const Exec& exec = Exec()) {
  World w;
  const int width = ground.width();
  const int height = ground.height();
  w.geometry = geometry;
  w.ground = std::move(ground);
  w.lake_params = lakes;
  w.filled = Grid<float>(width, height);
  w.sea = Grid<std::uint8_t>(width, height);
  w.directions = Grid<std::uint8_t>(width, height);
  w.area = Grid<double>(width, height);
  w.lake_id = Grid<std::int32_t>(width, height);
  mark_sea<float>(w.ground, 0, w.sea);
  fill<float>(w.ground, w.sea, w.filled, exec);
  d8<float>(w.filled, geometry, w.sea, w.directions, exec);
  const Status accumulated = accumulate_area(w.directions, geometry, w.area, exec);
  assert(accumulated.ok());
  (void)accumulated;
  w.lakes = find_lakes<float>(w.ground, w.filled, w.directions, geometry, lakes, w.lake_id, exec);
  if (fill_ponds)
    for (std::int64_t i = 0; i < w.ground.cells(); ++i)
      if (w.lake_id[i] == 0) w.ground[i] = w.filled[i];
  return w;
}

/// A grid from rows of numbers.
template <class T>
Grid<T> grid_of(const std::vector<std::vector<double>>& rows) {
  Grid<T> g(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x)
      g(x, y) = static_cast<T>(rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
  return g;
}

/// Directions from letters: e s w n, and between them f (SE) g (SW) h (NW) i (NE); '.' none, '#' NoData.
inline Grid<std::uint8_t> directions_of(const std::vector<std::string>& rows) {
  Grid<std::uint8_t> g(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  const std::string letters = "efsgwhni";
  for (int y = 0; y < g.height(); ++y) {
    for (int x = 0; x < g.width(); ++x) {
      const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      const std::size_t d = letters.find(c);
      g(x, y) = c == '#' ? kFlowNoData : d == std::string::npos ? kNoFlow : static_cast<std::uint8_t>(1U << d);
    }
  }
  return g;
}

}  // namespace thalweg::hydrology::test
