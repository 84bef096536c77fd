#include "thalweg/shape/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "thalweg/core/simd.h"
#include "thalweg/shape/sketch_outline.h"
#include "thalweg/shape/test_fields.h"

namespace thalweg::shape {
namespace {

using test::kInf;
using test::random_field;
using test::row_of;
using test::same_bits;
using test::spec_of;

struct Result {
  Grid<float> distance, height;
};

Result measured(const Sketch& s, const GridSpec& spec, double limit_m, const Exec& exec = Exec()) {
  Result r{Grid<float>(spec.width, spec.height), Grid<float>(spec.width, spec.height)};
  sketch_distance(s, spec, limit_m, r.distance, r.height, exec);
  return r;
}
Grid<float> mask_of(const Sketch& s, const GridSpec& spec, double falloff_m, const Exec& exec = Exec()) {
  Grid<float> mask(spec.width, spec.height);
  sketch_mask(s, spec, falloff_m, mask, exec);
  return mask;
}
Grid<float> pulled(const SketchParams& p, const Sketch& s, const GridSpec& spec, GridView<const float> in,
                   const Exec& exec = Exec()) {
  Grid<float> out(spec.width, spec.height);
  pull_to_sketch(p, s, spec, in, out, exec);
  return out;
}

// y given southward, as the rows go.
Sketch sketch_of(SketchKind kind, std::vector<std::vector<SketchPoint>> parts) {
  for (auto& part : parts)
    for (SketchPoint& p : part) p.y_m = -p.y_m;
  return {"test", kind, std::move(parts), true};
}

Sketch random_sketch(std::uint64_t seed, SketchKind kind, double extent_m) {
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

void set_heights(Sketch& s, double height_m) {
  for (auto& part : s.parts)
    for (SketchPoint& v : part) v.height_m = height_m;
}

// Of random sketches of several heights and of one.
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
