// Internal to hydrology: functions for the inner loops of routing, for one double or a pair of them. Without branches
// and with only + - * / and bit handling: the same bits on every platform, alone or in a pair.
#pragma once

#include <cstdint>
#include <cstring>

#include "thalweg/core/exact_math.h"

namespace thalweg::hydrology::internal {

/// Two doubles that are worked on at once; 16 bytes is what every platform of ours has registers for. The compilers'
/// own vector type: written as plain loops, these functions are not turned into vector code.
using Pair = double __attribute__((vector_size(16)));
using PairBits = std::uint64_t __attribute__((vector_size(16)));

inline PairBits to_bits(Pair v) {
  PairBits bits{};
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
inline Pair from_bits(PairBits bits) {
  Pair v{};
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
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
inline Pair load_pair(const double* from) {
  Pair v{};
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store_pair(double* to, Pair v) {
  std::memcpy(to, &v, sizeof v);
}

/// V{} + c: the constant in every lane.
template <class V>
[[gnu::always_inline]] inline V all(double c) {
  return V{} + c;
}

/// atan(small / large), 0 <= small <= large, large > 0; within 4e-16.
template <class V>
[[gnu::always_inline]] inline V atan_of_ratio(V small, V large) {
  const V t = small / large;
  // Nearest of 0, 1/4, 1/2, 3/4, 1 taken out by the addition theorem; the rest is at most 1/8.
  V centre{};
  V angle{};
  const auto step = [&](double from, double c, double atan_c) {
    centre = t >= all<V>(from) ? all<V>(c) : centre;
    angle = t >= all<V>(from) ? all<V>(atan_c) : angle;
  };
  step(0.125, 0.25, 0.24497866312686415417);
  step(0.375, 0.5, 0.46364760900080611621);
  step(0.625, 0.75, 0.64350110879328438680);
  step(0.875, 1.0, 0.78539816339744830962);
  const V r = (t - centre) / (1 + t * centre);
  const V z = r * r;
  V p = all<V>(1.0 / 15);
  p = 1.0 / 13 - z * p;
  p = 1.0 / 11 - z * p;
  p = 1.0 / 9 - z * p;
  p = 1.0 / 7 - z * p;
  p = 1.0 / 5 - z * p;
  p = 1.0 / 3 - z * p;
  return angle + (r - r * z * p);
}

/// atan(y / x) for y >= 0, x > 0.
template <class V>
[[gnu::always_inline]] inline V atan_first_quadrant(V y, V x) {
  const V a = atan_of_ratio<V>(y > x ? x : y, y > x ? y : x);
  return y > x ? exact::kPi / 2 - a : a;
}

/// t^exponent for t in (0, 1], exponent in [0, 100]; exactly 1 for t = 1. Relative error below 1e-13 where the result
/// is above 1e-30, below 1e-12 down to 1e-290; smaller ones end at about 2^-1000.
template <class V>
[[gnu::always_inline]] inline V pow_of_share(V t, double exponent) {
  // Series are summed in pairs of terms, so that a processor need not wait for one term after the other.
  // t = 2^k * m with m in [sqrt(1/2), sqrt(2))
  constexpr std::uint64_t kHalfRoot = 0x3FE6A09E667F3BCDULL;
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
  const auto bits = to_bits(t);
  const auto biased = (bits - kHalfRoot + kBias) >> 52;  // k + 1024
  const V k = from_bits(0x4330000000000000ULL + biased) - (0x1.0p52 + 1024);
  const V m = from_bits(bits - (biased << 52) + kBias);
  // log2 m = 2 / ln 2 * atanh z
  const V z = (m - 1) / (m + 1);
  const V zz = z * z;
  const V z4 = zz * zz;
  const V z8 = z4 * z4;
  const V head = (1.0 / 3 + zz * (1.0 / 5)) + z4 * (1.0 / 7 + zz * (1.0 / 9));
  const V tail = (1.0 / 11 + zz * (1.0 / 13)) + z4 * (1.0 / 15 + zz * (1.0 / 17));
  const V p = z + z * zz * (head + z8 * tail);
  V v = exponent * (k + p * 2.8853900817779268147);
  v = v > all<V>(-1000) ? v : all<V>(-1000);
  // 2^v = 2^n * e^r
  constexpr double kRound = 0x1.8p52;
  const V shifted = v + kRound;
  const V r = (v - (shifted - kRound)) * 0.69314718055994530942;
  const V r2 = r * r;
  const V r4 = r2 * r2;
  const V e0 = (1 + r) + r2 * (0.5 + r * (1.0 / 6));
  const V e4 = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
  const V e8 = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
  const V e = (e0 + r4 * e4) + r4 * r4 * e8;
  return e * from_bits((to_bits(shifted) + 1023) << 52);
}

}  // namespace thalweg::hydrology::internal
