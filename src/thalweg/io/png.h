// PNG in and out (libpng).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"

namespace thalweg::io {

/// Interleaved 8-bit channels (1 grey, 3 RGB, 4 RGBA), rows from the top. Written atomically (files.h). The bytes of a
/// file depend on the pixels and the zlib version only.
Status write_png8(const std::string& path, int width, int height, int channels, std::span<const std::uint8_t> pixels);
/// Pictures of at most 256 colours: `pixels` are indices into `palette`. Packed as small as zlib can (slowly): for
/// pictures that are kept.
Status write_png_indexed(const std::string& path, int width, int height,
                         std::span<const std::array<std::uint8_t, 3>> palette, std::span<const std::uint8_t> pixels);
/// 16-bit grey.
Status write_png16(const std::string& path, GridView<const std::uint16_t> pixels);

struct Png8 {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<std::uint8_t> pixels;
};
Result<Png8> read_png8(const std::string& path);

}  // namespace thalweg::io
