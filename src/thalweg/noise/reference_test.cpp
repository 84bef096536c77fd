// The obvious version of all noise in double, and that the kernels agree with it.
#include <gtest/gtest.h>

#include "thalweg/core/random.h"
#include "thalweg/noise/noise_testing.h"

namespace thalweg::noise::testing {
namespace {

using detail::Field;
using detail::Octave;

std::uint32_t mixed(const Octave& o, std::int64_t column, std::int64_t row) {
  std::uint32_t h = (detail::axis_hash_of(o.seed, 0, column) ^ detail::axis_hash_of(o.seed, 1, row)) * detail::kHash1;
  h = (h ^ (h >> 15)) * detail::kHash2;
  return h;
}
double height_of(std::uint32_t h) {
  return static_cast<double>(static_cast<std::int32_t>(h)) * 0x1.0p-31;
}
double gradient_dot(std::uint32_t h, double dx, double dy) {
  const double angle = static_cast<double>(static_cast<std::int32_t>(h << 2)) * 0x1.0p-31;
  const double s = static_cast<double>(detail::kSin1) * angle + static_cast<double>(detail::kSin3) * std::pow(angle, 3);
  double c =
      1 + static_cast<double>(detail::kCos2) * angle * angle + static_cast<double>(detail::kCos4) * std::pow(angle, 4);
  if ((h & 0x80000000U) != 0) c = -c;
  return (h & 0x40000000U) != 0 ? s * dx + c * dy : c * dx + s * dy;
}
double quintic(double t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/// Position split into cell and fraction.
struct At {
  At(double px, double py)
      : x(static_cast<std::int64_t>(std::floor(px))),
        y(static_cast<std::int64_t>(std::floor(py))),
        fx(px - std::floor(px)),
        fy(py - std::floor(py)) {}
  /// A little, without rounding at the size of the position.
  void move(double dx, double dy) {
    fx += dx;
    fy += dy;
  }
  std::int64_t x, y;
  double fx, fy;
};

double perlin(const Octave& o, const At& at) {
  double sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      sum += gradient_dot(mixed(o, at.x + i, at.y + j), at.fx - i, at.fy - j) *
             (i == 1 ? quintic(at.fx) : 1 - quintic(at.fx)) * (j == 1 ? quintic(at.fy) : 1 - quintic(at.fy));
  return sum * detail::kPerlinScale;
}

double simplex(const Octave& o, double px, double py, double dx, double dy) {
  const double skew = (std::sqrt(3.0) - 1) / 2;
  const double back = (3 - std::sqrt(3.0)) / 6;
  At at(px * (1 + skew) + py * skew, py * (1 + skew) + px * skew);
  at.move(dx * (1 + skew) + dy * skew, dy * (1 + skew) + dx * skew);
  double sum = 0;
  for (int j = -1; j <= 2; ++j)
    for (int i = -1; i <= 2; ++i) {
      const double u = at.fx - i;
      const double v = at.fy - j;
      const double x = u - (u + v) * back;
      const double y = v - (u + v) * back;
      const double t = std::max(0.0, 0.5 - x * x - y * y);
      sum += t * t * t * t * gradient_dot(mixed(o, at.x + i, at.y + j), x, y);
    }
  return sum * detail::kSimplexScale;
}

double value(const Octave& o, const At& at) {
  const double u = quintic(at.fx);
  const double v = quintic(at.fy);
  double sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      sum += height_of(mixed(o, at.x + i, at.y + j)) * (i == 1 ? u : 1 - u) * (j == 1 ? v : 1 - v);
  return sum;
}

double value_cubic(const Octave& o, const At& at) {
  // Catmull and Rom's weights as pieces of one function of the distance.
  const auto weight = [](double d) {
    const double t = std::fabs(d);
    if (t < 1) return 1 - 2.5 * t * t + 1.5 * t * t * t;
    return t < 2 ? 2 - 4 * t + 2.5 * t * t - 0.5 * t * t * t : 0.0;
  };
  double sum = 0;
  for (int j = -1; j <= 2; ++j)
    for (int i = -1; i <= 2; ++i)
      sum += height_of(mixed(o, at.x + i, at.y + j)) * weight(at.fx - i) * weight(at.fy - j);
  return sum / (1.25 * 1.25);
}

double cellular(const Field& field, const Octave& o, const At& at) {
  const double jitter = field.cell_jitter;
  double first = 1e9;
  double second = 1e9;
  double height = 0;
  for (int j = -3; j <= 3; ++j)
    for (int i = -3; i <= 3; ++i) {
      std::uint32_t h = mixed(o, at.x + i, at.y + j);
      h ^= h >> 16;
      const double dx = std::fabs(i + 0.5 + jitter * (((h >> 16) + 0.5) / 65536 - 0.5) - at.fx);
      const double dy = std::fabs(j + 0.5 + jitter * (((h & 0xFFFFU) + 0.5) / 65536 - 0.5) - at.fy);
      double d = std::sqrt(dx * dx + dy * dy);
      if (field.cell_distance == CellDistance::squared) d = dx * dx + dy * dy;
      if (field.cell_distance == CellDistance::manhattan) d = dx + dy;
      if (field.cell_distance == CellDistance::chebyshev) d = std::max(dx, dy);
      second = std::min(second, std::max(first, d));
      if (d >= first) continue;
      first = d;
      std::uint32_t g = h * detail::kHash1;
      height = height_of((g ^ (g >> 15)) * detail::kColumnMultiplier);
    }
  const double b = (1 + jitter) / 2;
  const bool is_first = field.cell_value == CellValue::f1;
  double largest = std::sqrt(2 * b * b + (is_first ? 0 : 0.5));
  if (field.cell_distance == CellDistance::squared) largest *= largest;
  if (field.cell_distance == CellDistance::manhattan) largest = 2 * b;
  if (field.cell_distance == CellDistance::chebyshev) largest = is_first ? b : b + 0.5;
  switch (field.cell_value) {
    case CellValue::f1:
      return 2 * first / largest - 1;
    case CellValue::f2:
      return 2 * second / largest - 1;
    case CellValue::f2_minus_f1:
      return 2 * (second - first) / largest - 1;
    case CellValue::cell:
      break;
  }
  return height;
}

/// Running values of a sum, as the fractals define them.
double reference_field(const NoiseParams& p, const Field& field, double x_m, double y_m, double bend_x, double bend_y) {
  double sum = 0;
  double weight = 1;
  double before = 0;
  double slope_x = 0;
  double slope_y = 0;
  for (const Octave& o : field.octaves) {
    const double px = x_m * o.frequency + o.shift_x + bend_x * static_cast<double>(o.bend);
    const double py = y_m * o.frequency + o.shift_y + bend_y * static_cast<double>(o.bend);
    const double n = o.fade > 0 ? reference_noise(field, o, px, py) : 0;
    const double fade = o.fade;
    const double mean = o.mean;
    const double a = o.amplitude;
    const auto faded = [&](double v) { return fade * v + (1 - fade) * mean; };
    switch (field.fractal) {
      case Fractal::fbm:
        sum += a * faded(n);
        break;
      case Fractal::billow:
        sum += a * faded(std::fabs(n));
        break;
      case Fractal::ridged: {
        const double r = weight * faded((1 - std::fabs(n)) * (1 - std::fabs(n)));
        sum += a * r;
        weight = std::min(1.0, 2 * r);
        break;
      }
      case Fractal::ping_pong: {
        const double t = std::fmod((n + 1) * p.ping_pong_strength, 2.0);
        sum += a * faded(t < 1 ? t : 2 - t);
        break;
      }
      case Fractal::hybrid:
        sum += a * faded((n + 1) / 2) * (before > 0 ? sum / before : 1);
        before += a;
        break;
      case Fractal::slope_damped: {
        const double h = 1e-6;
        const auto along = [&](double dx, double dy) {
          if (fade == 0) return 0.0;
          return (reference_noise(field, o, px, py, dx, dy) - reference_noise(field, o, px, py, -dx, -dy)) / (2 * h);
        };
        const double scale = p.amplitude_m * a * fade * o.frequency / p.damping_slope;
        slope_x += scale * along(h, 0);
        slope_y += scale * along(0, h);
        sum += a * faded(n) / (1 + slope_x * slope_x + slope_y * slope_y + static_cast<double>(o.unresolved));
        break;
      }
    }
  }
  return sum;
}

}  // namespace

double reference_noise(const Field& field, const Octave& o, double px, double py, double dx, double dy) {
  At at(px, py);
  at.move(dx, dy);
  switch (field.source) {
    case Source::perlin:
      return perlin(o, at);
    case Source::simplex:
      return simplex(o, px, py, dx, dy);
    case Source::value:
      return value(o, at);
    case Source::value_cubic:
      return value_cubic(o, at);
    case Source::cellular:
      return cellular(field, o, at);
    case Source::white:
      break;
  }
  return height_of(mixed(o, at.x, at.y));
}

double reference(const NoiseParams& p, std::uint64_t seed, const GridSpec& spec, double x, double y) {
  const detail::Plan plan = detail::make_plan(p, seed, spec);
  const double x_m = (static_cast<double>(spec.origin_x) + x) * spec.cell_m;
  const double y_m = (static_cast<double>(spec.origin_y) + y) * spec.cell_m;
  double bend_x = 0;
  double bend_y = 0;
  if (plan.warped && !plan.progressive) {
    bend_x = reference_field(p, plan.warp_x, x_m, y_m, 0, 0);
    bend_y = reference_field(p, plan.warp_y, x_m, y_m, 0, 0);
  } else if (plan.warped) {
    for (std::size_t o = 0; o < plan.warp_x.octaves.size(); ++o) {
      Field one_x = plan.warp_x;
      Field one_y = plan.warp_y;
      one_x.octaves = {plan.warp_x.octaves[o]};
      one_y.octaves = {plan.warp_y.octaves[o]};
      const double more_x = reference_field(p, one_x, x_m, y_m, bend_x, bend_y);
      const double more_y = reference_field(p, one_y, x_m, y_m, bend_x, bend_y);
      bend_x += more_x;
      bend_y += more_y;
    }
  }
  return p.offset_m + p.amplitude_m * reference_field(p, plan.main, x_m, y_m, bend_x, bend_y);
}

namespace {

/// The worst difference but for `spare` samples.
double difference(const NoiseParams& p, const GridSpec& spec, int spare) {
  const Grid<float> g = make(p, 99, spec);
  std::vector<double> off;
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x)
      off.push_back(std::fabs(static_cast<double>(g(x, y)) - reference(p, 99, spec, x, y)));
  std::sort(off.begin(), off.end());
  return off[off.size() - 1 - static_cast<std::size_t>(spare)];
}

TEST(NoiseReference, StraightSorts) {
  for (const NoiseParams& p : every_sort(5, false))
    for (const auto& at : {std::pair{-5, 3}, std::pair{1000000007, -999999937}}) {
      const double worst = difference(p, spec_at(at.first, at.second, 41, 11), 0);
      EXPECT_LT(worst, p.fractal == Fractal::slope_damped ? 3e-5 : 1e-5) << name_of(p) << " at " << at.first;
    }
}

TEST(NoiseReference, WarpedSorts) {
  // A bent position in float is less exact: 2^-24 of the displacement in cells of the finest octave.
  for (const NoiseParams& p : every_sort(4, true)) {
    const int spare = jumps(p) ? 2 : 0;
    EXPECT_LT(difference(p, spec_at(999999000, 77, 41, 11), spare), 5e-5) << name_of(p);
  }
}

}  // namespace
}  // namespace thalweg::noise::testing
