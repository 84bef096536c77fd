#include "thalweg/folder/exports.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "thalweg/core/params.h"
#include "thalweg/folder/load.h"
#include "thalweg/io/exr.h"
#include "thalweg/io/files.h"
#include "thalweg/io/heights16.h"

namespace thalweg::folder {
namespace {
using Json = nlohmann::ordered_json;

struct Range {
  double min = 0;
  double max = 0;
};

Range range_of(GridView<const float> height) {
  Range r;
  bool any = false;
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x) {
      const float h = height(x, y);
      if (is_nodata(h)) continue;
      r.min = any ? std::min<double>(r.min, h) : h;
      r.max = any ? std::max<double>(r.max, h) : h;
      any = true;
    }
  return r;
}

// What every preset says: enough to place the terrain without guessing.
Json sidecar(const std::string& preset, const GridSpec& spec, const Range& range) {
  Json j;
  j["format"] = "thalweg-export 1";
  j["preset"] = preset;
  j["samples"] = {spec.width, spec.height};
  j["metres_per_sample"] = {spec.cell_m, spec.cell_y_m};
  j["extent_m"] = {spec.extent_x_m(), spec.extent_y_m()};
  j["height_min_m"] = range.min;
  j["height_max_m"] = range.max;
  return j;
}

Status export_unity(GridView<const float> height, const GridSpec& spec, const std::string& out, Json& j) {
  const bool fits =
      spec.width == spec.height && spec.width >= 33 && spec.width <= 4097 && ((spec.width - 1) & (spec.width - 2)) == 0;
  if (!fits)
    return input_error("Unity reads square maps of 33, 65, 129, 257, 513, 1025, 2049 or 4097 samples; this one has " +
                       std::to_string(spec.width) + " x " + std::to_string(spec.height));
  const io::Heights16 code = io::Heights16::over(j["height_min_m"], j["height_max_m"]);
  Grid<std::uint16_t> values(spec.width, spec.height);
  io::encode_heights(code, height, values);
  // Unity's row 0 is the z = 0 edge, the south: rows are turned round here so that no tick is needed there.
  Grid<std::uint16_t> south_first(spec.width, spec.height);
  for (int y = 0; y < spec.height; ++y) std::copy_n(values.row(spec.height - 1 - y), spec.width, south_first.row(y));
  THALWEG_TRY(io::write_r16(out + "/height.raw", south_first.view()));
  j["file"] = "height.raw";
  j["row_order"] = "row 0 south";
  j["import"] = {{"depth", "Bit 16"},
                 {"resolution", spec.width},
                 {"byte_order", "Windows"},
                 {"flip_vertically", false},
                 {"terrain_size_m", {spec.extent_x_m(), code.unity_terrain_height_m(), spec.extent_y_m()}},
                 {"terrain_position_y_m", code.unity_terrain_y_m()}};
  return {};
}

Status export_exr(GridView<const float> height, const std::string& out, int channels, Json& j) {
  THALWEG_TRY(io::write_exr(out + "/height.exr", height, channels));
  j["file"] = "height.exr";
  j["row_order"] = "row 0 north";
  j["values"] = "metres";
  return {};
}

Status write_files(const std::string& preset, GridView<const float> height, const GridSpec& spec,
                   const std::string& out, Json& j) {
  if (preset == "unity") return export_unity(height, spec, out, j);
  if (preset == "terrain3d") {
    if (spec.width > 16384 || spec.height > 16384)
      return input_error("Godot reads pictures of at most 16384 samples a side");
    THALWEG_TRY(export_exr(height, out, 3, j));
    j["import"] = {{"height_file", "height.exr"}, {"vertex_spacing", spec.cell_m}, {"import_scale", 1}};
    return {};
  }
  if (preset == "blender") {
    THALWEG_TRY(export_exr(height, out, 1, j));
    j["import"] = {{"image_colour_space", "Non-Color"},
                   {"displace_midlevel", 0},
                   {"displace_strength", 1},
                   {"plane_size_m", {spec.extent_x_m(), spec.extent_y_m()}},
                   {"interpolation", "Linear"}};
    return {};
  }
  THALWEG_TRY(export_exr(height, out, 1, j));
  j["import"] = {{"node", "HeightField File"},
                 {"size_m", {spec.extent_x_m(), spec.extent_y_m()}},
                 {"grid_spacing_m", spec.cell_m},
                 {"height_scale", 1}};
  return {};
}

}  // namespace

const std::vector<PresetInfo>& presets() {
  static const std::vector<PresetInfo> table = {
      {"unity", "16-bit RAW, rows from the south, with the terrain size to type in"},
      {"terrain3d", "Godot's Terrain3D: RGB EXR in metres"},
      {"blender", "EXR in metres for a Displace modifier"},
      {"houdini", "EXR in metres for a HeightField File node"}};
  return table;
}

std::string preset_names() {
  std::string out;
  for (const PresetInfo& p : presets()) out += (out.empty() ? "" : ", ") + std::string(p.name);
  return out;
}

std::vector<std::string> split_presets(const std::string& list) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin < list.size()) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    if (comma > begin) out.push_back(list.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return out;
}

Status check_preset(const std::string& preset, const std::string& place) {
  std::vector<std::string> names;
  for (const PresetInfo& p : presets()) {
    if (p.name == preset) return {};
    names.emplace_back(p.name);
  }
  const std::string near = nearest_name(preset, names);
  return input_error("no preset '" + preset + "' in this version" +
                         (near.empty() ? "; it has " + preset_names() : "; did you mean '" + near + "'?"),
                     place);
}

Status export_preset(const std::string& folder, const std::string& out, const std::string& preset, const Exec& exec) {
  return guard_memory([&]() -> Status {
    THALWEG_TRY(check_preset(preset, "--preset"));
    const Result<Input> input = open_input(folder);
    if (!input) return input.error();
    GridSpec spec;
    const Result<Grid<float>> height = read_floats(input->height_file(), &spec);
    if (!height) return height.error();
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (error) return machine_error("cannot be made: " + error.message(), out);
    std::filesystem::remove(out + "/export.json", error);
    Json j = sidecar(preset, spec, range_of(height->view()));
    if (Status s = write_files(preset, height->view(), spec, out, j); !s) return std::move(s).error().at(preset);
    if (exec.cancelled()) return cancelled_error();
    return io::write_text_file(out + "/export.json", j.dump(2) + "\n");
  });
}

}  // namespace thalweg::folder
