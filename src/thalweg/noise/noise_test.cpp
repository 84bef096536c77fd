#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/platform.h"
#include "thalweg/noise/noise_testing.h"

namespace thalweg::noise::testing {
namespace {

std::vector<NoiseParams> sorts() {
  NoiseParams base;
  base.wavelength_m = 97;
  base.amplitude_m = 1;
  base.octaves = 6;
  std::vector<NoiseParams> all;
  for (const Fractal f : {Fractal::fbm, Fractal::ridged, Fractal::billow})
    for (const double warp : {0.0, 60.0}) {
      NoiseParams p = base;
      p.fractal = f;
      p.warp_m = warp;
      p.warp_wavelength_m = 150;
      all.push_back(p);
    }
  return all;
}

// That the cap reaches the kernels at all, or the next test would compare a level with itself. A scalar level is
// several times slower than any other; this asks for 1.5 of CPU time.
TEST(Noise, CapReachesTheKernels) {
  const SimdCapLifted lift;
  ASSERT_TRUE(cap_simd("").ok());
  const std::vector<std::string> levels = simd_levels();
  if (levels.size() < 2 || levels.back() != "scalar" || levels.front() == "scalar")
    GTEST_SKIP() << "one SIMD level only, nothing to cap";
  NoiseParams p;
  p.warp_m = 50;
  const GridSpec spec = spec_at(0, 0, 256, 256);
  const auto seconds = [&](const std::string& level) {
    EXPECT_TRUE(cap_simd(level).ok());
    EXPECT_EQ(simd_level(), level);  // asking must not undo the cap
    double best = 1e300;
    for (int i = 0; i < 5; ++i) {
      const double start = platform::process_cpu_seconds();
      make(p, 1, spec);
      best = std::min(best, platform::process_cpu_seconds() - start);
    }
    return best;
  };
  const double fast = seconds(levels.front());
  EXPECT_GT(seconds("scalar") / fast, 1.5);
}

TEST(Noise, SameBitsAtEverySimdLevel) {
  const SimdCapLifted lift;
  for (const NoiseParams& p : sorts())
    for (const std::int64_t origin : {std::int64_t{-3}, std::int64_t{1000000000}}) {
      const GridSpec spec = spec_at(origin, -origin, 301, 67);
      ASSERT_TRUE(cap_simd("").ok());
      const Grid<float> best = make(p, 5, spec);
      for (const std::string& level : simd_levels()) {
        ASSERT_TRUE(cap_simd(level).ok()) << level;
        EXPECT_EQ(simd_level(), level);
        EXPECT_TRUE(same_bits(best, make(p, 5, spec))) << level << " fractal " << static_cast<int>(p.fractal);
      }
    }
}

// Worlds are promised to stay the same: a change here changes every world, in every compiler and on every machine.
TEST(Noise, GoldenBits) {
  std::string hashes;
  for (const NoiseParams& p : sorts())
    hashes += content_hash<float>(make(p, 2026, spec_at(-40, 1000000000, 130, 70))).hex().substr(0, 8) + " ";
  EXPECT_EQ(hashes, "73416b8a 23fb0da6 a7b26d12 8d93126a 632e283f 5300c11d ");
}

TEST(Noise, SameBitsForAnyThreadsAndBackend) {
  for (const NoiseParams& p : sorts()) {
    const GridSpec spec = spec_at(10, 20, 700, 300);
    const Grid<float> serial = make(p, 5, spec);
    for (const int threads : {2, 7})
      for (const TaskBackend backend : {TaskBackend::automatic, TaskBackend::threads})
        EXPECT_TRUE(same_bits(serial, make(p, 5, spec, Exec(threads, backend))));
  }
}

TEST(Noise, WindowsEqualThePartOfTheWhole) {
  for (const NoiseParams& p : sorts())
    for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{-1000000000}, std::int64_t{1000000000}}) {
      const Grid<float> whole = make(p, 5, spec_at(origin, origin, 533, 300));
      const int windows[][4] = {{0, 0, 1, 1}, {531, 299, 2, 1}, {250, 251, 20, 17}, {3, 0, 1, 300}, {101, 7, 400, 5}};
      for (const auto& w : windows) {
        // Into a view with a wider stride, whose other cells must stay untouched.
        Grid<float> frame(w[2] + 3, w[3] + 2, -7.0F);
        const GridView<float> out = frame.view().window(1, 1, w[2], w[3]);
        fill(p, 5, spec_at(origin + w[0], origin + w[1], w[2], w[3]), out, Exec());
        EXPECT_TRUE(same_bits(whole.view().window(w[0], w[1], w[2], w[3]), out)) << w[0] << "," << w[1];
        EXPECT_EQ(frame(0, 1), -7.0F);
        EXPECT_EQ(frame(w[2] + 1, w[3]), -7.0F);
      }
    }
}

