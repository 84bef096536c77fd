#include "thalweg/folder/content.h"

#include <cstdint>

#include "thalweg/core/content_hash.h"
#include "thalweg/folder/load.h"
#include "thalweg/io/png.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {
namespace {

// The band as cells of T again, NoData as T has it in memory.
template <class T>
std::string hash_as(const io::Raster& raster) {
  return std::visit(
      [](const auto& cells) {
        Grid<T> typed(cells.width(), cells.height());
        for (std::int64_t i = 0; i < typed.cells(); ++i)
          typed[i] = is_nodata(cells[i]) ? kNoData<T> : static_cast<T>(cells[i]);
        return content_hash<T>(typed.view()).hex();
      },
      raster.cells);
}

Result<std::string> hash_of_raster(const std::string& file, const std::string& type) {
  const Result<io::Raster> r = io::read_raster(file, kMaxCells, io::ReadAs::field);
  if (!r) return r.error();
  if (io::name_of(r->file_type) != type) return input_error("holds " + std::string(io::name_of(r->file_type)), file);
  if (type == "uint8") return hash_as<std::uint8_t>(*r);
  if (type == "int16") return hash_as<std::int16_t>(*r);
  if (type == "uint16") return hash_as<std::uint16_t>(*r);
  if (type == "int32") return hash_as<std::int32_t>(*r);
  if (type == "uint32") return hash_as<std::uint32_t>(*r);
  if (type == "float32") return hash_as<float>(*r);
  return hash_as<double>(*r);
}

Result<std::string> hash_of_png(const std::string& file, const std::string& type) {
  const Result<io::Png8> png = io::read_png8(file);
  if (!png) return png.error();
  if (type == "rgb8") return content_hash("rgb8", png->pixels).hex();
  if (png->channels != 4) return input_error("has " + std::to_string(png->channels) + " channels", file);
  Grid<std::uint32_t> packed(png->width, png->height);
  for (std::int64_t i = 0; i < packed.cells(); ++i)
    for (int k = 0; k < 4; ++k) packed[i] |= std::uint32_t{png->pixels[static_cast<std::size_t>(4 * i + k)]} << (8 * k);
  return content_hash<std::uint32_t>(packed.view()).hex();
}

}  // namespace

Result<std::string> hash_of_file(const std::string& file, const std::string& type) {
  if (type == "rgb8" || type == "rgba8") return hash_of_png(file, type);
  if (type == "lines" || type == "polygons") {
    if (file.size() < 8 || file.compare(file.size() - 8, 8, ".geojson") != 0) return std::string();
    const Result<io::Layer> layer = io::read_geojson(file);
    if (!layer) return layer.error();
    return io::content_hash(*layer).hex();
  }
  if (type == "triangles") return std::string();
  return hash_of_raster(file, type);
}

}  // namespace thalweg::folder
