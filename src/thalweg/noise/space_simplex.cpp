// Simplex noise in space. Its lattice is turned against the axes, so that no plane of samples shows it. Vectors of
// straight samples mostly lie in one cell of the lattice, whose points are then looked up; others hash each sample's
// own.
#include <cmath>

#include "thalweg/noise/space_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "thalweg/noise/space_simplex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "thalweg/noise/space_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {
namespace {

using MF = hn::Mask<F>;

/// Adds what a lattice point at distance (x, y, z) with gradient g gives.
template <bool kSlopes>
HWY_INLINE void add_point(const Vector3& g, VF x, VF y, VF z, Sample& s) {
  const F f;
  const VF square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
  const VF t = hn::Max(hn::Sub(hn::Set(f, 0.5F), square), hn::Zero(f));
  const VF t2 = hn::Mul(t, t);
  const VF t3 = hn::Mul(t2, t);
  const VF e = dot(g, x, y, z);
  s.n = hn::Add(s.n, hn::Mul(t3, e));
  if (kSlopes) {
    const VF k = hn::Mul(hn::Mul(t2, e), hn::Set(f, -6.0F));
    s.d[0] = hn::Add(s.d[0], hn::Add(hn::Mul(t3, g.x), hn::Mul(k, x)));
    s.d[1] = hn::Add(s.d[1], hn::Add(hn::Mul(t3, g.y), hn::Mul(k, y)));
    s.d[2] = hn::Add(s.d[2], hn::Add(hn::Mul(t3, g.z), hn::Mul(k, z)));
  }
}

/// The two points of a cubic lattice that can be nearer than sqrt(1/2): the nearest, and the next along the axis where
/// that is farthest off.
struct Pair {
  HWY_INLINE explicit Pair(const VF (&d)[3]) : near{d[0], d[1], d[2]} {
    const F f;
    const VF size[3] = {hn::Abs(d[0]), hn::Abs(d[1]), hn::Abs(d[2])};
    along[0] = hn::And(hn::Ge(size[0], size[1]), hn::Ge(size[0], size[2]));
    along[1] = hn::AndNot(along[0], hn::Ge(size[1], size[2]));
    along[2] = hn::Not(hn::Or(along[0], along[1]));
    for (int a = 0; a < 3; ++a)
      next[a] = hn::IfThenElse(along[a], hn::Sub(d[a], hn::CopySign(hn::Set(f, 1.0F), d[a])), d[a]);
  }
  VF near[3];
  VF next[3];
  MF along[3];
};

/// Where the four points near a sample lie. Corners of its cell are the first half's points, its middle and the middles
/// of the cell's neighbours the second's.
struct Corners {
  static HWY_INLINE Corners of(const Place& p) {
    const F f;
    const VF half = hn::Set(f, 0.5F);
    MF upper[3];
    VF to_corner[3];
    VF to_middle[3];
    for (int a = 0; a < 3; ++a) {
      upper[a] = hn::Ge(p.fraction[a], half);
      to_middle[a] = hn::Sub(p.fraction[a], half);
      to_corner[a] = hn::IfThenElse(upper[a], hn::Sub(p.fraction[a], hn::Set(f, 1.0F)), p.fraction[a]);
    }
    return {{upper[0], upper[1], upper[2]}, Pair(to_corner), Pair(to_middle)};
  }
  MF upper[3];  ///< whether the sample lies in the cell's upper half
  Pair corner;
  Pair middle;
};

/// The gradients of these points.
struct Gradients {
  Vector3 corner;
  Vector3 next_corner;
  Vector3 middle;
  Vector3 next_middle;
};

template <bool kSlopes>
HWY_INLINE Sample sample_of(const Corners& c, const Gradients& g) {
  Sample s;
  s.n = hn::Zero(F());
  for (VF& d : s.d) d = hn::Zero(F());
  add_point<kSlopes>(g.corner, c.corner.near[0], c.corner.near[1], c.corner.near[2], s);
  add_point<kSlopes>(g.next_corner, c.corner.next[0], c.corner.next[1], c.corner.next[2], s);
  add_point<kSlopes>(g.middle, c.middle.near[0], c.middle.near[1], c.middle.near[2], s);
  add_point<kSlopes>(g.next_middle, c.middle.next[0], c.middle.next[1], c.middle.next[2], s);
  return s;
}

HWY_INLINE Vector3 hashed_gradient(const VU (&axis)[3], std::uint32_t half) {
  return gradient3_of(mix(axis[0], hn::Xor(hn::Xor(axis[1], hn::Set(U(), half)), axis[2])));
}

/// Every sample hashes its own points.
HWY_INLINE Gradients hashed_gradients(const Place& p, const Corners& c, const SpaceHash& hash) {
  const F f;
  const VI one = hn::Set(I(), 1);
  const auto pick = [&](MF mask, VU yes, VU no) {
    return hn::BitCast(U(), hn::IfThenElse(mask, hn::BitCast(f, yes), hn::BitCast(f, no)));
  };
  VU corner[3];
  VU next_corner[3];
  VU middle[3];
  VU next_middle[3];
  const AxisHash* const axes[3] = {&hash.column, &hash.row, &hash.layer};
  for (int a = 0; a < 3; ++a) {
    const VU here = (*axes[a])(p.cell[a]);
    const VU above = (*axes[a])(hn::Add(p.cell[a], one));
    const VU below = (*axes[a])(hn::Sub(p.cell[a], one));
    corner[a] = pick(c.upper[a], above, here);
    next_corner[a] = pick(c.corner.along[a], pick(c.upper[a], here, above), corner[a]);
    middle[a] = here;
    next_middle[a] = pick(c.middle.along[a], pick(c.upper[a], above, below), here);
  }
  return {hashed_gradient(corner, 0), hashed_gradient(next_corner, 0), hashed_gradient(middle, kSimplexHalf),
          hashed_gradient(next_middle, kSimplexHalf)};
}

/// Looks the points of straight samples up in a table of the cells that they lie in, one cell after the other: the
/// samples of a row pass from cell to cell and do not come back.
class CellTable {
 public:
  static constexpr bool kWide = hn::MaxLanes(F()) >= 8;  // a vector holds a cell's corners

