#include <cassert>
#include <cstdlib>
#include <limits>

#include "thalweg/climate/climate.h"
#include "thalweg/climate/slope.h"
#include "thalweg/noise/noise.h"
#include "thalweg/shape/slope.h"

namespace thalweg::climate {
namespace {

constexpr int kBiomes = 19;
constexpr BiomeInfo kBiomeTable[kBiomes] = {
    {Biome::sea, "sea", {52, 92, 128}},
    {Biome::lake, "lake", {74, 124, 158}},
    {Biome::river, "river", {82, 136, 170}},
    {Biome::beach, "beach", {214, 199, 160}},
    {Biome::marsh, "marsh", {92, 108, 76}},
    {Biome::bare, "bare", {142, 134, 122}},
    {Biome::scorched, "scorched", {116, 106, 98}},
    {Biome::tundra, "tundra", {152, 152, 124}},
    {Biome::snow, "snow", {238, 240, 240}},
    {Biome::rock, "rock", {124, 118, 110}},
    {Biome::temperate_desert, "temperate-desert", {190, 180, 142}},
    {Biome::shrubland, "shrubland", {134, 140, 102}},
    {Biome::taiga, "taiga", {100, 118, 94}},
    {Biome::grassland, "grassland", {142, 152, 100}},
    {Biome::deciduous_forest, "deciduous-forest", {104, 128, 80}},
    {Biome::temperate_rain_forest, "temperate-rain-forest", {80, 112, 78}},
    {Biome::subtropical_desert, "subtropical-desert", {206, 186, 140}},
    {Biome::seasonal_forest, "seasonal-forest", {112, 136, 82}},
    {Biome::tropical_rain_forest, "tropical-rain-forest", {68, 104, 66}},
};

// Height x moisture after Whittaker's diagram, with height in the place of temperature: rows from the top of the land
// to its foot, columns from dry to wet in sixths.
constexpr double kHeightZone[3] = {0.8, 0.6, 0.3};
constexpr Biome kZones[4][6] = {
    {Biome::scorched, Biome::bare, Biome::tundra, Biome::snow, Biome::snow, Biome::snow},
    {Biome::temperate_desert, Biome::temperate_desert, Biome::shrubland, Biome::shrubland, Biome::taiga, Biome::taiga},
    {Biome::temperate_desert, Biome::grassland, Biome::grassland, Biome::deciduous_forest, Biome::deciduous_forest,
     Biome::temperate_rain_forest},
    {Biome::subtropical_desert, Biome::grassland, Biome::seasonal_forest, Biome::seasonal_forest,
     Biome::tropical_rain_forest, Biome::tropical_rain_forest},
};

Biome zone(double height_share, double moisture) {
  int row = 0;
  while (row < 3 && height_share <= kHeightZone[row]) ++row;
  int column = 0;
  while (column < 5 && moisture * 6.0 >= column + 1) ++column;
  return kZones[row][column];
}

// Cells within `radius` cells of the sea, found where they are asked for: per column the distance to the nearest sea
// cell north or south, kept once; along the row when asked.
class Shore {
 public:
  Shore(GridView<const std::uint8_t> sea, const BiomeParams& params, const GridSpec& spec, const Exec& exec) {
    if (sea.empty()) return;
    const double cells = params.beach_width_m / (spec.cell_m > spec.cell_y_m ? spec.cell_m : spec.cell_y_m);
    radius_ = cells < kMaxRadius ? static_cast<int>(cells) : kMaxRadius;
    along_column_ = Grid<std::uint16_t>(sea.width(), sea.height());
    parallel_for(exec, 0, sea.width(), 1024, [&](std::int64_t begin, std::int64_t end) {
      sweep(sea, static_cast<int>(begin), static_cast<int>(end));
    });
  }
  bool known() const { return !along_column_.empty(); }
  bool near(int x, int y) const {
    const std::uint16_t* row = along_column_.row(y);
    const int from = x > radius_ ? x - radius_ : 0;
    const int to = x + radius_ < along_column_.width() ? x + radius_ : along_column_.width() - 1;
    const std::int64_t limit = std::int64_t{radius_} * radius_;
    for (int i = from; i <= to; ++i) {
      const std::int64_t dx = i - x;
      if (row[i] <= radius_ && dx * dx + std::int64_t{row[i]} * row[i] <= limit) return true;
    }
    return false;
  }

