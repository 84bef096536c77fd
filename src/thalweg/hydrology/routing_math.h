// Internal to hydrology: functions for the inner loops of routing, written without branches so that compilers turn
// loops over them into vector code. Only + - * / and bit handling: the same bits on every platform and at every width.
#pragma once

#include <cstdint>
#include <cstring>

#include "thalweg/core/exact_math.h"

namespace thalweg::hydrology::internal {

inline std::uint64_t to_bits(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
inline double from_bits(std::uint64_t bits) {
  double v = 0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// atan(small / large), 0 <= small <= large, large > 0; within 4e-16.
inline double atan_of_ratio(double small, double large) {
  const double t = small / large;
  // Nearest of 0, 1/4, 1/2, 3/4, 1 taken out by the addition theorem; the rest is at most 1/8.
  double centre = 0;
  double angle = 0;
  const auto step = [&](double from, double c, double atan_c) {
    centre = t >= from ? c : centre;
    angle = t >= from ? atan_c : angle;
  };
  step(0.125, 0.25, 0.24497866312686415417);
  step(0.375, 0.5, 0.46364760900080611621);
  step(0.625, 0.75, 0.64350110879328438680);
  step(0.875, 1.0, 0.78539816339744830962);
  const double r = (t - centre) / (1 + t * centre);
  const double z = r * r;
  double p = 1.0 / 15;
  p = 1.0 / 13 - z * p;
  p = 1.0 / 11 - z * p;
  p = 1.0 / 9 - z * p;
  p = 1.0 / 7 - z * p;
  p = 1.0 / 5 - z * p;
  p = 1.0 / 3 - z * p;
  return angle + (r - r * z * p);
}

/// atan(y / x) for y >= 0, x > 0.
inline double atan_first_quadrant(double y, double x) {
  const bool steep = y > x;
  const double a = atan_of_ratio(steep ? x : y, steep ? y : x);
  return steep ? exact::kPi / 2 - a : a;
}

/// t^exponent for t in (0, 1], exponent in [0, 100]. Relative error below 1e-13 where the result is above 1e-30, below
/// 1e-12 down to 1e-290; smaller ones end at about 2^-1000.
inline double pow_of_share(double t, double exponent) {
  // t = 2^k * m with m in [sqrt(1/2), sqrt(2))
  constexpr std::uint64_t kHalfRoot = 0x3FE6A09E667F3BCDULL;
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
  const auto bits = to_bits(t);
  const std::uint64_t biased = (bits - kHalfRoot + kBias) >> 52;  // k + 1024
  const double k = from_bits(0x4330000000000000ULL + biased) - (0x1.0p52 + 1024);
  const double m = from_bits(bits - (biased << 52) + kBias);
  // log2 m = 2 / ln 2 * atanh z
  const double z = (m - 1) / (m + 1);
  const double zz = z * z;
  double p = 1.0 / 19;
  p = 1.0 / 17 + zz * p;
  p = 1.0 / 15 + zz * p;
  p = 1.0 / 13 + zz * p;
  p = 1.0 / 11 + zz * p;
  p = 1.0 / 9 + zz * p;
  p = 1.0 / 7 + zz * p;
  p = 1.0 / 5 + zz * p;
  p = 1.0 / 3 + zz * p;
  p = z + z * zz * p;
  double v = exponent * (k + p * 2.8853900817779268147);
  v = v > -1000 ? v : -1000;
  // 2^v = 2^n * e^r
  constexpr double kRound = 0x1.8p52;
  const double shifted = v + kRound;
  const double r = (v - (shifted - kRound)) * 0.69314718055994530942;
  double e = 1.0 / 479001600;
  e = 1.0 / 39916800 + r * e;
  e = 1.0 / 3628800 + r * e;
  e = 1.0 / 362880 + r * e;
  e = 1.0 / 40320 + r * e;
  e = 1.0 / 5040 + r * e;
  e = 1.0 / 720 + r * e;
  e = 1.0 / 120 + r * e;
  e = 1.0 / 24 + r * e;
  e = 1.0 / 6 + r * e;
  e = 0.5 + r * e;
  e = 1 + r * e;
  e = 1 + r * e;
  const std::uint64_t n = (to_bits(shifted) + 1023) << 52;
  return e * from_bits(n);
}

}  // namespace thalweg::hydrology::internal
