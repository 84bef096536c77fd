// Temperature, biomes and texture weights.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::climate {

/// Mean annual temperature: sea level value, minus a lapse with height, minus a gradient to the north.
struct TemperatureParams {
  double sea_level_c = 18;
  double lapse_c_per_km = 6.5;
  double northward_c_per_km = 0;  ///< cooling per km to the north of the world's origin
  template <class Visitor>
  static void describe(TemperatureParams& p, Visitor& v) {
    v.real("sea_level_c", p.sea_level_c,
           {.unit = "degC", .min = -60, .max = 60, .help = "mean temperature at height 0 and the world's origin"});
    v.real("lapse_c_per_km", p.lapse_c_per_km,
           {.unit = "degC/km", .min = -20, .max = 20, .help = "cooling with height"});
    v.real("northward_c_per_km", p.northward_c_per_km,
           {.unit = "degC/km", .min = -1, .max = 1, .help = "cooling toward the north"});
  }
};
/// Point by point; NoData stays. North is toward negative row indices (GridSpec).
void temperature(const TemperatureParams& params, const GridSpec& spec, GridView<const float> height_m,
                 GridView<float> out_c, const Exec& exec);

/// Biomes in the order of their codes 0, 1, ... The code is what biome.tif holds.
enum class Biome : std::uint8_t {
  sea,
  lake,
  river,
  beach,
  marsh,
  bare,
  scorched,
  tundra,
  snow,
  rock,
  temperate_desert,
  shrubland,
  taiga,
  grassland,
  deciduous_forest,
  temperate_rain_forest,
  subtropical_desert,
  seasonal_forest,
  tropical_rain_forest,
};
struct BiomeInfo {
  Biome biome;
  std::string_view name;               ///< e.g. "deciduous-forest"
  std::array<std::uint8_t, 3> colour;  ///< sRGB, for maps and previews
};
/// All biomes by code.
std::span<const BiomeInfo> biome_table();

/// Biomes from the height x moisture table (height as share of [sea level, top_m]) under rules, the first that holds:
/// water is water, steep ground is rock whatever the moisture, the waterline is beach, the top takes snow, low and wet
/// ground is marsh.
struct BiomeParams {
  double top_m = 900;  ///< height that counts as 1 in the table
  double rock_slope_deg = 38;
  double beach_height_m = 4;  ///< above the sea
  double snow_line_m = 750;
  double marsh_height_m = 60;  ///< highest marsh above the sea
  double marsh_slope_deg = 3;
  double marsh_moisture = 0.75;
  double beach_width_m = 60;         ///< from the sea; matters only where the sea is known
  double jitter = 0.1;               ///< share of top_m and of moisture
  double jitter_wavelength_m = 150;  ///< of its largest features
  template <class Visitor>
  static void describe(BiomeParams& p, Visitor& v) {
    v.real("top_m", p.top_m,
           {.unit = "m", .min = 1, .max = 1e5, .help = "height above the sea that counts as the top of the table"});
    v.real("rock_slope_deg", p.rock_slope_deg,
           {.unit = "deg", .min = 0, .max = 90, .help = "steeper ground is bare rock"});
    v.real("beach_height_m", p.beach_height_m,
           {.unit = "m", .min = 0, .max = 1000, .help = "beach reaches this high above the sea"});
    v.real("snow_line_m", p.snow_line_m,
           {.unit = "m", .min = 0, .max = 1e5, .help = "height above the sea where snow begins"});
    v.real("marsh_height_m", p.marsh_height_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "marsh lies below this height above the sea"});
    v.real("marsh_slope_deg", p.marsh_slope_deg,
           {.unit = "deg", .min = 0, .max = 90, .help = "marsh lies on flatter ground than this"});
    v.real("marsh_moisture", p.marsh_moisture, {.min = 0, .max = 1, .help = "marsh needs more moisture than this"});
    v.real("beach_width_m", p.beach_width_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "beach lies no farther from the sea; at most 1000 cells"});
    v.real("jitter", p.jitter,
           {.min = 0, .max = 1, .help = "noise added to height and moisture, so that borders are not contour lines"});
    v.real("jitter_wavelength_m", p.jitter_wavelength_m,
           {.unit = "m", .min = 1e-1, .max = 1e6, .help = "size of the largest bends of the borders"});
  }
};
/// Views the classification reads; all of one size. `water_depth_m` > 0 with `sea` = 0 is a lake or a river: cells
/// whose `lake_id` is not 0 are lakes. Empty views count as "nowhere".
struct BiomeInputs {
  GridView<const float> height_m{};
  GridView<const float> moisture{};        ///< 0..1
  GridView<const float> water_depth_m{};   ///< optional
  GridView<const std::uint8_t> sea{};      ///< optional
  GridView<const std::int32_t> lake_id{};  ///< optional
  double sea_level_m = 0;
};
/// Writes the code of every cell's biome; kNoData (255) where the height is NoData. Slopes are central differences;
/// no moisture counts as 0.5. A cell depends on the samples within max(1 cell, beach_width_m) of it and on its world
/// position (the jitter), so windows agree inside that margin. Same bits for any thread count. Cost: O(cells).
/// Source of the table: Whittaker's diagram with height for temperature, as popular for generated maps.
void biomes(const BiomeParams& params, const GridSpec& spec, const BiomeInputs& inputs, GridView<std::uint8_t> out,
            const Exec& exec);

/// Texture layers, in order of their channels: layer i is channel i % 4 of weights_(i / 4).png.
enum class Layer : std::uint8_t { sand, grass, forest, rock, snow, soil, marsh, scree };
inline constexpr int kLayers = 8;
/// blend_m reaches no farther than this.
inline constexpr int kMaxBlendCells = 256;
std::span<const std::string_view> layer_names();
struct WeightParams {
  double blend_m = 20;        ///< biome borders are softened over this distance
  double wear_full_m = 4;     ///< wear at which ground is bare rock or soil
  double deposit_full_m = 3;  ///< deposit at which ground is scree or soil
  template <class Visitor>
  static void describe(WeightParams& p, Visitor& v) {
    v.real("blend_m", p.blend_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "softens the borders between textures, up to 256 cells"});
    v.real("wear_full_m", p.wear_full_m,
           {.unit = "m", .min = 1e-3, .max = 1e4, .help = "erosion that bares the ground entirely"});
    v.real("deposit_full_m", p.deposit_full_m,
           {.unit = "m", .min = 1e-3, .max = 1e4, .help = "deposit that covers the ground entirely"});
  }
};
/// Weights as RGBA8 cells: kLayers / 4 grids of 4 channels packed as r | g << 8 | b << 16 | a << 24; the kLayers
/// channels of every cell sum to exactly 255 (largest-remainder rounding, ties to the lower layer). `wear_m`,
/// `deposit_m` may be empty. Each biome has its mix of ground; the mixes are softened by a tent of blend_m; steep
/// ground turns to rock, worn ground to rock or soil, deposits to scree or soil; snow stays on top of wear and
/// deposits. NoData is all soil and does not bleed into its neighbours. A cell depends on those within max(1 cell,
/// blend_m), so windows agree inside that margin. Same bits for any thread count. Cost: O(cells), whatever blend_m.
std::vector<Grid<std::uint32_t>> texture_weights(const WeightParams& params, const GridSpec& spec,
                                                 GridView<const std::uint8_t> biome, GridView<const float> height_m,
                                                 GridView<const float> wear_m, GridView<const float> deposit_m,
                                                 const Exec& exec);

}  // namespace thalweg::climate
