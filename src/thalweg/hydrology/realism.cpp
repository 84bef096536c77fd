#include "thalweg/hydrology/realism.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/realism_parts.h"

namespace thalweg::hydrology {
namespace internal {

std::int64_t Land::downstream(std::int64_t cell, double& length_m) const {
  const int x = x_of(cell);
  const int y = y_of(cell);
  int to_x = 0;
  int to_y = 0;
  if (!receiver(directions, x, y, to_x, to_y)) return -1;
  length_m = geometry->distance_m(y, kNeighbourOfCode[directions(x, y)]);
  return std::int64_t{to_y} * ground.width() + to_x;
}

namespace {

struct Brief {
  std::string_view name, text;
};
constexpr Brief kBriefs[] = {
    {"concavity", "slope against area, fit"},
    {"concavity-r2", "r2 of that fit"},
    {"steepness", "ksn, median of channels"},
    {"hack", "flow length against area, fit"},
    {"area-exceedance", "cells above an area, fit"},
    {"drainage-density", "channel length per area"},
    {"drainage-density-scaled", "times root of channel area"},
    {"horton-bifurcation", "numbers of Strahler streams"},
    {"horton-length", "lengths of Strahler streams"},
    {"horton-area", "areas of Strahler streams"},
    {"hypsometry-basins", "basins of order 3, median"},
    {"hypsometry-map", "all land"},
    {"valley-share", "little above the channel"},
    {"depressions", "cells that filling raises"},
    {"fill-depth", "mean of what filling raises"},
    {"slope-mean", "Horn, mean"},
    {"slope-p90", "Horn, 90 % are less"},
    {"slope-p99", "Horn, 99 % are less"},
    {"relief", "window, max - min, median"},
    {"pit-peak-ratio", "strict minima / maxima"},
    {"curvature-skew", "Laplacian, skewness"},
    {"curvature-kurtosis", "Laplacian, kurtosis"},
    {"spectrum", "radial power, exponent"},
    {"spectrum-long", "its longer waves"},
    {"spectrum-short", "its shorter waves"},
};

std::string brief_of(std::string_view name) {
  for (const Brief& b : kBriefs)
    if (b.name == name) return std::string(b.text);
  return {};
}

}  // namespace

void FigureList::add(const char* name, double value, std::string unit, std::string method, std::int64_t n) {
  const bool known = n > 0 && std::fabs(value) <= std::numeric_limits<double>::max();
  figures_.push_back(
      {name, known ? value : kNoData<double>, std::move(unit), brief_of(name), std::move(method), known ? n : 0});
}

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  assert(x.size() == y.size());
  LineFit fit;
  fit.points = x.size();
  if (x.size() < 2) return fit;
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = x[i] - mean_x, v = y[i] - mean_y;
    xx += u * u, xy += u * v, yy += v * v;
  }
  if (!(xx > 0)) return fit;
  fit.slope = xy / xx;
  fit.r2 = yy > 0 ? xy * xy / (xx * yy) : 1.0;
  return fit;
}

