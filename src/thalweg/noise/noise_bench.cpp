#include "thalweg/noise/noise.h"

#include <benchmark/benchmark.h>

#include "thalweg/core/simd.h"

namespace thalweg::noise {
namespace {

// 1024^2 samples, one a metre, features of 100 m, one thread; the label is the SIMD level (arg: 0 best, 1 next ...).
void run(benchmark::State& state, const NoiseParams& params) {
  const auto levels = simd_levels();
  const auto level = static_cast<std::size_t>(state.range(0));
  if (level >= levels.size()) {
    state.SkipWithError("no such SIMD level here");
    return;
  }
  (void)cap_simd(levels[level]);
  GridSpec spec;
  spec.width = 1024;
  spec.height = 1024;
  Grid<float> out(spec.width, spec.height);
  const Exec exec;
  for (auto _ : state) {
    fill(params, 1, spec, out, exec);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * spec.cells());
  state.SetLabel(levels[level]);
  (void)cap_simd("");
}
NoiseParams sized(std::int64_t octaves) {
  NoiseParams p;
  p.wavelength_m = 100;
  p.octaves = octaves;
  return p;
}
void perlin2(benchmark::State& state) {
  run(state, sized(1));
}
void fbm6(benchmark::State& state) {
  run(state, sized(6));
}
void ridged6(benchmark::State& state) {
  NoiseParams p = sized(6);
  p.fractal = Fractal::ridged;
  run(state, p);
}
// One warp octave, as the peers' benchmarks have it.
void warp_fbm6(benchmark::State& state) {
  NoiseParams p = sized(6);
  p.warp_m = 30;
  p.warp_wavelength_m = 200;
  p.warp_octaves = 1;
  run(state, p);
}
NoiseParams of(Source source, std::int64_t octaves) {
  NoiseParams p = sized(octaves);
  p.source = source;
  return p;
}
void simplex2(benchmark::State& state) {
  run(state, of(Source::simplex, 1));
}
void value2(benchmark::State& state) {
  run(state, of(Source::value, 1));
}
void value_cubic2(benchmark::State& state) {
  run(state, of(Source::value_cubic, 1));
}
void white2(benchmark::State& state) {
  run(state, of(Source::white, 1));
}
void cellular2(benchmark::State& state) {
  run(state, of(Source::cellular, 1));
}
void cellular_f2_minus_f1(benchmark::State& state) {
  NoiseParams p = of(Source::cellular, 1);
  p.cell_value = CellValue::f2_minus_f1;
  run(state, p);
}
void cellular_cell(benchmark::State& state) {
  NoiseParams p = of(Source::cellular, 1);
  p.cell_value = CellValue::cell;
  run(state, p);
}
void slope_damped6(benchmark::State& state) {
  NoiseParams p = sized(6);
  p.fractal = Fractal::slope_damped;
  run(state, p);
}
void hybrid6(benchmark::State& state) {
  NoiseParams p = sized(6);
  p.fractal = Fractal::hybrid;
  run(state, p);
}
void simplex_fbm6(benchmark::State& state) {
  run(state, of(Source::simplex, 6));
}
void warp_simplex_fbm6(benchmark::State& state) {
  NoiseParams p = of(Source::simplex, 6);
  p.warp_m = 30;
  p.warp_wavelength_m = 200;
  p.warp_octaves = 1;
  run(state, p);
}
BENCHMARK(perlin2)->DenseRange(0, 4);
BENCHMARK(fbm6)->DenseRange(0, 4);
BENCHMARK(ridged6)->DenseRange(0, 1);
BENCHMARK(warp_fbm6)->DenseRange(0, 4);
BENCHMARK(simplex2)->DenseRange(0, 4);
BENCHMARK(value2)->DenseRange(0, 4);
BENCHMARK(value_cubic2)->DenseRange(0, 1);
BENCHMARK(white2)->DenseRange(0, 1);
BENCHMARK(cellular2)->DenseRange(0, 4);
BENCHMARK(cellular_f2_minus_f1)->DenseRange(0, 1);
BENCHMARK(cellular_cell)->DenseRange(0, 1);
BENCHMARK(slope_damped6)->DenseRange(0, 1);
BENCHMARK(hybrid6)->DenseRange(0, 1);
BENCHMARK(simplex_fbm6)->DenseRange(0, 1);
BENCHMARK(warp_simplex_fbm6)->DenseRange(0, 1);

}  // namespace
}  // namespace thalweg::noise
