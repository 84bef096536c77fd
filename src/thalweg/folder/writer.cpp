#include "thalweg/folder/writer.h"

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "thalweg/core/content_hash.h"
#include "thalweg/folder/vector_layers.h"
#include "thalweg/io/mesh_files.h"
#include "thalweg/io/png.h"
#include "thalweg/mesh/grid_mesh.h"

namespace thalweg::folder {
namespace {

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, float>) return "float32";
  return "float64";
}

template <class T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& v) {
  return {reinterpret_cast<const std::uint8_t*>(v.data()), v.size() * sizeof(T)};
}

ContentHash mesh_hash(const mesh::Mesh& m) {
  ContentHasher hasher;
  hasher.add_text("mesh");
  for (const double o : m.origin) hasher.add_f64(o);
  for (const auto* v : {&m.positions, &m.normals, &m.uvs}) {
    hasher.add_u64(v->size());
    hasher.add_bytes(v->data(), bytes_of(*v).size());
  }
  hasher.add_u64(m.indices.size());
  hasher.add_bytes(m.indices.data(), bytes_of(m.indices).size());
  return hasher.digest();
}

// Names that the world.json of an earlier result lists; only plain names of files beside it.
std::vector<std::string> files_of_old_result(const std::string& folder) {
  std::vector<std::string> names;
  const Result<std::string> text = io::read_text_file(folder + "/world.json");
  if (!text) return names;
  const nlohmann::json j = nlohmann::json::parse(*text, nullptr, false);
  if (!j.is_object() || !j.contains("files") || !j["files"].is_object()) return names;
  for (const auto& [name, entry] : j["files"].items())
    if (!name.empty() && name.front() != '.' && name.find('/') == std::string::npos) names.push_back(name);
  return names;
}

}  // namespace

Result<Writer> Writer::open(const std::string& path, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    const fs::path home = fs::path(input).has_parent_path() ? fs::path(input).parent_path() : fs::path(".");
    if (!input.empty() && fs::equivalent(home, path, ignored))
      return input_error("holds the input " + input + ", which would be overwritten; choose another folder",
                         "-o " + path);
  }
  const std::vector<std::string> old = files_of_old_result(path);
  Result<io::OutputFolder> folder = io::OutputFolder::open(path);
  if (!folder) return std::move(folder).error();
  for (const std::string& name : old)
    if (fs::is_regular_file(folder->file(name), ignored)) fs::remove(folder->file(name), ignored);
  return Writer(std::move(*folder));
}

template <class T>
Status Writer::raster(const std::string& name, const std::string& kind, const std::string& unit,
                      GridView<const T> cells, const GridSpec& spec, io::GeoTiffOptions options) {
  options.description = kind;
  options.unit = unit;
  THALWEG_TRY(io::write_geotiff<T>(folder_.file(name), cells, spec, options));
  FileEntry entry{name, kind, type_name<T>(), unit, {}, {}, content_hash<T>(cells).hex(), {}};
  set_range<T>(entry, cells);
  files_.push_back(std::move(entry));
  return {};
}
template Status Writer::raster(const std::string&, const std::string&, const std::string&, GridView<const std::uint8_t>,
                               const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&, GridView<const std::int16_t>,
                               const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&,
                               GridView<const std::uint16_t>, const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&, GridView<const std::int32_t>,
                               const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&,
                               GridView<const std::uint32_t>, const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&, GridView<const float>,
                               const GridSpec&, io::GeoTiffOptions);
template Status Writer::raster(const std::string&, const std::string&, const std::string&, GridView<const double>,
                               const GridSpec&, io::GeoTiffOptions);

Status Writer::rivers(const hydrology::RiverNetwork& network, const GridSpec& spec, bool geopackage) {
  const io::Layer layer = rivers_layer(network, spec);
  THALWEG_TRY(io::write_geojson(folder_.file("rivers.geojson"), layer));
  const std::string hash = io::content_hash(layer).hex();
  files_.push_back(
      {"rivers.geojson", "rivers", "lines", "m", {}, {}, hash, "z is the bed, in lakes and the sea the water"});
  if (!geopackage) return {};
  THALWEG_TRY(io::write_geopackage(folder_.file("rivers.gpkg"), {layer}));
  files_.push_back({"rivers.gpkg", "rivers", "lines", "m", {}, {}, hash, "the same lines"});
  return {};
}

Status Writer::lakes(const std::vector<hydrology::Lake>& lakes, const GridSpec& spec) {
  return layer("lakes.geojson", "polygons", lakes_layer(lakes, spec));
}

Status Writer::layer(const std::string& name, const std::string& type, const io::Layer& layer) {
  THALWEG_TRY(io::write_geojson(folder_.file(name), layer));
  files_.push_back({name, layer.name, type, "m", {}, {}, io::content_hash(layer).hex(), {}});
  return {};
}

Status Writer::weights(const std::vector<Grid<std::uint32_t>>& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Grid<std::uint32_t>& grid = weights[i];
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(grid.cells()) * 4);
    for (std::int64_t c = 0; c < grid.cells(); ++c)
      for (int k = 0; k < 4; ++k)
        rgba[static_cast<std::size_t>(c * 4 + k)] = static_cast<std::uint8_t>(grid[c] >> (8 * k));
    const std::string name = "weights_" + std::to_string(i) + ".png";
    THALWEG_TRY(io::write_png8(folder_.file(name), grid.width(), grid.height(), 4, rgba));
    files_.push_back({name,
                      "weights",
                      "rgba8",
                      "1/255",
                      {},
                      {},
                      content_hash<std::uint32_t>(grid.view()).hex(),
                      "the channels of a pixel sum to 255 over all weights files"});
  }
  return {};
}

Status Writer::picture(const std::string& name, const render::Image& image) {
  THALWEG_TRY(io::write_png8(folder_.file(name), image.width, image.height, 3, image.rgb));
  files_.push_back({name, "picture", "rgb8", "", {}, {}, content_hash("rgb8", image.rgb).hex(), {}});
  return {};
}

Status Writer::terrain_mesh(GridView<const float> height, const GridSpec& spec, const Exec& exec) {
  const int longest = height.width() > height.height() ? height.width() : height.height();
  mesh::GridMeshParams params;
  params.step = longest > 513 ? (longest - 1 + 511) / 512 : 1;
  const mesh::Mesh m = mesh::grid_mesh(params, spec, height, exec);
  io::MeshArrays arrays;
  arrays.positions = m.positions;
  arrays.normals = m.normals;
  arrays.uvs = m.uvs;
  arrays.indices = m.indices;
  arrays.origin = m.origin;
  THALWEG_TRY(io::write_glb(folder_.file("terrain.glb"), arrays));
  files_.push_back({"terrain.glb",
                    "mesh",
                    "triangles",
                    "m",
                    {},
                    {},
                    mesh_hash(m).hex(),
                    "every " + std::to_string(params.step) + ". sample; x east, y up, z south"});
  return {};
}

Result<std::string> Writer::finish(WorldRecord record) const {
  record.files = files_;
  std::string text = world_json(record);
  THALWEG_TRY(folder_.finish(text));
  return text;
}

}  // namespace thalweg::folder