  /// Whether a vector of samples lies in few enough cells for lookups to be quicker than hashes.
  static bool serves(const SpaceTable& t) {
    if (!kWide) return false;
    const auto last = static_cast<std::size_t>(lanes_of() - 1);
    float borders = 0;
    for (const AxisColumns& a : t.axis)
      borders += std::fabs(static_cast<float>(a.local[last] - a.local[0]) + (a.fraction[last] - a.fraction[0]));
    return borders < kMostBorders;
  }

  CellTable(SpaceTable& t, const SpaceHash& h) : hash_(h) {
    t.cells.resize(kCells);
    cells_ = t.cells.data();
  }

  HWY_INLINE Gradients operator()(const Place& p, const Corners& c) const {
    const F f;
    const I i;
    const Points points(c);
    std::int32_t cell[3] = {hn::GetLane(p.cell[0]), hn::GetLane(p.cell[1]), hn::GetLane(p.cell[2])};
    Gradients g = points.look(seek(cell));
    MF left = outside(p, cell);
    while (HWY_UNLIKELY(!hn::AllFalse(f, left))) {
      const std::size_t lane = hn::FindKnownFirstTrue(f, left);
      for (int a = 0; a < 3; ++a) {
        HWY_ALIGN std::int32_t lanes[hn::MaxLanes(F())];
        hn::Store(p.cell[a], i, lanes);
        cell[a] = lanes[lane];
      }
      const Gradients more = points.look(seek(cell));
      g = {pick(left, more.corner, g.corner), pick(left, more.next_corner, g.next_corner),
           pick(left, more.middle, g.middle), pick(left, more.next_middle, g.next_middle)};
      left = hn::And(left, outside(p, cell));
    }
    return g;
  }

 private:
  static constexpr std::size_t kCells = 128;
  static constexpr float kMostBorders = 0.9F;
  static constexpr int kMiddle = 8;  // where the middles begin
  static constexpr int kOwnMiddle = 14;

  /// Where in a cell's numbers the points of each sample are.
  struct Points {
    using Lanes = decltype(hn::IndicesFromVec(F(), VI()));
    static constexpr bool kWhole = hn::MaxLanes(F()) >= 16;  // a vector holds all numbers

