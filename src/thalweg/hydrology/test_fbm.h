// The common test terrain "fBm-n" for correctness anchors and benchmarks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/core/grid.h"

namespace thalweg::hydrology::test {

/// Square float32 terrain of n x n cells, 0..2000 m, meant as 30 m cells: fractal gradient noise with 4 lattice cells
/// across at the first octave and wavelengths down to two cells. About 29 % of it lies in depressions. The files other
/// programs were measured with have these bits: MD5 of the little-endian cells for n = 1025, 2049, 4097 is
/// 7d453cef0e06a6addd479dea5c44ab59, e8807dc442f2729b88b5926cb2aa626c, ff945c6df5ccee4149562e0514a6dabc.
inline Grid<float> fbm_terrain(int n) {
  const auto hash = [](std::uint32_t ix, std::uint32_t iy, std::uint32_t octave) {
    std::uint32_t v = ix * 0x9E3779B1U ^ iy * 0x85EBCA77U ^ (octave + 1) * 0xC2B2AE3DU;
    v = (v ^ (v >> 15)) * 0x2C1B3C6DU;
    v = (v ^ (v >> 12)) * 0x297A2D39U;
    return v ^ (v >> 15);
  };
  struct Gradient {
    double x, y;
  };
  const auto fade = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  Grid<double> sum(n, n);
  double amplitude = 1;
  for (int octave = 0; (n - 1) / 4.0 / (1 << octave) >= 2; ++octave, amplitude *= 0.5) {
    const int lattice = 4 * (1 << octave) + 2;
    std::vector<Gradient> rows[2];
    int rows_at = -2;
    for (int y = 0; y < n; ++y) {
      const double py = 4.0 * y / (n - 1) * (1 << octave) + 0.61;
      const int iy = static_cast<int>(std::floor(py));
      if (iy != rows_at) {
        for (int r = 0; r < 2; ++r) {
          rows[r].resize(static_cast<std::size_t>(lattice) + 1);
          for (int ix = 0; ix <= lattice; ++ix) {
            const double angle = 2 * exact::kPi *
                                 hash(static_cast<std::uint32_t>(ix), static_cast<std::uint32_t>(iy + r),
                                      static_cast<std::uint32_t>(octave)) /
                                 4294967296.0;
            rows[r][static_cast<std::size_t>(ix)] = {exact::cos(angle), exact::sin(angle)};
          }
        }
        rows_at = iy;
      }
      const double fy = py - iy;
      const double w = fade(fy);
      for (int x = 0; x < n; ++x) {
        const double px = 4.0 * x / (n - 1) * (1 << octave) + 0.37;
        const auto ix = static_cast<std::size_t>(px);
        const double fx = px - static_cast<double>(ix);
        const double u = fade(fx);
        const double a = rows[0][ix].x * fx + rows[0][ix].y * fy;
        const double b = rows[0][ix + 1].x * (fx - 1) + rows[0][ix + 1].y * fy;
        const double c = rows[1][ix].x * fx + rows[1][ix].y * (fy - 1);
        const double d = rows[1][ix + 1].x * (fx - 1) + rows[1][ix + 1].y * (fy - 1);
        const double p = a + u * (b - a);
        const double q = c + u * (d - c);
        sum(x, y) += amplitude * (p + w * (q - p));
      }
    }
  }
  double low = sum[0];
  double high = sum[0];
  for (std::int64_t i = 0; i < sum.cells(); ++i) {
    low = std::min(low, sum[i]);
    high = std::max(high, sum[i]);
  }
  Grid<float> out(n, n);
  for (std::int64_t i = 0; i < sum.cells(); ++i) out[i] = static_cast<float>((sum[i] - low) / (high - low) * 2000.0);
  return out;
}

}  // namespace thalweg::hydrology::test
