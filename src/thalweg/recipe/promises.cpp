#include "thalweg/recipe/promises.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/core/params.h"

namespace thalweg::recipe {
namespace {

// Adds samples one by one; samples must come in the order of their cells.
class Comparison {
 public:
  Comparison(const Promise& promise, GridView<const float> height_m, GridView<const float> water_m)
      : promise_(promise), height_(height_m), water_(water_m) {}

  void sample(int x, int y, float wanted_m) {
    if (!water_.empty() && water_(x, y) > 0) {
      ++result.under_water;
      return;
    }
    ++result.samples;
    const double difference = static_cast<double>(height_(x, y)) - static_cast<double>(wanted_m);
    const double deviation = deviation_of(difference);
    result.faults += deviation > promise_.tolerance_m ? 1 : 0;
    if (result.worst_x >= 0 && deviation <= result.worst_m) return;
    result.worst_m = deviation;
    result.worst_x = x;
    result.worst_y = y;
    result.wanted_m = static_cast<double>(wanted_m);
    result.found_m = static_cast<double>(height_(x, y));
  }

  PromiseResult result;

 private:
  double deviation_of(double difference) const {
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();  // NoData
    switch (promise_.side) {
      case PromiseSide::within:
        return std::fabs(difference);
      case PromiseSide::at_least:
        return difference < 0 ? -difference : 0;
      case PromiseSide::at_most:
        return difference > 0 ? difference : 0;
    }
    return 0;
  }

  const Promise& promise_;
  GridView<const float> height_;
  GridView<const float> water_;
};

void compare_points(const Promise& promise, const GridSpec& spec, Comparison& compare) {
  for (const auto& part : promise.sketch.parts)
    for (const shape::SketchPoint& p : part) {
      const double x = std::round(p.x_m / spec.cell_m) - static_cast<double>(spec.origin_x);
      const double y = std::round(-p.y_m / spec.cell_y_m) - static_cast<double>(spec.origin_y);
      if (x < 0 || y < 0 || x >= spec.width || y >= spec.height) continue;
      compare.sample(static_cast<int>(x), static_cast<int>(y), static_cast<float>(p.height_m));
    }
}

}  // namespace

std::string_view name_of(PromiseSide side) {
  switch (side) {
    case PromiseSide::within:
      return "within";
    case PromiseSide::at_least:
      return "at-least";
    case PromiseSide::at_most:
      return "at-most";
  }
  return "";
}

PromiseResult check_promise(const Promise& promise, const GridSpec& spec, GridView<const float> height_m,
                            GridView<const float> water_m, const Exec& exec) {
  Comparison compare(promise, height_m, water_m);
  if (promise.sketch.kind == shape::SketchKind::points) {
    compare_points(promise, spec, compare);
    return compare.result;
  }
  Grid<float> distance(spec.width, spec.height);
  Grid<float> wanted(spec.width, spec.height);
  const double half_cell_m = 0.5 * std::max(spec.cell_m, spec.cell_y_m);
  shape::sketch_distance(promise.sketch, spec, half_cell_m, distance, wanted, exec);
  const bool inside_only = promise.sketch.kind == shape::SketchKind::polygons;
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x)
      if (!is_nodata(wanted(x, y)) && (!inside_only || distance(x, y) <= 0)) compare.sample(x, y, wanted(x, y));
  return compare.result;
}

std::string worst_place(const PromiseResult& result) {
  if (result.worst_x < 0) return {};
  const auto centimetres = [](double v) { return format_number(std::round(v * 100) / 100); };
  const std::string place = "column " + std::to_string(result.worst_x) + ", row " + std::to_string(result.worst_y);
  if (std::isnan(result.found_m)) return place + ": no data instead of " + centimetres(result.wanted_m) + " m";
  return place + ": " + centimetres(result.found_m) + " m instead of " + centimetres(result.wanted_m) + " m";
}

}  // namespace thalweg::recipe