    HWY_INLINE explicit Points(const Corners& c) {
      const VI one = hn::Set(I(), 1);
      const VI two = hn::Set(I(), 2);
      const VI four = hn::Set(I(), 4);
      const VI upper[3] = {bits(c.upper[0], one), bits(c.upper[1], two), bits(c.upper[2], four)};
      const VI near = hn::Or(hn::Or(upper[0], upper[1]), upper[2]);
      corner = hn::IndicesFromVec(F(), near);
      next_corner = hn::IndicesFromVec(F(), hn::Xor(near, select(c.corner.along, one, two, four)));
      // Below and above along x are 0 and 1, along y 2 and 3, along z 4 and 5.
      VI side = select(c.middle.along, upper[0], hn::Add(two, hn::ShiftRight<1>(upper[1])),
                       hn::Add(four, hn::ShiftRight<2>(upper[2])));
      if (kWhole) side = hn::Add(side, hn::Set(I(), kMiddle));
      next_middle = hn::IndicesFromVec(F(), side);
    }
    static HWY_INLINE VI bits(MF mask, VI bit) { return hn::And(hn::BitCast(I(), hn::VecFromMask(F(), mask)), bit); }
    static HWY_INLINE VI select(const MF (&along)[3], VI x, VI y, VI z) {
      const F f;
      return hn::BitCast(I(), hn::IfThenElse(along[0], hn::BitCast(f, x),
                                             hn::IfThenElse(along[1], hn::BitCast(f, y), hn::BitCast(f, z))));
    }
    static HWY_INLINE Vector3 look_at(const SimplexCell& cell, int first, Lanes lanes) {
      const F f;
      return {hn::TableLookupLanes(hn::LoadU(f, cell.gradient[0].data() + first), lanes),
              hn::TableLookupLanes(hn::LoadU(f, cell.gradient[1].data() + first), lanes),
              hn::TableLookupLanes(hn::LoadU(f, cell.gradient[2].data() + first), lanes)};
    }
    HWY_INLINE Gradients look(const SimplexCell& cell) const {
      const F f;
      const Vector3 middle{hn::Set(f, cell.gradient[0][kOwnMiddle]), hn::Set(f, cell.gradient[1][kOwnMiddle]),
                           hn::Set(f, cell.gradient[2][kOwnMiddle])};
      return {look_at(cell, 0, corner), look_at(cell, 0, next_corner), middle,
              look_at(cell, kWhole ? 0 : kMiddle, next_middle)};
    }
    Lanes corner;
    Lanes next_corner;
    Lanes next_middle;
  };

  static HWY_INLINE MF outside(const Place& p, const std::int32_t (&cell)[3]) {
    const I i;
    const auto x = hn::Xor(p.cell[0], hn::Set(i, cell[0]));
    const auto y = hn::Xor(p.cell[1], hn::Set(i, cell[1]));
    const auto z = hn::Xor(p.cell[2], hn::Set(i, cell[2]));
    return hn::RebindMask(F(), hn::Ne(hn::Or(hn::Or(x, y), z), hn::Zero(i)));
  }
  static HWY_INLINE Vector3 pick(MF mask, const Vector3& yes, const Vector3& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y), hn::IfThenElse(mask, yes.z, no.z)};
  }

  HWY_INLINE const SimplexCell& seek(const std::int32_t (&cell)[3]) const {
    const auto slot = static_cast<std::uint32_t>(cell[0]) + 19 * static_cast<std::uint32_t>(cell[1]) +
                      83 * static_cast<std::uint32_t>(cell[2]);
    SimplexCell& c = cells_[slot % kCells];
    if (HWY_UNLIKELY(!c.valid || c.cell[0] != cell[0] || c.cell[1] != cell[1] || c.cell[2] != cell[2])) make(cell, c);
    return c;
  }
  HWY_NOINLINE void make(const std::int32_t (&cell)[3], SimplexCell& c) const {
    static constexpr std::int32_t kX[16] = {0, 1, 0, 1, 0, 1, 0, 1, -1, 1, 0, 0, 0, 0, 0, 0};
    static constexpr std::int32_t kY[16] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 0, 0};
    static constexpr std::int32_t kZ[16] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, -1, 1, 0, 0};
    const I i;
    for (int k = 0; k < 16; k += lanes_of()) {
      const VU column = hash_.column(hn::Add(hn::Set(i, cell[0]), hn::LoadU(i, kX + k)));
      const VU row = hash_.row(hn::Add(hn::Set(i, cell[1]), hn::LoadU(i, kY + k)));
      const VU layer = hash_.layer(hn::Add(hn::Set(i, cell[2]), hn::LoadU(i, kZ + k)));
      const VU half = hn::BitCast(U(), hn::IfThenElseZero(hn::Gt(hn::Iota(i, k), hn::Set(i, kMiddle - 1)),
                                                          hn::Set(i, static_cast<std::int32_t>(kSimplexHalf))));
      const Vector3 g = gradient3_of(mix(column, hn::Xor(hn::Xor(row, half), layer)));
      hn::StoreU(g.x, F(), c.gradient[0].data() + k);
      hn::StoreU(g.y, F(), c.gradient[1].data() + k);
      hn::StoreU(g.z, F(), c.gradient[2].data() + k);
    }
    c.cell = {cell[0], cell[1], cell[2]};
    c.valid = true;
  }

  const SpaceHash& hash_;
  SimplexCell* cells_;
};

