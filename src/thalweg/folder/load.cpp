#include "thalweg/folder/load.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "thalweg/io/files.h"

namespace thalweg::folder {
namespace fs = std::filesystem;

std::string Input::file(const std::string& name) const {
  return path + "/" + name;
}

bool Input::has(const std::string& name) const {
  std::error_code ignored;
  return is_folder && fs::is_regular_file(file(name), ignored);
}

bool Input::lists(const std::string& name) const {
  return std::any_of(files.begin(), files.end(), [&](const Listed& f) { return f.name == name; });
}

std::string Input::height_file() const {
  if (!is_folder) return path;
  return file(command == "hydrology" ? "filled.tif" : "height.tif");
}

Result<Input> open_input(const std::string& path) {
  Input input;
  input.path = path;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return input_error("no such file or folder", path);
  if (error) return input_error("cannot be opened: " + error.message(), path);
  input.is_folder = fs::is_directory(status);
  if (!input.is_folder) return input;
  if (!fs::exists(input.file("world.json"), error))
    return input_error("the folder has no world.json, so it is no whole result of thalweg", path);
  Result<std::string> text = io::read_text_file(input.file("world.json"));
  if (!text) return std::move(text).error();
  input.world_json = *text;
  const nlohmann::json j = nlohmann::json::parse(input.world_json, nullptr, false);
  const auto malformed = [&] {
    return input_error("is no world.json that this version reads (format thalweg-world 1)", input.file("world.json"));
  };
  if (!j.is_object() || !j.contains("format") || j["format"] != "thalweg-world 1") return malformed();
  if (j.contains("command") && j["command"].is_string()) input.command = j["command"].get<std::string>();
  if (j.contains("sea_level_m") && j["sea_level_m"].is_number()) input.sea_level_m = j["sea_level_m"].get<double>();
  if (j.contains("island") && j["island"].is_boolean()) input.promises_island = j["island"].get<bool>();
  if (j.contains("depressions") && j["depressions"].is_string())
    input.depressions = j["depressions"].get<std::string>();
  if (j.contains("routing") && j["routing"].is_string()) input.routing = j["routing"].get<std::string>();
  const auto text_of = [](const nlohmann::json& entry, const char* key) {
    return entry.is_object() && entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : "";
  };
  if (j.contains("files") && j["files"].is_object())
    for (const auto& [name, entry] : j["files"].items())
      if (name.find('/') == std::string::npos)
        input.files.push_back({name, text_of(entry, "type"), text_of(entry, "hash"), text_of(entry, "unit")});
  return input;
}

Grid<float> to_floats(io::Raster&& raster) {
  if (auto* f = std::get_if<Grid<float>>(&raster.cells)) return std::move(*f);
  const Grid<double>& d = std::get<Grid<double>>(raster.cells);
  Grid<float> out(d.width(), d.height());
  for (std::int64_t i = 0; i < d.cells(); ++i) out[i] = static_cast<float>(d[i]);
  return out;
}

Result<Grid<float>> read_floats(const std::string& file, GridSpec* spec, io::ReadAs as) {
  Result<io::Raster> raster = io::read_raster(file, kMaxCells, as);
  if (!raster) return std::move(raster).error();
  if (spec != nullptr) *spec = raster->spec;
  return to_floats(std::move(*raster));
}

Result<Grid<std::uint8_t>> read_bytes(const std::string& file, GridSpec* spec) {
  Result<Grid<float>> values = read_floats(file, spec, io::ReadAs::field);
  if (!values) return std::move(values).error();
  Grid<std::uint8_t> out(values->width(), values->height());
  for (std::int64_t i = 0; i < out.cells(); ++i) {
    const float v = (*values)[i];
    if (is_nodata(v)) {
      out[i] = 255;
    } else if (v < 0 || v > 255 || v != std::floor(v)) {
      return input_error("has values that are no codes of one byte", file);
    } else {
      out[i] = static_cast<std::uint8_t>(v);
    }
  }
  return out;
}

}  // namespace thalweg::folder
