// For the tests of the shape module: fields to try and ways to compare them.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/random.h"

namespace thalweg::shape::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

inline GridSpec spec_of(int width, int height, double cell_m = 1, double cell_y_m = 0) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  spec.cell_m = cell_m;
  spec.cell_y_m = cell_y_m > 0 ? cell_y_m : cell_m;
  return spec;
}

/// Values in [low, high) by seed; NoData with the given chance.
inline Grid<float> random_field(int width, int height, std::uint64_t seed, double low, double high, double holes = 0) {
  Grid<float> g(width, height);
  for (std::int64_t i = 0; i < g.cells(); ++i) {
    g[i] = static_cast<float>(low + (high - low) * unit_double(hash64(seed, i)));
    if (unit_double(hash64(seed, i, 1)) < holes) g[i] = kNoData<float>;
  }
  return g;
}

inline Grid<float> row_of(std::initializer_list<float> values) {
  Grid<float> g(static_cast<int>(values.size()), 1);
  std::memcpy(g.data(), values.begin(), values.size() * sizeof(float));
  return g;
}

/// The same bits, NoData of any kind counting as equal.
inline bool same_bits(GridView<const float> a, GridView<const float> b) {
  if (a.width() != b.width() || a.height() != b.height()) return false;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const float p = a(x, y), q = b(x, y);
      if (p != p && q != q) continue;
      if (std::memcmp(&p, &q, sizeof p) != 0) return false;
    }
  return true;
}

/// Serial, and several threads on each backend.
inline std::vector<Exec> all_execs() {
  return {Exec(), Exec(2), Exec(7), Exec(2, TaskBackend::threads), Exec(7, TaskBackend::threads)};
}

inline const std::vector<std::pair<int, int>>& edge_sizes() {
  static const std::vector<std::pair<int, int>> sizes = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {2, 5}};
  return sizes;
}

/// Fields that must not make any operator stumble: flat, all NoData, infinite, huge, mixed.
inline std::vector<Grid<float>> odd_fields(int width, int height) {
  std::vector<Grid<float>> fields;
  for (const float v : {0.0F, kNoData<float>, kInf, -kInf, 1e30F, -1e30F}) fields.emplace_back(width, height, v);
  Grid<float> mixed(width, height);
  const float values[] = {1e30F, -1e30F, kInf, -kInf, kNoData<float>, 0, 100};
  for (std::int64_t i = 0; i < mixed.cells(); ++i) mixed[i] = values[i % 7];
  fields.push_back(std::move(mixed));
  return fields;
}

}  // namespace thalweg::shape::test
