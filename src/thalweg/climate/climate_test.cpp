#include "thalweg/climate/climate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/noise/noise.h"

namespace thalweg::climate {
namespace {

GridSpec spec_of(int width, int height, double cell_m = 1) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  spec.cell_m = cell_m;
  spec.cell_y_m = cell_m;
  return spec;
}

template <class T>
bool same(const Grid<T>& a, const Grid<T>& b) {
  return a.width() == b.width() && a.height() == b.height() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.cells()) * sizeof(T)) == 0;
}

// Random land with a sea, moisture, a lake and a river.
struct World {
  GridSpec spec;
  Grid<float> height;
  Grid<float> moisture;
  Grid<float> depth;
  Grid<std::uint8_t> sea;
  Grid<std::int32_t> lake;

  explicit World(const GridSpec& place)
      : spec(place),
        height(place.width, place.height),
        moisture(place.width, place.height),
        depth(place.width, place.height),
        sea(place.width, place.height),
        lake(place.width, place.height) {
    noise::fill({.wavelength_m = 900, .amplitude_m = 1400, .offset_m = 250}, 17, spec, height, Exec());
    noise::fill({.wavelength_m = 500, .amplitude_m = 1, .offset_m = 0.5}, 18, spec, moisture, Exec());
    for (std::int64_t i = 0; i < height.cells(); ++i) {
      sea[i] = height[i] < 0 ? 1 : 0;
      depth[i] = height[i] < 0 ? -height[i] : 0;
      if (height[i] > 300 && height[i] < 310) depth[i] = 1;
      lake[i] = height[i] > 305 && height[i] < 310 ? 4 : 0;
    }
  }
  BiomeInputs inputs() const { return {height, moisture, depth, sea, lake, 0}; }
  Grid<std::uint8_t> classify(const BiomeParams& params = {}, const Exec& exec = Exec()) const {
    Grid<std::uint8_t> out(spec.width, spec.height);
    biomes(params, spec, inputs(), out, exec);
    return out;
  }
};

Biome one_cell(double height, double moisture, BiomeParams params = {}) {
  params.jitter = 0;
  Grid<float> h(3, 3, static_cast<float>(height));
  Grid<float> m(3, 3, static_cast<float>(moisture));
  Grid<std::uint8_t> out(3, 3);
  biomes(params, spec_of(3, 3), {.height_m = h, .moisture = m}, out, Exec());
  return static_cast<Biome>(out(1, 1));
}

TEST(Temperature, HandWorked) {
  GridSpec spec = spec_of(2, 2, 1000);
  spec.origin_y = -3;
  Grid<float> h(2, 2, 2000.0F);
  h(1, 1) = kNoData<float>;
  Grid<float> t(2, 2);
  temperature({.sea_level_c = 18, .lapse_c_per_km = 6.5, .northward_c_per_km = 0.5}, spec, h, t, Exec());
  EXPECT_FLOAT_EQ(t(0, 0), 18 - 13 - 1.5F);  // 3 km north of the origin
  EXPECT_FLOAT_EQ(t(0, 1), 18 - 13 - 1.0F);
  EXPECT_TRUE(std::isnan(t(1, 1)));
}

TEST(Biomes, TableIsWholeAndInOrder) {
  const auto table = biome_table();
  ASSERT_EQ(table.size(), 19U);
  std::set<std::string> names;
  std::set<std::array<std::uint8_t, 3>> colours;
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(table[i].biome), i);
    names.insert(std::string(table[i].name));
    colours.insert(table[i].colour);
  }
  EXPECT_EQ(names.size(), table.size());
  EXPECT_EQ(colours.size(), table.size());
  EXPECT_EQ(table[static_cast<std::size_t>(Biome::tropical_rain_forest)].name, "tropical-rain-forest");
}

TEST(Biomes, HeightByMoisture) {
  // top_m 900: zones end at 270, 540, 720; moisture in sixths.
  EXPECT_EQ(one_cell(100, 0.1), Biome::subtropical_desert);
  EXPECT_EQ(one_cell(100, 0.3), Biome::grassland);
  EXPECT_EQ(one_cell(100, 0.6), Biome::seasonal_forest);
  EXPECT_EQ(one_cell(100, 0.9), Biome::tropical_rain_forest);
  EXPECT_EQ(one_cell(400, 0.1), Biome::temperate_desert);
  EXPECT_EQ(one_cell(400, 0.4), Biome::grassland);
  EXPECT_EQ(one_cell(400, 0.7), Biome::deciduous_forest);
  EXPECT_EQ(one_cell(400, 0.99), Biome::temperate_rain_forest);
  EXPECT_EQ(one_cell(600, 0.2), Biome::temperate_desert);
  EXPECT_EQ(one_cell(600, 0.5), Biome::shrubland);
  EXPECT_EQ(one_cell(600, 0.8), Biome::taiga);
  EXPECT_EQ(one_cell(740, 0.1), Biome::scorched);
  EXPECT_EQ(one_cell(740, 0.2), Biome::bare);
  EXPECT_EQ(one_cell(740, 0.4), Biome::tundra);
  EXPECT_EQ(one_cell(740, 0.9), Biome::snow);
}

