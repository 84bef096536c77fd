// Cellular noise in space (Worley 1996): one point at a hashed place in every lattice cell; values are distances to the
// nearest and second nearest, or the height of the nearest one's cell.
#include <cmath>

#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_cellular.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/space_cellular-inl.h"
#include "thalweg/noise/space_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

// The derivative of a distance along each axis, by where the point lies from the sample.
template <CellDistance kDistance>
HWY_INLINE void distance_slope(const VF (&to)[3], VF (&slope)[3]) {
  const F f;
  const VF minus_one = hn::Set(f, -1.0F);
  const VF size[3] = {hn::Abs(to[0]), hn::Abs(to[1]), hn::Abs(to[2])};
  if constexpr (kDistance == CellDistance::euclidean) {
    const VF square = hn::Add(hn::Add(hn::Mul(to[0], to[0]), hn::Mul(to[1], to[1])), hn::Mul(to[2], to[2]));
    const VF d = hn::Max(hn::Sqrt(square), hn::Set(f, 1e-20F));
    for (int a = 0; a < 3; ++a) slope[a] = hn::Div(hn::Neg(to[a]), d);
  } else if constexpr (kDistance == CellDistance::squared) {
    for (int a = 0; a < 3; ++a) slope[a] = hn::Mul(hn::Set(f, -2.0F), to[a]);
  } else if constexpr (kDistance == CellDistance::manhattan) {
    for (int a = 0; a < 3; ++a) slope[a] = hn::CopySign(minus_one, hn::Neg(to[a]));
  } else {
    const VF largest = hn::Max(hn::Max(size[0], size[1]), size[2]);
    for (int a = 0; a < 3; ++a)
      slope[a] = hn::IfThenElseZero(hn::Ge(size[a], largest), hn::CopySign(minus_one, hn::Neg(to[a])));
  }
}

// Any place; the way of bent rows, and of all that need slopes (sums damped by slope).
template <CellDistance kDistance, Need kNeed, bool kSlopes>
void scattered(const SpaceRowTask& task) {
  const F f;
  using M = Metric<kDistance>;
  SpaceTable& t = *task.table;
  const RowPlace row = straight_place(task);
  const SpaceHash hash = space_hash<false>(*task.octave, row, t);
  const Bender bend(task.octave->bend);
  const Scatter scatter(task.field->cell_jitter);
  const CellAnswer answer(*task.field, *task.octave, largest_space_cell_value(*task.field));
  for (int x = 0; x < task.width; x += lanes_of()) {
    const Place p = place_of<false>(t, row, bend, task.bend, x);
    Nearest<kNeed, kSlopes> nearest;
    show_rings<M>(p, hash, scatter, 1, nearest);
    VF d[3] = {hn::Zero(f), hn::Zero(f), hn::Zero(f)};
    if constexpr (kSlopes && kNeed != Need::cell) {
      VF first[3];
      distance_slope<kDistance>(nearest.to_first, first);
      if constexpr (kNeed == Need::second) distance_slope<kDistance>(nearest.to_second, d);
      for (int a = 0; a < 3; ++a) {
        if (answer.value == CellValue::f1) d[a] = first[a];
        if (answer.value == CellValue::f2_minus_f1) d[a] = hn::Sub(d[a], first[a]);
        d[a] = hn::Mul(d[a], hn::Set(f, answer.by));
      }
    }
    put3<kSlopes>(task, x, answer(nearest), d);
  }
}

// Parts of a lattice line: where the points lie in their cells, and the heights of these.
enum { kPointX, kPointY, kPointZ, kCellHeight };

std::size_t point_line(const SpaceRowTask& task, std::int64_t j, std::int64_t k, const Scatter& scatter) {
  SpaceTable& t = *task.table;
  return seek_line(*task.octave, j, k, t, [&](std::uint32_t line_hash, std::size_t slot) {
    const F f;
    for_columns(t, [&](int c) {
      const VU h = Scatter::bits(mix(hn::LoadU(U(), t.hash.data() + c), hn::Set(U(), line_hash)));
      hn::StoreU(scatter.x(h), f, t.lines.part(slot, kPointX) + c);
      hn::StoreU(scatter.y(h), f, t.lines.part(slot, kPointY) + c);
      hn::StoreU(scatter.z(h), f, t.lines.part(slot, kPointZ) + c);
      hn::StoreU(Scatter::height(h), f, t.lines.part(slot, kCellHeight) + c);
    });
  });
}

// What a straight row needs of the nine lines of cells around it, in the order of kLines: along x the points'
// places, and folded into one number the parts of the distance along y and z.
struct RowLines {
  const float* x[9];
  const float* part[9];
  const float* height[9];
};

