// What the ground looks like, without light.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/render/render.h"
#include "thalweg/render/terrain.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {

/// sRGB byte to linear.
Rgb from_srgb(const std::array<std::uint8_t, 3>& c);
/// Linear 0..1 to an sRGB value 0..255 (not rounded).
float to_srgb255(float linear);

/// Smooth noise in [-1, 1] of wavelength 1, hashed: value noise with a quintic fade.
float value_noise(double x, double y, std::uint32_t seed);

/// A place on the ground.
struct GroundPoint {
  double x = 0;  ///< in samples of the terrain
  double y = 0;
  float z = 0;          ///< of the surface
  Gradient slope;       ///< true surface
  float footprint = 1;  ///< size of a pixel there, in samples
};

/// Colours of classes, or of height and slope where there are none.
class Material {
 public:
  Material(const Scene& scene, const Terrain& terrain);
  /// Diffuse reflectance.
  Rgb albedo(const GroundPoint& p) const;
  /// Slopes of fine roughness that the grid is too coarse for, to be added to the gradient.
  Gradient roughness(const GroundPoint& p) const;
  /// Earth of cut edges at height z.
  Rgb section(double along, double z, double depth) const;

 private:
  Rgb class_colour(const GroundPoint& p, float wander_x, float wander_y) const;
  Rgb natural_colour(const GroundPoint& p, float noise, float steep) const;

  const Terrain& terrain_;
  GridView<const std::uint8_t> ground_;
  std::vector<Rgb> colours_;
  float snow_line_ = 0;  // z, exaggerated
  float relief_ = 1;
};

}  // namespace thalweg::render
