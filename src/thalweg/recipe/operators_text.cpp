// The operator table as text for people and as JSON.
#include <algorithm>

#include "thalweg/recipe/json_text.h"
#include "thalweg/recipe/operators.h"

namespace thalweg::recipe {
namespace {

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

// The unit of a field that an operator names itself.
std::string unit_of(const std::string& field, const std::string& unit) {
  if (!unit.empty()) return unit;
  const FieldInfo* info = find_field(field);
  return info != nullptr ? std::string(info->unit) : "";
}

// "height (m)", "any field (`field`)", "field in m (`field`)".
std::string shown(const FieldRead& read) {
  if (read.param.empty()) return read.name + " (" + unit_of(read.name, read.unit) + ")";
  return (read.unit.empty() ? "a field in any unit (" : "a field in " + read.unit + " (") + read.param + ")";
}

std::string shown(const FieldWrite& write) {
  if (write.param.empty()) return write.name + " (" + unit_of(write.name, write.unit) + ")";
  const std::string unit = write.unit.empty() ? std::string("its unit") : write.unit;
  return "a field in " + unit + " (" + write.param + ")";
}

template <class Use>
std::string joined(const std::vector<Use>& uses) {
  std::string out;
  for (const Use& use : uses) out += (out.empty() ? "" : ", ") + shown(use);
  return out.empty() ? std::string("nothing") : out;
}

std::string heading_of(const Operator& op) {
  const FieldUse use = op.fields({});
  std::string out = op.name + " - " + op.help + "\n\nreads   " + joined(use.reads) + "\n";
  if (!use.may_read.empty()) out += "        and, where they exist, " + joined(use.may_read) + "\n";
  out += "writes  " + joined(use.writes) + "\nreach   " + std::string(name_of(op.reach));
  if (op.reach == Reach::local) out += " (" + std::to_string(op.halo_cells({}, 8.0)) + " cells at 8 m, by default)";
  out += "\nmask    ";
  out += op.maskable ? "mask = \"field\" limits it to where that field is 1, in part where it is between 0 and 1\n\n"
                     : "none: it works on the land as a whole\n\n";
  return out;
}

template <class Use>
std::string uses_as_json(const std::vector<Use>& uses, const char* role) {
  std::string out;
  for (const Use& use : uses)
    out += std::string(out.empty() ? "" : ", ") + "{\"name\": " + json_quote(use.name) +
           ", \"unit\": " + json_quote(use.param.empty() ? unit_of(use.name, use.unit) : use.unit) + ", \"role\": \"" +
           role + "\", \"param\": " + json_quote(use.param) + "}";
  return out;
}

std::string fields_as_json(const FieldUse& use) {
  std::string out;
  for (const std::string& part :
       {uses_as_json(use.reads, "reads"), uses_as_json(use.may_read, "may-read"), uses_as_json(use.writes, "writes")})
    if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
  return "[" + out + "]";
}

template <class Use>
std::string names_of(const std::vector<Use>& uses) {
  std::vector<std::string> names;
  for (const Use& use : uses) names.push_back(use.name);
  return names_as_json(names);
}

}  // namespace

std::string operators_as_text() {
  std::string out;
  for (const Operator& op : operator_table()) {
    out += op.name + std::string(op.name.size() < 14 ? 14 - op.name.size() : 1, ' ') + (op.maskable ? "m " : "  ") +
           op.help + "\n";
  }
  return out + "\nm: takes mask = \"field\". 'thalweg ops NAME' shows parameters, units, ranges and an example.\n";
}

std::string operator_as_text(const Operator& op) {
  std::string out = heading_of(op);
  std::size_t name_width = 4;
  std::size_t value_width = 7;
  std::size_t range_width = 5;
  const auto value_of = [&](const ParamInfo& p) {
    if (std::find(op.required.begin(), op.required.end(), p.name) != op.required.end()) return std::string("(needed)");
    std::string v = value_as_json(p.fallback);
    v.erase(std::remove(v.begin(), v.end(), '"'), v.end());
    return v;
  };
  for (const ParamInfo& p : op.params) {
    name_width = std::max(name_width, p.name.size());
    value_width = std::max(value_width, value_of(p).size());
    range_width = std::max(range_width, std::min<std::size_t>(range_of(p).size(), 36));
  }
  const auto pad = [](std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text + "  ";
  };
  out += "  " + pad("name", name_width) + pad("default", value_width) + pad("range", range_width) + "meaning\n";
  for (const ParamInfo& p : op.params)
    out +=
        "  " + pad(p.name, name_width) + pad(value_of(p), value_width) + pad(range_of(p), range_width) + p.help + "\n";
  return out + "\nexample:\n" + op.example;
}

std::string operator_as_json(const Operator& op) {
  const FieldUse use = op.fields({});
  std::string out =
      "{\"name\": " + json_quote(op.name) + ", \"help\": " + json_quote(op.help) + ", \"reach\": \"" +
      std::string(name_of(op.reach)) +
      "\", \"halo_cells_at_8_m\": " + std::to_string(op.reach == Reach::local ? op.halo_cells({}, 8.0) : 0) +
      ", \"mask\": " + (op.maskable ? "true" : "false") + ", \"reads\": " + names_of(use.reads) +
      ", \"writes\": " + names_of(use.writes) + ", \"fields\": " + fields_as_json(use) +
      ", \"required\": " + names_as_json(op.required) + ", \"example\": " + json_quote(op.example) + ", \"params\": [";
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

}  // namespace thalweg::recipe
