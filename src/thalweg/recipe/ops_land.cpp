// Operators that work on the land: droplets, depressions, rivers.
#include <string>
#include <utility>

#include "thalweg/erosion/droplets.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/conditioning.h"
#include "thalweg/recipe/op_row.h"

namespace thalweg::recipe {
namespace {

using erosion::DropletParams;
using hydrology::ConditionParams;

// The sea of a world as an outlet mask.
Grid<std::uint8_t> sea_mask(const World& world) {
  Grid<std::uint8_t> sea(world.spec.width, world.spec.height);
  hydrology::mark_sea<float>(world.find<float>("height"), world.sea_level_m, sea);
  return sea;
}

void add_to(GridView<float> sum, GridView<const float> part, const Exec& exec) {
  parallel_rows(exec, sum.width(), sum.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < sum.width(); ++x) sum(x, y) += part(x, y);
  });
}

Status run_droplets(const DropletParams& p, StepContext& c) {
  World& world = c.world;
  GridView<float> height = world.find<float>("height");
  THALWEG_TRY(erosion::check_droplet_input(height));
  const GridSpec& spec = world.spec;
  Grid<float> wear(spec.width, spec.height);
  Grid<float> deposit(spec.width, spec.height);
  const std::uint64_t seed = step_seed(c);
  const erosion::Ledger ledger = erosion::droplets(p, seed, spec, world.sea_level_m, height, height, wear, deposit,
                                                   c.exec, std::as_const(world).find<float>("protect"));
  add_to(world.make<float>("wear"), wear, c.exec);
  add_to(world.make<float>("deposit"), deposit, c.exec);
  world.ledgers.push_back({c.step, ledger});
  return {};
}

Status run_depressions(const ConditionParams& p, StepContext& c) {
  GridView<float> height = c.world.find<float>("height");
  const Grid<std::uint8_t> sea = sea_mask(c.world);
  hydrology::condition(p, CellGeometry::of(c.world.spec), height, sea.view(), height, c.exec,
                       std::as_const(c.world).find<float>("protect"));
  return {};
}

struct RiversStep {
  hydrology::RiverParams rivers;
  hydrology::LakeParams lakes;
  bool carve = true;
  double bank_m = 30;
  template <class Visitor>
  static void describe(RiversStep& p, Visitor& v) {
    hydrology::RiverParams::describe(p.rivers, v);
    hydrology::LakeParams::describe(p.lakes, v);
    v.boolean("carve", p.carve, {.help = "cut beds and banks into the height"});
    v.real("bank_m", p.bank_m,
           {.unit = "m", .min = 0, .max = 1e4, .help = "width of a bank from the bed up to the old ground"});
  }
};

// Depth of sea, lakes and rivers over the final ground.
void write_water(World& world, GridView<const std::uint8_t> sea, GridView<const float> filled,
                 GridView<const float> river_depth, const Exec& exec) {
  GridView<const float> height = world.find<float>("height");
  GridView<const std::int32_t> lake = world.find<std::int32_t>("lake_id");
  GridView<float> water = world.make<float>("water");
  const auto level = static_cast<float>(world.sea_level_m);
  parallel_rows(exec, water.width(), water.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < water.width(); ++x) {
        float depth = river_depth(x, y);
        if (sea(x, y) != 0) depth = level - height(x, y);
        if (lake(x, y) != 0) depth = filled(x, y) - height(x, y);
        water(x, y) = depth > 0 ? depth : 0.0F;
      }
  });
}

