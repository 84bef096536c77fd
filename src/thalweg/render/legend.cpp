#include "thalweg/render/legend.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg::render {
namespace {

constexpr Colour kInk{38, 42, 48};
constexpr Colour kFaint{150, 152, 156};

int margin_of(int scale) {
  return 8 * scale;
}

/// Width of a panel that cuts no name of a class and no label of a tick.
int width_of_names(const Legend& legend, int scale) {
  int width = 0;
  for (const Legend::Entry& e : legend.entries) width = std::max(width, 13 * scale + Canvas::text_width(e.name, scale));
  for (const Tick& t : legend.ticks) width = std::max(width, 15 * scale + Canvas::text_width(t.label, scale));
  return width + 2 * margin_of(scale);
}

int width_of_texts(const Legend& legend, int scale) {
  return std::max(width_of_names(legend, scale), Canvas::text_width(legend.title, scale) + 2 * margin_of(scale));
}

/// Cuts a text at spaces (or anywhere, if a word is too long) so that every line fits.
std::vector<std::string> wrap(const std::string& text, int width, int scale) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    std::string word = text.substr(at, end - at);
    at = end + 1;
    const std::string joined = line.empty() ? word : line + " " + word;
    if (Canvas::text_width(joined, scale) <= width) {
      line = joined;
      continue;
    }
    if (!line.empty()) lines.push_back(line);
    while (word.size() > 1 && Canvas::text_width(word, scale) > width) {
      std::size_t n = word.size() - 1;
      while (n > 1 && Canvas::text_width(word.substr(0, n), scale) > width) --n;
      lines.push_back(word.substr(0, n));
      word.erase(0, n);
    }
    line = word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

void draw_ramp(Canvas& canvas, const Legend& legend, int x, int top, int bottom, int scale) {
  const int width = 9 * scale;
  const int height = std::max(bottom - top, 1);
  canvas.fill(x - 1, top - 1, width + 2, height + 2, kInk, 0.55F);
  for (int i = 0; i < height; ++i) {
    const float t = 1 - (static_cast<float>(i) + 0.5F) / static_cast<float>(height);
    canvas.fill(x, top + i, width, 1, to_colour(legend.ramp(t)));
  }
  for (const Tick& tick : legend.ticks) {
    const int y = bottom - static_cast<int>(std::lround(tick.at * height));
    canvas.fill(x + width + 1, y - scale / 2, 3 * scale, std::max(scale - 1, 1), kInk);
    canvas.text(x + width + 6 * scale, y - 4 * scale + scale / 2, tick.label, scale, kInk);
  }
}

void draw_entries(Canvas& canvas, const Legend& legend, int x, int top, int bottom, int width, int scale) {
  const int pitch = 13 * scale;
  const int fit = std::max((bottom - top) / pitch, 0);
  const int count = static_cast<int>(legend.entries.size());
  const int shown = count <= fit ? count : std::max(fit - 1, 0);
  for (int i = 0; i < shown; ++i) {
    const Legend::Entry& e = legend.entries[static_cast<std::size_t>(i)];
    const int y = top + i * pitch;
    canvas.fill(x - 1, y - 1, 9 * scale + 2, 9 * scale + 2, kInk, 0.55F);
    canvas.fill(x, y, 9 * scale, 9 * scale, e.colour);
    std::string name = e.name;
    while (!name.empty() && Canvas::text_width(name, scale) > width - 13 * scale) name.pop_back();
    canvas.text(x + 13 * scale, y + scale, name, scale, kInk);
  }
  if (shown < count)
    canvas.text(x, top + shown * pitch + scale, "+ " + std::to_string(count - shown) + " more", scale, kFaint);
}

void draw_scale_bar(Canvas& canvas, double pixel_m, int x, int y, int width, int scale) {
  const double longest = pixel_m * width;
  if (!(longest > 0) || !std::isfinite(longest)) return;
  const double power = std::pow(10.0, std::floor(std::log10(longest)));
  const double m = longest >= 5 * power ? 5 * power : longest >= 2 * power ? 2 * power : power;
  const int length = std::max(static_cast<int>(std::lround(m / pixel_m)), 1);
  const bool km = m >= 1000;
  const double value = km ? m / 1000 : m;
  const std::vector<Tick> tick = nice_ticks(0, value, false, 1);
  const std::string label = (tick.empty() ? std::string() : tick.back().label) + (km ? " km" : " m");
  canvas.text(x, y, label, scale, kInk);
  const int bar = y + 12 * scale;
  canvas.fill(x, bar, length, 2 * scale, kInk);
  canvas.fill(x + length / 2, bar + std::max(scale / 2, 1), length - length / 2 - std::max(scale / 2, 1),
              2 * scale - 2 * std::max(scale / 2, 1), kPaper);
}

void draw_north(Canvas& canvas, int x, int y, int scale) {
  // A slim arrow, its eastern half open.
  const int h = 16 * scale;
  for (int i = 0; i < h; ++i) {
    const int half = (i * 5 * scale) / h;
    canvas.fill(x - half, y + i, half + 1, 1, kInk);
    canvas.blend(x + half, y + i, kInk, 1);
    if (i >= h - scale) canvas.fill(x, y + i, half, 1, kInk);
  }
  canvas.text(x - Canvas::text_width("N", scale) / 2, y + h + 3 * scale, "N", scale, kInk);
}

}  // namespace

int text_scale(int width) {
  return width >= 2400 ? 3 : width >= 560 ? 2 : 1;
}

int legend_width(int scale) {
  return 96 * scale;
}

int legend_least_height(int scale) {
  return 130 * scale;
}

Panel panel_beside(const Legend& legend, int map_width, int scale) {
  const int most = static_cast<int>(std::int64_t{map_width} * 2 / 3);
  return {std::max(legend_width(scale), std::min(width_of_texts(legend, scale), most)), scale};
}

Panel panel_within(const Legend& legend, int width, int height) {
  const int most = static_cast<int>(std::int64_t{width} * 2 / 5);
  for (int scale = text_scale(width); scale >= 1; --scale) {
    if (legend_width(scale) > most || legend_least_height(scale) > height) continue;
    if (scale > 1 && width_of_names(legend, scale) > most) continue;
    return {std::max(legend_width(scale), std::min(width_of_texts(legend, scale), most)), scale};
  }
  return {};
}

void draw_legend(Canvas& canvas, const Legend& legend, int x, int height, Panel panel) {
  const int scale = panel.scale;
  const int margin = margin_of(scale);
  const int width = panel.width - 2 * margin;
  canvas.fill(x, 0, panel.width, height, kPaper);
  canvas.fill(x, 0, 1, height, kFaint);
  int top = margin;
  for (const std::string& line : wrap(legend.title, width, scale)) {
    if (top > height / 3) break;
    canvas.text(x + margin, top, line, scale, kInk);
    top += 11 * scale;
  }
  top += 5 * scale;
  const int foot = height - margin - 18 * scale;
  const int bottom = foot - 12 * scale;
  if (legend.ramp != nullptr && !legend.ticks.empty()) {
    draw_ramp(canvas, legend, x + margin, top, std::min(bottom, top + 190 * scale), scale);
  } else {
    draw_entries(canvas, legend, x + margin, top, bottom, width, scale);
  }
  draw_scale_bar(canvas, legend.pixel_m, x + margin, foot, width - 18 * scale, scale);
  draw_north(canvas, x + panel.width - margin - 5 * scale, height - margin - 27 * scale, scale);
}

}  // namespace thalweg::render
