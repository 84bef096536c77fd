// Prints content hashes of small results; tools/emscripten_check compares the native build's with WebAssembly's.
#include <cstdio>

#include "thalweg/core/content_hash.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/noise/noise.h"

using namespace thalweg;

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
}
