// Breaching: cutting ways out of depressions.
#include <algorithm>
#include <cmath>
#include <vector>

#include "thalweg/hydrology/breach_search.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology {
namespace {

using internal::BreachSearch;
using internal::find_outlets;
using internal::mask_row;
using internal::PaddedRows;

template <class T>
class Breacher {
 public:
  Breacher(GridView<T> ground, OutletMask outlets, const CellGeometry& geometry, const BreachLimits& limits,
           const Exec& exec, GridView<const float> protect)
      : ground_(ground),
        outlets_(outlets),
        geometry_(geometry),
        limits_(limits),
        exec_(exec),
        protect_(protect),
        drained_(ground.width(), ground.height()) {}

  void run() {
    std::vector<std::int64_t> pits = find_pits();
    std::sort(pits.begin(), pits.end(), [&](std::int64_t a, std::int64_t b) {
      const T ha = at(a);
      const T hb = at(b);
      return ha != hb ? ha < hb : a < b;
    });
    BreachSearch<T> search(ground_, drained_, geometry_,
                           {limits_.max_depth_m, limits_.max_length_m, limits_.search_cells}, protect_);
    for (std::size_t i = 0; i < pits.size() && !exec_.cancelled(); ++i) {
      if ((i & 1023) == 0) exec_.progress(0.9 * static_cast<double>(i) / static_cast<double>(pits.size()));
      if (drained(pits[i]) != 0) continue;  // on the way out of a lower one
      const auto outcome = limits_.search_cells > 0 ? search.run(pits[i]) : BreachSearch<T>::Outcome::capped;
      if (outcome == BreachSearch<T>::Outcome::found) carve(search.way());
      if (outcome == BreachSearch<T>::Outcome::capped && way_over_lowest_pass(pits[i])) carve(way_);
    }
  }

 private:
  T& at(std::int64_t cell) const {
    return ground_(static_cast<int>(cell % ground_.width()), static_cast<int>(cell / ground_.width()));
  }
  std::uint8_t drained(std::int64_t cell) const { return drained_.view()[cell]; }

  // Cells that are no outlets and have no neighbour lower by (height, index). Also marks the outlets.
  std::vector<std::int64_t> find_pits() {
    const int w = ground_.width();
    std::vector<std::int64_t> pits;
    PaddedRows<T> rows(ground_);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    rows.start(0);
    for (int y = 0; y < ground_.height(); ++y) {
      std::uint8_t* outlet = drained_.row(y);
      const T* a = rows.above();
      const T* b = rows.here();
      const T* c = rows.below();
      find_outlets(a, b, c, w, nullptr, scratch.data(), outlet);
      if (const std::uint8_t* marked = mask_row(outlets_, y))
        for (int x = 0; x < w; ++x) outlet[x] = marked[x] != 0 ? BreachSearch<T>::kMarked : outlet[x];
      for (int x = 0; x < w; ++x) {
        if (outlet[x] != 0) continue;
        const T h = b[x];
        const bool lower = (a[x - 1] <= h) | (a[x] <= h) | (a[x + 1] <= h) | (b[x - 1] <= h) | (b[x + 1] < h) |
                           (c[x - 1] < h) | (c[x] < h) | (c[x + 1] < h);
        if (!lower) pits.push_back(std::int64_t{y} * w + x);
      }
      if (y + 1 < ground_.height()) rows.next();
    }
    return pits;
  }

  // Lowers the way to the pit, or to the marked outlet at its end where that lies higher.
  void carve(const std::vector<std::int64_t>& way) {
    T level = at(way.front());
    if (drained(way.back()) == BreachSearch<T>::kMarked) level = std::max(level, at(way.back()));
    for (const std::int64_t cell : way) {
      const int x = static_cast<int>(cell % ground_.width());
      const int y = static_cast<int>(cell / ground_.width());
      if (ground_(x, y) > level) ground_(x, y) = level;
      if (drained_(x, y) == 0) drained_(x, y) = BreachSearch<T>::kCarved;
    }
  }

  // Along the directions of the filled original ground: in a lake to its outlet, from there downhill.
  bool way_over_lowest_pass(std::int64_t pit) {
    if (directions_.empty()) make_directions();
    way_.clear();
    const std::int64_t w = ground_.width();
    const double level = static_cast<double>(at(pit));
    int x = static_cast<int>(pit % w);
    int y = static_cast<int>(pit / w);
    double length = 0;
    for (;;) {
      way_.push_back(y * w + x);
      const double h = static_cast<double>(ground_(x, y));
      if (!(std::max(0.0, h - level) <= limits_.max_depth_m)) return false;
      const std::uint8_t drained = drained_(x, y);
      if (BreachSearch<T>::is_end(h, drained, level)) return true;
      const int d = direction_index(directions_(x, y));
      const int ny = y + kDy[static_cast<std::size_t>(d)];
      length += 0.5 * (geometry_.distance_m(y, d) + geometry_.distance_m(ny, d));
      if (!(length <= limits_.max_length_m)) return false;
      x += kDx[static_cast<std::size_t>(d)];
      y = ny;
    }
  }

  // What is carved already does not matter to the directions: any way that ends at an outlet will do.
  void make_directions() {
    Grid<T> surface(ground_.width(), ground_.height());
    const Exec silent = exec_.with_progress([](double) {});
    fill<T>(ground_, outlets_, surface, silent);
    directions_ = Grid<std::uint8_t>(ground_.width(), ground_.height());
    d8<T>(surface, geometry_, outlets_, directions_, silent);
  }

  GridView<T> ground_;
  OutletMask outlets_;
  const CellGeometry& geometry_;
  const BreachLimits& limits_;
  const Exec& exec_;
  GridView<const float> protect_;
  Grid<std::uint8_t> drained_;
  Grid<std::uint8_t> directions_;
  std::vector<std::int64_t> way_;
};

}  // namespace

template <class T>
void breach(GridView<const T> height, OutletMask outlets, const CellGeometry& geometry, const BreachLimits& limits,
            GridView<T> out, const Exec& exec, GridView<const float> protect) {
  assert(out.width() == height.width() && out.height() == height.height());
  assert(geometry.height() >= height.height());
  if (height.empty()) return;
  for (int y = 0; y < height.height(); ++y)
    if (out.row(y) != height.row(y)) std::copy_n(height.row(y), height.width(), out.row(y));
  const Exec silent = exec.with_progress([](double) {});
  Breacher<T>(out, outlets, geometry, limits, exec, protect).run();
  exec.progress(0.9);
  if (!exec.cancelled()) fill<T>(out, outlets, out, silent);
  exec.progress(1);
}

template void breach<float>(GridView<const float>, OutletMask, const CellGeometry&, const BreachLimits&,
                            GridView<float>, const Exec&, GridView<const float>);
template void breach<double>(GridView<const double>, OutletMask, const CellGeometry&, const BreachLimits&,
                             GridView<double>, const Exec&, GridView<const float>);

}  // namespace thalweg::hydrology
