#include "thalweg/core/exact_math.h"

#include <cmath>
#include <limits>

namespace thalweg::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// ln 2 split so that n * kLn2High is exact for |n| < 2^11.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kInverseLn2 = 1.44269504088896338700e+00;

double from_bits(std::uint64_t bits) {
  double v = 0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
std::uint64_t to_bits(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
// 2^n for -1074 <= n <= 1023, exact.
double power_of_two(int n) {
  if (n >= -1022) return from_bits(static_cast<std::uint64_t>(n + 1023) << 52);
  return from_bits(std::uint64_t{1} << (n + 1074));
}

// Taylor series of sin and cos on [-pi/4, pi/4]; terms fall below 2^-56 before the end.
double sin_kernel(double r) {
  const double z = r * r;
  double p = 1.0 / 6227020800.0 - z / 1307674368000.0;
  p = -1.0 / 39916800.0 + z * p;
  p = 1.0 / 362880.0 + z * p;
  p = -1.0 / 5040.0 + z * p;
  p = 1.0 / 120.0 + z * p;
  p = -1.0 / 6.0 + z * p;
  return r + r * z * p;
}
double cos_kernel(double r) {
  const double z = r * r;
  double p = -1.0 / 87178291200.0 + z / 20922789888000.0;
  p = 1.0 / 479001600.0 + z * p;
  p = -1.0 / 3628800.0 + z * p;
  p = 1.0 / 40320.0 + z * p;
  p = -1.0 / 720.0 + z * p;
  p = 1.0 / 24.0 + z * p;
  return 1.0 - (0.5 * z - z * z * p);
}

struct Reduced {
  double r;
  int quadrant;
};
// Cody-Waite reduction by pi/2 in three parts.
Reduced reduce(double v) {
  constexpr double kPart1 = 1.57079632673412561417e+00;
  constexpr double kPart2 = 6.07710050630396597660e-11;
  constexpr double kPart3 = 2.02226624879595063154e-21;
  const std::int64_t n = floor_to_int(v * (2.0 / kPi) + 0.5);
  const auto d = static_cast<double>(n);
  return {((v - d * kPart1) - d * kPart2) - d * kPart3, static_cast<int>(n & 3)};
}

// atan on [0, 1]: argument reduced by atan(c) with c in {0, 1/4, 1/2, 3/4, 1}, then an odd series.
double atan_unit(double v) {
  static constexpr double kCentre[5] = {0.0, 0.25, 0.5, 0.75, 1.0};
  static constexpr double kAtan[5] = {0.0, 0.24497866312686415417, 0.46364760900080611621, 0.64350110879328438680,
                                      0.78539816339744830962};
  const auto k = static_cast<int>(v * 4.0 + 0.5);
  const double r = (v - kCentre[k]) / (1.0 + v * kCentre[k]);  // |r| <= 1/8
  const double z = r * r;
  double p = 1.0 / 21.0;
  for (int n = 19; n >= 3; n -= 2) p = 1.0 / n - z * p;
  return kAtan[k] + (r - r * z * p);
}

}  // namespace

double exp(double v) {
  if (v != v) return v;
  if (v > 709.782712893384) return kInfinity;
  if (v < -745.2) return 0.0;
  const std::int64_t n = floor_to_int(v * kInverseLn2 + 0.5);
  const auto d = static_cast<double>(n);
  const double r = (v - d * kLn2High) - d * kLn2Low;  // |r| <= ln2 / 2
  double p = 1.0;
  for (int k = 14; k >= 1; --k) p = 1.0 + p * r / k;
  const int high = static_cast<int>(n) / 2;
  return p * power_of_two(high) * power_of_two(static_cast<int>(n) - high);
}

double log(double v) {
  if (v != v || v < 0.0) return kNaN;
  if (v == 0.0) return -kInfinity;
  if (v == kInfinity) return v;
  int exponent = 0;
  if (v < std::numeric_limits<double>::min()) {
    v *= 0x1.0p54;
    exponent = -54;
  }
  std::uint64_t bits = to_bits(v);
  exponent += static_cast<int>(bits >> 52) - 1023;
  double m = from_bits((bits & 0x000FFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);  // log m = 2 atanh s, |s| <= 0.1716
  const double z = s * s;
  double p = 1.0 / 23.0;
  for (int n = 21; n >= 3; n -= 2) p = 1.0 / n + z * p;
  const double d = exponent;
  return d * kLn2High + (2.0 * (s + s * z * p) + d * kLn2Low);
}

double pow(double base, double exponent) {
  if (exponent == 0.0) return 1.0;
  if (base == 1.0) return 1.0;
  if (base == 0.0) return exponent > 0.0 ? 0.0 : kInfinity;
  if (exponent == 1.0) return base;
  if (exponent == 2.0) return base * base;
  if (exponent == 0.5) return std::sqrt(base);  // IEEE square root is exact everywhere
  return exp(exponent * log(base));
}

double sin(double v) {
  const Reduced a = reduce(v);
  const double s = (a.quadrant & 1) != 0 ? cos_kernel(a.r) : sin_kernel(a.r);
  return (a.quadrant & 2) != 0 ? -s : s;
}

double cos(double v) {
  const Reduced a = reduce(v);
  const double c = (a.quadrant & 1) != 0 ? sin_kernel(a.r) : cos_kernel(a.r);
  return ((a.quadrant + 1) & 2) != 0 ? -c : c;
}

double atan2(double y, double x) {
  if (x != x || y != y) return kNaN;
  const double ax = x < 0.0 ? -x : x;
  const double ay = y < 0.0 ? -y : y;
  if (ax == 0.0 && ay == 0.0) return 0.0;
  double a = kPi / 4;  // where both are equal, which may be infinite
  if (ay < ax) a = atan_unit(ay / ax);
  if (ay > ax) a = kPi / 2 - atan_unit(ax / ay);
  if (x < 0.0) a = kPi - a;
  return y < 0.0 ? -a : a;
}

}  // namespace thalweg::exact
