// Internal to hydrology: a surface as a graph of basins, for filling.
//
// Every cell points to the lowest of its neighbours (by height, then cell index), so each belongs to the basin of one
// local minimum or to the outside, whose roots are the outlets. The water level of a cell is
//   max(own height, level of its basin's minimum),
// since from the cell one reaches the minimum without climbing, and the minimum reaches the cell without climbing above
// it. The levels of the minima are the smallest highest pass on a way to the outside: a shortest path problem over the
// basins, thousands of times smaller than the grid. So no cell ever enters a priority queue.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/hydrology/basin_labels.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology::internal {

// Where a cell points: a cell of its 3 x 3 neighbourhood, numbered in index order. kSelf is a minimum.
inline constexpr std::uint8_t kSelf = 4;
inline constexpr std::uint8_t kRoot = 9;  // outlet or NoData

inline constexpr std::uint32_t kUnset = kUnsetBasin;
inline constexpr std::uint32_t kOutside = kOutsideBasin;

template <class Real>
struct Pass {
  std::uint32_t a, b;
  Real height;
};

// Lowest cell of the 3 x 3 around each cell. Candidates with a higher index must be lower to win, those with a lower
// index win ties: the order is total, so pointers cannot form a cycle. NaN never wins.
template <class Real>
void point_down(const Real* above, const Real* here, const Real* below, int width, std::uint8_t* code) {
  using Int = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  for (int x = 0; x < width; ++x) {
    Real best = here[x];
    Int k = kSelf;
    const auto later = [&](Real v, Int number) {
      const bool wins = v < best;
      best = wins ? v : best;
      k = wins ? number : k;
    };
    const auto earlier = [&](Real v, Int number) {
      const bool wins = v <= best;
      best = wins ? v : best;
      k = wins ? number : k;
    };
    later(here[x + 1], 5);
    later(below[x - 1], 6);
    later(below[x], 7);
    later(below[x + 1], 8);
    earlier(here[x - 1], 3);
    earlier(above[x + 1], 2);
    earlier(above[x], 1);
    earlier(above[x - 1], 0);
    code[x] = static_cast<std::uint8_t>(k);
  }
}

template <class T>
void point_rows(GridView<const T> height, OutletMask outlets, GridView<std::uint8_t> code, const Exec& exec) {
  const int w = height.width();
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    PaddedRows<T> rows(height);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> root(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = code.row(y);
      point_down(rows.above(), rows.here(), rows.below(), w, to);
      find_outlets(rows.above(), rows.here(), rows.below(), w, mask_row(outlets, y), scratch.data(), root.data());
      for (int x = 0; x < w; ++x) to[x] = root[x] != 0 ? kRoot : to[x];
      if (y + 1 < y1) rows.next();
    }
  });
}

// Follows the pointers to a cell whose label is known and writes it back along the way. Returns the number of labels.
inline std::uint32_t label_cells(GridView<const std::uint8_t> code, GridView<std::uint32_t> label, const Exec& exec) {
  const std::int64_t w = code.width();
  std::array<std::int64_t, 9> step{};
  for (int k = 0; k < 9; ++k) step[k] = (k / 3 - 1) * w + (k % 3 - 1);
  std::uint32_t count = kOutside + 1;
  const std::uint8_t* down = code.data();
  std::uint32_t* to = label.data();
  for (int y = 0; y < code.height() && !exec.cancelled(); ++y) {
    for (std::int64_t i = y * w, end = i + w; i < end; ++i) {
      if (to[i] != kUnset) continue;
      std::int64_t j = i;
      while (to[j] == kUnset && down[j] < kRoot && down[j] != kSelf) j += step[down[j]];
      std::uint32_t l = to[j];
      if (l == kUnset) {
        l = down[j] == kRoot ? kOutside : count++;
        to[j] = l;
      }
      for (std::int64_t k = i; k != j; k += step[down[k]]) to[k] = l;
    }
  }
  return count;
}

// Remembers recent pairs of basins, so that the cells along one divide give one edge and not hundreds. A pair that was
// forgotten only makes a second edge.
template <class Real>
class PassList {
 public:
  PassList() : recent_(kSize, 0) {}
  void add(std::uint32_t a, std::uint32_t b, Real height) {
    if (a > b) std::swap(a, b);
    std::uint32_t& slot = recent_[(a * 0x9E3779B1U ^ b * 0x85EBCA77U) >> (32 - kBits)];
    if (slot < passes_.size() && passes_[slot].a == a && passes_[slot].b == b) {
      if (height < passes_[slot].height) passes_[slot].height = height;
      return;
    }
    slot = static_cast<std::uint32_t>(passes_.size());
    passes_.push_back({a, b, height});
  }
  std::vector<Pass<Real>>& passes() { return passes_; }

 private:
  static constexpr int kBits = 15;
  static constexpr std::size_t kSize = std::size_t{1} << kBits;
  std::vector<std::uint32_t> recent_;
  std::vector<Pass<Real>> passes_;
};