double percentile(std::vector<double>& values, double p) {
  if (values.empty()) return kNoData<double>;
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  const auto rank = exact::round_to_int(p * static_cast<double>(last));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

double log10_of(double v) {
  return exact::log(v) * kLog10OfE;
}

void MedianBins::add(double log10_x, double log10_y) {
  Bin& bin = bins_[exact::floor_to_int(log10_x / decades_)];
  bin.sum_x += log10_x;
  bin.y.push_back(log10_y);
}

LineFit MedianBins::fit(std::int64_t least, std::int64_t& used) {
  std::vector<double> x, y;
  used = 0;
  for (auto& [number, bin] : bins_) {
    const auto n = static_cast<std::int64_t>(bin.y.size());
    if (n < least) continue;
    used += n;
    x.push_back(bin.sum_x / static_cast<double>(n));
    y.push_back(percentile(bin.y, 0.5));
  }
  return fit_line(x, y);
}

namespace {

// The land without the sea, drained.
Status drain(GridView<const float> height, OutletMask sea, const Exec& exec, Land& land) {
  const int w = height.width();
  const int h = height.height();
  land.ground = Grid<float>(w, h);
  parallel_rows(exec, w, h, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < w; ++x) {
        const bool dry = sea.empty() || sea(x, y) == 0;
        const float z = height(x, y);
        land.ground(x, y) = dry && std::fabs(z) <= std::numeric_limits<float>::max() ? z : kNoData<float>;
      }
  });
  land.filled = Grid<float>(w, h);
  fill<float>(land.ground, {}, land.filled, exec);
  land.directions = Grid<std::uint8_t>(w, h);
  d8<float>(land.filled, *land.geometry, {}, land.directions, exec);
  land.area_m2 = Grid<double>(w, h);
  THALWEG_TRY(accumulate_area(land.directions, *land.geometry, land.area_m2, exec));
  for (std::int64_t i = 0; i < land.ground.cells(); ++i) {
    if (is_nodata(land.ground[i])) continue;
    ++land.land_cells;
    land.land_area_m2 += land.geometry->row(land.y_of(i)).area_m2;
    if (land.is_channel(i)) land.channels.push_back(i);
  }
  std::sort(land.channels.begin(), land.channels.end(), [&](std::int64_t a, std::int64_t b) {
    return land.area_m2[a] != land.area_m2[b] ? land.area_m2[a] < land.area_m2[b] : a < b;
  });
  return {};
}

Result<RealismReport> measure(GridView<const float> height, const CellGeometry& geometry, OutletMask sea,
                              const RealismParams& params, const Exec& exec) {
  RealismReport report;
  if (height.empty()) return report;
  Land land;
  land.geometry = &geometry;
  land.cell_m = std::sqrt(geometry.row(height.height() / 2).area_m2);
  report.cell_m = land.cell_m;
  report.cells = cell_class(land.cell_m);
  report.channel_area_km2 =
      params.channel_area_km2 > 0 ? params.channel_area_km2 : default_channel_area_km2(report.cells);
  land.channel_area_m2 = report.channel_area_km2 * 1e6;
  THALWEG_TRY(drain(height, sea, exec, land));
  report.land_cells = land.land_cells;
  FigureList out(report.figures);
  const auto stopped = [&](double progress) {
    exec.progress(progress);
    return exec.cancelled();
  };
  if (stopped(0.3)) return cancelled_error();
  measure_channels(land, params, exec, out);
  if (stopped(0.45)) return cancelled_error();
  measure_streams(land, exec, out);
  measure_hypsometry(land, out, report.hypsometric_curve);
  if (stopped(0.55)) return cancelled_error();
  THALWEG_TRY(measure_valleys(land, params, exec, out));
  measure_depressions(land, out);
  land.area_m2 = {};
  land.filled = {};
  land.directions = {};
  measure_surface(land, params, exec, out);
  if (stopped(0.7)) return cancelled_error();
  measure_spectrum(land, exec, out);
  if (stopped(1)) return cancelled_error();
  return report;
}

}  // namespace
}  // namespace internal

CellClass cell_class(double cell_m) {
  return cell_m < 4 ? CellClass::fine : cell_m <= 17 ? CellClass::medium : CellClass::coarse;
}

double default_channel_area_km2(CellClass cells) {
  return cells == CellClass::fine ? 0.005 : cells == CellClass::medium ? 0.05 : 1;
}

const RealismFigure* RealismReport::find(std::string_view name) const {
  for (const RealismFigure& f : figures)
    if (f.name == name) return &f;
  return nullptr;
}

Result<RealismReport> measure_realism(GridView<const float> height, const CellGeometry& geometry, OutletMask sea,
                                      const RealismParams& params, const Exec& exec) {
  THALWEG_TRY(validate(params));
  assert(geometry.height() >= height.height());
  return guard_memory([&] { return internal::measure(height, geometry, sea, params, exec); });
}

}  // namespace thalweg::hydrology
