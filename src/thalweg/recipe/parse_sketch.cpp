// Reads `[[sketch]]` tables.
#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/recipe/toml_values-inl.h"

namespace thalweg::recipe {
namespace {

using shape::SketchKind;
using shape::SketchPoint;
using Part = std::vector<SketchPoint>;

constexpr double kFarthest_m = 1e9;
constexpr double kHighest_m = 1e5;

class SketchReader {
 public:
  explicit SketchReader(const std::string& file) : file_(file) {}

  Result<SketchSource> read(const toml::node& node) {
    if (!node.is_table()) return input_error("a sketch must be a table: [[sketch]]", place(node));
    const toml::table& table = *node.as_table();
    THALWEG_TRY(read_name(node, table));
    for (const auto& [key, value] : table) THALWEG_TRY(read_key(std::string(key.str()), value, place(key.source())));
    if (shapes_.empty())
      return input_error("sketch '" + source_.sketch.name +
                             "' has no shape; give one of point, points, line, lines, polygon, polygons, file",
                         source_.place);
    if (source_.file.empty()) THALWEG_TRY(finish_sketch(source_, source_.place));
    return std::move(source_);
  }

 private:
  std::string place(const toml::source_region& region) const { return place_of(file_, region); }
  std::string place(const toml::node& node) const { return place_of(file_, node.source()); }

  Status read_name(const toml::node& node, const toml::table& table) {
    const toml::node* name = table.get("name");
    if (name == nullptr) return input_error("a sketch needs name = \"...\"", place(node));
    if (!name->is_string() || name->as_string()->get().empty() || name->as_string()->get().size() > 64)
      return input_error("name must be a text of 1 to 64 letters in quotes", place(*name));
    source_.sketch.name = name->as_string()->get();
    source_.place = place(*name);
    return {};
  }

  Status read_key(const std::string& key, const toml::node& value, const std::string& key_place) {
    static const std::vector<std::string> kKeys = {"name",  "height_m", "point",    "points", "line",
                                                   "lines", "polygon",  "polygons", "file"};
    if (key == "name") return {};
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      return unknown_key("key in [[sketch]]", key, kKeys, key_place);
    if (key == "height_m") {
      const Result<double> height = number_of(value, key, -kHighest_m, kHighest_m, file_);
      if (!height) return height.error();
      source_.height_m = *height;
      return {};
    }
    if (!shapes_.empty())
      return input_error("a sketch has one shape, not both '" + shapes_ + "' and '" + key + "'", source_.place);
    shapes_ = key;
    if (key == "file") {
      if (!value.is_string() || value.as_string()->get().empty())
        return input_error("file must be a text in quotes: the path of a GeoJSON file", place(value));
      source_.file = value.as_string()->get();
      source_.file_place = place(value);
      return {};
    }
    return read_shape(key, value);
  }

  Status read_shape(const std::string& key, const toml::node& value) {
    source_.loaded = true;
    shape::Sketch& sketch = source_.sketch;
    sketch.kind = key.starts_with("point")  ? SketchKind::points
                  : key.starts_with("line") ? SketchKind::lines
                                            : SketchKind::polygons;
    if (key == "point") return read_vertex(value, sketch.parts.emplace_back());
    if (key == "line" || key == "polygon") return read_part(key, value, sketch.parts.emplace_back());
    if (!value.is_array()) return input_error(key + " must be a list", place(value));
    for (const toml::node& entry : *value.as_array()) {
      Part& part = sketch.parts.emplace_back();
      if (key == "points") {
        THALWEG_TRY(read_vertex(entry, part));
      } else {
        THALWEG_TRY(read_part(key, entry, part));
      }
    }
    return {};
  }

  Status read_part(const std::string& key, const toml::node& value, Part& part) const {
    if (!value.is_array())
      return input_error(key + (key.ends_with('s') ? " must be a list of lists of points [[[x, y], [x, y]], ...]"
                                                   : " must be a list of points [[x, y], [x, y], ...]"),
                         place(value));
    for (const toml::node& vertex : *value.as_array()) THALWEG_TRY(read_vertex(vertex, part));
    return {};
  }

  Status read_vertex(const toml::node& node, Part& part) const {
    const std::optional<ParamValue> value = value_of(node);
    const Numbers* v = value ? std::get_if<Numbers>(&*value) : nullptr;
    if (v == nullptr || v->size() < 2 || v->size() > 3)
      return input_error(
          "a point must be [x, y] or [x, y, height], in metres east and north of the extent's "
          "south-west corner",
          place(node));
    for (std::size_t i = 0; i < v->size(); ++i) {
      const double limit = i < 2 ? kFarthest_m : kHighest_m;
      if (!std::isfinite((*v)[i]) || std::fabs((*v)[i]) > limit)
        return input_error(std::string(i < 2 ? "coordinates" : "heights") + " must be from " + format_number(-limit) +
                               " to " + format_number(limit) + " m",
                           place(node));
    }
    part.push_back({(*v)[0], (*v)[1], v->size() > 2 ? (*v)[2] : std::numeric_limits<double>::quiet_NaN()});
    return {};
  }

  const std::string& file_;
  SketchSource source_;
  std::string shapes_;  // key of the shape read
};

}  // namespace

Result<SketchSource> read_sketch(const toml::node& node, const std::string& file) {
  return SketchReader(file).read(node);
}

Status finish_sketch(SketchSource& source, const std::string& place) {
  shape::Sketch& sketch = source.sketch;
  std::int64_t with = 0;
  std::int64_t without = 0;
  for (Part& part : sketch.parts)
    for (SketchPoint& p : part) {
      if (std::isnan(p.height_m) && source.height_m) p.height_m = *source.height_m;
      ++(std::isnan(p.height_m) ? without : with);
    }
  const std::string name = "sketch '" + sketch.name + "'";
  if (with > 0 && without > 0)
    return input_error(name + ": " + std::to_string(without) +
                           " of its points have no height; give them one, or all "
                           "of them height_m = ...",
                       place);
  sketch.has_heights = with > 0;
  for (Part& part : sketch.parts)
    for (SketchPoint& p : part)
      if (std::isnan(p.height_m)) p.height_m = 0;
  if (Status s = shape::check_sketch(sketch); !s) return input_error(name + ": " + s.error().message, place);
  return {};
}

}  // namespace thalweg::recipe
