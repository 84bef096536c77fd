// Drawing on a picture: rectangles, smooth lines, text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "thalweg/render/render.h"

namespace thalweg::render {

using Colour = std::array<std::uint8_t, 3>;

class Canvas {
 public:
  explicit Canvas(Image& image) : image_(image) {}

  /// Whole pixels, cut off at the picture's borders.
  void fill(int x, int y, int width, int height, Colour colour, float opacity = 1);
  void blend(int x, int y, Colour colour, float opacity);
  /// A line of round ends and joints through points in pixels (pixel (0, 0) covers 0..1), drawn inside x < right and
  /// y < bottom only. Widths below 1 become fainter instead of thinner.
  void polyline(const std::vector<double>& xy, double width, Colour colour, int right, int bottom);
  /// Text with its top left corner at (x, y); `scale` pixels per dot. Letters are 7 dots high, their tails up to 9.
  void text(int x, int y, std::string_view text, int scale, Colour colour);
  static int text_width(std::string_view text, int scale);

 private:
  void segment(double x0, double y0, double x1, double y1, double radius, int right, int bottom);

  Image& image_;
  // Coverage of the line being drawn and the box it has touched, so that joints are not painted twice.
  std::vector<float> cover_;
  std::array<int, 4> touched_{};
};

}  // namespace thalweg::render
