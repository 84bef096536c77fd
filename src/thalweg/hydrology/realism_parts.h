// Internal to hydrology: what the figures of realism.h share.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "thalweg/hydrology/realism.h"

namespace thalweg::hydrology::internal {

/// The land and its drainage.
struct Land {
  const CellGeometry* geometry = nullptr;
  Grid<float> ground;  ///< sea is NoData
  Grid<float> filled;
  Grid<std::uint8_t> directions;  ///< D8 on the filled surface
  Grid<double> area_m2;           ///< drained
  /// Cells that drain at least the channel area, by area, then by index: upstream before downstream.
  std::vector<std::int64_t> channels;
  double channel_area_m2 = 0;
  double land_area_m2 = 0;
  std::int64_t land_cells = 0;
  double cell_m = 1;

  int x_of(std::int64_t cell) const { return static_cast<int>(cell % ground.width()); }
  int y_of(std::int64_t cell) const { return static_cast<int>(cell / ground.width()); }
  bool is_channel(std::int64_t cell) const { return area_m2[cell] >= channel_area_m2; }
  /// Index of the cell it drains to, or -1; `length_m`: the way there.
  std::int64_t downstream(std::int64_t cell, double& length_m) const;
};

/// Adds figures to the report.
class FigureList {
 public:
  explicit FigureList(std::vector<RealismFigure>& figures) : figures_(figures) {}
  /// NaN, with n 0, where `n` is 0 or the value is not finite.
  void add(const char* name, double value, std::string unit, std::string method, std::int64_t n);

 private:
  std::vector<RealismFigure>& figures_;
};

/// Least-squares line through points.
struct LineFit {
  double slope = std::numeric_limits<double>::quiet_NaN();
  double r2 = std::numeric_limits<double>::quiet_NaN();
  std::size_t points = 0;
};
/// NaN with fewer than two points or all at one x.
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// The value below which the share `p` of the values lies (nearest rank). Reorders `values`; NaN where empty.
double percentile(std::vector<double>& values, double p);
double log10_of(double v);
inline constexpr double kLog10OfE = 0.43429448190325182765;

/// Medians of y in bins of log10 of x.
class MedianBins {
 public:
  explicit MedianBins(double decades) : decades_(decades) {}
  void add(double log10_x, double log10_y);
  /// Line through the medians (over the bins' mean x) of bins with at least `least` samples; `used`: samples in them.
  LineFit fit(std::int64_t least, std::int64_t& used);

 private:
  struct Bin {
    double sum_x = 0;
    std::vector<double> y;
  };
  double decades_;
  std::map<std::int64_t, Bin> bins_;
};

// Each adds its figures.
void measure_channels(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out);
Status measure_valleys(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out);
void measure_streams(const Land& land, const Exec& exec, FigureList& out);
void measure_hypsometry(const Land& land, FigureList& out, std::vector<double>& curve);
void measure_spectrum(const Land& land, const Exec& exec, FigureList& out);
void measure_surface(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out);
void measure_depressions(const Land& land, FigureList& out);

}  // namespace thalweg::hydrology::internal
