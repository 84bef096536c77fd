#include <benchmark/benchmark.h>

#include <vector>

#include "thalweg/core/simd.h"
#include "thalweg/noise/noise.h"

namespace thalweg::noise {
namespace {

// 128^3 samples, one a metre, features of 100 m, one thread; the label is the SIMD level (arg: 0 best, 1 next ...).
void run(benchmark::State& state, const NoiseParams& params, bool gradient = false) {
  const auto levels = simd_levels();
  const auto level = static_cast<std::size_t>(state.range(0));
  if (level >= levels.size()) {
    state.SkipWithError("no such SIMD level here");
    return;
  }
  (void)cap_simd(levels[level]);
  BoxSpec box;
  box.width = box.height = box.depth = 128;
  std::vector<float> out(static_cast<std::size_t>(box.cells()));
  std::vector<float> slope[3];
  if (gradient)
    for (auto& s : slope) s.resize(out.size());
  const Exec exec;
  for (auto _ : state) {
    if (gradient) {
      fill3_with_gradient(params, 1, box, out, slope[0], slope[1], slope[2], exec);
    } else {
      fill3(params, 1, box, out, exec);
    }
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * box.cells());
  state.SetLabel(levels[level]);
  (void)cap_simd("");
}
NoiseParams of(Source source, std::int64_t octaves, double warp_m = 0) {
  NoiseParams p;
  p.source = source;
  p.wavelength_m = 100;
  p.octaves = octaves;
  p.warp_m = warp_m;
  p.warp_wavelength_m = 200;
  p.warp_octaves = 1;
  return p;
}
void space_perlin(benchmark::State& state) {
  run(state, of(Source::perlin, 1));
}
void space_simplex(benchmark::State& state) {
  run(state, of(Source::simplex, 1));
}
void space_value(benchmark::State& state) {
  run(state, of(Source::value, 1));
}
void space_value_cubic(benchmark::State& state) {
  run(state, of(Source::value_cubic, 1));
}
void space_cellular(benchmark::State& state) {
  run(state, of(Source::cellular, 1));
}
void space_fbm5(benchmark::State& state) {
  run(state, of(Source::perlin, 5));
}
void space_fbm5_gradient(benchmark::State& state) {
  run(state, of(Source::perlin, 5), true);
}
void space_simplex_fbm5(benchmark::State& state) {
  run(state, of(Source::simplex, 5));
}
void space_warp_fbm5(benchmark::State& state) {
  run(state, of(Source::perlin, 5, 30));
}
BENCHMARK(space_perlin)->DenseRange(0, 1);
BENCHMARK(space_simplex)->DenseRange(0, 1);
BENCHMARK(space_value)->DenseRange(0, 1);
BENCHMARK(space_value_cubic)->DenseRange(0, 1);
BENCHMARK(space_cellular)->DenseRange(0, 1);
BENCHMARK(space_fbm5)->DenseRange(0, 4);
BENCHMARK(space_fbm5_gradient)->DenseRange(0, 1);
BENCHMARK(space_simplex_fbm5)->DenseRange(0, 1);
BENCHMARK(space_warp_fbm5)->DenseRange(0, 1);

}  // namespace
}  // namespace thalweg::noise