/// The places of a straight row's samples, with what is the row's own at hand.
struct StraightPlaces {
  StraightPlaces(const SpaceTable& t, const RowPlace& row) : table(t) {
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = low_cell(t.axis[a].first + row.at[a].cell - kWholeBits);
      fraction[a] = hn::Set(F(), row.at[a].fraction);
    }
  }
  HWY_INLINE Place at(int x) const {
    Place p;
    for (std::size_t a = 0; a < 3; ++a) {
      const AxisColumns& columns = table.axis[a];
      const VF sum = hn::Add(hn::LoadU(F(), columns.fraction.data() + x), fraction[a]);
      const VF whole = hn::Floor(sum);
      const VI bits = hn::BitCast(I(), hn::Add(whole, hn::Set(F(), kWhole)));
      p.cell[a] = hn::Add(hn::Add(hn::LoadU(I(), columns.local.data() + x), first[a]), bits);
      p.fraction[a] = hn::Sub(sum, whole);
    }
    return p;
  }
  // The sum of two fractions is small: added to 2^23 its whole part stands in the low bits.
  static constexpr float kWhole = 0x1.0p23F;
  static constexpr std::int64_t kWholeBits = 0x4B000000;
  const SpaceTable& table;
  VI first[3];
  VF fraction[3];
};
struct BentPlaces {
  HWY_INLINE Place at(int x) const { return place_of<true>(table, row, bend, bends, x); }
  const SpaceTable& table;
  const RowPlace& row;
  Bender bend;
  Bend3 bends;
};

template <bool kSlopes, class Places, class Points>
HWY_INLINE void row_of(const SpaceRowTask& task, const Places& places, const Points& points) {
  const VF scale = hn::Set(F(), space_scale(task, kSimplex3Scale));
  const SpaceRowTask out = task;  // a copy, since vector stores might change `task` for all the compiler knows
  for (int x = 0; x < out.width; x += lanes_of()) {
    const Place p = places.at(x);
    const Corners corners = Corners::of(p);
    Sample s = sample_of<kSlopes>(corners, points(p, corners));
    if constexpr (kSlopes) {
      turn_back(s.d);
      for (VF& d : s.d) d = hn::Mul(d, scale);
    }
    put3<kSlopes>(out, x, hn::Mul(s.n, scale), s.d);
  }
}

template <bool kSlopes>
void simplex(const SpaceRowTask& task) {
  SpaceTable& t = *task.table;
  const RowPlace row = turned_place(task);
  const SpaceHash hash = space_hash<true>(*task.octave, row, t);
  const auto points = [&hash](const Place& p, const Corners& c) { return hashed_gradients(p, c, hash); };
  if (task.bend[0] != nullptr)
    return row_of<kSlopes>(task, BentPlaces{t, row, Bender(task.octave->bend), task.bend}, points);
  const StraightPlaces places(t, row);
  if constexpr (CellTable::kWide) {
    if (CellTable::serves(t)) return row_of<kSlopes>(task, places, CellTable(t, hash));
  }
  row_of<kSlopes>(task, places, points);
}

SpaceRowKernel SpaceSimplexKernel(SpaceRowMode mode) {
  return mode.slopes ? &simplex<true> : &simplex<false>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thalweg::noise::detail {
HWY_EXPORT(SpaceSimplexKernel);
SpaceRowKernel space_simplex_kernel(SpaceRowMode mode) {
  return HWY_DYNAMIC_DISPATCH(SpaceSimplexKernel)(mode);
}
}  // namespace thalweg::noise::detail
#endif
