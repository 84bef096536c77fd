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
inline constexpr int kLattice = kTile / 2 + 8 + 2 * kPad;

/// Gradient direction from t in [-1, 1]: (cos, sin)(pi/4 t) as short polynomials, within 2e-4 of the unit circle.
inline constexpr float kSin1 = 0.784787F;
inline constexpr float kSin3 = -0.077680F;
inline constexpr float kCos2 = -0.308345F;
inline constexpr float kCos4 = 0.015452F;
/// Brings one octave to [-1, 1]: with unit gradients |noise| is largest, sqrt(1/2), in the middle of a cell whose four
/// gradients point there; 1.00014348 is the longest gradient of the polynomials above.
inline constexpr double kPerlinScale = 1.4142135623730951 / 1.00014348;

/// From the square lattice to the triangular one and back: (sqrt(3) - 1) / 2 and (3 - sqrt(3)) / 6.
inline constexpr double kSkew = 0.36602540378443864676;
inline constexpr double kUnskew = 0.21132486540518711775;
/// Brings one octave of simplex noise to [-1, 1]: it is largest, 2 (1/2 - 1/6)^4 sqrt(1/6), in the middle of an edge
/// of the triangles whose two gradients lie along it.
inline constexpr double kSimplexScale = 99.20433458271871 / 1.00014348;

/// Means over the plane of what an octave of Perlin noise adds to ridged and billow sums. A fading octave fades toward
/// its mean, so that a coarse grid is a blurred fine one and not a lower one. Measured on 64 seeds; those of other
/// sources are measured when they are needed.
inline constexpr float kRidgedMean = 0.5951F;
inline constexpr float kBillowMean = 0.2489F;

inline constexpr std::uint32_t kColumnMultiplier = 0x9E3779B1U;
inline constexpr std::uint32_t kRowMultiplier = 0x85EBCA77U;
inline constexpr std::uint32_t kLayerMultiplier = 0xC2B2AE3DU;  // of the third axis, noise in space
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
  double shift_z = 0;      ///< of noise in space
  std::uint64_t seed = 0;  ///< of this octave of this field
  float amplitude = 0;     ///< share of the sum; all octaves together 1, faded ones included
  float fade = 1;          ///< 1 where a cell is at least 4 samples wide, 0 at 2 and below
  float bend = 0;          ///< lattice cells per unit of displacement
  float mean = 0;          ///< what the shaped noise of the octave fades to; of no effect where fade is 1
  float slope = 0;         ///< of a derivative per lattice unit: slope_damped: to units of damping_slope, amplitude and
                           ///< fade in it; fbm: per metre (its amplitude and fade are in the noise)
  float unresolved = 0;    ///< slope_damped: mean square slope, in such units, that fading took away so far
  float before = 0;        ///< hybrid: 1 / (sum of the shares of the octaves before), 0 for the first
};

/// What the noise of one octave is multiplied by before a fractal takes it in: a plain sum has share and fade in it.
inline double octave_scale(Fractal fractal, const Octave& o) {
  return fractal == Fractal::fbm ? static_cast<double>(o.amplitude) * static_cast<double>(o.fade) : 1.0;
}
/// And what is added to it after that: the mean that a plain sum fades to.
inline float octave_shift(Fractal fractal, const Octave& o) {
  return fractal == Fractal::fbm ? o.amplitude * (1.0F - o.fade) * o.mean : 0.0F;
}

/// One fractal sum in normalised form.
struct Field {
  Fractal fractal = Fractal::fbm;
  Source source = Source::perlin;
  CellDistance cell_distance = CellDistance::euclidean;
  CellValue cell_value = CellValue::f1;
  float cell_jitter = 1;
  float ping_pong_strength = 2;
  std::vector<Octave> octaves;
  int active = 0;  ///< octaves with fade > 0; they come first
};

struct Plan {
  Field main;
  bool warped = false;
  bool progressive = false;  ///< each octave of the warp is bent by those before it
  Field warp_x;              ///< fbm sums of Perlin noise
  Field warp_y;
  double cell_x_m = 1;
  double cell_y_m = 1;
  float amplitude = 0;
  float offset = 0;
};

/// Numbers the independent fields of one seed and stream.
enum FieldNumber { kMainField = 0, kWarpXField = 1, kWarpYField = 2, kSpaceField = 3, kSpaceWarpField = 4 };
std::uint64_t field_seed(std::uint64_t seed, std::int64_t stream, int number);

/// A field with the sort of noise that params ask for, without octaves.
Field field_of(const NoiseParams& params);

