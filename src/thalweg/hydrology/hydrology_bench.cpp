// Speed of the drainage steps on the common test terrain; the argument is the number of cells per side.
#include <benchmark/benchmark.h>

#include <map>

#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/bench_terrain.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology {
namespace {

using bench::filled;
using bench::kCell_m;
using bench::terrain;

// Cells a second; the first argument is the number of cells per side.
void count_cells(benchmark::State& state) {
  const auto n = static_cast<double>(state.range(0));
  state.counters["Mcells/s"] = benchmark::Counter(n * n / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}

const Grid<std::uint8_t>& directions(int n) {
  static std::map<int, Grid<std::uint8_t>> made;
  auto found = made.find(n);
  if (found == made.end()) {
    Grid<std::uint8_t> g(n, n);
    d8<float>(filled(n), CellGeometry::uniform(kCell_m, n), {}, g, Exec());
    found = made.emplace(n, std::move(g)).first;
  }
  return found->second;
}

void bm_fill(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  Grid<float> out(n, n);
  for (auto _ : state) fill<float>(dem, {}, out, Exec());
  count_cells(state);
}

void bm_fill_int16(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  Grid<std::int16_t> dem(n, n);
  for (std::int64_t i = 0; i < dem.cells(); ++i) dem[i] = static_cast<std::int16_t>(terrain(n)[i]);
  Grid<std::int16_t> out(n, n);
  for (auto _ : state) fill<std::int16_t>(dem, {}, out, Exec());
  count_cells(state);
}

void bm_fill_epsilon(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  Grid<float> out(n, n);
  for (auto _ : state) fill_epsilon<float>(dem, {}, out, Exec());
  count_cells(state);
}

void bm_planchon_darboux(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  Grid<float> out(n, n);
  for (auto _ : state) planchon_darboux<float>(dem, {}, 0, out, Exec());
  count_cells(state);
}

// The second argument is the number of cells searched around a pit.
void bm_breach(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  BreachLimits limits;
  limits.search_cells = state.range(1);
  Grid<float> out(n, n);
  for (auto _ : state) breach<float>(dem, {}, geometry, limits, out, Exec());
  const DepressionStats stats = depression_stats<float>(dem, out, geometry);
  state.counters["cut_km3"] = stats.volume_lowered_m3 / 1e9;
  state.counters["fill_km3"] = stats.volume_raised_m3 / 1e9;
  count_cells(state);
}

// Raw terrain: hardly any flats, so this is the cost of the steepest descent alone.
void bm_d8_raw(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  Grid<std::uint8_t> out(n, n);
  for (auto _ : state) d8<float>(dem, geometry, {}, out, Exec());
  count_cells(state);
}

// Filled terrain: the difference to the raw one is the cost of the flats.
void bm_d8_filled(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = filled(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  Grid<std::uint8_t> out(n, n);
  for (auto _ : state) d8<float>(dem, geometry, {}, out, Exec());
  count_cells(state);
}

void bm_accumulate_cells(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<std::uint8_t>& dir = directions(n);
  Grid<std::uint64_t> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(accumulate_cells(dir, out, Exec()).ok());
  count_cells(state);
}

void bm_accumulate_area(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  const Grid<std::uint8_t>& dir = directions(n);
  Grid<double> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(accumulate_area(dir, geometry, out, Exec()).ok());
  count_cells(state);
}

void bm_label_basins(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<std::uint8_t>& dir = directions(n);
  Grid<std::int32_t> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(label_basins(dir, out, Exec()).ok());
  count_cells(state);
}

// Heights in, drained area out.
void bm_everything(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = terrain(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  const Exec exec(static_cast<int>(state.range(1)));
  for (auto _ : state) {
    Grid<float> surface(n, n);
    fill<float>(dem, {}, surface, exec);
    Grid<std::uint8_t> dir(n, n);
    d8<float>(surface, geometry, {}, dir, exec);
    Grid<double> area(n, n);
    benchmark::DoNotOptimize(accumulate_area(dir, geometry, area, exec).ok());
  }
  count_cells(state);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1025)->Arg(2049)->Arg(4097)->Unit(benchmark::kMillisecond);
}
BENCHMARK(bm_fill)->Apply(sizes);
BENCHMARK(bm_fill_int16)->Apply(sizes);
BENCHMARK(bm_fill_epsilon)->Apply(sizes);
BENCHMARK(bm_planchon_darboux)->Arg(1025)->Arg(2049)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_breach)->ArgsProduct({{1025, 2049}, {0, 200, 2000}})->Unit(benchmark::kMillisecond);
BENCHMARK(bm_d8_raw)->Apply(sizes);
BENCHMARK(bm_d8_filled)->Apply(sizes);
BENCHMARK(bm_accumulate_cells)->Apply(sizes);
BENCHMARK(bm_accumulate_area)->Apply(sizes);
BENCHMARK(bm_label_basins)->Apply(sizes);
BENCHMARK(bm_everything)->ArgsProduct({{1025, 2049, 4097}, {1, 2}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg::hydrology
