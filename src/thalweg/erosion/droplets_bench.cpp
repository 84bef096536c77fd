#include <benchmark/benchmark.h>

#include <map>

#include "thalweg/erosion/droplets.h"
#include "thalweg/erosion/test_land.h"

namespace thalweg::erosion {
namespace {

const Grid<float>& land_of(int size) {
  static std::map<int, Grid<float>> lands;
  const auto found = lands.find(size);
  if (found != lands.end()) return found->second;
  return lands.emplace(size, test_land(test_spec(size, size, 8), 1)).first->second;
}

// Half a droplet a cell of 8 m, all parameters as they come. Items are droplets.
void droplets_run(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  const Exec exec(static_cast<int>(state.range(1)));
  const Grid<float>& land = land_of(size);
  Grid<float> out(size, size);
  const DropletParams params;
  for (auto _ : state) {
    const Ledger ledger = droplets(params, 7, test_spec(size, size, 8), -1e9, land, out, {}, {}, exec);
    benchmark::DoNotOptimize(ledger);
  }
  const double a_run = params.droplets_per_km2 * 64e-6 * static_cast<double>(land.cells());
  state.SetItemsProcessed(static_cast<std::int64_t>(a_run * static_cast<double>(state.iterations())));
}
BENCHMARK(droplets_run)
    ->ArgNames({"size", "threads"})
    ->Args({1025, 1})
    ->Args({2049, 1})
    ->Args({2049, 2})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace thalweg::erosion
