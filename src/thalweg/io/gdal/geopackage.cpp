#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "thalweg/io/files.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/gdal/session.h"

namespace thalweg::io {
namespace {
using Positions = std::vector<std::array<double, 3>>;

void add_points(OGRSimpleCurve& curve, const Positions& positions, bool has_z) {
  for (const auto& p : positions) {
    if (has_z) {
      curve.addPoint(p[0], p[1], p[2]);
    } else {
      curve.addPoint(p[0], p[1]);
    }
  }
}

void add_ring(OGRPolygon& polygon, const Positions& positions, bool has_z) {
  auto ring = std::make_unique<OGRLinearRing>();
  add_points(*ring, positions, has_z);
  ring->closeRings();
  polygon.addRingDirectly(ring.release());
}

std::unique_ptr<OGRGeometry> build_polygons(const Feature& feature, bool has_z, bool multi) {
  auto all = std::make_unique<OGRMultiPolygon>();
  std::unique_ptr<OGRPolygon> polygon;
  for (std::size_t i = 0; i < feature.parts.size(); ++i) {
    const bool begins = i == 0 || (feature.kind == GeometryKind::multi_polygon &&
                                   i < feature.part_begins_polygon.size() && feature.part_begins_polygon[i]);
    if (begins && polygon) all->addGeometryDirectly(polygon.release());
    if (!polygon) polygon = std::make_unique<OGRPolygon>();
    add_ring(*polygon, feature.parts[i], has_z);
  }
  if (!polygon) polygon = std::make_unique<OGRPolygon>();
  if (!multi) return polygon;
  if (!polygon->IsEmpty()) all->addGeometryDirectly(polygon.release());
  return all;
}

// `multi`: the table holds multi-polygons, so single ones are wrapped.
std::unique_ptr<OGRGeometry> build_geometry(const Feature& feature, bool has_z, bool multi) {
  switch (feature.kind) {
    case GeometryKind::point: {
      auto point = std::make_unique<OGRPoint>();
      if (!feature.parts.empty() && !feature.parts[0].empty()) {
        const auto& p = feature.parts[0][0];
        point->setX(p[0]);
        point->setY(p[1]);
        if (has_z) point->setZ(p[2]);
      }
      return point;
    }
    case GeometryKind::line: {
      auto line = std::make_unique<OGRLineString>();
      if (!feature.parts.empty()) add_points(*line, feature.parts[0], has_z);
      return line;
    }
    case GeometryKind::polygon:
    case GeometryKind::multi_polygon:
      break;
  }
  return build_polygons(feature, has_z, multi);
}

OGRwkbGeometryType table_type(const Layer& layer) {
  bool points = false;
  bool lines = false;
  bool polygons = false;
  bool multi = false;
  for (const Feature& feature : layer.features) {
    points |= feature.kind == GeometryKind::point;
    lines |= feature.kind == GeometryKind::line;
    polygons |= feature.kind == GeometryKind::polygon || feature.kind == GeometryKind::multi_polygon;
    multi |= feature.kind == GeometryKind::multi_polygon;
  }
  OGRwkbGeometryType type = wkbUnknown;
  if (points + lines + polygons == 1)
    type = points ? wkbPoint : lines ? wkbLineString : multi ? wkbMultiPolygon : wkbPolygon;
  return layer.has_z ? wkbSetZ(type) : type;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// A name for the table's own column that no attribute has.
std::string free_column(const Layer& layer, std::string name) {
  const auto taken = [&] {
    return std::any_of(layer.features.begin(), layer.features.end(), [&](const Feature& feature) {
      return std::any_of(feature.attributes.begin(), feature.attributes.end(),
                         [&](const auto& attribute) { return lower(attribute.first) == name; });
    });
  };
  while (taken()) name += '_';
  return name;
}

bool create_field(OGRLayer& table, const std::string& name, const AttributeValue& value) {
  OGRFieldDefn field(name.c_str(), OFTString);
  if (std::holds_alternative<std::int64_t>(value)) field.SetType(OFTInteger64);
  if (std::holds_alternative<double>(value)) field.SetType(OFTReal);
  if (std::holds_alternative<bool>(value)) {
    field.SetType(OFTInteger);
    field.SetSubType(OFSTBoolean);
  }
  return table.CreateField(&field) == OGRERR_NONE;
}

void set_field(OGRFeature& row, int index, const AttributeValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) row.SetField(index, static_cast<GIntBig>(*integer));
  if (const auto* flag = std::get_if<bool>(&value)) row.SetField(index, *flag ? 1 : 0);
  if (const auto* text = std::get_if<std::string>(&value)) row.SetField(index, text->c_str());
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && std::isfinite(*real)) row.SetField(index, *real);
}

bool write_rows(OGRLayer& table, const Layer& layer, bool multi) {
  for (const Feature& feature : layer.features) {
    OGRFeature row(table.GetLayerDefn());
    for (const auto& [name, value] : feature.attributes) {
      int index = table.GetLayerDefn()->GetFieldIndex(name.c_str());
      if (index < 0) return false;
      set_field(row, index, value);
    }
    if (row.SetGeometryDirectly(build_geometry(feature, layer.has_z, multi).release()) != OGRERR_NONE) return false;
    if (table.CreateFeature(&row) != OGRERR_NONE) return false;
  }
  return true;
}

Status write_table(GdalSession& session, GDALDataset& dataset, const Layer& layer, const std::string& path) {
  OGRSpatialReference srs;
  srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  if (!layer.crs_wkt.empty() && srs.importFromWkt(layer.crs_wkt.c_str()) != OGRERR_NONE) {
    return input_error("the coordinate reference system of layer '" + layer.name + "' cannot be written", path);
  }
  CPLStringList options;
  options.SetNameValue("FID", free_column(layer, "fid").c_str());
  options.SetNameValue("GEOMETRY_NAME", free_column(layer, "geom").c_str());
  const OGRwkbGeometryType type = table_type(layer);
  OGRLayer* table = dataset.CreateLayer(layer.name.empty() ? "layer" : layer.name.c_str(),
                                        layer.crs_wkt.empty() ? nullptr : &srs, type, options.List());
  const auto failure = [&] {
    return session.error(ErrorCode::machine, "cannot write layer '" + layer.name + "'", path);
  };
  if (table == nullptr) return failure();
  for (const Feature& feature : layer.features) {
    for (const auto& [name, value] : feature.attributes) {
      if (table->GetLayerDefn()->GetFieldIndex(name.c_str()) < 0 && !create_field(*table, name, value))
        return failure();
    }
  }
  if (!write_rows(*table, layer, wkbFlatten(type) == wkbMultiPolygon)) return failure();
  if (table->SyncToDisk() != OGRERR_NONE) return failure();
  return {};
}

Status write_file(const std::string& temporary, const std::string& path, const std::vector<Layer>& layers) {
  GdalSession session;
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  if (driver == nullptr) return machine_error("this GDAL cannot write GeoPackage", path);
  GDALDatasetUniquePtr dataset(driver->Create(temporary.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  if (dataset == nullptr) return session.error(ErrorCode::machine, "cannot write", path);
  for (const Layer& layer : layers) THALWEG_TRY(write_table(session, *dataset, layer, path));
  dataset->FlushCache(true);
  dataset.reset();
  if (session.failed()) return session.error(ErrorCode::machine, "cannot write", path);
  return {};
}
}  // namespace

Status write_geopackage(const std::string& path, const std::vector<Layer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    THALWEG_TRY(check_coordinates(layers[i], path));
    for (std::size_t j = 0; j < i; ++j) {
      if (lower(layers[i].name) == lower(layers[j].name)) {
        return input_error("two layers are named '" + layers[i].name + "'", path);
      }
    }
  }
  return guard_memory([&] {
    return write_atomically(path, [&](const std::string& temporary) { return write_file(temporary, path, layers); });
  });
}

std::string crs_urn(const std::string& crs_wkt) {
  if (crs_wkt.empty()) return "";
  const GdalSession session;
  OGRSpatialReference srs;
  if (srs.importFromWkt(crs_wkt.c_str()) != OGRERR_NONE) return "";
  const char* authority = srs.GetAuthorityName(nullptr);
  const char* code = srs.GetAuthorityCode(nullptr);
  if (authority == nullptr || code == nullptr || std::string(authority) != "EPSG") return "";
  if (std::string(code) == "4326") return "urn:ogc:def:crs:OGC:1.3:CRS84";
  return std::string("urn:ogc:def:crs:EPSG::") + code;
}

}  // namespace thalweg::io
