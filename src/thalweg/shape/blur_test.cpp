#include "thalweg/shape/blur.h"

#include <gtest/gtest.h>

#include <cmath>

#include "thalweg/shape/test_fields.h"

namespace thalweg::shape {
namespace {

using test::kInf;
using test::random_field;
using test::same_bits;

// Straight from the definition: the weighted mean over a window in two dimensions.
Grid<float> slow_blur(double radius_m, const CellGeometry& geometry, GridView<const float> in) {
  Grid<float> out(in.width(), in.height());
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) {
      const auto& cell = geometry.row(y);
      double sum = 0, weights = 0;
      for (int v = 0; v < in.height(); ++v)
        for (int u = 0; u < in.width(); ++u) {
          const double dx = std::fabs((u - x) * cell.dx_m), dy = std::fabs((v - y) * cell.dy_m);
          if (dx > 1.5000001 * radius_m || dy > 1.5000001 * radius_m || is_nodata(in(u, v))) continue;
          const double weight = std::exp(-2.0 * (dx * dx + dy * dy) / (radius_m * radius_m));
          sum += weight * in(u, v);
          weights += weight;
        }
      out(x, y) = is_nodata(in(x, y)) ? kNoData<float> : static_cast<float>(sum / weights);
    }
  return out;
}

void expect_near(GridView<const float> a, GridView<const float> b, double tolerance) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      ASSERT_EQ(std::isnan(a(x, y)), std::isnan(b(x, y))) << x << ' ' << y;
      if (!std::isnan(a(x, y))) {
        ASSERT_NEAR(a(x, y), b(x, y), tolerance) << x << ' ' << y;
      }
    }
}

TEST(Blur, HandWorked) {
  // radius 2 m: deviation 1 m, cut off at 3 m. A spike of 1 in a long row of zeros becomes the weights themselves.
  Grid<float> g(9, 1, 0.0F);
  g[4] = 1;
  Grid<float> out(9, 1);
  blur({.radius_m = 2}, CellGeometry::uniform(1, 1), g, out, Exec());
  const double w[] = {1, std::exp(-0.5), std::exp(-2.0), std::exp(-4.5)};
  const double total = w[0] + 2 * (w[1] + w[2] + w[3]);
  EXPECT_FLOAT_EQ(out[4], static_cast<float>(w[0] / total));
  EXPECT_FLOAT_EQ(out[3], static_cast<float>(w[1] / total));
  EXPECT_FLOAT_EQ(out[5], static_cast<float>(w[1] / total));
  EXPECT_FLOAT_EQ(out[6], static_cast<float>(w[2] / (total - w[3])));
  EXPECT_FLOAT_EQ(out[7], static_cast<float>(w[3] / (total - w[2] - w[3])));
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(blur_halo_cells({.radius_m = 2}, 1), 3);
  EXPECT_EQ(blur_halo_cells({.radius_m = 2}, 3.1), 0);
}

TEST(Blur, AgreesWithTheDefinition) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const double radius = 1 + 4 * unit_double(hash64(seed, 1));
    const Grid<float> g = random_field(37, 29, seed, -500, 1500, seed % 2 == 0 ? 0 : 0.3);
    Grid<float> out(37, 29);
    for (const CellGeometry& geometry : {CellGeometry::uniform(1, 29), CellGeometry::uniform(1.3, 0.7, 29)}) {
      blur({radius}, geometry, g, out, Exec());
      expect_near(out, slow_blur(radius, geometry, g), 1e-3);
    }
  }
}

TEST(Blur, GeographicRowsHaveTheirOwnWidth) {
  const CellGeometry geometry = CellGeometry::geographic(75, 0.01, 0.01, 40);
  for (const double holes : {0.0, 0.05}) {
    const Grid<float> g = random_field(60, 40, 3, 0, 1000, holes);
    Grid<float> out(60, 40);
    blur({2000}, geometry, g, out, Exec());
    expect_near(out, slow_blur(2000, geometry, g), 1e-3);
  }
}

