// Land for tests, benchmarks and pictures of erosion: analytic noise in metres, the same shape at any cell size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/random.h"

namespace thalweg::erosion {

inline GridSpec test_spec(int width, int height, double cell_m) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  spec.cell_m = spec.cell_y_m = cell_m;
  return spec;
}

/// Lattice gradient noise at (u, v), within about +-0.7.
inline double test_noise(std::uint64_t seed, double u, double v) {
  const double cu = std::floor(u);
  const double cv = std::floor(v);
  const double fu = u - cu;
  const double fv = v - cv;
  const auto corner = [&](int i, int j) {
    const double angle =
        unit_double(hash64(seed, static_cast<std::int64_t>(cu) + i, static_cast<std::int64_t>(cv) + j)) *
        6.283185307179586;
    return std::cos(angle) * (fu - i) + std::sin(angle) * (fv - j);
  };
  const auto fade = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  const double a = fade(fu);
  const double b = fade(fv);
  const double north = corner(0, 0) + a * (corner(1, 0) - corner(0, 0));
  const double south = corner(0, 1) + a * (corner(1, 1) - corner(0, 1));
  return north + b * (south - north);
}

/// fBm of `octaves` from a wavelength of `wavelength_m`, gain 1/2, first amplitude `amplitude_m`.
inline Grid<float> test_land(const GridSpec& spec, std::uint64_t seed, int octaves = 6, double wavelength_m = 2000,
                             double amplitude_m = 500) {
  Grid<float> land(spec.width, spec.height);
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) {
      double sum = 0;
      double scale = 1;
      for (int o = 0; o < octaves; ++o, scale *= 2)
        sum +=
            amplitude_m / scale *
            test_noise(seed + static_cast<std::uint64_t>(o),
                       (static_cast<double>(spec.origin_x % 100000) + x) * spec.cell_m * scale / wavelength_m + 0.37,
                       (static_cast<double>(spec.origin_y % 100000) + y) * spec.cell_m * scale / wavelength_m + 0.61);
      land(x, y) = static_cast<float>(sum);
    }
  return land;
}

/// A round island of about `peak_m` whose shore lies inside the map; sea floor down to -150 m.
inline Grid<float> test_island(const GridSpec& spec, std::uint64_t seed, double peak_m = 900) {
  Grid<float> land = test_land(spec, seed, 9, spec.extent_x_m() / 3, peak_m * 0.7);
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) {
      const double u = 2.0 * x / std::max(1, spec.width - 1) - 1;
      const double v = 2.0 * y / std::max(1, spec.height - 1) - 1;
      const double d2 = std::min(1.0, u * u + v * v);
      const double bump = (1 - d2) * (1 - d2);
      const double h = land(x, y) * (0.15 + 0.85 * bump) + (peak_m * 0.75 + 150) * bump - 150;
      land(x, y) = static_cast<float>(std::max(h, -150.0));
    }
  return land;
}

}  // namespace thalweg::erosion
