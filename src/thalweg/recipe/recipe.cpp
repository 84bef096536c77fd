#include "thalweg/recipe/recipe.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "thalweg/recipe/toml_text-inl.h"

namespace thalweg::recipe {
namespace {

constexpr double kLargestExtent_m = 1e9;

// A parameter's value; nothing for dates, tables and lists of other things than numbers.
std::optional<ParamValue> value_of(const toml::node& node) {
  if (node.is_floating_point()) return node.as_floating_point()->get();
  if (node.is_integer()) return node.as_integer()->get();
  if (node.is_boolean()) return node.as_boolean()->get();
  if (node.is_string()) return node.as_string()->get();
  if (!node.is_array()) return std::nullopt;
  Numbers list;
  for (const toml::node& entry : *node.as_array()) {
    if (entry.is_floating_point()) {
      list.push_back(entry.as_floating_point()->get());
    } else if (entry.is_integer()) {
      list.push_back(static_cast<double>(entry.as_integer()->get()));
    } else {
      return std::nullopt;
    }
  }
  return list;
}

Error unknown_key(const std::string& what, std::string_view key, const std::vector<std::string>& known,
                  const std::string& place) {
  const std::string near = nearest_name(key, known);
  std::string message = "unknown " + what + " '" + std::string(key) + "'";
  if (!near.empty()) {
    message += "; did you mean '" + near + "'?";
  } else {
    message += "; it has ";
    for (std::size_t i = 0; i < known.size(); ++i) message += (i > 0 ? ", " : "") + known[i];
  }
  return input_error(std::move(message), place);
}

// Reads one recipe table after the other; the first error wins.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) { recipe_.source_name = file_; }

  Result<Recipe> read(const toml::table& root) {
    THALWEG_TRY(read_format(root));
    static const std::vector<std::string> kKeys = {"format", "title", "seed", "extent", "step"};
    for (const auto& [key, node] : root) {
      if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end())
        return unknown_key("key", key.str(), kKeys, place(key.source()));
    }
    if (const toml::node* title = root.get("title")) {
      if (!title->is_string()) return input_error("title must be a text in quotes", place(*title));
      recipe_.title = title->as_string()->get();
    }
    if (const toml::node* seed = root.get("seed")) {
      if (!seed->is_integer() || seed->as_integer()->get() < 0)
        return input_error("seed must be a whole number from 0 to 9223372036854775807", place(*seed));
      recipe_.seed = static_cast<std::uint64_t>(seed->as_integer()->get());
    }
    if (const toml::node* extent = root.get("extent")) THALWEG_TRY(read_extent(*extent));
    const toml::node* steps = root.get("step");
    if (steps == nullptr || !steps->is_array() || steps->as_array()->empty())
      return input_error("a recipe needs at least one [[step]], in double brackets",
                         steps != nullptr ? place(*steps) : file_ + ":1:1");
    for (const toml::node& step : *steps->as_array()) THALWEG_TRY(read_step(step));
    return std::move(recipe_);
  }

 private:
  std::string place(const toml::source_region& region) const { return place_of(file_, region); }
  std::string place(const toml::node& node) const { return place_of(file_, node.source()); }

  Status read_format(const toml::table& root) const {
    const std::string want = "format = \"" + std::string(kRecipeFormat) + "\"";
    const toml::node* format = root.get("format");
    if (format == nullptr) return input_error("the first line must be " + want, file_ + ":1:1");
    if (!format->is_string() || format->as_string()->get() != kRecipeFormat)
      return input_error("this version reads " + want, place(*format));
    return {};
  }

  Result<double> number(const toml::node& node, std::string_view key, double min, double max) const {
    double v = 0;
    if (node.is_floating_point()) {
      v = node.as_floating_point()->get();
    } else if (node.is_integer()) {
      v = static_cast<double>(node.as_integer()->get());
    } else {
      return input_error(std::string(key) + " must be a number", place(node));
    }
    if (!std::isfinite(v) || v < min || v > max)
      return input_error(std::string(key) + " must be from " + format_number(min) + " to " + format_number(max) + " m",
                         place(node));
    return v;
  }

