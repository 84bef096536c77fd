#include "thalweg/folder/vector_layers.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "thalweg/io/gdal/raster.h"

namespace thalweg::folder {
namespace {

constexpr std::string_view kEndNames[] = {"confluence", "sea", "lake", "edge", "pit"};

const io::AttributeValue* attribute(const io::Feature& feature, std::string_view name) {
  for (const auto& [key, value] : feature.attributes)
    if (key == name) return &value;
  return nullptr;
}

Result<double> number(const io::Feature& feature, std::string_view name) {
  const io::AttributeValue* v = attribute(feature, name);
  if (v != nullptr) {
    if (const auto* d = std::get_if<double>(v)) return *d;
    if (const auto* i = std::get_if<std::int64_t>(v)) return static_cast<double>(*i);
  }
  return input_error("a feature has no number '" + std::string(name) + "'");
}

}  // namespace

io::Layer make_layer(std::string name, const GridSpec& spec) {
  io::Layer layer;
  layer.name = std::move(name);
  if (spec.georeference) {
    layer.crs_wkt = spec.georeference->crs_wkt;
    layer.crs_name = io::crs_urn(spec.georeference->crs_wkt);
  }
  return layer;
}

std::array<double, 2> to_map(const GridSpec& spec, double column, double row) {
  if (spec.georeference) return spec.georeference->cell_centre(column, row);
  return {(static_cast<double>(spec.origin_x) + column) * spec.cell_m,
          -(static_cast<double>(spec.origin_y) + row) * spec.cell_y_m};
}

std::array<double, 2> to_grid(const GridSpec& spec, double x, double y) {
  if (spec.georeference) {
    const auto& t = spec.georeference->transform;
    return {(x - t[0]) / t[1] - 0.5, (y - t[3]) / t[5] - 0.5};
  }
  return {x / spec.cell_m - static_cast<double>(spec.origin_x),
          -y / spec.cell_y_m - static_cast<double>(spec.origin_y)};
}

io::Layer rivers_layer(const hydrology::RiverNetwork& network, const GridSpec& spec) {
  io::Layer layer = make_layer("rivers", spec);
  for (const hydrology::Reach& reach : network.reaches) {
    io::Feature f;
    f.kind = io::GeometryKind::line;
    auto& line = f.parts.emplace_back();
    line.reserve(reach.points.size());
    for (const auto& p : reach.points) {
      const auto xy = to_map(spec, p.x, p.y);
      line.push_back({xy[0], xy[1], p.z_m});
    }
    f.attributes = {{"id", std::int64_t{reach.id}},
                    {"river", std::int64_t{reach.river}},
                    {"downstream", std::int64_t{reach.downstream}},
                    {"end", std::string(kEndNames[static_cast<std::size_t>(reach.end)])},
                    {"source", reach.begins_at_source},
                    {"order", std::int64_t{reach.strahler}},
                    {"shreve", std::int64_t{reach.shreve}},
                    {"length_m", reach.length_m},
                    {"area_m2", reach.area_m2},
                    {"discharge_m3_s", reach.discharge_m3_s},
                    {"width_m", reach.width_m},
                    {"depth_m", reach.depth_m}};
    layer.features.push_back(std::move(f));
  }
  return layer;
}

io::Feature polygon_feature(const std::vector<hydrology::Ring>& rings, double z_m, const GridSpec& spec) {
  io::Feature f;
  int outer = 0;
  for (const hydrology::Ring& ring : rings) {
    auto& part = f.parts.emplace_back();
    for (std::size_t i = 0; i + 1 < ring.xy.size(); i += 2) {
      // Outlines run along cell corners: the corner (0, 0) lies half a cell before the first centre.
      const auto xy = to_map(spec, ring.xy[i] - 0.5, ring.xy[i + 1] - 0.5);
      part.push_back({xy[0], xy[1], z_m});
    }
    f.part_begins_polygon.push_back(!ring.hole);
    if (!ring.hole) ++outer;
  }
  f.kind = outer > 1 ? io::GeometryKind::multi_polygon : io::GeometryKind::polygon;
  return f;
}

io::Layer lakes_layer(const std::vector<hydrology::Lake>& lakes, const GridSpec& spec) {
  io::Layer layer = make_layer("lakes", spec);
  for (const hydrology::Lake& lake : lakes) {
    io::Feature f = polygon_feature(lake.outline, lake.level_m, spec);
    f.attributes = {{"id", std::int64_t{lake.id}},
                    {"level_m", lake.level_m},
                    {"area_m2", lake.area_m2},
                    {"volume_m3", lake.volume_m3},
                    {"mean_depth_m", lake.mean_depth_m()},
                    {"max_depth_m", lake.max_depth_m}};
    layer.features.push_back(std::move(f));
  }
  return layer;
}

Result<hydrology::RiverNetwork> network_from_layer(const io::Layer& layer, const GridSpec& spec) {
  hydrology::RiverNetwork network;
  for (const io::Feature& f : layer.features) {
    if (f.kind != io::GeometryKind::line || f.parts.size() != 1 || f.parts.front().empty())
      return input_error("rivers must be simple lines");
    hydrology::Reach reach;
    for (const auto& p : f.parts.front()) {
      const auto xy = to_grid(spec, p[0], p[1]);
      reach.points.push_back({xy[0], xy[1], p[2]});
    }
    const auto id = number(f, "id");
    if (!id) return id.error();
    const auto downstream = number(f, "downstream");
    if (!downstream) return downstream.error();
    reach.id = static_cast<std::int32_t>(*id);
    reach.downstream = static_cast<std::int32_t>(*downstream);
    const io::AttributeValue* end = attribute(f, "end");
    const auto* text = end != nullptr ? std::get_if<std::string>(end) : nullptr;
    const auto* found =
        text != nullptr ? std::find(std::begin(kEndNames), std::end(kEndNames), *text) : std::end(kEndNames);
    if (found == std::end(kEndNames))
      return input_error("river " + std::to_string(reach.id) + " has no 'end' of confluence, sea, lake, edge or pit");
    reach.end = static_cast<hydrology::ReachEnd>(found - std::begin(kEndNames));
    if (const auto order = number(f, "order")) reach.strahler = static_cast<int>(*order);
    network.reaches.push_back(std::move(reach));
  }
  return network;
}

Result<Grid<float>> lake_levels(const io::Layer& layer, const GridSpec& spec) {
  Grid<float> levels(spec.width, spec.height, kNoData<float>);
  std::vector<double> crossings;
  for (const io::Feature& f : layer.features) {
    const auto level = number(f, "level_m");
    if (!level) return level.error();
    // Even-odd rule along every row of cell centres; the outlines run along cell corners, so no centre is on a line.
    std::vector<std::vector<std::array<double, 2>>> rings;
    double top = spec.height;
    double bottom = -1;
    for (const auto& part : f.parts) {
      auto& ring = rings.emplace_back();
      for (const auto& p : part) {
        ring.push_back(to_grid(spec, p[0], p[1]));
        top = std::min(top, ring.back()[1]);
        bottom = std::max(bottom, ring.back()[1]);
      }
    }
    const int first = std::max(0, static_cast<int>(std::floor(top)));
    const int last = std::min(spec.height - 1, static_cast<int>(std::ceil(bottom)));
    for (int y = first; y <= last; ++y) {
      crossings.clear();
      for (const auto& ring : rings)
        for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
          const auto& a = ring[i];
          const auto& b = ring[i + 1];
          if ((a[1] <= y) != (b[1] <= y)) crossings.push_back(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
        }
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
        const int from = std::max(0, static_cast<int>(std::ceil(crossings[i])));
        const int to = std::min(spec.width - 1, static_cast<int>(std::floor(crossings[i + 1])));
        for (int x = from; x <= to; ++x) levels(x, y) = static_cast<float>(*level);
      }
    }
  }
  return levels;
}

}  // namespace thalweg::folder
