// Cellular noise (Worley 1996): one point at a hashed place in every lattice cell; values are distances to the nearest
// and second nearest, or the height of the nearest one's cell.
//
// The nearest is exact: after the 3 x 3 cells around a sample, the 5 x 5 are searched for those samples whose distance
// found is larger than the least distance of any point further out. 5 x 5 are always enough: with b = (1 + jitter) / 2
// the second nearest is within sqrt(2 b^2 + 1/2) <= 1.59 (manhattan: 2 b <= 2), what lies beyond is 2 away at least.
#include <array>
#include <cmath>

#include "thalweg/noise/noise_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/noise_cellular.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

/// What is sought: the nearest distance, the two nearest, or the nearest cell.
enum class Seek { first, both, cell };

// Metrics: a part for each axis, joined. `Euclid` stays squared during the search.
struct Euclid {
  static HWY_INLINE VF part(VF d) { return hn::Mul(d, d); }
  static HWY_INLINE VF join(VF x, VF y) { return hn::Add(x, y); }
};
struct Manhattan {
  static HWY_INLINE VF part(VF d) { return hn::Abs(d); }
  static HWY_INLINE VF join(VF x, VF y) { return hn::Add(x, y); }
};
struct Chebyshev {
  static HWY_INLINE VF part(VF d) { return hn::Abs(d); }
  static HWY_INLINE VF join(VF x, VF y) { return hn::Max(x, y); }
};

/// Where a hash puts its cell's point: from (1 - jitter) / 2 to (1 + jitter) / 2 along each axis.
struct Jitter {
  explicit Jitter(float jitter)
      : step(jitter * 0x1.0p-16F), base(0.5F + jitter * (0x1.0p-17F - 0.5F)), gap((1.0F - jitter) * 0.5F) {}
  static HWY_INLINE VU hash(VU column, VU row) {
    const VU h = mix(column, row);
    return hn::Xor(h, hn::ShiftRight<16>(h));
  }
  HWY_INLINE VF place(VU bits) const {
    const F f;
    return hn::Add(hn::Set(f, base), hn::Mul(hn::ConvertTo(f, hn::BitCast(I(), bits)), hn::Set(f, step)));
  }
  HWY_INLINE VF x(VU h) const { return place(hn::ShiftRight<16>(h)); }
  HWY_INLINE VF y(VU h) const { return place(hn::And(h, hn::Set(U(), 0xFFFFU))); }
  static HWY_INLINE VF height(VU h) {
    const VU g = hn::Mul(h, hn::Set(U(), kHash1));
    return height_of(hn::Mul(hn::Xor(g, hn::ShiftRight<15>(g)), hn::Set(U(), kColumnMultiplier)));
  }
  float step;
  float base;
  float gap;  ///< least distance of a point from the border of its cell
};

/// The nearest points found so far.
template <class Metric, Seek kSeek, bool kSlopes>
struct Found {
  // Written out, since an implied constructor would lack the SIMD level's target attribute.
  HWY_INLINE Found()
      : first(hn::Set(F(), 1e9F)),
        second(first),
        height(hn::Zero(F())),
        x1(height),
        y1(height),
        x2(height),
        y2(height) {}
  VF first;
  VF second;
  VF height;
  VF x1, y1, x2, y2;  ///< where the two lie from the sample

  HWY_INLINE VF last() const { return kSeek == Seek::both ? second : first; }
  HWY_INLINE void add(VF d, VF h, VF dx, VF dy) {
    if constexpr (kSeek == Seek::cell) height = hn::IfThenElse(hn::Lt(d, first), h, height);
    if constexpr (kSlopes) {
      const auto nearest = hn::Lt(d, first);
      const auto next = hn::Lt(d, second);
      x2 = hn::IfThenElse(nearest, x1, hn::IfThenElse(next, dx, x2));
      y2 = hn::IfThenElse(nearest, y1, hn::IfThenElse(next, dy, y2));
      x1 = hn::IfThenElse(nearest, dx, x1);
      y1 = hn::IfThenElse(nearest, dy, y1);
    }
    if constexpr (kSeek == Seek::both) second = hn::Min(second, hn::Max(first, d));
    first = hn::Min(first, d);
  }
  template <class Mask>
  HWY_INLINE void replace(Mask where, const Found& by) {
    first = hn::IfThenElse(where, by.first, first);
    second = hn::IfThenElse(where, by.second, second);
    height = hn::IfThenElse(where, by.height, height);
    x1 = hn::IfThenElse(where, by.x1, x1);
    y1 = hn::IfThenElse(where, by.y1, y1);
    x2 = hn::IfThenElse(where, by.x2, x2);
    y2 = hn::IfThenElse(where, by.y2, y2);
  }
};

