#include "thalweg/noise/noise.h"

#include <cassert>
#include <string>

#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise {
namespace {

/// Fills all of `out` tile by tile.
void fill_all(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, const detail::TileOut& out,
              const Exec& exec) {
  assert(out.value.width() == spec.width && out.value.height() == spec.height);
  assert(params.octaves >= 1 && params.wavelength_m > 0 && spec.cell_m > 0 && spec.cell_y_m > 0);
  if (out.value.empty()) return;
  using detail::kTile;
  const detail::Plan plan = detail::make_plan(params, seed, spec);
  const std::int64_t across = (std::int64_t{spec.width} + kTile - 1) / kTile;
  const std::int64_t down = (std::int64_t{spec.height} + kTile - 1) / kTile;
  parallel_for(exec, 0, across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int x = static_cast<int>(tile % across) * kTile;
      const int y = static_cast<int>(tile / across) * kTile;
      const int width = spec.width - x < kTile ? spec.width - x : kTile;
      const int height = spec.height - y < kTile ? spec.height - y : kTile;
      const auto part = [&](GridView<float> v) { return v.empty() ? v : v.window(x, y, width, height); };
      detail::fill_tile(plan, spec.origin_x + x, spec.origin_y + y,
                        {part(out.value), part(out.per_east), part(out.per_north)});
    }
  });
}

}  // namespace

void fill(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out, const Exec& exec) {
  fill_all(params, seed, spec, {out}, exec);
}

Status check_gradient(const NoiseParams& params) {
  const std::string need = " for derivatives";
  if (params.fractal != Fractal::fbm) return input_error("must be fbm" + need, "fractal");
  if (params.source != Source::perlin && params.source != Source::simplex && params.source != Source::value)
    return input_error("must be perlin, simplex or value" + need, "source");
  if (params.warp_m > 0) return input_error("must be 0" + need, "warp_m");
  return {};
}

void fill_with_gradient(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out,
                        GridView<float> per_east, GridView<float> per_north, const Exec& exec) {
  assert(check_gradient(params).ok());
  assert(per_east.width() == spec.width && per_east.height() == spec.height);
  assert(per_north.width() == spec.width && per_north.height() == spec.height);
  fill_all(params, seed, spec, {out, per_east, per_north}, exec);
}

}  // namespace thalweg::noise
