#include "thalweg/folder/basins.h"

#include <map>

#include "thalweg/folder/vector_layers.h"
#include "thalweg/hydrology/watersheds.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {
namespace {

// Where the centre of a cell lies, as attributes.
void add_outlet(io::Feature& feature, std::int64_t cell, const GridSpec& spec) {
  const auto xy = to_map(spec, static_cast<double>(cell % spec.width), static_cast<double>(cell / spec.width));
  feature.attributes.emplace_back("outlet_x", xy[0]);
  feature.attributes.emplace_back("outlet_y", xy[1]);
}

void add_figures(io::Feature& feature, const hydrology::BasinFigures& figures) {
  feature.attributes.emplace_back("area_km2", figures.area_m2 * 1e-6);
  feature.attributes.emplace_back("min_m", figures.min_m);
  feature.attributes.emplace_back("mean_m", figures.mean_m);
  feature.attributes.emplace_back("max_m", figures.max_m);
  feature.attributes.emplace_back("hypsometric_integral", figures.hypsometric_integral());
}

std::string point_text(const MapPoint& p) {
  return format_number(p[0]) + "," + format_number(p[1]);
}

Result<std::vector<std::int64_t>> snapped(const std::vector<MapPoint>& outlets, double snap_m,
                                          const BasinInputs& inputs, const GridSpec& spec,
                                          const CellGeometry& geometry) {
  std::vector<std::int64_t> cells;
  std::map<std::int64_t, std::size_t> taken;
  for (std::size_t i = 0; i < outlets.size(); ++i) {
    const auto at = to_grid(spec, outlets[i][0], outlets[i][1]);
    const std::int64_t cell = hydrology::snap_outlet(inputs.area_m2, geometry, at[0], at[1], snap_m);
    if (cell < 0) return input_error("the outlet lies where the map has no data", point_text(outlets[i]));
    const auto [other, is_new] = taken.emplace(cell, i);
    if (!is_new)
      return input_error("comes to lie in the same cell as the outlet " + point_text(outlets[other->second]) +
                             "; leave one out or lower --snap-m",
                         point_text(outlets[i]));
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace

Result<std::vector<MapPoint>> read_outlets(const std::string& file) {
  const Result<io::Layer> layer = io::read_geojson(file);
  if (!layer) return layer.error();
  std::vector<MapPoint> points;
  for (const io::Feature& feature : layer->features) {
    if (feature.kind != io::GeometryKind::point || feature.parts.empty() || feature.parts.front().empty())
      return input_error("outlets must be points", file);
    points.push_back({feature.parts.front().front()[0], feature.parts.front().front()[1]});
  }
  if (points.empty()) return input_error("has no points", file);
  return points;
}

Status check_outlet(const MapPoint& outlet, const GridSpec& spec) {
  const auto at = to_grid(spec, outlet[0], outlet[1]);
  const bool inside = at[0] >= -0.5 && at[1] >= -0.5 && at[0] <= spec.width - 0.5 && at[1] <= spec.height - 0.5;
  if (inside) return {};
  const auto first = to_map(spec, -0.5, spec.height - 0.5), last = to_map(spec, spec.width - 0.5, -0.5);
  return input_error(
      "the outlet lies outside of the map, which goes from " + point_text(first) + " to " + point_text(last),
      point_text(outlet));
}

Status write_watersheds(const std::vector<MapPoint>& outlets, double snap_m, const BasinInputs& inputs,
                        const GridSpec& spec, const CellGeometry& geometry, Writer& writer, const Exec& exec) {
  const Result<std::vector<std::int64_t>> cells = snapped(outlets, snap_m, inputs, spec, geometry);
  if (!cells) return cells.error();
  Grid<std::int32_t> labels(spec.width, spec.height);
  const auto watersheds = hydrology::label_watersheds(inputs.directions, *cells, labels, exec);
  if (!watersheds) return watersheds.error();
  const auto count = static_cast<std::int64_t>(watersheds->size());
  const auto figures = hydrology::measure_basins(labels.view(), count, inputs.height, geometry);
  const auto outlines = hydrology::trace_basins(labels.view(), count);
  std::vector<double> own;
  for (const auto& f : figures) own.push_back(f.area_m2 * 1e-6);
  const std::vector<double> total = hydrology::nested_total(*watersheds, own);
  io::Layer layer = make_layer("watersheds", spec);
  layer.has_z = false;
  for (std::size_t i = 0; i < watersheds->size(); ++i) {
    io::Feature f = polygon_feature(outlines[i], 0, spec);
    f.attributes = {{"id", std::int64_t{(*watersheds)[i].id}},
                    {"downstream", std::int64_t{(*watersheds)[i].downstream}}};
    add_outlet(f, (*cells)[i], spec);
    add_figures(f, figures[i]);
    f.attributes.emplace_back("total_area_km2", total[i]);
    layer.features.push_back(std::move(f));
  }
  io::GeoTiffOptions options;
  options.nodata = -1;
  THALWEG_TRY(writer.raster<std::int32_t>("watersheds.tif", "watersheds", "1", labels.view(), spec, options));
  return writer.layer("watersheds.geojson", "polygons", layer);
}

Status write_subbasins(int levels, double min_tributary_km2, const BasinInputs& inputs, const GridSpec& spec,
                       const CellGeometry& geometry, Writer& writer, const Exec& exec) {
  hydrology::PfafstetterParams params;
  params.levels = levels;
  params.min_tributary_km2 = min_tributary_km2;
  Grid<std::int32_t> labels(spec.width, spec.height);
  const auto parts =
      hydrology::label_pfafstetter(inputs.directions, inputs.area_m2, inputs.basins, params, labels, exec);
  if (!parts) return parts.error();
  const auto count = static_cast<std::int64_t>(parts->size());
  const auto figures = hydrology::measure_basins(labels.view(), count, inputs.height, geometry);
  const auto outlines = hydrology::trace_basins(labels.view(), count);
  io::Layer layer = make_layer("subbasins", spec);
  layer.has_z = false;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const hydrology::SubBasin& part = (*parts)[i];
    io::Feature f = polygon_feature(outlines[i], 0, spec);
    f.attributes = {{"id", std::int64_t{part.label}},
                    {"basin", std::int64_t{part.region}},
                    {"pfafstetter", part.code},
                    {"downstream", std::int64_t{part.downstream}}};
    add_outlet(f, part.outlet_cell, spec);
    add_figures(f, figures[i]);
    layer.features.push_back(std::move(f));
  }
  io::GeoTiffOptions options;
  options.nodata = -1;
  THALWEG_TRY(writer.raster<std::int32_t>("subbasins.tif", "subbasins", "1", labels.view(), spec, options));
  return writer.layer("subbasins.geojson", "polygons", layer);
}

}  // namespace thalweg::folder
