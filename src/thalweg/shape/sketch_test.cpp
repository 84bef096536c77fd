#include "thalweg/shape/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "thalweg/core/simd.h"
#include "thalweg/shape/sketch_outline.h"
#include "thalweg/shape/test_fields.h"
#include "thalweg/shape/test_sketches.h"

namespace thalweg::shape {
namespace {

using test::kInf;
using test::mask_of;
using test::measured;
using test::pulled;
using test::random_field;
using test::random_sketch;
using test::Result;
using test::row_of;
using test::same_bits;
using test::sketch_of;
using test::spec_of;

// Straight from the definitions, one sample and one segment at a time. Inside: the number of edges on a ray to the
// west, the ray a hair above the sample.
struct Slow {
  long double distance = HUGE_VALL, height = 0;
  bool inside = false;
};
Slow slow_at(const Sketch& s, long double x, long double y) {
  Slow r;
  for (const auto& part : s.parts) {
    const std::size_t segments =
        s.kind == SketchKind::polygons ? part.size() : std::max<std::size_t>(1, part.size() - 1);
    for (std::size_t i = 0; i < segments; ++i) {
      const SketchPoint &a = part[i], &b = part[(i + 1) % part.size()];
      const long double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m, l2 = dx * dx + dy * dy;
      const long double t = l2 > 0 ? std::clamp(((x - a.x_m) * dx + (y - a.y_m) * dy) / l2, 0.0L, 1.0L) : 0.0L;
      const long double d = std::hypot(x - a.x_m - t * dx, y - a.y_m - t * dy);
      if (d < r.distance - 1e-9L) r.distance = d, r.height = a.height_m + t * (b.height_m - a.height_m);
      if (s.kind == SketchKind::polygons && (a.y_m > y) != (b.y_m > y) && a.x_m + (y - a.y_m) * dx / dy < x)
        r.inside = !r.inside;
    }
  }
  if (r.inside) r.distance = 0;
  return r;
}

TEST(SketchDistance, HandWorkedPointLineAndPolygon) {
  const GridSpec spec = spec_of(5, 4, 10);
  const Result point = measured(sketch_of(SketchKind::points, {{{10, 10, 7}}}), spec, 25);
  EXPECT_EQ(point.distance(1, 1), 0);
  EXPECT_EQ(point.distance(3, 1), 20);
  EXPECT_EQ(point.distance(2, 2), static_cast<float>(std::sqrt(200.0)));
  EXPECT_EQ(point.distance(4, 3), 25);
  EXPECT_EQ(point.height(3, 1), 7);
  EXPECT_TRUE(std::isnan(point.height(4, 3)));

  const Result line = measured(sketch_of(SketchKind::lines, {{{0, 0, 0}, {40, 0, 100}}}), spec, 100);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(line.distance(x, y), 10.0F * static_cast<float>(y));
      EXPECT_EQ(line.height(x, y), 25.0F * static_cast<float>(x));
    }

  const Result polygon =
      measured(sketch_of(SketchKind::polygons, {{{0, 0, 5}, {20, 0, 5}, {20, 20, 5}, {0, 20, 5}}}), spec, 100);
  EXPECT_TRUE(same_bits(polygon.distance, [] {
    Grid<float> g(5, 4);
    const float d = static_cast<float>(std::sqrt(200.0)), e = static_cast<float>(std::sqrt(500.0));
    const float rows[4][5] = {{0, 0, 0, 10, 20}, {0, 0, 0, 10, 20}, {0, 0, 0, 10, 20}, {10, 10, 10, d, e}};
    std::memcpy(g.data(), rows, sizeof rows);
    return g;
  }()));
  for (std::int64_t i = 0; i < polygon.height.cells(); ++i) EXPECT_EQ(polygon.height[i], 5);
}

TEST(SketchDistance, OriginAndNonSquareCells) {
  GridSpec spec = spec_of(3, 3, 10, 5);
  spec.origin_x = 100;
  spec.origin_y = -200;
  // Sample (1, 2) lies at x = 1010, y = 990.
  const Sketch s{"", SketchKind::points, {{{1010, 990, 3}}}, true};
  const Result r = measured(s, spec, 1e6);
  EXPECT_EQ(r.distance(1, 2), 0);
  EXPECT_EQ(r.distance(1, 0), 10);
  EXPECT_EQ(r.distance(2, 2), 10);
}

TEST(SketchDistance, AgreesWithTheDefinition) {
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(static_cast<int>(kind)));
      const Sketch s = random_sketch(seed, kind, 40);
      ASSERT_TRUE(check_sketch(s));
      const double limit = 1 + 20 * unit_double(hash64(seed, 99));
      const GridSpec spec = spec_of(41, 31, 1, 1.3);
      const Result r = measured(s, spec, limit);
      for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x) {
          const Slow slow = slow_at(s, x, -1.3L * y);
          const double expected = std::min(static_cast<double>(slow.distance), limit);
          ASSERT_NEAR(r.distance(x, y), expected, 1e-5) << x << ' ' << y;
          if (slow.distance > limit + 1e-6) {
            ASSERT_EQ(r.distance(x, y), static_cast<float>(limit));
            ASSERT_TRUE(std::isnan(r.height(x, y)));
          } else if (slow.distance < limit - 1e-6 && !slow.inside) {
            ASSERT_GE(r.height(x, y), 0);
          }
          if (!slow.inside && slow.distance < limit - 1e-6 && kind == SketchKind::points) {
            ASSERT_NEAR(r.height(x, y), static_cast<double>(slow.height), 1e-3);
          }
        }
    }
}

TEST(SketchDistance, HeightsRunAlongTheLine) {
  const Sketch s = sketch_of(SketchKind::lines, {{{3, 3, 100}, {33, 18, 400}, {60, 18, 250}}});
  const GridSpec spec = spec_of(64, 40);
  const Result r = measured(s, spec, 1000);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 64; ++x) ASSERT_NEAR(r.height(x, y), static_cast<double>(slow_at(s, x, -y).height), 1e-3);
}

TEST(SketchDistance, EquallyNearPartsTheFirstCounts) {
  const Sketch s = sketch_of(SketchKind::points, {{{0, 0, 1}}, {{4, 0, 2}}, {{2, 2, 3}}, {{2, 2, 4}}});
  const Result r = measured(s, spec_of(5, 3), 100);
  EXPECT_EQ(r.height(2, 0), 1);
  EXPECT_EQ(r.height(3, 0), 2);
  EXPECT_EQ(r.height(2, 2), 3);
}

TEST(SketchDistance, SamplesOnVerticesAndEdgesCountAsInside) {
  // A diamond whose vertices and edges pass through samples, and a star that crosses itself.
  const Sketch diamond = sketch_of(SketchKind::polygons, {{{8, 2, 0}, {14, 8, 10}, {8, 14, 20}, {2, 8, 30}}});
  const Result r = measured(diamond, spec_of(17, 17), 100);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 17; ++x) {
      const int outside = std::abs(x - 8) + std::abs(y - 8) - 6;
      EXPECT_EQ(r.distance(x, y) == 0, outside <= 0) << x << ' ' << y;
    }
  EXPECT_EQ(r.height(8, 2), 0);
  EXPECT_EQ(r.height(11, 5), 5);
  EXPECT_EQ(r.height(14, 8), 10);
  const Sketch bow = sketch_of(SketchKind::polygons, {{{0, 0, 1}, {10, 10, 1}, {10, 0, 1}, {0, 10, 1}}});
  const Result b = measured(bow, spec_of(11, 11), 100);
  EXPECT_EQ(b.distance(1, 5), 0);
  EXPECT_EQ(b.distance(9, 5), 0);
  EXPECT_GT(b.distance(5, 1), 0);
  EXPECT_GT(b.distance(5, 9), 0);
}

