// Points, lines and polygons with attributes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/result.h"

namespace thalweg::io {

enum class GeometryKind { point, line, polygon, multi_polygon };

using AttributeValue = std::variant<std::int64_t, double, bool, std::string>;

/// One vector object. `parts`: for a line one list of coordinates; for a polygon its rings, the outer one first; for a
/// multi-polygon all rings of all polygons with `part_begins_polygon` true at each outer ring.
struct Feature {
  GeometryKind kind = GeometryKind::line;
  std::vector<std::vector<std::array<double, 3>>> parts;  ///< x, y, z in the layer's CRS
  std::vector<bool> part_begins_polygon;
  bool lacks_z = false;  ///< read from a file where some of its coordinates have no z: those are 0
  std::vector<std::pair<std::string, AttributeValue>> attributes;  ///< in a fixed order, the same for all features
};

struct Layer {
  std::string name;
  std::string crs_wkt;   ///< "" where unknown
  std::string crs_name;  ///< e.g. "urn:ogc:def:crs:EPSG::32611", written as the `crs` member; "" to leave it out
  bool has_z = true;
  std::vector<Feature> features;
};

/// GeoJSON text, one feature per line, numbers in the shortest form that reads back equal, locale-free. Attributes that
/// are NaN or infinite become null; double attributes always carry a point or exponent, so that types survive.
std::string to_geojson(const Layer& layer);
/// Refuses coordinates that are not finite.
Status write_geojson(const std::string& path, const Layer& layer);
/// An input error naming `path` and the first feature with a coordinate that is not finite (z only where the layer has
/// it).
Status check_coordinates(const Layer& layer, const std::string& path);
/// Reads what write_geojson wrote (and any GeoJSON FeatureCollection of these geometry kinds). Null attributes become
/// NaN; attributes that are objects or lists become their JSON text. Errors name line and column, or the feature.
Result<Layer> read_geojson(const std::string& path);
/// Hash of a layer's content in its order: kinds, coordinates as doubles, attributes. Not of its name and CRS, so the
/// hash survives write_geojson and read_geojson.
ContentHash content_hash(const Layer& layer);

}  // namespace thalweg::io
