// Steepness: angles against gradients.
#pragma once

#include <cmath>

#include "thalweg/core/exact_math.h"

namespace thalweg::shape {

/// tan^2 of a slope in degrees, to compare squared gradients with instead of taking an arc tangent of each. Infinite
/// from 90 on, -1 below 0: nothing is steeper, everything is.
inline double tan2_of_degrees(double degrees) {
  if (degrees < 0.0) return -1.0;
  if (degrees >= 90.0) return HUGE_VAL;
  const double angle = degrees * (exact::kPi / 180.0);
  const double t = exact::sin(angle) / exact::cos(angle);
  return t * t;
}

}  // namespace thalweg::shape
