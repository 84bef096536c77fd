// Pictures of folders and elevation models.
#pragma once

#include <string>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/load.h"
#include "thalweg/render/render.h"

namespace thalweg::folder {

struct PreviewOptions {
  std::string view = "shaded";  ///< "shaded" (perspective), "relief" (map), or the name of a field
  int width = 1280;
  int height = 720;  ///< of "shaded"; maps follow the extent
  render::Camera camera;
  render::Light light;
  double exaggeration = 1;
};

/// "azimuth=215,elevation=24,distance=1,fov=40,exaggeration=1,sun-azimuth=300,sun-elevation=32". Errors name the part.
Status parse_camera(const std::string& text, PreviewOptions& options);

/// Draws it. `raster` overrides the ground of a bare model (raw input).
Result<render::Image> preview(const Input& input, const PreviewOptions& options, const Exec& exec);

/// Colours of the biomes on pictures: those of the table, but river beds blue, since their water is too shallow to hide
/// them.
std::vector<std::array<std::uint8_t, 3>> picture_colours();

/// Names that `view` may have for this input.
std::vector<std::string> preview_views(const Input& input);

}  // namespace thalweg::folder
