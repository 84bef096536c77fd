// What the row kernels of all sources share: where results go, and the positions of bent samples.
#if defined(THALWEG_NOISE_ROW_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_ROW_KERNELS_INL_H_
#undef THALWEG_NOISE_ROW_KERNELS_INL_H_
#else
#define THALWEG_NOISE_ROW_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "thalweg/noise/noise_rows.h"
#include "thalweg/noise/noise_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

/// Where results go. A copy of its own, since vector stores might change a RowTask for all the compiler knows.
template <RowMode kMode>
struct Output {
  explicit Output(const RowTask& task) : n(task.n), dx(task.dx), dy(task.dy) {}
  HWY_INLINE void put(int x, VF value, VF by_x, VF by_y) const {
    const F f;
    hn::StoreU(kMode == RowMode::add ? hn::Add(hn::LoadU(f, n + x), value) : value, f, n + x);
    if constexpr (kMode == RowMode::store_slopes) {
      hn::StoreU(by_x, f, dx + x);
      hn::StoreU(by_y, f, dy + x);
    }
  }
  float* n;
  float* dx;
  float* dy;
};

/// What to multiply raw noise by whose range is +-1 / source_scale.
HWY_INLINE float scale_of(const RowTask& task, double source_scale) {
  return static_cast<float>(octave_scale(task.field->fractal, *task.octave) * source_scale);
}
HWY_INLINE LatticePoint row_point(const RowTask& task) {
  return lattice_point(task.y, task.cell_y_m, task.octave->frequency, task.octave->shift_y);
}

/// Turns the nearest points of cellular noise into n: 2 d / largest - 1 for distances, of which `largest` is the
/// largest possible; the height itself for cells.
struct CellAnswer {
  CellAnswer(const Field& field, const Octave& octave, double largest)
      : root(field.cell_distance == CellDistance::euclidean),
        value(field.cell_value),
        shift(octave_shift(field.fractal, octave)) {
    const double scale = octave_scale(field.fractal, octave);
    by = static_cast<float>(value == CellValue::cell ? scale : 2 * scale / largest);
    if (value != CellValue::cell) shift -= static_cast<float>(scale);
  }
  template <class Nearest>
  HWY_INLINE VF operator()(const Nearest& nearest) const {
    const F f;
    VF d = nearest.height;
    if (value != CellValue::cell) {
      const VF first = root ? hn::Sqrt(nearest.first) : nearest.first;
      const VF second = root ? hn::Sqrt(nearest.second) : nearest.second;
      d = value == CellValue::f1 ? first : (value == CellValue::f2 ? second : hn::Sub(second, first));
    }
    return hn::Add(hn::Mul(d, hn::Set(f, by)), hn::Set(f, shift));
  }
  bool root;
  CellValue value;
  float shift;
  float by = 1;
};

/// For sources whose noise does not depend on where in a cell a sample lies: a kernel, and slopes of 0.
template <RowKernel kKernel>
inline void with_flat_slopes(const RowTask& task) {
  const F f;
  kKernel(task);
  for (int x = 0; x < task.width; x += lanes_of()) {
    hn::StoreU(hn::Zero(f), f, task.dx + x);
    hn::StoreU(hn::Zero(f), f, task.dy + x);
  }
}

/// Where the lattice columns of a vector of straight samples lie in a row of the table. Cells are at least two samples
/// wide, so one vector of lattice columns serves all lanes.
struct LaneLookup {
  HWY_INLINE LaneLookup(const OctaveTable& t, int x)
      : base(t.local[static_cast<std::size_t>(x)]),
        lane(hn::IndicesFromVec(F(), hn::Sub(hn::LoadU(I(), t.local.data() + x), hn::Set(I(), base)))) {}
  /// Entry `offset` columns east of each sample's.
  HWY_INLINE VF operator()(const float* row, int offset) const {
    return hn::TableLookupLanes(hn::LoadU(F(), row + base + offset), lane);
  }
  std::int32_t base;
  decltype(hn::IndicesFromVec(F(), VI())) lane;
};

struct CellAndFraction {
  VI cell;
  VF fraction;
};
HWY_INLINE CellAndFraction split(VF p) {
  const VF whole = hn::Floor(p);
  return {hn::ConvertTo(I(), whole), hn::Sub(p, whole)};
}

/// Moves straight positions by displacement * cells. From 4096 cells on the product is taken in full (Dekker's
/// splitting), since its fraction would be lost to rounding: bends of a million cells give noise, not a constant.
struct Bender {
  explicit Bender(float cells) : bend(cells), far(cells >= 4096.0F) {}
  HWY_INLINE CellAndFraction operator()(VF fraction, VF displacement) const {
    const F f;
    const VF b = hn::Set(f, bend);
    if (!far) return split(hn::Add(fraction, hn::Mul(displacement, b)));
    const VF p = hn::Mul(displacement, b);
    const VF d_high = high(displacement);
    const VF b_high = high(b);
    const VF d_low = hn::Sub(displacement, d_high);
    const VF b_low = hn::Sub(b, b_high);
    const VF crossed = hn::Add(hn::Mul(d_high, b_low), hn::Mul(d_low, b_high));
    const VF rest = hn::Add(hn::Add(hn::Sub(hn::Mul(d_high, b_high), p), crossed), hn::Mul(d_low, b_low));
    const CellAndFraction coarse = split(p);
    const CellAndFraction fine = split(hn::Add(hn::Add(coarse.fraction, rest), fraction));
    return {hn::Add(coarse.cell, fine.cell), fine.fraction};
  }
  static HWY_INLINE VF high(VF v) {
    const VF c = hn::Mul(v, hn::Set(F(), 4097.0F));
    return hn::Sub(c, hn::Sub(c, v));
  }
  float bend;
  bool far;
};

/// The low 32 bits of a lattice cell.
HWY_INLINE VI low_cell(std::int64_t cell) {
  return hn::Set(I(), static_cast<std::int32_t>(static_cast<std::uint32_t>(cell)));
}

/// Hashes and positions of bent samples on a square lattice.
struct BentPoints {
  explicit BentPoints(const RowTask& t) : BentPoints(t, row_point(t)) {}
  BentPoints(const RowTask& t, LatticePoint r)
      : table(*t.table),
        bend_x(t.bend_x),
        bend_y(t.bend_y),
        row(r),
        column_hash(t.table->column_seeds, kColumnMultiplier),
        row_hash(axis_seeds(t.octave->seed, 1, r.cell), kRowMultiplier),
        bend(t.octave->bend),
        first_column(t.table->first_column) {}
  struct Point {
    CellAndFraction x;
    CellAndFraction y;
  };
  HWY_INLINE Point at(int i) const {
    const F f;
    Point p{bend(hn::LoadU(f, table.fraction.data() + i), hn::LoadU(f, bend_x + i)),
            bend(hn::Set(f, row.fraction), hn::LoadU(f, bend_y + i))};
    p.x.cell = hn::Add(hn::Add(hn::LoadU(I(), table.local.data() + i), low_cell(first_column)), p.x.cell);
    p.y.cell = hn::Add(low_cell(row.cell), p.y.cell);
    return p;
  }
  const OctaveTable& table;
  const float* bend_x;
  const float* bend_y;
  LatticePoint row;
  AxisHash column_hash;
  AxisHash row_hash;
  Bender bend;
  std::int64_t first_column;
};

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
