#include "thalweg/hydrology/tiled.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/hydrology/tiled_d8.h"
#include "thalweg/hydrology/tiled_fill.h"
#include "thalweg/hydrology/tiled_flow.h"

namespace thalweg::hydrology {
namespace {

// Runs work(tile) for every tile; the error of the lowest tile is returned.
template <class Work>
Status for_each_tile(const TilePlan& plan, const Exec& exec, const Work& work) {
  std::mutex mutex;
  std::optional<Error> error;
  std::int64_t error_tile = plan.tiles();
  std::atomic<bool> failed{false};
  std::atomic<std::int64_t> done{0};
  parallel_for(exec, 0, plan.tiles(), 1, [&](std::int64_t begin, std::int64_t) {
    if (failed) return;
    Status status = guard_memory([&]() -> Status { return work(begin); });
    if (status) {
      exec.progress(static_cast<double>(++done) / static_cast<double>(plan.tiles()));
      return;
    }
    const std::lock_guard lock(mutex);
    failed = true;
    if (begin >= error_tile) return;
    error_tile = begin;
    error = std::move(status).error();
  });
  if (error) return std::move(*error);
  if (exec.cancelled()) return cancelled_error();
  return {};
}

// A tile with cells around it.
template <class T>
struct Window {
  Grid<T> cells;
  Grid<std::uint8_t> outlets;
  TileRect rect;   ///< of the window in the grid
  TileRect place;  ///< of the tile in the window
};

template <class T>
Result<Window<T>> read_window(const TilePlan& plan, std::int64_t tile, int halo, const TileSource<T>& source,
                              const TileSource<std::uint8_t>& outlets) {
  const TileRect r = plan.tile(tile);
  Window<T> w;
  w.rect = plan.grown(r, halo);
  w.place = {r.x - w.rect.x, r.y - w.rect.y, r.width, r.height};
  w.cells = Grid<T>(w.rect.width, w.rect.height);
  THALWEG_TRY(source(w.rect.x, w.rect.y, w.cells.view()));
  if (outlets) {
    w.outlets = Grid<std::uint8_t>(w.rect.width, w.rect.height);
    THALWEG_TRY(outlets(w.rect.x, w.rect.y, w.outlets.view()));
  }
  return w;
}

template <class T>
Result<Grid<T>> read_tile(const TilePlan& plan, std::int64_t tile, const TileSource<T>& source) {
  const TileRect r = plan.tile(tile);
  Grid<T> cells(r.width, r.height);
  THALWEG_TRY(source(r.x, r.y, cells.view()));
  return cells;
}

// From so many cells on, distances on flats need 64 bits.
constexpr std::int64_t kFarCells = std::int64_t{1} << 29;

template <class T>
Status fill_all(const TilePlan& plan, const TileSource<T>& height, const TileSource<std::uint8_t>& outlets,
                const TileSink<T>& out, const Exec& exec) {
  const auto tiles = static_cast<std::size_t>(plan.tiles());
  std::vector<FillSummary<T>> summaries(tiles);
  std::vector<FillBasins<T>> kept(tiles);
  std::atomic<std::int64_t> kept_bytes{0};
  const auto summarize = [&](std::int64_t t, FillBasins<T>& basins) -> Result<FillSummary<T>> {
    const Result<Window<T>> w = read_window<T>(plan, t, 1, height, outlets);
    if (!w) return w.error();
    return summarize_fill<T>({w->cells, w->outlets, w->place}, basins);
  };
  THALWEG_TRY(for_each_tile(plan, exec.part(0, 0.6), [&](std::int64_t t) -> Status {
    FillBasins<T> basins;
    Result<FillSummary<T>> summary = summarize(t, basins);
    if (!summary) return std::move(summary).error();
    summaries[static_cast<std::size_t>(t)] = std::move(*summary);
    // Which tiles are kept may depend on the threads; what comes out does not.
    const std::int64_t bytes = basins.bytes();
    if (kept_bytes.fetch_add(bytes) + bytes <= plan.keep_bytes) {
      kept[static_cast<std::size_t>(t)] = std::move(basins);
    } else {
      kept_bytes -= bytes;
    }
    return {};
  }));
  const auto levels = solve_fill<T>(plan, summaries);
  if (!levels) return levels.error();
  summaries = {};
  return for_each_tile(plan, exec.part(0.6, 1), [&](std::int64_t t) -> Status {
    const auto i = static_cast<std::size_t>(t);
    FillBasins<T> basins = std::move(kept[i]);
    const TileRect r = plan.tile(t);
    const Result<Window<T>> w = read_window<T>(plan, t, basins.label.empty() ? 1 : 0, height, outlets);
    if (!w) return w.error();
    const FillTile<T> tile{w->cells, w->outlets, w->place};
    if (basins.label.empty()) (void)summarize_fill<T>(tile, basins);
    Grid<T> filled(r.width, r.height);
    finish_fill<T>(tile.cells(), basins, (*levels)[i], filled.view());
    return out(r.x, r.y, filled.view());
  });
}

// Measures anew where a neighbour's perimeter brings shorter ways, until none does.
Status settle_flats(const TilePlan& plan, const TileSource<std::uint8_t>& codes, std::vector<FlatEdge>& edges,
                    const Exec& exec) {
  const bool far = plan.cells() >= kFarCells;
  const int columns = plan.columns();
  const int rows = plan.rows();
  std::vector<std::uint8_t> open(edges.size());  // tiles to look at
  for (std::size_t t = 0; t < edges.size(); ++t) open[t] = edges[t].empty() ? 0 : 1;
  std::vector<FlatEdge> shorter_edges(edges.size());
  for (bool changed = true; changed;) {
    THALWEG_TRY(for_each_tile(plan, exec, [&](std::int64_t t) -> Status {
      const auto i = static_cast<std::size_t>(t);
      if (open[i] == 0) return {};
      bool shorter = false;
      const FlatEdge around = flats_around(plan, t, edges, shorter);
      if (!shorter) return {};
      const Result<Grid<std::uint8_t>> tile = read_tile(plan, t, codes);
      if (!tile) return tile.error();
      shorter_edges[i] = measure_flats(*tile, around, far);
      return {};
    }));
    changed = false;
    std::fill(open.begin(), open.end(), std::uint8_t{0});
    for (std::size_t t = 0; t < edges.size(); ++t) {
      if (shorter_edges[t].empty()) continue;
      edges[t] = std::move(shorter_edges[t]);
      shorter_edges[t].clear();
      changed = true;
      const int column = static_cast<int>(static_cast<std::int64_t>(t) % columns);
      const int row = static_cast<int>(static_cast<std::int64_t>(t) / columns);
      for (std::size_t d = 0; d < 8; ++d) {
        const int c = column + kDx[d];
        const int r = row + kDy[d];
        if (c < 0 || r < 0 || c >= columns || r >= rows) continue;
        const auto u = static_cast<std::size_t>(std::int64_t{r} * columns + c);
        open[u] = edges[u].empty() ? 0 : 1;
      }
    }
  }
  return {};
}

template <class T>
Status route_all(const TilePlan& plan, const TileSource<T>& surface, const TileSource<std::uint8_t>& outlets,
                 const CellGeometry& geometry, const TileStore<std::uint8_t>& directions, const Exec& exec) {
  const bool far = plan.cells() >= kFarCells;
  std::vector<FlatEdge> edges(static_cast<std::size_t>(plan.tiles()));
  THALWEG_TRY(for_each_tile(plan, exec.part(0, 0.6), [&](std::int64_t t) -> Status {
    const TileRect r = plan.tile(t);
    const Result<Window<T>> w = read_window<T>(plan, t, 2, surface, outlets);
    if (!w) return w.error();
    Grid<std::uint8_t> codes(r.width, r.height);
    if (route_tile<T>(w->cells, w->outlets, w->place, geometry, w->rect.y, codes.view()))
      edges[static_cast<std::size_t>(t)] = start_flats(codes.view(), far);
    return directions.write(r.x, r.y, codes.view());
  }));
  THALWEG_TRY(settle_flats(plan, directions.read, edges, exec.part(0.6, 0.6)));
  return for_each_tile(plan, exec.part(0.6, 1), [&](std::int64_t t) -> Status {
    if (edges[static_cast<std::size_t>(t)].empty()) return {};
    const TileRect r = plan.tile(t);
    Result<Grid<std::uint8_t>> codes = read_tile(plan, t, directions.read);
    if (!codes) return std::move(codes).error();
    bool shorter = false;
    finish_flats(codes->view(), flats_around(plan, t, edges, shorter), far);
    return directions.write(r.x, r.y, codes->view());
  });
}

// with_share(tile, f) calls f(share of the tile). finish(sums) is applied to the tiles before they are written.
template <class Sum, class WithShare, class Finish>
Status accumulate_all(const TilePlan& plan, const TileSource<std::uint8_t>& directions, const TileSink<Sum>& out,
                      const WithShare& with_share, const Finish& finish, const Exec& exec) {
  std::vector<FlowSummary<Sum>> summaries(static_cast<std::size_t>(plan.tiles()));
  THALWEG_TRY(for_each_tile(plan, exec.part(0, 0.5), [&](std::int64_t t) -> Status {
    const Result<Grid<std::uint8_t>> tile = read_tile(plan, t, directions);
    if (!tile) return tile.error();
    const TileRect r = plan.tile(t);
    return with_share(r, [&](const auto& share) -> Status {
      auto summary = summarize_flow(tile->view(), share);
      if (!summary)
        return std::move(summary).error().at("in the tile at cell (" + std::to_string(r.x) + ", " +
                                             std::to_string(r.y) + ")");
      summaries[static_cast<std::size_t>(t)] = std::move(*summary);
      return {};
    });
  }));
  const auto inflow = solve_flow<Sum>(plan, summaries);
  if (!inflow) return inflow.error();
  summaries = {};
  return for_each_tile(plan, exec.part(0.5, 1), [&](std::int64_t t) -> Status {
    const Result<Grid<std::uint8_t>> tile = read_tile(plan, t, directions);
    if (!tile) return tile.error();
    const TileRect r = plan.tile(t);
    Grid<Sum> sums(r.width, r.height);
    THALWEG_TRY(with_share(r, [&](const auto& share) -> Status {
      return finish_flow(tile->view(), share, (*inflow)[static_cast<std::size_t>(t)], sums.view());
    }));
    finish(sums.view());
    return out(r.x, r.y, sums.view());
  });
}

}  // namespace

template <class T>
Status fill_tiled(const TilePlan& plan, const TileSource<T>& height, const TileSource<std::uint8_t>& outlets,
                  const TileSink<T>& out, const Exec& exec) {
  return guard_memory([&]() -> Status { return fill_all<T>(plan, height, outlets, out, exec); });
}

template <class T>
Status d8_tiled(const TilePlan& plan, const TileSource<T>& surface, const TileSource<std::uint8_t>& outlets,
                const CellGeometry& geometry, const TileStore<std::uint8_t>& directions, const Exec& exec) {
  assert(geometry.height() >= plan.height);
  return guard_memory([&]() -> Status { return route_all<T>(plan, surface, outlets, geometry, directions, exec); });
}

Status accumulate_cells_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                              const TileSink<std::uint64_t>& out, const Exec& exec) {
  return guard_memory([&]() -> Status {
    const auto with_share = [](const TileRect&, const auto& f) { return f(CellShare()); };
    return accumulate_all<std::uint64_t>(
        plan, directions, out, with_share, [](GridView<std::uint64_t>) {}, exec);
  });
}

