// Pictures without a GPU: a perspective view of a height field and a shaded map.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"

namespace thalweg::render {

/// 8-bit sRGB picture, rows from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 per pixel
};

/// What is drawn. Views are borrowed, all of one size; empty ones are "nothing there".
struct Scene {
  GridView<const float> height_m;  ///< NaN is NoData: hatched on maps, in perspective a hole; voids up to 2 % of the
                                   ///< map are bridged in grey
  double cell_x_m = 1;
  double cell_y_m = 1;
  GridView<const float> water_depth_m;  ///< > 0: water surface at height + depth
  std::optional<double> sea_level_m;    ///< water plane that also surrounds the map to the horizon
  GridView<const std::uint8_t> ground;  ///< index into ground_colours (biomes); empty: coloured by height and slope
  std::vector<std::array<std::uint8_t, 3>> ground_colours;
};

struct Camera {
  // Target and eye in metres: x east of the map's west edge, y south of its north edge, z up. Unset: a view chosen to
  // show the whole scene from the south-west, from a height that shows the relief.
  std::optional<std::array<double, 3>> eye;
  std::optional<std::array<double, 3>> target;
  double azimuth_deg = 215;  ///< direction from the target toward the eye when `eye` is not given, clockwise from north
  double elevation_deg = 13;      ///< of the eye above the target
  double distance = 1;            ///< relative to the one that just fits the map
  double field_of_view_deg = 45;  ///< horizontal
};

struct Light {
  double azimuth_deg = 130;  ///< where the sun stands, clockwise from north
  double elevation_deg = 30;
};

struct PerspectiveParams {
  int width = 1280;
  int height = 720;
  double exaggeration = 1;  ///< of heights
  Camera camera;
  Light light;
};
/// Sun with soft shadows, sky light that valleys see less of, sky, haze, water with colour by depth and reflections,
/// ground by `ground` (or by height) and slope. Without a sea the map is a block with cut edges in front of the sky; a
/// sea reaches the horizon, and ground at exactly sea level counts as sea of unknown depth. Heights beyond 20 times the
/// extent are cut off; no finite height at all gives the sky alone; a picture without pixels stays empty. An eye under
/// the ground is lifted onto it. Deterministic for any thread count (on one build: it uses libm). Cost: four rays a
/// pixel over a pyramid of maxima, about 3 CPU seconds at 1280 x 720 for 2049 x 2049; larger grids are averaged down to
/// about two samples a pixel column first. Memory: about 12 bytes per source cell.
Image perspective(const Scene& scene, const PerspectiveParams& params, const Exec& exec);

/// A field laid over a map, with its legend.
struct Overlay {
  GridView<const float> values;          ///< continuous field (perceptually even colour ramp, opaque), or
  GridView<const std::uint8_t> classes;  ///< classes with colours and names
  std::vector<std::array<std::uint8_t, 3>> class_colours;
  std::vector<std::string> class_names;
  std::string title;  ///< e.g. "flow (m2, log scale)"
  bool logarithmic = false;
  double opacity = 0.75;  ///< of classes
};
/// A polyline on a map, in grid coordinates (column, row of cell centres).
struct MapLine {
  std::vector<double> xy;
  double width_px = 1;
  std::array<std::uint8_t, 3> colour{40, 90, 170};
};
struct MapParams {
  int width = 1024;         ///< pixels, see map_view
  int height = 0;           ///< pixels of the whole picture; 0: follows from the extent
  double exaggeration = 0;  ///< of the relief shading; 0: chosen from the mean slope
  Light light{315, 45};
};
struct MapSize {
  int width = 0;
  int height = 0;
};
/// Size in pixels of the map of a scene with true proportions, as large as fits; {0, 0} for an empty scene.
MapSize map_size(const Scene& scene, int max_width, int max_height);

/// Flat, north-up shaded relief (light from several directions so that no ridge vanishes), hypsometric tint, water,
/// lines, and an optional overlay; at the right a legend (of the overlay, else of the heights), scale bar and north
/// mark in an own small font. Cells smaller than a pixel are averaged by area, larger ones interpolated.
///
/// With params.height 0 the map is params.width wide, less where it would be more than twice as high as that, and the
/// legend is added at the right. With both above 0 the picture, legend included, is exactly params.width x
/// params.height; the map keeps its proportions, as large as fits, in the middle of what the legend leaves; a picture
/// too small for a legend shows the map alone. The legend is as wide as its longest name or title, up to 40 % of the
/// picture (but never below about 100 pixels per dot of its text).
///
/// A continuous overlay is drawn in the colours of its legend, made a little darker or lighter by the relief without a
/// change of hue, and exactly them on level ground; no water or height tint shows through. Cells without a value (or
/// not above 0 on a log scale) are grey relief. Colour ramps leave out the outermost half per cent of the values.
/// Deterministic for any thread count. An empty scene gives an empty image.
Image map_view(const Scene& scene, const std::vector<MapLine>& lines, const std::optional<Overlay>& overlay,
               const MapParams& params, const Exec& exec);

}  // namespace thalweg::render
