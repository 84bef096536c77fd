// Parameters as data. An operator's Params struct is a plain struct with defaults and one static function
//
//   template <class Visitor> static void describe(Params& p, Visitor& v) {
//     v.real("wavelength_m", p.wavelength_m, {.unit = "m", .min = 1e-3, .max = 1e7, .help = "..."});
//   }
//
// From it come the checker's ranges, `--help`, `thalweg ops`, the JSON schema and the documentation: names, units,
// defaults and ranges stand in one place only.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "thalweg/core/result.h"

namespace thalweg {

enum class ParamKind { real, integer, boolean, choice, text, numbers };

using Numbers = std::vector<double>;
using ParamValue = std::variant<double, std::int64_t, bool, std::string, Numbers>;

/// Most entries that a list of numbers may have.
inline constexpr std::size_t kMostNumbers = 4096;

struct ParamLimits {
  std::string_view unit = "";  ///< "m", "m/yr", "1/km2", "deg", "" for a pure number
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string_view help = "";
};

/// What there is to know about one parameter, with its default.
struct ParamInfo {
  std::string name;
  std::string unit;
  std::string help;
  ParamKind kind = ParamKind::real;
  double min = 0;
  double max = 0;
  std::vector<std::string> choices;  ///< of ParamKind::choice
  ParamValue fallback;
};

/// A named value of an enum that a recipe writes as a word.
template <class Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

/// The word for a value; "" where the table lacks it.
template <class Enum, std::size_t N>
std::string_view choice_name(const Choice<Enum> (&choices)[N], Enum value) {
  for (const Choice<Enum>& c : choices)
    if (c.value == value) return c.name;
  return "";
}
/// The value of a word. Fails naming all that there are; the place is left empty.
template <class Enum, std::size_t N>
Result<Enum> choice_named(const Choice<Enum> (&choices)[N], std::string_view name) {
  std::string names;
  for (std::size_t i = 0; i < N; ++i) {
    if (choices[i].name == name) return choices[i].value;
    names.append(i == 0 ? "" : i + 1 < N ? ", " : " or ").append(choices[i].name);
  }
  return input_error("must be " + names);
}

/// Collects a ParamInfo per parameter.
class ParamLister {
 public:
  void real(std::string_view name, double& value, const ParamLimits& limits) {
    add(name, limits, ParamKind::real, value);
  }
  void integer(std::string_view name, std::int64_t& value, const ParamLimits& limits) {
    add(name, limits, ParamKind::integer, value);
  }
  void boolean(std::string_view name, bool& value, const ParamLimits& limits) {
    add(name, limits, ParamKind::boolean, value);
  }
  void text(std::string_view name, std::string& value, const ParamLimits& limits) {
    add(name, limits, ParamKind::text, value);
  }
  /// A list; the limits hold for each entry.
  void numbers(std::string_view name, Numbers& value, const ParamLimits& limits) {
    add(name, limits, ParamKind::numbers, value);
  }
  template <class Enum, std::size_t N>
  void choice(std::string_view name, Enum& value, const Choice<Enum> (&choices)[N], const ParamLimits& limits) {
    add(name, limits, ParamKind::choice, std::string(choice_name(choices, value)));
    for (const Choice<Enum>& c : choices) infos.back().choices.emplace_back(c.name);
  }

  std::vector<ParamInfo> infos;

 private:
  void add(std::string_view name, const ParamLimits& limits, ParamKind kind, ParamValue value) {
    infos.push_back({std::string(name),
                     std::string(limits.unit),
                     std::string(limits.help),
                     kind,
                     limits.min,
                     limits.max,
                     {},
                     std::move(value)});
  }
};

template <class Params>
std::vector<ParamInfo> list_params() {
  Params p{};
  ParamLister lister;
  Params::describe(p, lister);
  return std::move(lister.infos);
}

/// "must be from 0 to 1" or "must be one of a, b": the reason why `value` does not fit `info`, or nothing.
std::optional<std::string> param_fault(const ParamInfo& info, const ParamValue& value);

/// Writes named values, already checked against list_params, into a Params struct. Integers are accepted for reals.
class ParamWriter {
 public:
  struct Named {
    std::string name;
    ParamValue value;
  };
  explicit ParamWriter(std::span<const Named> values) : values_(values) {}