Status accumulate_area_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                             const CellGeometry& geometry, const TileSink<double>& out, const Exec& exec) {
  assert(geometry.height() >= plan.height);
  return guard_memory([&]() -> Status {
    const AreaUnits units(geometry, plan.height, plan.cells());
    const auto with_share = [&](const TileRect& r, const auto& f) { return f(AreaShare{units, r.y}); };
    const auto finish = [&](GridView<double> sums) { scale_area(units, sums, Exec()); };
    return accumulate_all<double>(plan, directions, out, with_share, finish, exec);
  });
}

Status accumulate_weighted_tiled(const TilePlan& plan, const TileSource<std::uint8_t>& directions,
                                 const TileSource<float>& weight, const TileSink<double>& out, const Exec& exec) {
  return guard_memory([&]() -> Status {
    std::vector<double> largest(static_cast<std::size_t>(plan.tiles()));
    THALWEG_TRY(for_each_tile(plan, exec.part(0, 0.1), [&](std::int64_t t) -> Status {
      const Result<Grid<float>> tile = read_tile(plan, t, weight);
      if (!tile) return tile.error();
      largest[static_cast<std::size_t>(t)] = largest_weight(*tile, Exec());
      return {};
    }));
    const WeightUnits units(*std::max_element(largest.begin(), largest.end()), plan.cells());
    const auto with_share = [&](const TileRect& r, const auto& f) -> Status {
      Grid<float> tile(r.width, r.height);
      THALWEG_TRY(weight(r.x, r.y, tile.view()));
      return f(WeightShare{units, tile.view()});
    };
    return accumulate_all<double>(
        plan, directions, out, with_share, [](GridView<double>) {}, exec.part(0.1, 1));
  });
}

