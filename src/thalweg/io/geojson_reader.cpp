#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "thalweg/io/files.h"
#include "thalweg/io/vectors.h"

namespace thalweg::io {
namespace {
using Json = nlohmann::ordered_json;
using Positions = std::vector<std::array<double, 3>>;

// Line and column of a byte, both from 1, as editors count.
std::string line_and_column(const std::string& text, std::size_t byte) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

// Objects and lists within each other; our own files have 7 levels. Deep nesting is an attack on the stack.
constexpr int kMaxNesting = 64;
int nesting(const std::string& text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = ++depth > deepest ? depth : deepest;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

std::string text_member(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Whether third coordinates were met, and positions without one.
struct ThirdCoordinates {
  bool some = false;
  bool missing = false;
};

bool read_position(const Json& json, std::array<double, 3>& p, ThirdCoordinates& z) {
  if (!json.is_array() || json.size() < 2) return false;
  for (std::size_t i = 0; i < json.size() && i < 3; ++i) {
    if (!json[i].is_number()) return false;
    p[i] = json[i].get<double>();
    if (!std::isfinite(p[i])) return false;
  }
  (json.size() > 2 ? z.some : z.missing) = true;
  return true;
}

bool read_positions(const Json& json, Positions& out, ThirdCoordinates& z) {
  if (!json.is_array()) return false;
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!read_position(json[i], out[i], z)) return false;
  }
  return true;
}

bool read_rings(const Json& json, Feature& feature, ThirdCoordinates& z) {
  if (!json.is_array()) return false;
  bool first = true;
  for (const Json& ring : json) {
    feature.part_begins_polygon.push_back(first);
    first = false;
    if (!read_positions(ring, feature.parts.emplace_back(), z)) return false;
  }
  return true;
}

// "" where the geometry was read, else what is wrong with it.
std::string read_geometry(const Json& geometry, Feature& feature, ThirdCoordinates& z) {
  if (!geometry.is_object()) return "has no geometry";
  const std::string type = text_member(geometry, "type");
  const auto it = geometry.find("coordinates");
  if (it == geometry.end()) return "has no coordinates";
  bool good = false;
  if (type == "Point") {
    feature.kind = GeometryKind::point;
    good = read_position(*it, feature.parts.emplace_back().emplace_back(), z);
  } else if (type == "LineString") {
    feature.kind = GeometryKind::line;
    good = read_positions(*it, feature.parts.emplace_back(), z);
  } else if (type == "Polygon") {
    feature.kind = GeometryKind::polygon;
    good = read_rings(*it, feature, z);
    feature.part_begins_polygon.clear();
  } else if (type == "MultiPolygon") {
    feature.kind = GeometryKind::multi_polygon;
    good = it->is_array();
    for (std::size_t i = 0; good && i < it->size(); ++i) good = read_rings((*it)[i], feature, z);
  } else {
    return "is a '" + type + "'; Point, LineString, Polygon and MultiPolygon can be read";
  }
  return good ? "" : "has coordinates that are not lists of finite numbers";
}

AttributeValue read_value(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return json.get<double>();
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (json.is_string()) return json.get<std::string>();
  return json.dump();
}

Result<Layer> read_collection(const Json& root, const std::string& path) {
  if (!root.is_object() || text_member(root, "type") != "FeatureCollection") {
    return input_error("is not a GeoJSON FeatureCollection", path);
  }
  const auto features = root.find("features");
  if (features == root.end() || !features->is_array()) return input_error("has no list of features", path);
  Layer layer;
  layer.has_z = false;
  layer.name = text_member(root, "name");
  if (const auto crs = root.find("crs"); crs != root.end() && crs->is_object()) {
    const auto properties = crs->find("properties");
    if (properties != crs->end() && properties->is_object()) layer.crs_name = text_member(*properties, "name");
  }
  for (std::size_t i = 0; i < features->size(); ++i) {
    const Json& json = (*features)[i];
    const auto wrong = [&](const std::string& what) {
      return input_error("feature " + std::to_string(i) + " " + what, path);
    };
    if (!json.is_object()) return wrong("is not an object");
    Feature& feature = layer.features.emplace_back();
    const auto geometry = json.find("geometry");
    ThirdCoordinates z;
    const std::string fault = geometry == json.end() ? "has no geometry" : read_geometry(*geometry, feature, z);
    layer.has_z |= z.some;
    feature.lacks_z = z.missing;
    if (!fault.empty()) return wrong(fault);
    if (const auto properties = json.find("properties"); properties != json.end() && properties->is_object()) {
      for (const auto& [key, value] : properties->items()) feature.attributes.emplace_back(key, read_value(value));
    }
  }
  return layer;
}
}  // namespace

Result<Layer> read_geojson(const std::string& path) {
  Result<std::string> text = read_text_file(path);
  if (!text) return std::move(text).error();
  if (nesting(*text) > kMaxNesting) return input_error("nests deeper than any GeoJSON", path);
  try {
    return read_collection(Json::parse(*text), path);
  } catch (const Json::parse_error& e) {
    return input_error("is not valid JSON", path + ":" + line_and_column(*text, e.byte));
  } catch (const std::bad_alloc&) {
    return machine_error("out of memory", path);
  } catch (const Json::exception& e) {
    return input_error(std::string("is not readable as GeoJSON: ") + e.what(), path);
  }
}

}  // namespace thalweg::io