template <class M>
RowLines row_lines(const SpaceRowTask& task, const RowPlace& row, const Scatter& scatter) {
  const F f;
  SpaceTable& t = *task.table;
  RowLines lines;
  for (int l = 0; l < 9; ++l) {
    const int j = kLines[l][0];
    const int k = kLines[l][1];
    const std::size_t slot = point_line(task, row.at[1].cell + j, row.at[2].cell + k, scatter);
    const float* y = t.lines.part(slot, kPointY);
    const float* z = t.lines.part(slot, kPointZ);
    float* part = t.folds(kRowFold + l);
    const VF from_y = hn::Set(f, static_cast<float>(j) - row.at[1].fraction);
    const VF from_z = hn::Set(f, static_cast<float>(k) - row.at[2].fraction);
    for_columns(t, [&](int c) {
      const VF dy = hn::Add(from_y, hn::LoadU(f, y + c));
      const VF dz = hn::Add(from_z, hn::LoadU(f, z + c));
      hn::StoreU(M::join(M::part(dy), M::part(dz)), f, part + c);
    });
    lines.x[l] = t.lines.part(slot, kPointX);
    lines.part[l] = part;
    lines.height[l] = t.lines.part(slot, kCellHeight);
  }
  return lines;
}

template <CellDistance kDistance, Need kNeed>
void straight(const SpaceRowTask& task) {
  const F f;
  using M = Metric<kDistance>;
  SpaceTable& t = *task.table;
  const RowPlace row = straight_place(task);
  const Scatter scatter(task.field->cell_jitter);
  const RowLines lines = row_lines<M>(task, row, scatter);
  const SpaceHash hash = space_hash<false>(*task.octave, row, t);
  const Bender bend(task.octave->bend);
  const CellAnswer answer(*task.field, *task.octave, largest_space_cell_value(*task.field));
  for (int x = 0; x < task.width; x += lanes_of()) {
    const ColumnLookup at(t.axis[0].local.data() + x);
    const VF fx = hn::LoadU(f, t.axis[0].fraction.data() + x);
    const VF from_x[3] = {hn::Sub(hn::Set(f, -1.0F), fx), hn::Neg(fx), hn::Sub(hn::Set(f, 1.0F), fx)};
    Nearest<kNeed, false> nearest;
    for (int l = 0; l < 9; ++l)
      for (int i = 0; i < 3; ++i) {
        const VF d[3] = {hn::Add(from_x[i], at(lines.x[l], i - 1)), fx, fx};
        const VF distance = M::join(M::part(d[0]), at(lines.part[l], i - 1));
        nearest.show(distance, d, [&] { return at(lines.height[l], i - 1); });
      }
    show_rings<M>(place_of<false>(t, row, bend, {}, x), hash, scatter, 2, nearest);
    const VF none[3] = {fx, fx, fx};
    put3<false>(task, x, answer(nearest), none);
  }
}

template <CellDistance kDistance, Need kNeed>
SpaceRowKernel kernel_for(SpaceRowMode mode) {
  if (mode.slopes) return &scattered<kDistance, kNeed, true>;
  return mode.bent ? &scattered<kDistance, kNeed, false> : &straight<kDistance, kNeed>;
}
template <CellDistance kDistance>
SpaceRowKernel kernel_for(CellValue value, SpaceRowMode mode) {
  if (value == CellValue::cell) return kernel_for<kDistance, Need::cell>(mode);
  return value == CellValue::f1 ? kernel_for<kDistance, Need::first>(mode) : kernel_for<kDistance, Need::second>(mode);
}

SpaceRowKernel SpaceCellularKernel(CellDistance distance, CellValue value, SpaceRowMode mode) {
  switch (distance) {
    case CellDistance::euclidean:
      break;
    case CellDistance::squared:  // as euclidean but for its slope
      if (mode.slopes) return kernel_for<CellDistance::squared>(value, mode);
      break;
    case CellDistance::manhattan:
      return kernel_for<CellDistance::manhattan>(value, mode);
    case CellDistance::chebyshev:
      return kernel_for<CellDistance::chebyshev>(value, mode);
  }
  return kernel_for<CellDistance::euclidean>(value, mode);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {

// With b = (1 + jitter) / 2 the point of a sample's own cell is at most b off along each axis, and at a corner of the
// lattice all eight can be. The second nearest is at most f + b off along one axis and b - f along the others, where f
// <= 1/2 is the distance to the nearest wall: largest at f = 0 or 1/2.
double largest_space_cell_value(const Field& field) {
  const double b = (1.0 + static_cast<double>(field.cell_jitter)) / 2;
  const bool first = field.cell_value == CellValue::f1;
  const double square = 3 * b * b + (first || b > 0.75 ? 0.0 : 0.75 - b);
  switch (field.cell_distance) {
    case CellDistance::euclidean:
      return std::sqrt(square);
    case CellDistance::squared:
      return square;
    case CellDistance::manhattan:
      return 3 * b;
    case CellDistance::chebyshev:
      break;
  }
  return first ? b : b + 0.5;
}

HWY_EXPORT(SpaceCellularKernel);
SpaceRowKernel space_cellular_kernel(const Field& field, SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceCellularKernel)(field.cell_distance, field.cell_value, mode);
}
}  // namespace thalweg::noise::detail
#endif
