#include "album.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <utility>

#include "draw.h"
#include "thalweg/core/content_hash.h"
#include "thalweg/core/params.h"
#include "thalweg/folder/resources.h"
#include "thalweg/io/files.h"

namespace thalweg::operator_docs {
namespace {

Error fault(const std::string& op, const std::string& what) {
  return input_error(what, "operator " + op);
}

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> all_values(const ParamInfo& info) {
  if (info.kind == ParamKind::choice) return info.choices;
  if (info.kind == ParamKind::boolean) return {"false", "true"};
  return {};
}

// A text as the parameter's kind reads it; a text where it is no such value, which the check then refuses.
ParamValue value_of(const ParamInfo& info, const std::string& text) {
  const char* end = text.data() + text.size();
  if (info.kind == ParamKind::boolean && (text == "true" || text == "false")) return text == "true";
  double real = 0;
  std::int64_t whole = 0;
  if (info.kind == ParamKind::real && std::from_chars(text.data(), end, real).ptr == end) return real;
  if (info.kind == ParamKind::integer && std::from_chars(text.data(), end, whole).ptr == end) return whole;
  return text;
}

// The page's variations, and one for every choice and switch that has none.
Result<std::vector<Variation>> variations_of(const Page& page, const recipe::Operator& op) {
  std::vector<Variation> out;
  for (const ParamInfo& info : op.params) {
    bool listed = false;
    for (const Variation& v : page.variations) {
      if (v.param != info.name) continue;
      listed = true;
      out.push_back(v);
      if (v.values.empty()) out.back().values = all_values(info);
      if (out.back().values.empty()) return fault(op.name, "give values of '" + v.param + "' to show");
    }
    const bool left_out =
        std::any_of(page.left_out.begin(), page.left_out.end(), [&](const LeftOut& l) { return l.param == info.name; });
    if (!listed && !left_out && !all_values(info).empty()) out.push_back({info.name, all_values(info), {}});
    for (const std::string& value : listed ? all_values(info) : std::vector<std::string>())
      if (std::none_of(out.begin(), out.end(),
                       [&](const Variation& v) { return v.param == info.name && is_listed(v.values, value); }))
        return fault(op.name, "no picture shows " + info.name + " = " + value);
  }
  for (const Variation& v : page.variations)
    if (std::none_of(out.begin(), out.end(), [&](const Variation& o) { return o.param == v.param; }))
      return fault(op.name, "there is no parameter '" + v.param + "' to show");
  return out;
}

class Maker {
 public:
  Maker(const Page& page, const Paths& paths, bool may_draw, const std::string& old_list, const Exec& exec)
      : page_(page), paths_(paths), may_draw_(may_draw), old_list_(old_list), exec_(exec) {}

  Result<Album> make() {
    album_.page = &page_;
    album_.op = recipe::find_operator(page_.op);
    if (album_.op == nullptr) return fault(page_.op, "has pictures but is in no table");
    THALWEG_TRY(read());
    THALWEG_TRY(show(recipe_, page_.main, page_.op, "", album_.main));
    if (page_.before) {
      recipe::Recipe without = recipe_;
      std::erase_if(without.steps, [&](const recipe::Step& s) { return s.name == step_; });
      album_.before.emplace();
      THALWEG_TRY(show(without, page_.main, page_.op + "-before", "", *album_.before));
      if (album_.before->world == album_.main.world) return fault(page_.op, "changes nothing that its picture shows");
    }
    const Result<std::vector<Variation>> variations = variations_of(page_, *album_.op);
    if (!variations) return variations.error();
    for (const Variation& v : *variations) THALWEG_TRY(add_group(v));
    return std::move(album_);
  }

 private:
  Status read() {
    const std::string path = paths_.recipe(page_.op);
    const Result<std::string> text = io::read_text_file(path);
    if (!text) return text.error();
    Result<recipe::Recipe> recipe = recipe::parse_recipe(*text, path);
    if (!recipe) return recipe.error();
    recipe_ = std::move(*recipe);
    THALWEG_TRY(recipe::load_resources(recipe_, folder::file_resources(paths_.recipes)));
    album_.title = recipe_.title;
    std::vector<std::string> names;
    for (const recipe::Step& s : recipe_.steps)
      if (s.op == page_.op) names.push_back(s.name);
    if (is_listed(names, "shown")) names = {"shown"};
    if (names.size() != 1) return fault(page_.op, "its recipe needs one step with it, or one named 'shown'");
    step_ = names.front();
    return {};
  }

