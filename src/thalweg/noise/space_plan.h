// Inside of the noise module: plan and tables of noise in space, shared by all SIMD levels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise::detail {

/// A tile, the unit of parallel work, is kTile samples wide and has this many rows and layers.
inline constexpr int kSpaceRows = 32;
inline constexpr int kSpaceLayers = 8;

/// Brings one octave of Perlin noise in space to [-1, 1]: with unit gradients |noise| is largest, sqrt(3)/2, in the
/// middle of a cell; 1.00014348 is the longest gradient.
inline constexpr double kPerlin3Scale = 1.1547005383792515 / 1.00014348;

/// Simplex noise in space sums (1/2 - d^2)^3 (g . d) over the points of a body-centred cubic lattice (edge 1) nearer
/// than sqrt(1/2). That is the lattice whose cells are the simplices of Perlin's simplex noise; at most two points of
/// each of its two cubic halves are that near, so the sum has four terms and is twice continuously differentiable. It
/// is largest with all gradients aligned at (1/4, 1/4, 1/4).
inline constexpr double kSimplex3Scale = 1.0 / (0.026428997918226282 * 1.00014348);
inline constexpr std::uint32_t kSimplexHalf = 0x68E31DA4U;  ///< sets the hashes of the second half apart

/// The simplex lattice is turned against the axes by this orthogonal matrix of rational numbers: lattice coordinate a
/// is sum over b of kTurn[a][b] * axis b. It treats the axes alike, and its lattice planes with many points are far
/// from the planes of samples.
inline constexpr double kTurn[3][3] = {{-63.0 / 193, 144.0 / 193, 112.0 / 193},
                                       {112.0 / 193, -63.0 / 193, 144.0 / 193},
                                       {144.0 / 193, 112.0 / 193, -63.0 / 193}};

/// Value-cubic noise weighs four values along each axis by Catmull and Rom's spline, whose absolute weights sum to
/// 5/4 at most: (4/5)^3 keeps it in [-1, 1].
inline constexpr double kCubic3Scale = 0.512;

struct SpacePlan {
  Field main;
  bool warped = false;
  bool progressive = false;
  std::array<Field, 3> warp;
  std::array<double, 3> cell_m{1, 1, 1};
  float amplitude = 0;
  float offset = 0;
};
SpacePlan make_space_plan(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box);

/// Averages over space: known for the common sorts, else over 65,536 samples of a fixed box, accurate to about 0.003 of
/// the range.
Moments space_moments(const Field& field);

/// Where the samples of a row lie along one lattice axis: `first` + `local` cells and `fraction`, to which the row's
/// own lattice point is added.
struct AxisColumns {
  std::int64_t first = 0;
  std::array<std::int32_t, kTile + kPad> local;
  std::array<float, kTile + kPad> fraction;
};

/// Seeds of the hash along one axis, made again only when the place has moved by 2^30 cells.
struct AxisSeedCache {
  bool valid = false;
  std::int64_t quarter = 0;
  AxisSeeds seeds{};
};

/// Lattice columns before a tile's first that tables hold too.
inline constexpr int kLead = 1;

/// Lattice lines (along x, at lattice row j and layer k) around the present row, found by the low two bits of j and k.
struct LatticeLines {
  std::array<bool, 16> valid{};
  std::array<std::int64_t, 16> row{};
  std::array<std::int64_t, 16> layer{};
  int parts = 0;  ///< numbers per lattice point
  std::size_t stride = 0;
  std::vector<float> data;
  float* part(std::size_t slot, int p) { return data.data() + (slot * static_cast<std::size_t>(parts) + p) * stride; }
};

/// Lattice lines of one layer of samples: rows j folded along z, found by the low two bits of j.
struct FoldedLines {
  std::int64_t sample_layer = 0;
  std::array<bool, 4> valid{};
  std::array<std::int64_t, 4> row{};
};

/// Of simplex noise: gradients of the lattice points that the samples in a cell can be near to. The first eight are the
/// cell's corners, x fastest; then come the middles of the neighbours below and above along each axis, and its own.
struct SimplexCell {
  bool valid = false;
  std::array<std::int32_t, 3> cell;  ///< low halves
  std::array<std::array<float, 16>, 3> gradient;
};

/// Tables of one octave for one tile.
struct SpaceTable {
  std::array<AxisColumns, 3> axis;       ///< the second and third only of a turned lattice
  std::array<float, kTile + kPad> fade;  ///< quintic of the first axis' fraction
  std::array<AxisSeedCache, 3> seeds;
  int columns = 0;                  ///< lattice columns in use, from axis[0].first - kLead on
  std::vector<std::uint32_t> hash;  ///< of the columns
  LatticeLines lines;
  FoldedLines folded;
  std::vector<SimplexCell> cells;  ///< found by a few bits of their numbers
  std::size_t stride = 0;
  std::vector<float> fold;  ///< rows of `stride` numbers, see kFold below
  float* folds(int i) { return fold.data() + static_cast<std::size_t>(i) * stride; }
};
/// Rows of SpaceTable::fold: six for each of four lattice lines of the present layer, then those of the present row.
inline constexpr int kFoldParts = 6;
inline constexpr int kRowFold = 4 * kFoldParts;
inline constexpr int kFolds = kRowFold + 9;

void make_space_tables(const Field& field, std::int64_t index_x, double cell_m, int width,
                       std::vector<SpaceTable>& tables);

/// A tile: its place by absolute index, its size, and where its first sample and the next rows and layers go.
struct SpaceTile {
  std::array<std::int64_t, 3> origin;
  int width = 0;
  int height = 0;
  int depth = 0;
  std::int64_t row_stride = 0;
  std::int64_t layer_stride = 0;
  float* out = nullptr;
  std::array<float*, 3> slope{};  ///< toward east, north and up; null: not wanted
};
/// Fills a tile at the best SIMD level.
void fill_space_tile(const SpacePlan& plan, const SpaceTile& tile);

}  // namespace thalweg::noise::detail
