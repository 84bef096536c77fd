// Figures of the surface: slopes, relief, pits and peaks, curvature; and of its depressions.
#include <algorithm>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/realism_parts.h"
#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::hydrology::internal {
namespace {

void measure_slopes(const Land& land, const Exec& exec, Grid<float>& scratch, FigureList& out) {
  slope(land.ground, *land.geometry, {}, scratch, exec);
  std::vector<float> degrees;
  degrees.reserve(static_cast<std::size_t>(land.land_cells));
  double sum = 0;
  for (std::int64_t i = 0; i < scratch.cells(); ++i)
    if (!is_nodata(scratch[i])) degrees.push_back(scratch[i]), sum += scratch[i];
  const auto n = static_cast<std::int64_t>(degrees.size());
  const auto share = [&](double p) {
    if (n == 0) return kNoData<double>;
    const auto rank = exact::round_to_int(p * static_cast<double>(n - 1));
    std::nth_element(degrees.begin(), degrees.begin() + rank, degrees.end());
    return static_cast<double>(degrees[static_cast<std::size_t>(rank)]);
  };
  out.add("slope-mean", sum / static_cast<double>(n), "deg", "Horn's slope of all land, mean", n);
  out.add("slope-p90", share(0.9), "deg", "90 % of the land is less steep", n);
  out.add("slope-p99", share(0.99), "deg", "99 % of the land is less steep", n);
}

// Windows that lie in the grid only: one cut off shows less.
void measure_relief(const Land& land, const RealismParams& params, const Exec& exec, Grid<float>& scratch,
                    FigureList& out) {
  const double half = params.relief_window_m / 2;
  local_relief(land.ground, *land.geometry, {half}, scratch, exec);
  const int w = land.ground.width();
  const int h = land.ground.height();
  std::vector<double> relief;
  const double most_y = half / land.geometry->row(h / 2).dy_m;
  for (int y = 0; y < h; ++y) {
    const double most_x = half / land.geometry->row(y).dx_m;
    if (y < most_y || h - 1 - y < most_y) continue;
    for (int x = 0; x < w; ++x)
      if (!(x < most_x || w - 1 - x < most_x) && !is_nodata(scratch(x, y))) relief.push_back(scratch(x, y));
  }
  const auto n = static_cast<std::int64_t>(relief.size());
  out.add("relief", percentile(relief, 0.5), "m",
          "median of highest less lowest height in a square window of " + format_number(params.relief_window_m) + " m",
          n);
}

void measure_extremes(const Land& land, FigureList& out) {
  const int w = land.ground.width();
  const int h = land.ground.height();
  std::int64_t pits = 0, peaks = 0;
  for (int y = 1; y + 1 < h; ++y)
    for (int x = 1; x + 1 < w; ++x) {
      const float z = land.ground(x, y);
      int higher = 0, lower = 0;
      for (std::size_t d = 0; d < 8; ++d) {
        const float other = land.ground(x + kDx[d], y + kDy[d]);
        higher += other > z ? 1 : 0;
        lower += other < z ? 1 : 0;
      }
      pits += higher == 8 ? 1 : 0;
      peaks += lower == 8 ? 1 : 0;
    }
  out.add("pit-peak-ratio", static_cast<double>(pits) / static_cast<double>(peaks), "",
          "cells lower than all 8 neighbours over cells higher than all 8", peaks);
}

void measure_curvature(const Land& land, const RealismParams& params, FigureList& out) {
  const int w = land.ground.width();
  const int h = land.ground.height();
  const auto arm = static_cast<int>(params.curvature_arm_cells);
  // Sums of a row are added to those of the rows before: a fixed order.
  const auto each = [&](const auto& visit) {
    for (int y = arm; y + arm < h; ++y) {
      const CellGeometry::Row& cell = land.geometry->row(y);
      const double dx2 = arm * cell.dx_m * (arm * cell.dx_m), dy2 = arm * cell.dy_m * (arm * cell.dy_m);
      for (int x = arm; x + arm < w; ++x) {
        const double c = land.ground(x, y);
        const double across = (land.ground(x - arm, y) - c) + (land.ground(x + arm, y) - c);
        const double down = (land.ground(x, y - arm) - c) + (land.ground(x, y + arm) - c);
        const double v = across / dx2 + down / dy2;
        if (v == v) visit(v);
      }
    }
  };
  double n = 0, mean = 0, m2 = 0, m3 = 0, m4 = 0;
  each([&](double v) { n += 1, mean += v; });
  mean /= n;
  each([&](double v) {
    const double d = v - mean, d2 = d * d;
    m2 += d2, m3 += d2 * d, m4 += d2 * d2;
  });
  m2 /= n, m3 /= n, m4 /= n;
  const std::string how = " of the Laplacian with arms of " + format_number(params.curvature_arm_cells) + " cells";
  out.add("curvature-skew", m3 / (m2 * std::sqrt(m2)), "", "skewness (hollows positive)" + how,
          static_cast<std::int64_t>(n));
  out.add("curvature-kurtosis", m4 / (m2 * m2), "", "kurtosis (3 is Gaussian)" + how, static_cast<std::int64_t>(n));
}

}  // namespace

void measure_surface(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out) {
  Grid<float> scratch(land.ground.width(), land.ground.height());
  measure_slopes(land, exec, scratch, out);
  measure_relief(land, params, exec, scratch, out);
  measure_extremes(land, out);
  measure_curvature(land, params, out);
}

void measure_depressions(const Land& land, FigureList& out) {
  std::int64_t raised = 0;
  double depth = 0;
  for (std::int64_t i = 0; i < land.ground.cells(); ++i) {
    if (is_nodata(land.ground[i]) || !(land.filled[i] > land.ground[i])) continue;
    ++raised;
    depth += static_cast<double>(land.filled[i]) - static_cast<double>(land.ground[i]);
  }
  const auto n = static_cast<double>(land.land_cells);
  out.add("depressions", 100.0 * static_cast<double>(raised) / n, "%", "cells that filling to the rim raises",
          land.land_cells);
  out.add("fill-depth", depth / n, "m", "mean over all land of what filling raises", land.land_cells);
}

}  // namespace thalweg::hydrology::internal
