// The tree of depressions, grown over the graph of basins.
//
// Water rises everywhere at once. Passes between basins are met in the order of their heights; at each, the two
// depressions on its sides become one (Kruskal's minimum spanning tree), or spill to the ocean when one side already
// does. Only passes enter the sort, not cells.
#include "thalweg/hydrology/depression_hierarchy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "thalweg/hydrology/basin_labels.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology {
namespace {

using Basin = std::uint32_t;
constexpr Basin kOutside = internal::kOutsideBasin;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Pass {
  double height = 0;
  std::int64_t cell = 0;  // the higher of its two cells
  Basin a = 0, b = 0;     // a < b
  bool operator<(const Pass& o) const {
    if (height != o.height) return height < o.height;
    if (cell != o.cell) return cell < o.cell;
    return a != o.a ? a < o.a : b < o.b;
  }
};

/// Lowest passes between basins. Remembers recent pairs, so that the cells along one divide give one pass and not
/// hundreds; a pair that was forgotten only makes a second pass.
class PassList {
 public:
  PassList() : recent_(std::size_t{1} << kBits) {}
  void add(Basin a, Basin b, double height, std::int64_t cell) {
    if (a > b) std::swap(a, b);
    std::size_t& slot = recent_[(a * 0x9E3779B1U ^ b * 0x85EBCA77U) >> (32 - kBits)];
    const Pass pass{height, cell, a, b};
    if (slot < passes_.size() && passes_[slot].a == a && passes_[slot].b == b) {
      if (pass < passes_[slot]) passes_[slot] = pass;
      return;
    }
    slot = passes_.size();
    passes_.push_back(pass);
  }
  std::vector<Pass> sorted() {
    std::sort(passes_.begin(), passes_.end());
    return std::move(passes_);
  }

 private:
  static constexpr int kBits = 15;
  std::vector<std::size_t> recent_;
  std::vector<Pass> passes_;
};

template <class T>
std::vector<Pass> find_passes(GridView<const T> height, GridView<const Basin> basin, const Exec& exec) {
  const int w = height.width();
  const int h = height.height();
  PassList list;
  const auto look = [&](int x, int y, int nx, int ny) {
    const Basin a = basin(x, y);
    const Basin b = basin(nx, ny);
    if (a == b) return;
    // A pair that differs has no NoData: what lies beside NoData is outside, like NoData itself.
    const T p = height(x, y);
    const T q = height(nx, ny);
    const bool first = !(q > p);  // (x, y) comes before (nx, ny)
    list.add(a, b, static_cast<double>(first ? p : q), first ? std::int64_t{y} * w + x : std::int64_t{ny} * w + nx);
  };
  for (int y = 0; y + 1 < h && !exec.cancelled(); ++y) {
    for (int x = 0; x < w; ++x) {
      if (x + 1 < w) look(x, y, x + 1, y);
      if (x > 0) look(x, y, x - 1, y + 1);
      look(x, y, x, y + 1);
      if (x + 1 < w) look(x, y, x + 1, y + 1);
    }
  }
  return list.sorted();
}

/// Sets that grow together, each with a name.
class Unions {
 public:
  explicit Unions(std::size_t n) : parent_(n) {
    for (std::size_t i = 0; i < n; ++i) parent_[i] = static_cast<std::uint32_t>(i);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// `i` and all in its set belong to `into`'s from now on. `i` must be a root.
  void join(std::uint32_t i, std::uint32_t into) { parent_[i] = find(into); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Grows the tree. Nodes 0 is the ocean, 1 .. basins - 2 are the minima (label minus one), then joined depressions.
/// Minima that turn out to be parts of a flat are dropped when the nodes are numbered at the end.
class Grower {
 public:
  Grower(std::vector<std::pair<double, std::int64_t>> pits)  // by node; [0] is the ocean's
      : pits_(std::move(pits)), flat_(pits_.size()), top_(2 * pits_.size()), nodes_(pits_.size()) {
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      nodes_[i].pit_m = pits_[i].first;
      nodes_[i].pit_cell = pits_[i].second;
    }
  }

  void grow(const std::vector<Pass>& passes, const Exec& exec) {
    for (std::size_t begin = 0, end = 0; begin < passes.size() && !exec.cancelled(); begin = end) {
      while (end < passes.size() && passes[end].height == passes[begin].height) ++end;
      spill_to_ocean(passes, begin, end);
      for (std::size_t i = begin; i < end; ++i) meet(passes[i]);
    }
  }

  /// Numbers the depressions and tells the leaf of every node.
  Result<DepressionHierarchy> number(std::vector<std::int32_t>& leaf_of) {
    constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 1; i < nodes_.size(); ++i)
      if (i >= pits_.size() || flat_.find(i) == i) order.push_back(i);
    if (order.size() >= kMost) return input_error("more than 2147483647 depressions");
    const auto leaves = static_cast<std::size_t>(
        std::lower_bound(order.begin(), order.end(), static_cast<std::uint32_t>(pits_.size())) - order.begin());
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(leaves),
              [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].pit_cell < nodes_[b].pit_cell; });
    std::vector<std::int32_t> number(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::int32_t>(i + 1);
    const auto numbered = [&](std::int32_t node) { return number[static_cast<std::size_t>(node)]; };
    const auto leaf = [&](std::int32_t node) { return numbered(static_cast<std::int32_t>(flat_.find(node))); };
    DepressionHierarchy tree;
    tree.leaves = static_cast<std::int32_t>(leaves);
    tree.depressions.resize(order.size() + 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Depression d = nodes_[order[i]];
      d.parent = numbered(d.parent);
      d.left = numbered(d.left);
      d.right = numbered(d.right);
      if (d.left > d.right) std::swap(d.left, d.right);
      d.overflow = leaf(d.overflow);
      tree.depressions[i + 1] = d;
    }
    leaf_of.resize(pits_.size());
    for (std::size_t i = 0; i < pits_.size(); ++i) leaf_of[i] = leaf(static_cast<std::int32_t>(i));
    return tree;
  }

