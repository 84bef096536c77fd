#include "thalweg/core/params.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace thalweg {
namespace {

std::string range_text(double min, double max, const std::string& unit) {
  const std::string suffix = unit.empty() ? "" : " " + unit;
  const bool has_min = min > -std::numeric_limits<double>::infinity();
  const bool has_max = max < std::numeric_limits<double>::infinity();
  if (has_min && has_max) return "must be from " + format_number(min) + " to " + format_number(max) + suffix;
  if (has_min) return "must be at least " + format_number(min) + suffix;
  if (has_max) return "must be at most " + format_number(max) + suffix;
  return "must be a finite number";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> param_fault(const ParamInfo& info, const ParamValue& value) {
  switch (info.kind) {
    case ParamKind::real:
    case ParamKind::integer: {
      double v = 0;
      if (const auto* i = std::get_if<std::int64_t>(&value)) {
        v = static_cast<double>(*i);
      } else if (const auto* d = std::get_if<double>(&value); d != nullptr && info.kind == ParamKind::real) {
        v = *d;
      } else {
        return info.kind == ParamKind::real ? "must be a number" : "must be a whole number";
      }
      if (!std::isfinite(v) || v < info.min || v > info.max) return range_text(info.min, info.max, info.unit);
      return std::nullopt;
    }
    case ParamKind::boolean:
      if (!std::holds_alternative<bool>(value)) return "must be true or false";
      return std::nullopt;
    case ParamKind::text:
      if (!std::holds_alternative<std::string>(value)) return "must be a text in quotes";
      return std::nullopt;
    case ParamKind::numbers: {
      const auto* list = std::get_if<Numbers>(&value);
      if (list == nullptr) return "must be a list of numbers, as in [0, 10, 25]";
      if (list->size() > kMostNumbers) return "must have at most " + std::to_string(kMostNumbers) + " entries";
      for (const double v : *list)
        if (!std::isfinite(v) || v < info.min || v > info.max)
          return "has the entry " + format_number(v) + "; each " + range_text(info.min, info.max, info.unit);
      return std::nullopt;
    }
    case ParamKind::choice: {
      const auto* s = std::get_if<std::string>(&value);
      if (s != nullptr && std::find(info.choices.begin(), info.choices.end(), *s) != info.choices.end())
        return std::nullopt;
      std::string list;
      for (const std::string& c : info.choices) list += (list.empty() ? "" : ", ") + c;
      return "must be one of " + list;
    }
  }
  return std::nullopt;
}

void ParamValidator::fault(std::string_view name, const ParamLimits& limits) {
  if (!status.ok()) return;
  status = input_error(std::string(name) + " " + range_text(limits.min, limits.max, std::string(limits.unit)));
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t d = edit_distance(name, candidate);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

namespace {

// printf's shortest rounding for which `same` holds; a locale may have put a decimal comma.
template <class Same>
std::string shortest_text(double value, int most_digits, Same same) {
  char text[40];
  if (value == std::floor(value) && std::fabs(value) < 1e15) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
    return text;
  }
  for (int digits = 1; digits <= most_digits; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (same(text)) break;
  }
  std::string result = text;
  std::replace(result.begin(), result.end(), ',', '.');
  return result;
}

}  // namespace

std::string format_number(double value) {
  return shortest_text(value, 17, [&](const char* text) { return std::strtod(text, nullptr) == value; });
}

std::string format_number(float value) {
  return shortest_text(value, 9, [&](const char* text) { return std::strtof(text, nullptr) == value; });
}

}  // namespace thalweg
