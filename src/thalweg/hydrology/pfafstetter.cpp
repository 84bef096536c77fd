// Pfafstetter codes.
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "thalweg/hydrology/spread_upstream.h"
#include "thalweg/hydrology/watersheds.h"

namespace thalweg::hydrology {
namespace {

constexpr std::int32_t kUnset = -1;
constexpr std::int32_t kBusy = -2;
constexpr std::int32_t kOutside = -3;

/// A stream from its lower end to its source, with everything that joins it.
struct Stem {
  struct Tributary {
    std::size_t place = 0;  // of the stem's cell that it flows into
    std::int64_t cell = 0;  // its last
    double area = 0;
    bool taken = false;  // has a code of its own
  };
  std::vector<std::int64_t> cells;
  std::vector<Tributary> tributaries;  // going upstream, then by neighbour number
};

class Divider {
 public:
  Divider(GridView<const std::uint8_t> directions, GridView<const double> area, GridView<const std::int32_t> regions,
          const PfafstetterParams& params, GridView<std::int32_t> out)
      : directions_(directions),
        area_(area),
        regions_(regions),
        out_(out),
        levels_(params.levels),
        least_area_(params.min_tributary_km2 * 1e6) {}

  /// Divides the region with this outlet. False where labels ran out.
  bool divide(std::int64_t outlet) {
    region_ = regions_(column(outlet), row(outlet));
    Stem stem = trace(outlet);
    divide(stem, 0, stem.cells.size(), 1, 0);
    return found_.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  }

  std::vector<SubBasin>& found() { return found_; }

 private:
  int column(std::int64_t cell) const { return static_cast<int>(cell % directions_.width()); }
  int row(std::int64_t cell) const { return static_cast<int>(cell / directions_.width()); }

  Stem trace(std::int64_t lower_end) const {
    Stem stem;
    for (std::int64_t cell = lower_end; cell >= 0;) {
      const std::size_t place = stem.cells.size();
      const std::size_t first = stem.tributaries.size();
      stem.cells.push_back(cell);
      std::size_t main = first;
      for (std::size_t d = 0; d < 8; ++d) {
        const int x = column(cell) + kDx[d];
        const int y = row(cell) + kDy[d];
        if (!directions_.contains(x, y) || directions_(x, y) != (1U << ((d + 4) % 8)) || regions_(x, y) != region_)
          continue;
        stem.tributaries.push_back({place, std::int64_t{y} * directions_.width() + x, area_(x, y), false});
        if (stem.tributaries.back().area > stem.tributaries[main].area) main = stem.tributaries.size() - 1;
      }
      if (stem.tributaries.size() == first) break;
      cell = stem.tributaries[main].cell;
      stem.tributaries.erase(stem.tributaries.begin() + static_cast<std::ptrdiff_t>(main));
    }
    return stem;
  }

  /// Places in stem.tributaries of the four largest between the cells `begin` and `end`, going upstream.
  std::vector<std::size_t> largest(const Stem& stem, std::size_t begin, std::size_t end) const {
    const auto at = [](const Stem::Tributary& t, std::size_t place) { return t.place < place; };
    const auto from = std::lower_bound(stem.tributaries.begin(), stem.tributaries.end(), begin, at);
    std::vector<std::size_t> best;
    for (auto t = from; t != stem.tributaries.end() && t->place < end; ++t) {
      if (t->taken || t->area < least_area_) continue;
      const auto i = static_cast<std::size_t>(t - stem.tributaries.begin());
      const auto larger = [&](std::size_t a, std::size_t b) {
        return stem.tributaries[a].area > stem.tributaries[b].area;
      };
      best.insert(std::upper_bound(best.begin(), best.end(), i, larger), i);
      if (best.size() > 4) best.pop_back();
    }
    std::sort(best.begin(), best.end());
    return best;
  }

