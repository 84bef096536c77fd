#include "thalweg/shape/sketch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "thalweg/shape/ramp.h"
#include "thalweg/shape/sketch_outline.h"

namespace thalweg::shape {
namespace {

using detail::Frame;
using detail::Outline;
using detail::Segment;
using detail::Span;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t fewest_vertices(SketchKind kind) {
  return kind == SketchKind::points ? 1 : (kind == SketchKind::lines ? 2 : 3);
}

bool usable(double v) {
  return v >= -1e9 && v <= 1e9;
}

// The nearest point of the sketch for each sample of a row.
struct NearestRow {
  std::vector<double> distance2, height_m;
  explicit NearestRow(int width)
      : distance2(static_cast<std::size_t>(width)), height_m(static_cast<std::size_t>(width)) {}
};

// body(y, nearest, inside) for every row: `nearest` holds all that lies within reach_m.
template <class Body>
void for_rows(const Outline& outline, const Frame& frame, double reach_m, bool heights, const Exec& exec,
              const Body& body) {
  if (frame.width() == 0) return;
  parallel_for(exec, 0, frame.height(), detail::kRowsPerBlock, [&](std::int64_t b, std::int64_t e) {
    const int begin = static_cast<int>(b), end = static_cast<int>(e);
    const std::vector<std::size_t> segments = detail::segments_near_rows(outline, frame, begin, end, reach_m);
    detail::Inside inside(outline, frame, begin, end);
    NearestRow nearest(frame.width());
    for (int y = begin; y < end && !exec.cancelled(); ++y) {
      std::fill(nearest.distance2.begin(), nearest.distance2.end(), kInfinity);
      for (const std::size_t i : segments) {
        const Segment& s = outline.segments[i];
        const Span span = frame.near(s, y, reach_m);
        detail::take_nearer(s, frame, y, span, nearest.distance2.data(), heights ? nearest.height_m.data() : nullptr);
      }
      inside.set_row(y);
      body(y, nearest, inside);
    }
  });
}

}  // namespace

Status check_sketch(const Sketch& sketch) {
  const std::string place = "sketch '" + sketch.name + "'";
  if (sketch.parts.empty()) return input_error("has no parts", place);
  const std::size_t fewest = fewest_vertices(sketch.kind);
  for (std::size_t i = 0; i < sketch.parts.size(); ++i) {
    const auto& part = sketch.parts[i];
    const std::string which = "part " + std::to_string(i + 1);
    if (part.size() < fewest || (sketch.kind == SketchKind::points && part.size() > 1))
      return input_error(
          which + " must have " +
              (sketch.kind == SketchKind::points ? "1 vertex" : "at least " + std::to_string(fewest) + " vertices") +
              ", has " + std::to_string(part.size()),
          place);
    for (const SketchPoint& v : part)
      if (!usable(v.x_m) || !usable(v.y_m) || (sketch.has_heights && !usable(v.height_m)))
        return input_error(which + ": coordinates and heights must be numbers from -1e9 to 1e9", place);
  }
  return {};
}

void sketch_distance(const Sketch& sketch, const GridSpec& spec, double limit_m, GridView<float> distance_m,
                     GridView<float> height_m, const Exec& exec) {
  assert(check_sketch(sketch) && limit_m >= 0);
  assert(distance_m.width() == spec.width && distance_m.height() == spec.height);
  const bool heights = !height_m.empty();
  assert(!heights || (height_m.width() == spec.width && height_m.height() == spec.height));
  const Outline outline = detail::make_outline(sketch);
  const Frame frame(spec);
  for_rows(outline, frame, limit_m, heights, exec, [&](int y, NearestRow& nearest, detail::Inside& inside) {
    std::vector<double>& at = nearest.height_m;
    if (heights) inside.heights(nearest.distance2.data(), at.data(), at.data());
    for (int x = 0; x < spec.width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      const double d = inside.at(x) ? 0.0 : std::sqrt(nearest.distance2[i]);
      distance_m(x, y) = static_cast<float>(d < limit_m ? d : limit_m);
      if (heights) height_m(x, y) = d <= limit_m ? static_cast<float>(at[i]) : kNoData<float>;
    }
  });
}

void sketch_mask(const Sketch& sketch, const GridSpec& spec, double falloff_m, GridView<float> mask, const Exec& exec) {
  assert(check_sketch(sketch) && falloff_m >= 0);
  assert(mask.width() == spec.width && mask.height() == spec.height);
  const Outline outline = detail::make_outline(sketch);
  const Frame frame(spec);
  const double on_it = falloff_m > 0 ? 0.0 : detail::on_it_m(sketch.kind, spec);
  for_rows(outline, frame, falloff_m > 0 ? falloff_m : on_it, false, exec,
           [&](int y, const NearestRow& nearest, const detail::Inside& inside) {
             for (int x = 0; x < spec.width; ++x) {
               const double d = inside.at(x) ? 0.0 : std::sqrt(nearest.distance2[static_cast<std::size_t>(x)]);
               const double t = d < falloff_m ? d / falloff_m : 1.0;
               mask(x, y) = d <= on_it ? 1.0F : static_cast<float>(1.0 - detail::smoothstep(t));
             }
           });
}

}  // namespace thalweg::shape
