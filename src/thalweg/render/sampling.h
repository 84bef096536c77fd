// Fields brought to the pixels of a map.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"

namespace thalweg::render {

/// Which source cells one pixel column (or row) covers: cell i covers [i, i + 1), pixels divide the whole evenly.
class AxisSampling {
 public:
  AxisSampling(int cells, int pixels) : cells_(cells), ratio_(static_cast<double>(cells) / pixels) {}

  struct Span {
    int first = 0;
    int last = 0;  ///< included
    float first_weight = 1;
    float last_weight = 0;  ///< cells between have weight 1; unused where first == last
    float weight(int i) const { return i == first ? first_weight : i == last ? last_weight : 1.0F; }
  };
  /// Covered cells where pixels are larger than cells; the two neighbours (linear interpolation) where smaller.
  Span span(int pixel) const {
    if (ratio_ <= 1) {
      const double c = std::min(std::max((pixel + 0.5) * ratio_ - 0.5, 0.0), cells_ - 1.0);
      const int i = static_cast<int>(c);
      const auto f = static_cast<float>(c - i);
      if (i + 1 >= cells_) return {i, i, 1, 0};
      return {i, i + 1, 1 - f, f};
    }
    const double from = pixel * ratio_;
    const double to = std::min((pixel + 1) * ratio_, static_cast<double>(cells_));
    const int first = std::min(static_cast<int>(from), cells_ - 1);
    const int last = std::min(std::max(static_cast<int>(std::ceil(to)) - 1, first), cells_ - 1);
    if (first == last) return {first, first, 1, 0};
    return {first, last, static_cast<float>(first + 1 - from), static_cast<float>(to - last)};
  }
  double ratio() const { return ratio_; }

 private:
  int cells_;
  double ratio_;
};

/// Calls visit(cell_x, cell_y, weight) for the cells under a pixel.
template <class Visit>
void visit_cells(const AxisSampling::Span& x, const AxisSampling::Span& y, Visit&& visit) {
  for (int j = y.first; j <= y.last; ++j)
    for (int i = x.first; i <= x.last; ++i) visit(i, j, x.weight(i) * y.weight(j));
}

/// Weighted mean of the finite values under every pixel; NaN where there are none.
template <class T>
Grid<float> sample_mean(GridView<const T> source, int width, int height, const Exec& exec) {
  const AxisSampling across(source.width(), width);
  const AxisSampling down(source.height(), height);
  Grid<float> out(width, height);
  parallel_for(exec, 0, height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < end; ++y) {
      const AxisSampling::Span sy = down.span(y);
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        double weight = 0;
        visit_cells(across.span(x), sy, [&](int i, int j, float w) {
          const double v = static_cast<double>(source(i, j));
          if (w <= 0 || !std::isfinite(v)) return;
          sum += w * v;
          weight += w;
        });
        out(x, y) = weight > 0 ? static_cast<float>(sum / weight) : std::numeric_limits<float>::quiet_NaN();
      }
    }
  });
  return out;
}

}  // namespace thalweg::render
