// Relief and roughness: what a window around each cell holds.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::hydrology {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Largest value in every window of `radius` to each side, cut off at the ends: three comparisons a sample. The row is
// cut into pieces as long as the window; a window spans the end of one piece and the beginning of the next.
class SlidingMax {
 public:
  void operator()(const float* in, int n, int radius, float* out) {
    const int r = std::min(radius, n);  // wider windows hold everything already
    const int piece = 2 * r + 1;
    const std::size_t padded = static_cast<std::size_t>((n + 2 * r + piece - 1) / piece) * piece;
    forward_.resize(padded);
    backward_.resize(padded);
    const auto at = [&](std::size_t i) {
      const auto j = static_cast<std::ptrdiff_t>(i) - r;
      return j >= 0 && j < n ? in[j] : -kInfinity;
    };
    const auto length = static_cast<std::size_t>(piece);
    for (std::size_t i = 0; i < padded; ++i) forward_[i] = i % length == 0 ? at(i) : std::max(forward_[i - 1], at(i));
    for (std::size_t i = padded; i-- > 0;)
      backward_[i] = i % length == length - 1 ? at(i) : std::max(backward_[i + 1], at(i));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
      out[i] = std::max(backward_[i], forward_[i + length - 1]);
  }

 private:
  std::vector<float> forward_, backward_;
};

int window_cells(double radius_m, double cell_m) {
  const double cells = radius_m / cell_m;
  return cells < 1e8 ? static_cast<int>(exact::round_to_int(cells)) : 100'000'000;
}

// The lowest of a window is the highest of what is turned upside down.
struct Extremes {
  std::vector<float> high, low, high_out, low_out;
  SlidingMax slide;

  explicit Extremes(int n)
      : high(static_cast<std::size_t>(n)), low(high.size()), high_out(high.size()), low_out(high.size()) {}
  void run(int radius) {
    const int n = static_cast<int>(high.size());
    slide(high.data(), n, radius, high_out.data());
    slide(low.data(), n, radius, low_out.data());
  }
};

// Moments of the samples of a window, relative to its middle.
struct Moments {
  double n = 0, x = 0, y = 0, z = 0, xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, zz = 0;
  void add(double at_x, double at_y, double h) {
    n += 1, x += at_x, y += at_y, z += h;
    xx += at_x * at_x, xy += at_x * at_y, yy += at_y * at_y;
    xz += at_x * h, yz += at_y * h, zz += h * h;
  }
};

// Root mean square residual of the least-squares plane; along a line, of the line.
double plane_residual(const Moments& m) {
  const double xx = m.xx - m.x * m.x / m.n, yy = m.yy - m.y * m.y / m.n, xy = m.xy - m.x * m.y / m.n;
  const double xz = m.xz - m.x * m.z / m.n, yz = m.yz - m.y * m.z / m.n, zz = m.zz - m.z * m.z / m.n;
  const double det = xx * yy - xy * xy;
  double explained = 0;
  if (det > 1e-9 * (xx * yy)) {
    explained = (xz * (xz * yy - yz * xy) + yz * (yz * xx - xz * xy)) / det;
  } else {
    return 0;
  }
  const double rest = (zz - explained) / m.n;
  return rest > 0 ? std::sqrt(rest) : rest == rest ? 0.0 : rest;
}

}  // namespace

void local_relief(GridView<const float> height, const CellGeometry& geometry, const ReliefParams& params,
                  GridView<float> out, const Exec& exec) {
  assert(validate(params));
  assert(out.width() == height.width() && out.height() == height.height() && geometry.height() >= height.height());
  const int w = height.width();
  const int h = height.height();
  if (height.empty()) return;
  Grid<float> high(w, h);
  Grid<float> low(w, h);
  parallel_rows(exec, w, h, [&](int begin, int end) {
    Extremes line(w);
    for (int y = begin; y < end; ++y) {
      for (int x = 0; x < w; ++x) {
        const float v = height(x, y);
        line.high[static_cast<std::size_t>(x)] = is_nodata(v) ? -kInfinity : v;
        line.low[static_cast<std::size_t>(x)] = is_nodata(v) ? -kInfinity : -v;
      }
      line.run(window_cells(params.radius_m, geometry.row(y).dx_m));
      std::copy(line.high_out.begin(), line.high_out.end(), high.row(y));
      std::copy(line.low_out.begin(), line.low_out.end(), low.row(y));
    }
  });
  const int radius_y = window_cells(params.radius_m, geometry.row(h / 2).dy_m);
  constexpr int kStrip = 16;  // columns that share cache lines
  parallel_for(exec, 0, w, kStrip, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Extremes> lines(static_cast<std::size_t>(end - begin), Extremes(h));
    for (std::size_t y = 0; y < static_cast<std::size_t>(h); ++y)
      for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].high[y] = high(static_cast<int>(begin) + static_cast<int>(i), static_cast<int>(y));
        lines[i].low[y] = low(static_cast<int>(begin) + static_cast<int>(i), static_cast<int>(y));
      }
    for (Extremes& line : lines) line.run(radius_y);
    for (int y = 0; y < h; ++y)
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const int x = static_cast<int>(begin) + static_cast<int>(i);
        const auto row = static_cast<std::size_t>(y);
        out(x, y) = is_nodata(height(x, y)) ? kNoData<float> : lines[i].high_out[row] + lines[i].low_out[row];
      }
  });
}

void roughness(GridView<const float> height, const CellGeometry& geometry, const RoughnessParams& params,
               GridView<float> out, const Exec& exec) {
  assert(validate(params));
  assert(out.width() == height.width() && out.height() == height.height() && geometry.height() >= height.height());
  const int r = static_cast<int>(params.radius_cells);
  parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const CellGeometry::Row& cell = geometry.row(y);
      for (int x = 0; x < height.width(); ++x) {
        const double middle = height(x, y);
        if (middle != middle) {
          out(x, y) = kNoData<float>;
          continue;
        }
        Moments m;
        for (int j = std::max(0, y - r); j <= std::min(height.height() - 1, y + r); ++j)
          for (int i = std::max(0, x - r); i <= std::min(height.width() - 1, x + r); ++i)
            if (const double z = height(i, j); z == z) m.add((i - x) * cell.dx_m, (j - y) * cell.dy_m, z - middle);
        out(x, y) = static_cast<float>(plane_residual(m));
      }
    }
  });
}

}  // namespace thalweg::hydrology
