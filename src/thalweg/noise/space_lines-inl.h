// Straight rows of noise in space: what depends on y and z alone is folded into a few numbers per lattice column, first
// along z for each lattice line of the layer, then along y for the row. A sample then costs as much as in the plane.
#if defined(THALWEG_NOISE_SPACE_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_SPACE_LINES_INL_H_
#undef THALWEG_NOISE_SPACE_LINES_INL_H_
#else
#define THALWEG_NOISE_SPACE_LINES_INL_H_
#endif

#include "thalweg/noise/space_sources-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

/// The lattice line at row j and layer k; `make(hash of the line, slot)` fills its parts if they are not there yet.
template <class Make>
HWY_INLINE std::size_t seek_line(const Octave& octave, std::int64_t j, std::int64_t k, SpaceTable& t,
                                 const Make& make) {
  const auto slot = static_cast<std::size_t>((k & 3) * 4 + (j & 3));
  LatticeLines& lines = t.lines;
  if (!lines.valid[slot] || lines.row[slot] != j || lines.layer[slot] != k) {
    make(axis_hash_of(octave.seed, 1, j) ^ axis_hash_of(octave.seed, 2, k), slot);
    lines.valid[slot] = true;
    lines.row[slot] = j;
    lines.layer[slot] = k;
  }
  return slot;
}

/// The first of the folded rows of lattice row j in the layer of samples z; `make(first row)` fills them if needed.
template <class Make>
HWY_INLINE int seek_fold(std::int64_t z, std::int64_t j, SpaceTable& t, const Make& make) {
  if (t.folded.sample_layer != z) {
    t.folded.valid = {};
    t.folded.sample_layer = z;
  }
  const auto slot = static_cast<std::size_t>(j & 3);
  const int first = static_cast<int>(slot) * kFoldParts;
  if (!t.folded.valid[slot] || t.folded.row[slot] != j) {
    make(first);
    t.folded.valid[slot] = true;
    t.folded.row[slot] = j;
  }
  return first;
}

/// Calls body(column) for every vector of lattice columns.
template <class Body>
HWY_INLINE void for_columns(const SpaceTable& t, const Body& body) {
  for (int c = 0; c < t.columns; c += lanes_of()) body(c);
}

/// Writes noise and, where asked, its derivatives.
template <bool kSlopes>
HWY_INLINE void put3(const SpaceRowTask& task, int x, VF n, const VF (&d)[3]) {
  const F f;
  hn::StoreU(task.add ? hn::Add(hn::LoadU(f, task.n + x), n) : n, f, task.n + x);
  if constexpr (kSlopes)
    for (std::size_t a = 0; a < 3; ++a) hn::StoreU(d[a], f, task.d[a] + x);
}

inline float space_scale(const SpaceRowTask& task, double source_scale) {
  return static_cast<float>(octave_scale(task.field->fractal, *task.octave) * source_scale);
}

/// The row's places along y and z on a straight lattice.
inline RowPlace straight_place(const SpaceRowTask& task) {
  RowPlace p{};
  p.at[1] = lattice_point(task.y, task.cell_m[1], task.octave->frequency, task.octave->shift_y);
  p.at[2] = lattice_point(task.z, task.cell_m[2], task.octave->frequency, task.octave->shift_z);
  return p;
}
inline RowPlace turned_place(const SpaceRowTask& task) {
  const Octave& o = *task.octave;
  const double y = static_cast<double>(task.y) * task.cell_m[1] * o.frequency;
  const double z = static_cast<double>(task.z) * task.cell_m[2] * o.frequency;
  const double shift[3] = {o.shift_x, o.shift_y, o.shift_z};
  RowPlace p{};
  for (int a = 0; a < 3; ++a) p.at[a] = lattice_point(0, 1, 1, y * kTurn[a][1] + z * kTurn[a][2] + shift[a]);
  return p;
}

/// Derivatives along the axes of the world's from those along a turned lattice's.
HWY_INLINE void turn_back(VF (&d)[3]) {
  const F f;
  VF world[3];
  for (int b = 0; b < 3; ++b) {
    world[b] = hn::Mul(d[0], hn::Set(f, static_cast<float>(kTurn[0][b])));
    world[b] = hn::Add(world[b], hn::Mul(d[1], hn::Set(f, static_cast<float>(kTurn[1][b]))));
    world[b] = hn::Add(world[b], hn::Mul(d[2], hn::Set(f, static_cast<float>(kTurn[2][b]))));
  }
  for (int b = 0; b < 3; ++b) d[b] = world[b];
}

/// A row in which every sample finds its own lattice points.
template <class Source3, bool kSlopes>
void scattered_row(const SpaceRowTask& task) {
  const F f;
  SpaceTable& t = *task.table;
  const RowPlace row = straight_place(task);
  const SpaceHash hash = space_hash<false>(*task.octave, row, t);
  const Bender bend(task.octave->bend);
  const VF scale = hn::Set(f, space_scale(task, Source3::kScale));
  for (int x = 0; x < task.width; x += lanes_of()) {
    const Place p = place_of<false>(t, row, bend, task.bend, x);
    Sample s = Source3::template at<kSlopes>(*task.field, p, hash);
    if constexpr (kSlopes) {
      for (VF& d : s.d) d = hn::Mul(d, scale);
    }
    put3<kSlopes>(task, x, hn::Mul(s.n, scale), s.d);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
