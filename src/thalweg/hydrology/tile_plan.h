// A grid cut into tiles, and how tiles come and go.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"

namespace thalweg::hydrology {

/// A rectangle of cells of the whole grid.
struct TileRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  std::int64_t cells() const { return std::int64_t{width} * height; }
  bool contains(int cell_x, int cell_y) const {
    return cell_x >= x && cell_y >= y && cell_x < x + width && cell_y < y + height;
  }
};

/// A grid of width x height cells cut into tiles of tile_width x tile_height, numbered row by row from the north-west;
/// those of the last column and row may be smaller. All sizes are at least 1.
struct TilePlan {
  int width = 1;
  int height = 1;
  int tile_width = 1024;
  int tile_height = 1024;
  /// Bytes of half-done work that may be kept in memory between two visits of a tile; without room it is done again.
  std::int64_t keep_bytes = 0;

  int columns() const { return static_cast<int>((std::int64_t{width} + tile_width - 1) / tile_width); }
  int rows() const { return static_cast<int>((std::int64_t{height} + tile_height - 1) / tile_height); }
  std::int64_t tiles() const { return std::int64_t{columns()} * rows(); }
  std::int64_t cells() const { return std::int64_t{width} * height; }
  TileRect tile(std::int64_t index) const {
    assert(index >= 0 && index < tiles());
    const int x = static_cast<int>(index % columns()) * tile_width;
    const int y = static_cast<int>(index / columns()) * tile_height;
    return {x, y, std::min(tile_width, width - x), std::min(tile_height, height - y)};
  }
  /// The tile that holds a cell.
  std::int64_t tile_of(int x, int y) const { return std::int64_t{y / tile_height} * columns() + x / tile_width; }
  /// A rectangle and `halo` cells around it, cut off at the borders of the grid.
  TileRect grown(const TileRect& r, int halo) const {
    const int x = std::max(r.x - halo, 0);
    const int y = std::max(r.y - halo, 0);
    return {x, y, std::min(r.x + r.width + halo, width) - x, std::min(r.y + r.height + halo, height) - y};
  }
};

/// The outermost cells of a rectangle, numbered: top row, bottom row, then the rest of the left and right columns.
class Perimeter {
 public:
  struct Place {
    int x, y;
  };

  Perimeter(int width, int height) : width_(width), height_(height) { assert(width > 0 && height > 0); }
  explicit Perimeter(const TileRect& r) : Perimeter(r.width, r.height) {}

  std::size_t size() const {
    if (height_ == 1) return static_cast<std::size_t>(width_);
    const std::int64_t sides = std::int64_t{width_ > 1 ? 2 : 1} * (height_ - 2);
    return static_cast<std::size_t>(std::int64_t{2} * width_ + sides);
  }
  bool contains(int x, int y) const { return x == 0 || y == 0 || x == width_ - 1 || y == height_ - 1; }
  /// Number of a cell of the perimeter, by its place in the rectangle.
  std::size_t index(int x, int y) const {
    assert(contains(x, y) && x >= 0 && y >= 0 && x < width_ && y < height_);
    const auto w = static_cast<std::size_t>(width_);
    if (y == 0) return static_cast<std::size_t>(x);
    if (y == height_ - 1) return w + static_cast<std::size_t>(x);
    const std::size_t row = 2 * w + static_cast<std::size_t>(y - 1);
    return x == 0 ? row : row + static_cast<std::size_t>(height_ - 2);
  }
  Place place(std::size_t index) const {
    const auto w = static_cast<std::size_t>(width_);
    if (index < w) return {static_cast<int>(index), 0};
    if (index < 2 * w) return {static_cast<int>(index - w), height_ - 1};
    const auto side = static_cast<int>(index - 2 * w);
    const int inner = height_ - 2;
    return side < inner ? Place{0, side + 1} : Place{width_ - 1, side - inner + 1};
  }

 private:
  int width_;
  int height_;
};

/// Fills `out` with the cells of the rectangle that begins at (x, y) and has out's size. It lies inside the grid, but
/// need not be a tile: neighbours' cells are asked for too. Called from several threads at a time.
template <class T>
using TileSource = std::function<Status(int x, int y, GridView<T> out)>;
/// Takes the cells of the tile that begins at (x, y). Called from several threads at a time, for one tile each.
template <class T>
using TileSink = std::function<Status(int x, int y, GridView<const T> tile)>;
/// Cells that are written and read back. While some tiles are written others may be read.
template <class T>
struct TileStore {
  TileSource<T> read;
  TileSink<T> write;
};

/// Tiles from and to a grid in memory, which must outlive them.
template <class T>
TileSource<T> memory_source(GridView<const T> grid) {
  return [grid](int x, int y, GridView<T> out) -> Status {
    const GridView<const T> from = grid.window(x, y, out.width(), out.height());
    for (int row = 0; row < out.height(); ++row) std::copy_n(from.row(row), out.width(), out.row(row));
    return {};
  };
}
template <class T>
TileSink<T> memory_sink(GridView<T> grid) {
  return [grid](int x, int y, GridView<const T> tile) -> Status {
    const GridView<T> to = grid.window(x, y, tile.width(), tile.height());
    for (int row = 0; row < tile.height(); ++row) std::copy_n(tile.row(row), tile.width(), to.row(row));
    return {};
  };
}
template <class T>
TileStore<T> memory_store(GridView<T> grid) {
  return {memory_source<T>(grid), memory_sink<T>(grid)};
}

}  // namespace thalweg::hydrology
