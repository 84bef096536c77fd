// Where the camera stands.
#pragma once

#include "thalweg/render/render.h"
#include "thalweg/render/terrain.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {

/// A pinhole camera. Screen coordinates: right and up from the middle, in tangents of the angle.
struct View {
  Vec3 eye;
  Vec3 forward;
  Vec3 right;
  Vec3 up;
  double half_width = 1;  ///< tangent of half the horizontal field of view
  double half_height = 1;
  double distance = 1;  ///< eye to target, metres

  Vec3 ray(double sx, double sy) const {
    return normalize(forward + right * (sx * half_width) + up * (sy * half_height));
  }
};

/// Resolves the camera: as given, or so that the whole land fits the picture with some sky above it.
View make_view(const Terrain& terrain, const PerspectiveParams& params);

}  // namespace thalweg::render
