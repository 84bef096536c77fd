#include "thalweg/folder/generate.h"

#include <chrono>
#include <functional>
#include <type_traits>
#include <variant>

#include "thalweg/climate/climate.h"
#include "thalweg/core/platform.h"
#include "thalweg/core/simd.h"
#include "thalweg/folder/scene.h"
#include "thalweg/folder/writer.h"

namespace thalweg::folder {
namespace {

// A field that the recipe keeps, in whatever type it has.
Status write_kept(Writer& writer, const recipe::World& world, const std::string& name) {
  const auto field = world.fields.find(name);
  if (field == world.fields.end()) return {};
  const auto unit = world.units.find(name);
  return std::visit(
      [&](const auto& grid) {
        using T = std::remove_cvref_t<decltype(grid[0])>;
        return writer.raster<T>(name + ".tif", name, unit != world.units.end() ? unit->second : "1", grid.view(),
                                world.spec, {});
      },
      field->second);
}

Status write_fields(Writer& writer, const recipe::Recipe& recipe, const recipe::World& world) {
  const GridSpec& spec = world.spec;
  const auto floats = [&](const char* field, const char* unit) -> Status {
    const GridView<const float> v = world.find<float>(field);
    if (v.empty()) return {};
    return writer.raster<float>(std::string(field) + ".tif", field, unit, v, spec, {});
  };
  THALWEG_TRY(floats("height", "m"));
  THALWEG_TRY(floats("water", "m"));
  if (const auto flow = world.find<double>("flow"); !flow.empty())
    THALWEG_TRY(writer.raster<double>("flow.tif", "flow", "m2", flow, spec, {}));
  THALWEG_TRY(floats("wear", "m"));
  THALWEG_TRY(floats("deposit", "m"));
  THALWEG_TRY(floats("moisture", "1"));
  THALWEG_TRY(floats("temperature", "degC"));
  if (const auto biome = world.find<std::uint8_t>("biome"); !biome.empty()) {
    io::GeoTiffOptions options;
    for (const climate::BiomeInfo& b : climate::biome_table()) options.colours.push_back(b.colour);
    for (const climate::BiomeInfo& b : climate::biome_table()) options.categories.emplace_back(b.name);
    THALWEG_TRY(writer.raster<std::uint8_t>("biome.tif", "biome", "1", biome, spec, options));
  }
  for (const recipe::KeptField& kept : recipe.keep) THALWEG_TRY(write_kept(writer, world, kept.name));
  return {};
}

}  // namespace

render::Scene scene_of(const recipe::World& world) {
  render::Scene scene;
  scene.height_m = world.find<float>("height");
  scene.cell_x_m = world.spec.cell_m;
  scene.cell_y_m = world.spec.cell_y_m;
  scene.water_depth_m = world.find<float>("water");
  if (!world.find<std::uint8_t>("sea").empty()) {
    const auto sea = world.find<std::uint8_t>("sea");
    bool any = false;
    for (int y = 0; y < sea.height() && !any; ++y)
      for (int x = 0; x < sea.width() && !any; ++x) any = sea(x, y) != 0;
    if (any) scene.sea_level_m = world.sea_level_m;
  }
  scene.ground = world.find<std::uint8_t>("biome");
  if (!scene.ground.empty()) scene.ground_colours = picture_colours();
  return scene;
}

Result<std::string> write_world(const recipe::Recipe& recipe, const std::vector<std::string>& settings,
                                recipe::World& world, const std::vector<std::string>& notes, bool with_preview,
                                Writer& writer, const Exec& exec) {
  return guard_memory([&]() -> Result<std::string> {
    const auto timed = [&](const char* name, const std::function<Status()>& work) -> Status {
      if (exec.cancelled()) return cancelled_error();
      const auto start = std::chrono::steady_clock::now();
      const double cpu = platform::process_cpu_seconds();
      THALWEG_TRY(work());
      if (exec.cancelled()) return cancelled_error();
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      world.timings.push_back(
          {name, "write", seconds.count(), platform::process_cpu_seconds() - cpu, platform::peak_resident_bytes()});
      return {};
    };
    THALWEG_TRY(timed("rasters", [&] { return write_fields(writer, recipe, world); }));
    THALWEG_TRY(timed("weights", [&] { return writer.weights(world.weights); }));
    if (world.has_rivers)
      THALWEG_TRY(timed("vectors", [&]() -> Status {
        THALWEG_TRY(writer.rivers(world.rivers, world.spec, false));
        return writer.lakes(world.lakes, world.spec);
      }));
    const GridView<const float> height = world.find<float>("height");
    THALWEG_TRY(timed("mesh", [&] { return writer.terrain_mesh(height, world.spec, exec); }));
    if (with_preview)
      THALWEG_TRY(timed("preview",
                        [&] { return writer.picture("preview.png", render::perspective(scene_of(world), {}, exec)); }));

    WorldRecord record;
    record.command = "generate";
    record.source = recipe.source_name;
    record.recipe_text = recipe.text;
    record.settings = settings;
    record.seed = world.seed;
    record.spec = world.spec;
    record.sea_level_m = world.sea_level_m;
    record.promises_island = recipe.promises_island;
    FileEntry range;
    set_range<float>(range, height);
    record.min_height_m = range.min.value_or(0);
    record.max_height_m = range.max.value_or(0);
    record.ledgers = world.ledgers;
    record.promises = world.promises;
    for (const recipe::SketchSource& sketch : recipe.sketches)
      if (!sketch.file.empty()) record.inputs.push_back({sketch.file, "vectors", sketch.hash});
    for (const auto& [file, image] : recipe.images) record.inputs.push_back({file, "raster", image->hash});
    if (!world.find<std::uint8_t>("biome").empty())
      for (const climate::BiomeInfo& b : climate::biome_table()) record.biome_names.emplace_back(b.name);
    if (!world.weights.empty())
      for (const std::string_view name : climate::layer_names()) record.layer_names.emplace_back(name);
    record.notes = notes;
    record.timings = world.timings;
    record.threads = exec.threads();
    record.simd = simd_level();
    return writer.finish(std::move(record));
  });
}

}  // namespace thalweg::folder
