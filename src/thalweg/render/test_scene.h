// Lands for the tests of this module.
#pragma once

#include <cmath>
#include <cstdint>

#include "thalweg/core/grid.h"
#include "thalweg/render/material.h"
#include "thalweg/render/render.h"

namespace thalweg::render {

/// A noisy island: heights from below -50 m at the border to some hundred metres in the middle.
inline Grid<float> test_island(int width, int height, std::uint32_t seed) {
  Grid<float> g(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double u = 2.0 * x / std::max(width - 1, 1) - 1;
      const double v = 2.0 * y / std::max(height - 1, 1) - 1;
      double noise = 0;
      double amplitude = 0.5;
      double frequency = 2;
      for (std::uint32_t o = 0; o < 6; ++o, amplitude *= 0.5, frequency *= 2)
        noise += amplitude * static_cast<double>(value_noise(u * frequency, v * frequency, seed + o));
      g(x, y) = static_cast<float>(700 * (0.6 - u * u - v * v + 0.8 * noise));
    }
  return g;
}

/// Mean colour of a box of an image.
inline Rgb mean_colour(const Image& image, int x0, int y0, int x1, int y1) {
  Rgb sum;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const std::uint8_t* p = &image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))];
      sum = sum + Rgb{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
    }
  return sum * (1.0F / static_cast<float>((x1 - x0) * (y1 - y0)));
}

}  // namespace thalweg::render
