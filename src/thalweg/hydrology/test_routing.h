// Routing graphs straight from the definitions, and land to try them on, for the tests of routing.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/routing.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology::test {

inline constexpr double kTurn = 2 * exact::kPi;

// Least difference between two angles.
inline double apart(double a, double b) {
  const double d = std::fabs(a - b);
  return std::min(d, kTurn - d);
}

// Direction of D8 neighbour d, counter-clockwise from east.
inline double neighbour_angle(const CellGeometry::Row& cell, int d) {
  const auto i = static_cast<std::size_t>(d);
  const double a = std::atan2(-kDy[i] * cell.dy_m, kDx[i] * cell.dx_m);
  return a < 0 ? a + kTurn : a;
}

struct Edge {
  int to;
  double share;
};
using Graph = std::vector<std::vector<Edge>>;

// Receivers and shares of every cell, straight from the definitions.
inline Graph graph_of_angles(GridView<const float> angles, const CellGeometry& geometry) {
  Graph graph(static_cast<std::size_t>(angles.cells()));
  for (int y = 0; y < angles.height(); ++y) {
    for (int x = 0; x < angles.width(); ++x) {
      const float a = angles(x, y);
      if (!(a >= 0)) continue;
      for (int d = 0; d < 8; ++d) {
        const double at = neighbour_angle(geometry.row(y), d);
        const double before = neighbour_angle(geometry.row(y), (d + 1) & 7);  // clockwise
        const double after = neighbour_angle(geometry.row(y), (d + 7) & 7);
        const double off = std::remainder(a - at, kTurn);
        const double span = off < 0 ? apart(before, at) : apart(after, at);
        double share = 1 - std::fabs(off) / span;
        if (std::fabs(off) < 5e-7) share = 1;  // float rounding
        if (std::fabs(off) > span - 5e-7) share = 0;
        if (share <= 0) continue;
        const int nx = x + kDx[static_cast<std::size_t>(d)];
        const int ny = y + kDy[static_cast<std::size_t>(d)];
        if (angles.contains(nx, ny) && !is_nodata(angles(nx, ny)))
          graph[static_cast<std::size_t>(y * angles.width() + x)].push_back({ny * angles.width() + nx, share});
      }
    }
  }
  return graph;
}

template <class T>
inline Graph graph_of_lower(GridView<const T> g, const CellGeometry& geometry, OutletMask outlets,
                            const MfdParams& params) {
  Grid<std::uint8_t> dir(g.width(), g.height());
  d8<T>(g, geometry, outlets, dir, Exec());
  Graph graph(static_cast<std::size_t>(g.cells()));
  for (int y = 0; y < g.height(); ++y) {
    for (int x = 0; x < g.width(); ++x) {
      const int code = internal::kNeighbourOfCode[dir(x, y)];
      if (code < 0) continue;
      std::vector<Edge>& edges = graph[static_cast<std::size_t>(y * g.width() + x)];
      double total = 0;
      for (int d = 0; d < 8; ++d) {
        const int nx = x + kDx[static_cast<std::size_t>(d)];
        const int ny = y + kDy[static_cast<std::size_t>(d)];
        if (!g.contains(nx, ny) || is_nodata(g(nx, ny)) || !(g(nx, ny) < g(x, y))) continue;
        const double distance = geometry.distance_m(y, d);
        const double slope = (static_cast<double>(g(x, y)) - static_cast<double>(g(nx, ny))) / distance;
        const double contour = params.weights == MfdWeights::quinn ? geometry.row(y).area_m2 / 2 / distance : 1;
        edges.push_back({ny * g.width() + nx, std::pow(slope, params.exponent) * contour});
        total += edges.back().share;
      }
      for (Edge& e : edges) e.share /= total;
      const auto d = static_cast<std::size_t>(code);
      if (edges.empty()) edges.push_back({(y + kDy[d]) * g.width() + x + kDx[d], 1});
    }
  }
  return graph;
}

