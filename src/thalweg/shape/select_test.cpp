#include "thalweg/shape/select.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "thalweg/core/exact_math.h"
#include "thalweg/shape/test_fields.h"

namespace thalweg::shape {
namespace {

using test::kInf;
using test::random_field;
using test::same_bits;

// Heights as a function of metres east and north of the middle sample.
Grid<float> surface(int size, double cell_m, const std::function<double(double, double)>& f) {
  Grid<float> g(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) g(x, y) = static_cast<float>(f((x - size / 2) * cell_m, (size / 2 - y) * cell_m));
  return g;
}

Grid<float> selected(const SelectParams& p, GridView<const float> g, double cell_m = 1) {
  Grid<float> out(g.width(), g.height());
  select(p, CellGeometry::uniform(cell_m, g.height()), g, out, Exec());
  return out;
}

// The measure itself at one sample, found by bisecting where a hard-edged selection begins.
double measured(SelectBy by, GridView<const float> g, int x, int y, double low, double high, double cell_m = 1,
                double scale_m = 1) {
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    const SelectParams p{by, low, middle, 0, scale_m};
    (selected(p, g, cell_m)(x, y) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

TEST(Select, HeightBandHandWorked) {
  const Grid<float> g = test::row_of({-100, 100, 105, 110, 150, 200, 205, 300, kNoData<float>, kInf, -kInf});
  const Grid<float> out = selected({SelectBy::height, 110, 200, 10, 1}, g);
  EXPECT_TRUE(same_bits(out, test::row_of({0, 0, 0.5F, 1, 1, 1, 0.5F, 0, 0, 0, 0})));
  const Grid<float> hard = selected({SelectBy::height, 110, 200, 0, 1}, g);
  EXPECT_TRUE(same_bits(hard, test::row_of({0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0})));
}

TEST(Select, SlopeOfAPlaneEverywhereEvenAtEdgesAndCorners) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const double gx = 4 * unit_double(hash64(seed, 1)) - 2, gy = 4 * unit_double(hash64(seed, 2)) - 2;
    const double slope = std::atan(std::hypot(gx, gy)) * 180 / exact::kPi;
    double aspect = std::atan2(-gx, -gy) * 180 / exact::kPi;
    if (aspect < 0) aspect += 360;
    Grid<float> g = surface(7, 2, [&](double x, double y) { return gx * x + gy * y; });
    for (int i = 0; i < 10; ++i)
      g(static_cast<int>(hash64(seed, 5, i) % 7), static_cast<int>(hash64(seed, 6, i) % 7)) = kNoData<float>;
    const Grid<float> by_slope = selected({SelectBy::slope, slope - 0.01, slope + 0.01, 0, 2}, g, 2);
    const Grid<float> by_aspect =
        selected({SelectBy::aspect, std::fmod(aspect + 359.99, 360), std::fmod(aspect + 0.01, 360), 0, 2}, g, 2);
    const Grid<float> by_curvature = selected({SelectBy::curvature, -0.01, 0.01, 0, 2}, g, 2);
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 7; ++x) {
        int neighbours = 0, columns = 0, rows = 0;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i)
            if (g.view().contains(x + i, y + j) && !is_nodata(g(x + i, y + j)))
              neighbours += 1, columns |= 1 << (i + 1), rows |= 1 << (j + 1);
        if (is_nodata(g(x, y))) {
          EXPECT_EQ(by_slope(x, y), 0);
        } else if (neighbours >= 4) {  // with fewer they may lie on one line
          EXPECT_EQ(by_slope(x, y), 1) << x << ' ' << y;
          EXPECT_EQ(by_aspect(x, y), 1) << x << ' ' << y;
          EXPECT_EQ(by_curvature(x, y), 1) << x << ' ' << y;
        }
      }
  }
}

TEST(Select, ConeHasOneSlopeAndFacesOutward) {
  const Grid<float> g = surface(101, 1, [](double x, double y) { return 500 - 0.75 * std::hypot(x, y); });
  for (const auto& [x, y] : {std::pair{90, 50}, std::pair{50, 90}, std::pair{20, 20}, std::pair{10, 70}}) {
    EXPECT_NEAR(measured(SelectBy::slope, g, x, y, 0, 90), std::atan(0.75) * 180 / exact::kPi, 0.02);
    double facing = std::atan2(x - 50, 50 - y) * 180 / exact::kPi;
    if (facing < 0) facing += 360;
    EXPECT_NEAR(measured(SelectBy::aspect, g, x, y, 0, 360), facing, 0.05);
  }
}

