#include "palette.h"

#include <algorithm>
#include <map>
#include <utility>

namespace thalweg::operator_docs {
namespace {

using Colour = std::array<std::uint8_t, 3>;

struct Entry {
  Colour colour;
  std::int64_t count;
};

// Entries [begin, end) of the list, their widest channel and how wide it is.
struct Box {
  std::size_t begin;
  std::size_t end;
  std::size_t channel = 0;
  int width = 0;
};

Box box_of(const std::vector<Entry>& entries, std::size_t begin, std::size_t end) {
  Box box{begin, end};
  for (std::size_t c = 0; c < 3; ++c) {
    int low = 255;
    int high = 0;
    for (std::size_t i = begin; i < end; ++i) {
      low = std::min<int>(low, entries[i].colour[c]);
      high = std::max<int>(high, entries[i].colour[c]);
    }
    if (high - low <= box.width) continue;
    box.width = high - low;
    box.channel = c;
  }
  return box;
}

// Where half of the pixels of the sorted box lie below.
std::size_t median(const std::vector<Entry>& entries, const Box& box) {
  std::int64_t total = 0;
  for (std::size_t i = box.begin; i < box.end; ++i) total += entries[i].count;
  std::int64_t sum = 0;
  std::size_t cut = box.begin + 1;
  for (std::size_t i = box.begin; i + 1 < box.end; ++i) {
    sum += entries[i].count;
    cut = i + 1;
    if (2 * sum >= total) break;
  }
  return cut;
}

Colour mean(const std::vector<Entry>& entries, const Box& box) {
  std::array<std::int64_t, 3> sum{};
  std::int64_t total = 0;
  for (std::size_t i = box.begin; i < box.end; ++i) {
    total += entries[i].count;
    for (std::size_t c = 0; c < 3; ++c) sum[c] += entries[i].colour[c] * entries[i].count;
  }
  Colour out{};
  for (std::size_t c = 0; c < 3; ++c) out[c] = static_cast<std::uint8_t>((sum[c] + total / 2) / total);
  return out;
}

std::uint8_t nearest(const std::vector<Colour>& palette, const Colour& colour) {
  std::size_t best = 0;
  int least = 1 << 30;
  for (std::size_t p = 0; p < palette.size(); ++p) {
    int distance = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const int d = int{palette[p][c]} - int{colour[c]};
      distance += d * d;
    }
    if (distance >= least) continue;
    least = distance;
    best = p;
  }
  return static_cast<std::uint8_t>(best);
}

std::vector<Colour> median_cut(std::vector<Entry>& entries, int colours) {
  std::vector<Box> boxes = {box_of(entries, 0, entries.size())};
  while (static_cast<int>(boxes.size()) < colours) {
    const auto widest =
        std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.width < b.width; });
    if (widest->width == 0) break;
    const Box box = *widest;
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(box.begin);
    std::stable_sort(first, entries.begin() + static_cast<std::ptrdiff_t>(box.end),
                     [&](const Entry& a, const Entry& b) { return a.colour[box.channel] < b.colour[box.channel]; });
    const std::size_t cut = median(entries, box);
    *widest = box_of(entries, box.begin, cut);
    boxes.push_back(box_of(entries, cut, box.end));
  }
  std::vector<Colour> palette;
  for (const Box& box : boxes) palette.push_back(mean(entries, box));
  return palette;
}

}  // namespace

Indexed with_palette(const render::Image& image, int colours) {
  const std::size_t count = image.rgb.size() / 3;
  const auto colour_at = [&](std::size_t i) -> Colour {
    return {image.rgb[3 * i], image.rgb[3 * i + 1], image.rgb[3 * i + 2]};
  };
  std::map<Colour, std::int64_t> histogram;
  for (std::size_t i = 0; i < count; ++i) ++histogram[colour_at(i)];
  std::vector<Entry> entries;
  for (const auto& [colour, n] : histogram) entries.push_back({colour, n});
  Indexed out;
  if (entries.empty()) return out;
  out.palette = median_cut(entries, std::clamp(colours, 2, 256));
  std::map<Colour, std::uint8_t> index;
  for (const Entry& e : entries) index[e.colour] = nearest(out.palette, e.colour);
  for (std::size_t i = 0; i < count; ++i) out.pixels.push_back(index[colour_at(i)]);
  return out;
}

render::Image halved(const render::Image& image) {
  render::Image out{image.width / 2, image.height / 2, {}};
  const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t i = static_cast<std::size_t>(2 * y) * stride + static_cast<std::size_t>(6 * x) + c;
        const int sum = image.rgb[i] + image.rgb[i + 3] + image.rgb[i + stride] + image.rgb[i + stride + 3];
        out.rgb.push_back(static_cast<std::uint8_t>((sum + 2) / 4));
      }
  return out;
}

}  // namespace thalweg::operator_docs