TEST(Biomes, RulesGoOverTheTable) {
  EXPECT_EQ(one_cell(3, 0.9), Biome::beach);
  EXPECT_EQ(one_cell(800, 0.1), Biome::snow);
  EXPECT_EQ(one_cell(40, 0.9), Biome::marsh);
  EXPECT_EQ(one_cell(40, 0.74), Biome::tropical_rain_forest);
  EXPECT_EQ(one_cell(400, 0.9, {.snow_line_m = 399}), Biome::snow);
  // Steep is rock whatever the moisture: a plane rising 0.79 (38.3 degrees) and 0.77 (37.6) per metre.
  for (const double moisture : {0.05, 0.5, 0.95})
    for (const double tangent : {0.79, 0.77}) {
      Grid<float> h(3, 3);
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) h(x, y) = static_cast<float>(900 + x * tangent);
      Grid<float> m(3, 3, static_cast<float>(moisture));
      Grid<std::uint8_t> out(3, 3);
      biomes({.jitter = 0}, spec_of(3, 3), {.height_m = h, .moisture = m}, out, Exec());
      for (std::int64_t i = 0; i < 9; ++i) EXPECT_EQ(out[i] == static_cast<int>(Biome::rock), tangent > 0.78);
    }
}

TEST(Biomes, WaterIsWaterAndBeachesLieAtTheSea) {
  Grid<float> h(40, 1, 2.0F);
  Grid<float> depth(40, 1);
  Grid<std::uint8_t> sea(40, 1);
  Grid<std::int32_t> lake(40, 1);
  sea[0] = 1;
  depth[0] = 5;
  depth[30] = 1;
  depth[31] = 1;
  lake[31] = 7;
  Grid<std::uint8_t> out(40, 1);
  biomes({.beach_width_m = 10, .jitter = 0}, spec_of(40, 1), {h, {}, depth, sea, lake, 0}, out, Exec());
  EXPECT_EQ(out[0], static_cast<int>(Biome::sea));
  for (int x = 1; x <= 10; ++x) EXPECT_EQ(out[x], static_cast<int>(Biome::beach)) << x;
  EXPECT_EQ(out[11], static_cast<int>(Biome::seasonal_forest));
  EXPECT_EQ(out[30], static_cast<int>(Biome::river));
  EXPECT_EQ(out[31], static_cast<int>(Biome::lake));
}

TEST(Biomes, BeachDistanceIsEuclidean) {
  const int n = 41;
  const std::uint64_t seed = 6;
  Grid<float> h(n, n, 1.0F);
  Grid<std::uint8_t> sea(n, n);
  for (std::int64_t i = 0; i < sea.cells(); ++i) sea[i] = hash64(seed, i) % 97 == 0 ? 1 : 0;
  Grid<std::uint8_t> out(n, n);
  biomes({.beach_width_m = 5, .jitter = 0}, spec_of(n, n), {.height_m = h, .sea = sea}, out, Exec());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      int best = 1000000;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (sea(i, j) != 0) best = std::min(best, (i - x) * (i - x) + (j - y) * (j - y));
      if (best > 0) {
        EXPECT_EQ(out(x, y) == static_cast<int>(Biome::beach), best <= 25) << x << "," << y << " seed " << seed;
      }
    }
}

TEST(Biomes, ThreadsAndWindowsAgree) {
  GridSpec spec = spec_of(400, 350, 4);
  spec.origin_x = -1000000000;
  spec.origin_y = 500;
  const World world(spec);
  const Grid<std::uint8_t> whole = world.classify();
  EXPECT_TRUE(same(whole, world.classify({}, Exec(2))));
  EXPECT_TRUE(same(whole, world.classify({}, Exec(7, TaskBackend::threads))));
  std::set<int> seen;
  for (std::int64_t i = 0; i < whole.cells(); ++i) seen.insert(whole[i]);
  EXPECT_GE(seen.size(), 12U);

  GridSpec part = spec;
  part.width = 150;
  part.height = 120;
  part.origin_x += 200;
  part.origin_y += 180;
  const Grid<std::uint8_t> window = World(part).classify();
  const int margin = 15;  // beach_width_m in cells
  for (int y = margin; y < part.height - margin; ++y)
    for (int x = margin; x < part.width - margin; ++x) ASSERT_EQ(window(x, y), whole(200 + x, 180 + y));
}