TEST(Noise, WindowsAgreeAcrossTheWrapOfTheHash) {
  // 4.5 m cells of the lattice: the finest octave passes multiples of 2^32 cells here, where the hash changes seeds.
  NoiseParams p;
  p.wavelength_m = 4.5;
  p.amplitude_m = 1;
  p.octaves = 1;
  for (const double warp : {0.0, 40.0}) {
    p.warp_m = warp;
    p.warp_wavelength_m = 100;
    for (const std::int64_t wrap : {std::int64_t{0}, std::int64_t{1} << 32, -(std::int64_t{1} << 32)}) {
      const auto middle = static_cast<std::int64_t>(static_cast<double>(wrap) * 4.5);
      const GridSpec spec = spec_at(middle - 300, middle - 50, 600, 100);
      const Grid<float> whole = make(p, 1, spec);
      EXPECT_GT(stats(whole).sd, 0.1);
      for (const int x : {0, 290, 300, 310}) {
        const Grid<float> part = make(p, 1, spec_at(middle - 300 + x, middle - 20, 90, 40));
        EXPECT_TRUE(same_bits(whole.view().window(x, 30, 90, 40), part)) << wrap << " at " << x;
      }
      double worst = 0;
      for (int x = 280; x < 320; ++x)
        worst = std::max(worst, std::fabs(static_cast<double>(whole(x, 50)) - reference(p, 1, spec, x, 50)));
      EXPECT_LT(worst, 1e-4);
    }
  }
}

TEST(Noise, HalvingTheCellKeepsSharedSamples) {
  for (NoiseParams p : sorts()) {
    p.octaves = 4;  // the finest is 12 m: no fading at either spacing
    for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{1000000000}}) {
      const Grid<float> coarse = make(p, 3, spec_at(origin, -origin, 80, 60, 1.0));
      const Grid<float> fine = make(p, 3, spec_at(2 * origin, -2 * origin, 160, 120, 0.5));
      int wrong = 0;
      for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 80; ++x) wrong += coarse(x, y) != fine(2 * x, 2 * y) ? 1 : 0;
      EXPECT_EQ(wrong, 0);
    }
  }
}

TEST(Noise, FineOctavesFadeOutAndKeepTheMean) {
  const auto spread = [](double wavelength) {
    NoiseParams p;
    p.amplitude_m = 1;
    p.octaves = 1;
    p.wavelength_m = wavelength;
    return stats(make(p, 8, spec_at(0, 0, 256, 256))).sd;
  };
  EXPECT_EQ(spread(1.5), 0);
  EXPECT_EQ(spread(2), 0);
  EXPECT_NEAR(spread(3) / spread(4), 0.5, 0.02);  // smoothstep is 1/2 in the middle
  EXPECT_NEAR(spread(4) / spread(40), 1, 0.05);
  for (const Fractal fractal : {Fractal::ridged, Fractal::billow}) {
    NoiseParams p;
    p.fractal = fractal;
    p.amplitude_m = 1;
    p.wavelength_m = 64;
    const double fine = stats(make(p, 8, spec_at(0, 0, 1024, 1024, 4))).mean;
    const double coarse = stats(make(p, 8, spec_at(0, 0, 256, 256, 16))).mean;
    EXPECT_NEAR(fine, coarse, 0.025);  // without it a ridged field would lie 0.25 lower
  }
  // One more octave than the grid shows changes only the share of the others, in a fixed ratio.
  NoiseParams p;
  p.wavelength_m = 8;
  p.amplitude_m = 1;
  p.octaves = 3;  // 8, 4, 2 cells
  const Grid<float> three = make(p, 8, spec_at(0, 0, 64, 64));
  p.octaves = 2;
  const Grid<float> two = make(p, 8, spec_at(0, 0, 64, 64));
  for (std::int64_t i = 0; i < two.cells(); ++i) EXPECT_NEAR(three[i] * 1.75F, two[i] * 1.5F, 1e-6F);
}

TEST(Noise, StaysInItsRangeAndReachesMostOfIt) {
  NoiseParams p;
  p.amplitude_m = 250;
  p.offset_m = 40;
  p.wavelength_m = 5.3;
  p.octaves = 1;
  const Stats one = stats(make(p, 11, spec_at(0, 0, 1500, 1500)));
  EXPECT_GE(one.min, -210.0);
  EXPECT_LE(one.max, 290.0);
  EXPECT_LT(one.min, 40 - 0.9 * 250);
  EXPECT_GT(one.max, 40 + 0.9 * 250);
  EXPECT_NEAR(one.mean, 40, 1);
  for (NoiseParams q : sorts()) {
    q.amplitude_m = 100;
    q.offset_m = 1;
    const Stats s = stats(make(q, 11, spec_at(0, 0, 1000, 1000)));
    EXPECT_GE(s.min, q.fractal == Fractal::fbm ? -99.0 : 1.0);
    EXPECT_LE(s.max, 101.0);
    EXPECT_GT(s.max - s.min, q.fractal == Fractal::billow ? 55 : 80);
  }
}

