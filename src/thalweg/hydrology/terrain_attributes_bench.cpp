// Terrain attributes on the common test terrain fBm-n, 30 m cells, one thread.
#include <benchmark/benchmark.h>

#include "thalweg/hydrology/terrain_attributes.h"
#include "thalweg/hydrology/test_fbm.h"

namespace thalweg::hydrology {
namespace {

constexpr int kSize = 2049;

const Grid<float>& land() {
  static const Grid<float> terrain = test::fbm_terrain(kSize);
  return terrain;
}

template <class Run>
void each(benchmark::State& state, const Run& run) {
  const Grid<float>& g = land();
  const CellGeometry geometry = CellGeometry::uniform(30, g.height());
  Grid<float> out(g.width(), g.height());
  for (auto _ : state) {
    run(g, geometry, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * g.cells());
}

void BM_Slope(benchmark::State& state) {
  each(state, [](const auto& g, const auto& c, auto& out) { slope(g, c, {}, out, Exec(1)); });
}
void BM_Aspect(benchmark::State& state) {
  each(state, [](const auto& g, const auto& c, auto& out) { aspect(g, c, out, Exec(1)); });
}
void BM_ProfileCurvature(benchmark::State& state) {
  each(state, [](const auto& g, const auto& c, auto& out) { curvature(g, c, {}, out, Exec(1)); });
}
void BM_LocalRelief(benchmark::State& state) {
  const auto radius = static_cast<double>(state.range(0));
  each(state, [=](const auto& g, const auto& c, auto& out) { local_relief(g, c, {radius}, out, Exec(1)); });
}
void BM_Roughness(benchmark::State& state) {
  each(state, [](const auto& g, const auto& c, auto& out) { roughness(g, c, {}, out, Exec(1)); });
}
void BM_Hillshade(benchmark::State& state) {
  const bool multi = state.range(0) != 0;
  each(state,
       [=](const auto& g, const auto& c, auto& out) { hillshade(g, c, {.multidirectional = multi}, out, Exec(1)); });
}
void BM_SkyView(benchmark::State& state) {
  each(state, [](const auto& g, const auto& c, auto& out) { sky_view_factor(g, c, {300, 16}, out, Exec(1)); });
}

BENCHMARK(BM_Slope)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Aspect)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ProfileCurvature)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LocalRelief)->Arg(100)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Roughness)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Hillshade)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SkyView)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg::hydrology