TEST(SketchDistance, HolesAndIslandsInThemAndSeparateRings) {
  const auto square = [](double from, double to, double height) {
    return std::vector<SketchPoint>{{from, from, height}, {to, from, height}, {to, to, height}, {from, to, height}};
  };
  // In any order: land 0..40, its hole 8..32, an island 15..25 in that.
  const Sketch s = sketch_of(SketchKind::polygons, {square(8, 32, 100), square(15, 25, 300), square(0, 40, 100)});
  const Result r = measured(s, spec_of(41, 41), 100);
  EXPECT_EQ(r.distance(4, 4), 0);
  EXPECT_EQ(r.height(4, 4), 100);
  EXPECT_EQ(r.distance(11, 20), 3);
  EXPECT_EQ(r.distance(20, 20), 0);
  EXPECT_EQ(r.height(20, 20), 300) << "flat, whatever is around it";
  EXPECT_EQ(r.height(37, 20), 100);
}

TEST(SketchDistance, OfRingsThatCrossTheFirstCounts) {
  const Sketch s = sketch_of(SketchKind::polygons, {{{0, 0, 1}, {20, 0, 1}, {20, 20, 1}, {0, 20, 1}},
                                                    {{30, 30, 2}, {10, 30, 2}, {10, 10, 2}, {30, 10, 2}},
                                                    {{25, 5, 3}, {25, 25, 3}, {5, 25, 3}, {5, 5, 3}}});
  const Result r = measured(s, spec_of(31, 31), 100);
  EXPECT_EQ(r.distance(15, 15), 0);  // in all three
  EXPECT_EQ(r.height(15, 15), 1);
  EXPECT_GT(r.distance(7, 7), 0) << "in two";
  EXPECT_EQ(r.height(28, 28), 2);
}

TEST(SketchDistance, HeightsInsideContinueTheEdges) {
  // Heights of a plane on a square's edges: by symmetry its mean in the middle; near an edge that edge's own height.
  const Sketch s = sketch_of(SketchKind::polygons, {{{0, 0, 0}, {64, 0, 64}, {64, 64, 64}, {0, 64, 0}}});
  const Result r = measured(s, spec_of(65, 65), 10);
  EXPECT_NEAR(r.height(32, 32), 32, 1e-4);
  for (int x = 0; x <= 64; ++x) {
    EXPECT_EQ(r.height(x, 0), static_cast<float>(x));
    EXPECT_NEAR(r.height(x, 1), x, 2);
    EXPECT_NEAR(r.height(x, 20), r.height(x, 44), 1e-4);
    if (x > 0) {
      EXPECT_GT(r.height(x, 32), r.height(x - 1, 32));
    }
  }
  // Dividing edges changes nothing.
  Sketch finer = s;
  finer.parts[0].clear();
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 8; ++k) {
      const SketchPoint &a = s.parts[0][i], &b = s.parts[0][(i + 1) % 4];
      const double t = k / 8.0;
      finer.parts[0].push_back(
          {a.x_m + t * (b.x_m - a.x_m), a.y_m + t * (b.y_m - a.y_m), a.height_m + t * (b.height_m - a.height_m)});
    }
  const Result f = measured(finer, spec_of(65, 65), 10);
  for (std::int64_t i = 0; i < f.height.cells(); ++i) ASSERT_NEAR(f.height[i], r.height[i], 1e-4);
}

TEST(SketchMask, FallsBySmoothstep) {
  const Sketch s = sketch_of(SketchKind::lines, {{{0, 0, 0}, {0, 10, 0}}});
  const Grid<float> mask = mask_of(s, spec_of(7, 1, 10), 40);
  const float expected[] = {1, 0.84375F, 0.5F, 0.15625F, 0, 0, 0};
  for (int x = 0; x < 7; ++x) EXPECT_FLOAT_EQ(mask[x], expected[x]) << x;
}

