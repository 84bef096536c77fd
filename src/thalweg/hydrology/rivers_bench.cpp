// Lakes, rivers, carving and the audit on an island of n x n cells of 30 m.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/river_test_world.h"

namespace thalweg::hydrology {
namespace {

const test::World& world(int n) {
  static test::World w;
  if (w.ground.width() != n)
    w = test::make_world(test::noise_land(3, n, n, true), CellGeometry::uniform(30, n), {}, true, Exec(1));
  return w;
}

void per_cell(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}

void BM_FindLakes(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  Grid<std::int32_t> id(w.ground.width(), w.ground.height());
  for (auto _ : state) {
    auto lakes = find_lakes<float>(w.ground, w.filled, w.directions, w.geometry, {}, id, Exec(1));
    benchmark::DoNotOptimize(lakes.data());
  }
  per_cell(state);
}

void BM_ExtractRivers(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    auto r = extract_rivers(w.inputs(), w.geometry, {}, Exec(1));
    state.counters["reaches"] = static_cast<double>(r->reaches.size());
  }
  per_cell(state);
}

void BM_CarveRivers(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  RiverParams params;
  params.width_coefficient = 40;
  const auto network = extract_rivers(w.inputs(), w.geometry, params, Exec(1));
  Grid<float> water(w.ground.width(), w.ground.height());
  for (auto _ : state) {
    state.PauseTiming();
    RiverNetwork copy = *network;
    Grid<float> ground = w.ground.clone();
    state.ResumeTiming();
    carve_rivers(copy, w.inputs(), w.geometry, 90, ground, water, Exec(1));
    benchmark::DoNotOptimize(ground.data());
  }
  per_cell(state);
}

void BM_AuditPits(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  const Grid<float> surface = w.surface();
  for (auto _ : state) {
    auto check = audit_pits<float>(surface, w.sea, Exec(1));
    state.counters["faults"] = static_cast<double>(check.faults);
  }
  per_cell(state);
}

void BM_AuditDirections(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    auto check = audit_directions(w.directions, w.filled, w.sea, Exec(1));
    state.counters["faults"] = static_cast<double>(check.faults);
  }
  per_cell(state);
}

void BM_AuditRivers(benchmark::State& state) {
  const test::World& w = world(static_cast<int>(state.range(0)));
  const auto network = extract_rivers(w.inputs(), w.geometry, {}, Exec(1));
  const int n = w.ground.width();
  Grid<float> top = w.filled.clone();
  for (std::int64_t i = 0; i < top.cells(); ++i) top[i] = w.sea[i] != 0 ? 0.0F : top[i];
  for (auto _ : state) {
    state.counters["faults"] = static_cast<double>(audit_river_ends(*network, n, n, w.sea, w.lake_id).faults +
                                                   audit_river_beds(*network, top, 0.01).faults);
  }
  per_cell(state);
}

#define THALWEG_SIZES ->Arg(1025)->Arg(4097)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_FindLakes) THALWEG_SIZES;
BENCHMARK(BM_ExtractRivers) THALWEG_SIZES;
BENCHMARK(BM_CarveRivers) THALWEG_SIZES;
BENCHMARK(BM_AuditPits) THALWEG_SIZES;
BENCHMARK(BM_AuditDirections) THALWEG_SIZES;
BENCHMARK(BM_AuditRivers) THALWEG_SIZES;

}  // namespace
}  // namespace thalweg::hydrology
