// Where droplets start: a function of the seed and the world cell. Internal to erosion.
#pragma once

#include <cstdint>

#include "thalweg/core/grid_spec.h"
#include "thalweg/core/random.h"
#include "thalweg/erosion/droplet_plan.h"

namespace thalweg::erosion {

/// One row of a grid's starts. Each world cell owns a stream of Mulberry32 values in counter form: value 0 decides how
/// many droplets it starts, then three a droplet give generation and place in the cell.
class DropletStarts {
 public:
  DropletStarts(std::uint64_t seed, const GridSpec& spec, const DropletPlan& plan, int y)
      : row_key_(hash64(derive_seed(seed, 0xD201E7), spec.origin_y + y)),
        origin_x_(spec.origin_x),
        generations_(static_cast<std::uint64_t>(plan.generations)),
        whole_(static_cast<std::uint32_t>(plan.per_cell)),
        chance_(static_cast<std::uint64_t>((plan.per_cell - whole_) * 0x1p32)) {}

  /// Calls start(generation, fx, fy) for every droplet of the cell in column x, fractions in [0, 1).
  template <class Start>
  void each(int x, Start&& start) const {
    const std::uint64_t world_x = static_cast<std::uint64_t>(origin_x_) + static_cast<std::uint64_t>(x);
    const auto key = static_cast<std::uint32_t>(mix64(row_key_ ^ (world_x * 0xD6E8FEB86659FD93ULL)) >> 32);
    const std::uint32_t count = whole_ + (mulberry32(key, 0) < chance_ ? 1U : 0U);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint64_t drawn = mulberry32(key, 1 + 3 * k);
      start(static_cast<int>(drawn * generations_ >> 32), fraction(mulberry32(key, 2 + 3 * k)),
            fraction(mulberry32(key, 3 + 3 * k)));
    }
  }

 private:
  static float fraction(std::uint32_t v) { return static_cast<float>(v >> 8) * 0x1p-24F; }
  std::uint64_t row_key_;
  std::int64_t origin_x_;
  std::uint64_t generations_;
  std::uint32_t whole_;
  std::uint64_t chance_;
};

}  // namespace thalweg::erosion