TEST(Biomes, JitterRoughensBorders) {
  // A plane rising to the east: without jitter every border is a straight north-south line.
  const int n = 200;
  Grid<float> h(n, n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) h(x, y) = static_cast<float>(x) * 4.0F;
  Grid<float> m(n, n, 0.6F);
  const auto borders = [&](double jitter) {
    Grid<std::uint8_t> out(n, n);
    biomes({.jitter = jitter}, spec_of(n, n, 10), {.height_m = h, .moisture = m}, out, Exec());
    std::set<int> columns;
    for (int y = 0; y < n; ++y)
      for (int x = 1; x < n; ++x)
        if (out(x, y) != out(x - 1, y)) columns.insert(x);
    return columns.size();
  };
  EXPECT_LE(borders(0), 5U);
  EXPECT_GT(borders(0.15), 20U);
}

// ---- texture weights ----

std::array<int, kLayers> weights_at(const std::vector<Grid<std::uint32_t>>& w, int x, int y) {
  std::array<int, kLayers> all{};
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = static_cast<int>(w[l / 4](x, y) >> (8 * (l % 4)) & 255U);
  return all;
}
int of(const std::array<int, kLayers>& weights, Layer layer) {
  return weights[static_cast<std::size_t>(layer)];
}

TEST(Weights, SumTo255AndDoNotDependOnThreads) {
  World world(spec_of(300, 270, 5));
  for (int x = 40; x < 90; ++x) world.height(x, 100) = kNoData<float>;
  const Grid<std::uint8_t> biome = world.classify();
  Grid<float> wear(300, 270);
  Grid<float> deposit(300, 270);
  noise::fill({.wavelength_m = 100, .amplitude_m = 9}, 1, world.spec, wear, Exec());
  noise::fill({.wavelength_m = 100, .amplitude_m = 9}, 2, world.spec, deposit, Exec());
  wear(5, 5) = kNoData<float>;
  for (const double blend : {0.0, 20.0, 77.0, 9999.0}) {
    const auto w = texture_weights({.blend_m = blend}, world.spec, biome, world.height, wear, deposit, Exec());
    ASSERT_EQ(w.size(), 2U);
    for (int y = 0; y < 270; ++y)
      for (int x = 0; x < 300; ++x) {
        int sum = 0;
        for (const int v : weights_at(w, x, y)) sum += v;
        ASSERT_EQ(sum, 255) << x << "," << y << " blend " << blend;
      }
    const auto t = texture_weights({.blend_m = blend}, world.spec, biome, world.height, wear, deposit, Exec(7));
    EXPECT_TRUE(same(w[0], t[0]) && same(w[1], t[1]));
  }
}

// The same cells from every compiler; a change here changes the ground of every world.
TEST(Climate, GoldenBits) {
  const World world(spec_of(200, 180, 5));
  const Grid<std::uint8_t> biome = world.classify();
  EXPECT_EQ(content_hash<std::uint8_t>(biome).hex(), "46fd32dc90f0c0c379389d3ac011d7b9");
  const auto w = texture_weights({}, world.spec, biome, world.height, world.height, world.depth, Exec());
  EXPECT_EQ(content_hash<std::uint32_t>(w[0]).hex(), "6da517330a83e6927ed7ad20392ef636");
  EXPECT_EQ(content_hash<std::uint32_t>(w[1]).hex(), "1298fbbe7b2291aac3a741e6274b2659");
}

