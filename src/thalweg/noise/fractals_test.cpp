// What the fractals promise: ranges, means that fading keeps, resolution, and what each is in simple cases.
#include <gtest/gtest.h>

#include "thalweg/noise/noise_testing.h"

namespace thalweg::noise::testing {
namespace {

TEST(NoiseFractals, StayInTheirRange) {
  for (const bool warped : {false, true})
    for (NoiseParams p : every_sort(6, warped)) {
      p.wavelength_m = 31;
      p.amplitude_m = 100;
      p.offset_m = 1;
      p.damping_slope = 50;
      const Stats s = stats(make(p, 11, spec_at(0, 0, 200, 200)));
      EXPECT_EQ(s.not_finite, 0) << name_of(p);
      EXPECT_GE(s.min, has_both_signs(p) ? -99.0 : 1.0) << name_of(p);
      EXPECT_LE(s.max, 101.0) << name_of(p);
      EXPECT_GT(s.max - s.min, 30) << name_of(p);
    }
}

// The mean of a grid that is 5 and 12 times coarser is that of the fine one within 1.5 % of the range; of ridged sums,
// whose weights are not linear in the octaves, within 7 %.
TEST(NoiseFractals, FadingKeepsTheMean) {
  for (NoiseParams p : every_source())
    for (const Fractal f : every_fractal()) {
      p.fractal = f;
      p.octaves = 8;
      p.wavelength_m = 64;
      p.gain = 0.7;
      p.damping_slope = 0.05;
      const double fine = stats(make(p, 8, spec_at(0, 0, 600, 600, 1.5))).mean;
      for (const int coarser : {5, 12}) {
        const double coarse = stats(make(p, 8, spec_at(0, 0, 600 / coarser, 600 / coarser, 1.5 * coarser))).mean;
        EXPECT_NEAR(coarse, fine, f == Fractal::ridged ? 0.07 : 0.015) << name_of(p) << " " << coarser;
      }
    }
}

// Samples that two grids share differ by the faded octaves at most.
TEST(NoiseFractals, CoarseGridsDifferByWhatFaded) {
  for (NoiseParams p : every_sort(7, false)) {
    if (p.fractal != Fractal::fbm) continue;
    const GridSpec fine_spec = spec_at(0, 0, 240, 160, 1);
    const GridSpec coarse_spec = spec_at(0, 0, 30, 20, 8);
    const detail::Plan fine_plan = detail::make_plan(p, 3, fine_spec);
    const detail::Plan coarse_plan = detail::make_plan(p, 3, coarse_spec);
    double share = 0;
    for (std::size_t o = 0; o < 7; ++o) {
      const detail::Octave& a = fine_plan.main.octaves[o];
      const detail::Octave& b = coarse_plan.main.octaves[o];
      share += static_cast<double>(a.amplitude * (std::fabs(a.fade - b.fade) * (1 + std::fabs(b.mean))));
    }
    const Grid<float> fine = make(p, 3, fine_spec);
    const Grid<float> coarse = make(p, 3, coarse_spec);
    double worst = 0;
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 30; ++x)
        worst = std::max(worst, std::fabs(static_cast<double>(coarse(x, y)) - static_cast<double>(fine(8 * x, 8 * y))));
    EXPECT_LE(worst, share + 1e-6) << name_of(p);
    EXPECT_GT(worst, 0.2 * share) << name_of(p);
  }
}

/// One octave, and the plain noise it is made of.
struct Single {
  explicit Single(Fractal f, double strength = 2) {
    p.amplitude_m = 1;
    p.octaves = 1;
    p.wavelength_m = 50;
    p.source = Source::simplex;
    plain = make(p, 6, spec_at(0, 0, 200, 100));
    p.fractal = f;
    p.ping_pong_strength = strength;
    shaped = make(p, 6, spec_at(0, 0, 200, 100));
  }
  NoiseParams p;
  Grid<float> plain;
  Grid<float> shaped;
};

TEST(NoiseFractals, OneOctaveIsTheShapeOfTheNoise) {
  const Single hybrid(Fractal::hybrid);
  const Single half(Fractal::ping_pong, 0.5);
  const Single two(Fractal::ping_pong, 2);
  const Single billow(Fractal::billow);
  const Single ridged(Fractal::ridged);
  for (std::int64_t i = 0; i < hybrid.plain.cells(); ++i) {
    const double n = hybrid.plain[i];
    EXPECT_NEAR(hybrid.shaped[i], (n + 1) / 2, 1e-6);
    EXPECT_NEAR(half.shaped[i], (n + 1) / 2, 1e-6);  // rises once
    // Strength 2: -1 at 0, -1/2 at 1, 0 at 0, 1/2 at 1, 1 at 0.
    EXPECT_NEAR(two.shaped[i], 1 - std::fabs(2 * std::fabs(n) - 1), 1e-6);
    EXPECT_NEAR(billow.shaped[i], std::fabs(n), 1e-6);
    EXPECT_NEAR(ridged.shaped[i], (1 - std::fabs(n)) * (1 - std::fabs(n)), 1e-6);
  }
}

TEST(NoiseFractals, HybridIsRoughOnHeightsAndSmoothInValleys) {
  NoiseParams p;
  p.amplitude_m = 1;
  p.wavelength_m = 200;
  p.octaves = 6;
  p.fractal = Fractal::hybrid;
  const Grid<float> g = make(p, 6, spec_at(0, 0, 1000, 1000));
  double rough[2] = {};
  std::int64_t count[2] = {};
  const double middle = stats(g).mean;
  for (int y = 1; y < 999; ++y)
    for (int x = 1; x < 999; ++x) {
      const double bend =
          static_cast<double>(g(x - 1, y)) + static_cast<double>(g(x + 1, y)) - 2 * static_cast<double>(g(x, y));
      const int high = static_cast<double>(g(x, y)) > middle ? 1 : 0;
      rough[high] += std::fabs(bend);
      ++count[high];
    }
  EXPECT_GT(rough[1] / static_cast<double>(count[1]), 1.3 * rough[0] / static_cast<double>(count[0]));
}

TEST(NoiseFractals, SlopeDampedFollowsTheSlope) {
  NoiseParams p;
  p.amplitude_m = 300;
  p.wavelength_m = 400;
  p.octaves = 6;
  const GridSpec spec = spec_at(0, 0, 300, 300, 4);
  const Grid<float> plain = make(p, 6, spec);
  p.fractal = Fractal::slope_damped;
  p.damping_slope = 1e3;  // nothing is steep
  const Grid<float> same = make(p, 6, spec);
  for (std::int64_t i = 0; i < plain.cells(); ++i) EXPECT_NEAR(same[i], plain[i], 0.02);
  // One octave: the value itself over 1 + (slope / damping slope)^2.
  p.octaves = 1;
  p.damping_slope = 0.7;
  const Grid<float> damped = make(p, 6, spec);
  p.fractal = Fractal::fbm;
  Grid<float> value(300, 300);
  Grid<float> east(300, 300);
  Grid<float> north(300, 300);
  fill_with_gradient(p, 6, spec, value, east, north, Exec());
  for (std::int64_t i = 0; i < value.cells(); ++i) {
    const double gx = static_cast<double>(east[i]) / 0.7;
    const double gy = static_cast<double>(north[i]) / 0.7;
    EXPECT_NEAR(damped[i], static_cast<double>(value[i]) / (1 + gx * gx + gy * gy), 1e-3);
  }
}

TEST(NoiseFractals, ProgressiveWarpOfOneOctaveIsTheIndependentOne) {
  NoiseParams p;
  p.warp_m = 300;
  p.warp_octaves = 1;
  const GridSpec spec = spec_at(5, 6, 100, 100, 20);
  const Grid<float> independent = make(p, 2, spec);
  p.warp_fractal = WarpFractal::progressive;
  EXPECT_TRUE(same_bits(independent, make(p, 2, spec)));
  p.warp_octaves = 3;
  const Grid<float> progressive = make(p, 2, spec);
  p.warp_fractal = WarpFractal::independent;
  EXPECT_FALSE(same_bits(progressive, make(p, 2, spec)));
}

}  // namespace
}  // namespace thalweg::noise::testing
