// Prints content hashes of small results; tools/emscripten_check compares the native build's with WebAssembly's.
#include <cstdio>

#include "thalweg/core/content_hash.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/noise/noise.h"
#include "thalweg/recipe/recipe.h"

using namespace thalweg;

namespace {

// Every operator once, over a small island.
constexpr const char* kRecipe = R"(format = "thalweg-recipe 1"
[extent]
size_m = 3072
[[step]]
op = "noise"
wavelength_m = 1500
amplitude_m = 900
offset_m = 250
warp_m = 200
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
  print_recipe();
}
