// For tests: noise in space as one would write it down, in double, one sample at a time, sharing only the plan and the
// integer hash with the real one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "thalweg/noise/space_rows.h"

namespace thalweg::noise::testing {

using Point = std::array<double, 3>;

inline std::uint32_t mixed(const detail::Octave& o, std::int64_t i, std::int64_t j, std::int64_t k,
                           std::uint32_t salt = 0) {
  std::uint32_t h = detail::axis_hash_of(o.seed, 0, i) ^ detail::axis_hash_of(o.seed, 1, j) ^
                    detail::axis_hash_of(o.seed, 2, k) ^ salt;
  h *= detail::kHash1;
  return (h ^ (h >> 15)) * detail::kHash2;
}
inline double height(std::uint32_t h) {
  return static_cast<double>(static_cast<std::int32_t>(h)) * 0x1.0p-31;
}
inline Point gradient(std::uint32_t h) {
  h ^= h >> 16;
  const double z = (static_cast<double>(h & 0xFFFFU) + 0.5) / 32768 - 1;
  const double t = static_cast<double>(static_cast<std::int32_t>(h << 2)) * 0x1.0p-31;
  const double s = static_cast<double>(detail::kSin1) * t + static_cast<double>(detail::kSin3) * t * t * t;
  double c = 1 + static_cast<double>(detail::kCos2) * t * t + static_cast<double>(detail::kCos4) * t * t * t * t;
  if ((h & 0x80000000U) != 0) c = -c;
  const double r = std::sqrt(1 - z * z);
  return (h & 0x40000000U) != 0 ? Point{r * s, r * c, z} : Point{r * c, r * s, z};
}
inline double fade5(double t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}
/// Sum over `count` points along each axis, from `first` on, of weight[axis][point] * at(i, j, k).
template <class At>
double weighted(const double (&w)[3][4], int count, const At& at) {
  double sum = 0;
  for (int k = 0; k < count; ++k)
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < count; ++i) sum += w[0][i] * w[1][j] * w[2][k] * at(i, j, k);
  return sum;
}

inline double perlin(const detail::Octave& o, const std::array<std::int64_t, 3>& c, const Point& f) {
  double w[3][4] = {};
  for (std::size_t a = 0; a < 3; ++a) {
    w[a][1] = fade5(f[a]);
    w[a][0] = 1 - w[a][1];
  }
  return detail::kPerlin3Scale * weighted(w, 2, [&](int i, int j, int k) {
           const Point g = gradient(mixed(o, c[0] + i, c[1] + j, c[2] + k));
           return g[0] * (f[0] - i) + g[1] * (f[1] - j) + g[2] * (f[2] - k);
         });
}
inline double value(const detail::Octave& o, const std::array<std::int64_t, 3>& c, const Point& f) {
  double w[3][4] = {};
  for (std::size_t a = 0; a < 3; ++a) {
    w[a][1] = fade5(f[a]);
    w[a][0] = 1 - w[a][1];
  }
  return weighted(w, 2, [&](int i, int j, int k) { return height(mixed(o, c[0] + i, c[1] + j, c[2] + k)); });
}
inline double value_cubic(const detail::Octave& o, const std::array<std::int64_t, 3>& c, const Point& f) {
  double w[3][4];
  for (std::size_t a = 0; a < 3; ++a) {
    const double t = f[a];
    w[a][0] = (-t + 2 * t * t - t * t * t) / 2;
    w[a][1] = (2 - 5 * t * t + 3 * t * t * t) / 2;
    w[a][2] = (t + 4 * t * t - 3 * t * t * t) / 2;
    w[a][3] = (-t * t + t * t * t) / 2;
  }
  return weighted(w, 4,
                  [&](int i, int j, int k) { return height(mixed(o, c[0] + i - 1, c[1] + j - 1, c[2] + k - 1)); }) *
         0.8 * 0.8 * 0.8;
}
/// Every lattice point within reach, looked for far and wide.
inline double simplex(const detail::Octave& o, const std::array<std::int64_t, 3>& c, const Point& f) {
  double sum = 0;
  for (int half = 0; half < 2; ++half)
    for (int k = -2; k <= 2; ++k)
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) {
          const Point d = {f[0] - i - 0.5 * half, f[1] - j - 0.5 * half, f[2] - k - 0.5 * half};
          const double t = 0.5 - d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
          if (t <= 0) continue;
          const Point g = gradient(mixed(o, c[0] + i, c[1] + j, c[2] + k, half == 0 ? 0 : detail::kSimplexHalf));
          sum += t * t * t * (g[0] * d[0] + g[1] * d[1] + g[2] * d[2]);
        }
  return sum * detail::kSimplex3Scale;
}

inline double distance(CellDistance sort, double x, double y, double z) {
  switch (sort) {
    case CellDistance::euclidean:
      return std::sqrt(x * x + y * y + z * z);
    case CellDistance::squared:
      return x * x + y * y + z * z;
    case CellDistance::manhattan:
      return std::fabs(x) + std::fabs(y) + std::fabs(z);
    case CellDistance::chebyshev:
      break;
  }
  return std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
}
/// All of 7 x 7 x 7 cells.
inline double cellular(const detail::Field& field, const detail::Octave& o, const std::array<std::int64_t, 3>& c,
                       const Point& f) {
  const double jitter = static_cast<double>(field.cell_jitter);
  const auto place = [&](std::uint32_t step, double steps) { return 0.5 + jitter * ((step + 0.5) / steps - 0.5); };
  double first = 1e9;
  double second = 1e9;
  double own = 0;
  for (int k = -3; k <= 3; ++k)
    for (int j = -3; j <= 3; ++j)
      for (int i = -3; i <= 3; ++i) {
        std::uint32_t h = mixed(o, c[0] + i, c[1] + j, c[2] + k);
        h ^= h >> 16;
        const double d = distance(field.cell_distance, i + place(h & 0x7FFU, 2048) - f[0],
                                  j + place((h >> 11) & 0x7FFU, 2048) - f[1], k + place(h >> 22, 1024) - f[2]);
        if (d < first) own = height((h ^ (h >> 15)) * detail::kHash1);
        second = std::min(second, std::max(first, d));
        first = std::min(first, d);
      }
  if (field.cell_value == CellValue::cell) return own;
  const double d = field.cell_value == CellValue::f1   ? first
                   : field.cell_value == CellValue::f2 ? second
                                                       : second - first;
  return 2 * d / detail::largest_space_cell_value(field) - 1;
}

