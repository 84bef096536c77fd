// Basins of a tile and how they join those of its neighbours.
#include "thalweg/hydrology/tiled_fill.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "thalweg/core/exec.h"

namespace thalweg::hydrology {
namespace {

using internal::kOutside;
using internal::kRoot;
using internal::kSelf;
using internal::kUnset;
using internal::Pass;
using internal::PassList;
using internal::RealOf;

template <class T>
bool is_true_outlet(const FillTile<T>& tile, int x, int y) {
  const int wx = tile.place.x + x;
  const int wy = tile.place.y + y;
  if (!tile.outlets.empty() && tile.outlets(wx, wy) != 0) return true;
  if (is_nodata(tile.window(wx, wy))) return true;
  for (std::size_t d = 0; d < 8; ++d) {
    const int nx = wx + kDx[d];
    const int ny = wy + kDy[d];
    if (!tile.window.contains(nx, ny) || is_nodata(tile.window(nx, ny))) return true;
  }
  return false;
}

// Lowest of the 3 x 3 cells that lie in the tile, by height, then index: they are visited in the order of the index.
template <class T>
std::uint8_t lowest_in_tile(GridView<const T> cells, int x, int y) {
  int best = kRoot;
  T low = cells(x, y);
  for (int k = 0; k < 9; ++k) {
    const int nx = x + k % 3 - 1;
    const int ny = y + k / 3 - 1;
    if (!cells.contains(nx, ny)) continue;
    const T v = cells(nx, ny);
    if (v > low || (v == low && best != kRoot)) continue;
    low = v;
    best = k;
  }
  return static_cast<std::uint8_t>(best);
}

// Labels of the cells of a tile that point to each other, as if nothing lay around it but NoData where it really does.
template <class T>
std::uint32_t label_tile(const FillTile<T>& tile, Grid<std::uint32_t>& label) {
  const GridView<const T> cells = tile.cells();
  const int w = cells.width();
  const int h = cells.height();
  Grid<std::uint8_t> code(w, h);
  const OutletMask outlets =
      tile.outlets.empty() ? OutletMask() : tile.outlets.window(tile.place.x, tile.place.y, w, h);
  internal::point_rows(cells, outlets, code.view(), Exec());
  const Perimeter rim(w, h);
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto [x, y] = rim.place(i);
    code(x, y) = is_true_outlet(tile, x, y) ? kRoot : lowest_in_tile(cells, x, y);
  }
  label = Grid<std::uint32_t>(w, h);
  return internal::label_cells(code, label.view(), Exec());
}

// The passes between owners that a spanning forest of least passes needs (Kruskal): it keeps the least highest pass
// between any two. What flows from basin a to its owner may have to climb to level[a] first; where this is above the
// pass, level[b] is the same, or a would have been reached over the pass.
template <class Real>
std::vector<Pass<Real>> least_forest(const std::vector<Pass<Real>>& passes, const std::vector<std::uint32_t>& owner,
                                     const std::vector<Real>& level, std::uint32_t owners) {
  PassList<Real> list;
  for (const Pass<Real>& p : passes)
    if (owner[p.a] != owner[p.b]) list.add(owner[p.a], owner[p.b], std::max(p.height, level[p.a]));
  std::vector<Pass<Real>>& between = list.passes();
  std::sort(between.begin(), between.end(), [](const Pass<Real>& p, const Pass<Real>& q) {
    if (p.height != q.height) return p.height < q.height;
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  });
  std::vector<std::uint32_t> parent(owners);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<Pass<Real>> forest;
  for (const Pass<Real>& p : between) {
    const std::uint32_t a = root(p.a);
    const std::uint32_t b = root(p.b);
    if (a == b) continue;
    parent[a] = b;
    forest.push_back(p);
  }
  return forest;
}

// Calls join(tile, cell of its perimeter, tile, cell of its perimeter) for all neighbours in different tiles.
template <class Join>
void for_each_joint(const TilePlan& plan, const Join& join) {
  for (std::int64_t t = 0, n = plan.tiles(); t < n; ++t) {
    const TileRect tile = plan.tile(t);
    const Perimeter rim(tile);
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const auto [x, y] = rim.place(i);
      for (std::size_t d = 0; d < 4; ++d) {  // the others are these seen from the other cell
        const int nx = tile.x + x + kDx[d];
        const int ny = tile.y + y + kDy[d];
        if (nx < 0 || nx >= plan.width || ny >= plan.height || tile.contains(nx, ny)) continue;
        const std::int64_t u = plan.tile_of(nx, ny);
        const TileRect other = plan.tile(u);
        join(t, i, u, Perimeter(other).index(nx - other.x, ny - other.y));
      }
    }
  }
}

}  // namespace