TEST(Blur, ConstantsKeepTheirBits) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const double scale = seed % 3 == 0 ? 1e30 : (seed % 3 == 1 ? 1e4 : 1e-38);
    const auto value = static_cast<float>((unit_double(hash64(seed, 0)) - 0.3) * scale);
    Grid<float> g(40, 30, value);
    for (std::int64_t i = 0; i < g.cells(); ++i)
      if (seed % 4 == 0 && unit_double(hash64(seed, i, 1)) < 0.4) g[i] = kNoData<float>;
    Grid<float> out(40, 30);
    blur({.radius_m = 0.3 + 20 * unit_double(hash64(seed, 2))}, CellGeometry::uniform(0.9, 1.1, 30), g, out, Exec());
    EXPECT_TRUE(same_bits(g, out));
  }
}

TEST(Blur, WindowsWithTheHaloHaveTheBitsOfTheWhole) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Grid<float> g = random_field(120, 110, seed, -500, 1500, seed % 2 == 0 ? 0 : 0.02);
    const BlurParams p{.radius_m = 1 + static_cast<double>(seed) * 2.1};
    const int halo = blur_halo_cells(p, 1);
    Grid<float> whole(120, 110), part(120, 110);
    blur(p, CellGeometry::uniform(1, 110), g, whole, Exec());
    const int x = 30, y = 31, w = 41, h = 33;
    blur(p, CellGeometry::uniform(1, h + 2 * halo), g.view().window(x - halo, y - halo, w + 2 * halo, h + 2 * halo),
         part.view().window(x - halo, y - halo, w + 2 * halo, h + 2 * halo), Exec());
    EXPECT_TRUE(same_bits(whole.view().window(x, y, w, h), part.view().window(x, y, w, h)));
  }
}

TEST(Blur, MirroredLandGivesMirroredBits) {
  const Grid<float> g = random_field(50, 40, 8, 0, 100, 0.1);
  Grid<float> mirrored(50, 40), out(50, 40), out_mirrored(50, 40), back(50, 40);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x) mirrored(x, y) = g(49 - x, 39 - y);
  blur({3}, CellGeometry::uniform(1, 40), g, out, Exec());
  blur({3}, CellGeometry::uniform(1, 40), mirrored, out_mirrored, Exec());
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x) back(x, y) = out_mirrored(49 - x, 39 - y);
  EXPECT_TRUE(same_bits(out, back));
}

TEST(Blur, SameBitsForAnyThreads) {
  const Grid<float> g = random_field(513, 300, 9, 0, 100, 0.001);
  for (const CellGeometry& geometry : {CellGeometry::uniform(1, 300), CellGeometry::geographic(60, 1e-5, 1e-5, 300)}) {
    Grid<float> expected(513, 300);
    blur({4}, geometry, g, expected, Exec());
    for (const Exec& exec : test::all_execs()) {
      Grid<float> out(513, 300);
      blur({4}, geometry, g, out, exec);
      EXPECT_TRUE(same_bits(expected, out));
    }
  }
}

TEST(Blur, OddFieldsOfAllSizes) {
  for (const auto& [w, h] : test::edge_sizes())
    for (const Grid<float>& g : test::odd_fields(w, h))
      for (const double radius : {0.01, 1.0, 500.0}) {
        Grid<float> out(w, h);
        blur({radius}, CellGeometry::uniform(1, h), g, out, Exec());
        for (std::int64_t i = 0; i < g.cells(); ++i)
          if (std::isnan(g[i])) {
            EXPECT_TRUE(std::isnan(out[i]));
          }
      }
}

TEST(Blur, CheckLimitsTheHalo) {
  EXPECT_TRUE(check_blur({.radius_m = 100}, 1));
  EXPECT_TRUE(check_blur({.radius_m = 1365}, 1));
  EXPECT_FALSE(check_blur({.radius_m = 1367}, 1));
  EXPECT_FALSE(check_blur({.radius_m = std::nan("")}, 1));
  EXPECT_FALSE(check_blur({.radius_m = 0}, 1));
}

}  // namespace
}  // namespace thalweg::shape