TEST(Select, CompassDirections) {
  // Ground that faces north falls to the north.
  const Grid<float> north = surface(5, 1, [](double, double y) { return -y; });
  const Grid<float> east = surface(5, 1, [](double x, double) { return -x; });
  const Grid<float> level(5, 5, 3.0F);
  const SelectParams around_north{SelectBy::aspect, 315, 45, 10, 1}, around_east{SelectBy::aspect, 45, 135, 10, 1},
      all{SelectBy::aspect, 0, 360, 0, 1};
  EXPECT_EQ(selected(around_north, north)(2, 2), 1);
  EXPECT_EQ(selected(around_north, east)(2, 2), 0);
  EXPECT_EQ(selected(around_east, east)(2, 2), 1);
  EXPECT_EQ(selected(around_east, north)(2, 2), 0);
  EXPECT_EQ(selected(all, north)(2, 2), 1);
  EXPECT_EQ(selected(all, level)(2, 2), 0);
  // The soft edge reaches through north as well: 5 of 10 degrees outside is half.
  EXPECT_NEAR(selected({SelectBy::aspect, 5, 90, 10, 1}, north)(2, 2), 0.5, 1e-6);
  EXPECT_NEAR(selected({SelectBy::aspect, 270, 355, 10, 1}, north)(2, 2), 0.5, 1e-6);
}

TEST(Select, CurvatureOfParaboloids) {
  for (const auto& [a, b] : {std::pair{0.001, 0.002}, std::pair{-0.003, 0.001}, std::pair{-0.002, -0.002}}) {
    const Grid<float> g = surface(
        21, 4, [a = a, b = b](double x, double y) { return a * x * x + b * y * y + 0.3 * x - y + 0.001 * x * y; });
    // Positive in hollows, in 1/km.
    EXPECT_NEAR(measured(SelectBy::curvature, g, 9, 12, -20, 20, 4, 4), 2000 * (a + b), 0.01);
    EXPECT_NEAR(measured(SelectBy::curvature, g, 9, 12, -20, 20, 4, 12), 2000 * (a + b), 0.01) << "any scale";
    EXPECT_NEAR(measured(SelectBy::slope, g, 9, 12, 0, 90, 4, 12),
                std::atan(std::hypot(2 * a * -4 + 0.3 + 0.001 * -8, 2 * b * -8 - 1 + 0.001 * -4)) * 180 / exact::kPi,
                0.001);
  }
}

TEST(Select, SoftSlopeIsASmoothstepOfDegrees) {
  for (const double degrees : {20.0, 24.0, 25.0, 26.0, 28.0, 30.0, 45.0, 60.0, 61.0, 63.0, 65.0, 70.0}) {
    const Grid<float> g = surface(3, 1, [&](double x, double) { return x * std::tan(degrees * exact::kPi / 180); });
    const double outside = std::max({30 - degrees, degrees - 60, 0.0}) / 5;
    const double t = 1 - std::min(outside, 1.0);
    EXPECT_NEAR(selected({SelectBy::slope, 30, 60, 5, 1}, g)(1, 1), t * t * (3 - 2 * t), 1e-5) << degrees;
  }
  EXPECT_EQ(selected({SelectBy::slope, 0, 10, 5, 1}, Grid<float>(3, 3, 7.0F))(1, 1), 1) << "level ground";
}

TEST(Select, HalfTheCellSizeGivesTheSameMask) {
  const auto land = [](double x, double y) { return 40 * std::sin(x / 60) * std::cos(y / 45) + 0.1 * x; };
  const Grid<float> coarse = surface(41, 10, land), fine = surface(81, 5, land);
  for (const SelectBy by : {SelectBy::slope, SelectBy::aspect, SelectBy::curvature}) {
    const SelectParams p{by, 10, 25, 4, 20};
    const Grid<float> a = selected(p, coarse, 10), b = selected(p, fine, 5);
    for (int y = 2; y < 39; ++y)
      for (int x = 2; x < 39; ++x) ASSERT_NEAR(a(x, y), b(2 * x, 2 * y), 1e-4);
  }
}

