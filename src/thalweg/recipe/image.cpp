#include "thalweg/recipe/image.h"

#include <cmath>

namespace thalweg::recipe {
namespace {

// Pixel `first`, the one after it, and how far toward that the sample lies.
struct Between {
  int first = 0;
  int second = 0;
  double part = 0;
};

Between between(int sample, int samples, int pixels) {
  const double at = samples > 1 ? static_cast<double>(sample) * (pixels - 1) / (samples - 1) : 0.5 * (pixels - 1);
  const int first = static_cast<int>(std::floor(at));
  return {first, first + 1 < pixels ? first + 1 : first, at - first};
}

double mix(double a, double b, double part) {
  return part == 0 ? a : a + part * (b - a);
}

}  // namespace

void stretch_image(const ImageParams& params, const ImageFile& image, GridView<float> out, const Exec& exec) {
  const double range = image.most > image.least ? image.most - image.least : 1;
  const auto value = [&](int x, int y) {
    const auto v = static_cast<double>(image.cells(x, y));
    if (std::isnan(v)) return params.low;
    if (params.values == ImageValues::keep) return v;
    return params.low + (params.high - params.low) * ((v - image.least) / range);
  };
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const Between v = between(y, out.height(), image.cells.height());
      for (int x = 0; x < out.width(); ++x) {
        const Between h = between(x, out.width(), image.cells.width());
        if (!params.bilinear) {
          out(x, y) = static_cast<float>(value(h.part < 0.5 ? h.first : h.second, v.part < 0.5 ? v.first : v.second));
          continue;
        }
        const double north = mix(value(h.first, v.first), value(h.second, v.first), h.part);
        const double south = mix(value(h.first, v.second), value(h.second, v.second), h.part);
        out(x, y) = static_cast<float>(mix(north, south, v.part));
      }
    }
  });
}

}  // namespace thalweg::recipe
