// Inside of the noise module: the row kernels of the sources in space, one call for one octave of one row of samples.
#pragma once

#include <array>
#include <cstdint>

#include "thalweg/noise/space_plan.h"

namespace thalweg::noise::detail {

/// Displacement of the samples of a row along each axis, in units of the largest, or none.
using Bend3 = std::array<const float*, 3>;

/// Rows have kTile + kPad floats: whole vectors are read and written.
struct SpaceRowTask {
  const Field* field = nullptr;
  const Octave* octave = nullptr;
  SpaceTable* table = nullptr;
  std::int64_t y = 0;  ///< absolute indices of the row
  std::int64_t z = 0;
  std::array<double, 3> cell_m{1, 1, 1};
  int width = 0;
  Bend3 bend{};
  bool add = false;           ///< n += instead of n =
  float* n = nullptr;         ///< raw * octave_scale + octave_shift
  std::array<float*, 3> d{};  ///< kernels with slopes only: derivatives of n per lattice unit along the axes
};
using SpaceRowKernel = void (*)(const SpaceRowTask&);

/// What a kernel is asked for.
struct SpaceRowMode {
  bool bent = false;
  bool slopes = false;
};

// The kernels of the sources at the best SIMD level. Straight ones lean on cells of at least two samples.
SpaceRowKernel space_perlin_kernel(SpaceRowMode mode);
SpaceRowKernel space_value_kernel(SpaceRowMode mode);
SpaceRowKernel space_cubic_kernel(SpaceRowMode mode);
SpaceRowKernel space_white_kernel(SpaceRowMode mode);
SpaceRowKernel space_simplex_kernel(SpaceRowMode mode);
SpaceRowKernel space_cellular_kernel(const Field& field, SpaceRowMode mode);

/// The kernel of the field's source.
SpaceRowKernel space_row_kernel(const Field& field, SpaceRowMode mode);

/// The largest distance that cellular noise of the field's sort can have.
double largest_space_cell_value(const Field& field);

}  // namespace thalweg::noise::detail
