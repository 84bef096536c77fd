// Terrain and slow, obvious reference programs for the tests and benchmarks of hydrology.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/random.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::test {

/// Random heights of few distinct values (many flats and pits) or many, with `nodata_percent` of NoData.
template <class T>
Grid<T> random_terrain(std::uint64_t seed, int width, int height, int levels, int nodata_percent) {
  Grid<T> g(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::uint64_t r = hash64(seed, x, y);
      g(x, y) = static_cast<T>(static_cast<int>(r % static_cast<std::uint64_t>(levels)) - levels / 3);
      if (static_cast<int>((r >> 40) % 100) < nodata_percent) g(x, y) = kNoData<T>;
    }
  }
  return g;
}

/// Outlet by the rules of depressions.h.
template <class T>
bool is_outlet(GridView<const T> g, OutletMask mask, int x, int y) {
  if (!mask.empty() && mask(x, y) != 0) return true;
  for (int d = 0; d < 8; ++d) {
    const int nx = x + kDx[d];
    const int ny = y + kDy[d];
    if (!g.contains(nx, ny) || is_nodata(g(nx, ny))) return true;
  }
  return false;
}

/// The least surface with out >= max(height, step(lowest neighbour)) by iteration from above until nothing changes:
/// Bellman and Ford instead of a priority queue.
template <class T, class Step>
Grid<T> naive_fill(GridView<const T> g, OutletMask mask, const Step& step) {
  Grid<T> out(g.width(), g.height());
  constexpr T kHigh =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x) out(x, y) = is_nodata(g(x, y)) || is_outlet(g, mask, x, y) ? g(x, y) : kHigh;
  for (bool changed = true; changed;) {
    changed = false;
    for (int y = 0; y < g.height(); ++y) {
      for (int x = 0; x < g.width(); ++x) {
        if (is_nodata(g(x, y)) || is_outlet(g, mask, x, y)) continue;
        T lowest = kHigh;
        for (int d = 0; d < 8; ++d) lowest = std::min(lowest, out(x + kDx[d], y + kDy[d]));
        const T v = std::max(g(x, y), step(lowest));
        if (v < out(x, y)) {
          out(x, y) = v;
          changed = true;
        }
      }
    }
  }
  return out;
}
template <class T>
Grid<T> naive_fill(GridView<const T> g, OutletMask mask) {
  return naive_fill<T>(g, mask, [](T v) { return v; });
}

template <class T>
bool same_cells(GridView<const T> a, GridView<const T> b) {
  if (a.width() != b.width() || a.height() != b.height()) return false;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (!(a(x, y) == b(x, y)) && !(is_nodata(a(x, y)) && is_nodata(b(x, y)))) return false;
  return true;
}

/// Follows the directions from (x, y) to the last cell; false where they do not end within the number of cells.
inline bool follow(GridView<const std::uint8_t> directions, int& x, int& y) {
  for (std::int64_t step = 0; step <= directions.cells(); ++step) {
    const std::uint8_t code = directions(x, y);
    if (code == kNoFlow || code == kFlowNoData) return true;
    const int d = direction_index(code);
    const int nx = x + kDx[static_cast<std::size_t>(d)];
    const int ny = y + kDy[static_cast<std::size_t>(d)];
    if (!directions.contains(nx, ny) || directions(nx, ny) == kFlowNoData) return true;
    x = nx;
    y = ny;
  }
  return false;
}

/// Cells upstream of every cell, itself included, by following every cell's way.
inline Grid<std::uint64_t> naive_accumulation(GridView<const std::uint8_t> directions) {
  Grid<std::uint64_t> out(directions.width(), directions.height());
  for (int y = 0; y < directions.height(); ++y) {
    for (int x = 0; x < directions.width(); ++x) {
      if (directions(x, y) == kFlowNoData) continue;
      int cx = x;
      int cy = y;
      for (;;) {
        ++out(cx, cy);
        const std::uint8_t code = directions(cx, cy);
        if (code == kNoFlow) break;
        const auto d = static_cast<std::size_t>(direction_index(code));
        const int nx = cx + kDx[d];
        const int ny = cy + kDy[d];
        if (!directions.contains(nx, ny) || directions(nx, ny) == kFlowNoData) break;
        cx = nx;
        cy = ny;
      }
    }
  }
  return out;
}

}  // namespace thalweg::hydrology::test