/// One octave in [-1, 1] at a place in metres, moved by `bend` lattice cells, and by a little more that does not round
/// at the size of the place.
inline double source(const detail::Field& field, const detail::Octave& o, const Point& m, const Point& bend,
                     const Point& nudge = {0, 0, 0}) {
  Point more = nudge;
  Point p = {m[0] * o.frequency + bend[0], m[1] * o.frequency + bend[1], m[2] * o.frequency + bend[2]};
  if (field.source == Source::simplex) {
    const Point q = p;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto& turn = detail::kTurn[a];
      p[a] = q[0] * turn[0] + q[1] * turn[1] + q[2] * turn[2];
      more[a] = nudge[0] * turn[0] + nudge[1] * turn[1] + nudge[2] * turn[2];
    }
  }
  p = {p[0] + o.shift_x, p[1] + o.shift_y, p[2] + o.shift_z};
  std::array<std::int64_t, 3> c;
  Point f;
  for (std::size_t a = 0; a < 3; ++a) {
    c[a] = static_cast<std::int64_t>(std::floor(p[a]));
    f[a] = p[a] - std::floor(p[a]) + more[a];
  }
  switch (field.source) {
    case Source::perlin:
      return perlin(o, c, f);
    case Source::simplex:
      return simplex(o, c, f);
    case Source::value:
      return value(o, c, f);
    case Source::value_cubic:
      return value_cubic(o, c, f);
    case Source::cellular:
      return cellular(field, o, c, f);
    case Source::white:
      break;
  }
  return height(mixed(o, c[0], c[1], c[2]));
}

/// The sum of a field's octaves, the way each fractal is defined.
inline double field3(const NoiseParams& p, const detail::Field& field, const Point& m, const Point& bend_units) {
  double sum = 0;
  double weight = 1;
  double before = 0;
  Point slope = {0, 0, 0};
  for (const detail::Octave& o : field.octaves) {
    const double cells = o.bend;
    const Point bend = {bend_units[0] * cells, bend_units[1] * cells, bend_units[2] * cells};
    const double fade = o.fade;
    const double a = o.amplitude;
    const double n = fade > 0 ? source(field, o, m, bend) : 0;
    const auto faded = [&](double v) { return fade * v + (1 - fade) * static_cast<double>(o.mean); };
    if (field.fractal == Fractal::fbm) sum += a * faded(n);
    if (field.fractal == Fractal::billow) sum += a * faded(std::fabs(n));
    if (field.fractal == Fractal::ridged) {
      const double r = weight * faded((1 - std::fabs(n)) * (1 - std::fabs(n)));
      sum += a * r;
      weight = std::min(1.0, 2 * r);
    }
    if (field.fractal == Fractal::ping_pong) {
      const double t = std::fmod((n + 1) * p.ping_pong_strength, 2.0);
      sum += a * faded(t < 1 ? t : 2 - t);
    }
    if (field.fractal == Fractal::hybrid) {
      sum += a * faded((n + 1) / 2) * (before > 0 ? sum / before : 1);
      before += a;
    }
    if (field.fractal != Fractal::slope_damped) continue;
    double divisor = 1 + static_cast<double>(o.unresolved);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double h = 1e-5;
      Point up = {0, 0, 0};
      Point down = {0, 0, 0};
      up[axis] = h;
      down[axis] = -h;
      const double by = fade > 0 ? (source(field, o, m, bend, up) - source(field, o, m, bend, down)) / (2 * h) : 0;
      slope[axis] += p.amplitude_m * a * fade * o.frequency / p.damping_slope * by;
      divisor += slope[axis] * slope[axis];
    }
    sum += a * faded(n) / divisor;
  }
  return sum;
}

/// What fill3 of `box` should have at a sample, whole or between.
inline double reference3(const NoiseParams& p, const detail::SpacePlan& plan, const BoxSpec& box, double x, double y,
                         double z) {
  const Point m = {(static_cast<double>(box.origin_x) + x) * box.cell_m,
                   (static_cast<double>(box.origin_y) + y) * box.cell_y_m,
                   (static_cast<double>(box.origin_z) + z) * box.cell_z_m};
  Point bend = {0, 0, 0};
  const std::size_t layers = plan.warped ? plan.warp[0].octaves.size() : 0;
  for (std::size_t o = 0; o < layers; ++o) {
    Point more = {0, 0, 0};
    for (std::size_t a = 0; a < 3; ++a) {
      detail::Field one = plan.warp[a];
      one.octaves = {plan.warp[a].octaves[o]};
      more[a] = field3(p, one, m, plan.progressive ? bend : Point{0, 0, 0});
    }
    for (std::size_t a = 0; a < 3; ++a) bend[a] += more[a];
  }
  return p.offset_m + p.amplitude_m * field3(p, plan.main, m, bend);
}

}  // namespace thalweg::noise::testing
