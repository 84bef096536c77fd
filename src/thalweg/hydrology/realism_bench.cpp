// All figures of realism on the common test terrain fBm-n, 30 m cells, one thread.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/realism.h"
#include "thalweg/hydrology/test_fbm.h"

namespace thalweg::hydrology {
namespace {

void BM_MeasureRealism(benchmark::State& state) {
  const Grid<float> land = test::fbm_terrain(static_cast<int>(state.range(0)));
  const CellGeometry geometry = CellGeometry::uniform(30, land.height());
  for (auto _ : state) {
    auto report = measure_realism(land, geometry, {}, {}, Exec(1));
    benchmark::DoNotOptimize(report->figures.data());
  }
  state.SetItemsProcessed(state.iterations() * land.cells());
}
BENCHMARK(BM_MeasureRealism)->Arg(1025)->Arg(2049)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg::hydrology