// Passes between cells of different basins. Where either of two neighbours is NoData, both are outside.
template <class T>
std::vector<Pass<RealOf<T>>> find_passes(GridView<const T> height, GridView<const std::uint32_t> label,
                                         const Exec& exec) {
  using Real = RealOf<T>;
  const int w = height.width();
  const int h = height.height();
  PassList<Real> list;
  const auto look = [&](std::uint32_t a, std::uint32_t b, T p, T q) {
    if (a != b) list.add(a, b, static_cast<Real>(std::max(p, q)));
  };
  for (int y = 0; y < h && !exec.cancelled(); ++y) {
    const std::uint32_t* l = label.row(y);
    const T* u = height.row(y);
    if (y + 1 == h) {
      for (int x = 0; x + 1 < w; ++x) look(l[x], l[x + 1], u[x], u[x + 1]);
      break;
    }
    const std::uint32_t* m = label.row(y + 1);
    const T* v = height.row(y + 1);
    for (int x = 1; x + 1 < w; ++x) {
      const std::uint32_t a = l[x];
      if (((a ^ l[x + 1]) | (a ^ m[x - 1]) | (a ^ m[x]) | (a ^ m[x + 1])) == 0) continue;
      look(a, l[x + 1], u[x], u[x + 1]);
      look(a, m[x - 1], u[x], v[x - 1]);
      look(a, m[x], u[x], v[x]);
      look(a, m[x + 1], u[x], v[x + 1]);
    }
    look(l[0], m[0], u[0], v[0]);
    if (w == 1) continue;
    look(l[0], l[1], u[0], u[1]);
    look(l[0], m[1], u[0], v[1]);
    look(l[w - 1], m[w - 2], u[w - 1], v[w - 2]);
    look(l[w - 1], m[w - 1], u[w - 1], v[w - 1]);
  }
  return std::move(list.passes());
}

// Edges of each basin, one list behind the other.
template <class Real>
struct Adjacency {
  struct Link {
    std::uint32_t to;
    Real height;
  };
  std::vector<std::uint64_t> first;
  std::vector<Link> links;

  Adjacency(const std::vector<Pass<Real>>& passes, std::uint32_t count)
      : first(static_cast<std::size_t>(count) + 1, 0), links(2 * passes.size()) {
    for (const Pass<Real>& p : passes) ++first[p.a], ++first[p.b];
    std::uint64_t sum = 0;
    for (std::uint64_t& f : first) f = sum += f;
    for (const Pass<Real>& p : passes) {
      links[--first[p.a]] = {p.b, p.height};
      links[--first[p.b]] = {p.a, p.height};
    }
  }
};

// Water levels spread from the basins 1 ... `sources` over the passes between `count` basins (Dijkstra with maximum in
// place of the sum): the least highest pass on a way to a source, -infinity at the sources. Where `owner` is given, it
// tells the source of each basin.
template <class Real>
std::vector<Real> flood_basins(const std::vector<Pass<Real>>& passes, std::uint32_t count,
                               std::uint32_t sources = kOutside, std::vector<std::uint32_t>* owner = nullptr) {
  struct Entry {
    Real level;
    std::uint32_t basin;
    bool operator<(const Entry& o) const { return level > o.level; }
  };
  const Adjacency<Real> graph(passes, count);
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  std::vector<Real> level(count, kInfinity);
  std::vector<std::uint8_t> done(count, 0);
  std::vector<Entry> heap;
  std::vector<std::uint32_t> same;  // reached at the current level: needs no order
  if (owner != nullptr) owner->assign(count, kUnset);
  for (std::uint32_t s = kOutside; s <= sources; ++s) {
    level[s] = -kInfinity;
    if (owner != nullptr) (*owner)[s] = s;
    same.push_back(s);
  }
  while (!same.empty() || !heap.empty()) {
    std::uint32_t basin = 0;
    if (!same.empty()) {
      basin = same.back();
      same.pop_back();
    } else {
      std::pop_heap(heap.begin(), heap.end());
      basin = heap.back().basin;
      heap.pop_back();
    }
    if (done[basin] != 0) continue;
    done[basin] = 1;
    for (std::uint64_t e = graph.first[basin]; e < graph.first[basin + 1]; ++e) {
      const auto [to, height] = graph.links[e];
      const Real reached = std::max(level[basin], height);
      if (done[to] != 0 || (reached >= level[to] && level[to] < kInfinity)) continue;
      level[to] = reached;
      if (owner != nullptr) (*owner)[to] = (*owner)[basin];
      if (reached == level[basin]) {
        same.push_back(to);
      } else {
        heap.push_back({reached, to});
        std::push_heap(heap.begin(), heap.end());
      }
    }
  }
  for (Real& l : level) l += Real{0};  // a raised cell gets +0, whichever zero the pass has
  return level;
}

template <class T>
void raise_cells(GridView<const T> height, GridView<const std::uint32_t> label, const std::vector<RealOf<T>>& level,
                 GridView<T> out, const Exec& exec) {
  parallel_rows(exec, height.width(), height.height(), [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      const T* from = height.row(y);
      const std::uint32_t* l = label.row(y);
      T* to = out.row(y);
      for (int x = 0, w = height.width(); x < w; ++x) {
        const RealOf<T> water = level[l[x]];  // -infinity on NoData: it stays
        to[x] = static_cast<RealOf<T>>(from[x]) < water ? static_cast<T>(water) : from[x];
      }
    }
  });
}

}  // namespace thalweg::hydrology::internal
