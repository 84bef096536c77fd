#include "thalweg/shape/point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "thalweg/core/random.h"

namespace thalweg::shape {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

GridSpec spec_of(int width, int height) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  return spec;
}

TEST(Redistribute, HandWorked) {
  Grid<float> g(7, 1);
  const float in[] = {-50, 0, 250, 500, 1000, 4000, kNoData<float>};
  std::memcpy(g.data(), in, sizeof in);
  Grid<float> out(7, 1);
  redistribute({.low_m = 0, .high_m = 1000, .exponent = 2}, g, out, Exec());
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], 62.5F);
  EXPECT_EQ(out[3], 250);
  EXPECT_EQ(out[4], 1000);
  EXPECT_EQ(out[5], 1000);
  EXPECT_TRUE(std::isnan(out[6]));
  redistribute({.low_m = -500, .high_m = 500, .exponent = 0.5}, g, out, Exec());
  EXPECT_FLOAT_EQ(out[1], static_cast<float>(-500 + 1000 * std::sqrt(0.5)));
}

TEST(Redistribute, AllExponentsAgreeWithPow) {
  for (double k = 0.1; k <= 16; k += 0.1) {
    const double exponent = std::round(k * 10) / 10;
    Grid<float> g(101, 1);
    for (int i = 0; i <= 100; ++i) g[i] = static_cast<float>(i);
    redistribute({.low_m = 0, .high_m = 100, .exponent = exponent}, g, g, Exec());
    for (int i = 0; i <= 100; ++i) {
      EXPECT_NEAR(g[i], 100 * std::pow(i / 100.0, exponent), 1e-5) << exponent;
      if (i > 0) {
        EXPECT_GE(g[i], g[i - 1]);
      }
    }
  }
}

TEST(Island, EdgeLiesAtLowWhateverTheLand) {
  for (const IslandShape shape : {IslandShape::square_bump, IslandShape::euclidean})
    for (const auto& size : {std::pair{1, 1}, std::pair{1, 9}, std::pair{9, 1}, std::pair{2, 2}, std::pair{3, 3},
                             std::pair{64, 33}, std::pair{129, 129}})
      for (const float land : {-1000.0F, 0.0F, 1e30F, kInf}) {
        Grid<float> g(size.first, size.second, land);
        const IslandParams p{.shape = shape, .low_m = -137.3, .high_m = 900, .mix = 0.3, .margin = 0.2};
        island(p, spec_of(size.first, size.second), g, g, Exec());
        for (int y = 0; y < size.second; ++y)
          for (int x = 0; x < size.first; ++x)
            if (x == 0 || y == 0 || x == size.first - 1 || y == size.second - 1) {
              EXPECT_EQ(g(x, y), -137.3F) << x << "," << y << " of " << size.first << "x" << size.second;
            }
      }
}

TEST(Island, HandWorkedCentreAndMix) {
  Grid<float> g(5, 5, 600.0F);
  IslandParams p{.shape = IslandShape::square_bump, .low_m = -200, .high_m = 1000, .mix = 0.5, .margin = 0.25};
  Grid<float> out(5, 5);
  island(p, spec_of(5, 5), g, out, Exec());
  // e = 2/3; centre d = 0: (2/3 + 1) / 2 = 5/6 -> 800. (1, 2): d = 1/4: (2/3 + 3/4) / 2 = 17/24 -> 650.
  EXPECT_FLOAT_EQ(out(2, 2), 800);
  EXPECT_FLOAT_EQ(out(1, 2), 650);
  EXPECT_EQ(out(1, 2), out(3, 2));
  EXPECT_EQ(out(2, 1), out(1, 2));
  p.shape = IslandShape::euclidean;
  island(p, spec_of(5, 5), g, out, Exec());
  EXPECT_FLOAT_EQ(out(1, 2), 500);  // d = 1/2: (2/3 + 1/2) / 2 = 7/12
  p.mix = 0;
  island(p, spec_of(5, 5), g, out, Exec());
  EXPECT_FLOAT_EQ(out(2, 2), 600);  // the land as it is away from the margin
}

TEST(Island, SinksContinuouslyAndNeverUnderTheFloor) {
  const int n = 201;
  for (const IslandShape shape : {IslandShape::square_bump, IslandShape::euclidean})
    for (const float land : {-150.0F, 300.0F, 2500.0F}) {
      Grid<float> g(n, n, land);
      island({.shape = shape, .low_m = -200, .high_m = 1000}, spec_of(n, n), g, g, Exec());
      for (int x = 1; x < n; ++x) {
        EXPECT_LT(std::fabs(g(x, 100) - g(x - 1, 100)), 0.08F * (land + 1400)) << x;
        if (x <= 100) {
          EXPECT_GE(g(x, 100), g(x - 1, 100)) << x;
        }
        EXPECT_GE(g(x, 100), -200.0F);
      }
    }
}

TEST(Island, KeepsNoDataAndDoesNotDependOnThreads) {
  const GridSpec spec = spec_of(300, 500);
  Grid<float> land(300, 500);
  for (int y = 0; y < 500; ++y)
    for (int x = 0; x < 300; ++x) land(x, y) = static_cast<float>(600 * unit_double(hash64(3, x, y)));
  land(100, 100) = kNoData<float>;
  land(0, 0) = kNoData<float>;
  Grid<float> one(300, 500);
  Grid<float> seven(300, 500);
  island({}, spec, land, one, Exec());
  island({}, spec, land, seven, Exec(7));
  EXPECT_EQ(std::memcmp(one.data(), seven.data(), static_cast<std::size_t>(one.cells()) * sizeof(float)), 0);
  EXPECT_TRUE(std::isnan(one(100, 100)));
  EXPECT_TRUE(std::isnan(one(0, 0)));
  Grid<float> endless(300, 500, kInf);
  for (const double mix : {0.0, 0.5, 1.0}) {
    island({.mix = mix}, spec, endless, one, Exec());
    for (std::int64_t i = 0; i < one.cells(); ++i) ASSERT_FALSE(std::isnan(one[i]));
  }
}

}  // namespace
}  // namespace thalweg::shape
