// Prints content hashes of small results; tools/emscripten_check compares the native build's with WebAssembly's.
#include <cstdio>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/noise/noise.h"
#include "thalweg/recipe/recipe.h"

using namespace thalweg;

namespace {

// Every operator once (but image, which reads a file), over a small island.
constexpr const char* kRecipe = R"(format = "thalweg-recipe 1"
keep = ["steep", "near", "from_ridge", "low", "protect"]
[extent]
size_m = 3072
[[sketch]]
name = "ridge"
line = [[700, 900, 300], [1500, 1400, 520], [2300, 2200, 410.5]]
[[sketch]]
name = "plain"
height_m = 60
polygon = [[1800, 700], [2400, 800], [2100, 1300]]
[[step]]
op = "noise"
wavelength_m = 1500
amplitude_m = 900
offset_m = 250
warp_m = 200
[[step]]
op = "select"
low = 20
out = "steep"
[[step]]
op = "terrace"
mask = "steep"
[[step]]
op = "sketch-mask"
sketch = "plain"
out = "near"
[[step]]
op = "blur"
mask = "near"
[[step]]
op = "distance"
sketch = "ridge"
out = "from_ridge"
[[step]]
op = "clamp"
high = 500
out = "low"
[[step]]
op = "curve"
inputs = [-500, 0, 300, 1200]
outputs = [-400, 0, 250, 1100]
[[step]]
op = "combine"
with = "low"
combine = "smooth-max"
[[step]]
op = "sketch"
sketch = "ridge"
protect = true
[[step]]
op = "sketch"
name = "level"
sketch = "plain"
tolerance_m = 5
[[step]]
op = "island"
mix = 0.2
[[step]]
op = "redistribute"
low_m = -200
exponent = 1.3
[[step]]
op = "depressions"
[[step]]
op = "droplets"
[[step]]
op = "rivers"
min_area_km2 = 0.05
[[step]]
op = "moisture"
[[step]]
op = "temperature"
[[step]]
op = "biomes"
[[step]]
op = "weights"
)";

// Every source and every fractal, straight and bent.
void print_noise() {
  GridSpec spec;
  spec.width = 97;
  spec.height = 33;
  spec.cell_m = spec.cell_y_m = 8;
  spec.origin_x = 100000000;
  Grid<float> out(spec.width, spec.height);
  for (const noise::Source source : {noise::Source::perlin, noise::Source::simplex, noise::Source::value,
                                     noise::Source::value_cubic, noise::Source::cellular, noise::Source::white})
    for (const noise::Fractal fractal :
         {noise::Fractal::fbm, noise::Fractal::ridged, noise::Fractal::billow, noise::Fractal::ping_pong,
          noise::Fractal::hybrid, noise::Fractal::slope_damped})
      for (const double warp_m : {0.0, 300.0}) {
        noise::NoiseParams params;
        params.source = source;
        params.fractal = fractal;
        params.warp_m = warp_m;
        params.warp_fractal = noise::WarpFractal::progressive;
        noise::fill(params, 7, spec, out.view(), Exec());
        std::printf("noise source %d fractal %d warp %g %s\n", static_cast<int>(source), static_cast<int>(fractal),
                    warp_m, content_hash<float>(out.view()).hex().c_str());
      }
  for (int distance = 0; distance < 4; ++distance)
    for (int value = 0; value < 4; ++value) {
      noise::NoiseParams params;
      params.source = noise::Source::cellular;
      params.cell_distance = static_cast<noise::CellDistance>(distance);
      params.cell_value = static_cast<noise::CellValue>(value);
      noise::fill(params, 7, spec, out.view(), Exec());
      std::printf("noise cellular %d %d %s\n", distance, value, content_hash<float>(out.view()).hex().c_str());
    }
  Grid<float> east(spec.width, spec.height), north(spec.width, spec.height);
  noise::fill_with_gradient({}, 7, spec, out.view(), east.view(), north.view(), Exec());
  std::printf("noise gradient %s %s\n", content_hash<float>(east.view()).hex().c_str(),
              content_hash<float>(north.view()).hex().c_str());
}

