// What the figures of realism are on real elevation models.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "thalweg/hydrology/realism.h"

namespace thalweg::hydrology {

/// Kinds of country; a model can be of several. `all`: every model of the cell class.
enum class TerrainType { all, mountains, hills, desert, volcano, lowland, coast };
inline constexpr Choice<TerrainType> kTerrainTypes[] = {
    {"all", TerrainType::all},       {"mountains", TerrainType::mountains}, {"hills", TerrainType::hills},
    {"desert", TerrainType::desert}, {"volcano", TerrainType::volcano},     {"lowland", TerrainType::lowland},
    {"coast", TerrainType::coast}};
/// "cells below 4 m", ...
std::string_view name_of(CellClass cells);

/// Order statistics of a figure over `n` models; quartiles linear between ranks.
struct RealRange {
  int n = 0;
  double min = 0, q25 = 0, median = 0, q75 = 0, max = 0;
};
/// Of the values that are not NaN; all NaN without any.
RealRange range_of(std::vector<double> values);

/// The shipped range of a figure, measured with the default RealismParams (tools/real_ranges); n is 0 where no model
/// of that kind gives the figure.
RealRange real_range(std::string_view figure, TerrainType terrain, CellClass cells);

enum class Verdict {
  unjudged,  ///< no value, or fewer than kLeastModels like models
  typical,   ///< between the quartiles
  inside,    ///< between the least and the largest
  outside,
};
inline constexpr int kLeastModels = 5;
Verdict judge(double value, const RealRange& range);

}  // namespace thalweg::hydrology
