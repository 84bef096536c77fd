// From a recipe's extent to a grid.
#include <algorithm>
#include <cmath>

#include "thalweg/recipe/recipe.h"

namespace thalweg::recipe {
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
    const bool exists = std::fabs(static_cast<double>(want - 1) * cell_x - recipe.height_m) <= 1e-9 * recipe.height_m;
    return input_error("cells must be square: over " + format_number(recipe.width_m) + " x " +
                       format_number(recipe.height_m) + " m, " + std::to_string(width) + " samples need " +
                       (exists ? std::to_string(want) + " on the other side"
                               : "a number on the other side that is no whole one; give the cell size instead"));
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
