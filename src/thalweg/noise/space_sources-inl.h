// Noise sources in space at any places, each sample finding its own lattice points: for bent domains. Compiled once per
// SIMD level.
#if defined(THALWEG_NOISE_SPACE_SOURCES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THALWEG_NOISE_SPACE_SOURCES_INL_H_
#undef THALWEG_NOISE_SPACE_SOURCES_INL_H_
#else
#define THALWEG_NOISE_SPACE_SOURCES_INL_H_
#endif

#include "thalweg/noise/space_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace thalweg::noise::detail {
namespace HWY_NAMESPACE {

/// Noise, in [-1, 1] after multiplication by the source's scale, and where asked for its derivatives per lattice unit.
struct Sample {
  VF n;
  VF d[3];
};

/// The value of a trilinear blend of eight corners and its derivatives by the blend's own position.
template <bool kSlopes>
HWY_INLINE Sample blend(const VF (&e)[8], const VF (&u)[3]) {
  Sample s;
  const VF x00 = lerp(e[0], e[1], u[0]);
  const VF x10 = lerp(e[2], e[3], u[0]);
  const VF x01 = lerp(e[4], e[5], u[0]);
  const VF x11 = lerp(e[6], e[7], u[0]);
  const VF y0 = lerp(x00, x10, u[1]);
  const VF y1 = lerp(x01, x11, u[1]);
  s.n = lerp(y0, y1, u[2]);
  if (kSlopes) {
    const VF dx0 = lerp(hn::Sub(e[1], e[0]), hn::Sub(e[3], e[2]), u[1]);
    const VF dx1 = lerp(hn::Sub(e[5], e[4]), hn::Sub(e[7], e[6]), u[1]);
    s.d[0] = lerp(dx0, dx1, u[2]);
    s.d[1] = lerp(hn::Sub(x10, x00), hn::Sub(x11, x01), u[2]);
    s.d[2] = hn::Sub(y1, y0);
  }
  return s;
}

/// The mixed hash of the eight corners of a cell, x fastest.
struct CornerHash {
  HWY_INLINE CornerHash(const Place& p, const SpaceHash& hash) {
    const VI next = hn::Set(I(), 1);
    column[0] = hash.column(p.cell[0]);
    column[1] = hash.column(hn::Add(p.cell[0], next));
    const VU r[2] = {hash.row(p.cell[1]), hash.row(hn::Add(p.cell[1], next))};
    const VU l[2] = {hash.layer(p.cell[2]), hash.layer(hn::Add(p.cell[2], next))};
    for (int c = 0; c < 4; ++c) line[c] = hn::Xor(r[c & 1], l[c >> 1]);
  }
  HWY_INLINE VU operator[](int corner) const { return mix(column[corner & 1], line[corner >> 1]); }
  VU column[2];
  VU line[4];
};

struct Perlin3 {
  static constexpr double kScale = kPerlin3Scale;
  template <bool kSlopes>
  static HWY_INLINE Sample at(const Field&, const Place& p, const SpaceHash& hash) {
    const VF one = hn::Set(F(), 1.0F);
    const CornerHash corner(p, hash);
    const VF dx[2] = {p.fraction[0], hn::Sub(p.fraction[0], one)};
    const VF dy[2] = {p.fraction[1], hn::Sub(p.fraction[1], one)};
    const VF dz[2] = {p.fraction[2], hn::Sub(p.fraction[2], one)};
    const VF u[3] = {quintic(p.fraction[0]), quintic(p.fraction[1]), quintic(p.fraction[2])};
    VF e[8];
    VF gx[8];
    VF gy[8];
    VF gz[8];
    for (int c = 0; c < 8; ++c) {
      const Vector3 g = gradient3_of(corner[c]);
      e[c] = dot(g, dx[c & 1], dy[(c >> 1) & 1], dz[c >> 2]);
      if (kSlopes) {
        gx[c] = g.x;
        gy[c] = g.y;
        gz[c] = g.z;
      }
    }
    Sample s = blend<kSlopes>(e, u);
    if (kSlopes) {
      s.d[0] = hn::Add(hn::Mul(s.d[0], quintic_slope(p.fraction[0])), blend<false>(gx, u).n);
      s.d[1] = hn::Add(hn::Mul(s.d[1], quintic_slope(p.fraction[1])), blend<false>(gy, u).n);
      s.d[2] = hn::Add(hn::Mul(s.d[2], quintic_slope(p.fraction[2])), blend<false>(gz, u).n);
    }
    return s;
  }
};

struct Value3 {
  static constexpr double kScale = 1;
  template <bool kSlopes>
  static HWY_INLINE Sample at(const Field&, const Place& p, const SpaceHash& hash) {
    const CornerHash corner(p, hash);
    const VF u[3] = {quintic(p.fraction[0]), quintic(p.fraction[1]), quintic(p.fraction[2])};
    VF e[8];
    for (int c = 0; c < 8; ++c) e[c] = height_of(corner[c]);
    Sample s = blend<kSlopes>(e, u);
    if (kSlopes)
      for (int a = 0; a < 3; ++a) s.d[a] = hn::Mul(s.d[a], quintic_slope(p.fraction[a]));
    return s;
  }
};

/// Catmull and Rom's spline through the middle two of four values, as a polynomial of t in [0, 1].
struct Spline {
  HWY_INLINE Spline(VF v0, VF v1, VF v2, VF v3) {
    const F f;
    const VF half = hn::Set(f, 0.5F);
    const VF middle = hn::Sub(v1, v2);
    c0 = v1;
    c1 = hn::Mul(half, hn::Sub(v2, v0));
    c3 = hn::Add(hn::Mul(half, hn::Sub(v3, v0)), hn::Mul(hn::Set(f, 1.5F), middle));
    c2 = hn::Sub(hn::Sub(hn::Sub(v2, v1), c1), c3);
  }
  HWY_INLINE VF at(VF t) const { return hn::Add(c0, hn::Mul(t, hn::Add(c1, hn::Mul(t, hn::Add(c2, hn::Mul(t, c3)))))); }
  HWY_INLINE VF slope(VF t) const {
    const F f;
    return hn::Add(c1, hn::Mul(t, hn::Add(hn::Mul(hn::Set(f, 2.0F), c2), hn::Mul(t, hn::Mul(hn::Set(f, 3.0F), c3)))));
  }
  VF c0, c1, c2, c3;
};

struct Cubic3 {
  static constexpr double kScale = kCubic3Scale;
  template <bool kSlopes>
  static HWY_INLINE Sample at(const Field&, const Place& p, const SpaceHash& hash) {
    VU columns[4];
    VU rows[4];
    for (int c = 0; c < 4; ++c) {
      columns[c] = hash.column(hn::Add(p.cell[0], hn::Set(I(), c - 1)));
      rows[c] = hash.row(hn::Add(p.cell[1], hn::Set(I(), c - 1)));
    }
    VF value[4];
    VF east[4];
    VF south[4];
    for (int k = 0; k < 4; ++k) {
      const VU layer = hash.layer(hn::Add(p.cell[2], hn::Set(I(), k - 1)));
      VF line[4];
      VF line_east[4];
      for (int j = 0; j < 4; ++j) {
        const VU l = hn::Xor(rows[j], layer);
        const Spline along(height_of(mix(columns[0], l)), height_of(mix(columns[1], l)), height_of(mix(columns[2], l)),
                           height_of(mix(columns[3], l)));
        line[j] = along.at(p.fraction[0]);
        if (kSlopes) line_east[j] = along.slope(p.fraction[0]);
      }
      const Spline across(line[0], line[1], line[2], line[3]);
      value[k] = across.at(p.fraction[1]);
      if (kSlopes) {
        south[k] = across.slope(p.fraction[1]);
        east[k] = Spline(line_east[0], line_east[1], line_east[2], line_east[3]).at(p.fraction[1]);
      }
    }
    const Spline up(value[0], value[1], value[2], value[3]);
    Sample s;
    s.n = up.at(p.fraction[2]);
    if (kSlopes) {
      s.d[0] = Spline(east[0], east[1], east[2], east[3]).at(p.fraction[2]);
      s.d[1] = Spline(south[0], south[1], south[2], south[3]).at(p.fraction[2]);
      s.d[2] = up.slope(p.fraction[2]);
    }
    return s;
  }
};

struct White3 {
  static constexpr double kScale = 1;
  template <bool kSlopes>
  static HWY_INLINE Sample at(const Field&, const Place& p, const SpaceHash& hash) {
    Sample s;
    s.n = height_of(mix(hash.column(p.cell[0]), hn::Xor(hash.row(p.cell[1]), hash.layer(p.cell[2]))));
    if (kSlopes)
      for (VF& d : s.d) d = hn::Zero(F());
    return s;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace thalweg::noise::detail
HWY_AFTER_NAMESPACE();
#endif
