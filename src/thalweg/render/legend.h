// The panel at the right of a map.
#pragma once

#include <string>
#include <vector>

#include "thalweg/render/canvas.h"
#include "thalweg/render/ramp.h"

namespace thalweg::render {

constexpr Colour kPaper{250, 249, 246};

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
/// The least width of a legend.
int legend_width(int scale);
/// The least height that shows everything but surplus class entries.
int legend_least_height(int scale);

struct Panel {
  int width = 0;  ///< 0: no room for a legend
  int scale = 1;  ///< of its text
};
/// The panel added to a map `map_width` wide: as wide as the longest text, within 40 % of both together unless the
/// least width is more.
Panel panel_beside(const Legend& legend, int map_width, int scale);
/// The panel within a picture: as wide as the longest text, within 40 % of the picture; smaller text where the names of
/// the classes need that; none where not even the smallest one fits.
Panel panel_within(const Legend& legend, int width, int height);

/// Draws into [x, x + panel.width) x [0, height).
void draw_legend(Canvas& canvas, const Legend& legend, int x, int height, Panel panel);

}  // namespace thalweg::render
