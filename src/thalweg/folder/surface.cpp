#include "thalweg/folder/surface.h"

#include <algorithm>

#include "thalweg/folder/vector_layers.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {

Result<Grid<float>> lake_level_grid(const Input& input, const GridSpec& spec) {
  if (!input.has("lakes.geojson")) return Grid<float>(spec.width, spec.height, kNoData<float>);
  Result<io::Layer> layer = io::read_geojson(input.file("lakes.geojson"));
  if (!layer) return std::move(layer).error();
  Result<Grid<float>> levels = lake_levels(*layer, spec);
  if (!levels) return std::move(levels).error().at(input.file("lakes.geojson"));
  return levels;
}

Grid<float> water_surface(GridView<const float> height, GridView<const float> lake_level_m) {
  Grid<float> surface(height.width(), height.height());
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x) {
      const float level = lake_level_m(x, y);
      surface(x, y) = is_nodata(level) ? height(x, y) : std::max(height(x, y), level);
    }
  return surface;
}

}  // namespace thalweg::folder
