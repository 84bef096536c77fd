// Inside of the shape module: the small functions that its operators share.
#pragma once

#include <cassert>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"

namespace thalweg::shape::detail {

/// NaN stays NaN.
inline double clamp01(double v) {
  return v < 0.0 ? 0.0 : (v > 1.0 ? 1.0 : v);
}

/// From 0 at t = 0 to 1 at t = 1, level at both; t must lie between.
inline double smoothstep(double t) {
  return t * t * (3.0 - 2.0 * t);
}

/// out = f(in) for every sample; `in` may be `out`.
template <class F>
void map_samples(const Exec& exec, GridView<const float> in, GridView<float> out, const F& f) {
  assert(in.width() == out.width() && in.height() == out.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* from = in.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) to[x] = f(from[x]);
    }
  });
}

/// out = f(a, b) for every sample; both may be `out`.
template <class F>
void map_samples(const Exec& exec, GridView<const float> a, GridView<const float> b, GridView<float> out, const F& f) {
  assert(a.width() == out.width() && a.height() == out.height());
  assert(b.width() == out.width() && b.height() == out.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* from_a = a.row(y);
      const float* from_b = b.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) to[x] = f(from_a[x], from_b[x]);
    }
  });
}

}  // namespace thalweg::shape::detail
