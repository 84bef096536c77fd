#include "thalweg/hydrology/real_ranges.h"

#include <algorithm>
#include <cmath>

namespace thalweg::hydrology {
namespace {

struct Row {
  std::string_view figure;
  TerrainType terrain;
  CellClass cells;
  RealRange range;
};

constexpr Row kRows[] = {
#include "thalweg/hydrology/real_ranges.inc"
};

}  // namespace

std::string_view name_of(CellClass cells) {
  switch (cells) {
    case CellClass::fine:
      return "cells below 4 m";
    case CellClass::medium:
      return "cells of 4 to 17 m";
    case CellClass::coarse:
      return "cells above 17 m";
  }
  return {};
}

RealRange range_of(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !(v == v); }), values.end());
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    if (values.empty()) return kNoData<double>;
    const double rank = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(rank);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (rank - static_cast<double>(low)) * (values[high] - values[low]);
  };
  return {static_cast<int>(values.size()), at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

RealRange real_range(std::string_view figure, TerrainType terrain, CellClass cells) {
  for (const Row& row : kRows)
    if (row.figure == figure && row.terrain == terrain && row.cells == cells) return row.range;
  return range_of({});
}

Verdict judge(double value, const RealRange& range) {
  if (!(value == value) || range.n < kLeastModels) return Verdict::unjudged;
  if (value >= range.q25 && value <= range.q75) return Verdict::typical;
  return value >= range.min && value <= range.max ? Verdict::inside : Verdict::outside;
}

}  // namespace thalweg::hydrology
