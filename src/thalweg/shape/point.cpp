#include "thalweg/shape/point.h"

#include <cassert>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/shape/ramp.h"

namespace thalweg::shape {
namespace {

using detail::clamp01;
using detail::smoothstep;

// e^k for e in [0, 1]. Multiples of 1/2, which nearly all recipes use, need only multiplications and a square root;
// the general power costs some twenty times as much.
class UnitPower {
 public:
  explicit UnitPower(double exponent) : exponent_(exponent) {
    const double doubled = exponent * 2.0;
    if (doubled == std::floor(doubled) && doubled <= 64.0) halves_ = static_cast<int>(doubled);
  }
  double operator()(double e) const {
    if (halves_ < 0) return exact::pow(e, exponent_);
    double power = (halves_ & 1) != 0 ? std::sqrt(e) : 1.0;
    double square = e;
    for (int n = halves_ >> 1; n != 0; n >>= 1, square *= square)
      if ((n & 1) != 0) power *= square;
    return power;
  }

 private:
  double exponent_;
  int halves_ = -1;
};

// Position along one side in [-1, 1], exactly -1 and 1 at the ends; a side of one sample is all edge.
double across(int i, int size) {
  return size > 1 ? 2.0 * i / (size - 1) - 1.0 : 1.0;
}

double edge_distance(IslandShape shape, double nx, double ny) {
  if (shape == IslandShape::square_bump) return 1.0 - (1.0 - nx * nx) * (1.0 - ny * ny);
  const double d = std::sqrt(nx * nx + ny * ny);
  return d < 1.0 ? d : 1.0;
}

// At full mix the land does not count at all, even where it is infinite. NoData stays.
double mixed(double land, double bump, double mix) {
  if (mix >= 1.0 && land == land) return bump;
  return (1.0 - mix) * land + mix * bump;
}

// Lowers e by up to its whole height (at least 1) as `outer` goes from 0 to 1, down to a floor of 0. Subtracting keeps
// the land's own relief in the coastline; mixing toward a smooth bump would make every island a disc.
double sink(double e, double outer) {
  if (outer <= 0.0 || e != e) return e;
  if (outer >= 1.0) return 0.0;
  const double s = smoothstep(outer);
  const double sunk = e > 1.0 ? e * (1.0 - s) : e - s;
  return sunk > 0.0 ? sunk : 0.0;
}

}  // namespace

void redistribute(const RedistributeParams& params, GridView<const float> height, GridView<float> out,
                  const Exec& exec) {
  assert(params.high_m > params.low_m);
  assert(height.width() == out.width() && height.height() == out.height());
  const double range = params.high_m - params.low_m;
  const UnitPower power(params.exponent);
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* in = height.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) {
        const double e = clamp01((static_cast<double>(in[x]) - params.low_m) / range);
        to[x] = static_cast<float>(params.low_m + range * power(e));
      }
    }
  });
}

void island(const IslandParams& params, const GridSpec& spec, GridView<const float> height, GridView<float> out,
            const Exec& exec) {
  assert(params.high_m > params.low_m && params.margin > 0);
  assert(height.width() == out.width() && height.height() == out.height());
  assert(out.width() == spec.width && out.height() == spec.height);
  const double range = params.high_m - params.low_m;
  parallel_rows(exec, spec.width, spec.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* in = height.row(y);
      float* to = out.row(y);
      const double ny = across(y, spec.height);
      for (int x = 0; x < spec.width; ++x) {
        const double d = edge_distance(params.shape, across(x, spec.width), ny);
        const double outer = clamp01((d - (1.0 - params.margin)) / params.margin);
        const double land = (static_cast<double>(in[x]) - params.low_m) / range;
        to[x] = static_cast<float>(params.low_m + range * sink(mixed(land, 1.0 - d, params.mix), outer));
      }
    }
  });
}

}  // namespace thalweg::shape
