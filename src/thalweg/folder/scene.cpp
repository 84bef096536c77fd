#include "thalweg/folder/scene.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "thalweg/climate/climate.h"
#include "thalweg/core/params.h"
#include "thalweg/folder/vector_layers.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {
namespace {

// What a scene borrows from.
struct Loaded {
  GridSpec spec;
  Grid<float> height;
  Grid<float> water;
  Grid<std::uint8_t> biome;
  std::vector<render::MapLine> rivers;
  render::Scene scene;
};

Status load_scene(const Input& input, Loaded& l) {
  Result<Grid<float>> height = read_floats(input.height_file(), &l.spec);
  if (!height) return std::move(height).error();
  l.height = std::move(*height);
  l.scene.height_m = l.height.view();
  l.scene.cell_x_m = l.spec.cell_m;
  l.scene.cell_y_m = l.spec.cell_y_m;
  const auto same_size = [&](const auto& grid, const std::string& name) -> Status {
    if (grid.width() == l.height.width() && grid.height() == l.height.height()) return {};
    return input_error("has another size than the height", input.file(name));
  };
  if (input.has("water.tif")) {
    Result<Grid<float>> water = read_floats(input.file("water.tif"), nullptr, io::ReadAs::field);
    if (!water) return std::move(water).error();
    THALWEG_TRY(same_size(*water, "water.tif"));
    l.water = std::move(*water);
    l.scene.water_depth_m = l.water.view();
    if (input.sea_level_m && l.water(0, 0) > 0) l.scene.sea_level_m = input.sea_level_m;
  }
  if (input.has("biome.tif")) {
    Result<Grid<std::uint8_t>> biome = read_bytes(input.file("biome.tif"), nullptr);
    if (!biome) return std::move(biome).error();
    THALWEG_TRY(same_size(*biome, "biome.tif"));
    l.biome = std::move(*biome);
    const auto codes = static_cast<std::int64_t>(climate::biome_table().size());
    for (std::int64_t i = 0; i < l.biome.cells(); ++i)
      if (l.biome[i] >= codes) return input_error("has codes that are no biomes", input.file("biome.tif"));
    l.scene.ground = l.biome.view();
    l.scene.ground_colours = picture_colours();
  }
  if (input.has("rivers.geojson")) {
    Result<io::Layer> layer = io::read_geojson(input.file("rivers.geojson"));
    if (!layer) return std::move(layer).error();
    Result<hydrology::RiverNetwork> network = network_from_layer(*layer, l.spec);
    if (!network) return std::move(network).error().at(input.file("rivers.geojson"));
    for (const hydrology::Reach& reach : network->reaches) {
      render::MapLine line;
      line.width_px = 0.6 + 0.5 * reach.strahler;
      for (const auto& p : reach.points) {
        line.xy.push_back(p.x);
        line.xy.push_back(p.y);
      }
      l.rivers.push_back(std::move(line));
    }
  }
  return {};
}

Result<double> number(std::string_view text) {
  double v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(v))
    return input_error("'" + std::string(text) + "' is no number");
  return v;
}

// The unit that world.json states for the field's file.
std::string unit_of(const Input& input, const std::string& field) {
  if (field == "height") return "m";
  for (const Input::Listed& f : input.files)
    if (f.name == field + ".tif" && f.unit != "1") return f.unit;
  return {};
}

