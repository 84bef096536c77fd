// A recipe as a whole: does every step find what it reads, in the right unit, and does it matter?
#include <algorithm>
#include <optional>
#include <set>

#include "thalweg/recipe/recipe.h"

namespace thalweg::recipe {
namespace {

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

// "m", "1/km", or in words.
std::string shown_unit(const std::string& unit) {
  return unit == "1" ? "pure numbers (unit 1)" : unit;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

// Fields that a recipe names itself are float32.
Status check_field_name(const std::string& name, const std::string& place) {
  if (const FieldInfo* info = find_field(name); info != nullptr && info->type != "float32")
    return input_error("field '" + name + "' is " + std::string(info->type) + "; choose a float32 field or a new name",
                       place);
  if (name.empty()) return input_error("a field needs a name", place);
  if (name.size() > 64) return input_error("a field's name has at most 64 letters", place);
  for (const char c : name)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_')
      return input_error("a field's name has letters a-z, digits and _ only: '" + name + "'", place);
  return {};
}

class Checker {
 public:
  explicit Checker(const Recipe& recipe) : recipe_(recipe) {}

  Status check() {
    for (const SketchSource& sketch : recipe_.sketches) THALWEG_TRY(check_place(sketch));
    for (const Step& step : recipe_.steps) {
      const Operator* op = find_operator(step.op);
      if (op == nullptr) return input_error("unknown operator '" + step.op + "'", step.place);
      THALWEG_TRY(check_required(*op, step));
      uses_.push_back(op->fields(step.params));
      if (!step.mask.empty()) uses_.back().reads.push_back({step.mask, "1", "mask"});
    }
    for (std::size_t i = 0; i < uses_.size(); ++i) THALWEG_TRY(check_step(i));
    THALWEG_TRY(check_keep());
    if (units_.count("height") == 0)
      return input_error("no step writes the field 'height'",
                         recipe_.steps.empty() ? recipe_.source_name : recipe_.steps.front().place);
    THALWEG_TRY(check_effects());
    return check_sketches_used();
  }

  std::map<std::string, std::string> units() && { return std::move(units_); }

 private:
  static std::string name_of(const Step& step) { return "step '" + step.name + "'"; }

  static Status check_required(const Operator& op, const Step& step) {
    for (const std::string& param : op.required) {
      bool given = false;
      for (const ParamWriter::Named& n : step.params) {
        const auto* text = std::get_if<std::string>(&n.value);
        given |= n.name == param && text != nullptr && !text->empty();
      }
      if (!given) return input_error(name_of(step) + " needs " + param + " = \"...\"", step.place_of(param));
    }
    return {};
  }

  // A sketch wholly outside of the extent can shape nothing.
  Status check_place(const SketchSource& source) const {
    if (!source.loaded) return {};
    double west = 1e300, east = -1e300, south = 1e300, north = -1e300;
    for (const auto& part : source.sketch.parts)
      for (const shape::SketchPoint& p : part) {
        west = std::min(west, p.x_m);
        east = std::max(east, p.x_m);
        south = std::min(south, p.y_m);
        north = std::max(north, p.y_m);
      }
    if (west <= recipe_.width_m && east >= 0 && south <= recipe_.height_m && north >= 0) return {};
    return input_error("sketch '" + source.sketch.name + "' lies outside of the extent: it reaches from [" +
                           format_number(west) + ", " + format_number(south) + "] to [" + format_number(east) + ", " +
                           format_number(north) + "], the extent from [0, 0] to [" + format_number(recipe_.width_m) +
                           ", " + format_number(recipe_.height_m) + "] m",
                       source.file.empty() ? source.place : source.file_place);
  }

  Status check_step(std::size_t i) {
    const Step& step = recipe_.steps[i];
    const FieldUse& use = uses_[i];
    const Operator& op = *find_operator(step.op);
    for (const FieldWrite& write : use.writes)
      if (!write.param.empty()) THALWEG_TRY(check_field_name(write.name, step.place_of(write.param)));
    for (const FieldRead& read : use.reads) THALWEG_TRY(check_read(i, read));
    THALWEG_TRY(check_sketch(step, use));
    if (!step.mask.empty()) THALWEG_TRY(check_mask(op, step, use));
    if (Status s = op.check(step.params, 0); !s) return std::move(s).error().at(step.place + ": " + name_of(step));
    std::vector<std::string> before;
    for (const FieldWrite& write : use.writes) {
      Result<std::string> unit = unit_after(step, write, &write == &use.writes.front() && !step.mask.empty());
      if (!unit) return std::move(unit).error();
      before.push_back(std::move(*unit));
    }
    for (std::size_t w = 0; w < before.size(); ++w) units_[use.writes[w].name] = before[w];
    return {};
  }

  Status check_read(std::size_t i, const FieldRead& read) const {
    const Step& step = recipe_.steps[i];
    const std::string& place = read.param.empty() ? step.place : step.place_of(read.param);
    const bool is_mask = read.param == "mask";
    const auto known = units_.find(read.name);
    if (known == units_.end()) {
      std::string message = name_of(step) + (is_mask ? " has the mask " : " reads field ") + quoted(read.name) +
                            ", which no step before it writes";
      return input_error(message + who_writes(i, read.name), place);
    }
    if (!read.param.empty() && !is_mask) THALWEG_TRY(check_field_name(read.name, place));
    if (read.unit.empty() || read.unit == known->second) return {};
    if (is_mask)
      return input_error(
          "a mask holds pure numbers 0 to 1; field " + quoted(read.name) + " is in " + shown_unit(known->second),
          place);
    return input_error(name_of(step) + " needs a field in " + shown_unit(read.unit) + "; " + quoted(read.name) +
                           " is in " + shown_unit(known->second),
                       place);
  }

  // What to say of a field that is missing before step i.
  std::string who_writes(std::size_t i, const std::string& field) const {
    for (std::size_t j = i + 1; j < uses_.size(); ++j)
      for (const FieldWrite& write : uses_[j].writes)
        if (write.name == field)
          return "; " + name_of(recipe_.steps[j]) + " at " + recipe_.steps[j].place + " writes it later";
    std::vector<std::string> have;
    for (const auto& [name, unit] : units_) have.push_back(name);
    return suggestion(field, have);
  }

  Status check_sketch(const Step& step, const FieldUse& use) const {
    if (use.sketch.empty()) return {};
    const SketchSource* source = recipe_.find_sketch(use.sketch);
    const std::string& place = step.place_of("sketch");
    if (source == nullptr) {
      std::vector<std::string> have;
      for (const SketchSource& s : recipe_.sketches) have.push_back(s.sketch.name);
      return input_error("no sketch is named '" + use.sketch + "'" +
                             (have.empty() ? "; this recipe has no [[sketch]]" : suggestion(use.sketch, have)),
                         place);
    }
    if (use.sketch_heights && source->loaded && !source->sketch.has_heights)
      return input_error("sketch '" + use.sketch + "' has no heights to pull the land to; give it height_m = ... or " +
                             "points [x, y, height]",
                         place);
    return {};
  }

  Status check_mask(const Operator& op, const Step& step, const FieldUse& use) const {
    if (!op.maskable)
      return input_error("'" + op.name + "' takes no mask: it works on the land as a whole", step.place_of("mask"));
    if (use.promises)
      return input_error(name_of(step) +
                             " promises the sketch's heights, which a mask would keep it from reaching; "
                             "leave out mask or tolerance_m",
                         step.place_of("mask"));
    const std::string& target = use.writes.front().name;
    if (units_.count(target) == 0)
      return input_error(name_of(step) + " makes the field '" + target +
                             "' anew, so there is nothing for a mask to keep; write the field in a step before",
                         step.place_of("mask"));
    return {};
  }

  // The unit that a field has after a step, or why it cannot be.
  Result<std::string> unit_after(const Step& step, const FieldWrite& write, bool masked) const {
    const std::string& place = write.param.empty() ? step.place : step.place_of(write.param);
    const FieldInfo* info = find_field(write.name);
    const auto known = units_.find(write.name);
    const auto source = units_.find(write.unit_of);
    std::string unit = write.unit;
    if (unit.empty() && source != units_.end()) unit = source->second;
    if (unit.empty()) unit = info != nullptr ? std::string(info->unit) : "1";
    if (known != units_.end() && write.meet == Meet::multiply) {
      if (unit != "1" && known->second != "1")
        return input_error(name_of(step) + " multiplies " + quoted(write.name) + ", in " + known->second +
                               ", by values in " + unit + "; one of the two must be pure numbers (unit 1)",
                           place);
      if (unit == "1") unit = known->second;
    }
    const bool keeps_unit = known != units_.end() && (masked || write.meet == Meet::change);
    const std::string must = info != nullptr ? std::string(info->unit) : keeps_unit ? known->second : unit;
    if (unit == must) return unit;
    return input_error(name_of(step) + " writes values in " + shown_unit(unit) + " into field " + quoted(write.name) +
                           ", which is in " + shown_unit(must),
                       place);
  }

  Status check_keep() const {
    std::set<std::string> seen;
    for (const KeptField& kept : recipe_.keep) {
      if (units_.count(kept.name) == 0) {
        std::vector<std::string> have;
        for (const auto& [name, unit] : units_) have.push_back(name);
        return input_error(
            "keep names the field '" + kept.name + "', which no step writes" + suggestion(kept.name, have), kept.place);
      }
      if (const FieldInfo* info = find_field(kept.name); info != nullptr && info->result)
        return input_error("'" + kept.name + "' is written anyway; keep lists further fields", kept.place);
      if (!seen.insert(kept.name).second) return input_error("keep names '" + kept.name + "' twice", kept.place);
    }
    return {};
  }

  // Backward over the steps: what a step writes must be a result, or be read before it is overwritten.
  Status check_effects() const {
    std::set<std::string> wanted;
    for (const FieldInfo& info : field_table())
      if (info.result) wanted.emplace(info.name);
    for (const KeptField& kept : recipe_.keep) wanted.insert(kept.name);
    for (std::size_t i = uses_.size(); i-- > 0;) {
      const FieldUse& use = uses_[i];
      const bool matters = std::any_of(use.writes.begin(), use.writes.end(),
                                       [&](const FieldWrite& w) { return wanted.count(w.name) != 0; });
      if (!matters) return no_effect(i);
      for (const FieldWrite& write : use.writes)
        if (replaces(i, write)) wanted.erase(write.name);
      for (const FieldRead& read : use.reads) wanted.insert(read.name);
      for (const FieldRead& read : use.may_read) wanted.insert(read.name);
    }
    return {};
  }

  // The old content of the field is gone after step i, unread by it.
  bool replaces(std::size_t i, const FieldWrite& write) const {
    const FieldUse& use = uses_[i];
    const auto is_it = [&](const FieldRead& read) { return read.name == write.name; };
    const bool masked = !recipe_.steps[i].mask.empty() && &write == &use.writes.front();
    return write.meet == Meet::replace && !masked && std::none_of(use.reads.begin(), use.reads.end(), is_it) &&
           std::none_of(use.may_read.begin(), use.may_read.end(), is_it);
  }

  Error no_effect(std::size_t i) const {
    const Step& step = recipe_.steps[i];
    const FieldWrite& write = uses_[i].writes.front();
    const std::string& place = write.param.empty() ? step.place : step.place_of(write.param);
    for (std::size_t j = i + 1; j < uses_.size(); ++j)
      for (const FieldWrite& later : uses_[j].writes)
        if (later.name == write.name && replaces(j, later))
          return input_error(name_of(step) + " has no effect: " + name_of(recipe_.steps[j]) + " at " +
                                 recipe_.steps[j].place + " overwrites field '" + write.name +
                                 "' before anything reads it",
                             place);
    return input_error(name_of(step) + " has no effect: nothing reads the field '" + write.name +
                           "'; use it, list it in keep = [\"" + write.name + "\"], or leave the step out",
                       place);
  }

  Status check_sketches_used() const {
    for (const SketchSource& source : recipe_.sketches) {
      const bool used = std::any_of(uses_.begin(), uses_.end(),
                                    [&](const FieldUse& use) { return use.sketch == source.sketch.name; });
      if (!used)
        return input_error("no step uses the sketch '" + source.sketch.name + "'; use it or leave it out",
                           source.place);
    }
    return {};
  }

  const Recipe& recipe_;
  std::vector<FieldUse> uses_;
  std::map<std::string, std::string> units_;  // of the fields written so far
};

}  // namespace

Status check_recipe(const Recipe& recipe) {
  return Checker(recipe).check();
}

std::map<std::string, std::string> field_units(const Recipe& recipe) {
  Checker checker(recipe);
  if (const Status s = checker.check(); !s) return {};
  return std::move(checker).units();
}

}  // namespace thalweg::recipe
