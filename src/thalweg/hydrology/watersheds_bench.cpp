// Watersheds and codes on an island of n x n cells of 30 m.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/river_test_world.h"
#include "thalweg/hydrology/watersheds.h"

namespace thalweg::hydrology {
namespace {

struct Fixture {
  test::World world;
  Grid<std::int32_t> basins;
  Grid<std::int32_t> out;
  std::int64_t count = 0;
  explicit Fixture(int n)
      : world(test::make_world(test::noise_land(3, n, n, true), CellGeometry::uniform(30, n), {}, true, Exec(1))),
        basins(n, n),
        out(n, n),
        count(*label_basins(world.directions, basins, Exec(1))) {}
};

const Fixture& fixture(int n) {
  static Fixture f(n);
  if (f.basins.width() != n) f = Fixture(n);
  return f;
}

void per_cell(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}

void BM_LabelWatersheds(benchmark::State& state) {
  const Fixture& f = fixture(static_cast<int>(state.range(0)));
  Grid<std::int32_t> out(f.out.width(), f.out.height());
  const std::int64_t outlet = snap_outlet(f.world.area, f.world.geometry, 500, 500, 1e9);
  for (auto _ : state) benchmark::DoNotOptimize(label_watersheds(f.world.directions, {outlet}, out, Exec(1)).ok());
  per_cell(state);
}

void BM_Pfafstetter(benchmark::State& state) {
  const Fixture& f = fixture(static_cast<int>(state.range(0)));
  Grid<std::int32_t> out(f.out.width(), f.out.height());
  PfafstetterParams params;
  params.min_tributary_km2 = 1;
  for (auto _ : state) {
    const auto parts = label_pfafstetter(f.world.directions, f.world.area, f.basins, params, out, Exec(1));
    state.counters["parts"] = static_cast<double>(parts->size());
  }
  per_cell(state);
}

void BM_MeasureBasins(benchmark::State& state) {
  const Fixture& f = fixture(static_cast<int>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(measure_basins(f.basins, f.count, f.world.ground, f.world.geometry).data());
  per_cell(state);
}

void BM_TraceBasins(benchmark::State& state) {
  const Fixture& f = fixture(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(trace_basins(f.basins, f.count).data());
  per_cell(state);
}

#define THALWEG_SIZES ->Arg(1025)->Arg(2049)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_LabelWatersheds) THALWEG_SIZES;
BENCHMARK(BM_Pfafstetter) THALWEG_SIZES;
BENCHMARK(BM_MeasureBasins) THALWEG_SIZES;
BENCHMARK(BM_TraceBasins) THALWEG_SIZES;

}  // namespace
}  // namespace thalweg::hydrology