 private:
  static std::uint32_t node_of(Basin basin) { return basin - kOutside; }

  /// Passes at one height through which water gets to the ocean, nearest to it first.
  void spill_to_ocean(const std::vector<Pass>& passes, std::size_t begin, std::size_t end) {
    if (end - begin == 1) return;  // meet() sees to it
    sides_.clear();
    for (std::size_t i = begin; i < end; ++i) {
      sides_.emplace_back(top_.find(node_of(passes[i].a)), i);
      sides_.emplace_back(top_.find(node_of(passes[i].b)), i);
    }
    std::sort(sides_.begin(), sides_.end());
    front_.clear();
    if (sides_[0].first == 0) front_.push_back(0);
    for (std::size_t next = 0; next < front_.size(); ++next) {
      const std::uint32_t set = front_[next];
      for (auto s = std::lower_bound(sides_.begin(), sides_.end(), std::pair(set, std::size_t{0}));
           s != sides_.end() && s->first == set; ++s) {
        const Pass& pass = passes[s->second];
        const std::uint32_t a = top_.find(node_of(pass.a));
        const std::uint32_t b = top_.find(node_of(pass.b));
        if (a != 0) front_.push_back(a);
        if (b != 0) front_.push_back(b);
        meet(pass);
      }
    }
  }

  void meet(const Pass& pass) {
    std::uint32_t a = top_.find(node_of(pass.a));
    std::uint32_t b = top_.find(node_of(pass.b));
    if (a == b) return;
    Basin from = pass.a;
    Basin to = pass.b;
    if (spills_first(b, a)) {
      std::swap(a, b);
      std::swap(from, to);
    }
    // Now b is the ocean, or the deeper of the two.
    if (nodes_[a].pit_m == pass.height) {  // no depth: part of a flat
      flat_.join(flat_.find(node_of(from)), node_of(to));
      top_.join(a, b);
      return;
    }
    spill(a, pass, to);
    if (b == 0) {
      top_.join(a, 0);
      return;
    }
    spill(b, pass, from);
    const auto joined = static_cast<std::uint32_t>(nodes_.size());
    nodes_[a].parent = nodes_[b].parent = static_cast<std::int32_t>(joined);
    Depression d;
    d.left = static_cast<std::int32_t>(a);
    d.right = static_cast<std::int32_t>(b);
    d.pit_m = nodes_[b].pit_m;
    d.pit_cell = nodes_[b].pit_cell;
    nodes_.push_back(d);
    top_.join(a, joined);
    top_.join(b, joined);
  }

  /// Whether `a` is the side that goes into `b`: never the ocean, else the one whose pit is higher, then later.
  bool spills_first(std::uint32_t a, std::uint32_t b) const {
    if (a == 0 || b == 0) return b == 0;
    if (nodes_[a].pit_m != nodes_[b].pit_m) return nodes_[a].pit_m > nodes_[b].pit_m;
    return nodes_[a].pit_cell > nodes_[b].pit_cell;
  }

  void spill(std::uint32_t node, const Pass& pass, Basin to) {
    nodes_[node].outlet_m = pass.height;
    nodes_[node].outlet_cell = pass.cell;
    nodes_[node].overflow = static_cast<std::int32_t>(node_of(to));
  }

  std::vector<std::pair<double, std::int64_t>> pits_;
  Unions flat_;  // minima that are one leaf
  Unions top_;   // nodes to the largest depression they are in
  std::vector<Depression> nodes_;
  std::vector<std::pair<std::uint32_t, std::size_t>> sides_;
  std::vector<std::uint32_t> front_;
};

template <class T>
std::vector<std::pair<double, std::int64_t>> find_pits(GridView<const T> height, GridView<const Basin> basin,
                                                       Basin count) {
  std::vector<std::pair<double, std::int64_t>> pits(count - kOutside, {kInfinity, -1});
  for (int y = 0; y < height.height(); ++y) {
    for (int x = 0; x < height.width(); ++x) {
      if (basin(x, y) == kOutside) continue;
      auto& pit = pits[basin(x, y) - kOutside];
      const auto h = static_cast<double>(height(x, y));
      if (pit.second < 0 || h < pit.first) pit = {h, std::int64_t{y} * height.width() + x};
    }
  }
  return pits;
}

void set_skips(DepressionHierarchy& tree) {
  const std::size_t n = tree.depressions.size();
  tree.skip.assign(n, 0);
  std::vector<std::int32_t> depth(n);
  const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  for (std::size_t i = n; i-- > 1;) {  // parents first
    const std::int32_t p = tree.depressions[i].parent;
    const std::int32_t s = tree.skip[at(p)];
    depth[i] = depth[at(p)] + 1;
    const bool even = depth[at(p)] - depth[at(s)] == depth[at(s)] - depth[at(tree.skip[at(s)])];
    tree.skip[i] = even ? tree.skip[at(s)] : p;
  }
}

/// Counts every cell in the smallest depression that contains it, then hands the sums up. Only positive amounts are
/// added, so nothing cancels.
template <class T>
void measure(GridView<const T> height, GridView<const std::int32_t> label, const CellGeometry& geometry,
             DepressionHierarchy& tree) {
  for (int y = 0; y < height.height(); ++y) {
    const double area = geometry.row(y).area_m2;
    for (int x = 0; x < height.width(); ++x) {
      if (label(x, y) <= 0) continue;
      const auto h = static_cast<double>(height(x, y));
      const std::int32_t inside = tree.innermost(label(x, y), h);
      if (inside == 0) continue;
      Depression& d = tree.depressions[static_cast<std::size_t>(inside)];
      ++d.cells;
      d.area_m2 += area;
      d.volume_m3 += area * (d.outlet_m - h);
    }
  }
  for (std::size_t i = 1; i < tree.depressions.size(); ++i) {
    const Depression& d = tree.depressions[i];
    if (d.parent == 0) continue;
    Depression& parent = tree.depressions[static_cast<std::size_t>(d.parent)];
    const double rise = parent.outlet_m > d.outlet_m ? parent.outlet_m - d.outlet_m : 0.0;
    parent.cells += d.cells;
    parent.area_m2 += d.area_m2;
    parent.volume_m3 += d.volume_m3 + d.area_m2 * rise;
  }
}

}  // namespace

std::int32_t DepressionHierarchy::innermost(std::int32_t label, double height_m) const {
  const auto drowned = [&](std::int32_t i) {
    return i == 0 || depressions[static_cast<std::size_t>(i)].outlet_m > height_m;
  };
  std::int32_t at = label;
  while (!drowned(at)) {
    const std::int32_t far = skip[static_cast<std::size_t>(at)];
    at = drowned(far) ? depressions[static_cast<std::size_t>(at)].parent : far;
  }
  return at;
}