struct FieldShape {
  double wavelength_m;
  std::int64_t octaves;
  double lacunarity;
  double gain;
  double coarsest_m;  ///< the largest cell size
  double bend_m;
};
/// Gives `field`, whose fractal and source are set, its octaves.
void make_octaves(const FieldShape& shape, std::uint64_t field_seed, Field& field);

/// Averages of one octave of a field's source over the plane, or over space.
struct Moments {
  double shaped = 0;        ///< mean of the octave as the fractal shapes it, before its share
  double square_slope = 0;  ///< mean square of the gradient per lattice unit; for slope_damped only
};
/// Where averages come from: constants of Perlin noise, and a way to measure others.
struct Averages {
  double ridged_perlin;
  double billow_perlin;
  Moments (*measure)(const Field&);
};
/// What faded octaves leave behind: their mean, and for slope_damped the mean square slope that is no longer seen.
void set_means(const NoiseParams& params, const Averages& averages, Field& field);
/// An octave's noise as the field's fractal shapes it.
double shaped(const Field& field, double n);

Plan make_plan(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec);

/// A coordinate on the lattice of one octave: whole cell and the rest in [0, 1] (1 only by rounding).
struct LatticePoint {
  std::int64_t cell;
  float fraction;
};
double lattice_position(std::int64_t index, double cell_m, double frequency, double shift);
LatticePoint split_position(double position);
inline LatticePoint lattice_point(std::int64_t index, double cell_m, double frequency, double shift) {
  return split_position(lattice_position(index, cell_m, frequency, shift));
}

/// Seeds of axis_hash around `cell`, by the top bit of the low half: valid for cells within 2^30 of it, on either side
/// of a multiple of 2^32.
struct AxisSeeds {
  std::uint32_t top_clear;
  std::uint32_t top_set;
  std::uint32_t of(std::uint32_t low) const { return (low >> 31) != 0 ? top_set : top_clear; }
};
AxisSeeds axis_seeds(std::uint64_t octave_seed, int axis, std::int64_t cell);
std::uint32_t axis_hash_of(std::uint64_t octave_seed, int axis, std::int64_t cell);

/// Of Source::simplex: lattice points around the present row of samples whose gradients are in the table.
struct PointWindow {
  bool usable = false;      ///< whether a vector of samples spans few enough cells
  std::int64_t column = 0;  ///< the first lattice column and row
  std::int64_t row = 0;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::int64_t filled = 0;  ///< rows made so far
};

/// Tables of one octave for the columns of one tile, and the lattice rows around the present row.
struct OctaveTable {
  std::int64_t first_column = 0;                 ///< lattice column of the first sample
  AxisSeeds column_seeds{};                      ///< around it (simplex: made with the first row)
  std::array<std::int32_t, kTile + kPad> local;  ///< lattice column of a sample, less first_column
  std::array<float, kTile + kPad> fraction;
  std::array<float, kTile + kPad> fade;  ///< quintic of the fraction; of Source::perlin
  /// Of Source::simplex, whose columns above are the column parts of u: the same of v.
  std::int64_t skew_first = 0;
  AxisSeeds row_seeds{};
  std::vector<std::int32_t> skew_local;
  std::vector<float> skew_fraction;
  PointWindow points;
  /// Hashes of the lattice columns in use, the first being first_column - lattice_margin; of Source::white those of
  /// each sample.
  int columns = 0;
  std::array<std::uint32_t, kTile + kPad> hash;

  std::int64_t lattice_row = 0;  ///< the one the rows below were made for
  bool lattice_valid = false;
  int turn = 0;             ///< which of several rows taking turns is the northernmost
  std::vector<float> rows;  ///< of kLattice numbers each; the source's kernel says what
  float* row(int i) { return rows.data() + static_cast<std::size_t>(i) * kLattice; }
};
void make_tables(const Field& field, std::int64_t index_x, double cell_m, int width, std::vector<OctaveTable>& tables);

/// What the kernels of Source::cellular divide distances by: the largest possible value.
double largest_cell_value(const Field& field);

/// Over 32,768 samples of a fixed window of the plane: accurate to about 0.003 of the range.
Moments measure_moments(const Field& field);

/// Where a tile (at most kTile x kTile) goes; the derivatives may be empty.
struct TileOut {
  GridView<float> value;
  GridView<float> per_east = {};
  GridView<float> per_north = {};
};
/// Fills a tile, whose first sample has the absolute index (x, y), at the best SIMD level.
void fill_tile(const Plan& plan, std::int64_t x, std::int64_t y, const TileOut& out);

}  // namespace thalweg::noise::detail