TEST(Noise, NoStreaks) {
  // Means of whole rows and columns of white-like noise scatter as 1 / sqrt(lattice cells); a streak stands out. And
  // differences along the axes are as large as along the diagonals.
  NoiseParams p;
  p.amplitude_m = 1;
  p.octaves = 1;
  p.wavelength_m = 4.37;
  const int n = 1024;
  const Grid<float> g = make(p, 77, spec_at(500, -900, n, n));
  const double sd = stats(g).sd;
  double worst = 0;
  for (int a = 0; a < n; ++a) {
    double row = 0;
    double column = 0;
    for (int b = 0; b < n; ++b) {
      row += static_cast<double>(g(b, a));
      column += static_cast<double>(g(a, b));
    }
    worst = std::max({worst, std::fabs(row) / n, std::fabs(column) / n});
  }
  EXPECT_LT(worst / sd, 4.5 / std::sqrt(n / 4.37));
  double east = 0;
  double south = 0;
  double diagonal = 0;
  for (int y = 0; y + 20 < n; ++y)
    for (int x = 0; x + 20 < n; ++x) {
      const auto square = [&](int dx, int dy) {
        const double d = static_cast<double>(g(x + dx, y + dy)) - static_cast<double>(g(x, y));
        return d * d;
      };
      east += square(1, 0);
      south += square(0, 1);
      diagonal += square(1, 1) / 2;
    }
  EXPECT_NEAR(east / south, 1, 0.03);
  EXPECT_NEAR(diagonal / east, 1, 0.15);  // the lattice itself: Perlin noise is not quite isotropic
}

TEST(Noise, StreamsAndFieldsDiffer) {
  NoiseParams p;
  p.amplitude_m = 1;
  p.wavelength_m = 20;
  const GridSpec spec = spec_at(0, 0, 300, 300);
  const Grid<float> a = make(p, 1, spec);
  p.stream = 1;
  const Grid<float> b = make(p, 1, spec);
  double sum = 0;
  for (std::int64_t i = 0; i < a.cells(); ++i) sum += static_cast<double>(a[i] * b[i]);
  const double r = sum / static_cast<double>(a.cells()) / (stats(a).sd * stats(b).sd);
  EXPECT_LT(std::fabs(r), 0.15);
}

TEST(Noise, FarFromTheOriginIsAsRoughAsNear) {
  NoiseParams p;
  p.amplitude_m = 1;
  p.wavelength_m = 100;
  const auto roughness = [&](std::int64_t origin, double cell) {
    const Grid<float> g = make(p, 4, spec_at(origin, origin, 512, 512, cell));
    double sum = 0;
    for (int y = 0; y < 512; ++y)
      for (int x = 2; x < 512; ++x) {
        const double d =
            static_cast<double>(g(x, y)) - 2 * static_cast<double>(g(x - 1, y)) + static_cast<double>(g(x - 2, y));
        sum += d * d;
      }
    return std::sqrt(sum / (512.0 * 510.0));
  };
  for (const double cell : {1.0, 0.125}) {
    const double near = roughness(0, cell);
    EXPECT_GT(near, 0);
    for (const double distance : {1e6, 1e9, -1e9, 2.2e9})
      EXPECT_NEAR(roughness(static_cast<std::int64_t>(distance / cell), cell) / near, 1, 0.2) << distance;
  }
}

TEST(Noise, ExtremeParametersStayFinite) {
  NoiseParams p;
  p.amplitude_m = 1;
  p.wavelength_m = 1e-2;
  p.octaves = 24;
  p.lacunarity = 4;
  p.gain = 0.95;
  p.warp_m = 1e6;
  p.warp_wavelength_m = 1e-2;
  p.warp_octaves = 12;
  for (const double cell : {1e-3, 1.0, 1e4})
    for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{1} << 61, -(std::int64_t{1} << 61)})
      EXPECT_EQ(stats(make(p, 1, spec_at(origin, origin, 33, 9, cell))).not_finite, 0);
  p.wavelength_m = 1e8;
  p.lacunarity = 1.5;
  EXPECT_EQ(stats(make(p, 1, spec_at(-5, 5, 33, 9))).not_finite, 0);
  const Grid<float> nothing(0, 0);
  EXPECT_TRUE(nothing.empty());
  make(p, 1, spec_at(0, 0, 0, 0));
}

}  // namespace
}  // namespace thalweg::noise::testing
