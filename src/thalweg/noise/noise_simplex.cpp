// Gradient noise on the triangular lattice: each of the three nearest points adds its gradient's plane times
// (1/2 - distance^2)^4, which ends exactly where the point's triangles do.
//
// The lattice is the square one skewed: u = x + (x + y) * kSkew, v = y + (x + y) * kSkew. Both are sums of a column's
// part and a row's, each found in double from its absolute index and kept as cell and fraction, so that far away
// nothing is lost and a sample depends on its own index alone.
#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_simplex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

constexpr auto kUnskewF = static_cast<float>(kUnskew);

/// A corner of the triangle seen from the sample.
struct Corner {
  VF n;  ///< its share of the noise
  VF dx;
  VF dy;
};
template <bool kSlopes>
HWY_INLINE Corner corner(const Gradient& g, VF x, VF y) {
  const F f;
  const VF far = hn::Sub(hn::Set(f, 0.5F), hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
  const VF t = hn::Max(far, hn::Zero(f));
  const VF t2 = hn::Mul(t, t);
  const VF t4 = hn::Mul(t2, t2);
  const VF plane = hn::Add(hn::Mul(g.x, x), hn::Mul(g.y, y));
  Corner c{hn::Mul(t4, plane), t, t};
  if constexpr (kSlopes) {
    const VF fall = hn::Mul(hn::Mul(hn::Set(f, -8.0F), hn::Mul(t2, t)), plane);
    c.dx = hn::Add(hn::Mul(t4, g.x), hn::Mul(fall, x));
    c.dy = hn::Add(hn::Mul(t4, g.y), hn::Mul(fall, y));
  }
  return c;
}

template <class Mask>
HWY_INLINE VU pick(Mask mask, VU yes, VU no) {
  const F f;
  return hn::BitCast(U(), hn::IfThenElse(mask, hn::BitCast(f, yes), hn::BitCast(f, no)));
}

// Points give the gradients of a triangle's corners: a() of the north-western, b() of the middle (east of it where
// `east`, else south) and c() of the south-eastern one. Each is made when it is asked for, to save registers.

/// Every sample hashes its own corners.
struct HashedPoints {
  template <class Mask>
  struct Triangle {
    HWY_INLINE Gradient a() const { return gradient_of(mix(c0, r0)); }
    HWY_INLINE Gradient b() const { return gradient_of(mix(pick(east, c2, c0), pick(east, r0, r2))); }
    HWY_INLINE Gradient c() const { return gradient_of(mix(c2, r2)); }
    VU c0, c2, r0, r2;
    Mask east;
  };
  template <class Mask>
  HWY_INLINE Triangle<Mask> operator()(VI u, VI v, Mask east) const {
    const VI next = hn::Set(I(), 1);
    return {column_hash(u), column_hash(hn::Add(u, next)), row_hash(v), row_hash(hn::Add(v, next)), east};
  }
  AxisHash column_hash;
  AxisHash row_hash;
};

/// Looks the corners of straight samples up in a table of the gradients near the row. While one vector of samples spans
/// at most half as many columns as it has lanes, and two rows, its north-western corners lie in the halves of one
/// vector of the table, and the southern ones in those of another.
struct PointTable {
  using Lanes = decltype(hn::IndicesFromVec(F(), VI()));
  static constexpr int kHalf = static_cast<int>(hn::MaxLanes(F())) / 2;
  static constexpr int kHalfBits = kHalf == 8 ? 3 : 2;
  static constexpr bool kWide = kHalf >= 4;

  /// Whether that holds for all vectors of a row; the room below 1 is for rounding.
  static bool serves(const OctaveTable& t, int width) {
    if (!kWide) return false;
    const auto span = [](const std::int32_t* local, const float* fraction) {
      const int last = lanes_of() - 1;
      return static_cast<float>(local[last] - local[0]) + (fraction[last] - fraction[0]);
    };
    for (int x = 0; x < width; x += lanes_of())
      if (span(t.local.data() + x, t.fraction.data() + x) > static_cast<float>(kHalf - 2) - 0.01F ||
          span(t.skew_local.data() + x, t.skew_fraction.data() + x) > 0.99F)
        return false;
    return true;
  }
  /// Makes the gradients that the row needs whose first sample is in the cell (u, v), unless an earlier row has.
  static void seek(OctaveTable& t, const HashedPoints& points, int width, std::int64_t u, std::int64_t v) {
    constexpr int kDrift = 16;  // cells that a window serves the rows to come for
    PointWindow& w = t.points;
    const std::int64_t columns = t.local[static_cast<std::size_t>(width - 1)] + 3;
    const std::int64_t rows = t.skew_local[static_cast<std::size_t>(width - 1)] + 4;
    if (u < w.column || v < w.row || u + columns > w.column + w.columns || v + rows > w.row + w.rows) {
      w = {true, u, v, columns + kDrift, rows + kDrift, 0};
      t.rows.resize(static_cast<std::size_t>(2 * stride(w) * w.rows));
    }
    for (; w.row + w.filled < v + rows; ++w.filled) {
      const VU row = points.row_hash(low_cell(w.row + w.filled));
      float* const x = t.rows.data() + 2 * stride(w) * w.filled;
      for (std::int64_t c = 0; c < w.columns; c += lanes_of()) {
        const Gradient g = gradient_of(mix(points.column_hash(hn::Add(low_cell(w.column + c), hn::Iota(I(), 0))), row));
        hn::StoreU(g.x, F(), x + c);
        hn::StoreU(g.y, F(), x + stride(w) + c);
      }
    }
  }
  /// Numbers from the x parts of a lattice row to its y parts and on to the next row.
  static std::int64_t stride(const PointWindow& w) { return w.columns + kPad; }

  explicit PointTable(const OctaveTable& t)
      : data(t.rows.data()),
        step(stride(t.points)),
        column(static_cast<std::uint32_t>(t.points.column)),
        row(static_cast<std::uint32_t>(t.points.row)) {}

  template <class Mask>
  struct Triangle {
    HWY_INLINE Gradient a() const { return look(0, west); }
    HWY_INLINE Gradient b() const {
      const Gradient yes = look(0, next);
      const Gradient no = look(1, west);
      return {hn::IfThenElse(east, yes.x, no.x), hn::IfThenElse(east, yes.y, no.y)};
    }
    HWY_INLINE Gradient c() const { return look(1, next); }
    /// From the vectors whose lower half lies in the lattice row `south` of the first sample's.
    HWY_INLINE Gradient look(int south, Lanes lanes) const {
      const float* const x = at + 2 * step * south;
      return {hn::TableLookupLanes(halves(x, x + 2 * step), lanes),
              hn::TableLookupLanes(halves(x + step, x + 3 * step), lanes)};
    }
    const float* at;
    std::int64_t step;
    Lanes west;
    Lanes next;
    Mask east;
  };
  template <class Mask>
  HWY_INLINE Triangle<Mask> operator()(VI u, VI v, Mask east) const {
    const auto u0 = static_cast<std::uint32_t>(hn::GetLane(u));
    const auto v0 = static_cast<std::uint32_t>(hn::GetLane(v));
    const float* const at = data + std::int64_t{v0 - row} * 2 * step + (u0 - column);
    const VI right = hn::Sub(u, hn::Set(I(), static_cast<std::int32_t>(u0)));
    const VI down = hn::Sub(v, hn::Set(I(), static_cast<std::int32_t>(v0)));
    const VI lane = hn::Add(right, hn::ShiftLeft<kHalfBits>(down));
    return {at, step, hn::IndicesFromVec(F(), lane), hn::IndicesFromVec(F(), hn::Add(lane, hn::Set(I(), 1))), east};
  }
  static HWY_INLINE VF halves(const float* lower, const float* upper) {
#if HWY_TARGET == HWY_SCALAR  // one lane has no halves, and is not served
    (void)upper;
    return hn::LoadU(F(), lower);
#else
    const hn::Half<F> h;
    return hn::Combine(F(), hn::LoadU(h, upper), hn::LoadU(h, lower));
#endif
  }
  const float* data;
  std::int64_t step;
  std::uint32_t column;
  std::uint32_t row;
};

template <RowMode kMode, class Points>
HWY_INLINE void sample(const Output<kMode>& out, int i, const Points& points, CellAndFraction u, CellAndFraction v,
                       VF scale) {
  const F f;
  constexpr bool kSlopes = kMode == RowMode::store_slopes;
  const VF one = hn::Set(f, 1.0F);
  const VF g = hn::Set(f, kUnskewF);
  const VF back = hn::Mul(hn::Add(u.fraction, v.fraction), g);
  const VF x0 = hn::Sub(u.fraction, back);
  const VF y0 = hn::Sub(v.fraction, back);
  const auto east = hn::Gt(u.fraction, v.fraction);  // the middle corner lies east, else south
  const VF x1 = hn::Add(hn::Sub(x0, hn::IfThenElseZero(east, one)), g);
  const VF y1 = hn::Add(hn::Sub(y0, hn::IfThenZeroElse(east, one)), g);
  const VF away = hn::Set(f, 1.0F - 2.0F * kUnskewF);
  const auto at = points(u.cell, v.cell, east);
  const Corner a = corner<kSlopes>(at.a(), x0, y0);
  const Corner b = corner<kSlopes>(at.b(), x1, y1);
  const Corner c = corner<kSlopes>(at.c(), hn::Sub(x0, away), hn::Sub(y0, away));
  VF dx = one;
  VF dy = one;
  if constexpr (kSlopes) {
    dx = hn::Mul(scale, hn::Add(hn::Add(a.dx, b.dx), c.dx));
    dy = hn::Mul(scale, hn::Add(hn::Add(a.dy, b.dy), c.dy));
  }
  out.put(i, hn::Mul(scale, hn::Add(hn::Add(a.n, b.n), c.n)), dx, dy);
}

/// The sum of a column's part of a skewed coordinate and a row's; the fractions are in [0, 1].
struct SkewSum {
  SkewSum(std::int64_t first, LatticePoint row) : start(first + row.cell), fraction(row.fraction) {}
  HWY_INLINE CellAndFraction operator()(const std::int32_t* local, const float* column) const {
    const F f;
    const VF one = hn::Set(f, 1.0F);
    const VF sum = hn::Add(hn::LoadU(f, column), hn::Set(f, fraction));
    const auto carry = hn::Ge(sum, one);
    const VI cell = hn::Add(hn::LoadU(I(), local), low_cell(start));
    // A true mask is -1 in every lane.
    return {hn::Sub(cell, hn::BitCast(I(), hn::VecFromMask(f, carry))), hn::Sub(sum, hn::IfThenElseZero(carry, one))};
  }
  std::int64_t start;
  float fraction;
};

/// Both coordinates of the samples of a row.
struct SkewedRow {
  explicit SkewedRow(const RowTask& task)
      : SkewedRow(task, lattice_position(task.y, task.cell_y_m, task.octave->frequency, task.octave->shift_y)) {}
  SkewedRow(const RowTask& task, double q)
      : u(task.table->first_column, split_position(q * kSkew)),
        v(task.table->skew_first, split_position(q * (1.0 + kSkew))) {}
  SkewSum u;
  SkewSum v;
};

HWY_INLINE HashedPoints points_of(const RowTask& task, const SkewedRow& row) {
  OctaveTable& t = *task.table;
  if (!t.lattice_valid) {  // seeds serve the whole tile, whose rows are all close to its first
    t.column_seeds = axis_seeds(task.octave->seed, 0, row.u.start);
    t.row_seeds = axis_seeds(task.octave->seed, 1, row.v.start);
    t.points = {};
    t.points.usable = PointTable::serves(t, task.width);
    t.lattice_valid = true;
  }
  return {AxisHash(t.column_seeds, kColumnMultiplier), AxisHash(t.row_seeds, kRowMultiplier)};
}

template <RowMode kMode, class Points>
HWY_INLINE void straight_row(const RowTask& task, const SkewedRow& row, const Points& points) {
  const OctaveTable& t = *task.table;
  const VF scale = hn::Set(F(), scale_of(task, kSimplexScale));
  const std::int32_t* skew_local = t.skew_local.data();
  const float* skew_fraction = t.skew_fraction.data();
  const Output<kMode> out(task);
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of())
    sample<kMode>(out, x, points, row.u(t.local.data() + x, t.fraction.data() + x),
                  row.v(skew_local + x, skew_fraction + x), scale);
}

