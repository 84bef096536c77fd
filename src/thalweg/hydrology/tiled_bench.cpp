// Speed of the tiled drainage steps in memory; arguments: cells per side, tile side, threads.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/bench_terrain.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/tiled.h"

namespace thalweg::hydrology {
namespace {

using bench::kCell_m;

// Cells a second; the first argument is the number of cells per side.
void count_cells(benchmark::State& state) {
  const auto n = static_cast<double>(state.range(0));
  state.counters["Mcells/s"] = benchmark::Counter(n * n / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}

struct Land {
  Grid<float> height;
  Grid<float> filled;
  Grid<std::uint8_t> directions;
};
const Land& land(int n) {
  static Land made;
  if (made.height.width() == n) return made;
  made.height = test::fbm_terrain(n);
  made.filled = Grid<float>(n, n);
  made.directions = Grid<std::uint8_t>(n, n);
  fill<float>(made.height, {}, made.filled, Exec());
  d8<float>(made.filled, CellGeometry::uniform(kCell_m, n), {}, made.directions, Exec());
  return made;
}

TilePlan plan_of(const benchmark::State& state) {
  TilePlan plan;
  plan.width = plan.height = static_cast<int>(state.range(0));
  plan.tile_width = plan.tile_height = static_cast<int>(state.range(1));
  plan.keep_bytes = std::int64_t{1} << 32;
  return plan;
}
Exec exec_of(const benchmark::State& state) {
  return Exec(static_cast<int>(state.range(2)));
}

void bm_fill_whole(benchmark::State& state) {
  const Land& l = land(static_cast<int>(state.range(0)));
  Grid<float> out(l.height.width(), l.height.height());
  const Exec exec(static_cast<int>(state.range(1)));
  for (auto _ : state) fill<float>(l.height, {}, out, exec);
  count_cells(state);
}

void bm_fill_tiled(benchmark::State& state) {
  const Land& l = land(static_cast<int>(state.range(0)));
  Grid<float> out(l.height.width(), l.height.height());
  const Exec exec = exec_of(state);
  for (auto _ : state)
    if (!fill_tiled<float>(plan_of(state), memory_source<float>(l.height), nullptr, memory_sink<float>(out), exec))
      state.SkipWithError("failed");
  count_cells(state);
}

void bm_d8_tiled(benchmark::State& state) {
  const Land& l = land(static_cast<int>(state.range(0)));
  Grid<std::uint8_t> out(l.height.width(), l.height.height());
  const Exec exec = exec_of(state);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, out.height());
  for (auto _ : state)
    if (!d8_tiled<float>(plan_of(state), memory_source<float>(l.filled), nullptr, geometry,
                         memory_store<std::uint8_t>(out), exec))
      state.SkipWithError("failed");
  count_cells(state);
}

void bm_accumulate_tiled(benchmark::State& state) {
  const Land& l = land(static_cast<int>(state.range(0)));
  Grid<double> out(l.height.width(), l.height.height());
  const Exec exec = exec_of(state);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, out.height());
  for (auto _ : state)
    if (!accumulate_area_tiled(plan_of(state), memory_source<std::uint8_t>(l.directions), geometry,
                               memory_sink<double>(out), exec))
      state.SkipWithError("failed");
  count_cells(state);
}

void bm_accumulate_whole(benchmark::State& state) {
  const Land& l = land(static_cast<int>(state.range(0)));
  Grid<double> out(l.height.width(), l.height.height());
  const Exec exec(static_cast<int>(state.range(1)));
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, out.height());
  for (auto _ : state)
    if (!accumulate_area(l.directions, geometry, out, exec)) state.SkipWithError("failed");
  count_cells(state);
}

BENCHMARK(bm_fill_whole)->Args({4097, 1})->Args({4097, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
#define THALWEG_TILES                 \
  ->Args({4097, 512, 1})              \
      ->Args({4097, 512, 2})          \
      ->Args({4097, 1024, 1})         \
      ->Args({4097, 1024, 2})         \
      ->Unit(benchmark::kMillisecond) \
      ->UseRealTime()
BENCHMARK(bm_fill_tiled) THALWEG_TILES;
BENCHMARK(bm_d8_tiled) THALWEG_TILES;
BENCHMARK(bm_accumulate_whole)->Args({4097, 1})->Args({4097, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(bm_accumulate_tiled) THALWEG_TILES;

}  // namespace
}  // namespace thalweg::hydrology