template <class T>
Result<DepressionHierarchy> depression_hierarchy(GridView<const T> height, OutletMask outlets,
                                                 const CellGeometry& geometry, GridView<std::int32_t> label,
                                                 const Exec& exec) {
  assert(label.width() == height.width() && label.height() == height.height());
  assert(geometry.height() >= height.height());
  return guard_memory([&]() -> Result<DepressionHierarchy> {
    Grid<Basin> basin(height.width(), height.height());
    const Basin count =
        height.empty() ? kOutside + 1 : internal::label_minima<T>(height, outlets, basin.view(), exec.part(0, 0.3));
    if (exec.cancelled()) return cancelled_error();
    Grower grower(find_pits<T>(height, basin, count));
    grower.grow(find_passes<T>(height, basin, exec), exec);
    exec.progress(0.7);
    std::vector<std::int32_t> leaf_of;
    Result<DepressionHierarchy> tree = grower.number(leaf_of);
    if (!tree) return tree;
    parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < height.width(); ++x)
          label(x, y) = is_nodata(height(x, y)) ? kNoData<std::int32_t> : leaf_of[basin(x, y) - kOutside];
    });
    if (exec.cancelled()) return cancelled_error();
    set_skips(*tree);
    measure<T>(height, label, geometry, *tree);
    exec.progress(1);
    return tree;
  });
}

namespace {

bool is_small(const Depression& d, const SmallDepressionParams& p) {
  return d.area_m2 < p.min_area_m2 || d.depth_m() < p.min_depth_m || d.volume_m3 < p.min_volume_m3;
}

/// The level that each depression is filled to, -infinity where it stays.
std::vector<double> fill_levels(const DepressionHierarchy& tree, const SmallDepressionParams& params) {
  std::vector<double> level(tree.depressions.size(), -kInfinity);
  for (std::size_t i = level.size(); i-- > 1;) {  // parents first
    const Depression& d = tree.depressions[i];
    const auto parent = static_cast<std::size_t>(d.parent);
    if (parent != 0 && level[parent] > -kInfinity) {
      level[i] = level[parent];
    } else if (is_small(d, params)) {
      const bool holds_deepest = parent != 0 && tree.depressions[parent].pit_cell == d.pit_cell;
      // A part of what stays: only pits beside the deepest one go, and only where that is wanted.
      if (parent == 0 || (params.inside_larger && !holds_deepest)) level[i] = d.outlet_m;
    }
  }
  return level;
}

}  // namespace

template <class T>
Status fill_small(GridView<const T> height, OutletMask outlets, const CellGeometry& geometry,
                  const SmallDepressionParams& params, GridView<T> out, const Exec& exec) {
  assert(out.width() == height.width() && out.height() == height.height());
  return guard_memory([&]() -> Status {
    Grid<std::int32_t> label(height.width(), height.height());
    const Result<DepressionHierarchy> tree =
        depression_hierarchy<T>(height, outlets, geometry, label.view(), exec.part(0, 0.9));
    if (!tree) return tree.error();
    const std::vector<double> level = fill_levels(*tree, params);
    parallel_rows(exec, height.width(), height.height(), [&](int begin, int end) {
      for (int y = begin; y < end; ++y) {
        for (int x = 0; x < height.width(); ++x) {
          const T h = height(x, y);
          const double water = label(x, y) > 0 ? level[static_cast<std::size_t>(label(x, y))] : -kInfinity;
          // A raised cell gets +0, whichever zero the pass has.
          out(x, y) = static_cast<double>(h) < water ? static_cast<T>(water + 0.0) : h;
        }
      }
    });
    return exec.cancelled() ? Status(cancelled_error()) : Status();
  });
}

#define THALWEG_INSTANTIATE(T)                                                                                     \
  template Result<DepressionHierarchy> depression_hierarchy<T>(GridView<const T>, OutletMask, const CellGeometry&, \
                                                               GridView<std::int32_t>, const Exec&);               \
  template Status fill_small<T>(GridView<const T>, OutletMask, const CellGeometry&, const SmallDepressionParams&,  \
                                GridView<T>, const Exec&);
THALWEG_INSTANTIATE(std::int16_t)
THALWEG_INSTANTIATE(std::int32_t)
THALWEG_INSTANTIATE(float)
THALWEG_INSTANTIATE(double)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydrology
