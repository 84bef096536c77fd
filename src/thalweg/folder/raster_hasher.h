// The content hash of a raster that comes row by row.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/grid.h"

namespace thalweg::folder {

/// content_hash<T> (content_hash.h) of width x height cells; `type` is their name there ("float32", ...).
template <class T>
class RasterHasher {
 public:
  RasterHasher(std::string_view type, int width, int height) : bytes_(static_cast<std::size_t>(width) * sizeof(T)) {
    hasher_.add_text(type);
    hasher_.add_u64(static_cast<std::uint64_t>(width));
    hasher_.add_u64(static_cast<std::uint64_t>(height));
  }

  void add_row(const T* cells) {
    unsigned char* to = bytes_.data();
    for (std::size_t i = 0; i < bytes_.size() / sizeof(T); ++i, to += sizeof(T)) {
      const bool nodata = is_nodata(cells[i]);
      nodata_ = nodata_ || nodata;
      const T v = nodata ? kNoData<T> : cells[i];
      std::memcpy(to, &v, sizeof(T));
      if constexpr (std::endian::native == std::endian::big)
        for (std::size_t a = 0, b = sizeof(T) - 1; a < b; ++a, --b) std::swap(to[a], to[b]);
    }
    hasher_.add_bytes(bytes_.data(), bytes_.size());
  }

  /// After the last row, once.
  ContentHash digest() {
    hasher_.add_u64(nodata_ ? 1 : 0);
    return hasher_.digest();
  }

 private:
  ContentHasher hasher_;
  std::vector<unsigned char> bytes_;
  bool nodata_ = false;
};

}  // namespace thalweg::folder
