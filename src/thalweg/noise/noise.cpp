#include "thalweg/noise/noise.h"

#include <cassert>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/core/random.h"
#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise {
namespace detail {
namespace {

// Purposes of hash64 on an octave's seed; 0 and 1 are the lattice axes.
enum Purpose { kShiftX = 2, kShiftY = 3 };
enum FieldNumber { kMainField = 0, kWarpXField = 1, kWarpYField = 2 };

double octave_fade(double cells_per_wave) {
  if (cells_per_wave >= 4.0) return 1.0;
  if (cells_per_wave <= 2.0) return 0.0;
  const double t = (cells_per_wave - 2.0) * 0.5;
  return t * t * (3.0 - 2.0 * t);
}

struct FieldShape {
  Fractal fractal;
  double wavelength_m;
  std::int64_t octaves;
  double lacunarity;
  double gain;
};

Field make_field(const FieldShape& shape, std::uint64_t seed, std::int64_t stream, FieldNumber number, double cell_m,
                 double bend_m) {
  Field field;
  field.fractal = shape.fractal;
  double sum = 0;
  double amplitude = 1;
  for (std::int64_t o = 0; o < shape.octaves; ++o, amplitude *= shape.gain) sum += amplitude;
  amplitude = 1;
  double frequency = 1.0 / shape.wavelength_m;
  const std::uint64_t field_seed = hash64(seed, stream, number, 0x6E6F697365);
  for (std::int64_t o = 0; o < shape.octaves; ++o) {
    Octave octave;
    octave.frequency = frequency;
    octave.seed = hash64(field_seed, o);
    octave.shift_x = unit_double(hash64(octave.seed, kShiftX));
    octave.shift_y = unit_double(hash64(octave.seed, kShiftY));
    octave.amplitude = static_cast<float>(amplitude / sum);
    octave.fade = static_cast<float>(octave_fade(1.0 / (frequency * cell_m)));
    // Cells must stay within 2^30 of the tile's, where AxisSeeds holds; only absurd bends reach the limit.
    const double bend = bend_m * frequency;
    octave.bend = static_cast<float>(bend < 0x1.0p29 ? bend : 0x1.0p29);
    if (octave.fade > 0.0F) field.active = static_cast<int>(o) + 1;
    field.octaves.push_back(octave);
    frequency *= shape.lacunarity;
    amplitude *= shape.gain;
  }
  return field;
}

}  // namespace

Plan make_plan(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec) {
  const double coarsest_m = spec.cell_m > spec.cell_y_m ? spec.cell_m : spec.cell_y_m;
  Plan plan;
  plan.cell_x_m = spec.cell_m;
  plan.cell_y_m = spec.cell_y_m;
  plan.amplitude = static_cast<float>(params.amplitude_m);
  plan.offset = static_cast<float>(params.offset_m);
  plan.main = make_field({params.fractal, params.wavelength_m, params.octaves, params.lacunarity, params.gain}, seed,
                         params.stream, kMainField, coarsest_m, params.warp_m);
  plan.warped = params.warp_m > 0;
  if (plan.warped) {
    const FieldShape shape{Fractal::fbm, params.warp_wavelength_m, params.warp_octaves, 2.0, 0.5};
    plan.warp_x = make_field(shape, seed, params.stream, kWarpXField, coarsest_m, 0);
    plan.warp_y = make_field(shape, seed, params.stream, kWarpYField, coarsest_m, 0);
  }
  return plan;
}

LatticePoint lattice_point(std::int64_t index, double cell_m, double frequency, double shift) {
  double q = static_cast<double>(index) * cell_m * frequency + shift;
  constexpr double kLimit = 0x1.0p61;  // far beyond where a double still has a fraction; keeps conversions defined
  q = q > kLimit ? kLimit : (q < -kLimit ? -kLimit : q);
  const std::int64_t cell = exact::floor_to_int(q);
  return {cell, static_cast<float>(q - static_cast<double>(cell))};
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
                   axis == 0 ? kColumnMultiplier : kRowMultiplier);
}

namespace {
void make_table(const Octave& octave, std::int64_t index_x, double cell_m, int width, OctaveTable& table) {
  table.gradients_valid = false;
  table.first_column = lattice_point(index_x, cell_m, octave.frequency, octave.shift_x).cell;
  for (int i = 0; i < width; ++i) {
    const LatticePoint p = lattice_point(index_x + i, cell_m, octave.frequency, octave.shift_x);
    const float f = p.fraction;
    const auto at = static_cast<std::size_t>(i);
    table.local[at] = static_cast<std::int32_t>(p.cell - table.first_column);
    table.fraction[at] = f;
    table.fade[at] = f * f * f * (f * (f * 6.0F - 15.0F) + 10.0F);
  }
  const auto last = static_cast<std::size_t>(width - 1);
  for (std::size_t i = last + 1; i < table.local.size() && i <= last + kPad; ++i) {
    table.local[i] = table.local[last];
    table.fraction[i] = table.fraction[last];
    table.fade[i] = table.fade[last];
  }
  table.columns = table.local[last] + 2;
  assert(table.columns + 2 * kPad <= kLattice);
  table.column_seeds = axis_seeds(octave.seed, 0, table.first_column);
  for (int c = 0; c < table.columns; ++c) {
    const auto low = static_cast<std::uint32_t>(table.first_column + c);
    table.hash[static_cast<std::size_t>(c)] = axis_hash(low, table.column_seeds.of(low), kColumnMultiplier);
  }
  for (int c = table.columns; c < table.columns + 2 * kPad; ++c) table.hash[static_cast<std::size_t>(c)] = 0;
}
}  // namespace

void make_tables(const Field& field, std::int64_t index_x, double cell_m, int width, std::vector<OctaveTable>& tables) {
  tables.resize(static_cast<std::size_t>(field.active));
  for (std::size_t o = 0; o < tables.size(); ++o) make_table(field.octaves[o], index_x, cell_m, width, tables[o]);
}

}  // namespace detail

void fill(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out, const Exec& exec) {
  assert(out.width() == spec.width && out.height() == spec.height);
  assert(params.octaves >= 1 && params.wavelength_m > 0 && spec.cell_m > 0 && spec.cell_y_m > 0);
  if (out.empty()) return;
  using detail::kTile;
  const detail::Plan plan = detail::make_plan(params, seed, spec);
  const std::int64_t across = (std::int64_t{out.width()} + kTile - 1) / kTile;
  const std::int64_t down = (std::int64_t{out.height()} + kTile - 1) / kTile;
  parallel_for(exec, 0, across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int x = static_cast<int>(tile % across) * kTile;
      const int y = static_cast<int>(tile / across) * kTile;
      const int width = out.width() - x < kTile ? out.width() - x : kTile;
      const int height = out.height() - y < kTile ? out.height() - y : kTile;
      detail::fill_tile(plan, spec.origin_x + x, spec.origin_y + y, out.window(x, y, width, height));
    }
  });
}

}  // namespace thalweg::noise
