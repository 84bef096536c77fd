#include "thalweg/mesh/grid_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "thalweg/core/random.h"

namespace thalweg::mesh {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

GridSpec spec_of(int width, int height, double cell_x = 2, double cell_y = 3) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  spec.cell_m = cell_x;
  spec.cell_y_m = cell_y;
  return spec;
}

Grid<float> random_land(int width, int height, std::uint64_t seed) {
  Grid<float> g(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) g(x, y) = static_cast<float>(unit_double(hash64(seed, x, y)) * 10);
  return g;
}

/// Twice the area of each triangle seen from above is positive where it is counter-clockwise; every inner edge is used
/// once in each direction.
void check_orientation_and_edges(const Mesh& m, const std::string& what) {
  SCOPED_TRACE(what);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::vector<char> used(static_cast<std::size_t>(m.vertices()), 0);
  for (std::size_t t = 0; t < m.indices.size(); t += 3) {
    const std::uint32_t v[3] = {m.indices[t], m.indices[t + 1], m.indices[t + 2]};
    const float* a = &m.positions[3 * v[0]];
    const float* b = &m.positions[3 * v[1]];
    const float* c = &m.positions[3 * v[2]];
    const float up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    EXPECT_GT(up, 0) << "triangle " << t / 3;
    for (int i = 0; i < 3; ++i) {
      used[v[i]] = 1;
      EXPECT_EQ(++edges[std::make_pair(v[i], v[(i + 1) % 3])], 1);
    }
  }
  for (const char u : used) EXPECT_EQ(u, 1);
}

TEST(GridMesh, TwoByTwoByHand) {
  Grid<float> g(2, 2);
  g(0, 0) = 1;
  g(1, 0) = 5;
  g(0, 1) = 7;
  g(1, 1) = 2;
  GridSpec spec = spec_of(2, 2);
  spec.origin_x = 10;
  spec.origin_y = -4;
  const Mesh m = grid_mesh({}, spec, g, Exec());
  EXPECT_EQ(m.origin, (std::array<double, 3>{20, 0, -12}));
  EXPECT_EQ(m.positions, (std::vector<float>{0, 1, 0, 2, 5, 0, 0, 7, 3, 2, 2, 3}));
  EXPECT_EQ(m.uvs, (std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1}));
  // |1 - 2| < |5 - 7|: split from north-west to south-east.
  EXPECT_EQ(m.indices, (std::vector<std::uint32_t>{0, 2, 3, 0, 3, 1}));
  // Slopes at the first vertex: (5 - 1) / 2 east, (7 - 1) / 3 south.
  EXPECT_FLOAT_EQ(m.normals[0], -2.0F / 3.0F);
  EXPECT_FLOAT_EQ(m.normals[1], 1.0F / 3.0F);
  EXPECT_FLOAT_EQ(m.normals[2], -2.0F / 3.0F);
  EXPECT_FLOAT_EQ(m.tangents[1] / m.tangents[0], 2.0F);
  EXPECT_EQ(m.tangents[3], 1.0F);
  g(1, 1) = 20;  // |1 - 20| > |5 - 7|: the other one
  EXPECT_EQ(grid_mesh({}, spec, g, Exec()).indices, (std::vector<std::uint32_t>{0, 2, 1, 1, 2, 3}));
}

TEST(GridMesh, NormalsOfAPlane) {
  Grid<float> g(7, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) g(x, y) = static_cast<float>(0.5 * 2 * x - 0.25 * 3 * y);
  const Mesh m = grid_mesh({}, spec_of(7, 5), g, Exec());
  const double length = std::sqrt(0.25 + 0.0625 + 1);
  for (std::size_t v = 0; v < static_cast<std::size_t>(m.vertices()); ++v) {
    EXPECT_NEAR(m.normals[3 * v], -0.5 / length, 1e-6);
    EXPECT_NEAR(m.normals[3 * v + 1], 1 / length, 1e-6);
    EXPECT_NEAR(m.normals[3 * v + 2], 0.25 / length, 1e-6);
  }
}

TEST(GridMesh, MiddleSampleChoosesTheDiagonal) {
  // One cell of 2 x 2 steps. Both diagonals are as steep; the middle sample lies on one of them.
  Grid<float> g(3, 3);
  g(0, 0) = g(2, 2) = 4;
  g(1, 1) = 4;
  EXPECT_EQ(grid_mesh({.step = 2}, spec_of(3, 3), g, Exec()).indices, (std::vector<std::uint32_t>{0, 2, 3, 0, 3, 1}));
  g(1, 1) = 0;
  EXPECT_EQ(grid_mesh({.step = 2}, spec_of(3, 3), g, Exec()).indices, (std::vector<std::uint32_t>{0, 2, 1, 1, 2, 3}));
}

TEST(GridMesh, RidgeIsNotSawn) {
  // A ridge along the rising diagonal: every cell that it passes must be split along it, but for the two at the border,
  // where too little is known.
  Grid<float> g(8, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) g(x, y) = static_cast<float>(-std::abs(x + y - 7));
  const Mesh m = grid_mesh({}, spec_of(8, 8), g, Exec());
  for (std::size_t t = 0; t < m.indices.size(); t += 3)
    for (int i = 0; i < 3; ++i) {
      const auto a = m.indices[t + static_cast<std::size_t>(i)];
      const auto b = m.indices[t + static_cast<std::size_t>((i + 1) % 3)];
      const int xa = static_cast<int>(a % 8), ya = static_cast<int>(a / 8);
      const int xb = static_cast<int>(b % 8), yb = static_cast<int>(b / 8);
      if (xa + ya == 7 || xb + yb == 7) continue;
      if (std::min(xa, ya) == 0 || std::max(xa, ya) == 7) continue;
      EXPECT_FALSE((xa + ya < 7) != (xb + yb < 7)) << "an edge crosses the ridge";
    }
}

