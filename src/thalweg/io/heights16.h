// Heights as 16-bit integers, by the conventions of the engines that read them.
#pragma once

#include <cstdint>
#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"

namespace thalweg::io {

/// Heights between two bounds in 65536 equal steps: height = base_m + value * step_m, the bounds being values 0 and
/// 65535. One range serves all tiles of a world, or their edges would not meet. Rounding is half up, so a height within
/// the bounds comes back with an error of at most half a step; others are clamped to the nearer bound.
struct Heights16 {
  double base_m = 0;
  double step_m = 1.0 / 128;

  /// `max_m` >= `min_m`, both finite. A flat range gets steps of 1/128 m (Unreal's own), so that no scale is 0.
  static Heights16 over(double min_m, double max_m);

  /// NaN gives 0.
  std::uint16_t encode(float height_m) const;
  double decode(std::uint16_t value) const { return base_m + value * step_m; }

  /// Unity: height = value / 65536 * terrain height, above the terrain's own y. (65536, although no value reaches it:
  /// the top bound stays one step short of the full height.)
  double unity_terrain_height_m() const { return step_m * 65536; }
  double unity_terrain_y_m() const { return base_m; }

  /// Unreal: height in cm = (value - 32768) / 128 * ZScale, above the actor's own z.
  double unreal_z_scale() const { return step_m * 12800; }
  double unreal_actor_z_cm() const { return (base_m + 32768 * step_m) * 100; }
};

/// out = encode(height), cell by cell; same size.
void encode_heights(const Heights16& encoding, GridView<const float> height_m, GridView<std::uint16_t> out);

/// Raw 16-bit integers without a header, row 0 first, little-endian unless said otherwise; written atomically. The
/// bytes of Unity's RAW, Unreal's .r16 and Terrain3D's .r16.
Status write_r16(const std::string& path, GridView<const std::uint16_t> values, bool big_endian = false);

}  // namespace thalweg::io
