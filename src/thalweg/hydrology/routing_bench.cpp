// Speed of the routing methods besides D8 on the common test terrain, filled; the argument is the cells per side.
#include <benchmark/benchmark.h>

#include <map>

#include "thalweg/hydrology/bench_terrain.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::hydrology {
namespace {

using bench::filled;
using bench::kCell_m;

// Cells a second; the first argument is the number of cells per side.
void count_cells(benchmark::State& state) {
  const auto n = static_cast<double>(state.range(0));
  state.counters["Mcells/s"] = benchmark::Counter(n * n / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}

const Grid<float>& angles(int n) {
  static std::map<int, Grid<float>> made;
  auto found = made.find(n);
  if (found == made.end()) {
    Grid<float> g(n, n);
    dinf<float>(filled(n), CellGeometry::uniform(kCell_m, n), {}, g, Exec());
    found = made.emplace(n, std::move(g)).first;
  }
  return found->second;
}

void bm_rho8(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = filled(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  Grid<std::uint8_t> out(n, n);
  for (auto _ : state) rho8<float>(dem, geometry, {}, 1, out, Exec());
  count_cells(state);
}

void bm_dinf(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = filled(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  Grid<float> out(n, n);
  for (auto _ : state) dinf<float>(dem, geometry, {}, out, Exec());
  count_cells(state);
}

void bm_accumulate_dinf(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& from = angles(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  const Exec exec(static_cast<int>(state.range(1)));
  Grid<double> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(accumulate_dinf_area(from, geometry, out, exec).ok());
  count_cells(state);
}

// Heights in, flats resolved, area out. Arguments: size, exponent times ten, threads.
void bm_accumulate_mfd(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Grid<float>& dem = filled(n);
  const CellGeometry geometry = CellGeometry::uniform(kCell_m, n);
  const MfdParams params{MfdWeights::freeman, static_cast<double>(state.range(1)) / 10};
  const Exec exec(static_cast<int>(state.range(2)));
  Grid<double> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(accumulate_mfd_area<float>(dem, geometry, {}, params, out, exec).ok());
  count_cells(state);
}

BENCHMARK(bm_rho8)->Arg(1025)->Arg(4097)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_dinf)->Arg(1025)->Arg(4097)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_accumulate_dinf)->ArgsProduct({{1025, 4097}, {1, 2}})->Unit(benchmark::kMillisecond);
BENCHMARK(bm_accumulate_mfd)->ArgsProduct({{1025, 4097}, {10, 11, 40}, {1, 2}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg::hydrology
