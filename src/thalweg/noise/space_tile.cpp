// One tile of noise in space: layer by layer, row by row, octave by octave, the source's kernel and then the fractal's.
#include <algorithm>
#include <memory>

#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/fractal_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

using Row = std::array<float, kTile + kPad>;

/// A field within one tile: its tables and the kernel of its source.
struct SpaceFieldTile {
  SpaceFieldTile(const Field& f, const SpacePlan& p, const SpaceTile& tile, SpaceRowMode mode)
      : field(f), plan(p), width(tile.width), slopes(mode.slopes || f.fractal == Fractal::slope_damped) {
    kernel = space_row_kernel(f, {mode.bent, slopes});
    // A progressive warp starts straight.
    first_kernel = space_row_kernel(f, {false, slopes});
    make_space_tables(f, tile.origin[0], p.cell_m[0], width, tables);
  }
  const Field& field;
  const SpacePlan& plan;
  int width;
  bool slopes;
  SpaceRowKernel kernel = nullptr;
  SpaceRowKernel first_kernel = nullptr;
  std::vector<SpaceTable> tables;
};

/// Rows that only live while a field's row is made; shared by all fields of a tile.
struct Scratch {
  Row n, dx, dy, dz, weight;
};

SpaceRowTask task_of(SpaceFieldTile& tile, std::int64_t y, std::int64_t z) {
  SpaceRowTask task;
  task.field = &tile.field;
  task.y = y;
  task.z = z;
  task.cell_m = tile.plan.cell_m;
  task.width = tile.width;
  return task;
}

/// The sum of the field's octaves for one row, into `rows`.
void field_row(SpaceFieldTile& tile, std::int64_t y, std::int64_t z, const Bend3& bend, Scratch& scratch,
               FractalRows rows) {
  const Field& field = tile.field;
  rows.weight = scratch.weight.data();
  begin_rows<3>(field, tile.width, rows);
  SpaceRowTask task = task_of(tile, y, z);
  task.bend = bend;
  task.add = field.fractal == Fractal::fbm && !tile.slopes;
  task.n = task.add ? rows.acc : scratch.n.data();
  task.d = {scratch.dx.data(), scratch.dy.data(), scratch.dz.data()};
  for (std::size_t o = 0; o < tile.tables.size(); ++o) {
    task.octave = &field.octaves[o];
    task.table = &tile.tables[o];
    tile.kernel(task);
    if (!task.add)
      add_octave_rows<3>(field, *task.octave, tile.width, {task.n, {task.d[0], task.d[1], task.d[2]}}, rows);
  }
  add_rest_rows<3>(field, tile.width, rows);
}

/// The three sums that bend a row, octave by octave: each octave of all three is made where the sums so far bend to.
void progressive_rows(std::array<std::unique_ptr<SpaceFieldTile>, 3>& warp, std::int64_t y, std::int64_t z,
                      const std::array<float*, 3>& sum, std::array<Row, 3>& next) {
  const F f;
  const int width = warp[0]->width;
  for (int a = 0; a < 3; ++a)
    for (int x = 0; x < width; x += lanes_of()) hn::StoreU(hn::Zero(f), f, sum[static_cast<std::size_t>(a)] + x);
  for (std::size_t o = 0; o < warp[0]->tables.size(); ++o) {
    for (std::size_t a = 0; a < 3; ++a) {
      SpaceFieldTile& tile = *warp[a];
      SpaceRowTask task = task_of(tile, y, z);
      task.octave = &tile.field.octaves[o];
      task.table = &tile.tables[o];
      if (o > 0) task.bend = {sum[0], sum[1], sum[2]};
      task.n = next[a].data();
      (o > 0 ? tile.kernel : tile.first_kernel)(task);
    }
    for (std::size_t a = 0; a < 3; ++a)
      for (int x = 0; x < width; x += lanes_of()) add_to(sum[a] + x, hn::LoadU(f, next[a].data() + x));
  }
}

void FillSpaceTile(const SpacePlan& plan, const SpaceTile& tile) {
  const bool gradient = tile.slope[0] != nullptr;
  SpaceFieldTile main(plan.main, plan, tile, {plan.warped, gradient});
  std::array<std::unique_ptr<SpaceFieldTile>, 3> warp;
  if (plan.warped)
    for (std::size_t a = 0; a < 3; ++a)
      warp[a] = std::make_unique<SpaceFieldTile>(plan.warp[a], plan, tile, SpaceRowMode{plan.progressive, false});
  const auto scratch = std::make_unique<Scratch>();
  const auto rows = std::make_unique<std::array<Row, 7>>();
  const auto next = std::make_unique<std::array<Row, 3>>();
  float* acc = (*rows)[0].data();
  FractalRows sums{.acc = acc, .slope = {}};
  if (main.slopes) sums.slope = {(*rows)[1].data(), (*rows)[2].data(), (*rows)[3].data()};
  const std::array<float*, 3> bends = {(*rows)[4].data(), (*rows)[5].data(), (*rows)[6].data()};
  for (int layer = 0; layer < tile.depth; ++layer)
    for (int row = 0; row < tile.height; ++row) {
      const std::int64_t y = tile.origin[1] + row;
      const std::int64_t z = tile.origin[2] + layer;
      const std::int64_t at = row * tile.row_stride + layer * tile.layer_stride;
      if (plan.warped && plan.progressive) progressive_rows(warp, y, z, bends, *next);
      if (plan.warped && !plan.progressive)
        for (std::size_t a = 0; a < 3; ++a) field_row(*warp[a], y, z, {}, *scratch, {.acc = bends[a]});
      const Bend3 bend = plan.warped ? Bend3{bends[0], bends[1], bends[2]} : Bend3{};
      field_row(main, y, z, bend, *scratch, sums);
      finish_row(plan.main, plan.amplitude, plan.offset, tile.width, acc, tile.out + at);
      for (std::size_t a = 0; a < 3 && gradient; ++a)
        finish_slope_row(a == 1 ? -plan.amplitude : plan.amplitude, tile.width, sums.slope[a], tile.slope[a] + at);
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(FillSpaceTile);
void fill_space_tile(const SpacePlan& plan, const SpaceTile& tile) {
  HWY_DYNAMIC_DISPATCH(FillSpaceTile)(plan, tile);
}
}  // namespace thalweg::noise::detail
#endif