  Status read_extent(const toml::node& node) {
    static const std::vector<std::string> kKeys = {"size_m", "cell_m", "sea_level_m", "island"};
    if (!node.is_table()) return input_error("extent must be a table: [extent]", place(node));
    for (const auto& [key, value] : *node.as_table()) {
      if (key.str() == "size_m" && value.is_array() && value.as_array()->size() == 2) {
        const auto w = number((*value.as_array())[0], "size_m", 1e-3, kLargestExtent_m);
        if (!w) return w.error();
        const auto h = number((*value.as_array())[1], "size_m", 1e-3, kLargestExtent_m);
        if (!h) return h.error();
        recipe_.width_m = *w;
        recipe_.height_m = *h;
      } else if (key.str() == "size_m") {
        const auto v = number(value, "size_m", 1e-3, kLargestExtent_m);
        if (!v) return v.error();
        recipe_.width_m = recipe_.height_m = *v;
      } else if (key.str() == "cell_m") {
        const auto v = number(value, "cell_m", 1e-3, 1e6);
        if (!v) return v.error();
        recipe_.cell_m = *v;
      } else if (key.str() == "sea_level_m") {
        const auto v = number(value, "sea_level_m", -1e5, 1e5);
        if (!v) return v.error();
        recipe_.sea_level_m = *v;
      } else if (key.str() == "island") {
        if (!value.is_boolean()) return input_error("island must be true or false", place(value));
        recipe_.promises_island = value.as_boolean()->get();
      } else {
        return unknown_key("key in [extent]", key.str(), kKeys, place(key.source()));
      }
    }
    return {};
  }

  Status read_step(const toml::node& node) {
    if (!node.is_table()) return input_error("step must be a table: [[step]]", place(node));
    const toml::table& table = *node.as_table();
    const toml::node* op_node = table.get("op");
    if (op_node == nullptr || !op_node->is_string())
      return input_error("a step needs op = \"name\"; see 'thalweg ops'", place(node));
    Step step;
    step.op = op_node->as_string()->get();
    step.place = place(*op_node);
    const Operator* op = find_operator(step.op);
    if (op == nullptr) {
      std::vector<std::string> names;
      for (const Operator& o : operator_table()) names.push_back(o.name);
      return unknown_key("operator", step.op, names, step.place);
    }
    step.name = step.op;
    if (const toml::node* name = table.get("name")) {
      if (!name->is_string() || name->as_string()->get().empty())
        return input_error("name must be a text in quotes", place(*name));
      step.name = name->as_string()->get();
      if (!names_.insert(step.name).second)
        return input_error("a second step is named '" + step.name + "'", place(*name));
    }
    for (const auto& [key, value] : table) {
      if (key.str() == "op" || key.str() == "name") continue;
      THALWEG_TRY(read_param(*op, step, std::string(key.str()), value, place(key.source())));
    }
    recipe_.steps.push_back(std::move(step));
    return {};
  }

  Status read_param(const Operator& op, Step& step, const std::string& key, const toml::node& value,
                    const std::string& key_place) const {
    const ParamInfo* info = nullptr;
    std::vector<std::string> known;
    for (const ParamInfo& p : op.params) {
      known.push_back(p.name);
      if (p.name == key) info = &p;
    }
    if (info == nullptr) return unknown_key("parameter of '" + op.name + "'", key, known, key_place);
    std::optional<ParamValue> v = value_of(value);
    if (!v)
      return input_error(key + " must be a number, true, false, a text in quotes or a list of numbers", place(value));
    if (auto fault = param_fault(*info, *v)) return input_error(key + " " + *fault, place(value));
    step.params.push_back({key, std::move(*v)});
    return {};
  }

  std::string file_;
  Recipe recipe_;
  std::set<std::string> names_;
};

// Every field a step reads was written before, and values go together.
Status check_whole(const Recipe& recipe) {
  std::set<std::string> written;
  for (const Step& step : recipe.steps) {
    const Operator& op = *find_operator(step.op);
    const FieldUse use = op.fields(step.params);
    for (const std::string& field : use.reads) {
      if (written.count(field) != 0) continue;
      std::vector<std::string> have(written.begin(), written.end());
      std::string message = "step '" + step.name + "' reads field '" + field + "', which no step before it writes";
      if (const std::string near = nearest_name(field, have); !near.empty())
        message += "; did you mean '" + near + "'?";
      return input_error(std::move(message), step.place);
    }
    for (const std::string& field : use.writes) written.insert(field);
    if (op.check) {
      if (Status s = op.check(step.params, 0); !s)
        return std::move(s).error().at(step.place + ": step '" + step.name + "'");
    }
  }
  if (written.count("height") == 0) return input_error("no step writes the field 'height'", recipe.steps.front().place);
  return {};
}

}  // namespace

Result<Recipe> parse_recipe(const std::string& text, const std::string& source_name) {
  Result<toml::table> parsed = parse_toml(text, source_name);
  if (!parsed) return std::move(parsed).error();
  Result<Recipe> recipe = Reader(source_name).read(*parsed);
  if (!recipe) return recipe;
  recipe->text = text;
  THALWEG_TRY(check_whole(*recipe));
  return recipe;
}

