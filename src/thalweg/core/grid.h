// Two-dimensional arrays: Grid<T> owns, GridView<T> looks.
//
// Layout everywhere: row-major, row 0 is the northern edge, column 0 the western one. Sizes are `int` per side;
// anything that counts cells is 64-bit, so that grids of more than 2^31 cells work.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "thalweg/core/memory.h"

namespace thalweg {

/// A window onto cells owned by somebody else: pointer, width, height and the distance between rows in elements.
/// Copying a view copies no cells. `GridView<const T>` is the read-only form; `GridView<T>` converts to it.
template <class T>
class GridView {
 public:
  GridView() = default;
  GridView(T* data, int width, int height, std::ptrdiff_t stride)
      : data_(data), stride_(stride), width_(width), height_(height) {
    assert(width >= 0 && height >= 0 && stride >= width);
  }
  GridView(T* data, int width, int height) : GridView(data, width, height, width) {}

  // NOLINTNEXTLINE(google-explicit-constructor): a writable view is a readable one.
  operator GridView<const T>() const requires(!std::is_const_v<T>) { return {data_, width_, height_, stride_}; }

  int width() const { return width_; }
  int height() const { return height_; }
  std::ptrdiff_t stride() const { return stride_; }
  std::int64_t cells() const { return std::int64_t{width_} * height_; }
  bool empty() const { return width_ == 0 || height_ == 0; }
  /// True when rows follow each other without a gap, so that `data()[y * width() + x]` is valid.
  bool contiguous() const { return stride_ == width_; }
  bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }

  T* data() const { return data_; }
  T* row(int y) const {
    assert(y >= 0 && y < height_);
    return data_ + y * stride_;
  }
  T& operator()(int x, int y) const {
    assert(contains(x, y));
    return data_[y * stride_ + x];
  }
  /// Cell by linear index; only on contiguous views.
  T& operator[](std::int64_t index) const {
    assert(contiguous() && index >= 0 && index < cells());
    return data_[index];
  }
  /// The part that starts at (x, y) and is `width` x `height`; must lie inside.
  GridView window(int x, int y, int width, int height) const {
    assert(x >= 0 && y >= 0 && x + width <= width_ && y + height <= height_);
    return {data_ + y * stride_ + x, width, height, stride_};
  }

 private:
  T* data_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  int width_ = 0;
  int height_ = 0;
};

/// Owns width x height cells of a trivially copyable T, contiguous, 64-byte aligned, large blocks on huge pages.
/// Cells start as zero unless a fill value is given. Moves; copies only by clone().
/// Throws std::bad_alloc when memory runs out: the one exception that travels inside the library, turned into an
/// Error{ErrorCode::machine} by `guard_memory` (result.h) at the border.
template <class T>
class Grid {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Grid() = default;
  Grid(int width, int height)
      : block_(static_cast<std::size_t>(std::int64_t{width} * height) * sizeof(T)), width_(width), height_(height) {
    assert(width >= 0 && height >= 0);
  }
  Grid(int width, int height, T value) : Grid(width, height) { fill(value); }

  Grid(Grid&& other) noexcept
      : block_(std::move(other.block_)),
        width_(std::exchange(other.width_, 0)),
        height_(std::exchange(other.height_, 0)) {}
  Grid& operator=(Grid&& other) noexcept {
    block_ = std::move(other.block_);
    width_ = std::exchange(other.width_, 0);
    height_ = std::exchange(other.height_, 0);
    return *this;
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid() = default;

  Grid clone() const {
    Grid copy(width_, height_);
    if (cells() > 0) std::memcpy(copy.data(), data(), static_cast<std::size_t>(cells()) * sizeof(T));
    return copy;
  }
  void fill(T value) {
    T* p = data();
    for (std::int64_t i = 0, n = cells(); i < n; ++i) p[i] = value;
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::int64_t cells() const { return std::int64_t{width_} * height_; }
  bool empty() const { return width_ == 0 || height_ == 0; }
  T* data() { return static_cast<T*>(block_.data()); }
  const T* data() const { return static_cast<const T*>(block_.data()); }
  T* row(int y) { return view().row(y); }
  const T* row(int y) const { return view().row(y); }
  T& operator()(int x, int y) { return view()(x, y); }
  const T& operator()(int x, int y) const { return view()(x, y); }
  T& operator[](std::int64_t index) { return view()[index]; }
  const T& operator[](std::int64_t index) const { return view()[index]; }

  GridView<T> view() { return {data(), width_, height_}; }
  GridView<const T> view() const { return {data(), width_, height_}; }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator GridView<T>() { return view(); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator GridView<const T>() const { return view(); }

 private:
  MemoryBlock block_;
  int width_ = 0;
  int height_ = 0;
};

/// The in-memory NoData mark: quiet NaN for float and double, the lowest value of signed integers, the highest of
/// unsigned ones. io translates a file's own mark to it and back, so no kernel takes a NoData parameter.
template <class T>
inline constexpr T kNoData = std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN()
                             : std::is_signed_v<T>       ? std::numeric_limits<T>::lowest()
                                                         : std::numeric_limits<T>::max();

template <class T>
constexpr bool is_nodata(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value != value;
  } else {
    return value == kNoData<T>;
  }
}

}  // namespace thalweg
