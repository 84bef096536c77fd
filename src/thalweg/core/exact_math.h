// Elementary functions whose bits are the same on every platform: only + - * / sqrt and exact bit handling, no libm.
//
// Accurate to a few units in the last place of double over the stated ranges; meant for everything that shapes
// terrain. libm's exp, pow, sin, cos, atan2 differ between systems and must not be used there.
#pragma once

#include <cstdint>
#include <cstring>

namespace thalweg::exact {

inline constexpr double kPi = 3.141592653589793238462643383279502884;

/// floor for |v| < 2^62, as an integer.
inline std::int64_t floor_to_int(double v) {
  const auto i = static_cast<std::int64_t>(v);
  return i - (v < static_cast<double>(i) ? 1 : 0);
}
/// Round half up (toward +infinity) to an integer, |v| < 2^62.
inline std::int64_t round_to_int(double v) {
  return floor_to_int(v + 0.5);
}

double exp(double v);                      ///< e^v; 0 below -745, +infinity above 709.78, NaN for NaN.
double log(double v);                      ///< natural logarithm; -infinity at 0, NaN below.
double pow(double base, double exponent);  ///< base >= 0; pow(0, 0) = 1; negative base gives NaN.
double sin(double v);                      ///< radians, |v| < 1e6.
double cos(double v);                      ///< radians, |v| < 1e6.
double atan2(double y, double x);          ///< radians in (-pi, pi]; 0 for (0, 0).

}  // namespace thalweg::exact
