// Gradients, table lookups and lattice places of noise in space, compiled once per SIMD level.
#if defined(THALWEG_NOISE_SPACE_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_SPACE_SIMD_INL_H_
#undef THALWEG_NOISE_SPACE_SIMD_INL_H_
#else
#define THALWEG_NOISE_SPACE_SIMD_INL_H_
#endif

#include <hwy/highway.h>

#include "thalweg/noise/noise_simd-inl.h"
#include "thalweg/noise/row_kernels-inl.h"
#include "thalweg/noise/space_rows.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

struct Vector3 {
  VF x;
  VF y;
  VF z;
};
HWY_INLINE VF dot(const Vector3& a, VF x, VF y, VF z) {
  return hn::Add(hn::Add(hn::Mul(a.x, x), hn::Mul(a.y, y)), hn::Mul(a.z, z));
}

/// A direction in space, any alike, from the mixed hash of a lattice point: the low half gives the height z on the unit
/// sphere (equal heights have equal area), the high half the direction around it, as in the plane. Length 1 within
/// 1.5e-4.
HWY_INLINE Vector3 gradient3_of(VU h) {
  const F f;
  const I i;
  const U u;
  h = hn::Xor(h, hn::ShiftRight<16>(h));
  const VF low = hn::ConvertTo(f, hn::BitCast(i, hn::And(h, hn::Set(u, 0xFFFFU))));
  const VF z = hn::Add(hn::Mul(low, hn::Set(f, 0x1.0p-15F)), hn::Set(f, 0x1.0p-16F - 1.0F));
  const VF radius = hn::Sqrt(hn::Sub(hn::Set(f, 1.0F), hn::Mul(z, z)));
  const Gradient g = gradient_of(h);
  return {hn::Mul(g.x, radius), hn::Mul(g.y, radius), z};
}

/// Reads tables of lattice columns at the columns of a vector of samples. While cells are at least two samples wide,
/// one vector of columns from the first sample's on serves all lanes.
struct ColumnLookup {
  using Lanes = decltype(hn::IndicesFromVec(F(), hn::Zero(I())));
  HWY_INLINE explicit ColumnLookup(const std::int32_t* local)
      : base(local[0] + kLead),
        lanes(hn::IndicesFromVec(F(), hn::Sub(hn::LoadU(I(), local), hn::Set(I(), local[0])))) {}
  HWY_INLINE VF operator()(const float* table, int offset) const {
    return hn::TableLookupLanes(hn::LoadU(F(), table + (base + offset)), lanes);
  }
  int base;
  Lanes lanes;
};

/// Lattice cells (their low halves) and fractions of a vector of samples.
struct Place {
  VI cell[3];
  VF fraction[3];
};

/// Where the row being computed lies on an octave's lattice. Of a straight lattice axis 0 is the columns' own and its
/// `at` is not used; of a turned one every axis has a part of the columns and one of the row.
struct RowPlace {
  LatticePoint at[3];
};

template <bool kTurned>
HWY_INLINE Place place_of(const SpaceTable& t, const RowPlace& row, const Bender& bend, const Bend3& bends, int x) {
  const F f;
  const I i;
  VF p[3];
  Place place;
  for (std::size_t a = 0; a < 3; ++a) {
    const AxisColumns& columns = t.axis[a];
    if (kTurned) {
      p[a] = hn::Add(hn::LoadU(f, columns.fraction.data() + x), hn::Set(f, row.at[a].fraction));
      place.cell[a] = hn::Add(hn::LoadU(i, columns.local.data() + x), low_cell(columns.first + row.at[a].cell));
    } else if (a == 0) {
      p[a] = hn::LoadU(f, columns.fraction.data() + x);
      place.cell[a] = hn::Add(hn::LoadU(i, columns.local.data() + x), low_cell(columns.first));
    } else {
      p[a] = hn::Set(f, row.at[a].fraction);
      place.cell[a] = low_cell(row.at[a].cell);
    }
  }
  for (std::size_t a = 0; a < 3; ++a) {
    CellAndFraction moved;
    if (bends[0] == nullptr) {
      moved = split(p[a]);
    } else if (kTurned) {
      VF b = hn::Mul(hn::LoadU(f, bends[0] + x), hn::Set(f, static_cast<float>(kTurn[a][0])));
      b = hn::Add(b, hn::Mul(hn::LoadU(f, bends[1] + x), hn::Set(f, static_cast<float>(kTurn[a][1]))));
      b = hn::Add(b, hn::Mul(hn::LoadU(f, bends[2] + x), hn::Set(f, static_cast<float>(kTurn[a][2]))));
      moved = bend(p[a], b);
    } else {
      moved = bend(p[a], hn::LoadU(f, bends[a] + x));
    }
    place.fraction[a] = moved.fraction;
    place.cell[a] = hn::Add(place.cell[a], moved.cell);
  }
  return place;
}

/// Hashes of the three axes around the row's place.
struct SpaceHash {
  AxisHash column;
  AxisHash row;
  AxisHash layer;
};

inline AxisSeeds cached_seeds(const Octave& octave, int axis, std::int64_t cell, AxisSeedCache& cache) {
  if (!cache.valid || cache.quarter != (cell >> 30)) {
    cache.seeds = axis_seeds(octave.seed, axis, cell);
    cache.quarter = cell >> 30;
    cache.valid = true;
  }
  return cache.seeds;
}

template <bool kTurned>
inline SpaceHash space_hash(const Octave& octave, const RowPlace& row, SpaceTable& t) {
  const std::int64_t x = kTurned ? t.axis[0].first + row.at[0].cell : t.axis[0].first;
  const std::int64_t y = kTurned ? t.axis[1].first + row.at[1].cell : row.at[1].cell;
  const std::int64_t z = kTurned ? t.axis[2].first + row.at[2].cell : row.at[2].cell;
  return {AxisHash(cached_seeds(octave, 0, x, t.seeds[0]), kColumnMultiplier),
          AxisHash(cached_seeds(octave, 1, y, t.seeds[1]), kRowMultiplier),
          AxisHash(cached_seeds(octave, 2, z, t.seeds[2]), kLayerMultiplier)};
}

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
