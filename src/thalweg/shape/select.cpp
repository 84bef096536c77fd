#include "thalweg/shape/select.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "thalweg/core/exact_math.h"
#include "thalweg/shape/ramp.h"
#include "thalweg/shape/slope.h"

namespace thalweg::shape {
namespace {

constexpr double kDegreesPerRadian = 180.0 / exact::kPi;

// The samples that decide a measure: z[1 + j][1 + i] lies i * dx_m east and j * dy_m south of the middle one.
struct Patch {
  double z[3][3];
  double dx_m, dy_m;
};

struct Gradient {
  double east = 0, south = 0;
};

// Least-squares plane through all nine.
Gradient full_gradient(const Patch& p) {
  const auto& z = p.z;
  const double east = (z[0][2] - z[0][0]) + (z[1][2] - z[1][0]) + (z[2][2] - z[2][0]);
  const double south = (z[2][0] - z[0][0]) + (z[2][1] - z[0][1]) + (z[2][2] - z[0][2]);
  return {east / (6.0 * p.dx_m), south / (6.0 * p.dy_m)};
}

// Least-squares plane through those that are present. Where they lie on one line the ground counts as level across it.
Gradient partial_gradient(const Patch& p) {
  double n = 0, sx = 0, sy = 0, sz = 0;
  const auto each = [&](auto&& visit) {
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        if (p.z[j][i] == p.z[j][i]) visit((i - 1) * p.dx_m, (j - 1) * p.dy_m, p.z[j][i] - p.z[1][1]);
  };
  each([&](double x, double y, double z) { n += 1, sx += x, sy += y, sz += z; });
  double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
  each([&](double x, double y, double z) {
    const double u = x - sx / n, v = y - sy / n, w = z - sz / n;
    xx += u * u, xy += u * v, yy += v * v, xz += u * w, yz += v * w;
  });
  const double det = xx * yy - xy * xy;
  if (det > 1e-9 * (xx * yy)) return {(xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det};
  const double along = xx + yy;  // one line: the gradient of least length that fits it
  return along > 0 ? Gradient{xz / along, yz / along} : Gradient{};
}

// Laplacian of the least-squares paraboloid through all nine (Evans 1972).
double laplacian(const Patch& p) {
  const auto& z = p.z;
  double across = 0, down = 0;
  for (int k = 0; k < 3; ++k) {
    across += (z[k][0] - z[k][1]) + (z[k][2] - z[k][1]);
    down += (z[0][k] - z[1][k]) + (z[2][k] - z[1][k]);
  }
  return across / (3.0 * p.dx_m * p.dx_m) + down / (3.0 * p.dy_m * p.dy_m);
}

bool is_full(const Patch& p) {
  bool full = true;
  for (const auto& row : p.z)
    for (const double z : row) full = full && z == z;
  return full;
}

// Missing samples from the plane through the others.
void fill_gaps(Patch& p) {
  const Gradient g = partial_gradient(p);
  double n = 0, sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (p.z[j][i] == p.z[j][i]) n += 1, sx += (i - 1) * p.dx_m, sy += (j - 1) * p.dy_m, sz += p.z[j][i];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (p.z[j][i] != p.z[j][i])
        p.z[j][i] = sz / n + g.east * ((i - 1) * p.dx_m - sx / n) + g.south * ((j - 1) * p.dy_m - sy / n);
}

// 1 in [low, high], 0 from `soft` outside of it on.
class Band {
 public:
  Band(double low, double high, double soft) : low_(low), high_(high), soft_(soft) {}
  double operator()(double v) const {
    if (!(v < low_ || v > high_)) return v == v ? 1.0 : 0.0;
    return outside(v < low_ ? low_ - v : v - high_);
  }
  double outside(double distance) const { return distance < soft_ ? 1.0 - detail::smoothstep(distance / soft_) : 0.0; }

 private:
  double low_, high_, soft_;
};

class SlopeMask {
 public:
  explicit SlopeMask(const SelectParams& p)
      : band_(p.low, p.high, p.soft),
        none_below_(tan2_of_degrees(p.low - p.soft)),
        all_from_(tan2_of_degrees(p.low)),
        all_to_(tan2_of_degrees(p.high)),
        none_above_(tan2_of_degrees(p.high + p.soft)) {}
  double operator()(const Gradient& g) const {
    const double t2 = g.east * g.east + g.south * g.south;
    if (t2 > all_from_ && t2 < all_to_) return 1.0;
    if (t2 < none_below_ || t2 > none_above_) return 0.0;
    return band_(exact::atan2(std::sqrt(t2), 1.0) * kDegreesPerRadian);
  }

 private:
  Band band_;
  double none_below_, all_from_, all_to_, none_above_;
};

class AspectMask {
 public:
  explicit AspectMask(const SelectParams& p) : ramp_(0, 0, p.soft), low_(p.low), width_(p.high - p.low) {
    if (width_ < 0) width_ += 360.0;
  }
  double operator()(const Gradient& g) const {
    const double t2 = g.east * g.east + g.south * g.south;
    if (!(t2 > 0 && t2 < std::numeric_limits<double>::infinity())) return 0.0;  // level, or beyond any direction
    const double facing = exact::atan2(-g.east, g.south) * kDegreesPerRadian;   // downhill, clockwise from north
    double past = facing - low_;                                                // how far clockwise of low, in [0, 360)
    while (past < 0) past += 360.0;
    while (past >= 360.0) past -= 360.0;
    if (past <= width_) return 1.0;
    const double after = past - width_, before = 360.0 - past;
    return ramp_.outside(after < before ? after : before);
  }

 private:
  Band ramp_;
  double low_, width_;
};

int steps(double scale_m, double cell_m) {
  const double cells = scale_m / cell_m;
  return cells < 1.5 ? 1 : (cells < 1e7 ? static_cast<int>(exact::round_to_int(cells)) : 10'000'000);
}

Patch patch_at(GridView<const float> in, int x, int y, int nx, int ny, const CellGeometry::Row& cell) {
  Patch p;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      const int at_x = x + (i - 1) * nx, at_y = y + (j - 1) * ny;
      p.z[j][i] = in.contains(at_x, at_y) ? in(at_x, at_y) : kNoData<float>;
    }
  p.dx_m = nx * cell.dx_m;
  p.dy_m = ny * cell.dy_m;
  return p;
}

// mask(patch, full) for every sample that is not NoData.
template <class Mask>
void for_patches(const SelectParams& params, const CellGeometry& geometry, GridView<const float> in,
                 GridView<float> out, const Exec& exec, const Mask& mask) {
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const CellGeometry::Row& cell = geometry.row(y);
      const int nx = steps(params.scale_m, cell.dx_m), ny = steps(params.scale_m, cell.dy_m);
      for (int x = 0; x < out.width(); ++x) {
        if (is_nodata(in(x, y))) {
          out(x, y) = 0;
          continue;
        }
        Patch p = patch_at(in, x, y, nx, ny, cell);
        out(x, y) = static_cast<float>(mask(p, is_full(p)));
      }
    }
  });
}

}  // namespace