TEST(Weights, BlendIsATent) {
  // Beach beside grassland on flat ground; radius 3: shares of grass by distance are sums of 1 2 3 4 3 2 1 over 16.
  const int n = 20;
  Grid<std::uint8_t> biome(n, 9, static_cast<std::uint8_t>(Biome::snow));
  for (int y = 0; y < 9; ++y)
    for (int x = 10; x < n; ++x) biome(x, y) = static_cast<std::uint8_t>(Biome::beach);
  const Grid<float> h(n, 9, 10.0F);
  const auto w = texture_weights({.blend_m = 3}, spec_of(n, 9), biome, h, {}, {}, Exec());
  const int sixteenths[] = {0, 0, 0, 0, 0, 0, 0, 1, 3, 6, 10, 13, 15, 16, 16, 16, 16, 16, 16, 16};
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < n; ++x) {
      const std::array<int, kLayers> weights = weights_at(w, x, y);
      const double beach = sixteenths[x] / 16.0;
      std::array<double, kLayers> exact{};
      exact[static_cast<std::size_t>(Layer::snow)] = 255 * (1 - beach);
      exact[static_cast<std::size_t>(Layer::sand)] = 255 * beach * 0.95;
      exact[static_cast<std::size_t>(Layer::scree)] = 255 * beach * 0.05;
      // Largest remainder: who was rounded up has no smaller a remainder than who was rounded down.
      double least_up = 1;
      double most_down = 0;
      for (std::size_t l = 0; l < exact.size(); ++l) {
        EXPECT_LT(std::fabs(weights[l] - exact[l]), 1) << x << "," << y << " layer " << l;
        const double remainder = exact[l] - std::floor(exact[l]);
        if (weights[l] > exact[l]) least_up = std::min(least_up, remainder);
        if (weights[l] < exact[l]) most_down = std::max(most_down, remainder);
      }
      EXPECT_GE(least_up, most_down - 1e-9) << x << "," << y;
    }
}

TEST(Weights, WearDepositAndSlope) {
  const int n = 9;
  Grid<std::uint8_t> biome(n, n, static_cast<std::uint8_t>(Biome::grassland));
  const Grid<float> flat(n, n, 10.0F);
  Grid<float> steep(n, n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) steep(x, y) = static_cast<float>(y) * 1.2F;
  const Grid<float> full(n, n, 5.0F);
  const GridSpec spec = spec_of(n, n);
  const auto at = [&](const Grid<float>& h, GridView<const float> wear, GridView<const float> deposit) {
    return weights_at(texture_weights({}, spec, biome, h, wear, deposit, Exec()), 4, 4);
  };
  EXPECT_GT(of(at(flat, {}, {}), Layer::grass), 235);
  EXPECT_GT(of(at(steep, {}, {}), Layer::rock), 170);
  EXPECT_EQ(of(at(flat, full, {}), Layer::soil), 255);
  EXPECT_EQ(of(at(steep, full, {}), Layer::rock), 255);
  EXPECT_EQ(of(at(steep, full, full), Layer::scree), 255);
  biome.fill(static_cast<std::uint8_t>(Biome::snow));
  EXPECT_EQ(of(at(flat, full, full), Layer::snow), 255);
}

TEST(Weights, WindowsAgreeInsideTheirMargin) {
  const World world(spec_of(300, 300, 5));
  const Grid<std::uint8_t> biome = world.classify();
  const auto whole = texture_weights({}, world.spec, biome, world.height, {}, {}, Exec());
  GridSpec part = spec_of(140, 110, 5);
  const auto window = texture_weights({}, part, biome.view().window(90, 120, 140, 110),
                                      world.height.view().window(90, 120, 140, 110), {}, {}, Exec());
  for (int y = 4; y < 106; ++y)
    for (int x = 4; x < 136; ++x) ASSERT_EQ(window[0](x, y), whole[0](90 + x, 120 + y));
}

TEST(Climate, OddSizesAndValues) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const auto& size : {std::pair{1, 1}, std::pair{1, 5}, std::pair{5, 1}, std::pair{2, 2}, std::pair{3, 3}})
    for (const float value : {0.0F, kNoData<float>, kInf, -kInf, 1e30F, -1e30F}) {
      const GridSpec spec = spec_of(size.first, size.second);
      Grid<float> h(size.first, size.second, value);
      h[h.cells() - 1] = -value;
      Grid<std::uint8_t> biome(size.first, size.second);
      biomes({}, spec, {.height_m = h, .moisture = h}, biome, Exec());
      const auto w = texture_weights({}, spec, biome, h, h, h, Exec());
      for (int y = 0; y < size.second; ++y)
        for (int x = 0; x < size.first; ++x) {
          int sum = 0;
          for (const int v : weights_at(w, x, y)) sum += v;
          EXPECT_EQ(sum, 255);
          EXPECT_EQ(biome(x, y) == 255, std::isnan(value));
        }
      Grid<float> t(size.first, size.second);
      temperature({}, spec, h, t, Exec());
    }
  Grid<std::uint8_t> none;
  biomes({}, spec_of(0, 0), {}, none, Exec());
  EXPECT_EQ(texture_weights({}, spec_of(0, 0), {}, {}, {}, {}, Exec()).size(), 2U);
}

}  // namespace
}  // namespace thalweg::climate
