#include <cmath>
#include <vector>

#include "thalweg/render/terrain.h"

namespace thalweg::render {
namespace {

constexpr float kOpen = -10;

/// A grid seen so that the sweep always runs along its major axis.
struct Sweep {
  const float* data;
  std::ptrdiff_t major_stride;
  std::ptrdiff_t minor_stride;
  int major;  // samples along the sweep
  int minor;
  double skew;    // minor samples per major sample
  double step_m;  // length of one step along a line
  bool backward;  // the light lies at the high end of the major axis
  std::int64_t first_line;
  std::int64_t lines;
};

Sweep make_sweep(GridView<const float> g, double cell_x, double cell_y, double east, double south) {
  const double ax = east / cell_x;
  const double ay = south / cell_y;
  const bool along_x = std::fabs(ax) >= std::fabs(ay);
  Sweep s{};
  s.data = g.data();
  s.major_stride = along_x ? 1 : g.stride();
  s.minor_stride = along_x ? g.stride() : 1;
  s.major = along_x ? g.width() : g.height();
  s.minor = along_x ? g.height() : g.width();
  const double a = along_x ? ax : ay;
  s.skew = (along_x ? ay : ax) / a;
  const double dx = (along_x ? 1 : s.skew) * cell_x;
  const double dy = (along_x ? s.skew : 1) * cell_y;
  s.step_m = std::sqrt(dx * dx + dy * dy);
  s.backward = a > 0;
  const double drift = s.skew * (s.major - 1);
  s.first_line = static_cast<std::int64_t>(std::floor(std::min(0.0, -drift)));
  s.lines = static_cast<std::int64_t>(std::ceil(s.minor - 1 + std::max(0.0, -drift))) - s.first_line + 1;
  return s;
}

struct HullPoint {
  float at;  // steps along the line
  float z;
};

/// Horizon of every sample of one line; NaN outside the grid.
void sweep_line(const Sweep& s, std::int64_t line, std::vector<HullPoint>& hull, float* out) {
  hull.clear();
  for (int i = 0; i < s.major; ++i) {
    const int m = s.backward ? s.major - 1 - i : i;
    const double y = static_cast<double>(line) + s.skew * m;
    out[m] = std::numeric_limits<float>::quiet_NaN();
    if (!(y >= 0 && y <= s.minor - 1)) continue;
    const int y0 = std::min(static_cast<int>(y), s.minor - 2);
    const auto f = static_cast<float>(y - y0);
    const float* p = s.data + m * s.major_stride + y0 * s.minor_stride;
    float z = p[0];
    if (f > 0) z += (p[s.minor_stride] - z) * f;
    if (!(std::fabs(z) < 1e30F)) continue;
    const auto at = static_cast<float>(i);
    float slope = kOpen;
    if (!hull.empty()) {
      slope = (hull.back().z - z) / (at - hull.back().at);
      while (hull.size() >= 2) {
        const HullPoint& next = hull[hull.size() - 2];
        const float further = (next.z - z) / (at - next.at);
        if (further < slope) break;
        slope = further;
        hull.pop_back();
      }
      slope = std::max(slope / static_cast<float>(s.step_m), kOpen);
    }
    hull.push_back({at, z});
    out[m] = slope;
  }
}

}  // namespace

Grid<float> horizon_slopes(GridView<const float> surface, double cell_x, double cell_y, double east, double south,
                           const Exec& exec) {
  const Sweep s = make_sweep(surface, cell_x, cell_y, east, south);
  Grid<float> lines(s.major, static_cast<int>(s.lines));
  parallel_for(exec, 0, s.lines, 32, [&](std::int64_t begin, std::int64_t end) {
    std::vector<HullPoint> hull;
    for (std::int64_t k = begin; k < end; ++k) sweep_line(s, s.first_line + k, hull, lines.row(static_cast<int>(k)));
  });
  Grid<float> out(surface.width(), surface.height());
  const bool along_x = s.major_stride == 1 && s.minor_stride != 1;
  parallel_rows(exec, surface.width(), surface.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      for (int x = 0; x < surface.width(); ++x) {
        const int m = along_x ? x : y;
        const double k = (along_x ? y : x) - s.skew * m - static_cast<double>(s.first_line);
        const int k0 = std::min(std::max(static_cast<int>(k), 0), static_cast<int>(s.lines) - 2);
        const auto f = static_cast<float>(k - k0);
        const float a = lines(m, k0);
        const float b = lines(m, k0 + 1);
        out(x, y) = std::isnan(a) ? (std::isnan(b) ? kOpen : b) : std::isnan(b) ? a : lerp(a, b, f);
      }
    }
  });
  return out;
}

}  // namespace thalweg::render
