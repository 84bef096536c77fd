// Reads the text of a recipe.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "thalweg/recipe/toml_values-inl.h"

namespace thalweg::recipe {
namespace {

// Reads one recipe table after the other; the first error wins.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) { recipe_.source_name = file_; }

  Result<Recipe> read(const toml::table& root) {
    THALWEG_TRY(read_format(root));
    static const std::vector<std::string> kKeys = {"format", "title", "seed", "keep", "extent", "sketch", "step"};
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
    if (const toml::node* keep = root.get("keep")) THALWEG_TRY(read_keep(*keep));
    if (const toml::node* extent = root.get("extent")) THALWEG_TRY(read_extent(*extent));
    if (const toml::node* sketches = root.get("sketch")) THALWEG_TRY(read_sketches(*sketches));
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

  Status read_keep(const toml::node& node) {
    if (!node.is_array()) return input_error("keep must be a list of field names, as in [\"rock\"]", place(node));
    for (const toml::node& entry : *node.as_array()) {
      if (!entry.is_string()) return input_error("keep must be a list of field names in quotes", place(entry));
      recipe_.keep.push_back({entry.as_string()->get(), place(entry)});
    }
    return {};
  }

  Status read_extent(const toml::node& node) {
    static const std::vector<std::string> kKeys = {"size_m", "cell_m", "sea_level_m", "island"};
    if (!node.is_table()) return input_error("extent must be a table: [extent]", place(node));
    const auto number = [&](const toml::node& value, const char* key, double min, double max, double& out) -> Status {
      const Result<double> v = number_of(value, key, min, max, file_);
      if (!v) return v.error();
      out = *v;
      return {};
    };
    for (const auto& [key, value] : *node.as_table()) {
      if (key.str() == "size_m" && value.is_array() && value.as_array()->size() == 2) {
        THALWEG_TRY(number((*value.as_array())[0], "size_m", 1e-3, kLargestExtent_m, recipe_.width_m));
        THALWEG_TRY(number((*value.as_array())[1], "size_m", 1e-3, kLargestExtent_m, recipe_.height_m));
      } else if (key.str() == "size_m") {
        THALWEG_TRY(number(value, "size_m", 1e-3, kLargestExtent_m, recipe_.width_m));
        recipe_.height_m = recipe_.width_m;
      } else if (key.str() == "cell_m") {
        THALWEG_TRY(number(value, "cell_m", 1e-3, 1e6, recipe_.cell_m));
      } else if (key.str() == "sea_level_m") {
        THALWEG_TRY(number(value, "sea_level_m", -1e5, 1e5, recipe_.sea_level_m));
      } else if (key.str() == "island") {
        if (!value.is_boolean()) return input_error("island must be true or false", place(value));
        recipe_.promises_island = value.as_boolean()->get();
      } else {
        return unknown_key("key in [extent]", key.str(), kKeys, place(key.source()));
      }
    }
    return {};
  }

  Status read_sketches(const toml::node& node) {
    if (!node.is_array()) return input_error("sketch must be in double brackets: [[sketch]]", place(node));
    for (const toml::node& entry : *node.as_array()) {
      Result<SketchSource> sketch = read_sketch(entry, file_);
      if (!sketch) return std::move(sketch).error();
      if (recipe_.find_sketch(sketch->sketch.name) != nullptr)
        return input_error("a second sketch is named '" + sketch->sketch.name + "'", sketch->place);
      recipe_.sketches.push_back(std::move(*sketch));
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
      if (key.str() == "mask") {
        if (!value.is_string() || value.as_string()->get().empty())
          return input_error("mask must be the name of a field in quotes", place(value));
        step.mask = value.as_string()->get();
        step.places["mask"] = place(value);
        continue;
      }
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
    if (info == nullptr) {
      known.insert(known.end(), {"name", "mask"});
      return unknown_key("parameter of '" + op.name + "'", key, known, key_place);
    }
    std::optional<ParamValue> v = value_of(value);
    if (!v)
      return input_error(key + " must be a number, true, false, a text in quotes or a list of numbers", place(value));
    if (auto fault = param_fault(*info, *v)) return input_error(key + " " + *fault, place(value));
    step.params.push_back({key, std::move(*v)});
    step.places[key] = place(value);
    return {};
  }

  std::string file_;
  Recipe recipe_;
  std::set<std::string> names_;
};

}  // namespace

Result<Recipe> parse_recipe(const std::string& text, const std::string& source_name) {
  Result<toml::table> parsed = parse_toml(text, source_name);
  if (!parsed) return std::move(parsed).error();
  Result<Recipe> recipe = Reader(source_name).read(*parsed);
  if (!recipe) return recipe;
  recipe->text = text;
  THALWEG_TRY(check_recipe(*recipe));
  return recipe;
}

const SketchSource* Recipe::find_sketch(std::string_view name) const {
  for (const SketchSource& s : sketches)
    if (s.sketch.name == name) return &s;
  return nullptr;
}

}  // namespace thalweg::recipe