Status check_select(const SelectParams& params) {
  THALWEG_TRY(validate(params));
  if (params.by != SelectBy::aspect) {
    if (params.low <= params.high) return {};
    return input_error("low must be at most high (" + format_number(params.high) + "), is " +
                       format_number(params.low));
  }
  for (const double v : {params.low, params.high})
    if (v < 0 || v > 360) return input_error("low and high must be from 0 to 360 degrees, is " + format_number(v));
  return {};
}

int select_halo_cells(const SelectParams& params, double cell_m) {
  return params.by == SelectBy::height ? 0 : steps(params.scale_m, cell_m);
}

void select(const SelectParams& params, const CellGeometry& geometry, GridView<const float> in, GridView<float> out,
            const Exec& exec) {
  assert(check_select(params));
  assert(in.width() == out.width() && in.height() == out.height() && geometry.height() >= in.height());
  const auto gradient = [](const Patch& p, bool full) { return full ? full_gradient(p) : partial_gradient(p); };
  switch (params.by) {
    case SelectBy::height: {
      const Band band(params.low, params.high, params.soft);
      return detail::map_samples(exec, in, out, [&](float v) { return static_cast<float>(band(v)); });
    }
    case SelectBy::slope: {
      const SlopeMask mask(params);
      return for_patches(params, geometry, in, out, exec, [&](Patch& p, bool full) { return mask(gradient(p, full)); });
    }
    case SelectBy::aspect: {
      const AspectMask mask(params);
      return for_patches(params, geometry, in, out, exec, [&](Patch& p, bool full) { return mask(gradient(p, full)); });
    }
    case SelectBy::curvature: {
      const Band band(params.low, params.high, params.soft);
      return for_patches(params, geometry, in, out, exec, [&](Patch& p, bool full) {
        if (!full) fill_gaps(p);
        return band(1000.0 * laplacian(p));
      });
    }
  }
}

}  // namespace thalweg::shape
