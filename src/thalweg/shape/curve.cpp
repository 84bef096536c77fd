#include "thalweg/shape/curve.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/core/random.h"
#include "thalweg/shape/ramp.h"

namespace thalweg::shape {
namespace {

// The curve between two neighbouring points: a cubic in t, 0 at the left point and 1 at the right one.
struct Piece {
  double start, width;
  double y0, c1, c2, c3;
  double low, high;  // rounding must not overshoot either

  double operator()(double v) const {
    const double t = (v - start) / width;
    const double y = y0 + t * (c1 + t * (c2 + t * c3));
    return y < low ? low : (y > high ? high : y);
  }
};

// Secants of inputs that nearly coincide must stay finite.
double secant(double rise, double width) {
  constexpr double kSteepest = 1e290;
  return std::clamp(rise / width, -kSteepest, kSteepest);
}

// The mean of the secants to both sides, limited to three times the lesser: with both end tangents in that square
// Fritsch and Carlson prove the cubic monotone. 0 where the curve turns.
double tangent(double before, double after) {
  if (!((before > 0 && after > 0) || (before < 0 && after < 0))) return 0.0;
  const double limit = 3.0 * std::min(std::fabs(before), std::fabs(after));
  return std::clamp(0.5 * before + 0.5 * after, -limit, limit);
}

// A tangent times the piece's width, once more inside the square after rounding.
double scaled_tangent(double m, double width, double rise) {
  const double limit = 3.0 * std::fabs(rise);
  return std::clamp(m * width, -limit, limit);
}

Piece make_piece(double x0, double x1, double y0, double y1, double m0, double m1) {
  const double width = x1 - x0;
  const double rise = y1 - y0;
  const double a = scaled_tangent(m0, width, rise);
  const double b = scaled_tangent(m1, width, rise);
  return {x0, width, y0, a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise, std::min(y0, y1), std::max(y0, y1)};
}

std::vector<Piece> make_pieces(const CurveParams& params) {
  const Numbers& x = params.inputs;
  const Numbers& y = params.outputs;
  const std::size_t n = x.size();
  std::vector<double> secants(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) secants[i] = secant(y[i + 1] - y[i], x[i + 1] - x[i]);
  std::vector<double> tangents(n);
  tangents.front() = secants.front();
  tangents.back() = secants.back();
  for (std::size_t i = 1; i + 1 < n; ++i) tangents[i] = tangent(secants[i - 1], secants[i]);
  std::vector<Piece> pieces;
  pieces.reserve(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const bool smooth = params.kind == CurveKind::smooth;
    pieces.push_back(make_piece(x[i], x[i + 1], y[i], y[i + 1], smooth ? tangents[i] : secants[i],
                                smooth ? tangents[i + 1] : secants[i]));
    // The straight piece exactly, where the cubic's terms would leave rounding errors.
    if (!smooth) pieces.back().c1 = y[i + 1] - y[i], pieces.back().c2 = pieces.back().c3 = 0.0;
  }
  return pieces;
}

// Levels of the treads: tread k lies at offset + (k + up to half the jitter either way) * step, tread 0 at the offset.
class Treads {
 public:
  Treads(const TerraceParams& p, std::uint64_t seed) : p_(p), seed_(derive_seed(seed, 0x7E44ACE5)) {}
  double level(std::int64_t k) const {
    const double moved = k == 0 ? 0.0 : p_.jitter * (unit_double(hash64(seed_, k)) - 0.5);
    return p_.offset_m + (static_cast<double>(k) + moved) * p_.step_m;
  }
  // The tread at or below v, |(v - offset) / step| < 2^62.
  std::int64_t below(double v) const {
    std::int64_t k = exact::floor_to_int((v - p_.offset_m) / p_.step_m);
    if (level(k) > v) return k - 1;
    return level(k + 1) <= v ? k + 1 : k;
  }

 private:
  const TerraceParams& p_;
  std::uint64_t seed_;
};

// Where between two treads the riser stands. Above the middle the foot of a cliff runs out long and its brink is
// short, as scree and caprock make it.
constexpr double kRiser = 0.65;

// Share of the way up between two treads as a function of the land's share s: slope `flat` at both treads, 1 / flat at
// kRiser. Two hyperbolas (the gain function of Schlick 1994), level with each other and with the next step's at the
// joints. Each operation is monotone under rounding and the pieces are clamped at their joint, so the whole is.
double rise(double s, double flat) {
  const double twist = 1.0 - flat;
  if (s < kRiser) {
    const double t = s / kRiser;
    return std::min(kRiser, kRiser * (flat * t / (1.0 - twist * t)));
  }
  const double t = (1.0 - s) / (1.0 - kRiser);
  return std::max(kRiser, 1.0 - (1.0 - kRiser) * (flat * t / (1.0 - twist * t)));
}

class Terracer {
 public:
  Terracer(const TerraceParams& p, std::uint64_t seed) : p_(p), treads_(p, seed), flat_(1.0 - p.sharpness) {}

  float operator()(float height) {
    const double v = height;
    if (!(v >= low_ && v < high_)) {
      // Steps this small beside the height are below the resolution of float; this includes infinity and NoData.
      if (!(std::fabs((v - p_.offset_m) / p_.step_m) < 0x1p30)) return height;
      const std::int64_t k = treads_.below(v);
      low_ = treads_.level(k);
      high_ = treads_.level(k + 1);
    }
    const double gap = high_ - low_;
    const double s = (v - low_) / gap;
    if (flat_ < 1e-9) return static_cast<float>(s < kRiser ? low_ : high_);
    return static_cast<float>(std::min(high_, low_ + gap * rise(s, flat_)));
  }

 private:
  TerraceParams p_;
  Treads treads_;
  double flat_;
  double low_ = 1, high_ = 0;  // the step of the last sample: its neighbour mostly lies on the same one
};

// What the rounded crease adds to the greater of both, takes from the lesser; 0 from `width` on, and where both are
// infinite.
double crease(double a, double b, double width) {
  const double apart = std::fabs(a - b);
  if (!(apart < width)) return 0.0;
  const double h = (width - apart) / width;
  return h * h * width * 0.25;
}

}  // namespace

void clamp(const ClampParams& params, GridView<const float> in, GridView<float> out, const Exec& exec) {
  assert(params.high >= params.low);
  const auto low = static_cast<float>(params.low);
  const auto high = static_cast<float>(params.high);
  detail::map_samples(exec, in, out, [=](float v) { return v < low ? low : (v > high ? high : v); });
}

Status check_curve(const CurveParams& params) {
  THALWEG_TRY(validate(params));
  if (params.inputs.size() != params.outputs.size())
    return input_error("inputs has " + std::to_string(params.inputs.size()) + " numbers and outputs " +
                       std::to_string(params.outputs.size()) + ": must be as many");
  if (params.inputs.size() < 2) return input_error("inputs must be at least 2 numbers");
  for (std::size_t i = 1; i < params.inputs.size(); ++i)
    if (!(params.inputs[i] > params.inputs[i - 1]))
      return input_error("inputs must rise: " + format_number(params.inputs[i]) + " follows " +
                         format_number(params.inputs[i - 1]));
  return {};
}

void curve(const CurveParams& params, GridView<const float> in, GridView<float> out, const Exec& exec) {
  assert(check_curve(params));
  assert(in.width() == out.width() && in.height() == out.height());
  const std::vector<Piece> pieces = make_pieces(params);
  const Numbers& inputs = params.inputs;
  const double first = inputs.front(), last = inputs.back();
  const auto bottom = static_cast<float>(params.outputs.front());
  const auto top = static_cast<float>(params.outputs.back());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    std::size_t at = 0;  // the piece of the last sample
    for (int y = begin; y < end; ++y) {
      const float* from = in.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) {
        const double v = from[x];
        if (v >= last) {
          to[x] = top;
        } else if (v < first) {
          to[x] = bottom;
        } else if (v != v) {
          to[x] = from[x];
        } else {
          if (!(v >= inputs[at] && v < inputs[at + 1]))
            at = static_cast<std::size_t>(std::upper_bound(inputs.begin(), inputs.end(), v) - inputs.begin() - 1);
          to[x] = static_cast<float>(pieces[at](v));
        }
      }
    }
  });
}

void terrace(const TerraceParams& params, std::uint64_t seed, GridView<const float> in, GridView<float> out,
             const Exec& exec) {
  assert(params.step_m > 0 && params.jitter >= 0 && params.jitter < 1);
  if (params.sharpness <= 0) return detail::map_samples(exec, in, out, [](float v) { return v; });
  assert(in.width() == out.width() && in.height() == out.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    Terracer terracer(params, seed);
    for (int y = begin; y < end; ++y) {
      const float* from = in.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) to[x] = terracer(from[x]);
    }
  });
}

void combine(const CombineParams& params, GridView<const float> a, GridView<const float> b, GridView<float> out,
             const Exec& exec) {
  const auto run = [&](const auto& f) {
    detail::map_samples(exec, a, b, out,
                        [&f](float p, float q) { return p != p || q != q ? kNoData<float> : f(p, q); });
  };
  const double width = params.smooth;
  switch (params.combine) {
    case Combine::set:
      return detail::map_samples(exec, b, out, [](float q) { return q; });
    case Combine::add:
      return run([](float p, float q) { return p + q; });
    case Combine::subtract:
      return run([](float p, float q) { return p - q; });
    case Combine::multiply:
      return run([](float p, float q) { return p * q; });
    case Combine::max:
      return run([](float p, float q) { return p > q ? p : q; });
    case Combine::min:
      return run([](float p, float q) { return p < q ? p : q; });
    case Combine::smooth_max:
      return run([width](double p, double q) { return static_cast<float>((p > q ? p : q) + crease(p, q, width)); });
    case Combine::smooth_min:
      return run([width](double p, double q) { return static_cast<float>((p < q ? p : q) - crease(p, q, width)); });
  }
}

void blend(GridView<const float> mask, GridView<const float> a, GridView<const float> b, GridView<float> out,
           const Exec& exec) {
  assert(mask.width() == out.width() && mask.height() == out.height());
  assert(a.width() == out.width() && a.height() == out.height());
  assert(b.width() == out.width() && b.height() == out.height());
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* m = mask.row(y);
      const float* from_a = a.row(y);
      const float* from_b = b.row(y);
      float* to = out.row(y);
      for (int x = 0; x < out.width(); ++x) {
        const double p = from_a[x], q = from_b[x];
        const auto mixed = static_cast<float>(p + m[x] * (q - p));
        const float inside = p == q ? from_a[x] : mixed;  // equal infinities have no difference
        to[x] = !(m[x] > 0.0F) ? from_a[x] : (m[x] >= 1.0F ? from_b[x] : inside);
      }
    }
  });
}

}  // namespace thalweg::shape