/// Searches the cells around the sample, north to south and west to east: of equally near points the first counts.
/// cells(found, reach) adds those within `reach`. The wider search counts only for samples that need it, so that none
/// depends on its neighbours in the vector.
template <class Result, class Metric, class Cells>
HWY_INLINE Result nearest(const Cells& cells, VF fx, VF fy, float gap) {
  const F f;
  const VF one = hn::Set(f, 1.0F);
  Result found;
  cells.template search<1>(found);
  const VF border = hn::Min(hn::Min(fx, hn::Sub(one, fx)), hn::Min(fy, hn::Sub(one, fy)));
  const auto open = hn::Gt(found.last(), Metric::part(hn::Add(hn::Set(f, 1.0F + gap), border)));
  if (!hn::AllFalse(f, open)) {
    Result wide;
    cells.template search<2>(wide);
    found.replace(open, wide);
  }
  return found;
}

// Rows of the table: of five lattice rows taking turns the points' x, y and the cells' heights, then the y parts of the
// distances from a row of samples.
enum CellRow { kPointX = 0, kPointY = 5, kHeight = 10, kPartY = 15 };

void lattice_row(const OctaveTable& t, std::uint32_t row_hash, const Jitter& jitter, float* xs, float* ys, float* hs) {
  const F f;
  const U u;
  for (int c = 0; c < t.columns; c += lanes_of()) {
    const VU h = Jitter::hash(hn::LoadU(u, t.hash.data() + c), hn::Set(u, row_hash));
    hn::StoreU(jitter.x(h), f, xs + c);
    hn::StoreU(jitter.y(h), f, ys + c);
    hn::StoreU(Jitter::height(h), f, hs + c);
  }
}
void seek_rows(const Octave& octave, std::int64_t cell, const Jitter& jitter, OctaveTable& t) {
  if (t.lattice_valid && t.lattice_row == cell) return;
  const bool step = t.lattice_valid && t.lattice_row + 1 == cell;
  if (step) t.turn = (t.turn + 1) % 5;
  for (int k = step ? 4 : 0; k < 5; ++k) {
    const int at = (t.turn + k) % 5;
    lattice_row(t, axis_hash_of(octave.seed, 1, cell + k - 2), jitter, t.row(kPointX + at), t.row(kPointY + at),
                t.row(kHeight + at));
  }
  t.lattice_row = cell;
  t.lattice_valid = true;
}

template <class Metric, Seek kSeek>
struct StraightCells {
  template <int kReach, class Result>
  HWY_INLINE void search(Result& found) const {
    const F f;
    for (int j = 2 - kReach; j <= 2 + kReach; ++j)
      for (int k = 2 - kReach; k <= 2 + kReach; ++k) {
        const VF dx = hn::Sub(look(x[j], k), hn::Sub(fx, hn::Set(f, static_cast<float>(k - 2))));
        const VF d = Metric::join(Metric::part(dx), look(part[j], k));
        found.add(d, kSeek == Seek::cell ? look(height[j], k) : d, d, d);
      }
  }
  LaneLookup look;
  VF fx;
  const float* const* x;
  const float* const* part;
  const float* const* height;
};

