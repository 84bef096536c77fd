// The tree of depressions beside the fill that it explains.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/depression_hierarchy.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/test_fbm.h"

namespace thalweg::hydrology {
namespace {

void per_cell(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}

void BM_FillBeside(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Grid<float> g = test::fbm_terrain(n);
  Grid<float> out(n, n);
  for (auto _ : state) fill<float>(g.view(), {}, out, Exec(1));
  per_cell(state);
}

void BM_DepressionHierarchy(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Grid<float> g = test::fbm_terrain(n);
  const CellGeometry geometry = CellGeometry::uniform(30, n);
  Grid<std::int32_t> label(n, n);
  for (auto _ : state) {
    const auto tree = depression_hierarchy<float>(g.view(), {}, geometry, label, Exec(1));
    state.counters["depressions"] = static_cast<double>(tree->depressions.size());
  }
  per_cell(state);
}

void BM_FillSmall(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const Grid<float> g = test::fbm_terrain(n);
  const CellGeometry geometry = CellGeometry::uniform(30, n);
  Grid<float> out(n, n);
  for (auto _ : state) benchmark::DoNotOptimize(fill_small<float>(g.view(), {}, geometry, {}, out, Exec(1)).ok());
  per_cell(state);
}

#define THALWEG_SIZES ->Arg(1025)->Arg(2049)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_FillBeside) THALWEG_SIZES;
BENCHMARK(BM_DepressionHierarchy) THALWEG_SIZES;
BENCHMARK(BM_FillSmall) THALWEG_SIZES;

}  // namespace
}  // namespace thalweg::hydrology