TEST(GridMesh, StepKeepsTheLastRowAndColumn) {
  const Grid<float> g = random_land(8, 6, 1);
  const Mesh m = grid_mesh({.step = 3}, spec_of(8, 6), g, Exec());
  EXPECT_EQ(m.vertices(), 4 * 3);  // columns 0 3 6 7, rows 0 3 5
  EXPECT_EQ(m.triangles(), 3 * 2 * 2);
  EXPECT_EQ(m.positions[3 * 3], 14.0F);
  EXPECT_EQ(m.positions[3 * 11 + 2], 15.0F);
  EXPECT_EQ(m.positions[3 * 11 + 1], g(7, 5));
  EXPECT_EQ(kept_samples({.step = 3}, spec_of(8, 6)), 12);
  check_orientation_and_edges(m, "step 3");
  EXPECT_EQ(grid_mesh({.step = 1000}, spec_of(8, 6), g, Exec()).triangles(), 2);
}

TEST(GridMesh, NoDataMakesNoTrianglesAndNoVertices) {
  Grid<float> g = random_land(3, 3, 2);
  g(1, 1) = kHole;
  Mesh m = grid_mesh({}, spec_of(3, 3), g, Exec());
  EXPECT_EQ(m.triangles(), 4);  // a corner triangle in each cell
  EXPECT_EQ(m.vertices(), 8);
  check_orientation_and_edges(m, "hole in the middle");
  g(1, 0) = std::numeric_limits<float>::infinity();
  m = grid_mesh({}, spec_of(3, 3), g, Exec());
  EXPECT_EQ(m.triangles(), 2);
  EXPECT_EQ(m.vertices(), 5);  // north-west and north-east corners are left out too
  g.fill(kHole);
  EXPECT_EQ(grid_mesh({}, spec_of(3, 3), g, Exec()).vertices(), 0);
}

TEST(GridMesh, RandomLandsWithHolesAreClosedAndTheSameForAnyThreads) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Grid<float> g = random_land(300, 257, seed);
    for (std::int64_t i = 0; i < g.cells(); ++i)
      if (hash64(seed, i, 77) % 9 == 0) g[i] = kHole;
    const GridMeshParams params{.step = static_cast<std::int64_t>(1 + seed % 3)};
    const Mesh one = grid_mesh(params, spec_of(300, 257), g, Exec());
    check_orientation_and_edges(one, "seed " + std::to_string(seed));
    for (const int threads : {2, 7}) {
      const Mesh many = grid_mesh(params, spec_of(300, 257), g, Exec(threads));
      EXPECT_EQ(one.indices, many.indices);
      EXPECT_EQ(one.positions, many.positions);
      EXPECT_EQ(one.normals, many.normals);
    }
  }
}

TEST(GridMesh, SeamsShareNormalsAndTheWindowEqualsTheWhole) {
  const Grid<float> land = random_land(21, 11, 5);
  const Mesh whole = grid_mesh({}, spec_of(21, 11), land, Exec());
  // Left window: columns 0..10, right: 10..20, each with a ring of one that is NaN beyond the land.
  const auto window = [&](int x0, int columns) {
    Grid<float> ringed(columns + 2, 13, kHole);
    for (int y = -1; y <= 11; ++y)
      for (int x = -1; x <= columns; ++x)
        if (land.view().contains(x0 + x, y)) ringed(x + 1, y + 1) = land(x0 + x, y);
    GridSpec spec = spec_of(columns, 11);
    spec.origin_x = x0;
    return grid_mesh_window({}, spec, ringed, 1, Exec());
  };
  const Mesh left = window(0, 11);
  const Mesh right = window(10, 11);
  for (std::size_t y = 0; y < 11; ++y)
    for (std::size_t k = 0; k < 3; ++k) {
      const float n = left.normals[3 * (y * 11 + 10) + k];
      EXPECT_EQ(n, right.normals[3 * (y * 11) + k]);
      EXPECT_EQ(n, whole.normals[3 * (y * 21 + 10) + k]);
      EXPECT_EQ(left.tangents[4 * (y * 11 + 10) + k], right.tangents[4 * (y * 11) + k]);
    }
  EXPECT_EQ(right.origin[0], 20);
  // Left and right together have the triangles of the whole, split the same way.
  EXPECT_EQ(left.triangles() + right.triangles(), whole.triangles());
  for (std::size_t t = 0; t < 6 * 10; ++t) {
    const auto expected = whole.indices[5 * 6 * 20 + t];
    const auto got = left.indices[5 * 6 * 10 + t];
    EXPECT_EQ(expected / 21, got / 11);
    EXPECT_EQ(expected % 21, got % 11);
  }
}

TEST(GridMesh, EdgeSizes) {
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {9, 1}, {0, 0}}) {
    const Grid<float> g(w, h);
    const Mesh m = grid_mesh({}, spec_of(w, h), g, Exec());
    EXPECT_EQ(m.vertices(), 0);
    EXPECT_EQ(m.triangles(), 0);
  }
  Grid<float> g(3, 3, 1e30F);
  g(0, 0) = -3e38F;
  g(1, 1) = 3e38F;
  const Mesh m = grid_mesh({}, spec_of(3, 3), g, Exec());
  EXPECT_EQ(m.triangles(), 8);
  for (const float n : m.normals) EXPECT_TRUE(std::isfinite(n));
  Grid<float> wide = random_land(9, 4, 3);
  const Mesh part = grid_mesh({}, spec_of(4, 4), wide.view().window(2, 0, 4, 4), Exec());
  EXPECT_EQ(part.positions[1], wide(2, 0));
}

}  // namespace
}  // namespace thalweg::mesh