Result<render::Image> field_map(const Input& input, const PreviewOptions& options, const Loaded& l, const Exec& exec) {
  render::Overlay overlay;
  overlay.title = options.view;
  render::MapParams params;
  params.width = options.width;
  params.height = options.height;
  params.light.azimuth_deg = 315;
  Grid<float> values;
  if (options.view == "biome" && !l.biome.empty()) {
    // Only biomes that occur, renumbered, so that the legend is no longer than it needs to be.
    std::array<bool, 256> present{};
    for (std::int64_t i = 0; i < l.biome.cells(); ++i) present[l.biome[i]] = true;
    std::array<std::uint8_t, 256> code{};
    for (const climate::BiomeInfo& b : climate::biome_table()) {
      const auto old = static_cast<std::size_t>(b.biome);
      if (!present[old]) continue;
      code[old] = static_cast<std::uint8_t>(overlay.class_names.size());
      overlay.class_colours.push_back(b.colour);
      overlay.class_names.emplace_back(b.name);
    }
    Grid<std::uint8_t> classes(l.biome.width(), l.biome.height());
    for (std::int64_t i = 0; i < classes.cells(); ++i) classes[i] = code[l.biome[i]];
    overlay.classes = classes.view();
    return render::map_view(l.scene, l.rivers, overlay, params, exec);
  }
  const std::string name = options.view + ".tif";
  Result<Grid<float>> read = input.has(name)            ? read_floats(input.file(name), nullptr, io::ReadAs::field)
                             : options.view == "height" ? Result<Grid<float>>(l.height.clone())
                                                        : Result<Grid<float>>(Grid<float>());
  if (!read) return std::move(read).error();
  values = std::move(*read);
  if (values.width() != l.height.width() || values.height() != l.height.height()) {
    const std::vector<std::string> views = preview_views(input);
    std::string list;
    for (const std::string& v : views) list += (list.empty() ? "" : ", ") + v;
    const std::string near = nearest_name(options.view, views);
    return input_error("no view '" + options.view + "'" + (near.empty() ? "" : " (did you mean '" + near + "'?)") +
                           "; there is " + list,
                       "--view");
  }
  overlay.values = values.view();
  overlay.logarithmic = options.view == "flow" || options.view == "accumulation";
  if (const std::string unit = unit_of(input, options.view); !unit.empty()) overlay.title += " (" + unit + ")";
  if (overlay.logarithmic) overlay.title += ", log scale";
  return render::map_view(l.scene, {}, overlay, params, exec);
}

}  // namespace

Status parse_camera(const std::string& text, PreviewOptions& options) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, comma - begin);
    begin = comma + 1;
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    struct Key {
      std::string_view name;
      double* value;
      double min;
      double max;
    };
    const Key keys[] = {
        {"azimuth", &options.camera.azimuth_deg, -360, 360},   {"elevation", &options.camera.elevation_deg, 1, 89},
        {"distance", &options.camera.distance, 0.05, 20},      {"fov", &options.camera.field_of_view_deg, 5, 120},
        {"exaggeration", &options.exaggeration, 0.01, 100},    {"sun-azimuth", &options.light.azimuth_deg, -360, 360},
        {"sun-elevation", &options.light.elevation_deg, 1, 90}};
    const Key* found = nullptr;
    for (const Key& k : keys)
      if (k.name == key) found = &k;
    if (found == nullptr || equals == std::string::npos)
      return input_error(
          "write it as azimuth=215,elevation=24,distance=1; also fov, exaggeration, sun-azimuth, sun-elevation",
          "--camera " + part);
    const Result<double> v = number(part.substr(equals + 1));
    if (!v || *v < found->min || *v > found->max)
      return input_error("must be a number from " + format_number(found->min) + " to " + format_number(found->max),
                         "--camera " + part);
    *found->value = *v;
  }
  return {};
}

std::vector<std::array<std::uint8_t, 3>> picture_colours() {
  std::vector<std::array<std::uint8_t, 3>> colours;
  for (const climate::BiomeInfo& b : climate::biome_table()) colours.push_back(b.colour);
  colours[static_cast<std::size_t>(climate::Biome::river)] = {46, 92, 128};
  return colours;
}

std::vector<std::string> preview_views(const Input& input) {
  std::vector<std::string> views = {"shaded", "relief", "height"};
  for (const char* name : {"biome", "water", "flow", "wear", "deposit", "moisture", "temperature", "filled",
                           "accumulation", "directions", "basins"})
    if (input.has(std::string(name) + ".tif")) views.emplace_back(name);
  return views;
}

Result<render::Image> preview(const Input& input, const PreviewOptions& options, const Exec& exec) {
  return guard_memory([&]() -> Result<render::Image> {
    Loaded l;
    THALWEG_TRY(load_scene(input, l));
    if (exec.cancelled()) return cancelled_error();
    if (options.view == "shaded") {
      render::PerspectiveParams params;
      params.width = options.width;
      params.height = options.height;
      params.height = options.height;
      params.exaggeration = options.exaggeration;
      params.camera = options.camera;
      params.light = options.light;
      return render::perspective(l.scene, params, exec);
    }
    if (options.view == "relief") {
      render::MapParams params;
      params.width = options.width;
      params.height = options.height;
      l.scene.ground = {};  // tinted by height, which is what the legend shows; `biome` is a view of its own
      return render::map_view(l.scene, l.rivers, std::nullopt, params, exec);
    }
    return field_map(input, options, l, exec);
  });
}

}  // namespace thalweg::folder