// Sums along a graph, cell after cell once all its donors are done. Empty where there is a cycle.
inline std::vector<double> sums_along(const Graph& graph, std::vector<double> own) {
  std::vector<int> waiting(graph.size());
  for (const auto& edges : graph)
    for (const Edge& e : edges) ++waiting[static_cast<std::size_t>(e.to)];
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (waiting[i] == 0) ready.push_back(i);
  std::size_t done = 0;
  for (; done < ready.size(); ++done) {
    for (const Edge& e : graph[ready[done]]) {
      const auto to = static_cast<std::size_t>(e.to);
      own[to] += own[ready[done]] * e.share;
      if (--waiting[to] == 0) ready.push_back(to);
    }
  }
  if (done != graph.size()) return {};
  return own;
}

inline std::vector<double> areas(const CellGeometry& geometry, int width, int height) {
  std::vector<double> own;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) own.push_back(geometry.row(y).area_m2);
  return own;
}

// What is left in the cells that drain nowhere.
inline double left_over(const Graph& graph, GridView<const double> sums) {
  double total = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const double v = sums[static_cast<std::int64_t>(i)];
    if (graph[i].empty() && !is_nodata(v)) total += v;
  }
  return total;
}

// Largest relative difference, infinite where only one of the two is NoData.
inline double worst(GridView<const double> sums, const std::vector<double>& want) {
  double most = want.size() == static_cast<std::size_t>(sums.cells()) ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double v = sums[static_cast<std::int64_t>(i)];
    if (!is_nodata(v)) most = std::max(most, std::fabs(v - want[i]) / want[i]);
  }
  return most;
}

struct Case {
  std::string name;
  Grid<float> height;
  Grid<std::uint8_t> mask;
  CellGeometry geometry;
};

// Random land of few or many heights, with and without NoData, outlets, flats, oblong and geographic cells. Areas are
// whole numbers on the uniform ones.
inline std::vector<Case> cases() {
  std::vector<Case> all;
  const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}, {7, 5}, {23, 17}, {61, 47}};
  for (const auto& size : sizes) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Case c;
      c.name = std::to_string(size[0]) + "x" + std::to_string(size[1]) + " seed " + std::to_string(seed);
      const int levels = seed % 3 == 0 ? 1 + static_cast<int>(seed) / 3 : seed % 3 == 1 ? 20 : 30000;
      c.height = random_terrain<float>(seed, size[0], size[1], levels, seed % 2 == 0 ? 0 : 4);
      if (seed % 5 == 4) {
        c.mask = Grid<std::uint8_t>(size[0], size[1]);
        c.mask(size[0] / 2, size[1] / 2) = 1;
      }
      c.geometry = seed % 4 == 0   ? CellGeometry::geographic(60, 0.01, 0.01, size[1])
                   : seed % 4 == 1 ? CellGeometry::uniform(30, 90, size[1])
                                   : CellGeometry::uniform(4, size[1]);
      if (seed < 9) fill<float>(c.height, c.mask.view(), c.height, Exec());
      all.push_back(std::move(c));
    }
  }
  return all;
}

/// NoData stands where it does in the land, and what all cells give leaves at the ends: to the bit where cells are all
/// alike, since their area is a whole number of units.
inline void expect_conserved(const Case& c, const Graph& graph, GridView<const double> area) {
  double given = 0;
  for (int y = 0; y < area.height(); ++y)
    for (int x = 0; x < area.width(); ++x) {
      ASSERT_EQ(is_nodata(area(x, y)), is_nodata(c.height(x, y))) << c.name;
      if (!is_nodata(area(x, y))) given += c.geometry.row(y).area_m2;
    }
  if (c.geometry.is_uniform()) {
    ASSERT_EQ(left_over(graph, area), given) << c.name;
  }
  ASSERT_NEAR(left_over(graph, area) / std::max(given, 1.0), given > 0 ? 1 : 0, 1e-12) << c.name;
}

}  // namespace thalweg::hydrology::test
