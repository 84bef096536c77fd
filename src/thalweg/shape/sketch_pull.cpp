#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "thalweg/shape/ramp.h"
#include "thalweg/shape/sketch.h"
#include "thalweg/shape/sketch_outline.h"

// Distance and height of the nearest point alone would leave creases and cliffs wherever two points are equally near:
// between peaks, between lines, on the inner side of a bend. So heights are means of what is in sight of a sample, and
// the pull of several neighbours adds up smoothly. On the sketch itself, and beside a straight line of rising height,
// both come to the same as the nearest point.
namespace thalweg::shape {
namespace {

using detail::clamp01;
using detail::Frame;
using detail::Outline;
using detail::Segment;
using detail::Span;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// What a line's free end weighs more than the line itself. With it the pull of the end reaches as far as that of the
// middle, and a line that falls toward its end is not followed by land that rises again beyond, as the mean of the
// line's heights does.
constexpr double kEndShare = 1.5;

// What one row of samples is pulled to and how strongly.
class PullRow {
 public:
  PullRow(const Sketch& sketch, const Outline& outline, const Frame& frame, double on_it_m, double core_m,
          double reach_m, int begin, int end)
      : points_(sketch.kind == SketchKind::points),
        outline_(outline),
        frame_(frame),
        on_it_m_(on_it_m),
        core_m_(core_m),
        reach_m_(reach_m),
        kernel_(reach_m_),
        segments_(detail::segments_near_rows(outline, frame, begin, end, reach_m_)),
        inside_(outline, frame, begin, end) {
    for (auto* row : {&distance2_, &height_, &weight_, &sight_, &free_, &target_, &strength_})
      row->resize(static_cast<std::size_t>(frame.width()));
  }

  void set_row(int y) {
    std::fill(distance2_.begin(), distance2_.end(), kInfinity);
    for (auto* row : {&weight_, &sight_}) std::fill(row->begin(), row->end(), 0.0);
    std::fill(free_.begin(), free_.end(), 1.0);
    for (const std::size_t i : segments_) {
      const Segment& s = outline_.segments[i];
      const Span span = frame_.near(s, y, reach_m_);
      if (span.empty()) continue;
      detail::take_nearer(s, frame_, y, span, distance2_.data(), height_.data());
      if (points_) {
        add_point(y, span, s.ax_m, s.ay_m, s.a_height_m, 1.0);
        continue;
      }
      kernel_.add(s, frame_, y, span, weight_.data(), sight_.data());
      if (s.starts_line) add_point(y, span, s.ax_m, s.ay_m, s.a_height_m, kEndShare);
      if (s.ends_line) add_point(y, span, s.bx_m, s.by_m, s.b_height_m, kEndShare);
    }
    inside_.set_row(y);
    for (int x = 0; x < frame_.width(); ++x) settle(x);
    inside_.heights(distance2_.data(), height_.data(), target_.data());
  }

  /// 1 on the sketch and its core, 0 beyond its falloff.
  double strength(int x) const { return strength_[static_cast<std::size_t>(x)]; }
  double target(int x) const { return target_[static_cast<std::size_t>(x)]; }

 private:
  double fade(double distance_m) const {
    if (reach_m_ <= core_m_) return distance_m <= core_m_ ? 1.0 : 0.0;
    return 1.0 - detail::smoothstep(clamp01((distance_m - core_m_) / (reach_m_ - core_m_)));
  }

  // A height at one place, by 1 / r^2 times the taper that the weight of a straight line has at distance r.
  void add_point(int y, Span span, double x_m, double y_m, double height_m, double share) {
    const double* px = frame_.x_m();
    const double dy = frame_.y_m(y) - y_m;
    for (int x = span.begin; x < span.end; ++x) {
      const auto i = static_cast<std::size_t>(x);
      const double r2 = (px[x] - x_m) * (px[x] - x_m) + dy * dy;
      const double left = 1.0 - r2 / (reach_m_ * reach_m_);
      if (left <= 0) continue;
      const double weight = share * (left * left * std::sqrt(left)) / r2;
      weight_[i] += weight;
      sight_[i] += weight * height_m;
      if (points_) free_[i] *= 1.0 - fade(std::sqrt(r2));
    }
  }

  // Distance at which an endless straight line would weigh as much: the sample's own distance beside straight lines,
  // less between lines and inside bends, where it is smooth and the distance to the nearest point is not. The weight of
  // such a line at distance q R is 2 (1 - q^2)^(5/2) / (q R)^2; solved for s = sqrt(1 - q^2) by Newton's method from
  // above, where 2 s^5 + w s^2 - w is convex.
  double distance_by_weight(double weight) const {
    const double w = weight * reach_m_ * reach_m_;
    if (!(w > 0)) return reach_m_;
    const double eighth = std::sqrt(std::sqrt(std::sqrt(0.5 * w)));
    double s = std::min(1.0, eighth * std::sqrt(eighth));  // (w / 2)^(3/16), not below the root
    for (int n = 0; n < 6; ++n) {
      const double s2 = s * s;
      s -= (2.0 * s2 * s2 * s + w * (s2 - 1.0)) / (10.0 * s2 * s2 + 2.0 * w * s);
    }
    return reach_m_ * std::sqrt(2.0 * s * s * s * s * s / w);
  }

  // The lesser of both, the corner between them rounded; never more than `d`, and `d` at the end of the reach.
  double smooth_distance(double d, double weight) const {
    const double other = distance_by_weight(weight);
    const double width = 0.2 * d * (1.0 - d / reach_m_);
    const double apart = std::fabs(d - other);
    const double lesser = std::min(d, other);
    if (!(apart < width)) return lesser;
    const double h = (width - apart) / width;
    return lesser - 0.25 * width * h * h;
  }

  void settle(int x) {
    const auto i = static_cast<std::size_t>(x);
    target_[i] = height_[i];
    strength_[i] = inside_.at(x) ? 1.0 : 0.0;
    const double d = std::sqrt(distance2_[i]);
    if (d > reach_m_) return;
    const double mean = sight_[i] / weight_[i];
    if (d > on_it_m_ && mean == mean) target_[i] = std::clamp(mean, outline_.low_m, outline_.high_m);
    if (strength_[i] > 0) return;
    strength_[i] = points_ ? 1.0 - free_[i] : fade(smooth_distance(d, weight_[i]));
  }

  bool points_;
  const Outline& outline_;
  const Frame& frame_;
  double on_it_m_, core_m_, reach_m_;
  detail::SightKernel kernel_;
  std::vector<std::size_t> segments_;
  detail::Inside inside_;
  std::vector<double> distance2_, height_;  // of the nearest point
  std::vector<double> weight_, sight_;      // weights of all in sight, and weighted heights
  std::vector<double> free_;                // what points leave of the land
  std::vector<double> target_, strength_;
};

float pulled(SketchBlend blend, float land, double target, double strength) {
  if (land != land || strength <= 0) return land;
  if (blend == SketchBlend::add) return static_cast<float>(land + strength * target);
  if (blend == SketchBlend::raise && target <= land) return land;
  if (blend == SketchBlend::lower && target >= land) return land;
  if (strength >= 1) return static_cast<float>(target);
  const double change = strength * (target - land);
  return std::fabs(change) < kInfinity ? static_cast<float>(land + change) : land;
}

}  // namespace

void pull_to_sketch(const SketchParams& params, const Sketch& sketch, const GridSpec& spec, GridView<const float> in,
                    GridView<float> out, const Exec& exec) {
  assert(check_sketch(sketch) && sketch.has_heights);
  assert(in.width() == spec.width && in.height() == spec.height);
  assert(out.width() == spec.width && out.height() == spec.height);
  if (spec.width == 0) return;
  const Outline outline = detail::make_outline(sketch);
  const Frame frame(spec);
  const double on_it_m = detail::on_it_m(sketch.kind, spec);
  const double core_m = std::max(params.core_m, on_it_m);
  const double reach_m = std::max(params.core_m + params.falloff_m, on_it_m);
  parallel_for(exec, 0, spec.height, detail::kRowsPerBlock, [&](std::int64_t b, std::int64_t e) {
    const int begin = static_cast<int>(b), end = static_cast<int>(e);
    PullRow row(sketch, outline, frame, on_it_m, core_m, reach_m, begin, end);
    for (int y = begin; y < end && !exec.cancelled(); ++y) {
      row.set_row(y);
      for (int x = 0; x < spec.width; ++x)
        out(x, y) = pulled(params.blend, in(x, y), row.target(x), params.weight * row.strength(x));
    }
  });
}

}  // namespace thalweg::shape
