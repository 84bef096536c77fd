// Colour ramps and the numbers beside them.
#pragma once

#include <string>
#include <vector>

#include "thalweg/render/canvas.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {

/// Perceptually even ramp from dark violet over teal to bright yellow, t in 0..1: lightness rises in equal steps in
/// Oklab (Ottosson 2020) while the hue turns. Readable without colour, and with every common colour blindness.
/// sRGB 0..255.
Rgb even_ramp(float t);
/// Land from low (green) to high (white), t in 0..1. sRGB 0..255.
Rgb height_tint(float t);
/// Water from shallow (0) to deep (1). sRGB 0..255.
Rgb water_tint(float t);

Colour to_colour(Rgb srgb);

struct Tick {
  double value = 0;
  double at = 0;  ///< 0..1 along the ramp
  std::string label;
};
/// Ticks at 1, 2 or 5 times a power of ten (whole powers of ten where logarithmic), about `wanted` of them. None for an
/// empty or unbounded range.
std::vector<Tick> nice_ticks(double low, double high, bool logarithmic, int wanted);

}  // namespace thalweg::render
