// One tile of the plane: row by row, octave by octave, the source's kernel and then the fractal's.
#include <algorithm>
#include <memory>

#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/fractal_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

struct Bend {
  const float* x = nullptr;
  const float* y = nullptr;
};

using Row = std::array<float, kTile + kPad>;

/// Rows of one tile: the first four only live while a field's row is made and serve all fields.
struct Scratch {
  Row n, dx, dy, weight;
  Row acc, slope_x, slope_y;
};

/// A field within one tile: its tables and the kernels of its source.
struct FieldTile {
  FieldTile(const Plan& plan, const Field& f, std::int64_t index_x, int width_, bool gradient)
      : field(f),
        width(width_),
        cell_y_m(plan.cell_y_m),
        slopes(gradient || f.fractal == Fractal::slope_damped),
        fused(f.source == Source::perlin && f.fractal == Fractal::fbm && !slopes),
        straight(kernel(false)),
        bent(kernel(true)) {
    make_tables(f, index_x, plan.cell_x_m, width, tables);
  }
  RowKernel kernel(bool is_bent) const {
    return row_kernel(field, slopes ? RowMode::store_slopes : (fused ? RowMode::add : RowMode::store), is_bent);
  }
  RowTask task(std::int64_t y, Bend bend) const {
    RowTask t;
    t.field = &field;
    t.y = y;
    t.cell_y_m = cell_y_m;
    t.width = width;
    t.bend_x = bend.x;
    t.bend_y = bend.y;
    return t;
  }
  const Field& field;
  int width;
  double cell_y_m;
  bool slopes;
  bool fused;
  RowKernel straight;
  RowKernel bent;
  std::vector<OctaveTable> tables;
};

/// The sum of the field's octaves for one row, into `rows`.
void field_row(FieldTile& tile, std::int64_t y, Bend bend, Scratch& scratch, FractalRows rows) {
  const Field& field = tile.field;
  rows.weight = scratch.weight.data();
  begin_rows<2>(field, tile.width, rows);
  RowTask task = tile.task(y, bend);
  task.n = tile.fused ? rows.acc : scratch.n.data();
  task.dx = scratch.dx.data();
  task.dy = scratch.dy.data();
  const RowKernel kernel = bend.x == nullptr ? tile.straight : tile.bent;
  for (std::size_t o = 0; o < tile.tables.size(); ++o) {
    task.octave = &field.octaves[o];
    task.table = &tile.tables[o];
    kernel(task);
    if (!tile.fused) add_octave_rows<2>(field, *task.octave, tile.width, {task.n, {task.dx, task.dy}}, rows);
  }
  add_rest_rows<2>(field, tile.width, rows);
}

/// The displacement of one row: two sums, each octave at the position that those before it (progressive), or none
/// (independent), have displaced.
class Warp {
 public:
  Warp(const Plan& plan, std::int64_t index_x, int width)
      : progressive_(plan.progressive),
        x_(plan, plan.warp_x, index_x, width, false),
        y_(plan, plan.warp_y, index_x, width, false) {}

  Bend row(std::int64_t y, Scratch& scratch) {
    const Bend bend{bend_x_.data(), bend_y_.data()};
    const FractalRows rows_x{.acc = bend_x_.data()};
    const FractalRows rows_y{.acc = bend_y_.data()};
    if (!progressive_) {
      field_row(x_, y, {}, scratch, rows_x);
      field_row(y_, y, {}, scratch, rows_y);
      return bend;
    }
    begin_rows<2>(x_.field, x_.width, rows_x);
    begin_rows<2>(y_.field, y_.width, rows_y);
    for (std::size_t o = 0; o < x_.tables.size(); ++o) {
      // Both displacements are made before either moves the positions.
      const Octave& octave = octave_row(x_, o, y, bend, scratch.dx);
      octave_row(y_, o, y, bend, scratch.dy);
      add_octave_rows<2>(x_.field, octave, x_.width, {.n = scratch.dx.data()}, rows_x);
      add_octave_rows<2>(y_.field, octave, y_.width, {.n = scratch.dy.data()}, rows_y);
    }
    return bend;
  }

 private:
  static const Octave& octave_row(FieldTile& tile, std::size_t o, std::int64_t y, Bend bend, Row& n) {
    RowTask task = tile.task(y, bend);
    task.octave = &tile.field.octaves[o];
    task.table = &tile.tables[o];
    task.n = n.data();
    n.fill(0.0F);  // the kernels add
    (o == 0 ? tile.straight : tile.bent)(task);
    return *task.octave;
  }

  bool progressive_;
  FieldTile x_;
  FieldTile y_;
  Row bend_x_;
  Row bend_y_;
};

void FillTile(const Plan& plan, std::int64_t x, std::int64_t y, const TileOut& out) {
  const int width = out.value.width();
  const bool gradient = !out.per_east.empty();
  FieldTile main(plan, plan.main, x, width, gradient);
  const auto warp = plan.warped ? std::make_unique<Warp>(plan, x, width) : nullptr;
  const auto scratch = std::make_unique<Scratch>();
  FractalRows rows{.acc = scratch->acc.data()};
  if (main.slopes) rows.slope = {scratch->slope_x.data(), scratch->slope_y.data()};
  for (int row = 0; row < out.value.height(); ++row) {
    const Bend bend = warp ? warp->row(y + row, *scratch) : Bend{};
    field_row(main, y + row, bend, *scratch, rows);
    finish_row(plan.main, plan.amplitude, plan.offset, width, rows.acc, out.value.row(row));
    if (!gradient) continue;
    finish_slope_row(plan.amplitude, width, rows.slope[0], out.per_east.row(row));
    finish_slope_row(-plan.amplitude, width, rows.slope[1], out.per_north.row(row));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(FillTile);
void fill_tile(const Plan& plan, std::int64_t x, std::int64_t y, const TileOut& out) {
  HWY_DYNAMIC_DISPATCH(FillTile)(plan, x, y, out);
}
}  // namespace thalweg::noise::detail
#endif
