// For the tests of droplets: one run with all its results, and how results compare.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "thalweg/erosion/droplets.h"

namespace thalweg::erosion {

inline constexpr double kNoSea = -std::numeric_limits<double>::infinity();

struct Outcome {
  Grid<float> ground;
  Grid<float> wear_m;
  Grid<float> deposit_m;
  Ledger ledger;
};

inline Outcome run(const DropletParams& params, const GridSpec& spec, GridView<const float> height,
                   const Exec& exec = Exec(), double sea_level_m = kNoSea, std::uint64_t seed = 7,
                   GridView<const float> protect = {}) {
  const int w = height.width();
  const int h = height.height();
  Outcome o{{w, h}, {w, h}, {w, h}, {}};
  o.ledger = droplets(params, seed, spec, sea_level_m, height, o.ground, o.wear_m, o.deposit_m, exec, protect);
  return o;
}

inline bool same_bits(GridView<const float> a, GridView<const float> b) {
  for (int y = 0; y < a.height(); ++y)
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width()) * sizeof(float)) != 0) return false;
  return a.width() == b.width() && a.height() == b.height();
}

}  // namespace thalweg::erosion
