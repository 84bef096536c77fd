// What holds for every source: same bits everywhere, ranges, independence of seeds, no grid, no streaks, no repeats.
#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/noise/noise_testing.h"

namespace thalweg::noise::testing {
namespace {

std::vector<NoiseParams> all_sorts() {
  std::vector<NoiseParams> all = every_sort(5, false);
  for (const NoiseParams& p : every_sort(4, true)) all.push_back(p);
  return all;
}
/// Sources that differ in more than a distance.
std::vector<NoiseParams> main_sources() {
  std::vector<NoiseParams> all;
  for (const NoiseParams& p : every_source())
    if (p.source != Source::cellular || p.cell_distance == CellDistance::euclidean) all.push_back(p);
  return all;
}

TEST(NoiseSources, SameBitsAtEverySimdLevel) {
  const SimdCapLifted lift;
  ASSERT_TRUE(cap_simd("").ok());
  const std::vector<std::string> levels = simd_levels();
  for (const NoiseParams& p : all_sorts()) {
    const GridSpec spec = spec_at(-1000000000, 999999983, 131, 9);
    ASSERT_TRUE(cap_simd("").ok());
    const Grid<float> best = make(p, 5, spec);
    for (const std::string& level : levels) {
      ASSERT_TRUE(cap_simd(level).ok()) << level;
      EXPECT_TRUE(same_bits(best, make(p, 5, spec))) << level << ": " << name_of(p);
    }
  }
}

// Wide levels look straight samples' lattice points up, narrow ones hash them: over a whole tile, whose rows leave the
// points made for the first ones behind, and beyond a multiple of 2^32 cells, where hashes change seeds.
TEST(NoiseSources, SimplexRowsLookedUpAreAsHashed) {
  const SimdCapLifted lift;
  for (const double wavelength_m : {50.0, 11.0, 7.0, 5.5, 3.5})
    for (const double cells : {-0.3, 4294967296.0}) {
      NoiseParams p;
      p.source = Source::simplex;
      p.octaves = 1;
      p.wavelength_m = wavelength_m;
      const auto index = static_cast<std::int64_t>(cells * wavelength_m / 1.3660254037844386) - 128;
      const GridSpec spec = spec_at(index, -100, 262, 257);
      ASSERT_TRUE(cap_simd("").ok());
      const Grid<float> best = make(p, 5, spec);
      for (const std::string& level : simd_levels()) {
        ASSERT_TRUE(cap_simd(level).ok()) << level;
        EXPECT_TRUE(same_bits(best, make(p, 5, spec))) << level << " " << wavelength_m << " m, " << cells << " cells";
      }
    }
}

TEST(NoiseSources, SameBitsForAnyThreads) {
  const Exec two(2);
  const Exec seven(7, TaskBackend::threads);
  for (const NoiseParams& p : all_sorts()) {
    const GridSpec spec = spec_at(10, 20, 300, 261);
    const Grid<float> serial = make(p, 5, spec);
    EXPECT_TRUE(same_bits(serial, make(p, 5, spec, two))) << name_of(p);
    EXPECT_TRUE(same_bits(serial, make(p, 5, spec, seven))) << name_of(p);
  }
}

// Worlds are promised to stay the same: a change here changes every world, in every compiler and on every machine.
TEST(NoiseSources, GoldenBits) {
  // Grids below each other in one, with one hash.
  const std::vector<NoiseParams> all = all_sorts();
  Grid<float> together(70, 20 * static_cast<int>(all.size()));
  int y = 0;
  for (const NoiseParams& p : all) {
    fill(p, 2026, spec_at(-40, 1000000000, 70, 20), together.view().window(0, y, 70, 20), Exec());
    y += 20;
  }
  EXPECT_EQ(content_hash<float>(together).hex(), "436508f977e0d4657f4e615a27e2162e");
}

TEST(NoiseSources, WindowsEqualThePartOfTheWhole) {
  constexpr std::uint64_t kSeed = 77;
  std::int64_t count = 0;
  for (const NoiseParams& p : all_sorts())
    for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{-1000000000}, std::int64_t{1000000000}}) {
      const Grid<float> whole = make(p, 5, spec_at(origin, -origin, 290, 40));
      for (int i = 0; i < 3; ++i, ++count) {
        const auto pick = [&](int index, int below) {
          return static_cast<int>(hash64(kSeed, count, index) % static_cast<std::uint64_t>(below));
        };
        const int x = pick(0, 290);
        const int y = pick(1, 40);
        const int width = 1 + pick(2, 290 - x);
        const int height = 1 + pick(3, 40 - y);
        const Grid<float> part = make(p, 5, spec_at(origin + x, -origin + y, width, height));
        EXPECT_TRUE(same_bits(whole.view().window(x, y, width, height), part))
            << name_of(p) << " at " << origin << ": " << x << "," << y << " " << width << "x" << height;
      }
    }
}