Status apply_setting(Recipe& recipe, const std::string& setting) {
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
  const toml::node& node = *parsed->get("v");
  const std::optional<ParamValue> read = value_of(node);
  if (!read) return input_error("the value must be a number, true, false, a word or a list of numbers", option);
  ParamValue v = *read;

  if (step_name == "extent") {
    static const std::vector<std::string> kKeys = {"size_m", "cell_m", "sea_level_m"};
    const double* d = std::get_if<double>(&v);
    const auto* i = std::get_if<std::int64_t>(&v);
    if (std::find(kKeys.begin(), kKeys.end(), param) == kKeys.end())
      return unknown_key("key in [extent]", param, kKeys, option);
    if (d == nullptr && i == nullptr) return input_error(param + " must be a number", option);
    const double x = d != nullptr ? *d : static_cast<double>(*i);
    const double min = param == "sea_level_m" ? -1e5 : 1e-3;
    const double max = param == "sea_level_m" ? 1e5 : param == "cell_m" ? 1e6 : kLargestExtent_m;
    if (!std::isfinite(x) || x < min || x > max)
      return input_error(param + " must be from " + format_number(min) + " to " + format_number(max) + " m", option);
    if (param == "size_m") recipe.width_m = recipe.height_m = x;
    if (param == "cell_m") recipe.cell_m = x;
    if (param == "sea_level_m") recipe.sea_level_m = x;
    return {};
  }

  std::vector<Step*> matches;
  for (Step& s : recipe.steps)
    if (s.name == step_name) matches.push_back(&s);
  if (matches.empty())
    for (Step& s : recipe.steps)
      if (s.op == step_name) matches.push_back(&s);
  if (matches.empty()) {
    std::vector<std::string> names = {"extent"};
    for (const Step& s : recipe.steps)
      if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    return unknown_key("step", step_name, names, option);
  }
  if (matches.size() > 1)
    return input_error("several steps are '" + step_name + "'; give them names in the recipe", option);
  Step& step = *matches.front();
  const Operator& op = *find_operator(step.op);
  std::vector<std::string> known;
  const ParamInfo* info = nullptr;
  for (const ParamInfo& p : op.params) {
    known.push_back(p.name);
    if (p.name == param) info = &p;
  }
  if (info == nullptr) return unknown_key("parameter of '" + op.name + "'", param, known, option);
  // A word that happens to read as a number is still a text where a text is wanted.
  if ((info->kind == ParamKind::text || info->kind == ParamKind::choice) && !std::holds_alternative<std::string>(v))
    v = value;
  if (auto fault = param_fault(*info, v)) return input_error(param + " " + *fault, option);
  std::erase_if(step.params, [&](const ParamWriter::Named& n) { return n.name == param; });
  step.params.push_back({param, std::move(v)});
  if (Status s = check_whole(recipe); !s) return std::move(s).error().at(option);
  return {};
}

namespace {
Result<GridSpec> make_spec(double cell_m, std::int64_t width, std::int64_t height) {
  constexpr std::int64_t kLargestSide = 1 << 20;
  if (width > kLargestSide || height > kLargestSide)
    return input_error(std::to_string(width) + " x " + std::to_string(height) +
                       " samples are too many; a side has at most " + std::to_string(kLargestSide));
  GridSpec spec;
  spec.width = static_cast<int>(width);
  spec.height = static_cast<int>(height);
  spec.cell_m = spec.cell_y_m = cell_m;
  spec.origin_x = 0;
  spec.origin_y = -(height - 1);  // the south-west sample is the world's origin
  return spec;
}
}  // namespace

Result<GridSpec> spec_for_samples(const Recipe& recipe, std::int64_t width, std::int64_t height) {
  if (width < 2 || height < 2) return input_error("a world needs at least 2 samples per side");
  const double cell_x = recipe.width_m / static_cast<double>(width - 1);
  const double cell_y = recipe.height_m / static_cast<double>(height - 1);
  if (std::fabs(cell_x - cell_y) > 1e-9 * cell_x) {
    const auto want = std::llround(recipe.height_m / cell_x) + 1;
    return input_error("cells must be square: over " + format_number(recipe.width_m) + " x " +
                       format_number(recipe.height_m) + " m, " + std::to_string(width) + " samples need " +
                       std::to_string(want) + " on the other side");
  }
  return make_spec(cell_x, width, height);
}

Result<GridSpec> spec_for_cell(const Recipe& recipe, double cell_m, bool* widened) {
  if (!(cell_m > 0) || !std::isfinite(cell_m)) return input_error("the cell size must be above 0 m");
  const auto count = [&](double extent) {
    const double n = extent / cell_m;
    const double nearest = std::round(n);
    return (std::fabs(n - nearest) < 1e-9 * n ? nearest : std::ceil(n)) + 1;
  };
  const double w = std::max(2.0, count(recipe.width_m));
  const double h = std::max(2.0, count(recipe.height_m));
  if (w > 2e9 || h > 2e9) return input_error("a cell of " + format_number(cell_m) + " m makes too many samples");
  if (widened != nullptr)
    *widened =
        std::fabs((w - 1) * cell_m - recipe.width_m) > 1e-6 || std::fabs((h - 1) * cell_m - recipe.height_m) > 1e-6;
  return make_spec(cell_m, static_cast<std::int64_t>(w), static_cast<std::int64_t>(h));
}

}  // namespace thalweg::recipe
