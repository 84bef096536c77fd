// OpenEXR out: heights in real metres.
#pragma once

#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"

namespace thalweg::io {

enum class ExrPixel {
  f32,  ///< 32-bit float, the values as they are
  f16,  ///< 16-bit float, 11 significant bits; values beyond +-65504 are refused. HTerrain reads nothing else.
};

/// A scanline EXR, ZIP-compressed, written atomically. `channels` 1: one channel "Y"; 3: the same value in R, G and B,
/// as Terrain3D expects. NaN stays NaN. The bytes depend on the values and the library versions only.
Status write_exr(const std::string& path, GridView<const float> values, int channels, ExrPixel pixel = ExrPixel::f32);

}  // namespace thalweg::io
