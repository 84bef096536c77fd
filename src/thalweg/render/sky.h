// The sky's light for one position of the sun.
#pragma once

#include <vector>

#include "thalweg/render/vec.h"

namespace thalweg::render {

/// Clear sky by single scattering of air and haze in a round atmosphere (Nishita et al. 1993), with an even term for
/// the light scattered more than once. Radiance relative to a sun of irradiance 1 above the atmosphere.
class Sky {
 public:
  /// `sun`: unit vector toward the sun.
  explicit Sky(Vec3 sun);

  Vec3 sun() const { return sun_; }
  Rgb sunlight() const { return sunlight_; }   ///< irradiance on a plane that faces the sun
  Rgb irradiance() const { return ambient_; }  ///< of the whole sky on level ground
  /// Radiance from a direction (unit); below the horizon that of the horizon.
  Rgb radiance(Vec3 direction) const;
  /// The sun's disc with a soft rim, to be added for rays that leave the scene.
  Rgb disc(Vec3 direction) const;

 private:
  Rgb scatter(double elevation_sine, double sun_angle_cos, Rgb many) const;
  void fill_table(Rgb many);

  static constexpr int kElevations = 96;
  static constexpr int kAzimuths = 40;
  Vec3 sun_;
  double sun_x_ = 0;  // the sun's compass direction
  double sun_y_ = 1;
  Rgb sunlight_;
  Rgb ambient_;
  std::vector<Rgb> table_;  // [elevation][angle to the sun's azimuth]
};

}  // namespace thalweg::render
