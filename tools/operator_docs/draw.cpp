#include "draw.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "palette.h"
#include "thalweg/climate/climate.h"
#include "thalweg/core/content_hash.h"
#include "thalweg/folder/scene.h"
#include "thalweg/io/png.h"
#include "thalweg/render/render.h"

namespace thalweg::operator_docs {
namespace {

// Raised when the same world is to be drawn in another way.
constexpr std::uint64_t kStyle = 1;

constexpr int kMapWidth = 240;
constexpr int kFieldWidth = 300;  // as high, so that legends have room
constexpr int kLandWidth = 384;
constexpr int kLandHeight = 216;
constexpr int kColours = 112;

bool has_sea(const recipe::World& world, const Look& look) {
  const GridView<const std::uint8_t> sea = world.find<std::uint8_t>("sea");
  return look.sea || (!sea.empty() && sea(0, 0) != 0);
}

// What all views show.
render::Scene scene_of(const recipe::World& world, const Look& look) {
  render::Scene scene;
  scene.height_m = world.find<float>("height");
  scene.cell_x_m = world.spec.cell_m;
  scene.cell_y_m = world.spec.cell_y_m;
  scene.water_depth_m = world.find<float>("water");
  if (has_sea(world, look)) scene.sea_level_m = world.sea_level_m;
  if (look.view == View::land && !world.find<std::uint8_t>("biome").empty()) {
    scene.ground = world.find<std::uint8_t>("biome");
    scene.ground_colours = folder::picture_colours();
  }
  return scene;
}

std::vector<render::MapLine> lines_of(const recipe::World& world) {
  std::vector<render::MapLine> lines;
  for (const hydrology::Reach& reach : world.rivers.reaches) {
    render::MapLine line;
    line.width_px = 0.6 + 0.4 * reach.strahler;
    for (const auto& p : reach.points) {
      line.xy.push_back(p.x);
      line.xy.push_back(p.y);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// The field as floats; "weights.NAME" is the weight of one texture.
Grid<float> values_of(const recipe::World& world, const std::string& name) {
  Grid<float> values(world.spec.width, world.spec.height);
  for (std::size_t l = 0; l < climate::layer_names().size(); ++l) {
    if (name != "weights." + std::string(climate::layer_names()[l]) || world.weights.size() <= l / 4) continue;
    for (std::int64_t i = 0; i < values.cells(); ++i)
      values[i] = static_cast<float>(world.weights[l / 4][i] >> (8 * (l % 4)) & 255U) / 255.0F;
    return values;
  }
  const auto found = world.fields.find(name);
  if (found == world.fields.end()) return {};
  std::visit(
      [&](const auto& grid) {
        for (std::int64_t i = 0; i < values.cells(); ++i) values[i] = static_cast<float>(grid[i]);
      },
      found->second);
  return values;
}

// Only classes that occur, renumbered, so that the legend is no longer than it needs to be.
Grid<std::uint8_t> keep_present(const Grid<std::uint8_t>& codes, const std::vector<std::string>& names,
                                const std::vector<std::array<std::uint8_t, 3>>& colours, render::Overlay& overlay) {
  std::array<int, 256> number{};
  number.fill(-1);
  for (std::int64_t i = 0; i < codes.cells(); ++i) number[codes[i]] = 0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (number[c] < 0) continue;
    number[c] = static_cast<int>(overlay.class_names.size());
    overlay.class_names.push_back(names[c]);
    overlay.class_colours.push_back(colours[c]);
  }
  Grid<std::uint8_t> kept(codes.width(), codes.height());
  for (std::int64_t i = 0; i < kept.cells(); ++i) kept[i] = static_cast<std::uint8_t>(std::max(0, number[codes[i]]));
  return kept;
}

Grid<std::uint8_t> biome_classes(const recipe::World& world, render::Overlay& overlay) {
  std::vector<std::string> names;
  std::vector<std::array<std::uint8_t, 3>> colours;
  for (const climate::BiomeInfo& b : climate::biome_table()) {
    names.emplace_back(b.name);
    colours.push_back(b.colour);
  }
  const GridView<const std::uint8_t> biome = world.find<std::uint8_t>("biome");
  Grid<std::uint8_t> codes(biome.width(), biome.height());
  for (std::int64_t i = 0; i < codes.cells(); ++i) codes[i] = biome[i];
  return keep_present(codes, names, colours, overlay);
}

Grid<std::uint8_t> strongest_texture(const recipe::World& world, render::Overlay& overlay) {
  static const std::vector<std::array<std::uint8_t, 3>> kLayerColours = {
      {226, 205, 150}, {131, 168, 84}, {62, 110, 62},  {128, 124, 120},
      {244, 247, 250}, {120, 100, 72}, {90, 140, 130}, {176, 160, 138}};
  std::vector<std::string> names;
  for (const std::string_view name : climate::layer_names()) names.emplace_back(name);
  Grid<std::uint8_t> codes(world.spec.width, world.spec.height);
  for (std::int64_t i = 0; i < codes.cells(); ++i) {
    std::uint32_t best = 0;
    for (std::size_t g = 0; g < world.weights.size(); ++g)
      for (std::uint32_t c = 0; c < 4; ++c) {
        const std::uint32_t weight = world.weights[g][i] >> (8 * c) & 255U;
        if (weight <= best) continue;
        best = weight;
        codes[i] = static_cast<std::uint8_t>(4 * g + c);
      }
  }
  return keep_present(codes, names, kLayerColours, overlay);
}

std::string unit_of(const std::string& field) {
  for (const recipe::FieldInfo& info : recipe::field_table())
    if (info.name == field && info.unit != "1") return " (" + std::string(info.unit) + ")";
  return {};
}

render::Image field_map(const recipe::World& world, const Look& look, const render::Scene& scene, const Exec& exec) {
  render::MapParams params;
  params.width = kFieldWidth;
  render::Overlay overlay;
  Grid<float> values;
  Grid<std::uint8_t> classes;
  overlay.title = look.field;
  if (look.field == "biome") {
    classes = biome_classes(world, overlay);
    overlay.classes = classes.view();
  } else if (look.field == "weights") {
    classes = strongest_texture(world, overlay);
    overlay.classes = classes.view();
    overlay.title = "strongest texture";
  } else {
    values = values_of(world, look.field);
    overlay.values = values.view();
    overlay.title += unit_of(look.field);
    overlay.logarithmic = look.field == "flow";
  }
  return render::map_view(scene, {}, overlay, params, exec);
}

// The map without the legend, which stands at the right.
render::Image relief(const recipe::World& world, const render::Scene& scene, const Exec& exec) {
  render::MapParams params;
  params.width = kMapWidth;
  const render::Image whole = render::map_view(scene, lines_of(world), std::nullopt, params, exec);
  const render::MapSize size = render::map_size(scene, kMapWidth, 2 * kMapWidth);
  render::Image map{std::min(size.width, whole.width), std::min(size.height, whole.height), {}};
  for (int y = 0; y < map.height; ++y) {
    const auto row = whole.rgb.begin() + std::ptrdiff_t{3} * y * whole.width;
    map.rgb.insert(map.rgb.end(), row, row + std::ptrdiff_t{3} * map.width);
  }
  return map;
}

render::Image picture(const recipe::World& world, const Look& look, const Exec& exec) {
  const render::Scene scene = scene_of(world, look);
  if (look.view == View::relief) return relief(world, scene, exec);
  if (look.view == View::field) return field_map(world, look, scene, exec);
  render::PerspectiveParams params;
  params.width = 2 * kLandWidth;
  params.height = 2 * kLandHeight;
  params.camera.distance = scene.sea_level_m ? 1.0 : 0.85;
  params.camera.elevation_deg = 22;
  return halved(render::perspective(scene, params, exec));
}

}  // namespace

std::string look_hash(const recipe::World& world, const Look& look) {
  ContentHasher hasher;
  hasher.add_u64(kStyle);
  hasher.add_u64(static_cast<std::uint64_t>(look.view));
  hasher.add_text(look.field);
  hasher.add_f64(has_sea(world, look) ? world.sea_level_m : -1e9);
  hasher.add_f64(world.spec.cell_m);
  std::vector<std::string> shown = {"height", "water"};
  if (look.view == View::land) shown.emplace_back("biome");
  if (look.view == View::field) shown.push_back(look.field);
  for (const std::string& name : shown) {
    const auto found = world.fields.find(name);
    if (found == world.fields.end()) continue;
    hasher.add_text(name);
    std::visit(
        [&](const auto& grid) {
          using T = std::remove_cvref_t<decltype(grid[0])>;
          hasher.add_text(content_hash<T>(grid.view()).hex());
        },
        found->second);
  }
  if (look.view == View::relief)
    for (const hydrology::Reach& reach : world.rivers.reaches)
      for (const auto& p : reach.points) {
        hasher.add_f64(p.x);
        hasher.add_f64(p.y);
      }
  if (look.field.starts_with("weights"))
    for (const auto& grid : world.weights) hasher.add_text(content_hash<std::uint32_t>(grid.view()).hex());
  return hasher.digest().hex();
}

Status draw(const recipe::World& world, const Look& look, const std::string& path, const Exec& exec) {
  const render::Image image = picture(world, look, exec);
  const Indexed indexed = with_palette(image, kColours);
  return io::write_png_indexed(path, image.width, image.height, indexed.palette, indexed.pixels);
}

}  // namespace thalweg::operator_docs
