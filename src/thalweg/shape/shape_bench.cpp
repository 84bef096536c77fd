#include <benchmark/benchmark.h>

#include "thalweg/shape/blur.h"
#include "thalweg/shape/curve.h"
#include "thalweg/shape/point.h"
#include "thalweg/shape/select.h"
#include "thalweg/shape/sketch.h"
#include "thalweg/shape/test_fields.h"

namespace thalweg::shape {
namespace {

// 2049^2 samples, one thread, cells of 5 m.
constexpr int kSize = 2049;

// Waves of some relief with roughness on them, heights -100 to 1100.
const Grid<float>& land() {
  static const Grid<float> g = [] {
    Grid<float> made(kSize, kSize);
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        const double u = (x % 400) / 200.0 - 1, v = (y % 300) / 150.0 - 1;
        made(x, y) = static_cast<float>(1000 * (1 - u * u) * (1 - v * v) + 2 * unit_double(hash64(1, x, y)));
      }
    return made;
  }();
  return g;
}

template <class F>
void run(benchmark::State& state, const F& f) {
  const Grid<float>& in = land();
  Grid<float> out(kSize, kSize);
  const Exec exec;
  for (auto _ : state) {
    f(in, out, exec);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * in.cells());
}

void curve_smooth(benchmark::State& state) {
  const CurveParams p{CurveKind::smooth, {0, 100, 300, 600, 1000}, {0, 20, 350, 500, 1000}};
  run(state, [&](const auto& in, auto& out, const Exec& exec) { curve(p, in, out, exec); });
}
void terrace_default(benchmark::State& state) {
  run(state, [](const auto& in, auto& out, const Exec& exec) { terrace({}, 1, in, out, exec); });
}
void combine_smooth_max(benchmark::State& state) {
  run(state, [](const auto& in, auto& out, const Exec& exec) {
    combine({Combine::smooth_max, 50}, in, in, out, exec);
  });
}
void blend_half(benchmark::State& state) {
  const Grid<float> mask(kSize, kSize, 0.5F);
  run(state, [&](const auto& in, auto& out, const Exec& exec) { blend(mask, in, in, out, exec); });
}
// Argument: radius in cells. The halo is 1.5 times that.
void blur_cells(benchmark::State& state) {
  const CellGeometry geometry = CellGeometry::uniform(5, kSize);
  const BlurParams p{5.0 * static_cast<double>(state.range(0))};
  run(state, [&](const auto& in, auto& out, const Exec& exec) { blur(p, geometry, in, out, exec); });
}
// Argument: 0 height, 1 slope, 2 aspect, 3 curvature.
void select_by(benchmark::State& state) {
  const CellGeometry geometry = CellGeometry::uniform(5, kSize);
  const SelectParams p{static_cast<SelectBy>(state.range(0)), 10, 30, 5, 20};
  run(state, [&](const auto& in, auto& out, const Exec& exec) { select(p, geometry, in, out, exec); });
}
// A line that winds over the middle of the map (10 km) with as many vertices.
Sketch winding(int vertices, SketchKind kind = SketchKind::lines) {
  Sketch s{"line", kind, {{}}, true};
  for (int i = 0; i < vertices; ++i) {
    const double t = static_cast<double>(i) / vertices, u = (i * 12 / vertices) % 2 == 0 ? 1 : -1;
    const double v = t * 12 - static_cast<int>(t * 12);
    s.parts[0].push_back({1000 + 8000 * t, -5000 + u * 8000 * v * (1 - v), 200 + 800 * t});
  }
  if (kind == SketchKind::polygons) s.parts[0].push_back({9000, -9000, 100}), s.parts[0].push_back({1000, -9000, 300});
  return s;
}
GridSpec bench_spec() {
  return test::spec_of(kSize, kSize, 5);
}
// Argument: vertices of the line, of some 17 km; 500 m to each side.
void sketch_distance_line(benchmark::State& state) {
  const Sketch s = winding(static_cast<int>(state.range(0)));
  run(state, [&](const auto&, auto& out, const Exec& exec) {
    sketch_distance(s, bench_spec(), 500, out, GridView<float>(), exec);
  });
}
void sketch_pull_line(benchmark::State& state) {
  const Sketch s = winding(static_cast<int>(state.range(0)));
  run(state, [&](const auto& in, auto& out, const Exec& exec) {
    pull_to_sketch({SketchBlend::set, 500, 0, 1}, s, bench_spec(), in, out, exec);
  });
}
void sketch_pull_polygon(benchmark::State& state) {
  const Sketch s = winding(static_cast<int>(state.range(0)), SketchKind::polygons);
  run(state, [&](const auto& in, auto& out, const Exec& exec) {
    pull_to_sketch({SketchBlend::set, 500, 0, 1}, s, bench_spec(), in, out, exec);
  });
}
BENCHMARK(curve_smooth)->Unit(benchmark::kMillisecond);
BENCHMARK(terrace_default)->Unit(benchmark::kMillisecond);
BENCHMARK(combine_smooth_max)->Unit(benchmark::kMillisecond);
BENCHMARK(blend_half)->Unit(benchmark::kMillisecond);
BENCHMARK(blur_cells)->Arg(1)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(select_by)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);
BENCHMARK(sketch_distance_line)->Arg(100)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(sketch_pull_line)->Arg(100)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(sketch_pull_polygon)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg::shape