TEST(SketchMask, WithoutFalloffLinesAreChainsAndPointsAreFound) {
  const Grid<float> line =
      mask_of(sketch_of(SketchKind::lines, {{{0.2, 0.3, 0}, {30.4, 11.7, 0}}}), spec_of(31, 13), 0);
  for (int x = 1; x < 30; ++x) {
    int found = 0;
    for (int y = 0; y < 13; ++y) found += line(x, y) == 1 ? 1 : 0;
    EXPECT_GE(found, 1);
    EXPECT_LE(found, 2);
  }
  const Grid<float> point = mask_of(sketch_of(SketchKind::points, {{{2.5, 2.5, 0}}}), spec_of(6, 6), 0);
  EXPECT_EQ(point(2, 2), 1);
  EXPECT_EQ(point(4, 4), 0);
  const Grid<float> polygon = mask_of(
      sketch_of(SketchKind::polygons, {{{1, 1, 0}, {3.9, 1, 0}, {3.9, 3.9, 0}, {1, 3.9, 0}}}), spec_of(6, 6), 0);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 6; ++x) EXPECT_EQ(polygon(x, y), x >= 1 && x <= 3 && y >= 1 && y <= 3 ? 1 : 0);
}

// Every function of the header, in turn.
Grid<float> apply(int which, const Sketch& s, const GridSpec& spec, GridView<const float> land, const Exec& exec) {
  if (which == 0) return measured(s, spec, 60, exec).distance;
  if (which == 1) return measured(s, spec, 60, exec).height;
  if (which == 2) return mask_of(s, spec, 45, exec);
  if (which == 3) return mask_of(s, spec, 0, exec);
  const SketchParams p[] = {
      {SketchBlend::set, 60, 0, 1}, {SketchBlend::set, 40, 30, 0.8}, {SketchBlend::raise, 0, 0, 1}};
  return pulled(p[which - 4], s, spec, land, exec);
}

TEST(SketchHeader, WindowsHaveTheBitsOfTheWholeForAnyThreads) {
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      for (int which = 0; which < 7; ++which) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " kind " + std::to_string(static_cast<int>(kind)) + " function " +
                     std::to_string(which));
        GridSpec spec = spec_of(90, 70, 3.7, 4.1);
        spec.origin_x = -20;
        spec.origin_y = 5;
        const Sketch s = random_sketch(seed, kind, 300);
        const Grid<float> land = random_field(90, 70, seed, -200, 1200, 0.02);
        const Grid<float> whole = apply(which, s, spec, land, Exec());
        for (const Exec& exec : {Exec(2), Exec(7, TaskBackend::threads)})
          EXPECT_TRUE(same_bits(whole, apply(which, s, spec, land, exec)));
        GridSpec part = spec;
        part.origin_x += 13, part.origin_y += 21, part.width = 33, part.height = 29;
        EXPECT_TRUE(same_bits(whole.view().window(13, 21, 33, 29),
                              apply(which, s, part, land.view().window(13, 21, 33, 29), Exec())));
      }
}

TEST(SketchHeader, SameBitsAtEverySimdLevel) {
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (int which = 0; which < 7; ++which) {
      const Sketch s = random_sketch(3, kind, 300);
      const GridSpec spec = spec_of(83, 71, 4);
      const Grid<float> land = random_field(83, 71, 1, -200, 1200);
      const Grid<float> expected = apply(which, s, spec, land, Exec());
      for (const std::string& level : simd_levels()) {
        ASSERT_TRUE(cap_simd(level));
        EXPECT_TRUE(same_bits(expected, apply(which, s, spec, land, Exec()))) << level;
      }
      ASSERT_TRUE(cap_simd(""));
    }
}

TEST(SketchHeader, OddFieldsOfAllSizes) {
  for (const SketchKind kind : {SketchKind::points, SketchKind::lines, SketchKind::polygons})
    for (const auto& [w, h] : test::edge_sizes())
      for (const Grid<float>& land : test::odd_fields(w, h))
        for (int which = 0; which < 7; ++which) {
          const Grid<float> out = apply(which, random_sketch(1, kind, 30), spec_of(w, h, 10), land, Exec());
          for (std::int64_t i = 0; i < land.cells() && which >= 4; ++i)
            EXPECT_EQ(std::isnan(land[i]), std::isnan(out[i])) << which;
        }
  // In place.
  Grid<float> g(9, 9, 3.0F);
  const Sketch s = random_sketch(2, SketchKind::lines, 9);
  const Grid<float> expected = pulled({}, s, spec_of(9, 9), g);
  pull_to_sketch({}, s, spec_of(9, 9), g, g, Exec());
  EXPECT_TRUE(same_bits(expected, g));
}

