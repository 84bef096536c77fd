// Cellular noise in space: exact distances to the nearest and second nearest of points scattered one to a lattice cell.
#if defined(THALWEG_NOISE_SPACE_CELLULAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_SPACE_CELLULAR_INL_H_
#undef THALWEG_NOISE_SPACE_CELLULAR_INL_H_
#else
#define THALWEG_NOISE_SPACE_CELLULAR_INL_H_
#endif

#include "thalweg/noise/space_sources-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

/// What must be known of the nearest points.
enum class Need { first, second, cell };

/// Distances as they are compared: squared for euclidean and squared.
template <CellDistance kDistance>
struct Metric {
  static constexpr bool kSquares = kDistance == CellDistance::euclidean || kDistance == CellDistance::squared;
  /// Part of one axis, and the parts of several together.
  static HWY_INLINE VF part(VF d) { return kSquares ? hn::Mul(d, d) : hn::Abs(d); }
  static HWY_INLINE VF join(VF a, VF b) { return kDistance == CellDistance::chebyshev ? hn::Max(a, b) : hn::Add(a, b); }
};

/// Where the point of a cell lies in it, 0..1 along each axis, as steps of the hash's bits. Points keep half a step off
/// the walls of their cell, so rounding never takes one out of it.
struct Scatter {
  explicit Scatter(float jitter)
      : fine(jitter * 0x1.0p-11F),
        coarse(jitter * 0x1.0p-10F),
        fine_start(0.5F - 0.5F * jitter + 0.5F * fine),
        coarse_start(0.5F - 0.5F * jitter + 0.5F * coarse),
        gap((1.0F - jitter) * 0.499F) {}
  HWY_INLINE VF x(VU h) const { return along(hn::And(h, hn::Set(U(), 0x7FFU)), fine, fine_start); }
  HWY_INLINE VF y(VU h) const { return along(hn::And(hn::ShiftRight<11>(h), hn::Set(U(), 0x7FFU)), fine, fine_start); }
  HWY_INLINE VF z(VU h) const { return along(hn::ShiftRight<22>(h), coarse, coarse_start); }
  static HWY_INLINE VF along(VU steps, float step, float start) {
    return hn::Add(hn::Mul(hn::ConvertTo(F(), hn::BitCast(I(), steps)), hn::Set(F(), step)), hn::Set(F(), start));
  }
  /// The hash these and `height` take their bits from.
  static HWY_INLINE VU bits(VU mixed) { return hn::Xor(mixed, hn::ShiftRight<16>(mixed)); }
  /// The cell's own height in [-1, 1].
  static HWY_INLINE VF height(VU h) {
    return height_of(hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(U(), kHash1)));
  }
  float fine, coarse, fine_start, coarse_start;
  float gap;  ///< no point is nearer to a wall of its cell
};

/// The nearest points so far. Of equally near ones the first shown stays.
template <Need kNeed, bool kSlopes>
struct Nearest {
  static constexpr bool kSecond = kNeed == Need::second;
  HWY_INLINE Nearest() {
    first = hn::Set(F(), 1e30F);
    second = first;
    bound = first;
    height = hn::Zero(F());
    if (kSlopes)
      for (int a = 0; a < 3; ++a) to_first[a] = to_second[a] = hn::Zero(F());
  }
  /// `h` gives the height of the cell, made only where needed.
  template <class Height>
  HWY_INLINE void show(VF distance, const VF (&d)[3], const Height& h) {
    const auto nearer = hn::Lt(distance, first);
    if (kNeed == Need::cell) height = hn::IfThenElse(nearer, h(), height);
    if (kNeed == Need::second) {
      if (kSlopes) {
        const auto next = hn::Lt(distance, second);
        for (int a = 0; a < 3; ++a)
          to_second[a] = hn::IfThenElse(nearer, to_first[a], hn::IfThenElse(next, d[a], to_second[a]));
      }
      second = hn::Min(second, hn::Max(first, distance));
    }
    if (kSlopes)
      for (int a = 0; a < 3; ++a) to_first[a] = hn::IfThenElse(nearer, d[a], to_first[a]);
    first = hn::Min(first, distance);
  }
  /// No point farther than this changes anything.
  HWY_INLINE VF reach() const { return hn::Min(bound, kNeed == Need::second ? second : first); }
  VF bound;  ///< what is sought is not farther than this; for leaving out cells before anything is found
  VF first;
  VF second;
  VF height;
  VF to_first[3];
  VF to_second[3];
};

/// Least distance along one axis from a sample at `fraction` of cell 0 to the point of cell `offset`.
HWY_INLINE VF gap_to(int offset, VF fraction, float gap) {
  const F f;
  if (offset > 0) return hn::Sub(hn::Set(f, static_cast<float>(offset) + gap), fraction);
  if (offset < 0) return hn::Add(hn::Set(f, static_cast<float>(-offset - 1) + gap), fraction);
  return hn::Zero(f);
}

