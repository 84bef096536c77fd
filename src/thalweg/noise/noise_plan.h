// Inside of the noise module: what a fill computes per call (plan) and per tile (tables), shared by all SIMD levels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/noise/noise.h"

namespace thalweg::noise::detail {

/// Samples per side of a tile, the unit of parallel work. Tables of the columns are made once per tile.
inline constexpr int kTile = 256;
/// The widest vector in use, in floats; tables have this many spare entries at the end.
inline constexpr int kPad = 16;
/// Lattice columns a tile can touch: octaves are computed only while cells are at least two samples wide.
inline constexpr int kLattice = kTile / 2 + 4 + 2 * kPad;

/// Gradient direction from t in [-1, 1]: (cos, sin)(pi/4 t) as short polynomials, within 2e-4 of the unit circle.
inline constexpr float kSin1 = 0.784787F;
inline constexpr float kSin3 = -0.077680F;
inline constexpr float kCos2 = -0.308345F;
inline constexpr float kCos4 = 0.015452F;
/// Brings one octave to [-1, 1]: with unit gradients |noise| is largest, sqrt(1/2), in the middle of a cell whose four
/// gradients point there; 1.00014348 is the longest gradient of the polynomials above.
inline constexpr double kPerlinScale = 1.4142135623730951 / 1.00014348;

/// Means over the plane of what an octave adds to ridged and billow sums. A fading octave fades toward its mean, so
/// that a coarse grid is a blurred fine one and not a lower one. Measured on 64 seeds.
inline constexpr float kRidgedMean = 0.5951F;
inline constexpr float kBillowMean = 0.2489F;

inline constexpr std::uint32_t kColumnMultiplier = 0x9E3779B1U;
inline constexpr std::uint32_t kRowMultiplier = 0x85EBCA77U;
inline constexpr std::uint32_t kHash1 = 0x7FEB352DU;
inline constexpr std::uint32_t kHash2 = 0x846CA68BU;

/// Hash of a lattice column or row: the low half of its number, scrambled by a seed made from the high half.
constexpr std::uint32_t axis_hash(std::uint32_t low, std::uint32_t seed, std::uint32_t multiplier) {
  const std::uint32_t h = (low ^ seed) * multiplier;
  return h ^ (h >> 15);
}

struct Octave {
  double frequency = 0;    ///< lattice cells per metre
  double shift_x = 0;      ///< of the lattice, in cells, 0..1: octaves whose lattices share lines would show them,
  double shift_y = 0;      ///< and all would be 0 at the world's origin
  std::uint64_t seed = 0;  ///< of this octave of this field
  float amplitude = 0;     ///< share of the sum; all octaves together 1, faded ones included
  float fade = 1;          ///< 1 where a cell is at least 4 samples wide, 0 at 2 and below
  float bend = 0;          ///< lattice cells per unit of displacement
};

/// One fractal sum in normalised form.
struct Field {
  Fractal fractal = Fractal::fbm;
  std::vector<Octave> octaves;
  int active = 0;  ///< octaves with fade > 0; they come first
};

struct Plan {
  Field main;
  bool warped = false;
  Field warp_x;
  Field warp_y;
  double cell_x_m = 1;
  double cell_y_m = 1;
  float amplitude = 0;
  float offset = 0;
};

Plan make_plan(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec);

/// A coordinate on the lattice of one octave: whole cell and the rest in [0, 1] (1 only by rounding).
struct LatticePoint {
  std::int64_t cell;
  float fraction;
};
LatticePoint lattice_point(std::int64_t index, double cell_m, double frequency, double shift);

/// Seeds of axis_hash around `cell`, by the top bit of the low half: valid for cells within 2^30 of it, on either side
/// of a multiple of 2^32.
struct AxisSeeds {
  std::uint32_t top_clear;
  std::uint32_t top_set;
  std::uint32_t of(std::uint32_t low) const { return (low >> 31) != 0 ? top_set : top_clear; }
};
AxisSeeds axis_seeds(std::uint64_t octave_seed, int axis, std::int64_t cell);
std::uint32_t axis_hash_of(std::uint64_t octave_seed, int axis, std::int64_t cell);

/// Tables of one octave for the columns of one tile, and the gradients of the two lattice rows around the present row.
struct OctaveTable {
  std::int64_t first_column = 0;
  int columns = 0;  ///< lattice columns in use
  AxisSeeds column_seeds{};
  std::array<std::int32_t, kTile + kPad> local;  ///< lattice column of a sample, less first_column
  std::array<float, kTile + kPad> fraction;
  std::array<float, kTile + kPad> fade;  ///< quintic of the fraction
  std::array<std::uint32_t, kLattice> hash;

  std::int64_t gradient_row = 0;
  bool gradients_valid = false;
  int lower = 0;                                  ///< which of the two holds gradient_row
  std::array<std::array<float, kLattice>, 2> gx;  ///< scaled gradients at lattice rows
  std::array<std::array<float, kLattice>, 2> gy;  ///< gradient_row and gradient_row + 1
  std::array<float, kLattice> slope;              ///< the row's two numbers per lattice column:
  std::array<float, kLattice> value;              ///< noise contribution is slope * dx + value
};
void make_tables(const Field& field, std::int64_t index_x, double cell_m, int width, std::vector<OctaveTable>& tables);

/// Fills `out` (at most kTile x kTile), whose first sample has the absolute index (x, y), at the best SIMD level.
void fill_tile(const Plan& plan, std::int64_t x, std::int64_t y, GridView<float> out);

}  // namespace thalweg::noise::detail