TEST(SketchHeader, DegenerateShapesAreFine) {
  const std::vector<Sketch> sketches = {
      sketch_of(SketchKind::lines, {{{2, 2, 5}, {2, 2, 9}}}),
      sketch_of(SketchKind::polygons, {{{2, 2, 5}, {2, 2, 9}, {2, 2, 7}}}),
      sketch_of(SketchKind::polygons, {{{0, 2, 5}, {4, 2, 9}, {0, 2, 5}}}),
      sketch_of(SketchKind::lines, {{{2, 2, 5}, {2 + 1e-200, 2, 9}, {2 + 1e-12, 2, 9}}}),
      sketch_of(SketchKind::lines, {{{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}}}),
      sketch_of(SketchKind::polygons, {{{-1e9, -1e9, 0}, {1e9, -1e9, 10}, {0, 1e9, 20}}})};
  for (const Sketch& s : sketches) {
    ASSERT_TRUE(check_sketch(s));
    for (const SketchParams& p : {SketchParams{SketchBlend::set, 3, 0, 1}, SketchParams{SketchBlend::set, 1e6, 1e6, 1},
                                  SketchParams{SketchBlend::set, 0, 0, 1}}) {
      const Grid<float> out = pulled(p, s, spec_of(5, 5), Grid<float>(5, 5, 1.0F));
      for (std::int64_t i = 0; i < out.cells(); ++i) EXPECT_TRUE(std::isfinite(out[i]));
    }
    const Result r = measured(s, spec_of(5, 5), 1e9);
    for (std::int64_t i = 0; i < 25; ++i) EXPECT_TRUE(std::isfinite(r.distance[i]) && std::isfinite(r.height[i]));
    if (s.parts[0][0].x_m > -1e8) {
      EXPECT_EQ(r.distance(2, 2), 0);
    }
  }
}

TEST(CheckSketch, RejectsWhatCannotBeDrawn) {
  const double nan = std::nan("");
  const auto fails = [](Sketch s) { return !check_sketch(s); };
  EXPECT_TRUE(fails({"", SketchKind::points, {}, false}));
  EXPECT_TRUE(fails({"", SketchKind::points, {{}}, false}));
  EXPECT_TRUE(fails({"", SketchKind::points, {{{0, 0, 0}, {1, 1, 1}}}, false}));
  EXPECT_TRUE(fails({"", SketchKind::lines, {{{0, 0, 0}}}, false}));
  EXPECT_TRUE(fails({"", SketchKind::polygons, {{{0, 0, 0}, {1, 0, 0}}}, false}));
  for (const double bad : {nan, static_cast<double>(kInf), -static_cast<double>(kInf), 1.1e9}) {
    EXPECT_TRUE(fails({"", SketchKind::points, {{{bad, 0, 0}}}, false}));
    EXPECT_TRUE(fails({"", SketchKind::points, {{{0, bad, 0}}}, false}));
    EXPECT_TRUE(fails({"", SketchKind::points, {{{0, 0, bad}}}, true}));
    EXPECT_FALSE(fails({"", SketchKind::points, {{{0, 0, bad}}}, false})) << "no heights wanted";
  }
  EXPECT_FALSE(fails({"", SketchKind::lines, {{{0, 0, 0}, {0, 0, 0}}}, true})) << "repeated vertices are fine";
  const Sketch ridge{"ridge", SketchKind::lines, {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}}}, false};
  EXPECT_EQ(check_sketch(ridge).error().text(), "sketch 'ridge': part 2 must have at least 2 vertices, has 1");
}

}  // namespace
}  // namespace thalweg::shape