TEST(Select, NonSquareAndGeographicCells) {
  Grid<float> g(9, 9), out(9, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x) g(x, y) = static_cast<float>(3 * x + 8 * y);
  // 1 in 1 eastward and 2 in 1 southward.
  const double slope = std::atan(std::sqrt(5.0)) * 180 / exact::kPi;
  select({SelectBy::slope, slope - 0.01, slope + 0.01, 0, 9}, CellGeometry::uniform(3, 4, 9), g, out, Exec());
  for (std::int64_t i = 0; i < out.cells(); ++i) EXPECT_EQ(out[i], 1);
  const CellGeometry polar = CellGeometry::geographic(89.9, 0.01, 0.01, 9);
  select({SelectBy::slope, 0, 90, 0, 1e5}, polar, g, out, Exec());
  for (std::int64_t i = 0; i < out.cells(); ++i) EXPECT_EQ(out[i], 1);
}

TEST(Select, WindowsWithTheHaloHaveTheBitsOfTheWholeForAnyThreads) {
  const Grid<float> g = random_field(300, 260, 4, 0, 40, 0.02);
  for (const SelectParams& p :
       {SelectParams{SelectBy::slope, 30, 50, 20, 3}, SelectParams{SelectBy::aspect, 300, 50, 40, 3},
        SelectParams{SelectBy::curvature, -100, 1000, 4000, 3}, SelectParams{SelectBy::height, 10, 20, 10, 3}}) {
    const int halo = select_halo_cells(p, 1);
    EXPECT_EQ(halo, p.by == SelectBy::height ? 0 : 3);
    const Grid<float> whole = selected(p, g);
    Grid<float> part(300, 260);
    const int x = 30, y = 31, w = 41, h = 33;
    select(p, CellGeometry::uniform(1, h + 2 * halo), g.view().window(x - halo, y - halo, w + 2 * halo, h + 2 * halo),
           part.view().window(x - halo, y - halo, w + 2 * halo, h + 2 * halo), Exec());
    EXPECT_TRUE(same_bits(whole.view().window(x, y, w, h), part.view().window(x, y, w, h)));
    for (const Exec& exec : test::all_execs()) {
      Grid<float> out(300, 260);
      select(p, CellGeometry::uniform(1, 260), g, out, exec);
      EXPECT_TRUE(same_bits(whole, out));
    }
  }
}

TEST(Select, OddFieldsOfAllSizesGiveMasks) {
  for (const auto& [w, h] : test::edge_sizes())
    for (const Grid<float>& g : test::odd_fields(w, h))
      for (const SelectBy by : {SelectBy::height, SelectBy::slope, SelectBy::aspect, SelectBy::curvature})
        for (const double scale : {0.01, 2.0, 1e5}) {
          const Grid<float> out = selected({by, 0, 50, 10, scale}, g);
          for (std::int64_t i = 0; i < g.cells(); ++i) {
            EXPECT_GE(out[i], 0);
            EXPECT_LE(out[i], 1);
            if (std::isnan(g[i])) {
              EXPECT_EQ(out[i], 0);
            }
          }
        }
  EXPECT_EQ(selected({SelectBy::slope, 0, 1, 0, 1}, Grid<float>(1, 1, 5.0F))[0], 1) << "alone it is level";
}

TEST(Select, CheckRejectsBadRanges) {
  const double nan = std::nan("");
  EXPECT_TRUE(check_select({SelectBy::slope, 30, 30, 5, 20}));
  EXPECT_FALSE(check_select({SelectBy::slope, 40, 30, 5, 20}));
  EXPECT_FALSE(check_select({SelectBy::slope, nan, 30, 5, 20}));
  EXPECT_TRUE(check_select({SelectBy::aspect, 315, 45, 5, 20}));
  EXPECT_FALSE(check_select({SelectBy::aspect, -45, 45, 5, 20}));
  EXPECT_FALSE(check_select({SelectBy::aspect, 0, 361, 5, 20}));
  EXPECT_FALSE(check_select({SelectBy::slope, 0, 10, -1, 20}));
  EXPECT_FALSE(check_select({SelectBy::slope, 0, 10, 1, 0}));
}

}  // namespace
}  // namespace thalweg::shape
