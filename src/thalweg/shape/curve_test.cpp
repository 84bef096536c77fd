#include "thalweg/shape/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "thalweg/shape/test_fields.h"

namespace thalweg::shape {
namespace {

using test::kInf;
using test::random_field;
using test::row_of;
using test::same_bits;

float curve_at(const CurveParams& p, float v) {
  Grid<float> g(1, 1, v);
  curve(p, g, g, Exec());
  return g[0];
}

float terrace_at(const TerraceParams& p, std::uint64_t seed, float v) {
  Grid<float> g(1, 1, v);
  terrace(p, seed, g, g, Exec());
  return g[0];
}

float combined(Combine kind, float a, float b, double smooth = 50) {
  Grid<float> ga(1, 1, a), gb(1, 1, b), out(1, 1);
  combine({kind, smooth}, ga, gb, out, Exec());
  return out[0];
}

TEST(Clamp, HandWorked) {
  Grid<float> g = row_of({-5, 0, 50, 100, 101, kInf, -kInf, kNoData<float>});
  clamp({.low = 0, .high = 100}, g, g, Exec());
  EXPECT_TRUE(same_bits(g, row_of({0, 0, 50, 100, 100, 100, 0, kNoData<float>})));
}

TEST(Curve, LinearHandWorked) {
  Grid<float> g = row_of({-10, 0, 5, 10, 15, 20, 30, kInf, -kInf, kNoData<float>});
  Grid<float> out(g.width(), 1);
  curve({CurveKind::linear, {0, 10, 20}, {100, 200, 0}}, g, out, Exec());
  EXPECT_TRUE(same_bits(out, row_of({100, 100, 150, 200, 100, 0, 0, 0, 100, kNoData<float>})));
}

TEST(Curve, SmoothHandWorked) {
  // Points (0, 0), (1, 0), (2, 8), (3, 8): level at the two in the middle, so between them 8 * smoothstep.
  const CurveParams p{CurveKind::smooth, {0, 1, 2, 3}, {0, 0, 8, 8}};
  EXPECT_EQ(curve_at(p, 0.5F), 0);
  EXPECT_EQ(curve_at(p, 1.25F), 8 * 0.15625F);
  EXPECT_EQ(curve_at(p, 1.5F), 4);
  EXPECT_EQ(curve_at(p, 2.5F), 8);
  // Points on a line stay on it.
  const CurveParams line{CurveKind::smooth, {0, 1, 4, 8}, {3, 5, 11, 19}};
  for (float v = 0; v <= 8; v += 0.125F) EXPECT_FLOAT_EQ(curve_at(line, v), 3 + 2 * v);
}

// Random lists of points; now and then inputs that nearly coincide, or lie far apart.
CurveParams random_curve(std::uint64_t seed, CurveKind kind) {
  const auto unit = [&](std::int64_t a, std::int64_t b) { return unit_double(hash64(seed, a, b)); };
  CurveParams p{kind, {}, {}};
  const int n = 2 + static_cast<int>(unit(0, 0) * 20);
  double x = -1e6 * unit(0, 1);
  for (int i = 1; i <= n; ++i) {
    p.inputs.push_back(x);
    p.outputs.push_back(unit(i, 1) < 0.2 && i > 1 ? p.outputs.back() : 2e6 * unit(i, 2) - 1e6);
    const double kind_of_step = unit(i, 3);
    const double step = kind_of_step < 0.2 ? 0.0 : (kind_of_step < 0.4 ? 1e-3 : 4e4) * unit(i, 4);
    x = std::max(std::nextafter(x, 1e9), x + step);
  }
  return p;
}

TEST(Curve, PassesItsPointsRisesAndFallsBetweenThemAndNeverOvershoots) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const CurveParams p = random_curve(seed, seed % 3 == 0 ? CurveKind::linear : CurveKind::smooth);
    ASSERT_TRUE(check_curve(p));
    for (std::size_t i = 0; i + 1 < p.inputs.size(); ++i) {
      const auto a = static_cast<float>(p.inputs[i]), b = static_cast<float>(p.inputs[i + 1]);
      if (static_cast<double>(a) == p.inputs[i]) {
        ASSERT_EQ(curve_at(p, a), static_cast<float>(p.outputs[i]));
      }
      const auto low = static_cast<float>(std::min(p.outputs[i], p.outputs[i + 1]));
      const auto high = static_cast<float>(std::max(p.outputs[i], p.outputs[i + 1]));
      const float sign = p.outputs[i + 1] > p.outputs[i] ? 1.0F : -1.0F;
      float before = p.outputs[i + 1] > p.outputs[i] ? low : high;
      for (int k = 0; k <= 40; ++k) {
        const float v = a + (b - a) * static_cast<float>(k) / 40.0F;
        if (!(v >= p.inputs[i] && v < p.inputs[i + 1])) continue;
        const float y = curve_at(p, v);
        ASSERT_GE(y, low);
        ASSERT_LE(y, high);
        ASSERT_GE(sign * y, sign * before - std::fabs(before) * 2.4e-7F) << "within rounding of float";
        before = y;
      }
    }
    ASSERT_EQ(curve_at(p, -2e6F), static_cast<float>(p.outputs.front()));
    ASSERT_EQ(curve_at(p, 1e30F), static_cast<float>(p.outputs.back()));
  }
}

TEST(Curve, IsSmoothAcrossPoints) {
  const CurveParams p{CurveKind::smooth, {0, 100, 150, 400, 1000}, {0, 20, 90, 500, 700}};
  for (std::size_t i = 1; i + 1 < p.inputs.size(); ++i) {
    const auto x = static_cast<float>(p.inputs[i]);
    const float before = curve_at(p, x) - curve_at(p, x - 0.5F), after = curve_at(p, x + 0.5F) - curve_at(p, x);
    EXPECT_NEAR(before, after, 0.02 * (before + after));
  }
}

TEST(Curve, IsLevelWhereItTurns) {
  const CurveParams p{CurveKind::smooth, {0, 1, 2}, {0, 10, 7}};
  EXPECT_NEAR(curve_at(p, 0.99F), 10, 0.005);
  EXPECT_NEAR(curve_at(p, 1.01F), 10, 0.005);
}

TEST(Curve, CloseInputsStayFinite) {
  const CurveParams p{CurveKind::smooth, {0, 5e-324, 1e-320, 1}, {-1e6, 1e6, -1e6, 1e6}};
  ASSERT_TRUE(check_curve(p));
  for (const float v : {-1.0F, 0.0F, 1e-45F, 1e-38F, 0.5F, 1.0F}) EXPECT_TRUE(std::isfinite(curve_at(p, v))) << v;
}

TEST(Curve, CheckRejectsBadLists) {
  const double nan = std::nan("");
  EXPECT_TRUE(check_curve({CurveKind::smooth, {0, 1}, {1, 0}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, 1, 2}, {1, 0}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0}, {1}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {}, {}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, 0}, {1, 2}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, 2, 1}, {1, 2, 3}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, nan}, {1, 2}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, 1}, {1, nan}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, kInf}, {1, 2}}));
  EXPECT_FALSE(check_curve({CurveKind::smooth, {0, 1}, {1, 1e7}}));
}

TEST(Terrace, SharpnessZeroKeepsTheBits) {
  for (const auto& [w, h] : test::edge_sizes())
    for (const Grid<float>& g : test::odd_fields(w, h)) {
      Grid<float> out(w, h);
      terrace({.sharpness = 0}, 1, g, out, Exec());
      EXPECT_TRUE(same_bits(g, out));
    }
}

TEST(Terrace, FullSharpnessMakesLevelTreads) {
  const TerraceParams p{.step_m = 100, .offset_m = 10, .sharpness = 1, .jitter = 0};
  for (float v = -300; v < 300; v += 1) {
    const float out = terrace_at(p, 1, v);
    EXPECT_EQ(std::fmod(out - 10, 100.0F), 0) << v;
    EXPECT_LE(std::fabs(out - v), 65) << v;
  }
  EXPECT_EQ(terrace_at(p, 1, 74), 10);
  EXPECT_EQ(terrace_at(p, 1, 76), 110);
}

TEST(Terrace, TreadsKeepTheirHeightAndStepsDifferByTheJitter) {
  const TerraceParams p{.step_m = 100, .offset_m = -20, .sharpness = 1, .jitter = 0.6};
  EXPECT_EQ(terrace_at(p, 5, -20), -20);
  std::vector<float> levels;
  for (float v = -20; v < 5000; v += 0.5F) {
    const float out = terrace_at(p, 5, v);
    if (levels.empty() || levels.back() != out) levels.push_back(out);
  }
  ASSERT_GE(levels.size(), 49U);
  for (std::size_t k = 1; k < levels.size(); ++k) EXPECT_NEAR(levels[k], -20 + 100 * static_cast<double>(k), 30.001);
  float least = 1e9F, most = 0;
  for (std::size_t k = 1; k < levels.size(); ++k) {
    least = std::min(least, levels[k] - levels[k - 1]);
    most = std::max(most, levels[k] - levels[k - 1]);
  }
  EXPECT_GE(least, 40);
  EXPECT_LT(least, 75);
  EXPECT_GT(most, 125);
  EXPECT_NE(terrace_at(p, 5, 940), terrace_at(p, 6, 940));
}

TEST(Terrace, AgreesWithItsFormula) {
  TerraceParams p{.step_m = 100, .offset_m = 37, .sharpness = 1, .jitter = 0.9};
  std::vector<float> levels;
  for (float v = -5000; v < 5000; v += 0.25F) {
    const float out = terrace_at(p, 5, v);
    if (levels.empty() || levels.back() != out) levels.push_back(out);
  }
  p.sharpness = 0.7;
  for (std::size_t k = 1; k + 2 < levels.size(); ++k)
    for (int i = 0; i < 20; ++i) {
      const double low = levels[k], gap = levels[k + 1] - low, s = (i + 0.5) / 20;
      const double t = s < 0.65 ? s / 0.65 : (1 - s) / 0.35;
      const double gain = 0.3 * t / (1 - 0.7 * t);
      const double expected = low + gap * (s < 0.65 ? 0.65 * gain : 1 - 0.35 * gain);
      ASSERT_NEAR(terrace_at(p, 5, static_cast<float>(low + gap * s)), expected, 0.01) << low << ' ' << s;
    }
}

TEST(Terrace, NeverReversesTheOrderOfHeights) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const auto unit = [&](std::int64_t k) { return unit_double(hash64(seed, k)); };
    TerraceParams p;
    p.step_m = seed % 4 == 0 ? 0.01 : 0.01 + 1e3 * unit(1) * unit(1);
    p.offset_m = seed % 5 == 0 ? 0 : 2e5 * unit(2) - 1e5;
    p.sharpness = seed % 6 == 0 ? 1 : (seed % 7 == 0 ? 1 - 1e-8 * unit(3) : unit(3));
    p.jitter = seed % 3 == 0 ? 0.9 : 0.9 * unit(4);
    // Far apart, near each other, neighbouring floats, and beyond what the steps resolve.
    std::vector<float> values = {-kInf, -1e30F, -1e9F, 0, 1e9F, 1e30F, kInf};
    for (int i = 0; i < 400; ++i) values.push_back(static_cast<float>(2e4 * unit(10 + i) - 1e4));
    for (int i = 0; i < 400; ++i) values.push_back(static_cast<float>(p.offset_m + p.step_m * (4 * unit(500 + i) - 2)));
    for (int i = 0; i < 400; ++i) values.push_back(static_cast<float>(p.step_m * 0x1p31 * unit(1000 + i)));
    for (float v = 100, i = 0; i < 300; ++i, v = std::nextafter(v, kInf)) values.push_back(v);
    std::sort(values.begin(), values.end());
    Grid<float> g(static_cast<int>(values.size()), 1);
    std::copy(values.begin(), values.end(), g.data());
    terrace(p, seed, g, g, Exec());
    for (int i = 0; i < g.width(); ++i) {
      const float v = values[static_cast<std::size_t>(i)];
      if (i > 0) {
        ASSERT_GE(g[i], g[i - 1]) << v;
      }
      if (std::isfinite(v)) {
        ASSERT_LE(std::fabs(g[i] - v), 2 * p.step_m + 1e-6 * std::fabs(v));
      }
    }
  }
}

TEST(Combine, HandWorked) {
  EXPECT_EQ(combined(Combine::set, 1, 2), 2);
  EXPECT_EQ(combined(Combine::add, 1, 2), 3);
  EXPECT_EQ(combined(Combine::subtract, 1, 2), -1);
  EXPECT_EQ(combined(Combine::multiply, 3, 2), 6);
  EXPECT_EQ(combined(Combine::max, 1, 2), 2);
  EXPECT_EQ(combined(Combine::max, 2, 1), 2);
  EXPECT_EQ(combined(Combine::min, 1, 2), 1);
  EXPECT_EQ(combined(Combine::min, 2, 1), 1);
  EXPECT_EQ(combined(Combine::smooth_max, 100, 100), 112.5F);
  EXPECT_EQ(combined(Combine::smooth_min, 100, 100), 87.5F);
  EXPECT_EQ(combined(Combine::smooth_max, 100, 125), 125 + 3.125F);
}

TEST(Combine, SmoothIsExactAwayFromTheCreaseAndSymmetric) {
  const Grid<float> a = random_field(4000, 1, 3, -500, 500), b = random_field(4000, 1, 4, -500, 500);
  Grid<float> high(4000, 1), low(4000, 1), swapped(4000, 1);
  combine({Combine::smooth_max, 50}, a, b, high, Exec());
  combine({Combine::smooth_min, 50}, a, b, low, Exec());
  combine({Combine::smooth_max, 50}, b, a, swapped, Exec());
  EXPECT_TRUE(same_bits(high, swapped));
  for (int i = 0; i < 4000; ++i) {
    EXPECT_GE(high[i], std::max(a[i], b[i]));
    EXPECT_LE(high[i], std::max(a[i], b[i]) + 12.5F);
    EXPECT_LE(low[i], std::min(a[i], b[i]));
    if (std::fabs(a[i] - b[i]) < 50) continue;
    EXPECT_EQ(high[i], std::max(a[i], b[i]));
    EXPECT_EQ(low[i], std::min(a[i], b[i]));
  }
}

TEST(Combine, NoDataInEitherGivesNoData) {
  for (const Combine kind : {Combine::add, Combine::subtract, Combine::multiply, Combine::max, Combine::min,
                             Combine::smooth_max, Combine::smooth_min}) {
    EXPECT_TRUE(std::isnan(combined(kind, 1, kNoData<float>)));
    EXPECT_TRUE(std::isnan(combined(kind, kNoData<float>, 1)));
  }
  EXPECT_EQ(combined(Combine::set, kNoData<float>, 1), 1);
  EXPECT_TRUE(std::isnan(combined(Combine::set, 1, kNoData<float>)));
  EXPECT_EQ(combined(Combine::smooth_max, kInf, kInf), kInf);
  EXPECT_EQ(combined(Combine::smooth_min, kInf, 3), 3);
}

TEST(Blend, IsExactAtTheEndsOfTheMask) {
  const Grid<float> mask = row_of({0, 1, -3, 7, 0.5F, 0.25F, kNoData<float>, 0.5F, 0, 1, 0.5F});
  const Grid<float> a = row_of({0.1F, 0.1F, 0.1F, 0.1F, 10, 10, 10, kInf, 3, kNoData<float>, kNoData<float>});
  const Grid<float> b = row_of({0.7F, 0.7F, 0.7F, 0.7F, 20, 20, 20, kInf, kNoData<float>, 3, 1});
  Grid<float> out(mask.width(), 1);
  blend(mask, a, b, out, Exec());
  EXPECT_TRUE(same_bits(out, row_of({0.1F, 0.7F, 0.1F, 0.7F, 15, 12.5F, 10, kInf, 3, 3, kNoData<float>})));
}

TEST(Blend, LiesBetween) {
  const Grid<float> mask = random_field(4000, 1, 5, -0.2, 1.2), a = random_field(4000, 1, 6, -1e4, 1e4),
                    b = random_field(4000, 1, 7, -1e4, 1e4);
  Grid<float> out(4000, 1);
  blend(mask, a, b, out, Exec());
  for (int i = 0; i < 4000; ++i) {
    EXPECT_GE(out[i], std::min(a[i], b[i]));
    EXPECT_LE(out[i], std::max(a[i], b[i]));
  }
}

// Every operator of the header, in turn.
void apply(int which, GridView<const float> a, GridView<const float> b, GridView<float> out, const Exec& exec) {
  if (which < 8) return combine({static_cast<Combine>(which), 40}, a, b, out, exec);
  if (which == 8) return blend(b, a, b, out, exec);
  if (which == 9) return clamp({}, a, out, exec);
  if (which == 10) return terrace({}, 9, a, out, exec);
  if (which == 11) return curve({CurveKind::smooth, {-100, 3, 500}, {7, 0, 1000}}, a, out, exec);
  curve({CurveKind::linear, {-100, 3, 500}, {7, 0, 1000}}, a, out, exec);
}

TEST(CurveHeader, SameBitsForAnyThreadsAndInPlaceAndInStridedViews) {
  const Grid<float> a = random_field(301, 500, 1, -200, 1500, 0.05), b = random_field(301, 500, 2, -1, 300, 0.05);
  for (int which = 0; which <= 12; ++which) {
    Grid<float> expected(301, 500);
    apply(which, a, b, expected, Exec());
    for (const Exec& exec : test::all_execs()) {
      Grid<float> out(301, 500);
      apply(which, a, b, out, exec);
      EXPECT_TRUE(same_bits(expected, out)) << which;
    }
    Grid<float> in_place = a.clone();
    apply(which, in_place, b, in_place, Exec(2));
    EXPECT_TRUE(same_bits(expected, in_place)) << which;
    Grid<float> part(301, 500, 5);
    apply(which, a.view().window(7, 9, 100, 50), b.view().window(7, 9, 100, 50), part.view().window(7, 9, 100, 50),
          Exec());
    EXPECT_TRUE(same_bits(expected.view().window(7, 9, 100, 50), part.view().window(7, 9, 100, 50))) << which;
    EXPECT_EQ(part(6, 9), 5);
  }
}

TEST(CurveHeader, OddFieldsOfAllSizes) {
  for (const auto& [w, h] : test::edge_sizes())
    for (const Grid<float>& a : test::odd_fields(w, h))
      for (const Grid<float>& b : test::odd_fields(w, h))
        for (int which = 0; which <= 12; ++which) {
          Grid<float> out(w, h);
          apply(which, a, b, out, Exec());
          for (std::int64_t i = 0; i < a.cells() && which >= 9; ++i)
            EXPECT_EQ(std::isnan(a[i]), std::isnan(out[i])) << which;
        }
}

}  // namespace
}  // namespace thalweg::shape
