#include <cassert>

#include "thalweg/climate/climate.h"

namespace thalweg::climate {

void temperature(const TemperatureParams& params, const GridSpec& spec, GridView<const float> height_m,
                 GridView<float> out_c, const Exec& exec) {
  assert(height_m.width() == out_c.width() && height_m.height() == out_c.height());
  assert(out_c.width() == spec.width && out_c.height() == spec.height);
  const double per_m = params.lapse_c_per_km / 1000.0;
  parallel_rows(exec, spec.width, spec.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      // Rows count southward, so a negative index lies north of the world's origin.
      const double north_km = -static_cast<double>(spec.origin_y + y) * spec.cell_y_m / 1000.0;
      const double at_sea_level = params.sea_level_c - params.northward_c_per_km * north_km;
      const float* height = height_m.row(y);
      float* out = out_c.row(y);
      for (int x = 0; x < spec.width; ++x)
        out[x] = static_cast<float>(at_sea_level - per_m * static_cast<double>(height[x]));
    }
  });
}

}  // namespace thalweg::climate
