// Analytic derivatives: against differences of the obvious version, and that the values are those of a fill.
#include <gtest/gtest.h>

#include "thalweg/noise/noise_testing.h"

namespace thalweg::noise::testing {
namespace {

struct Filled {
  Filled(const NoiseParams& p, const GridSpec& spec, const Exec& exec = Exec())
      : value(spec.width, spec.height), east(spec.width, spec.height), north(spec.width, spec.height) {
    fill_with_gradient(p, 9, spec, value, east, north, exec);
  }
  Grid<float> value;
  Grid<float> east;
  Grid<float> north;
};

std::vector<NoiseParams> differentiable() {
  NoiseParams p;
  p.wavelength_m = 120;
  p.amplitude_m = 40;
  p.offset_m = 7;
  p.octaves = 6;
  std::vector<NoiseParams> all;
  for (const Source s : {Source::perlin, Source::simplex, Source::value}) {
    p.source = s;
    all.push_back(p);
  }
  return all;
}

TEST(NoiseGradient, IsTheDerivativeOfTheObviousVersion) {
  for (const NoiseParams& p : differentiable())
    for (const std::int64_t origin : {std::int64_t{-30}, std::int64_t{1000000000}}) {
      GridSpec spec = spec_at(origin, -origin, 41, 23);
      spec.cell_m = 1.5;
      spec.cell_y_m = 2;
      const Filled filled(p, spec);
      const detail::Plan plan = detail::make_plan(p, 9, spec);
      double worst = 0;
      double largest = 0;
      for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x) {
          double east = 0;
          double north = 0;
          for (const detail::Octave& o : plan.main.octaves) {
            if (o.fade == 0) continue;
            const double px = static_cast<double>(origin + x) * 1.5 * o.frequency + o.shift_x;
            const double py = static_cast<double>(-origin + y) * 2 * o.frequency + o.shift_y;
            const double h = 1e-5;
            const auto change = [&](double dx, double dy) {
              return (reference_noise(plan.main, o, px, py, dx, dy) - reference_noise(plan.main, o, px, py, -dx, -dy)) *
                     static_cast<double>(o.amplitude * o.fade) * o.frequency / (2 * h);
            };
            east += change(h, 0);
            north -= change(0, h);  // rows go south
          }
          worst = std::max({worst, std::fabs(static_cast<double>(filled.east(x, y)) - 40 * east),
                            std::fabs(static_cast<double>(filled.north(x, y)) - 40 * north)});
          largest = std::max(largest, std::fabs(40 * east));
        }
      EXPECT_LT(worst, 2e-5 * largest) << name_of(p) << " at " << origin;
      EXPECT_GT(largest, 0.3);
    }
}

TEST(NoiseGradient, MatchesDifferencesOfTheGrid) {
  for (NoiseParams p : differentiable()) {
    p.octaves = 2;
    const GridSpec spec = spec_at(0, 0, 200, 100, 0.25);
    const Filled f(p, spec);
    for (int y = 1; y < 99; ++y)
      for (int x = 1; x < 199; ++x) {
        EXPECT_NEAR(f.east(x, y),
                    (static_cast<double>(f.value(x + 1, y)) - static_cast<double>(f.value(x - 1, y))) / 0.5, 2e-3);
        EXPECT_NEAR(f.north(x, y),
                    (static_cast<double>(f.value(x, y - 1)) - static_cast<double>(f.value(x, y + 1))) / 0.5, 2e-3);
      }
  }
}

TEST(NoiseGradient, ValuesAreTheBitsOfAFillAndAllIsTheSameEverywhere) {
  const SimdCapLifted lift;
  for (const NoiseParams& p : differentiable()) {
    ASSERT_TRUE(cap_simd("").ok());
    const GridSpec spec = spec_at(999999000, -70, 530, 290);
    const Filled all(p, spec);
    EXPECT_TRUE(same_bits(all.value, make(p, 9, spec))) << name_of(p);
    for (const int threads : {2, 7}) {
      const Filled other(p, spec, Exec(threads));
      EXPECT_TRUE(same_bits(all.east, other.east) && same_bits(all.north, other.north)) << name_of(p);
    }
    const Filled part(p, spec_at(999999000 + 250, -70 + 3, 20, 9));
    EXPECT_TRUE(same_bits(all.east.view().window(250, 3, 20, 9), part.east)) << name_of(p);
    EXPECT_TRUE(same_bits(all.north.view().window(250, 3, 20, 9), part.north)) << name_of(p);
    for (const std::string& level : simd_levels()) {
      ASSERT_TRUE(cap_simd(level).ok());
      const Filled other(p, spec_at(999999000, -70, 530, 20));
      EXPECT_TRUE(same_bits(all.value.view().window(0, 0, 530, 20), other.value)) << level << " " << name_of(p);
      EXPECT_TRUE(same_bits(all.east.view().window(0, 0, 530, 20), other.east)) << level << " " << name_of(p);
      EXPECT_TRUE(same_bits(all.north.view().window(0, 0, 530, 20), other.north)) << level << " " << name_of(p);
    }
  }
}

// The mean of gradient times its transpose shows a lattice's preferred directions: simplex noise has none.
TEST(NoiseGradient, HasNoPreferredDirection) {
  for (NoiseParams p : differentiable()) {
    p.octaves = 1;
    p.wavelength_m = 6;
    const Filled f(p, spec_at(-40, 77, 1500, 1500));
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (std::int64_t i = 0; i < f.value.cells(); ++i) {
      const double gx = f.east[i];
      const double gy = f.north[i];
      xx += gx * gx;
      yy += gy * gy;
      xy += gx * gy;
    }
    EXPECT_NEAR(xx / yy, 1, 0.02) << name_of(p);
    EXPECT_NEAR(xy / xx, 0, 0.01) << name_of(p);
  }
}

TEST(NoiseGradient, SaysWhatHasNone) {
  NoiseParams p;
  EXPECT_TRUE(check_gradient(p).ok());
  p.warp_m = 1;
  EXPECT_EQ(check_gradient(p).error().text(), "warp_m: must be 0 for derivatives");
  p.warp_m = 0;
  p.source = Source::cellular;
  EXPECT_EQ(check_gradient(p).error().text(), "source: must be perlin, simplex or value for derivatives");
  p.source = Source::value;
  p.fractal = Fractal::ridged;
  EXPECT_EQ(check_gradient(p).error().text(), "fractal: must be fbm for derivatives");
}

TEST(NoiseGradient, OddSizes) {
  for (const auto& size : {std::pair{1, 1}, std::pair{1, 9}, std::pair{9, 1}, std::pair{257, 2}, std::pair{0, 0}}) {
    const Filled f(differentiable()[1], spec_at(3, 4, size.first, size.second));
    EXPECT_EQ(f.value.cells(), f.east.cells());
  }
}

}  // namespace
}  // namespace thalweg::noise::testing