TEST(NoiseSources, HalvingTheCellKeepsSharedSamples) {
  for (NoiseParams p : all_sorts()) {
    p.octaves = 4;  // the finest is 12 m: no fading at either spacing
    for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{1000000000}}) {
      const Grid<float> coarse = make(p, 3, spec_at(origin, -origin, 40, 20, 1.0));
      const Grid<float> fine = make(p, 3, spec_at(2 * origin, -2 * origin, 80, 40, 0.5));
      int wrong = 0;
      for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 40; ++x) wrong += coarse(x, y) != fine(2 * x, 2 * y) ? 1 : 0;
      EXPECT_EQ(wrong, 0) << name_of(p);
    }
  }
}

/// The least that the smallest and largest of some 10^5 cells must reach, jitter 0.2 for distances between points.
std::pair<double, double> reach(const NoiseParams& p) {
  if (p.source == Source::value_cubic) return {-0.75, 0.75};  // -1 and 1 need 16 heights of the extremes together
  if (p.source != Source::cellular || p.cell_value == CellValue::cell) return {-0.95, 0.95};
  if (p.cell_value == CellValue::f2) return {-0.25, 0.9};  // the second nearest of a loose grid is never near
  return {-0.99, p.cell_distance == CellDistance::squared && p.cell_value == CellValue::f1 ? 0.7 : 0.85};
}

TEST(NoiseSources, OneOctaveStaysInItsRangeAndFillsIt) {
  for (NoiseParams p : every_source()) {
    p.wavelength_m = 5.3;
    for (const double jitter : {1.0, 0.2}) {
      p.cell_jitter = jitter;
      Stats all;
      for (const std::uint64_t seed : {1, 2}) {
        const Stats s = stats(make(p, seed, spec_at(0, 0, 1000, 1000)));
        EXPECT_EQ(s.not_finite, 0);
        all.min = std::min(all.min, s.min);
        all.max = std::max(all.max, s.max);
      }
      EXPECT_GE(all.min, -1) << name_of(p);
      EXPECT_LE(all.max, 1) << name_of(p);
      if (jitter == 1 && p.source == Source::cellular) continue;
      EXPECT_LT(all.min, reach(p).first) << name_of(p);
      EXPECT_GT(all.max, reach(p).second) << name_of(p);
    }
  }
}

// A lattice of points without jitter: every distance is known.
TEST(NoiseSources, CellularWithoutJitterIsAGridOfPoints) {
  for (NoiseParams p : every_source()) {
    if (p.source != Source::cellular || p.cell_value == CellValue::cell) continue;
    p.cell_jitter = 0;
    p.wavelength_m = 16;
    const Stats s = stats(make(p, 1, spec_at(0, 0, 300, 300)));
    EXPECT_NEAR(s.max, 1, 0.15) << name_of(p);
    // At the corner of four cells the second nearest is at sqrt(1/2), the most it may be is 1 (chebyshev 1/2 and 1).
    const bool second = p.cell_value == CellValue::f2;
    double least = -1;
    if (second && p.cell_distance == CellDistance::squared) least = -0.5;  // 1/4 of 1, between two points
    if (second && p.cell_distance == CellDistance::euclidean) least = 0;   // 1/2 of 1
    if (second && p.cell_distance == CellDistance::manhattan) least = 0;   // 1/2 of 1
    if (second && p.cell_distance == CellDistance::chebyshev) least = 0;   // 1/2 of 1
    EXPECT_NEAR(s.min, least, 0.15) << name_of(p);
    EXPECT_GE(s.min, least - 1e-3) << name_of(p);
  }
}