struct BentCells {
  template <int kReach, class Result>
  HWY_INLINE void search(Result& found) const {
    search_as<kReach>(found);
  }
  template <int kReach, class Metric, Seek kSeek, bool kSlopes>
  HWY_INLINE void search_as(Found<Metric, kSeek, kSlopes>& found) const {
    const F f;
    VU columns[2 * kReach + 1];
    for (int k = -kReach; k <= kReach; ++k)
      columns[k + kReach] = points.column_hash(hn::Add(at.x.cell, hn::Set(I(), k)));
    for (int j = -kReach; j <= kReach; ++j) {
      const VU row = points.row_hash(hn::Add(at.y.cell, hn::Set(I(), j)));
      const VF down = hn::Sub(at.y.fraction, hn::Set(f, static_cast<float>(j)));
      for (int k = -kReach; k <= kReach; ++k) {
        const VU h = Jitter::hash(columns[k + kReach], row);
        const VF dx = hn::Sub(jitter.x(h), hn::Sub(at.x.fraction, hn::Set(f, static_cast<float>(k))));
        const VF dy = hn::Sub(jitter.y(h), down);
        const VF d = Metric::join(Metric::part(dx), Metric::part(dy));
        found.add(d, kSeek == Seek::cell ? Jitter::height(h) : d, dx, dy);
      }
    }
  }
  const BentPoints& points;
  BentPoints::Point at;
  const Jitter& jitter;
};

template <class Metric, Seek kSeek>
void straight(const RowTask& task) {
  const F f;
  OctaveTable& t = *task.table;
  const Jitter jitter(task.field->cell_jitter);
  const LatticePoint row = row_point(task);
  seek_rows(*task.octave, row.cell, jitter, t);
  const float* x[5];
  const float* part[5];
  const float* height[5];
  for (int j = 0; j < 5; ++j) {
    const int at = (t.turn + j) % 5;
    x[j] = t.row(kPointX + at);
    part[j] = t.row(kPartY + j);
    height[j] = t.row(kHeight + at);
    const VF down = hn::Set(f, row.fraction - static_cast<float>(j - 2));
    for (int c = 0; c < t.columns; c += lanes_of())
      hn::StoreU(Metric::part(hn::Sub(hn::LoadU(f, t.row(kPointY + at) + c), down)), f, t.row(kPartY + j) + c);
  }
  const CellAnswer answer(*task.field, *task.octave, largest_cell_value(*task.field));
  const VF fy = hn::Set(f, row.fraction);
  for (int i = 0; i < task.width; i += lanes_of()) {
    const VF fx = hn::LoadU(f, t.fraction.data() + i);
    const StraightCells<Metric, kSeek> cells{LaneLookup(t, i), fx, x, part, height};
    const auto found = nearest<Found<Metric, kSeek, false>, Metric>(cells, fx, fy, jitter.gap);
    hn::StoreU(answer(found), f, task.n + i);
  }
}

template <class Metric, Seek kSeek>
void bent(const RowTask& task) {
  const Jitter jitter(task.field->cell_jitter);
  const BentPoints points(task);
  const CellAnswer answer(*task.field, *task.octave, largest_cell_value(*task.field));
  for (int i = 0; i < task.width; i += lanes_of()) {
    const BentPoints::Point at = points.at(i);
    const BentCells cells{points, at, jitter};
    const auto found = nearest<Found<Metric, kSeek, false>, Metric>(cells, at.x.fraction, at.y.fraction, jitter.gap);
    hn::StoreU(answer(found), F(), task.n + i);
  }
}

// The derivative of a distance, by where the point lies from the sample.
struct Slope {
  VF x;
  VF y;
};
HWY_INLINE Slope slope_of(CellDistance distance, VF dx, VF dy, VF found) {
  const F f;
  const VF one = hn::Set(f, 1.0F);
  switch (distance) {
    case CellDistance::euclidean: {
      const VF d = hn::Max(hn::Sqrt(found), hn::Set(f, 1e-20F));
      return {hn::Div(hn::Neg(dx), d), hn::Div(hn::Neg(dy), d)};
    }
    case CellDistance::squared:
      return {hn::Mul(hn::Set(f, -2.0F), dx), hn::Mul(hn::Set(f, -2.0F), dy)};
    case CellDistance::manhattan:
      break;
    case CellDistance::chebyshev: {
      const auto along_x = hn::Ge(hn::Abs(dx), hn::Abs(dy));
      return {hn::IfThenElseZero(along_x, hn::CopySign(one, hn::Neg(dx))),
              hn::IfThenZeroElse(along_x, hn::CopySign(one, hn::Neg(dy)))};
    }
  }
  return {hn::CopySign(one, hn::Neg(dx)), hn::CopySign(one, hn::Neg(dy))};
}

