// The classical scheme, one droplet after the other on ground that changes at once: what the parallel scheme must look
// like. Slow, obvious, in double; for tests, figures and pictures only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/random.h"
#include "thalweg/erosion/droplet_starts.h"
#include "thalweg/erosion/droplets.h"

namespace thalweg::erosion {

/// Same physics, brush, starts and border as `droplets`, but in random order and without generations. Square cells.
class SequentialDroplets {
 public:
  SequentialDroplets(const DropletParams& params, double cell_m, GridView<const float> height)
      : p_(params),
        cell_(cell_m),
        plan_(*plan_droplets(params, cell_m, cell_m)),
        width_(height.width()),
        height_(height.height()) {
    ground_.reserve(static_cast<std::size_t>(height.cells()));
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) ground_.push_back(static_cast<double>(height(x, y)));
  }

  void run(std::uint64_t seed, const GridSpec& spec) {
    struct Start {
      std::uint64_t order;
      double x, y;
    };
    std::vector<Start> starts;
    for (int y = 0; y < height_; ++y) {
      const DropletStarts row(seed, spec, plan_, y);
      for (int x = 0; x < width_; ++x)
        row.each(x, [&](int, float fx, float fy) {
          starts.push_back({mix64(starts.size() + seed), x + static_cast<double>(fx), y + static_cast<double>(fy)});
        });
    }
    std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.order < b.order; });
    for (const Start& s : starts) walk(s.x, s.y);
  }

  Grid<float> ground() const {
    Grid<float> out(width_, height_);
    for (std::int64_t i = 0; i < out.cells(); ++i) out[i] = static_cast<float>(ground_[static_cast<std::size_t>(i)]);
    return out;
  }

 private:
  struct Spot {
    double height, slope_x, slope_y;
  };
  double& at(int x, int y) {
    return ground_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
  }
  bool off_map(double x, double y) const {
    const int i = static_cast<int>(std::floor(x));
    const int j = static_cast<int>(std::floor(y));
    return i < plan_.margin || j < plan_.margin || i + 1 >= width_ - plan_.margin || j + 1 >= height_ - plan_.margin;
  }
  Spot look(double x, double y) {
    const int i = static_cast<int>(x);
    const int j = static_cast<int>(y);
    const double fx = x - i;
    const double fy = y - j;
    const double nw = at(i, j), ne = at(i + 1, j), sw = at(i, j + 1), se = at(i + 1, j + 1);
    return {(nw * (1 - fx) + ne * fx) * (1 - fy) + (sw * (1 - fx) + se * fx) * fy,
            ((ne - nw) * (1 - fy) + (se - sw) * fy) / cell_, ((sw - nw) * (1 - fx) + (se - ne) * fx) / cell_};
  }
  // Adds `metres` times one cell around (x, y): bilinear, then through a tent of half-width radius + 1.
  void add(double x, double y, int radius, double metres) {
    const int i = static_cast<int>(x);
    const int j = static_cast<int>(y);
    const auto weight = [radius](double f, int offset) {
      const double sum = (radius + 1.0) * (radius + 1.0);
      const double low = std::max(0, radius + 1 - std::abs(offset));
      const double high = std::max(0, radius + 1 - std::abs(offset - 1));
      return ((1 - f) * low + f * high) / sum;
    };
    for (int v = -radius; v <= radius + 1; ++v)
      for (int u = -radius; u <= radius + 1; ++u) at(i + u, j + v) += metres * weight(x - i, u) * weight(y - j, v);
  }
  void walk(double x, double y) {
    const double ratio = cell_ / p_.step_reference_m;
    const double area_ratio = 1 / (ratio * ratio);
    double course_x = 0, course_y = 0, speed2 = 1, water = 1, load = 0;
    if (off_map(x, y)) return;
    for (int step = 0; step < plan_.steps; ++step) {
      const Spot here = look(x, y);
      course_x = course_x * p_.inertia - here.slope_x * (1 - p_.inertia) * ratio;
      course_y = course_y * p_.inertia - here.slope_y * (1 - p_.inertia) * ratio;
      const double length = std::sqrt(course_x * course_x + course_y * course_y);
      if (!(length > 1e-12)) break;
      course_x /= length;
      course_y /= length;
      const double to_x = x + course_x;
      const double to_y = y + course_y;
      if (off_map(to_x, to_y)) return;
      const double drop = here.height - look(to_x, to_y).height;
      speed2 = std::max(0.0, speed2 + p_.gravity * drop / 1000);
      const double slope = drop / cell_;
      const double capacity = std::max(slope / std::sqrt(1 + slope * slope), p_.min_slope) * p_.step_reference_m *
                              area_ratio * std::sqrt(speed2) * water * p_.capacity;
      if (drop < 0 || load > capacity) {
        const double share = 1 - std::pow(1 - p_.deposit_rate, ratio);
        const double laid = drop < 0 ? std::min(load, -drop * area_ratio) : (load - capacity) * share;
        add(x, y, plan_.deposit_x, laid);
        load -= laid;
      } else {
        const double share = 1 - std::pow(1 - p_.erode_rate, ratio);
        const double taken = std::min((capacity - load) * share, drop * area_ratio);
        add(x, y, plan_.brush_x, -taken);
        load += taken;
      }
      water *= std::pow(1 - p_.evaporation, ratio);
      x = to_x;
      y = to_y;
    }
    add(x, y, plan_.brush_x, load);
  }

  DropletParams p_;
  double cell_;
  DropletPlan plan_;
  int width_;
  int height_;
  std::vector<double> ground_;
};