  // Runs the recipe and fills `picture`; its file is that of an equal picture of this page, where there is one.
  Status show(const recipe::Recipe& recipe, const Look& look, const std::string& name, const std::string& value,
              Picture& picture) {
    const Result<GridSpec> spec = recipe::spec_for_samples(recipe, page_.samples, page_.samples);
    if (!spec) return spec.error();
    const Result<recipe::World> world = recipe::run(recipe, *spec, exec_);
    if (!world) return world.error();
    picture.look = look;
    picture.value = value;
    picture.world = look_hash(*world, look);
    const auto [known, is_new] = files_.emplace(picture.world, name + ".png");
    picture.file = known->second;
    const bool stale = old_list_.find(list_line(picture, paths_)) == std::string::npos;
    return may_draw_ && is_new && stale ? draw(*world, look, paths_.image(picture.file), exec_) : Status();
  }

  // Applies all settings, then checks the recipe once: one setting alone may make no valid recipe.
  Status set(recipe::Recipe& recipe, const std::vector<std::string>& settings) const {
    for (const std::string& setting : settings) {
      const std::size_t equals = setting.find('=');
      const std::size_t dot = setting.find('.') < equals ? setting.find('.') : std::string::npos;
      const std::string step = dot == std::string::npos ? step_ : setting.substr(0, dot);
      const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
      const auto found =
          std::find_if(recipe.steps.begin(), recipe.steps.end(), [&](const recipe::Step& s) { return s.name == step; });
      if (found == recipe.steps.end()) return fault(page_.op, "no step is named '" + step + "'");
      THALWEG_TRY(set_param(*found, setting.substr(begin, equals - begin), setting.substr(equals + 1)));
    }
    return recipe::check_recipe(recipe);
  }

  Status set_param(recipe::Step& step, const std::string& name, const std::string& text) const {
    if (name == "mask") {
      step.mask = text;
      return {};
    }
    const std::vector<ParamInfo>& params = recipe::find_operator(step.op)->params;
    const auto info = std::find_if(params.begin(), params.end(), [&](const ParamInfo& p) { return p.name == name; });
    if (info == params.end()) return fault(page_.op, "'" + step.op + "' has no parameter '" + name + "'");
    const ParamValue value = value_of(*info, text);
    if (const auto why = param_fault(*info, value)) return fault(page_.op, name + " " + *why);
    std::erase_if(step.params, [&](const ParamWriter::Named& n) { return n.name == name; });
    step.params.push_back({name, value});
    return {};
  }

  Status add_group(const Variation& v) {
    Group group{v.param, v.with, {}};
    for (const std::string& value : v.values) {
      recipe::Recipe recipe = recipe_;
      std::vector<std::string> settings = v.with;
      settings.push_back(v.param + "=" + value);
      THALWEG_TRY(set(recipe, settings));
      Picture picture;
      THALWEG_TRY(show(recipe, page_.options, page_.op + "-" + v.param + "-" + value, value, picture));
      for (const Picture& other : group.pictures)
        if (other.world == picture.world)
          return fault(page_.op, v.param + " '" + other.value + "' and '" + value +
                                     "' look the same: give settings under which they differ, or leave it out");
      group.pictures.push_back(std::move(picture));
    }
    album_.groups.push_back(std::move(group));
    return {};
  }

  const Page& page_;
  const Paths& paths_;
  bool may_draw_;
  const std::string& old_list_;
  const Exec& exec_;
  Album album_;
  recipe::Recipe recipe_;
  std::string step_;
  std::map<std::string, std::string> files_;  // by hash
};

}  // namespace

std::string list_line(const Picture& picture, const Paths& paths) {
  std::string hash = "missing";
  if (const Result<std::string> bytes = io::read_text_file(paths.image(picture.file)))
    hash = content_hash("file", std::span(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size())).hex();
  return "  \"" + picture.file + "\": {\"world\": \"" + picture.world + "\", \"file\": \"" + hash + "\"}";
}

Result<Album> make_album(const Page& page, const Paths& paths, bool may_draw, const std::string& old_list,
                         const Exec& exec) {
  return Maker(page, paths, may_draw, old_list, exec).make();
}

}  // namespace thalweg::operator_docs