template <class T>
FillSummary<T> summarize_fill(const FillTile<T>& tile, FillBasins<T>& basins) {
  using Real = RealOf<T>;
  const GridView<const T> cells = tile.cells();
  const std::uint32_t labels = label_tile(tile, basins.label);
  // New numbers: the basins of the perimeter first.
  std::vector<std::uint32_t> number(labels, kUnset);
  number[kOutside] = kOutside;
  FillSummary<T> summary;
  summary.basins = kOutside + 1;
  const Perimeter rim(cells.width(), cells.height());
  summary.basin.reserve(rim.size());
  summary.height.reserve(rim.size());
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto [x, y] = rim.place(i);
    std::uint32_t& n = number[basins.label(x, y)];
    if (n == kUnset) n = summary.basins++;
    summary.basin.push_back(n);
    summary.height.push_back(static_cast<Real>(cells(x, y)));
  }
  std::uint32_t next = summary.basins;
  for (std::uint32_t l = kOutside; l < labels; ++l)
    if (number[l] == kUnset) number[l] = next++;

  std::vector<Pass<Real>> passes = internal::find_passes<T>(cells, basins.label, Exec());
  for (Pass<Real>& p : passes) p = {number[p.a], number[p.b], p.height};
  std::vector<std::uint32_t> owner;
  const std::vector<Real> level = internal::flood_basins(passes, labels, summary.basins - 1, &owner);
  summary.passes = least_forest(passes, owner, level, summary.basins);
  basins.owner.resize(labels);
  basins.level.resize(labels);
  for (std::uint32_t l = 0; l < labels; ++l) {
    basins.owner[l] = owner[number[l]];
    basins.level[l] = level[number[l]];
  }
  return summary;
}

template <class T>
Result<std::vector<std::vector<RealOf<T>>>> solve_fill(const TilePlan& plan,
                                                       const std::vector<FillSummary<T>>& summaries) {
  using Real = RealOf<T>;
  // Basin n of tile t is base[t] + n everywhere; the outside is one for all.
  std::vector<std::uint32_t> base;
  base.reserve(summaries.size());
  std::uint64_t count = kOutside + 1;
  for (const FillSummary<T>& s : summaries) {
    base.push_back(static_cast<std::uint32_t>(count - (kOutside + 1)));
    count += s.basins - (kOutside + 1);
    if (count > std::numeric_limits<std::uint32_t>::max())
      return input_error("the tiles have too many basins at their borders; take larger tiles");
  }
  const auto global = [&](std::size_t tile, std::uint32_t basin) {
    return basin == kOutside ? kOutside : base[tile] + basin;
  };
  PassList<Real> list;
  for (std::size_t t = 0; t < summaries.size(); ++t)
    for (const Pass<Real>& p : summaries[t].passes) list.add(global(t, p.a), global(t, p.b), p.height);
  for_each_joint(plan, [&](std::int64_t t, std::size_t i, std::int64_t u, std::size_t j) {
    const auto a = static_cast<std::size_t>(t);
    const auto b = static_cast<std::size_t>(u);
    const std::uint32_t from = global(a, summaries[a].basin[i]);
    const std::uint32_t to = global(b, summaries[b].basin[j]);
    if (from != to) list.add(from, to, std::max(summaries[a].height[i], summaries[b].height[j]));
  });
  const std::vector<Real> level = internal::flood_basins(list.passes(), static_cast<std::uint32_t>(count));
  std::vector<std::vector<Real>> levels(summaries.size());
  for (std::size_t t = 0; t < summaries.size(); ++t) {
    levels[t].resize(summaries[t].basins, -std::numeric_limits<Real>::infinity());
    for (std::uint32_t n = kOutside + 1; n < summaries[t].basins; ++n) levels[t][n] = level[global(t, n)];
  }
  return levels;
}

template <class T>
void finish_fill(GridView<const T> tile, const FillBasins<T>& basins, const std::vector<RealOf<T>>& levels,
                 GridView<T> out) {
  std::vector<RealOf<T>> level = basins.level;
  for (std::size_t l = kOutside; l < level.size(); ++l) level[l] = std::max(level[l], levels[basins.owner[l]]);
  internal::raise_cells<T>(tile, basins.label, level, out, Exec());
}

#define THALWEG_INSTANTIATE(T)                                                                            \
  template FillSummary<T> summarize_fill<T>(const FillTile<T>&, FillBasins<T>&);                          \
  template Result<std::vector<std::vector<RealOf<T>>>> solve_fill<T>(const TilePlan&,                     \
                                                                     const std::vector<FillSummary<T>>&); \
  template void finish_fill<T>(GridView<const T>, const FillBasins<T>&, const std::vector<RealOf<T>>&, GridView<T>);
THALWEG_INSTANTIATE(std::int16_t)
THALWEG_INSTANTIATE(std::int32_t)
THALWEG_INSTANTIATE(float)
THALWEG_INSTANTIATE(double)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydrology
