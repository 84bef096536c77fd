#include "thalweg/render/canvas.h"

#include <algorithm>
#include <cmath>

namespace thalweg::render {
namespace {

constexpr int kRows = 7;

/// Dots of the characters 32 to 126: rows from the top, bit 4 is the left column. g, p, q, y and j sit on the line and
/// are lowered by two dots when drawn.
constexpr std::uint8_t kFont[95][kRows] = {
    {0, 0, 0, 0, 0, 0, 0},         // space
    {4, 4, 4, 4, 4, 0, 4},         // !
    {10, 10, 10, 0, 0, 0, 0},      // "
    {10, 10, 31, 10, 31, 10, 10},  // #
    {4, 15, 20, 14, 5, 30, 4},     // $
    {24, 25, 2, 4, 8, 19, 3},      // %
    {8, 20, 20, 8, 21, 18, 13},    // &
    {4, 4, 4, 0, 0, 0, 0},         // '
    {2, 4, 8, 8, 8, 4, 2},         // (
    {8, 4, 2, 2, 2, 4, 8},         // )
    {0, 4, 21, 14, 21, 4, 0},      // *
    {0, 4, 4, 31, 4, 4, 0},        // +
    {0, 0, 0, 0, 4, 4, 8},         // ,
    {0, 0, 0, 14, 0, 0, 0},        // -
    {0, 0, 0, 0, 0, 0, 4},         // .
    {1, 1, 2, 4, 8, 16, 16},       // /
    {14, 17, 17, 17, 17, 17, 14},  // 0
    {4, 12, 20, 4, 4, 4, 31},      // 1
    {14, 17, 1, 6, 8, 16, 31},     // 2
    {14, 17, 1, 6, 1, 17, 14},     // 3
    {2, 6, 10, 18, 31, 2, 2},      // 4
    {31, 16, 30, 1, 1, 17, 14},    // 5
    {6, 8, 16, 30, 17, 17, 14},    // 6
    {31, 1, 2, 2, 4, 4, 4},        // 7
    {14, 17, 17, 14, 17, 17, 14},  // 8
    {14, 17, 17, 15, 1, 2, 12},    // 9
    {0, 0, 4, 0, 0, 4, 0},         // :
    {0, 0, 4, 0, 4, 4, 8},         // ;
    {1, 2, 4, 8, 4, 2, 1},         // <
    {0, 0, 31, 0, 31, 0, 0},       // =
    {16, 8, 4, 2, 4, 8, 16},       // >
    {14, 17, 1, 6, 4, 0, 4},       // ?
    {14, 17, 23, 21, 23, 16, 14},  // @
    {4, 10, 17, 17, 31, 17, 17},   // A
    {30, 17, 17, 30, 17, 17, 30},  // B
    {14, 17, 16, 16, 16, 17, 14},  // C
    {28, 18, 17, 17, 17, 18, 28},  // D
    {31, 16, 16, 28, 16, 16, 31},  // E
    {31, 16, 16, 28, 16, 16, 16},  // F
    {14, 17, 16, 19, 17, 17, 14},  // G
    {17, 17, 17, 31, 17, 17, 17},  // H
    {14, 4, 4, 4, 4, 4, 14},       // I
    {1, 1, 1, 1, 17, 17, 14},      // J
    {17, 18, 20, 24, 20, 18, 17},  // K
    {16, 16, 16, 16, 16, 16, 31},  // L
    {17, 27, 21, 21, 17, 17, 17},  // M
    {17, 25, 25, 21, 19, 19, 17},  // N
    {14, 17, 17, 17, 17, 17, 14},  // O
    {30, 17, 17, 30, 16, 16, 16},  // P
    {14, 17, 17, 17, 21, 18, 13},  // Q
    {30, 17, 17, 30, 20, 18, 17},  // R
    {14, 17, 16, 14, 1, 17, 14},   // S
    {31, 4, 4, 4, 4, 4, 4},        // T
    {17, 17, 17, 17, 17, 17, 14},  // U
    {17, 17, 17, 10, 10, 4, 4},    // V
    {17, 17, 17, 21, 21, 27, 17},  // W
    {17, 17, 10, 4, 10, 17, 17},   // X
    {17, 17, 10, 10, 4, 4, 4},     // Y
    {31, 1, 2, 4, 8, 16, 31},      // Z
    {14, 8, 8, 8, 8, 8, 14},       // [
    {16, 16, 8, 4, 2, 1, 1},       // backslash
    {14, 2, 2, 2, 2, 2, 14},       // ]
    {4, 10, 17, 0, 0, 0, 0},       // ^
    {0, 0, 0, 0, 0, 0, 31},        // _
    {8, 4, 0, 0, 0, 0, 0},         // `
    {0, 0, 14, 1, 15, 17, 15},     // a
    {16, 16, 30, 17, 17, 17, 30},  // b
    {0, 0, 14, 16, 16, 16, 14},    // c
    {1, 1, 15, 17, 17, 17, 15},    // d
    {0, 0, 14, 17, 31, 16, 14},    // e
    {6, 8, 28, 8, 8, 8, 8},        // f
    {15, 17, 17, 17, 15, 1, 14},   // g
    {16, 16, 30, 17, 17, 17, 17},  // h
    {4, 0, 4, 4, 4, 4, 4},         // i
    {2, 2, 2, 2, 2, 18, 12},       // j
    {16, 16, 18, 20, 24, 20, 18},  // k
    {8, 8, 8, 8, 8, 8, 4},         // l
    {0, 0, 26, 21, 21, 21, 21},    // m
    {0, 0, 30, 17, 17, 17, 17},    // n
    {0, 0, 14, 17, 17, 17, 14},    // o
    {30, 17, 17, 17, 30, 16, 16},  // p
    {15, 17, 17, 17, 15, 1, 1},    // q
    {0, 0, 22, 24, 16, 16, 16},    // r
    {0, 0, 15, 16, 14, 1, 30},     // s
    {8, 8, 28, 8, 8, 8, 6},        // t
    {0, 0, 17, 17, 17, 17, 15},    // u
    {0, 0, 17, 17, 10, 10, 4},     // v
    {0, 0, 17, 21, 21, 21, 10},    // w
    {0, 0, 17, 10, 4, 10, 17},     // x
    {17, 17, 17, 17, 15, 1, 14},   // y
    {0, 0, 31, 2, 4, 8, 31},       // z
    {2, 4, 4, 8, 4, 4, 2},         // {
    {4, 4, 4, 4, 4, 4, 4},         // |
    {8, 4, 4, 2, 4, 4, 8},         // }
    {0, 0, 8, 21, 2, 0, 0},        // ~
};

struct Glyph {
  const std::uint8_t* rows;
  int first;  // column of the first dot
  int width;  // columns up to the last dot
  int drop;   // rows below the line
};

Glyph glyph_of(char c) {
  if (c < 32 || c > 126) c = '?';
  Glyph g{kFont[c - 32], 0, 3, 0};
  unsigned columns = 0;
  for (int r = 0; r < kRows; ++r) columns |= g.rows[r];
  if (columns != 0) {
    while ((columns & (16U >> g.first)) == 0) ++g.first;
    int last = 4;
    while ((columns & (16U >> last)) == 0) --last;
    g.width = last - g.first + 1;
  }
  // Figures share a width, so that columns of numbers stand in line.
  if (c >= '0' && c <= '9') {
    g.first = 0;
    g.width = 5;
  }
  if (c == 'g' || c == 'p' || c == 'q' || c == 'y' || c == 'j') g.drop = 2;
  if (c == ',' || c == ';') g.drop = 1;
  return g;
}

}  // namespace

void Canvas::blend(int x, int y, Colour colour, float opacity) {
  if (x < 0 || y < 0 || x >= image_.width || y >= image_.height) return;
  const std::size_t i =
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(x)) * 3;
  for (std::size_t k = 0; k < 3; ++k) {
    const float old = image_.rgb[i + k];
    const float value = old + (static_cast<float>(colour[k]) - old) * opacity;
    image_.rgb[i + k] = static_cast<std::uint8_t>(std::lround(std::min(std::max(value, 0.0F), 255.0F)));
  }
}

void Canvas::fill(int x, int y, int width, int height, Colour colour, float opacity) {
  for (int j = std::max(y, 0); j < std::min(y + height, image_.height); ++j)
    for (int i = std::max(x, 0); i < std::min(x + width, image_.width); ++i) blend(i, j, colour, opacity);
}

void Canvas::segment(double x0, double y0, double x1, double y1, double radius, int right, int bottom) {
  const double reach = radius + 1;
  const auto cell = [](double v, int size) {
    return static_cast<int>(std::min(std::max(std::floor(v), 0.0), static_cast<double>(size - 1)));
  };
  const int left = cell(std::min(x0, x1) - reach, right);
  const int last_x = cell(std::max(x0, x1) + reach, right);
  const int top = cell(std::min(y0, y1) - reach, bottom);
  const int last_y = cell(std::max(y0, y1) + reach, bottom);
  const double dx = x1 - x0;
  const double dy = y1 - y0;
  const double square = dx * dx + dy * dy;
  for (int y = top; y <= last_y; ++y)
    for (int x = left; x <= last_x; ++x) {
      const double px = x + 0.5 - x0;
      const double py = y + 0.5 - y0;
      const double along = square > 0 ? std::min(std::max((px * dx + py * dy) / square, 0.0), 1.0) : 0.0;
      const double ex = px - along * dx;
      const double ey = py - along * dy;
      const double cover = radius + 0.5 - std::sqrt(ex * ex + ey * ey);
      if (!(cover > 0)) continue;
      float& c =
          cover_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(x)];
      c = std::max(c, static_cast<float>(std::min(cover, 1.0)));
    }
  touched_ = {std::min(touched_[0], left), std::min(touched_[1], top), std::max(touched_[2], last_x),
              std::max(touched_[3], last_y)};
}

void Canvas::polyline(const std::vector<double>& xy, double width, Colour colour, int right, int bottom) {
  right = std::min(right, image_.width);
  bottom = std::min(bottom, image_.height);
  if (right <= 0 || bottom <= 0 || !(width > 0) || xy.size() < 2) return;
  cover_.resize(static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height), 0.0F);
  touched_ = {right, bottom, -1, -1};
  const double radius = 0.5 * std::max(width, 1.0);
  const auto opacity = static_cast<float>(std::min(width, 1.0));
  for (std::size_t i = 0; i + 1 < xy.size(); i += 2) {
    const std::size_t j = i + 3 < xy.size() ? i + 2 : i;
    if (j == i && i > 0) break;  // a single point is a dot; the last of several has been drawn
    if (!std::isfinite(xy[i] + xy[i + 1] + xy[j] + xy[j + 1])) continue;
    segment(xy[i], xy[i + 1], xy[j], xy[j + 1], radius, right, bottom);
  }
  for (int y = touched_[1]; y <= touched_[3]; ++y)
    for (int x = touched_[0]; x <= touched_[2]; ++x) {
      float& c =
          cover_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(x)];
      if (c > 0) blend(x, y, colour, c * opacity);
      c = 0;
    }
}

void Canvas::text(int x, int y, std::string_view text, int scale, Colour colour) {
  for (const char c : text) {
    const Glyph g = glyph_of(c);
    for (int r = 0; r < kRows; ++r)
      for (int k = 0; k < g.width; ++k)
        if ((g.rows[r] & (16 >> (g.first + k))) != 0)
          fill(x + k * scale, y + (r + g.drop) * scale, scale, scale, colour);
    x += (g.width + 1) * scale;
  }
}

int Canvas::text_width(std::string_view text, int scale) {
  int width = 0;
  for (const char c : text) width += (glyph_of(c).width + 1) * scale;
  return text.empty() ? 0 : width - scale;
}

}  // namespace thalweg::render
