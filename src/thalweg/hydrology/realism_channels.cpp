// Figures of channels: concavity, steepness, Hack's law, exceedance of area, density; and of valley floors.
#include <algorithm>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/realism_parts.h"
#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::hydrology::internal {
namespace {

std::string channel_text(const Land& land) {
  return "channels from " + format_number(land.channel_area_m2 / 1e6) + " km2 (D8 on the filled surface)";
}

// Slope of the channel over a fixed drop, and the geometric mean of the area on the way.
struct Piece {
  double log_slope = kNoData<double>;
  double log_area = kNoData<double>;
};

Piece piece_below(const Land& land, std::int64_t cell, const RealismParams& params) {
  const double top = land.filled[cell];
  double way = 0, drop = 0, logs = 0;
  std::int64_t steps = 0;
  for (std::int64_t at = cell; steps < params.drop_cells && drop < params.drop_m;) {
    double length = 0;
    const std::int64_t next = land.downstream(at, length);
    if (next < 0) break;
    logs += exact::log(land.area_m2[at]);
    way += length;
    drop = top - land.filled[next];
    at = next;
    ++steps;
  }
  if (!(drop > 0)) return {};
  return {exact::log(drop / way), logs / static_cast<double>(steps)};
}

void measure_profiles(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out) {
  std::vector<Piece> pieces(land.channels.size());
  parallel_for(exec, 0, static_cast<std::int64_t>(pieces.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      pieces[static_cast<std::size_t>(i)] = piece_below(land, land.channels[static_cast<std::size_t>(i)], params);
  });
  MedianBins bins(params.bin_decades);
  std::vector<double> steepness;
  for (const Piece& p : pieces) {
    if (!(p.log_slope == p.log_slope)) continue;
    bins.add(p.log_area * kLog10OfE, p.log_slope * kLog10OfE);
    steepness.push_back(exact::exp(p.log_slope + params.reference_concavity * p.log_area));
  }
  std::int64_t used = 0;
  const LineFit fit = bins.fit(params.bin_cells, used);
  const std::string how = "slope over a drop of " + format_number(params.drop_m) + " m (at most " +
                          format_number(params.drop_cells) + " cells) against area, " + channel_text(land);
  const std::string medians = "; medians of bins of " + format_number(params.bin_decades) + " decades, at least " +
                              format_number(params.bin_cells) + " cells each";
  const bool enough = fit.points >= 3;
  out.add("concavity", -fit.slope, "", how + medians, enough ? used : 0);
  out.add("concavity-r2", fit.r2, "", "r2 of that fit", enough ? used : 0);
  out.add("steepness", percentile(steepness, 0.5), "m^" + format_number(2 * params.reference_concavity),
          "median of slope times area^" + format_number(params.reference_concavity) + ", " + how,
          static_cast<std::int64_t>(steepness.size()));
}

// Longest way down to each cell, metres: every cell hands on its length when all its donors have.
Grid<float> longest_ways(const Land& land) {
  const int w = land.ground.width();
  const int h = land.ground.height();
  Grid<std::uint8_t> donors(w, h);
  double length = 0;
  for (std::int64_t i = 0; i < donors.cells(); ++i)
    if (const std::int64_t to = land.downstream(i, length); to >= 0) ++donors[to];
  constexpr std::uint8_t kDone = 255;
  Grid<float> longest(w, h);
  for (std::int64_t i = 0; i < donors.cells(); ++i) {
    if (donors[i] != 0) continue;
    for (std::int64_t at = i;;) {
      donors[at] = kDone;
      const std::int64_t to = land.downstream(at, length);
      if (to < 0) break;
      longest[to] = std::max(longest[to], longest[at] + static_cast<float>(length));
      if (--donors[to] != 0) break;
      at = to;
    }
  }
  return longest;
}

void measure_hack(const Land& land, const RealismParams& params, FigureList& out) {
  const Grid<float> longest = longest_ways(land);
  MedianBins bins(params.bin_decades);
  for (const std::int64_t cell : land.channels)
    if (longest[cell] > 0) bins.add(log10_of(land.area_m2[cell]), log10_of(longest[cell]));
  std::int64_t used = 0;
  const LineFit fit = bins.fit(params.bin_cells, used);
  out.add("hack", fit.slope, "",
          "longest flow length against area, " + channel_text(land) + "; medians of bins of " +
              format_number(params.bin_decades) + " decades, at least " + format_number(params.bin_cells) +
              " cells each",
          fit.points >= 3 ? used : 0);
}

// Between the size of hillslopes and that of the map, where its edge cuts basins off.
constexpr double kLeastCells = 10;
constexpr double kMostShare = 0.01;

void measure_exceedance(const Land& land, const RealismParams& params, FigureList& out) {
  // Half a cell off whole numbers of cells, so that rounding decides nothing where all cells are alike.
  const double cell_m2 = land.cell_m * land.cell_m;
  std::vector<double> thresholds;
  for (int i = 0;; ++i) {
    const double cells = kLeastCells * exact::exp(i * params.bin_decades / kLog10OfE);
    const double area_m2 = (std::floor(cells + 1e-6) + 0.5) * cell_m2;
    if (!(area_m2 <= kMostShare * land.land_area_m2)) break;
    if (thresholds.empty() || area_m2 > thresholds.back()) thresholds.push_back(area_m2);
  }
  std::vector<std::int64_t> between(thresholds.size() + 1);
  for (std::int64_t i = 0; i < land.area_m2.cells(); ++i) {
    if (is_nodata(land.ground[i])) continue;
    const auto at = std::lower_bound(thresholds.begin(), thresholds.end(), land.area_m2[i]) - thresholds.begin();
    ++between[static_cast<std::size_t>(at)];  // how many thresholds the cell exceeds
  }
  std::vector<double> x, y;
  std::int64_t above = 0;
  for (std::size_t i = thresholds.size(); i-- > 0;) {
    above += between[i + 1];
    if (above < params.bin_cells) continue;
    x.push_back(log10_of(thresholds[i]));
    y.push_back(log10_of(static_cast<double>(above)));
  }
  const LineFit fit = fit_line(x, y);
  out.add("area-exceedance", -fit.slope, "",
          "exponent of the share of cells that drain more than an area, from " + format_number(kLeastCells) +
              " cells to " + format_number(100 * kMostShare) + " % of the land",
          fit.points >= 3 ? above : 0);
}

void measure_density(const Land& land, FigureList& out) {
  double length_m = 0;
  for (const std::int64_t cell : land.channels) {
    double step = 0;
    if (land.downstream(cell, step) >= 0) length_m += step;
  }
  const auto n = static_cast<std::int64_t>(land.channels.size());
  const double per_m = length_m / land.land_area_m2;
  out.add("drainage-density", per_m * 1000, "km/km2",
          "length of the channels over the area of the land, " + channel_text(land), n);
  out.add("drainage-density-scaled", per_m * std::sqrt(land.channel_area_m2), "",
          "that times the square root of the channel area", n);
}

}  // namespace

void measure_channels(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out) {
  measure_profiles(land, params, exec, out);
  measure_hack(land, params, out);
  measure_exceedance(land, params, out);
  measure_density(land, out);
}

Status measure_valleys(const Land& land, const RealismParams& params, const Exec& exec, FigureList& out) {
  const int w = land.ground.width();
  const int h = land.ground.height();
  Grid<std::uint8_t> channel(w, h);
  for (const std::int64_t cell : land.channels) channel[cell] = 1;
  Grid<float> above(w, h);
  THALWEG_TRY(height_above_drainage(land.filled, land.directions, channel, {.to_outlets = false}, above, exec));
  std::int64_t known = 0, low = 0;
  for (std::int64_t i = 0; i < above.cells(); ++i) {
    if (is_nodata(above[i])) continue;
    ++known;
    if (above[i] < static_cast<float>(params.valley_height_m)) ++low;
  }
  out.add("valley-share", 100.0 * static_cast<double>(low) / static_cast<double>(known), "%",
          "land less than " + format_number(params.valley_height_m) +
              " m above the channel it drains to, of all that drains to one, " + channel_text(land),
          known);
  return {};
}

}  // namespace thalweg::hydrology::internal
