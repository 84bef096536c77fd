// The JSON schema of recipe files, for editors.
#include <algorithm>

#include "thalweg/recipe/json_text.h"
#include "thalweg/recipe/operators.h"

namespace thalweg::recipe {
namespace {

constexpr std::string_view kFieldPattern = "^[a-z0-9_]{0,64}$";

bool is_required(const Operator& op, const std::string& param) {
  return std::find(op.required.begin(), op.required.end(), param) != op.required.end();
}

// Whether a text parameter is the name of a field.
bool names_field(const Operator& op, const std::string& param) {
  const FieldUse use = op.fields({});
  const auto is_it = [&](const auto& u) { return u.param == param; };
  return param == "out" || std::any_of(use.reads.begin(), use.reads.end(), is_it) ||
         std::any_of(use.writes.begin(), use.writes.end(), is_it);
}

std::string param_schema(const Operator& op, const ParamInfo& p) {
  std::string out = "{\"description\": " + json_quote(p.unit.empty() ? p.help : p.help + " [" + p.unit + "]");
  if (!is_required(op, p.name)) out += ", \"default\": " + value_as_json(p.fallback);
  switch (p.kind) {
    case ParamKind::real:
    case ParamKind::integer:
      out += p.kind == ParamKind::real ? ", \"type\": \"number\"" : ", \"type\": \"integer\"";
      out += ", \"minimum\": " + format_number(p.min) + ", \"maximum\": " + format_number(p.max);
      break;
    case ParamKind::boolean:
      out += ", \"type\": \"boolean\"";
      break;
    case ParamKind::choice:
      out += ", \"enum\": " + names_as_json(p.choices);
      break;
    case ParamKind::text:
      out += ", \"type\": \"string\"";
      if (names_field(op, p.name)) out += ", \"pattern\": \"" + std::string(kFieldPattern) + "\"";
      if (is_required(op, p.name)) out += ", \"minLength\": 1";
      break;
    case ParamKind::numbers:
      out += ", \"type\": \"array\", \"maxItems\": " + std::to_string(kMostNumbers) +
             ", \"items\": {\"type\": \"number\", \"minimum\": " + format_number(p.min) +
             ", \"maximum\": " + format_number(p.max) + "}";
      break;
  }
  return out + "}";
}

// What a step may hold once its operator is known. Every key stands here, so that an unknown one is told as such.
std::string step_schema(const Operator& op) {
  std::string out = "{\"description\": " + json_quote(op.help) + ", \"required\": [\"op\"";
  for (const std::string& param : op.required) out += ", " + json_quote(param);
  out += "], \"additionalProperties\": false, \"properties\": {\n        \"op\": {\"const\": " + json_quote(op.name) +
         ", \"description\": " + json_quote(op.help) +
         "},\n        \"name\": {\"type\": \"string\", \"minLength\": 1, \"description\": \"for --set and messages\"}";
  if (op.maskable)
    out +=
        ",\n        \"mask\": {\"type\": \"string\", \"pattern\": \"^[a-z0-9_]{1,64}$\", \"description\": \"field 0 to "
        "1 that "
        "says where the step acts: the result is old + mask * (new - old)\"}";
  for (const ParamInfo& p : op.params) out += ",\n        " + json_quote(p.name) + ": " + param_schema(op, p);
  return out + "}}";
}

std::string operator_names() {
  std::vector<std::string> names;
  for (const Operator& op : operator_table()) names.push_back(op.name);
  return names_as_json(names);
}

// Top-level keys but steps.
constexpr const char* kHead = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Thalweg recipe",
  "type": "object",
  "required": ["format", "step"],
  "additionalProperties": false,
  "properties": {
    "format": {"const": "thalweg-recipe 1", "description": "stands first"},
    "title": {"type": "string", "description": "for people"},
    "seed": {"type": "integer", "minimum": 0, "default": 1, "description": "another number, another world"},
    "keep": {"type": "array", "uniqueItems": true, "description": "fields of the recipe's own that are results: each becomes NAME.tif",
      "items": {"type": "string", "pattern": "^[a-z0-9_]{1,64}$"}},
    "extent": {"type": "object", "additionalProperties": false, "description": "the place", "properties": {
      "size_m": {"description": "from the first sample to the last: one number or [west-east, north-south] [m]", "default": 8192,
        "if": {"type": "array"},
        "then": {"minItems": 2, "maxItems": 2, "items": {"type": "number", "minimum": 0.001, "maximum": 1000000000}},
        "else": {"type": "number", "minimum": 0.001, "maximum": 1000000000}},
      "cell_m": {"description": "distance of samples where the command line gives none [m]", "default": 8, "type": "number",
        "minimum": 0.001, "maximum": 1000000},
      "sea_level_m": {"description": "height of the sea [m]", "default": 0, "type": "number", "minimum": -100000, "maximum": 100000},
      "island": {"description": "the recipe promises sea all along the edge, and land", "type": "boolean", "default": false}}},
    "sketch": {"type": "array", "description": "points, lines and polygons that steps pull the land to, or measure from",
      "items": {"$ref": "#/definitions/sketch"}},
    "step": {"type": "array", "minItems": 1, "description": "operators over named fields, one after the other",
      "items": {"$ref": "#/definitions/step"}}
  },
  "definitions": {
    "vertex": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number"},
      "description": "[x, y] or [x, y, height]: metres east and north of the extent's south-west corner"},
    "part": {"type": "array", "minItems": 2, "items": {"$ref": "#/definitions/vertex"}},
    "ring": {"type": "array", "minItems": 3, "items": {"$ref": "#/definitions/vertex"}},
    "sketch": {"type": "object", "required": ["name"], "additionalProperties": false,
      "minProperties": 2,
      "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 64, "description": "by which steps call it"},
        "height_m": {"type": "number", "minimum": -100000, "maximum": 100000, "description": "of vertices without a height of their own [m]"},
        "point": {"$ref": "#/definitions/vertex"},
        "points": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/vertex"}},
        "line": {"$ref": "#/definitions/part"},
        "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/part"}},
        "polygon": {"$ref": "#/definitions/ring"},
        "polygons": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/ring"}, "description": "rings; inside is where an odd number of them encloses"},
        "file": {"type": "string", "minLength": 1, "description": "GeoJSON in metres; its path is relative to the recipe"}},
      "oneOf": [{"required": ["point"]}, {"required": ["points"]}, {"required": ["line"]}, {"required": ["lines"]},
        {"required": ["polygon"]}, {"required": ["polygons"]}, {"required": ["file"]}]},
)";

}  // namespace

std::string recipe_schema() {
  std::string out = kHead;
  out +=
      "    \"step\": {\"type\": \"object\", \"required\": [\"op\"],\n      \"properties\": {\"op\": {\"description\": "
      "\"operator; thalweg ops lists them\", \"enum\": " +
      operator_names() + "}},\n      \"allOf\": [\n";
  bool first = true;
  for (const Operator& op : operator_table()) {
    out += first ? "" : ",\n";
    first = false;
    out += "      {\"if\": {\"required\": [\"op\"], \"properties\": {\"op\": {\"const\": " + json_quote(op.name) +
           "}}}, \"then\": " + step_schema(op) + "}";
  }
  return out + "\n    ]}\n  }\n}\n";
}

}  // namespace thalweg::recipe
