// Sketches for tests, and the functions of sketch.h as values.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "thalweg/core/random.h"
#include "thalweg/shape/sketch.h"

namespace thalweg::shape::test {

struct Result {
  Grid<float> distance, height;
};

inline Result measured(const Sketch& s, const GridSpec& spec, double limit_m, const Exec& exec = Exec()) {
  Result r{Grid<float>(spec.width, spec.height), Grid<float>(spec.width, spec.height)};
  sketch_distance(s, spec, limit_m, r.distance, r.height, exec);
  return r;
}
inline Grid<float> mask_of(const Sketch& s, const GridSpec& spec, double falloff_m, const Exec& exec = Exec()) {
  Grid<float> mask(spec.width, spec.height);
  sketch_mask(s, spec, falloff_m, mask, exec);
  return mask;
}
inline Grid<float> pulled(const SketchParams& p, const Sketch& s, const GridSpec& spec, GridView<const float> in,
                          const Exec& exec = Exec()) {
  Grid<float> out(spec.width, spec.height);
  pull_to_sketch(p, s, spec, in, out, exec);
  return out;
}

// y given southward, as the rows go.
inline Sketch sketch_of(SketchKind kind, std::vector<std::vector<SketchPoint>> parts) {
  for (auto& part : parts)
    for (SketchPoint& p : part) p.y_m = -p.y_m;
  return {"test", kind, std::move(parts), true};
}

inline Sketch random_sketch(std::uint64_t seed, SketchKind kind, double extent_m) {
  const auto unit = [&](std::int64_t a, std::int64_t b) { return unit_double(hash64(seed, a, b)); };
  Sketch s{"random", kind, {}, true};
  const int parts = 1 + static_cast<int>(3 * unit(0, 0));
  for (int i = 0; i < parts; ++i) {
    std::vector<SketchPoint> part;
    const int n = kind == SketchKind::points ? 1 : 3 + static_cast<int>(6 * unit(i, 1));
    for (int k = 0; k < n; ++k) {
      const auto at = std::int64_t{100} * i + k;
      part.push_back({(1.4 * unit(at, 2) - 0.2) * extent_m, -(1.4 * unit(at, 3) - 0.2) * extent_m, 1000 * unit(at, 4)});
      if (unit(at, 5) < 0.2 && n > 1) part.push_back(part.back());  // repeated vertices
      if (unit(at, 6) < 0.3)
        part.back().x_m = std::round(part.back().x_m), part.back().y_m = std::round(part.back().y_m);
    }
    s.parts.push_back(std::move(part));
  }
  return s;
}

inline void set_heights(Sketch& s, double height_m) {
  for (auto& part : s.parts)
    for (SketchPoint& v : part) v.height_m = height_m;
}

// Of random sketches of several heights and of one.
}  // namespace thalweg::shape::test
