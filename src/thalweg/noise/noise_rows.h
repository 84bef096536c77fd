// Inside of the noise module: the row kernels of the sources, one call for one octave of one row of one tile.
#pragma once

#include <cstdint>

#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise::detail {

/// What a row kernel does with the noise n = raw * octave_scale + octave_shift of each sample.
enum class RowMode {
  add,           ///< n_row += n; Source::perlin only, its fbm is worth a fused loop
  store,         ///< n_row = n
  store_slopes,  ///< and its derivatives per lattice unit east and south
};

/// Rows have kTile + kPad floats: whole vectors are written.
struct RowTask {
  const Field* field = nullptr;
  const Octave* octave = nullptr;
  OctaveTable* table = nullptr;
  std::int64_t y = 0;  ///< absolute index of the row
  double cell_y_m = 1;
  int width = 0;
  const float* bend_x = nullptr;  ///< displacement of each sample in units of octave.bend; kernels of bent rows only
  const float* bend_y = nullptr;
  float* n = nullptr;
  float* dx = nullptr;
  float* dy = nullptr;
};
using RowKernel = void (*)(const RowTask&);

// The kernel of each source at the best SIMD level; chosen once per tile. Straight kernels lean on cells of at least
// two samples (white: one), bent ones take any position.
RowKernel perlin_kernel(RowMode mode, bool bent);
RowKernel simplex_kernel(RowMode mode, bool bent);
RowKernel value_kernel(bool cubic, RowMode mode, bool bent);
RowKernel cellular_kernel(const Field& field, RowMode mode, bool bent);
RowKernel white_kernel(RowMode mode, bool bent);

/// The kernel of the field's source.
RowKernel row_kernel(const Field& field, RowMode mode, bool bent);

}  // namespace thalweg::noise::detail
