// From parameters to a plan: octaves with their frequencies, shares, fades and seeds.
#include "thalweg/noise/noise_plan.h"

#include <cmath>

#include "thalweg/core/random.h"
#include "thalweg/noise/noise_rows.h"

namespace thalweg::noise::detail {
namespace {

// Purposes of hash64 on an octave's seed; 0 and 1 are the lattice axes.
enum Purpose { kShiftX = 2, kShiftY = 3, kShiftZ = 4 };

double octave_fade(Source source, double cells_per_wave) {
  // White noise has nothing to blur: a square counts while it holds a sample. The last digits are rounding.
  if (source == Source::white) return cells_per_wave >= 1.0 - 1e-9 ? 1.0 : 0.0;
  if (cells_per_wave >= 4.0) return 1.0;
  if (cells_per_wave <= 2.0) return 0.0;
  const double t = (cells_per_wave - 2.0) * 0.5;
  return t * t * (3.0 - 2.0 * t);
}

/// Sources whose heights are as often below 0 as above need no measuring where a fractal is linear in them.
bool symmetric(const Field& f) {
  return f.source != Source::cellular || f.cell_value == CellValue::cell;
}

}  // namespace

std::uint64_t field_seed(std::uint64_t seed, std::int64_t stream, int number) {
  return hash64(seed, stream, number, 0x6E6F697365);
}

Field field_of(const NoiseParams& params) {
  Field field;
  field.fractal = params.fractal;
  field.source = params.source;
  field.cell_distance = params.cell_distance;
  field.cell_value = params.cell_value;
  field.cell_jitter = static_cast<float>(params.cell_jitter);
  field.ping_pong_strength = static_cast<float>(params.ping_pong_strength);
  return field;
}

void make_octaves(const FieldShape& shape, std::uint64_t seed, Field& field) {
  double sum = 0;
  double amplitude = 1;
  for (std::int64_t o = 0; o < shape.octaves; ++o, amplitude *= shape.gain) sum += amplitude;
  amplitude = 1;
  double before = 0;
  double frequency = 1.0 / shape.wavelength_m;
  for (std::int64_t o = 0; o < shape.octaves; ++o) {
    Octave octave;
    octave.frequency = frequency;
    octave.seed = hash64(seed, o);
    octave.shift_x = unit_double(hash64(octave.seed, kShiftX));
    octave.shift_y = unit_double(hash64(octave.seed, kShiftY));
    octave.shift_z = unit_double(hash64(octave.seed, kShiftZ));
    octave.amplitude = static_cast<float>(amplitude / sum);
    octave.before = before > 0 ? static_cast<float>(sum / before) : 0.0F;
    octave.fade = static_cast<float>(octave_fade(field.source, 1.0 / (frequency * shape.coarsest_m)));
    // Cells must stay within 2^30 of the tile's, where AxisSeeds holds; only absurd bends reach the limit.
    const double bend = shape.bend_m * frequency;
    octave.bend = static_cast<float>(bend < 0x1.0p29 ? bend : 0x1.0p29);
    octave.slope = static_cast<float>(frequency);
    if (octave.fade > 0.0F) field.active = static_cast<int>(o) + 1;
    field.octaves.push_back(octave);
    before += amplitude;
    frequency *= shape.lacunarity;
    amplitude *= shape.gain;
  }
}

void set_means(const NoiseParams& params, const Averages& averages, Field& field) {
  bool fades = false;
  for (const Octave& o : field.octaves) fades = fades || o.fade < 1.0F;
  const bool ridged = field.fractal == Fractal::ridged;
  const bool billow = field.fractal == Fractal::billow;
  const bool linear = field.fractal == Fractal::fbm || field.fractal == Fractal::hybrid;
  const bool damped = field.fractal == Fractal::slope_damped;
  Moments moments;
  // Of octaves in full the mean decides the last bit only; it must not depend on the others' fading.
  const double full = ridged ? averages.ridged_perlin : (billow ? averages.billow_perlin : 0.0);
  moments.shaped = field.fractal == Fractal::hybrid ? 0.5 : full;
  const bool known = (linear && symmetric(field)) || ((ridged || billow) && field.source == Source::perlin);
  if (fades && !known) moments = averages.measure(field);
  if (damped && symmetric(field)) moments.shaped = 0;
  double unresolved = 0;
  for (Octave& o : field.octaves) {
    o.mean = static_cast<float>(o.fade < 1.0F ? moments.shaped : full);
    if (!damped) continue;
    const double share = params.amplitude_m * static_cast<double>(o.amplitude) * o.frequency / params.damping_slope;
    const double fade = o.fade;
    o.slope = static_cast<float>(share * fade);
    unresolved += share * share * (1.0 - fade * fade) * moments.square_slope;
    o.unresolved = static_cast<float>(unresolved < 1e30 ? unresolved : 1e30);
  }
}

Plan make_plan(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec) {
  const double coarsest_m = spec.cell_m > spec.cell_y_m ? spec.cell_m : spec.cell_y_m;
  const auto seed_of = [&](FieldNumber number) { return field_seed(seed, params.stream, number); };
  Plan plan;
  plan.cell_x_m = spec.cell_m;
  plan.cell_y_m = spec.cell_y_m;
  plan.amplitude = static_cast<float>(params.amplitude_m);
  plan.offset = static_cast<float>(params.offset_m);
  plan.main = field_of(params);
  make_octaves({params.wavelength_m, params.octaves, params.lacunarity, params.gain, coarsest_m, params.warp_m},
               seed_of(kMainField), plan.main);
  set_means(params, {kRidgedMean, kBillowMean, &measure_moments}, plan.main);
  plan.warped = params.warp_m > 0;
  if (plan.warped) {
    plan.progressive = params.warp_fractal == WarpFractal::progressive;
    const FieldShape shape{
        params.warp_wavelength_m, params.warp_octaves, 2.0, 0.5, coarsest_m, plan.progressive ? params.warp_m : 0.0};
    make_octaves(shape, seed_of(kWarpXField), plan.warp_x);
    make_octaves(shape, seed_of(kWarpYField), plan.warp_y);
  }
  return plan;
}

RowKernel row_kernel(const Field& field, RowMode mode, bool bent) {
  switch (field.source) {
    case Source::perlin:
      break;
    case Source::simplex:
      return simplex_kernel(mode, bent);
    case Source::value:
      return value_kernel(false, mode, bent);
    case Source::value_cubic:
      return value_kernel(true, mode, bent);
    case Source::cellular:
      return cellular_kernel(field, mode, bent);
    case Source::white:
      return white_kernel(mode, bent);
  }
  return perlin_kernel(mode, bent);
}

double shaped(const Field& field, double n) {
  switch (field.fractal) {
    case Fractal::ridged:
      return (1 - std::fabs(n)) * (1 - std::fabs(n));
    case Fractal::billow:
      return std::fabs(n);
    case Fractal::ping_pong: {
      const double t = (n + 1) * static_cast<double>(field.ping_pong_strength);
      return 1 - std::fabs(t - 2 * std::floor(t * 0.5) - 1);
    }
    case Fractal::hybrid:
      return (n + 1) * 0.5;
    case Fractal::fbm:
    case Fractal::slope_damped:
      break;
  }
  return n;
}

Moments measure_moments(const Field& field) {
  constexpr int kRows = 128;
  const bool slopes = field.fractal == Fractal::slope_damped;
  // One octave with 2.05 samples a cell: the shortest waves a straight row takes, so that the window holds many.
  Field one = field;
  one.octaves.assign(1, Octave{.frequency = 0.4871, .seed = 0x6D6F6D656E74, .amplitude = 1});
  one.active = 1;
  std::vector<OctaveTable> tables;
  make_tables(one, 0, 1.0, kTile, tables);
  std::vector<float> rows(std::size_t{3} * (kTile + kPad));
  RowTask task;
  task.field = &one;
  task.octave = one.octaves.data();
  task.table = tables.data();
  task.width = kTile;
  task.n = rows.data();
  task.dx = task.n + kTile + kPad;
  task.dy = task.dx + kTile + kPad;
  const RowKernel kernel = row_kernel(field, slopes ? RowMode::store_slopes : RowMode::store, false);
  Moments moments;
  for (; task.y < kRows; ++task.y) {
    kernel(task);
    for (int x = 0; x < kTile; ++x) {
      moments.shaped += shaped(field, static_cast<double>(task.n[x]));
      if (!slopes) continue;
      const double dx = task.dx[x];
      const double dy = task.dy[x];
      moments.square_slope += dx * dx + dy * dy;
    }
  }
  moments.shaped /= kTile * kRows;
  moments.square_slope /= kTile * kRows;
  return moments;
}

}  // namespace thalweg::noise::detail