  void real(std::string_view name, double& value, const ParamLimits&) {
    if (const ParamValue* v = find(name)) {
      if (const auto* d = std::get_if<double>(v)) value = *d;
      if (const auto* i = std::get_if<std::int64_t>(v)) value = static_cast<double>(*i);
    }
  }
  void integer(std::string_view name, std::int64_t& value, const ParamLimits&) {
    if (const ParamValue* v = find(name))
      if (const auto* i = std::get_if<std::int64_t>(v)) value = *i;
  }
  void boolean(std::string_view name, bool& value, const ParamLimits&) {
    if (const ParamValue* v = find(name))
      if (const auto* b = std::get_if<bool>(v)) value = *b;
  }
  void text(std::string_view name, std::string& value, const ParamLimits&) {
    if (const ParamValue* v = find(name))
      if (const auto* s = std::get_if<std::string>(v)) value = *s;
  }
  void numbers(std::string_view name, Numbers& value, const ParamLimits&) {
    if (const ParamValue* v = find(name))
      if (const auto* n = std::get_if<Numbers>(v)) value = *n;
  }
  template <class Enum, std::size_t N>
  void choice(std::string_view name, Enum& value, const Choice<Enum> (&choices)[N], const ParamLimits&) {
    if (const ParamValue* v = find(name))
      if (const auto* s = std::get_if<std::string>(v))
        for (const Choice<Enum>& c : choices)
          if (c.name == *s) value = c.value;
  }

 private:
  const ParamValue* find(std::string_view name) const {
    for (const Named& n : values_)
      if (n.name == name) return &n.value;
    return nullptr;
  }
  std::span<const Named> values_;
};

/// A Params struct from named values. Fails with the parameter's name and what would be right; the place is left empty.
template <class Params>
Result<Params> make_params(std::span<const ParamWriter::Named> values);

/// Checks every field of a filled struct against its stated range: the `validate` of every operator.
class ParamValidator {
 public:
  void real(std::string_view name, double& value, const ParamLimits& limits) {
    if (!(value >= limits.min && value <= limits.max)) fault(name, limits);
  }
  void integer(std::string_view name, std::int64_t& value, const ParamLimits& limits) {
    if (!(static_cast<double>(value) >= limits.min && static_cast<double>(value) <= limits.max)) fault(name, limits);
  }
  void boolean(std::string_view, bool&, const ParamLimits&) {}
  void text(std::string_view, std::string&, const ParamLimits&) {}
  void numbers(std::string_view name, Numbers& value, const ParamLimits& limits) {
    for (const double v : value)
      if (!(v >= limits.min && v <= limits.max)) fault(name, limits);
  }
  template <class Enum, std::size_t N>
  void choice(std::string_view, Enum&, const Choice<Enum> (&)[N], const ParamLimits&) {}

  Status status;

 private:
  void fault(std::string_view name, const ParamLimits& limits);
};

template <class Params>
Status validate(const Params& params) {
  Params copy = params;
  ParamValidator validator;
  Params::describe(copy, validator);
  return validator.status;
}

/// The candidate that looks most like `name` (edit distance at most a third of its length, at least 2), or "".
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// Shortest decimal text that reads back as the same double; integers without a point. Locale-free.
std::string format_number(double value);
/// The same for float: the shortest text that reads back as the same float.
std::string format_number(float value);
template <class Integer>
requires std::is_integral_v<Integer> std::string format_number(Integer value) {
  return std::to_string(value);
}

template <class Params>
Result<Params> make_params(std::span<const ParamWriter::Named> values) {
  const std::vector<ParamInfo> infos = list_params<Params>();
  for (const ParamWriter::Named& named : values) {
    const ParamInfo* found = nullptr;
    for (const ParamInfo& info : infos)
      if (info.name == named.name) found = &info;
    if (found == nullptr) return input_error("unknown parameter '" + named.name + "'");
    if (auto fault = param_fault(*found, named.value)) return input_error(named.name + " " + *fault);
  }
  Params p{};
  ParamWriter writer(values);
  Params::describe(p, writer);
  return p;
}

}  // namespace thalweg
