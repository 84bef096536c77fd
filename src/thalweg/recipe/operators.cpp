#include "thalweg/recipe/operators.h"

#include <algorithm>
#include <cmath>

#include "thalweg/recipe/json_text.h"
#include "thalweg/recipe/op_row.h"

namespace thalweg::recipe {
namespace {

std::string value_as_json(const ParamValue& value) {
  if (const auto* d = std::get_if<double>(&value)) return format_number(*d);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* list = std::get_if<Numbers>(&value)) {
    std::string out = "[";
    for (const double v : *list) out += (out.size() > 1 ? ", " : "") + format_number(v);
    return out + "]";
  }
  return json_quote(std::get<std::string>(value));
}

std::string_view name_of(ParamKind kind) {
  switch (kind) {
    case ParamKind::real:
      return "real";
    case ParamKind::integer:
      return "integer";
    case ParamKind::boolean:
      return "boolean";
    case ParamKind::choice:
      return "choice";
    case ParamKind::text:
      return "text";
    case ParamKind::numbers:
      return "numbers";
  }
  return "";
}

std::string names_as_json(const std::vector<std::string>& names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i > 0 ? ", " : "") + json_quote(names[i]);
  return out + "]";
}

bool is_numeric(const ParamInfo& p) {
  return p.kind == ParamKind::real || p.kind == ParamKind::integer || p.kind == ParamKind::numbers;
}

std::string range_of(const ParamInfo& p) {
  if (p.kind == ParamKind::choice) {
    std::string out;
    for (const std::string& c : p.choices) out += (out.empty() ? "" : " | ") + c;
    return out;
  }
  if (!is_numeric(p)) return std::string(name_of(p.kind));
  std::string out =
      (p.kind == ParamKind::numbers ? "each " : "") + format_number(p.min) + " .. " + format_number(p.max);
  return p.unit.empty() ? out : out + " " + p.unit;
}

std::string param_as_json(const ParamInfo& p) {
  std::string out = "{\"name\": " + json_quote(p.name) + ", \"kind\": \"" + std::string(name_of(p.kind)) +
                    "\", \"unit\": " + json_quote(p.unit) + ", \"default\": " + value_as_json(p.fallback);
  if (is_numeric(p)) out += ", \"min\": " + format_number(p.min) + ", \"max\": " + format_number(p.max);
  if (p.kind == ParamKind::choice) out += ", \"choices\": " + names_as_json(p.choices);
  return out + ", \"help\": " + json_quote(p.help) + "}";
}

std::string param_schema(const ParamInfo& p) {
  std::string out = "{\"description\": " + json_quote(p.unit.empty() ? p.help : p.help + " [" + p.unit + "]") +
                    ", \"default\": " + value_as_json(p.fallback);
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
      break;
    case ParamKind::numbers:
      out += ", \"type\": \"array\", \"maxItems\": " + std::to_string(kMostNumbers) +
             ", \"items\": {\"type\": \"number\", \"minimum\": " + format_number(p.min) +
             ", \"maximum\": " + format_number(p.max) + "}";
      break;
  }
  return out + "}";
}

}  // namespace

std::string_view name_of(Reach reach) {
  switch (reach) {
    case Reach::point:
      return "point";
    case Reach::local:
      return "local";
    case Reach::global:
      return "global";
  }
  return "";
}

std::span<const Operator> operator_table() {
  static const std::vector<Operator> table = [] {
    std::vector<Operator> rows;
    add_noise_operators(rows);
    add_land_operators(rows);
    add_climate_operators(rows);
    std::sort(rows.begin(), rows.end(), [](const Operator& a, const Operator& b) { return a.name < b.name; });
    return rows;
  }();
  return table;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& op : operator_table())
    if (op.name == name) return &op;
  return nullptr;
}

std::string operators_as_text() {
  std::string out;
  for (const Operator& op : operator_table()) {
    out += op.name + std::string(op.name.size() < 14 ? 14 - op.name.size() : 1, ' ') + op.help + "\n";
  }
  return out + "\n'thalweg ops NAME' shows parameters, units, ranges and an example.\n";
}

