// Filling depressions over a graph of basins.
//
// Every cell points to the lowest of its neighbours (by height, then cell index), so each belongs to the basin of one
// local minimum or to the outside, whose roots are the outlets. The water level of a cell is
//   max(own height, level of its basin's minimum),
// since from the cell one reaches the minimum without climbing, and the minimum reaches the cell without climbing above
// it. The levels of the minima are the smallest highest pass on a way to the outside: a shortest path problem over the
// basins, thousands of times smaller than the grid. So no cell ever enters a priority queue.
#include <algorithm>
#include <limits>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/hydrology/basin_labels.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology {
namespace {

using internal::RealOf;

constexpr std::uint32_t kOutside = internal::kOutsideBasin;

template <class Real>
struct Pass {
  std::uint32_t a, b;
  Real height;
};

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

template <class T>
std::vector<Pass<RealOf<T>>> find_passes(GridView<const T> height, GridView<const std::uint32_t> label,
                                         const Exec& exec) {
  using Real = RealOf<T>;
  const int w = height.width();
  const int h = height.height();
  PassList<Real> list;
  // Cells at the border are roots like NoData, so pairs that reach out of the grid need no look.
  for (int y = 0; y + 1 < h && !exec.cancelled(); ++y) {
    const std::uint32_t* l = label.row(y);
    const std::uint32_t* m = label.row(y + 1);
    const T* u = height.row(y);
    const T* v = height.row(y + 1);
    const auto look = [&](std::uint32_t a, std::uint32_t b, T p, T q) {
      if (a != b) list.add(a, b, static_cast<Real>(std::max(p, q)));
    };
    for (int x = 1; x + 1 < w; ++x) {
      const std::uint32_t a = l[x];
      if (((a ^ l[x + 1]) | (a ^ m[x - 1]) | (a ^ m[x]) | (a ^ m[x + 1])) == 0) continue;
      look(a, l[x + 1], u[x], u[x + 1]);
      look(a, m[x - 1], u[x], v[x - 1]);
      look(a, m[x], u[x], v[x]);
      look(a, m[x + 1], u[x], v[x + 1]);
    }
    if (w > 1) {
      look(l[0], l[1], u[0], u[1]);
      look(l[0], m[1], u[0], v[1]);
      look(l[w - 1], m[w - 2], u[w - 1], v[w - 2]);
    }
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

// Level of every label: the least highest pass on a way to the outside (Dijkstra with maximum in place of the sum).
template <class Real>
std::vector<Real> flood_basins(const std::vector<Pass<Real>>& passes, std::uint32_t count) {
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
  level[kOutside] = -kInfinity;
  same.push_back(kOutside);
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

}  // namespace

template <class T>
void fill(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec) {
  assert(out.width() == height.width() && out.height() == height.height());
  if (height.empty()) return;
  Grid<std::uint32_t> label(height.width(), height.height());
  const std::uint32_t labels = internal::label_minima<T>(height, outlets, label.view(), exec.part(0, 0.6));
  if (exec.cancelled()) return;
  const std::vector<Pass<RealOf<T>>> passes = find_passes<T>(height, label, exec);
  exec.progress(0.8);
  raise_cells<T>(height, label, flood_basins(passes, labels), out, exec);
  exec.progress(1);
}

template void fill<std::int16_t>(GridView<const std::int16_t>, OutletMask, GridView<std::int16_t>, const Exec&);
template void fill<std::int32_t>(GridView<const std::int32_t>, OutletMask, GridView<std::int32_t>, const Exec&);
template void fill<float>(GridView<const float>, OutletMask, GridView<float>, const Exec&);
template void fill<double>(GridView<const double>, OutletMask, GridView<double>, const Exec&);

}  // namespace thalweg::hydrology