// The same in space.
void print_noise3() {
  noise::BoxSpec box;
  box.width = 61;
  box.height = 9;
  box.depth = 7;
  box.origin_x = -1000000000;
  std::vector<float> out(static_cast<std::size_t>(box.cells()));
  const auto hash = [](const std::vector<float>& v) {
    return content_hash<float>(GridView<const float>(v.data(), static_cast<int>(v.size()), 1)).hex();
  };
  for (const noise::Source source : {noise::Source::perlin, noise::Source::simplex, noise::Source::value,
                                     noise::Source::value_cubic, noise::Source::cellular, noise::Source::white})
    for (const noise::Fractal fractal : {noise::Fractal::fbm, noise::Fractal::ridged, noise::Fractal::slope_damped})
      for (const double warp_m : {0.0, 30.0}) {
        noise::NoiseParams params;
        params.source = source;
        params.fractal = fractal;
        params.cell_value = fractal == noise::Fractal::fbm ? noise::CellValue::f2 : noise::CellValue::f1;
        params.wavelength_m = 40;
        params.octaves = 5;
        params.warp_m = warp_m;
        params.warp_wavelength_m = 60;
        noise::fill3(params, 7, box, out, Exec());
        std::printf("noise3 source %d fractal %d warp %g %s\n", static_cast<int>(source), static_cast<int>(fractal),
                    warp_m, hash(out).c_str());
      }
  std::vector<float> east = out;
  std::vector<float> north = out;
  std::vector<float> up = out;
  noise::fill3_with_gradient({}, 7, box, out, east, north, up, Exec());
  std::printf("noise3 gradient %s %s %s\n", hash(east).c_str(), hash(north).c_str(), hash(up).c_str());
}

void print_recipe() {
  const Result<recipe::Recipe> recipe = recipe::parse_recipe(kRecipe, "probe.toml");
  if (!recipe) {
    std::printf("recipe: %s\n", recipe.error().text().c_str());
    return;
  }
  const Result<GridSpec> spec = recipe::spec_for_samples(*recipe, 129, 129);
  const Result<recipe::World> world = recipe::run(*recipe, *spec, Exec());
  if (!world) {
    std::printf("world: %s\n", world.error().text().c_str());
    return;
  }
  for (const auto& [name, field] : world->fields) {
    const std::string hash = std::visit(
        [](const auto& grid) {
          using T = std::remove_cvref_t<decltype(grid[0])>;
          return content_hash<T>(grid.view()).hex();
        },
        field);
    std::printf("%s %s\n", name.c_str(), hash.c_str());
  }
  for (const auto& weights : world->weights)
    std::printf("weights %s\n", content_hash<std::uint32_t>(weights.view()).hex().c_str());
  for (const recipe::Promise& p : world->promises)
    std::printf("promise %s: %lld samples, worst %.17g m\n", p.sketch.name.c_str(),
                static_cast<long long>(p.result.samples), p.result.worst_m);
  std::printf("reaches %zu, lakes %zu\n", world->rivers.reaches.size(), world->lakes.size());
}

}  // namespace

int main() {
  GridSpec spec;
  spec.width = 257;
  spec.height = 193;
  spec.cell_m = spec.cell_y_m = 8;
  Grid<float> height(spec.width, spec.height);
  const Exec exec;
  for (const noise::Fractal fractal : {noise::Fractal::fbm, noise::Fractal::ridged, noise::Fractal::billow}) {
    noise::NoiseParams params;
    params.fractal = fractal;
    params.warp_m = 300;
    noise::fill(params, 7, spec, height.view(), exec);
    std::printf("noise %d %s\n", static_cast<int>(fractal), content_hash<float>(height.view()).hex().c_str());
  }
  Grid<float> out(spec.width, spec.height), wear(spec.width, spec.height), deposit(spec.width, spec.height);
  const erosion::Ledger ledger =
      erosion::droplets({}, 7, spec, -1e9, height.view(), out.view(), wear.view(), deposit.view(), exec);
  std::printf("droplets %s %lld %lld\n", content_hash<float>(out.view()).hex().c_str(),
              static_cast<long long>(ledger.eroded), static_cast<long long>(ledger.balance()));
  print_noise();
  print_noise3();
  print_recipe();
}
