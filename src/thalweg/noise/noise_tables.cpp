// Lattice coordinates and hashes of axes, and the tables that a tile makes of them once.
#include <cassert>

#include "thalweg/core/exact_math.h"
#include "thalweg/core/random.h"
#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise::detail {

double lattice_position(std::int64_t index, double cell_m, double frequency, double shift) {
  const double q = static_cast<double>(index) * cell_m * frequency + shift;
  constexpr double kLimit = 0x1.0p60;  // far beyond where a double still has a fraction; keeps conversions defined
  return q > kLimit ? kLimit : (q < -kLimit ? -kLimit : q);
}

LatticePoint split_position(double position) {
  const std::int64_t cell = exact::floor_to_int(position);
  return {cell, static_cast<float>(position - static_cast<double>(cell))};
}

namespace {
std::uint32_t half_seed(std::uint64_t octave_seed, int axis, std::int64_t high) {
  return static_cast<std::uint32_t>(hash64(octave_seed, axis, high) >> 32);
}
}  // namespace

AxisSeeds axis_seeds(std::uint64_t octave_seed, int axis, std::int64_t cell) {
  const std::int64_t high = cell >> 32;
  const auto quarter = static_cast<std::uint32_t>(cell) >> 30;
  return {half_seed(octave_seed, axis, quarter == 3 ? high + 1 : high),
          half_seed(octave_seed, axis, quarter == 0 ? high - 1 : high)};
}

std::uint32_t axis_hash_of(std::uint64_t octave_seed, int axis, std::int64_t cell) {
  return axis_hash(static_cast<std::uint32_t>(cell), half_seed(octave_seed, axis, cell >> 32),
                   axis == 0 ? kColumnMultiplier : (axis == 1 ? kRowMultiplier : kLayerMultiplier));
}

namespace {

/// Lattice columns a kernel looks at beyond a sample's cell, on either side (and one more to the east).
int lattice_margin(Source source) {
  return source == Source::cellular ? 2 : (source == Source::value_cubic ? 1 : 0);
}
int table_rows(Source source) {
  switch (source) {
    case Source::perlin:
      return 8;
    case Source::value:
    case Source::value_cubic:
      return 6;
    case Source::cellular:
      return 20;
    case Source::simplex:
    case Source::white:
      break;
  }
  return 0;
}

/// Cells and fractions of the columns of a tile, times `stretch`; repeats the last one for whole vectors.
std::int64_t make_columns(const Octave& octave, std::int64_t index_x, double cell_m, int width, double stretch,
                          std::int32_t* local, float* fraction) {
  const auto point = [&](std::int64_t index) {
    return split_position(lattice_position(index, cell_m, octave.frequency, octave.shift_x) * stretch);
  };
  const std::int64_t first = point(index_x).cell;
  for (int i = 0; i < width; ++i) {
    const LatticePoint p = point(index_x + i);
    local[i] = static_cast<std::int32_t>(p.cell - first);
    fraction[i] = p.fraction;
  }
  for (int i = width; i < width + kPad; ++i) {
    local[i] = local[width - 1];
    fraction[i] = fraction[width - 1];
  }
  return first;
}

void hash_columns(Source source, int width, OctaveTable& t) {
  const auto hash_of = [&](std::int64_t column) {
    const auto low = static_cast<std::uint32_t>(column);
    return axis_hash(low, t.column_seeds.of(low), kColumnMultiplier);
  };
  if (source == Source::white) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(width + kPad); ++i)
      t.hash[i] = hash_of(t.first_column + t.local[i]);
    return;
  }
  const int margin = lattice_margin(source);
  // Only beyond 2^53, where indices themselves are rounded, can columns lie further apart than the table is long.
  const std::int32_t most = kLattice - 2 * kPad - 2 - 2 * margin;
  for (std::size_t i = 0; i < static_cast<std::size_t>(width + kPad); ++i)
    t.local[i] = t.local[i] < most ? t.local[i] : most;
  t.columns = t.local[static_cast<std::size_t>(width - 1)] + 2 + 2 * margin;
  assert(t.columns + 2 * kPad <= kLattice);
  for (int c = 0; c < t.columns; ++c) t.hash[static_cast<std::size_t>(c)] = hash_of(t.first_column - margin + c);
  for (int c = t.columns; c < t.columns + kPad; ++c) t.hash[static_cast<std::size_t>(c)] = 0;
}

void make_table(Source source, const Octave& octave, std::int64_t index_x, double cell_m, int width, OctaveTable& t) {
  t.lattice_valid = false;
  t.turn = 0;
  t.rows.resize(static_cast<std::size_t>(table_rows(source)) * kLattice);
  if (source == Source::simplex) {
    t.skew_local.resize(kTile + kPad);
    t.skew_fraction.resize(kTile + kPad);
    t.first_column = make_columns(octave, index_x, cell_m, width, 1.0 + kSkew, t.local.data(), t.fraction.data());
    t.skew_first = make_columns(octave, index_x, cell_m, width, kSkew, t.skew_local.data(), t.skew_fraction.data());
    return;
  }
  t.first_column = make_columns(octave, index_x, cell_m, width, 1.0, t.local.data(), t.fraction.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(width + kPad); ++i) {
    const float f = t.fraction[i];
    t.fade[i] = f * f * f * (f * (f * 6.0F - 15.0F) + 10.0F);
  }
  t.column_seeds = axis_seeds(octave.seed, 0, t.first_column);
  hash_columns(source, width, t);
}

}  // namespace

void make_tables(const Field& field, std::int64_t index_x, double cell_m, int width, std::vector<OctaveTable>& tables) {
  assert(width >= 1 && width <= kTile);
  tables.resize(static_cast<std::size_t>(field.active));
  for (std::size_t o = 0; o < tables.size(); ++o)
    make_table(field.source, field.octaves[o], index_x, cell_m, width, tables[o]);
}

}  // namespace thalweg::noise::detail