TEST(NoiseSources, HeightsAreSymmetric) {
  for (NoiseParams p : every_source()) {
    if (p.source == Source::cellular && p.cell_value != CellValue::cell) continue;
    p.wavelength_m = 4.7;
    const Grid<float> g = make(p, 4, spec_at(-5000, 12345, 1500, 1500));
    std::vector<double> histogram(20);
    for (std::int64_t i = 0; i < g.cells(); ++i)
      histogram[static_cast<std::size_t>(std::min(19.0, (static_cast<double>(g[i]) + 1) * 10))] += 1.0 / 2.25e6;
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(histogram[i], histogram[19 - i], 0.003) << name_of(p) << " " << i;
    EXPECT_NEAR(stats(g).mean, 0, 0.006) << name_of(p);
  }
}

TEST(NoiseSources, NoStreaks) {
  for (NoiseParams p : main_sources()) {
    p.wavelength_m = p.source == Source::white ? 1 : 4.37;
    const int n = 1024;
    const Grid<float> g = make(p, 77, spec_at(500, -900, n, n));
    const Stats s = stats(g);
    double worst = 0;
    double east = 0;
    double south = 0;
    double rising = 0;
    double falling = 0;
    for (int a = 0; a + 1 < n; ++a) {
      double row = 0;
      double column = 0;
      for (int b = 0; b + 1 < n; ++b) {
        row += static_cast<double>(g(b, a)) - s.mean;
        column += static_cast<double>(g(a, b)) - s.mean;
        const auto square = [&](int x0, int y0, int x1, int y1) {
          const double d = static_cast<double>(g(x1, y1)) - static_cast<double>(g(x0, y0));
          return d * d;
        };
        east += square(b, a, b + 1, a);
        south += square(b, a, b, a + 1);
        falling += square(b, a, b + 1, a + 1) / 2;
        rising += square(b, a + 1, b + 1, a) / 2;
      }
      worst = std::max({worst, std::fabs(row) / n, std::fabs(column) / n});
    }
    EXPECT_LT(worst / s.sd, 4.8 / std::sqrt(n / p.wavelength_m)) << name_of(p);
    EXPECT_NEAR(east / south, 1, 0.04) << name_of(p);
    EXPECT_NEAR(rising / falling, 1, 0.04) << name_of(p);
  }
}

TEST(NoiseSources, NoRepeats) {
  // Correlation of a field with itself shifted, along and across the axes: none beyond a few lattice cells.
  for (NoiseParams p : main_sources()) {
    p.wavelength_m = 4;
    const int n = 1200;
    Grid<float> g = make(p, 21, spec_at(0, 0, n, n));
    const Stats s = stats(g);
    double worst = 0;
    for (const int cells : {5, 16, 32, 64, 100, 128, 255, 256, 257})
      for (const auto& way : {std::pair{1, 0}, std::pair{0, 1}, std::pair{1, 1}, std::pair{1, -1}}) {
        const int dx = way.first * cells * 4;
        const int dy = way.second * cells * 4;
        if (dx >= n || std::abs(dy) >= n) continue;
        double sum = 0;
        std::int64_t count = 0;
        for (int y = std::max(0, -dy); y < n - std::max(0, dy); y += 3)
          for (int x = 0; x < n - dx; x += 3, ++count)
            sum += (static_cast<double>(g(x, y)) - s.mean) * (static_cast<double>(g(x + dx, y + dy)) - s.mean);
        if (count > 20000) worst = std::max(worst, std::fabs(sum / static_cast<double>(count)) / (s.sd * s.sd));
      }
    // Distances between points are a little larger where cells meet: that part repeats with every cell.
    EXPECT_LT(worst, p.source == Source::cellular ? 0.05 : 0.025) << name_of(p);
  }
}

