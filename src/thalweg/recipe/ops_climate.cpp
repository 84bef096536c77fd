// Operators of climate and ground cover: temperature, biomes, weights.
#include "thalweg/climate/climate.h"
#include "thalweg/recipe/op_row.h"

namespace thalweg::recipe {
namespace {
using climate::BiomeParams;
using climate::TemperatureParams;
using climate::WeightParams;

Status run_biomes(const BiomeParams& p, StepContext& c) {
  World& world = c.world;
  climate::BiomeInputs inputs;
  inputs.height_m = world.find<float>("height");
  inputs.moisture = world.find<float>("moisture");
  inputs.water_depth_m = world.find<float>("water");
  inputs.sea = world.find<std::uint8_t>("sea");
  inputs.lake_id = world.find<std::int32_t>("lake_id");
  inputs.sea_level_m = world.sea_level_m;
  climate::biomes(p, world.spec, inputs, world.make<std::uint8_t>("biome"), c.exec);
  return {};
}

Status run_weights(const WeightParams& p, StepContext& c) {
  World& world = c.world;
  world.weights =
      climate::texture_weights(p, world.spec, world.find<std::uint8_t>("biome"), world.find<float>("height"),
                               world.find<float>("wear"), world.find<float>("deposit"), c.exec);
  return {};
}
}  // namespace

void add_climate_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<TemperatureParams>({
      .name = "temperature",
      .help = "mean annual temperature from height and latitude",
      .example = "[[step]]\nop = \"temperature\"\nsea_level_c = 18\n",
      .reach = Reach::point,
      .maskable = true,
      .fields =
          [](const TemperatureParams&) {
            return FieldUse{{"height"}, {"temperature"}};
          },
      .run = [](const TemperatureParams& p, StepContext& c) -> Status {
        climate::temperature(p, c.world.spec, c.world.find<float>("height"), c.world.make<float>("temperature"),
                             c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<BiomeParams>({
      .name = "biomes",
      .help = "biomes from the height x moisture table, then rules for rock, beach, snow and marsh",
      .example = "[[step]]\nop = \"biomes\"\ntop_m = 900\nrock_slope_deg = 38\n",
      .reach = Reach::local,
      .fields =
          [](const BiomeParams&) {
            return FieldUse{{"height", "moisture"}, {"biome"}, {"water", "sea", "lake_id"}};
          },
      .halo_cells = [](const BiomeParams&, double) { return 1; },
      .run = run_biomes,
  }));
  table.push_back(make_operator<WeightParams>({
      .name = "weights",
      .help = "weights of eight ground textures from biome, slope, wear and deposit; they sum to 255",
      .example = "[[step]]\nop = \"weights\"\nblend_m = 20\n",
      .reach = Reach::local,
      .scratch_bytes_per_cell = 40,
      .fields =
          [](const WeightParams&) {
            return FieldUse{{"height", "biome"}, {"weights"}, {"wear", "deposit"}};
          },
      .halo_cells = [](const WeightParams& p, double cell_m) { return static_cast<int>(p.blend_m / cell_m) + 2; },
      .run = run_weights,
  }));
}

}  // namespace thalweg::recipe
