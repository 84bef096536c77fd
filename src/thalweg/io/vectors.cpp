#include "thalweg/io/vectors.h"

#include <cmath>

#include "thalweg/io/files.h"
#include "thalweg/io/json_text.h"

namespace thalweg::io {
namespace {
std::string_view geojson_type(GeometryKind kind) {
  switch (kind) {
    case GeometryKind::point:
      return "Point";
    case GeometryKind::line:
      return "LineString";
    case GeometryKind::polygon:
      return "Polygon";
    case GeometryKind::multi_polygon:
      return "MultiPolygon";
  }
  return "";
}

void append_position(std::string& out, const std::array<double, 3>& p, bool has_z) {
  out += '[';
  append_number(out, p[0]);
  out += ',';
  append_number(out, p[1]);
  if (has_z) {
    out += ',';
    append_number(out, p[2]);
  }
  out += ']';
}

void append_positions(std::string& out, const std::vector<std::array<double, 3>>& part, bool has_z) {
  out += '[';
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i > 0) out += ',';
    append_position(out, part[i], has_z);
  }
  out += ']';
}

bool begins_polygon(const Feature& feature, std::size_t part) {
  if (part == 0) return true;
  return part < feature.part_begins_polygon.size() && feature.part_begins_polygon[part];
}

void append_coordinates(std::string& out, const Feature& feature, bool has_z) {
  const bool empty = feature.parts.empty();
  switch (feature.kind) {
    case GeometryKind::point:
      if (empty || feature.parts[0].empty()) {
        out += "[]";
      } else {
        append_position(out, feature.parts[0][0], has_z);
      }
      return;
    case GeometryKind::line:
      if (empty) {
        out += "[]";
      } else {
        append_positions(out, feature.parts[0], has_z);
      }
      return;
    case GeometryKind::polygon:
    case GeometryKind::multi_polygon:
      break;
  }
  const bool multi = feature.kind == GeometryKind::multi_polygon;
  out += '[';
  for (std::size_t i = 0; i < feature.parts.size(); ++i) {
    const bool opens = multi && begins_polygon(feature, i);
    if (i > 0) out += opens ? "]," : ",";
    if (opens) out += '[';
    append_positions(out, feature.parts[i], has_z);
  }
  if (multi && !empty) out += ']';
  out += ']';
}

void append_value(std::string& out, const AttributeValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) append_integer(out, *integer);
  if (const auto* real = std::get_if<double>(&value)) append_real(out, *real);
  if (const auto* flag = std::get_if<bool>(&value)) out += *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) append_string(out, *text);
}

void append_feature(std::string& out, const Feature& feature, bool has_z) {
  out += R"({"type":"Feature","properties":{)";
  bool first = true;
  for (const auto& [name, value] : feature.attributes) {
    if (!first) out += ',';
    first = false;
    append_string(out, name);
    out += ':';
    append_value(out, value);
  }
  out += R"(},"geometry":{"type":")";
  out += geojson_type(feature.kind);
  out += R"(","coordinates":)";
  append_coordinates(out, feature, has_z);
  out += "}}";
}

bool all_finite(const Feature& feature, bool has_z) {
  for (const auto& part : feature.parts) {
    for (const auto& p : part) {
      if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || (has_z && !std::isfinite(p[2]))) return false;
    }
  }
  return true;
}
}  // namespace

std::string to_geojson(const Layer& layer) {
  std::string out = "{\n\"type\":\"FeatureCollection\",\n\"name\":";
  append_string(out, layer.name);
  if (!layer.crs_name.empty()) {
    out += R"(,
"crs":{"type":"name","properties":{"name":)";
    append_string(out, layer.crs_name);
    out += "}}";
  }
  out += ",\n\"features\":[";
  for (std::size_t i = 0; i < layer.features.size(); ++i) {
    out += i > 0 ? ",\n" : "\n";
    append_feature(out, layer.features[i], layer.has_z);
  }
  out += "\n]\n}\n";
  return out;
}

Status check_coordinates(const Layer& layer, const std::string& path) {
  for (std::size_t i = 0; i < layer.features.size(); ++i) {
    if (!all_finite(layer.features[i], layer.has_z)) {
      return input_error("feature " + std::to_string(i) + " of layer '" + layer.name + "' has a coordinate that is " +
                             "not a finite number",
                         path);
    }
  }
  return {};
}

Status write_geojson(const std::string& path, const Layer& layer) {
  THALWEG_TRY(check_coordinates(layer, path));
  return guard_memory([&] { return write_text_file(path, to_geojson(layer)); });
}

ContentHash content_hash(const Layer& layer) {
  ContentHasher hasher;
  hasher.add_text("vectors");
  hasher.add_u64(layer.has_z && !layer.features.empty() ? 1 : 0);  // a file without features cannot tell
  hasher.add_u64(layer.features.size());
  for (const Feature& feature : layer.features) {
    hasher.add_u64(static_cast<std::uint64_t>(feature.kind));
    hasher.add_u64(feature.parts.size());
    for (std::size_t i = 0; i < feature.parts.size(); ++i) {
      hasher.add_u64(feature.kind == GeometryKind::multi_polygon && begins_polygon(feature, i) ? 1 : 0);
      hasher.add_u64(feature.parts[i].size());
      for (const auto& p : feature.parts[i]) {
        hasher.add_f64(p[0]);
        hasher.add_f64(p[1]);
        if (layer.has_z) hasher.add_f64(p[2]);
      }
    }
    hasher.add_u64(feature.attributes.size());
    for (const auto& [name, value] : feature.attributes) {
      hasher.add_text(name);
      hasher.add_u64(value.index());
      if (const auto* integer = std::get_if<std::int64_t>(&value)) hasher.add_u64(static_cast<std::uint64_t>(*integer));
      if (const auto* real = std::get_if<double>(&value)) hasher.add_f64(*real);
      if (const auto* flag = std::get_if<bool>(&value)) hasher.add_u64(*flag ? 1 : 0);
      if (const auto* text = std::get_if<std::string>(&value)) hasher.add_text(*text);
    }
  }
  return hasher.digest();
}

}  // namespace thalweg::io