template <class T>
Status run_tiled(const TilePlan& plan, const CellGeometry& geometry, const DrainageTiles<T>& tiles, const Exec& exec) {
  THALWEG_TRY(fill_tiled<T>(plan, tiles.height, tiles.outlets, tiles.filled.write, exec.part(0, 0.4)));
  THALWEG_TRY(d8_tiled<T>(plan, tiles.filled.read, tiles.outlets, geometry, tiles.directions, exec.part(0.4, 0.7)));
  return accumulate_area_tiled(plan, tiles.directions.read, geometry, tiles.area_m2, exec.part(0.7, 1));
}

#define THALWEG_INSTANTIATE(T)                                                                          \
  template Status fill_tiled<T>(const TilePlan&, const TileSource<T>&, const TileSource<std::uint8_t>&, \
                                const TileSink<T>&, const Exec&);                                       \
  template Status d8_tiled<T>(const TilePlan&, const TileSource<T>&, const TileSource<std::uint8_t>&,   \
                              const CellGeometry&, const TileStore<std::uint8_t>&, const Exec&);        \
  template Status run_tiled<T>(const TilePlan&, const CellGeometry&, const DrainageTiles<T>&, const Exec&);
THALWEG_INSTANTIATE(std::int16_t)
THALWEG_INSTANTIATE(std::int32_t)
THALWEG_INSTANTIATE(float)
THALWEG_INSTANTIATE(double)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydrology
