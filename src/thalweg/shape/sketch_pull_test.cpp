#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "thalweg/shape/sketch.h"
#include "thalweg/shape/sketch_outline.h"
#include "thalweg/shape/test_fields.h"
#include "thalweg/shape/test_sketches.h"

namespace thalweg::shape {
namespace {

using test::mask_of;
using test::measured;
using test::pulled;
using test::random_field;
using test::random_sketch;
using test::Result;
using test::set_heights;
using test::sketch_of;
using test::spec_of;

TEST(PullToSketch, CoreIsExactAndFarLandKeepsItsBits) {
  const GridSpec spec = spec_of(80, 60, 10);
  const Grid<float> land = random_field(80, 60, 3, -500, 1500, 0.05), other = random_field(80, 60, 4, -500, 1500);
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(static_cast<int>(kind)));
      Sketch s = random_sketch(seed, kind, 600);
      if (seed % 2 == 0) set_heights(s, 777.7);
      const SketchParams p{SketchBlend::set, 90, 40, 1};
      const Grid<float> out = pulled(p, s, spec, land), from_other = pulled(p, s, spec, other);
      const Result r = measured(s, spec, 130);
      for (std::int64_t i = 0; i < out.cells(); ++i) {
        if (is_nodata(land[i])) {
          ASSERT_TRUE(is_nodata(out[i]));
        } else if (r.distance[i] < 39.999F) {
          ASSERT_EQ(out[i], from_other[i]);
          if (seed % 2 == 0 || (kind == SketchKind::polygons && r.distance[i] == 0)) {
            ASSERT_EQ(out[i], r.height[i]);
          }
        } else if (r.distance[i] >= 130) {
          ASSERT_EQ(out[i], land[i]);
        } else {
          ASSERT_GE(out[i], std::min(land[i], 0.0F));
          ASSERT_LE(out[i], std::max(land[i], 1000.0F));
        }
      }
    }
}

TEST(PullToSketch, VerticesAndLinesAreMet) {
  const GridSpec spec = spec_of(61, 41, 10);
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons}) {
    Sketch s = sketch_of(kind, {{{100, 100, 300}, {400, 100, 900}, {400, 300, 500}}});
    if (kind == SketchKind::points) s.parts = {{s.parts[0][0]}, {s.parts[0][1]}, {s.parts[0][2]}};
    const Grid<float> out = pulled({SketchBlend::set, 200, 0, 1}, s, spec, random_field(61, 41, 1, -100, 1000));
    EXPECT_EQ(out(10, 10), 300);
    EXPECT_EQ(out(40, 10), 900);
    EXPECT_EQ(out(40, 30), 500);
    if (kind == SketchKind::points) continue;
    EXPECT_EQ(out(25, 10), 600);
    EXPECT_EQ(out(40, 20), 700);
  }
}

TEST(PullToSketch, FallsLikeTheMaskBesideAStraightLineAndIsNowhereWeaker) {
  const GridSpec spec = spec_of(100, 80);
  const auto strength = [&](const Sketch& s) {
    return pulled({SketchBlend::add, 25, 0, 1}, s, spec, Grid<float>(100, 80, 0.0F));
  };
  const Sketch straight = sketch_of(SketchKind::lines, {{{-500, 40, 1}, {30, 40, 1}, {600, 40, 1}}});
  const Grid<float> mask = mask_of(straight, spec, 25), line = strength(straight);
  for (std::int64_t i = 0; i < mask.cells(); ++i) ASSERT_NEAR(line[i], mask[i], 0.06);
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(static_cast<int>(kind)));
      Sketch s = random_sketch(seed, kind, 80);
      set_heights(s, 1);
      const Grid<float> least = mask_of(s, spec, 25), got = strength(s);
      for (std::int64_t i = 0; i < least.cells(); ++i) {
        ASSERT_GE(got[i], least[i] - 1e-6F);
        ASSERT_LE(got[i], 1);
        if (least[i] == 0) {
          ASSERT_LE(got[i], 1e-6F);
        }
      }
    }
}

TEST(PullToSketch, Blends) {
  const GridSpec spec = spec_of(3, 1, 100);
  const Sketch s = sketch_of(SketchKind::points, {{{100, 0, 50}}});
  const auto at = [&](SketchBlend blend, float land, double weight) {
    return pulled({blend, 100, 0, weight}, s, spec, Grid<float>(3, 1, land))[1];
  };
  EXPECT_EQ(at(SketchBlend::set, 10, 1), 50);
  EXPECT_EQ(at(SketchBlend::set, 10, 0.5), 30);
  EXPECT_EQ(at(SketchBlend::set, 10, 0), 10);
  EXPECT_EQ(at(SketchBlend::raise, 10, 1), 50);
  EXPECT_EQ(at(SketchBlend::raise, 90, 1), 90);
  EXPECT_EQ(at(SketchBlend::lower, 90, 0.25), 80);
  EXPECT_EQ(at(SketchBlend::lower, 10, 1), 10);
  EXPECT_EQ(at(SketchBlend::add, 10, 1), 60);
  EXPECT_EQ(at(SketchBlend::add, 10, 0.5), 35);
  // 300 m from the point is midway between half a cell's diagonal, where the pull begins to fall, and its end.
  const double on_it_m = 0.5 * 300 * std::sqrt(2.0);
  const Sketch corner = sketch_of(SketchKind::points, {{{300, 0, 50}}});
  const Grid<float> out =
      pulled({SketchBlend::set, 600 - on_it_m, 0, 1}, corner, spec_of(3, 1, 300), Grid<float>(3, 1, 0.0F));
  EXPECT_NEAR(out[0], 25, 1e-4);
  EXPECT_EQ(out[1], 50);
}

// The heights along a line as seen from a sample, by adding up many short pieces, and its ends.
double seen_slowly(const Sketch& s, double x, double y, double reach) {
  double weight = 0, sum = 0;
  const auto& part = s.parts[0];
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    const SketchPoint &a = part[i], &b = part[i + 1];
    const int pieces = 4000;
    const double length = std::hypot(b.x_m - a.x_m, b.y_m - a.y_m) / pieces;
    for (int k = 0; k < pieces; ++k) {
      const double t = (k + 0.5) / pieces;
      const double r = std::hypot(x - a.x_m - t * (b.x_m - a.x_m), y - a.y_m - t * (b.y_m - a.y_m));
      if (r >= reach) continue;
      const double q = r / reach;
      const double w = length * (1 / (q * q * q) - 2.5 + 1.5 * q * q);
      weight += w;
      sum += w * (a.height_m + t * (b.height_m - a.height_m));
    }
  }
  for (const SketchPoint& end : {part.front(), part.back()}) {
    const double r = std::hypot(x - end.x_m, y - end.y_m);
    if (r >= reach) continue;
    const double w = 1.5 * reach * std::pow(1 - r * r / (reach * reach), 2.5) * (reach / r) * (reach / r);
    weight += w;
    sum += w * end.height_m;
  }
  return sum / weight;
}

TEST(PullToSketch, HeightsBesideALineAreTheKernelsMean) {
  const Sketch s = sketch_of(SketchKind::lines, {{{10, 10, 0}, {60, 20, 500}, {30, 55, 100}, {90, 70, 900}}});
  const GridSpec spec = spec_of(100, 80);
  const Grid<float> out = pulled({SketchBlend::add, 35, 0, 1}, s, spec, Grid<float>(100, 80, 0.0F));
  Sketch level = s;
  set_heights(level, 1);
  const Grid<float> mask = pulled({SketchBlend::add, 35, 0, 1}, level, spec, Grid<float>(100, 80, 0.0F));
  int compared = 0;
  for (int y = 3; y < 80; y += 7)
    for (int x = 2; x < 100; x += 7) {
      if (mask(x, y) < 0.05F || mask(x, y) > 0.995F) continue;
      ASSERT_NEAR(out(x, y) / mask(x, y), seen_slowly(s, x, -y, 35), 0.5) << x << ' ' << y;
      ++compared;
    }
  EXPECT_GT(compared, 60);
}

TEST(PullToSketch, LinesInOnePieceOrTwoPullAlike) {
  const GridSpec spec = spec_of(70, 60, 5);
  const Grid<float> land = random_field(70, 60, 2, 0, 100);
  const std::vector<SketchPoint> a = {{50, 60, 100}, {120, 200, 300}, {200, 150, 250}},
                                 b = {{200, 150, 250}, {300, 90, 700}};
  std::vector<SketchPoint> both = a;
  both.push_back(b[1]);
  const SketchParams p{SketchBlend::set, 80, 10, 1};
  const Grid<float> one = pulled(p, sketch_of(SketchKind::lines, {both}), spec, land);
  const Grid<float> two = pulled(p, sketch_of(SketchKind::lines, {a, b}), spec, land);
  for (std::int64_t i = 0; i < one.cells(); ++i) ASSERT_NEAR(one[i], two[i], 1e-3);
}

TEST(PullToSketch, NothingIsInSightBeyondTheReach) {
  const detail::Outline outline = detail::make_outline(sketch_of(SketchKind::lines, {{{20, 20, 100}, {40, 30, 300}}}));
  const detail::Frame frame(spec_of(60, 50));
  const detail::SightKernel kernel(7);
  for (int y = 0; y < 50; ++y) {
    std::vector<double> weight(60), sight(60), distance2(60, HUGE_VAL);
    kernel.add(outline.segments[0], frame, y, {0, 60}, weight.data(), sight.data());
    detail::take_nearer(outline.segments[0], frame, y, {0, 60}, distance2.data(), nullptr);
    for (std::size_t x = 0; x < 60; ++x) ASSERT_EQ(weight[x] != 0, distance2[x] < 49) << x << ' ' << y;
  }
}

// Steps between neighbours must shrink with the cell: a cliff would stay as high.
TEST(PullToSketch, LeavesNoCliffs) {
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(static_cast<int>(kind)));
      Sketch s = random_sketch(seed, kind, 300);
      if (kind == SketchKind::lines)  // lines that cross at different heights cannot be met without a cliff
        for (std::size_t i = 0; i < s.parts.size(); ++i)
          for (std::size_t k = 0; k < s.parts[i].size(); ++k)
            s.parts[i][k] = {20 + 60.0 * static_cast<double>(k),
                             -(40 + 110.0 * static_cast<double>(i) + 15.0 * static_cast<double>(k % 2)),
                             s.parts[i][k].height_m};
      if (kind == SketchKind::polygons)
        s.parts.resize(1), s.parts[0] = {{80, -90, 900}, {220, -60, 100}, {190, -230, 500}, {150, -120, 0}};
      const auto steepest = [&](int size, double cell) {
        const GridSpec spec = spec_of(size, size, cell);
        const Grid<float> out = pulled({SketchBlend::set, 120, 0, 1}, s, spec, Grid<float>(size, size, 0.0F));
        double most = 0;
        for (int y = 1; y < size; ++y)
          for (int x = 1; x < size; ++x) {
            // Beside a point that is not a sample the land is as steep as it likes.
            most = std::max(most, std::fabs(static_cast<double>(out(x, y)) - out(x - 1, y)));
            most = std::max(most, std::fabs(static_cast<double>(out(x, y)) - out(x, y - 1)));
          }
        return most;
      };
      const double coarse = steepest(76, 4), fine = steepest(301, 1);
      EXPECT_LT(fine, 0.4 * coarse + 0.5);
    }
}

// Nor creases: the change of slope from cell to cell must shrink as well.
TEST(PullToSketch, LeavesNoCreases) {
  std::vector<Sketch> sketches = {
      sketch_of(SketchKind::points, {{{100, 100, 400}}, {{190, 150, 300}}, {{120, 230, 800}}}),
      sketch_of(SketchKind::lines, {{{60, 60, 100}, {150, 240, 300}, {240, 60, 700}}}),
      sketch_of(SketchKind::lines, {{{60, 80, 100}, {240, 80, 300}}, {{60, 180, 500}, {240, 200, 200}}}),
      sketch_of(SketchKind::polygons, {{{60, 60, 500}, {150, 140, 500}, {240, 60, 500}, {150, 220, 500}}})};
  for (const Sketch& s : sketches) {
    const auto sharpest = [&](int size, double cell) {
      const GridSpec spec = spec_of(size, size, cell);
      const Grid<float> out = pulled({SketchBlend::set, 120, 0, 1}, s, spec, Grid<float>(size, size, 0.0F));
      const Grid<float> distance = measured(s, spec, 200).distance;
      double most = 0;
      for (int y = 1; y + 1 < size; ++y)
        for (int x = 1; x + 1 < size; ++x) {
          if (distance(x, y) < 12) continue;  // edges and vertices themselves may be sharp
          most = std::max(most, std::fabs(static_cast<double>(out(x - 1, y)) - 2.0 * out(x, y) + out(x + 1, y)) / cell);
          most = std::max(most, std::fabs(static_cast<double>(out(x, y - 1)) - 2.0 * out(x, y) + out(x, y + 1)) / cell);
        }
      return most;
    };
    EXPECT_LT(sharpest(301, 1), 0.35 * sharpest(76, 4));
  }
}

}  // namespace
}  // namespace thalweg::shape
