// Noise in space: the plan of a call, the tables of a tile, and the loop over tiles.
#include <algorithm>
#include <cassert>

#include "thalweg/noise/noise.h"
#include "thalweg/noise/space_rows.h"

namespace thalweg::noise {
namespace detail {

namespace {

/// Averages over space of (1 - |n|)^2, of |n| and of the square of the gradient per lattice unit, for the sources in
/// the order of Source. Measured on 24 seeds, 57 million samples each: accurate to 1e-4.
struct SourceMeans {
  double ridged;
  double billow;
  double square_slope;
};
constexpr SourceMeans kMeans[] = {
    {0.6880, 0.1803, 0.9915}, {0.5270, 0.3029, 6.777}, {0.4997, 0.3306, 1.7534}, {0.6895, 0.1789, 0.4052}, {},
    {1.0 / 3, 0.5, 0}};

}  // namespace

SpacePlan make_space_plan(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box) {
  const double coarsest_m = std::max({box.cell_m, box.cell_y_m, box.cell_z_m});
  SpacePlan plan;
  plan.cell_m = {box.cell_m, box.cell_y_m, box.cell_z_m};
  plan.amplitude = static_cast<float>(params.amplitude_m);
  plan.offset = static_cast<float>(params.offset_m);
  plan.main = field_of(params);
  make_octaves({params.wavelength_m, params.octaves, params.lacunarity, params.gain, coarsest_m, params.warp_m},
               field_seed(seed, params.stream, kSpaceField), plan.main);
  set_means(params, {kMeans[0].ridged, kMeans[0].billow, &space_moments}, plan.main);
  plan.warped = params.warp_m > 0;
  if (!plan.warped) return plan;
  plan.progressive = params.warp_fractal == WarpFractal::progressive;
  const FieldShape shape{
      params.warp_wavelength_m, params.warp_octaves, 2.0, 0.5, coarsest_m, plan.progressive ? params.warp_m : 0.0};
  for (int a = 0; a < 3; ++a)
    make_octaves(shape, field_seed(seed, params.stream, kSpaceWarpField + a), plan.warp[static_cast<std::size_t>(a)]);
  return plan;
}

Moments space_moments(const Field& field) {
  if (field.source != Source::cellular) {
    const SourceMeans& known = kMeans[static_cast<std::size_t>(field.source)];
    if (field.fractal == Fractal::ridged) return {known.ridged, 0};
    if (field.fractal == Fractal::billow) return {known.billow, 0};
    if (field.fractal == Fractal::slope_damped) return {0, known.square_slope};
  }
  constexpr int kSide = 32;
  const bool slopes = field.fractal == Fractal::slope_damped;
  // One octave with 2.05 samples a cell: the shortest waves a straight row takes, so that the box holds many.
  Field one = field;
  one.octaves.assign(1, Octave{.frequency = 0.4871, .seed = 0x6D6F6D656E74, .amplitude = 1});
  one.active = 1;
  std::vector<SpaceTable> tables;
  make_space_tables(one, 0, 1.0, 2 * kSide, tables);
  std::array<std::array<float, kTile + kPad>, 4> rows;
  SpaceRowTask task;
  task.field = &one;
  task.octave = one.octaves.data();
  task.table = tables.data();
  task.width = 2 * kSide;
  task.n = rows[0].data();
  task.d = {rows[1].data(), rows[2].data(), rows[3].data()};
  const SpaceRowKernel kernel = space_row_kernel(field, {false, slopes});
  Moments moments;
  for (; task.z < kSide; ++task.z)
    for (task.y = 0; task.y < kSide; ++task.y) {
      kernel(task);
      for (int x = 0; x < task.width; ++x) {
        moments.shaped += shaped(field, static_cast<double>(task.n[x]));
        for (std::size_t a = 0; a < 3 && slopes; ++a)
          moments.square_slope += static_cast<double>(task.d[a][x]) * static_cast<double>(task.d[a][x]);
      }
    }
  constexpr double kCount = 2.0 * kSide * kSide * kSide;
  return {moments.shaped / kCount, moments.square_slope / kCount};
}

namespace {

void make_axis(std::int64_t index_x, double cell_m, double frequency, double shift, int width, AxisColumns& axis) {
  axis.first = lattice_point(index_x, cell_m, frequency, shift).cell;
  for (int i = 0; i < width; ++i) {
    const LatticePoint p = lattice_point(index_x + i, cell_m, frequency, shift);
    axis.local[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(p.cell - axis.first);
    axis.fraction[static_cast<std::size_t>(i)] = p.fraction;
  }
  // Whole vectors are read: the places behind the last sample repeat it.
  const auto end = static_cast<std::size_t>(width);
  std::fill_n(axis.local.begin() + width, kPad, axis.local[end - 1]);
  std::fill_n(axis.fraction.begin() + width, kPad, axis.fraction[end - 1]);
}

int parts_of(Source source) {
  if (source == Source::cellular) return 4;
  return source == Source::perlin ? 3 : 1;
}

void make_table(const Field& field, const Octave& octave, std::int64_t index_x, double cell_m, int width,
                SpaceTable& t) {
  if (field.source == Source::simplex) {
    for (std::size_t a = 0; a < 3; ++a) make_axis(index_x, cell_m, octave.frequency * kTurn[a][0], 0, width, t.axis[a]);
    return;
  }
  make_axis(index_x, cell_m, octave.frequency, octave.shift_x, width, t.axis[0]);
  if (field.source == Source::white) return;
  for (int i = 0; i < width + kPad; ++i) {
    const float f = t.axis[0].fraction[static_cast<std::size_t>(i)];
    t.fade[static_cast<std::size_t>(i)] = f * f * f * (f * (f * 6.0F - 15.0F) + 10.0F);
  }
  t.columns = t.axis[0].local[static_cast<std::size_t>(width - 1)] + kLead + 3;
  t.stride = static_cast<std::size_t>(t.columns + 2 * kPad);
  const std::int64_t first = t.axis[0].first - kLead;
  const AxisSeeds seeds = axis_seeds(octave.seed, 0, first);
  t.hash.assign(t.stride, 0);
  for (int c = 0; c < t.columns; ++c) {
    const auto low = static_cast<std::uint32_t>(first + c);
    t.hash[static_cast<std::size_t>(c)] = axis_hash(low, seeds.of(low), kColumnMultiplier);
  }
  t.lines.parts = parts_of(field.source);
  t.lines.stride = t.stride;
  t.lines.data.assign(16 * static_cast<std::size_t>(t.lines.parts) * t.stride, 0.0F);
  t.fold.assign(static_cast<std::size_t>(kFolds) * t.stride, 0.0F);
}

}  // namespace

void make_space_tables(const Field& field, std::int64_t index_x, double cell_m, int width,
                       std::vector<SpaceTable>& tables) {
  tables.resize(static_cast<std::size_t>(field.active));
  for (std::size_t o = 0; o < tables.size(); ++o)
    make_table(field, field.octaves[o], index_x, cell_m, width, tables[o]);
}

SpaceRowKernel space_row_kernel(const Field& field, SpaceRowMode mode) {
  switch (field.source) {
    case Source::perlin:
      break;
    case Source::simplex:
      return space_simplex_kernel(mode);
    case Source::value:
      return space_value_kernel(mode);
    case Source::value_cubic:
      return space_cubic_kernel(mode);
    case Source::cellular:
      return space_cellular_kernel(field, mode);
    case Source::white:
      return space_white_kernel(mode);
  }
  return space_perlin_kernel(mode);
}

}  // namespace detail

namespace {

void fill_box(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box, float* out,
              const std::array<float*, 3>& slope, const Exec& exec) {
  assert(box.cell_m > 0 && box.cell_y_m > 0 && box.cell_z_m > 0);
  assert(params.octaves >= 1 && params.wavelength_m > 0);
  if (box.width <= 0 || box.height <= 0 || box.depth <= 0) return;
  using detail::kTile, detail::kSpaceRows, detail::kSpaceLayers;
  const detail::SpacePlan plan = detail::make_space_plan(params, seed, box);
  const std::int64_t across = (std::int64_t{box.width} + kTile - 1) / kTile;
  const std::int64_t down = (std::int64_t{box.height} + kSpaceRows - 1) / kSpaceRows;
  const std::int64_t up = (std::int64_t{box.depth} + kSpaceLayers - 1) / kSpaceLayers;
  parallel_for(exec, 0, across * down * up, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const int x = static_cast<int>(i % across) * kTile;
      const int y = static_cast<int>(i / across % down) * kSpaceRows;
      const int z = static_cast<int>(i / across / down) * kSpaceLayers;
      detail::SpaceTile tile;
      tile.origin = {box.origin_x + x, box.origin_y + y, box.origin_z + z};
      tile.width = std::min(box.width - x, kTile);
      tile.height = std::min(box.height - y, kSpaceRows);
      tile.depth = std::min(box.depth - z, kSpaceLayers);
      tile.row_stride = box.width;
      tile.layer_stride = std::int64_t{box.width} * box.height;
      const std::int64_t at = x + y * tile.row_stride + z * tile.layer_stride;
      tile.out = out + at;
      for (std::size_t a = 0; a < 3 && slope[a] != nullptr; ++a) tile.slope[a] = slope[a] + at;
      detail::fill_space_tile(plan, tile);
    }
  });
}

}  // namespace

void fill3(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box, std::span<float> out, const Exec& exec) {
  assert(static_cast<std::int64_t>(out.size()) == box.cells());
  fill_box(params, seed, box, out.data(), {}, exec);
}

void fill3_with_gradient(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box, std::span<float> out,
                         std::span<float> per_east, std::span<float> per_north, std::span<float> per_up,
                         const Exec& exec) {
  assert(static_cast<std::int64_t>(out.size()) == box.cells());
  assert(per_east.size() == out.size() && per_north.size() == out.size() && per_up.size() == out.size());
  assert(check_gradient(params).ok());
  fill_box(params, seed, box, out.data(), {per_east.data(), per_north.data(), per_up.data()}, exec);
}

}  // namespace thalweg::noise