/// Lines of the 3 x 3 x 3 cells around a sample in the order of their cells, which decides between equally near points.
inline constexpr int kLines[9][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

/// Shows the cells at rows j and layers k away from the sample's own, columns from -ring to ring in steps of `step`.
template <class M, class N>
HWY_INLINE void show_line(const Place& p, const SpaceHash& hash, const Scatter& scatter, int j, int k, int ring,
                          int step, N& nearest) {
  const VF line_gap =
      M::join(M::part(gap_to(j, p.fraction[1], scatter.gap)), M::part(gap_to(k, p.fraction[2], scatter.gap)));
  if (hn::AllTrue(F(), hn::Gt(line_gap, nearest.reach()))) return;
  const VU line =
      hn::Xor(hash.row(hn::Add(p.cell[1], hn::Set(I(), j))), hash.layer(hn::Add(p.cell[2], hn::Set(I(), k))));
  const VF from_y = hn::Sub(hn::Set(F(), static_cast<float>(j)), p.fraction[1]);
  const VF from_z = hn::Sub(hn::Set(F(), static_cast<float>(k)), p.fraction[2]);
  for (int i = -ring; i <= ring; i += step) {
    const VF gap = M::join(M::part(gap_to(i, p.fraction[0], scatter.gap)), line_gap);
    if (hn::AllTrue(F(), hn::Gt(gap, nearest.reach()))) continue;
    const VU h = Scatter::bits(mix(hash.column(hn::Add(p.cell[0], hn::Set(I(), i))), line));
    const VF from_x = hn::Sub(hn::Set(F(), static_cast<float>(i)), p.fraction[0]);
    const VF d[3] = {hn::Add(from_x, scatter.x(h)), hn::Add(from_y, scatter.y(h)), hn::Add(from_z, scatter.z(h))};
    const VF distance = M::join(M::part(d[0]), M::join(M::part(d[1]), M::part(d[2])));
    nearest.show(distance, d, [&] { return Scatter::height(h); });
  }
}

/// Distance to the point of the sample's own cell, or to that of the nearer neighbour along x if it is farther: the
/// second nearest is no farther than that.
template <class M>
HWY_INLINE VF distance_at_hand(const Place& p, const SpaceHash& hash, const Scatter& scatter, bool second) {
  const F f;
  const VU line = hn::Xor(hash.row(p.cell[1]), hash.layer(p.cell[2]));
  const auto distance_to = [&](VF step) {
    const VU h = Scatter::bits(mix(hash.column(hn::Add(p.cell[0], hn::ConvertTo(I(), step))), line));
    return M::join(
        M::part(hn::Add(hn::Sub(step, p.fraction[0]), scatter.x(h))),
        M::join(M::part(hn::Sub(scatter.y(h), p.fraction[1])), M::part(hn::Sub(scatter.z(h), p.fraction[2]))));
  };
  const VF own = distance_to(hn::Zero(f));
  if (!second) return own;
  return hn::Max(own, distance_to(hn::CopySign(hn::Set(f, 1.0F), hn::Sub(p.fraction[0], hn::Set(f, 0.5F)))));
}

/// Shows ever wider rings of cells, from `ring` on, until none farther out can hold a nearer point.
template <class M, class N>
HWY_INLINE void show_rings(const Place& p, const SpaceHash& hash, const Scatter& scatter, int ring, N& nearest) {
  const F f;
  const VF half = hn::Set(f, 0.5F);
  VF inside = half;  // to the nearest wall of the sample's cell
  for (int a = 0; a < 3; ++a) inside = hn::Min(inside, hn::Sub(half, hn::Abs(hn::Sub(p.fraction[a], half))));
  for (; ring < 5; ++ring) {
    const VF all_within = M::part(hn::Add(hn::Set(f, static_cast<float>(ring - 1) + scatter.gap), inside));
    if (ring > 1 && hn::AllTrue(f, hn::Le(nearest.reach(), all_within))) return;
    if (ring == 1) {
      // With a little room for rounding, which differs from that of the search.
      nearest.bound = hn::Mul(distance_at_hand<M>(p, hash, scatter, N::kSecond), hn::Set(f, 1.00001F));
      for (const auto& line : kLines) show_line<M>(p, hash, scatter, line[0], line[1], 1, 1, nearest);
      continue;
    }
    for (int k = -ring; k <= ring; ++k)
      for (int j = -ring; j <= ring; ++j) {
        const bool rim = j == -ring || j == ring || k == -ring || k == ring;
        show_line<M>(p, hash, scatter, j, k, ring, rim ? 1 : 2 * ring, nearest);
      }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