 private:
  static constexpr int kMaxRadius = 1000;
  void sweep(GridView<const std::uint8_t> sea, int begin, int end) {
    const auto far = static_cast<std::uint16_t>(radius_ + 1);
    for (int y = 0; y < sea.height(); ++y)
      for (int x = begin; x < end; ++x) {
        const int above = y > 0 ? along_column_(x, y - 1) + 1 : far;
        along_column_(x, y) = sea(x, y) != 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(above < far ? above : far);
      }
    for (int y = sea.height() - 2; y >= 0; --y)
      for (int x = begin; x < end; ++x) {
        const int below = along_column_(x, y + 1) + 1;
        if (below < along_column_(x, y)) along_column_(x, y) = static_cast<std::uint16_t>(below);
      }
  }
  int radius_ = 0;
  Grid<std::uint16_t> along_column_;
};

// Everything the rules of one cell need, in the units of BiomeParams.
struct Site {
  double height_m;  ///< above the sea
  double moisture;
  double tan2;           ///< squared tangent of the slope
  double height_jitter;  ///< noise in [-1, 1]
  double moisture_jitter;
};

class Rules {
 public:
  explicit Rules(const BiomeParams& params)
      : p_(params), rock_tan2_(tan2(params.rock_slope_deg)), marsh_tan2_(tan2(params.marsh_slope_deg)) {}

  bool beach_height(const Site& s) const {
    return s.height_m <= p_.beach_height_m * (1.0 + kBeachSpread * s.height_jitter);
  }
  // Dry ground; first rule that holds wins.
  Biome land(const Site& s, bool beach) const {
    const double height = s.height_m + p_.jitter * p_.top_m * s.height_jitter;
    const double moisture = s.moisture + p_.jitter * s.moisture_jitter;
    if (s.tan2 > rock_tan2_ * (1.0 + kSlopeSpread * s.moisture_jitter)) return Biome::rock;
    if (beach) return Biome::beach;
    if (height > p_.snow_line_m) return Biome::snow;
    if (height < p_.marsh_height_m && s.tan2 < marsh_tan2_ && moisture > p_.marsh_moisture) return Biome::marsh;
    return zone(height / p_.top_m, moisture);
  }

 private:
  static double tan2(double degrees) { return shape::tan2_of_degrees(degrees); }
  static constexpr double kBeachSpread = 1.2;  // of noise that rarely passes 0.5
  static constexpr double kSlopeSpread = 0.4;
  const BiomeParams& p_;
  double rock_tan2_;
  double marsh_tan2_;
};

struct Jitter {
  Grid<float> height;
  Grid<float> moisture;
};

// Noise for rows [begin, end): a function of the world's samples, so windows agree. One seed serves all worlds: it only
// roughens borders that lie elsewhere in each.
Jitter jitter_rows(const BiomeParams& params, const GridSpec& spec, int begin, int end) {
  constexpr std::uint64_t kSeed = 0x62696F6D65ULL;
  GridSpec rows = spec;
  rows.height = end - begin;
  rows.origin_y = spec.origin_y + begin;
  Jitter jitter{Grid<float>(rows.width, rows.height), Grid<float>(rows.width, rows.height)};
  if (params.jitter > 0) {
    noise::NoiseParams noise{.wavelength_m = params.jitter_wavelength_m, .amplitude_m = 1, .octaves = 4, .gain = 0.6};
    noise::fill(noise, kSeed, rows, jitter.height, Exec());
    noise.stream = 1;
    noise::fill(noise, kSeed, rows, jitter.moisture, Exec());
  }
  return jitter;
}

Biome classify(const Rules& rules, const BiomeInputs& in, const CellGeometry& geometry, const Shore& shore, int x,
               int y, float height_jitter, float moisture_jitter) {
  if (!in.sea.empty() && in.sea(x, y) != 0) return Biome::sea;
  if (!in.water_depth_m.empty() && in.water_depth_m(x, y) > 0.0F)
    return !in.lake_id.empty() && in.lake_id(x, y) != 0 ? Biome::lake : Biome::river;
  const double moisture = in.moisture.empty() || is_nodata(in.moisture(x, y)) ? 0.5 : in.moisture(x, y);
  const Site site{static_cast<double>(in.height_m(x, y)) - in.sea_level_m, moisture,
                  detail::slope_tan2(in.height_m, geometry, x, y), height_jitter, moisture_jitter};
  const bool beach = rules.beach_height(site) && (!shore.known() || shore.near(x, y));
  return rules.land(site, beach);
}

}  // namespace

std::span<const BiomeInfo> biome_table() {
  return kBiomeTable;
}

void biomes(const BiomeParams& params, const GridSpec& spec, const BiomeInputs& inputs, GridView<std::uint8_t> out,
            const Exec& exec) {
  assert(out.width() == spec.width && out.height() == spec.height);
  assert(inputs.height_m.width() == spec.width && inputs.height_m.height() == spec.height);
  if (out.empty()) return;
  const CellGeometry geometry = CellGeometry::of(spec);
  const Rules rules(params);
  const Shore shore(inputs.sea, params, spec, exec);
  parallel_rows(exec, spec.width, spec.height, [&](int begin, int end) {
    const Jitter jitter = jitter_rows(params, spec, begin, end);
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < spec.width; ++x) {
        if (is_nodata(inputs.height_m(x, y))) {
          out(x, y) = kNoData<std::uint8_t>;
          continue;
        }
        out(x, y) = static_cast<std::uint8_t>(
            classify(rules, inputs, geometry, shore, x, y, jitter.height(x, y - begin), jitter.moisture(x, y - begin)));
      }
  });
}

}  // namespace thalweg::climate
