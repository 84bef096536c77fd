// The panel at the right of a map.
#pragma once

#include <string>
#include <vector>

#include "thalweg/render/canvas.h"
#include "thalweg/render/ramp.h"

namespace thalweg::render {

struct Legend {
  std::string title;
  // A ramp with ticks,
  Rgb (*ramp)(float) = nullptr;
  std::vector<Tick> ticks;
  // or swatches with names.
  struct Entry {
    Colour colour;
    std::string name;
  };
  std::vector<Entry> entries;
  double pixel_m = 1;  ///< width of a pixel, for the scale bar
};

/// Pixels per dot of the text on a map `width` pixels wide.
int text_scale(int width);
int legend_width(int scale);
/// The least height that shows everything but surplus class entries.
int legend_least_height(int scale);
/// Draws into [x, x + legend_width) x [0, height).
void draw_legend(Canvas& canvas, const Legend& legend, int x, int height, int scale);

}  // namespace thalweg::render