// Slopes are asked for by slope-damped sums only, so straight rows take the way of bent ones.
template <class Metric>
void with_slopes(const RowTask& task) {
  const F f;
  RowTask here = task;
  const std::array<float, kTile + kPad> none{};
  if (here.bend_x == nullptr) here.bend_x = here.bend_y = none.data();
  const Jitter jitter(task.field->cell_jitter);
  const BentPoints points(here);
  const CellAnswer answer(*task.field, *task.octave, largest_cell_value(*task.field));
  const VF by = hn::Set(f, answer.by);
  const CellDistance distance = task.field->cell_distance;
  const Output<RowMode::store_slopes> out(task);
  for (int i = 0; i < task.width; i += lanes_of()) {
    const BentPoints::Point at = points.at(i);
    const BentCells cells{points, at, jitter};
    const auto found =
        nearest<Found<Metric, Seek::both, true>, Metric>(cells, at.x.fraction, at.y.fraction, jitter.gap);
    Slope s = slope_of(distance, found.x1, found.y1, found.first);
    if (answer.value != CellValue::f1) {
      const Slope second = slope_of(distance, found.x2, found.y2, found.second);
      const bool less = answer.value == CellValue::f2_minus_f1;
      s = less ? Slope{hn::Sub(second.x, s.x), hn::Sub(second.y, s.y)} : second;
    }
    out.put(i, answer(found), hn::Mul(by, s.x), hn::Mul(by, s.y));
  }
}

template <class Metric>
RowKernel kernel_of(CellValue value, RowMode mode, bool is_bent) {
  const bool slopes = mode == RowMode::store_slopes;
  if (value == CellValue::cell) {
    if (slopes)
      return is_bent ? &with_flat_slopes<bent<Metric, Seek::cell>> : &with_flat_slopes<straight<Metric, Seek::cell>>;
    return is_bent ? &bent<Metric, Seek::cell> : &straight<Metric, Seek::cell>;
  }
  if (slopes) return &with_slopes<Metric>;
  if (value == CellValue::f1) return is_bent ? &bent<Metric, Seek::first> : &straight<Metric, Seek::first>;
  return is_bent ? &bent<Metric, Seek::both> : &straight<Metric, Seek::both>;
}
RowKernel CellularKernel(CellDistance distance, CellValue value, RowMode mode, bool is_bent) {
  switch (distance) {
    case CellDistance::manhattan:
      return kernel_of<Manhattan>(value, mode, is_bent);
    case CellDistance::chebyshev:
      return kernel_of<Chebyshev>(value, mode, is_bent);
    case CellDistance::euclidean:
    case CellDistance::squared:
      break;
  }
  return kernel_of<Euclid>(value, mode, is_bent);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {

double largest_cell_value(const Field& field) {
  const double b = (1.0 + static_cast<double>(field.cell_jitter)) / 2;
  const bool first = field.cell_value == CellValue::f1;
  switch (field.cell_distance) {
    case CellDistance::euclidean:
      return std::sqrt(2 * b * b + (first ? 0.0 : 0.5));
    case CellDistance::squared:
      return 2 * b * b + (first ? 0.0 : 0.5);
    case CellDistance::manhattan:
      return 2 * b;
    case CellDistance::chebyshev:
      break;
  }
  return first ? b : b + 0.5;
}

HWY_EXPORT(CellularKernel);
RowKernel cellular_kernel(const Field& field, RowMode mode, bool bent) {
  return HWY_DYNAMIC_DISPATCH(CellularKernel)(field.cell_distance, field.cell_value, mode, bent);
}
}  // namespace thalweg::noise::detail
#endif
