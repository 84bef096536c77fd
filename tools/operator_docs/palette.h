// Pictures with few colours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thalweg/render/render.h"

namespace thalweg::operator_docs {

struct Indexed {
  std::vector<std::array<std::uint8_t, 3>> palette;
  std::vector<std::uint8_t> pixels;
};

/// At most `colours` (2 to 256) colours by median cut, each pixel in the nearest; no dithering, which packs badly.
Indexed with_palette(const render::Image& image, int colours);

/// Every two by two pixels made one; an odd row or column at the end is left out.
render::Image halved(const render::Image& image);

}  // namespace thalweg::operator_docs