std::string operator_as_text(const Operator& op) {
  const FieldUse use = op.fields({});
  const auto join = [](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
    return out.empty() ? std::string("nothing") : out;
  };
  std::string out = op.name + " - " + op.help + "\n\nreads " + join(use.reads) + "; writes " + join(use.writes) +
                    "; reach " + std::string(name_of(op.reach));
  if (op.reach == Reach::local) out += " (" + std::to_string(op.halo_cells({}, 8.0)) + " cells at 8 m, by default)";
  out += "\n\n";
  std::size_t name_width = 4;
  std::size_t value_width = 7;
  std::size_t range_width = 5;
  const auto shown = [](const ParamInfo& p) {
    std::string v = value_as_json(p.fallback);
    v.erase(std::remove(v.begin(), v.end(), '"'), v.end());
    return v;
  };
  for (const ParamInfo& p : op.params) {
    name_width = std::max(name_width, p.name.size());
    value_width = std::max(value_width, shown(p).size());
    range_width = std::max(range_width, std::min<std::size_t>(range_of(p).size(), 36));
  }
  const auto pad = [](std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text + "  ";
  };
  out += "  " + pad("name", name_width) + pad("default", value_width) + pad("range", range_width) + "meaning\n";
  for (const ParamInfo& p : op.params)
    out += "  " + pad(p.name, name_width) + pad(shown(p), value_width) + pad(range_of(p), range_width) + p.help + "\n";
  return out + "\nexample:\n" + op.example;
}

std::string operator_as_json(const Operator& op) {
  const FieldUse use = op.fields({});
  std::string out = "{\"name\": " + json_quote(op.name) + ", \"help\": " + json_quote(op.help) + ", \"reach\": \"" +
                    std::string(name_of(op.reach)) + "\", \"reads\": " + names_as_json(use.reads) +
                    ", \"writes\": " + names_as_json(use.writes) + ", \"example\": " + json_quote(op.example) +
                    ", \"params\": [";
  for (std::size_t i = 0; i < op.params.size(); ++i)
    out += (i > 0 ? ",\n    " : "\n    ") + param_as_json(op.params[i]);
  return out + "]}\n";
}

std::string operators_as_json() {
  std::string out = "[\n";
  bool first = true;
  for (const Operator& op : operator_table()) {
    out += first ? "" : ",\n";
    first = false;
    out += operator_as_json(op);
  }
  return out + "]\n";
}

std::string recipe_schema() {
  std::string out = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Thalweg recipe",
  "type": "object",
  "required": ["format", "step"],
  "additionalProperties": false,
  "properties": {
    "format": {"const": "thalweg-recipe 1"},
    "title": {"type": "string"},
    "seed": {"type": "integer", "minimum": 0},
    "extent": {"type": "object", "additionalProperties": false, "properties": {
      "size_m": {"description": "extent in metres, one number or [west-east, north-south]", "oneOf": [
        {"type": "number", "minimum": 0.001, "maximum": 1000000000},
        {"type": "array", "items": {"type": "number", "minimum": 0.001}, "minItems": 2, "maxItems": 2}]},
      "cell_m": {"description": "distance of samples where the command line gives none", "type": "number", "minimum": 0.001},
      "sea_level_m": {"type": "number"},
      "island": {"description": "the recipe promises sea all along the edge, and land", "type": "boolean"}}},
    "step": {"type": "array", "minItems": 1, "items": {"oneOf": [
)";
  bool first = true;
  for (const Operator& op : operator_table()) {
    out += first ? "" : ",\n";
    first = false;
    out += "      {\"type\": \"object\", \"description\": " + json_quote(op.help) +
           ", \"required\": [\"op\"], \"additionalProperties\": false, \"properties\": {\"op\": {\"const\": " +
           json_quote(op.name) + "}, \"name\": {\"type\": \"string\"}";
    for (const ParamInfo& p : op.params) out += ",\n        " + json_quote(p.name) + ": " + param_schema(p);
    out += "}}";
  }
  return out + "\n    ]}}\n  }\n}\n";
}

}  // namespace thalweg::recipe