/// Figures that tell eroded ground from rubble, over all cells but a border of 16.
struct GroundFigures {
  std::int64_t pits = 0;  ///< strictly below all 8 neighbours
  double deepest = 0;     ///< of the pits, in metres below the lowest neighbour
  double kurtosis = 0;    ///< of the Laplacian: spikes and craters raise it
  double fine = 0;        ///< mean square of detail at wavelengths of about 2 to 4 cells
  double coarse = 0;      ///< about 4 to 8 cells
};

inline Grid<double> smoothed(GridView<const double> in, int step) {
  Grid<double> half(in.width(), in.height());
  Grid<double> out(in.width(), in.height());
  const auto x_at = [&](int x) { return std::clamp(x, 0, in.width() - 1); };
  const auto y_at = [&](int y) { return std::clamp(y, 0, in.height() - 1); };
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x)
      half(x, y) = (in(x_at(x - step), y) + 2 * in(x, y) + in(x_at(x + step), y)) / 4;
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x)
      out(x, y) = (half(x, y_at(y - step)) + 2 * half(x, y) + half(x, y_at(y + step))) / 4;
  return out;
}

inline GroundFigures ground_figures(GridView<const float> g) {
  Grid<double> ground(g.width(), g.height());
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x) ground(x, y) = static_cast<double>(g(x, y));
  const Grid<double> once = smoothed(ground, 1);
  const Grid<double> twice = smoothed(once, 2);
  GroundFigures f;
  double second = 0, fourth = 0, cells = 0;
  for (int y = 16; y < g.height() - 16; ++y)
    for (int x = 16; x < g.width() - 16; ++x) {
      double gap = std::numeric_limits<double>::infinity();
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
          if (u != 0 || v != 0) gap = std::min(gap, ground(x + u, y + v) - ground(x, y));
      f.pits += gap > 0 ? 1 : 0;
      f.deepest = std::max(f.deepest, gap);
      const double bend = ground(x - 1, y) + ground(x + 1, y) + ground(x, y - 1) + ground(x, y + 1) - 4 * ground(x, y);
      second += bend * bend;
      fourth += bend * bend * bend * bend;
      f.fine += std::pow(ground(x, y) - once(x, y), 2);
      f.coarse += std::pow(once(x, y) - twice(x, y), 2);
      ++cells;
    }
  f.kurtosis = fourth * cells / (second * second);
  f.fine /= cells;
  f.coarse /= cells;
  return f;
}

inline double root_mean_square(GridView<const float> a, GridView<const float> b) {
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) sum += std::pow(static_cast<double>(a(x, y)) - static_cast<double>(b(x, y)), 2);
  return std::sqrt(sum / static_cast<double>(a.cells()));
}

}  // namespace thalweg::erosion
