// `--set STEP.PARAM=VALUE`.
#include <algorithm>
#include <cmath>
#include <span>

#include "thalweg/recipe/toml_values-inl.h"

namespace thalweg::recipe {
namespace {

Status set_extent(Recipe& recipe, const std::string& param, const ParamValue& v, const std::string& option) {
  static const std::vector<std::string> kKeys = {"size_m", "cell_m", "sea_level_m"};
  const double* d = std::get_if<double>(&v);
  const auto* i = std::get_if<std::int64_t>(&v);
  if (std::find(kKeys.begin(), kKeys.end(), param) == kKeys.end())
    return unknown_key("key in [extent]", param, kKeys, option);
  const auto* sides = std::get_if<Numbers>(&v);
  const bool oblong = param == "size_m" && sides != nullptr && sides->size() == 2;
  if (d == nullptr && i == nullptr && !oblong)
    return input_error(
        param + (param == "size_m" ? " must be a number or [west-east, north-south]" : " must be a number"), option);
  const double min = param == "sea_level_m" ? -1e5 : 1e-3;
  const double max = param == "sea_level_m" ? 1e5 : param == "cell_m" ? 1e6 : kLargestExtent_m;
  const double x = oblong ? sides->front() : (d != nullptr ? *d : static_cast<double>(*i));
  const double y = oblong ? sides->back() : x;
  for (const double value : {x, y})
    if (!std::isfinite(value) || value < min || value > max)
      return input_error(param + " must be from " + format_number(min) + " to " + format_number(max) + " m", option);
  if (param == "size_m") {
    recipe.width_m = x;
    recipe.height_m = y;
  }
  if (param == "cell_m") recipe.cell_m = x;
  if (param == "sea_level_m") recipe.sea_level_m = x;
  return {};
}

Result<Step*> find_step(Recipe& recipe, const std::string& name, const std::string& option) {
  std::vector<Step*> matches;
  for (Step& s : recipe.steps)
    if (s.name == name) matches.push_back(&s);
  if (matches.empty())
    for (Step& s : recipe.steps)
      if (s.op == name) matches.push_back(&s);
  if (matches.empty()) {
    std::vector<std::string> names = {"extent"};
    for (const Step& s : recipe.steps)
      if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    return unknown_key("step", name, names, option);
  }
  if (matches.size() > 1) return input_error("several steps are '" + name + "'; give them names in the recipe", option);
  return matches.front();
}

Status set_param(Step& step, const std::string& param, ParamValue v, const std::string& text,
                 const std::string& option) {
  if (param == "mask") {
    step.mask = text;
    step.places["mask"] = option;
    return {};
  }
  const Operator& op = *find_operator(step.op);
  std::vector<std::string> known;
  const ParamInfo* info = nullptr;
  for (const ParamInfo& p : op.params) {
    known.push_back(p.name);
    if (p.name == param) info = &p;
  }
  if (info == nullptr) {
    known.emplace_back("mask");
    return unknown_key("parameter of '" + op.name + "'", param, known, option);
  }
  // A word that happens to read as a number is still a text where a text is wanted.
  if ((info->kind == ParamKind::text || info->kind == ParamKind::choice) && !std::holds_alternative<std::string>(v))
    v = text;
  if (auto fault = param_fault(*info, v)) return input_error(param + " " + *fault, option);
  std::erase_if(step.params, [&](const ParamWriter::Named& n) { return n.name == param; });
  step.params.push_back({param, std::move(v)});
  step.places[param] = option;
  return {};
}

// One setting, each value checked by itself.
Status set_one(Recipe& changed, const std::string& setting) {
  const std::string option = "--set " + setting;
  const std::size_t equals = setting.find('=');
  const std::size_t dot = setting.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 >= equals)
    return input_error("write it as STEP.PARAM=VALUE, e.g. droplets.droplets_per_km2=4000", option);
  const std::string step_name = setting.substr(0, dot);
  const std::string param = setting.substr(dot + 1, equals - dot - 1);
  const std::string value = setting.substr(equals + 1);

  // The value as TOML would read it; a bare word is a text.
  Result<toml::table> parsed = parse_toml("v = " + value, option);
  if (!parsed) parsed = parse_toml("v = \"" + value + "\"", option);
  if (!parsed || parsed->size() != 1) return input_error("the value cannot be read", option);
  const std::optional<ParamValue> read = value_of(*parsed->get("v"));
  if (!read) return input_error("the value must be a number, true, false, a word or a list of numbers", option);

  if (step_name == "extent") return set_extent(changed, param, *read, option);
  const Result<Step*> step = find_step(changed, step_name, option);
  if (!step) return step.error();
  const auto* word = std::get_if<std::string>(&*read);
  return set_param(**step, param, *read, word != nullptr ? *word : value, option);
}

}  // namespace

Status apply_settings(Recipe& recipe, std::span<const std::string> settings) {
  if (settings.empty()) return {};
  Recipe changed = recipe;
  for (const std::string& setting : settings) THALWEG_TRY(set_one(changed, setting));
  if (Status s = check_recipe(changed); !s) {
    if (s.error().place.starts_with("--set ")) return std::move(s).error();
    std::string options;
    for (const std::string& setting : settings) options += (options.empty() ? "--set " : " --set ") + setting;
    return std::move(s).error().at(options);
  }
  recipe = std::move(changed);
  return {};
}

Status apply_setting(Recipe& recipe, const std::string& setting) {
  return apply_settings(recipe, std::span(&setting, 1));
}

}  // namespace thalweg::recipe