template <RowMode kMode>
void straight(const RowTask& task) {
  const SkewedRow row(task);
  const HashedPoints points = points_of(task, row);
  if constexpr (PointTable::kWide) {
    if (task.table->points.usable) {
      PointTable::seek(*task.table, points, task.width, row.u.start, row.v.start);
      return straight_row<kMode>(task, row, PointTable(*task.table));
    }
  }
  straight_row<kMode>(task, row, points);
}

template <RowMode kMode>
void bent(const RowTask& task) {
  const F f;
  const OctaveTable& t = *task.table;
  const SkewedRow row(task);
  const HashedPoints points = points_of(task, row);
  const VF scale = hn::Set(f, scale_of(task, kSimplexScale));
  const Bender bend(task.octave->bend);
  const VF skew = hn::Set(f, static_cast<float>(kSkew));
  const std::int32_t* skew_local = t.skew_local.data();
  const float* skew_fraction = t.skew_fraction.data();
  const Output<kMode> out(task);
  const float* bends_x = task.bend_x;
  const float* bends_y = task.bend_y;
  const int width = task.width;
  for (int x = 0; x < width; x += lanes_of()) {
    const CellAndFraction u = row.u(t.local.data() + x, t.fraction.data() + x);
    const CellAndFraction v = row.v(skew_local + x, skew_fraction + x);
    const VF bend_x = hn::LoadU(f, bends_x + x);
    const VF bend_y = hn::LoadU(f, bends_y + x);
    const VF both = hn::Mul(hn::Add(bend_x, bend_y), skew);
    const CellAndFraction du = bend(u.fraction, hn::Add(bend_x, both));
    const CellAndFraction dv = bend(v.fraction, hn::Add(bend_y, both));
    sample<kMode>(out, x, points, {hn::Add(u.cell, du.cell), du.fraction}, {hn::Add(v.cell, dv.cell), dv.fraction},
                  scale);
  }
}

RowKernel SimplexKernel(RowMode mode, bool is_bent) {
  if (mode == RowMode::store_slopes) return is_bent ? &bent<RowMode::store_slopes> : &straight<RowMode::store_slopes>;
  return is_bent ? &bent<RowMode::store> : &straight<RowMode::store>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SimplexKernel);
RowKernel simplex_kernel(RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(SimplexKernel)(mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