// Root mean square of the correlations between fields of 64 consecutive seeds. Cellular noise is sampled once a cell,
// always at the same place of it: its distances are a little larger where cells meet, and two fields share that.
TEST(NoiseSources, ConsecutiveSeedsAreIndependent) {
  constexpr int kSeeds = 64;
  constexpr int kSide = 256;
  for (NoiseParams p : main_sources()) {
    const int stride = p.source == Source::white ? 1 : (p.source == Source::cellular ? 4 : 2);
    p.wavelength_m = p.source == Source::white ? 1 : (p.source == Source::cellular ? 4 : 1 / 0.37);
    std::vector<std::vector<float>> fields;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Grid<float> g = make(p, seed, spec_at(0, 0, kSide * stride, kSide * stride));
      Grid<float> few(kSide, kSide);
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) few(x, y) = g(x * stride, y * stride);
      const Stats s = stats(few);
      std::vector<float> field;
      for (std::int64_t i = 0; i < few.cells(); ++i)
        field.push_back(static_cast<float>((static_cast<double>(few[i]) - s.mean) / s.sd));
      fields.push_back(std::move(field));
    }
    double squares = 0;
    for (std::size_t a = 0; a < kSeeds; ++a)
      for (std::size_t b = a + 1; b < kSeeds; ++b) {
        float sums[16] = {};
        for (std::size_t i = 0; i < fields[a].size(); ++i) sums[i % 16] += fields[a][i] * fields[b][i];
        double sum = 0;
        for (const float part : sums) sum += static_cast<double>(part);
        const double r = sum / static_cast<double>(fields[a].size());
        squares += r * r;
      }
    const double rms = std::sqrt(squares / (kSeeds * (kSeeds - 1) / 2));
    EXPECT_LT(rms, p.source == Source::white ? 0.005 : 0.006) << name_of(p);
    RecordProperty("rms " + name_of(p), std::to_string(rms));
  }
}

TEST(NoiseSources, ExtremesAreFiniteAndNotConstant) {
  for (NoiseParams p : all_sorts()) {
    p.cell_jitter = 1;
    p.amplitude_m = 1e6;
    p.damping_slope = 1e-3;
    p.ping_pong_strength = 16;
    p.wavelength_m = 1e-2;
    p.octaves = 24;
    p.lacunarity = 4;
    p.gain = 0.95;
    p.warp_wavelength_m = 10;
    if (p.warp_m > 0) p.warp_m = 1e6;
    for (const double cell : {1e-3, 1.0, 1e4})
      for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{1} << 61, -(std::int64_t{1} << 61)})
        EXPECT_EQ(stats(make(p, 1, spec_at(origin, origin, 33, 3, cell))).not_finite, 0) << name_of(p);
    // Where doubles no longer tell neighbouring samples apart, on the shortest waves that still count.
    p.octaves = 2;
    p.wavelength_m = 4.2;
    p.lacunarity = 2;
    for (const std::int64_t origin : {(std::int64_t{1} << 60) - 77, (std::int64_t{1} << 61) - 200})
      EXPECT_EQ(stats(make(p, 1, spec_at(origin, -origin, 256, 3))).not_finite, 0) << name_of(p);
    p.wavelength_m = 1e-2;
    // A bend of up to 1e8 cells still gives noise, not the value of lattice points again and again.
    p.octaves = 1;
    p.warp_wavelength_m = 0.05;
    const Grid<float> g = make(p, 1, spec_at(1000000000, -1000000000, 64, 64, 1e-3));
    const Stats s = stats(g);
    EXPECT_EQ(s.not_finite, 0);
    EXPECT_GT(s.sd, p.fractal == Fractal::slope_damped ? 0 : 0.02 * p.amplitude_m) << name_of(p);
    if (!(p.warp_m > 0) || p.fractal == Fractal::slope_damped) continue;
    std::vector<float> values(g.data(), g.data() + g.cells());
    std::sort(values.begin(), values.end());
    std::ptrdiff_t most = 0;
    for (auto v = values.begin(); v != values.end();) {
      const auto end = std::upper_bound(v, values.end(), *v);
      most = std::max(most, end - v);
      v = end;
    }
    EXPECT_LT(most, 80) << name_of(p);
  }
}

TEST(NoiseSources, FarFromTheOriginIsAsRoughAsNear) {
  for (NoiseParams p : main_sources()) {
    p.wavelength_m = 20;
    const auto roughness = [&](std::int64_t origin) {
      const Grid<float> g = make(p, 4, spec_at(origin, origin, 400, 400, 0.5));
      double sum = 0;
      for (int y = 0; y < 400; ++y)
        for (int x = 1; x < 400; ++x) sum += std::fabs(static_cast<double>(g(x, y)) - static_cast<double>(g(x - 1, y)));
      return sum / (400.0 * 399.0);
    };
    const double near = roughness(0);
    for (const double distance : {1e6, 1e9, -1e9, 2.2e9})
      EXPECT_NEAR(roughness(static_cast<std::int64_t>(distance * 2)) / near, 1, 0.25) << name_of(p) << " " << distance;
  }
}

}  // namespace
}  // namespace thalweg::noise::testing