  void divide(Stem& stem, std::size_t begin, std::size_t end, std::int64_t level, std::int64_t code) {
    if (begin == end) return;  // two tributaries in one cell
    const std::vector<std::size_t> chosen = level > levels_ ? std::vector<std::size_t>() : largest(stem, begin, end);
    if (chosen.empty()) {
      for (; level <= levels_; ++level) code *= 10;
      finish(stem, begin, end, code);
      return;
    }
    for (const std::size_t t : chosen) stem.tributaries[t].taken = true;
    std::int64_t digit = 1;
    for (const std::size_t t : chosen) {
      const std::size_t above = stem.tributaries[t].place + 1;
      divide(stem, begin, std::max(begin, above), level + 1, code * 10 + digit);
      Stem side = trace(stem.tributaries[t].cell);
      divide(side, 0, side.cells.size(), level + 1, code * 10 + digit + 1);
      begin = above;
      digit += 2;
    }
    divide(stem, begin, end, level + 1, code * 10 + digit);
  }

  void finish(const Stem& stem, std::size_t begin, std::size_t end, std::int64_t code) {
    SubBasin basin;
    basin.label = static_cast<std::int32_t>(found_.size() + 1);
    basin.region = region_;
    basin.code = code;
    basin.outlet_cell = stem.cells[begin];
    for (std::size_t i = begin; i < end; ++i) out_(column(stem.cells[i]), row(stem.cells[i])) = basin.label;
    found_.push_back(basin);
  }

  GridView<const std::uint8_t> directions_;
  GridView<const double> area_;
  GridView<const std::int32_t> regions_;
  GridView<std::int32_t> out_;
  std::int64_t levels_;
  double least_area_;
  std::int32_t region_ = 0;
  std::vector<SubBasin> found_;
};

/// Whether a cell's water leaves its region here.
bool is_region_outlet(GridView<const std::uint8_t> directions, GridView<const std::int32_t> regions, int x, int y) {
  int nx = 0;
  int ny = 0;
  return regions(x, y) > 0 && (!internal::receiver(directions, x, y, nx, ny) || regions(nx, ny) != regions(x, y));
}

}  // namespace

Result<std::vector<SubBasin>> label_pfafstetter(GridView<const std::uint8_t> directions, GridView<const double> area,
                                                GridView<const std::int32_t> regions, const PfafstetterParams& params,
                                                GridView<std::int32_t> out, const Exec& exec) {
  assert(area.width() == out.width() && area.height() == out.height());
  assert(regions.width() == out.width() && regions.height() == out.height());
  assert(directions.width() == out.width() && directions.height() == out.height());
  if (params.levels < 1 || params.levels > 9) return input_error("Pfafstetter codes have 1 to 9 levels");
  return guard_memory([&]() -> Result<std::vector<SubBasin>> {
    std::vector<std::pair<std::int32_t, std::int64_t>> outlets;
    for (int y = 0; y < out.height(); ++y) {
      for (int x = 0; x < out.width(); ++x) {
        const bool nodata = directions(x, y) == kFlowNoData;
        out(x, y) = nodata ? kNoData<std::int32_t> : regions(x, y) > 0 ? kUnset : kOutside;
        if (!nodata && is_region_outlet(directions, regions, x, y))
          outlets.emplace_back(regions(x, y), std::int64_t{y} * out.width() + x);
      }
    }
    std::sort(outlets.begin(), outlets.end());
    Divider divider(directions, area, regions, params, out);
    for (std::size_t i = 0; i < outlets.size(); ++i) {
      if (i > 0 && outlets[i].first == outlets[i - 1].first)
        return input_error("region " + std::to_string(outlets[i].first) + " has two outlets",
                           internal::cell_text(static_cast<int>(outlets[i].second % out.width()),
                                               static_cast<int>(outlets[i].second / out.width())));
      if (exec.cancelled()) return cancelled_error();
      if (!divider.divide(outlets[i].second)) return input_error("more sub-basins than labels (2^31 - 1)");
    }
    THALWEG_TRY(internal::spread_upstream<std::int32_t>(directions, out, kUnset, kBusy, 0, exec));
    for (int y = 0; y < out.height(); ++y)
      for (int x = 0; x < out.width(); ++x)
        if (out(x, y) == kOutside) out(x, y) = 0;
    std::vector<SubBasin> basins = std::move(divider.found());
    for (SubBasin& b : basins) {
      int x = static_cast<int>(b.outlet_cell % out.width());
      int y = static_cast<int>(b.outlet_cell / out.width());
      if (internal::receiver(directions, x, y, x, y) && regions(x, y) == b.region) b.downstream = out(x, y);
    }
    return basins;
  });
}

}  // namespace thalweg::hydrology