Status run_rivers(const RiversStep& p, StepContext& c) {
  World& world = c.world;
  const GridSpec& spec = world.spec;
  const CellGeometry geometry = CellGeometry::of(spec);
  GridView<float> height = world.find<float>("height");
  const Grid<std::uint8_t> sea = sea_mask(world);
  Grid<float> filled(spec.width, spec.height);
  hydrology::fill<float>(height, sea.view(), filled, c.exec);
  GridView<std::uint8_t> directions = world.make<std::uint8_t>("directions");
  hydrology::d8<float>(filled.view(), geometry, sea.view(), directions, c.exec);
  c.exec.progress(0.4);
  GridView<std::int32_t> lake = world.make<std::int32_t>("lake_id");
  world.lakes = hydrology::find_lakes<float>(height, filled.view(), directions, geometry, p.lakes, lake, c.exec);
  // What is below its rim and no lake is raised, so that all land drains.
  parallel_rows(c.exec, spec.width, spec.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < spec.width; ++x)
        if (lake(x, y) == 0) height(x, y) = filled(x, y);
  });
  GridView<double> flow = world.make<double>("flow");
  THALWEG_TRY(hydrology::accumulate_area(directions, geometry, flow, c.exec));
  c.exec.progress(0.6);
  hydrology::RiverInputs inputs;
  inputs.directions = directions;
  inputs.area_m2 = flow;
  inputs.height = height;
  inputs.lake_id = lake;
  inputs.water_level_m = filled;
  inputs.sea = sea.view();
  inputs.sea_level_m = world.sea_level_m;
  inputs.protect = std::as_const(world).find<float>("protect");
  Result<hydrology::RiverNetwork> network = hydrology::extract_rivers(inputs, geometry, p.rivers, c.exec);
  if (!network) return network.error();
  Grid<float> river_depth(spec.width, spec.height);
  if (p.carve) {
    const Grid<float> old_height = [&] {
      Grid<float> copy(spec.width, spec.height);
      for (std::int64_t i = 0; i < copy.cells(); ++i) copy[i] = height[i];
      return copy;
    }();
    inputs.height = old_height.view();
    hydrology::carve_rivers(*network, inputs, geometry, p.bank_m, height, river_depth, c.exec);
  }
  world.rivers = std::move(*network);
  world.has_rivers = true;
  write_water(world, sea, filled, river_depth, c.exec);
  GridView<std::uint8_t> sea_field = world.make<std::uint8_t>("sea");
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) sea_field(x, y) = sea(x, y);
  return {};
}

}  // namespace

void add_land_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<DropletParams>({
      .name = "droplets",
      .help = "water droplets that carve gullies and lay down fans; mass is exact, the result independent of threads",
      .example = "[[step]]\nop = \"droplets\"\ndroplets_per_km2 = 8000\npath_m = 240\n",
      .reach = Reach::local,
      .scratch_bytes_per_cell = 40,
      .fields =
          [](const DropletParams&) {
            return FieldUse{{"height"}, {"height", "wear", "deposit"}, {"wear", "deposit", "protect"}};
          },
      .halo_cells = erosion::droplet_halo_cells,
      .check = [](const DropletParams& p, double cell_m) -> Status {
        return cell_m > 0 ? erosion::check_droplet_params(p, cell_m) : Status();
      },
      .run = run_droplets,
  }));
  table.push_back(make_operator<ConditionParams>({
      .name = "depressions",
      .help = "lets water out of every hollow: filled, raised with a gradient, or cut open; real lakes may stay",
      .example = "[[step]]\nop = \"depressions\"\nmethod = \"hybrid\"\nmax_breach_depth_m = 30\n",
      .reach = Reach::global,
      .scratch_bytes_per_cell = 40,
      .fields =
          [](const ConditionParams&) {
            return FieldUse{{"height"}, {"height"}, {"protect"}};
          },
      .run = run_depressions,
  }));
  table.push_back(make_operator<RiversStep>({
      .name = "rivers",
      .help = "drainage of the finished land: lakes, flow, rivers over a threshold with beds that never climb",
      .example = "[[step]]\nop = \"rivers\"\nmin_area_km2 = 0.5\nrunoff_mm_per_yr = 1500\n",
      .reach = Reach::global,
      .scratch_bytes_per_cell = 48,
      .fields =
          [](const RiversStep&) {
            return FieldUse{{"height"}, {"height", "water", "flow", "directions", "lake_id", "sea"}, {"protect"}};
          },
      .run = run_rivers,
  }));
}

}  // namespace thalweg::recipe
