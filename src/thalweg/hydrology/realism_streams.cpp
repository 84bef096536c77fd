// Horton's ratios of Strahler streams, and hypsometry.
#include <algorithm>
#include <array>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/realism_parts.h"

namespace thalweg::hydrology::internal {
namespace {

constexpr int kMostOrders = 32;
constexpr std::uint8_t kBasinOrder = 3;

// A stream: all cells of one order in a row, from its head or confluence to the next higher order or the mouth.
struct Stream {
  std::uint8_t order;
  double length_m;
  std::int64_t last;  // cell
};

std::vector<Stream> find_streams(const Land& land) {
  const int w = land.ground.width();
  const int h = land.ground.height();
  Grid<std::uint8_t> order(w, h);
  Grid<float> length(w, h);  // of the stream down to the cell
  std::vector<Stream> streams;
  // From small areas to large ones, so that donors come first. A cell holds the highest order among the donors so far;
  // kTwo says that a second one has it.
  constexpr std::uint8_t kTwo = 0x80;
  for (const std::int64_t cell : land.channels) {
    std::uint8_t own = order[cell];
    if (own == 0) own = 1;
    if ((own & kTwo) != 0) own = static_cast<std::uint8_t>((own & ~kTwo) + 1), length[cell] = 0;
    order[cell] = own;
    double step = 0;
    const std::int64_t to = land.downstream(cell, step);
    const float until = length[cell] + static_cast<float>(to < 0 ? 0 : step);
    if (to < 0 || !land.is_channel(to)) {
      if (until > 0) streams.push_back({own, until, cell});  // not a single cell on the border
      continue;
    }
    const std::uint8_t other = static_cast<std::uint8_t>(order[to] & ~kTwo);
    if (own > other) {
      order[to] = own;
      length[to] = until;
    } else if (own == other) {
      order[to] = static_cast<std::uint8_t>(own | kTwo);
    }
  }
  // Streams that end in a higher one, by index.
  for (std::int64_t cell = 0; cell < order.cells(); ++cell) {
    if (order[cell] == 0) continue;
    double step = 0;
    const std::int64_t to = land.downstream(cell, step);
    if (to >= 0 && land.is_channel(to) && order[to] > order[cell])
      streams.push_back({order[cell], length[cell] + step, cell});
  }
  return streams;
}

void measure_horton(const Land& land, const std::vector<Stream>& streams, FigureList& out) {
  std::array<double, kMostOrders> count{}, length{}, area{};
  for (const Stream& s : streams) {
    const std::size_t o = std::min<std::size_t>(s.order, kMostOrders - 1);
    count[o] += 1;
    length[o] += s.length_m;
    area[o] += land.area_m2[s.last];
  }
  std::vector<double> orders, log_count, log_length, log_area;
  std::int64_t used = 0;
  for (std::size_t o = 1; o < kMostOrders; ++o) {
    if (count[o] < 2 || !(length[o] > 0)) continue;
    used += static_cast<std::int64_t>(count[o]);
    orders.push_back(static_cast<double>(o));
    log_count.push_back(exact::log(count[o]));
    log_length.push_back(exact::log(length[o] / count[o]));
    log_area.push_back(exact::log(area[o] / count[o]));
  }
  const std::int64_t n = orders.size() >= 3 ? used : 0;
  const std::string how = " per Strahler order, regression over orders with at least 2 streams, channels from " +
                          format_number(land.channel_area_m2 / 1e6) + " km2";
  out.add("horton-bifurcation", exact::exp(-fit_line(orders, log_count).slope), "", "ratio of numbers of streams" + how,
          n);
  out.add("horton-length", exact::exp(fit_line(orders, log_length).slope), "", "ratio of mean stream lengths" + how, n);
  out.add("horton-area", exact::exp(fit_line(orders, log_area).slope), "", "ratio of mean drained areas" + how, n);
}

struct Heights {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::int64_t n = 0;
  void add(double z) {
    low = std::min(low, z);
    high = std::max(high, z);
    sum += z;
    ++n;
  }
  double integral() const { return (sum / static_cast<double>(n) - low) / (high - low); }
};

// Hypsometric integral of the basin of each stream of order three: no such stream lies upstream of another.
void measure_basins(const Land& land, const std::vector<Stream>& streams, FigureList& out) {
  constexpr std::int32_t kUnknown = 0, kNone = -1;
  Grid<std::int32_t> basin(land.ground.width(), land.ground.height());
  std::vector<Heights> basins(1);
  for (const Stream& s : streams) {
    if (s.order != kBasinOrder) continue;
    basin[s.last] = static_cast<std::int32_t>(basins.size());
    basins.emplace_back();
  }
  std::vector<std::int64_t> way;
  for (std::int64_t i = 0; i < basin.cells(); ++i) {
    if (is_nodata(land.ground[i])) continue;
    way.clear();
    std::int64_t at = i;
    while (at >= 0 && basin[at] == kUnknown) {
      way.push_back(at);
      double step = 0;
      at = land.downstream(at, step);
    }
    const std::int32_t label = at < 0 ? kNone : basin[at];
    for (const std::int64_t cell : way) basin[cell] = label;
    if (basin[i] > 0) basins[static_cast<std::size_t>(basin[i])].add(land.ground[i]);
  }
  std::vector<double> integrals;
  for (std::size_t b = 1; b < basins.size(); ++b)
    if (basins[b].high > basins[b].low) integrals.push_back(basins[b].integral());
  const auto n = static_cast<std::int64_t>(integrals.size());
  out.add("hypsometry-basins", percentile(integrals, 0.5), "",
          "median over the basins of order 3 of (mean - min) / (max - min) height", n);
}

}  // namespace

void measure_streams(const Land& land, const Exec&, FigureList& out) {
  const std::vector<Stream> streams = find_streams(land);
  measure_horton(land, streams, out);
  measure_basins(land, streams, out);
}

void measure_hypsometry(const Land& land, FigureList& out, std::vector<double>& curve) {
  Heights all;
  for (std::int64_t i = 0; i < land.ground.cells(); ++i)
    if (!is_nodata(land.ground[i])) all.add(land.ground[i]);
  out.add("hypsometry-map", all.integral(), "", "(mean - min) / (max - min) height of all land", all.n);
  if (!(all.high > all.low)) return;
  constexpr int kSteps = 20;
  std::array<std::int64_t, kSteps + 1> above{};
  for (std::int64_t i = 0; i < land.ground.cells(); ++i) {
    if (is_nodata(land.ground[i])) continue;
    const double level = (land.ground[i] - all.low) / (all.high - all.low) * kSteps;
    for (int s = 0; s <= kSteps && level > s; ++s) ++above[static_cast<std::size_t>(s)];
  }
  for (const std::int64_t n : above) curve.push_back(static_cast<double>(n) / static_cast<double>(all.n));
}

}  // namespace thalweg::hydrology::internal
