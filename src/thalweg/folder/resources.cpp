#include "thalweg/folder/resources.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "thalweg/core/content_hash.h"
#include "thalweg/folder/load.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {
namespace {
namespace fs = std::filesystem;
using recipe::ImageFile;
using recipe::VectorFile;
using shape::SketchKind;

constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;

std::string resolved(const std::string& folder, const std::string& path) {
  return fs::path(path).is_absolute() || folder.empty() ? path : (fs::path(folder) / path).string();
}

SketchKind kind_of(io::GeometryKind kind) {
  switch (kind) {
    case io::GeometryKind::point:
      return SketchKind::points;
    case io::GeometryKind::line:
      return SketchKind::lines;
    case io::GeometryKind::polygon:
    case io::GeometryKind::multi_polygon:
      break;
  }
  return SketchKind::polygons;
}

// The property height_m; NaN where there is none or null.
Result<double> height_of(const io::Feature& feature, const std::string& path) {
  for (const auto& [name, value] : feature.attributes) {
    if (name != "height_m") continue;
    if (const auto* d = std::get_if<double>(&value)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
    if (const auto* text = std::get_if<std::string>(&value))
      return input_error("height_m must be a number, is \"" + *text + "\"", path);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void add_feature(const io::Feature& feature, double height, VectorFile& out) {
  for (const auto& part : feature.parts) {
    auto& points = out.parts.emplace_back();
    for (const auto& p : part) {
      const double own = feature.lacks_z ? std::numeric_limits<double>::quiet_NaN() : p[2];
      points.push_back({p[0], p[1], std::isnan(height) ? own : height});
    }
    // GeoJSON repeats a ring's first point at its end.
    const bool ring = out.kind == SketchKind::polygons && points.size() > 3;
    if (ring && points.front().x_m == points.back().x_m && points.front().y_m == points.back().y_m) points.pop_back();
  }
}

Result<VectorFile> load_vectors(const std::string& path) {
  Result<io::Layer> layer = io::read_geojson(path);
  if (!layer) return std::move(layer).error();
  if (layer->features.empty()) return input_error("has no features", path);
  if (!layer->crs_name.empty())
    return input_error("is in " + layer->crs_name +
                           "; a sketch is in metres east and north of the extent's south-west corner, without a "
                           "coordinate system",
                       path);
  VectorFile out;
  out.kind = kind_of(layer->features.front().kind);
  for (const io::Feature& feature : layer->features) {
    if (kind_of(feature.kind) != out.kind)
      return input_error("mixes points, lines and polygons; a sketch has one of these", path);
    const Result<double> height = height_of(feature, path);
    if (!height) return height.error();
    add_feature(feature, *height, out);
  }
  out.hash = io::content_hash(*layer).hex();
  return out;
}

Result<ImageFile> load_raster(const std::string& path) {
  // A recipe may come from anyone: nothing but files of this machine, none of GDAL's addresses on the network.
  std::error_code ignored;
  const bool address = path.starts_with("/vsi") || path.find(':') != std::string::npos;
  if (address && !std::filesystem::is_regular_file(path, ignored)) return input_error("is not a file", path);
  Result<io::Raster> raster = io::read_raster(path, kMostPixels, io::ReadAs::field);
  if (!raster) return std::move(raster).error();
  ImageFile image;
  image.least = raster->min;
  image.most = raster->max;
  const bool plain = raster->heights_are_file_values;
  if (plain && raster->file_type == io::CellType::u8) image.least = 0, image.most = 255;
  if (plain && raster->file_type == io::CellType::u16) image.least = 0, image.most = 65535;
  image.cells = to_floats(std::move(*raster));
  image.hash = content_hash<float>(image.cells.view()).hex();
  return image;
}

}  // namespace

recipe::Resources file_resources(const std::string& folder) {
  recipe::Resources resources;
  resources.load_vectors = [folder](const std::string& path) { return load_vectors(resolved(folder, path)); };
  resources.load_raster = [folder](const std::string& path) { return load_raster(resolved(folder, path)); };
  return resources;
}

std::vector<std::string> files_of(const recipe::Recipe& recipe) {
  std::vector<std::string> files;
  for (const recipe::SketchSource& sketch : recipe.sketches)
    if (!sketch.file.empty()) files.push_back(resolved(recipe.folder, sketch.file));
  for (const auto& [file, image] : recipe.images) files.push_back(resolved(recipe.folder, file));
  return files;
}

}  // namespace thalweg::folder
