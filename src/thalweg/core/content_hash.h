// Content hashes: XXH3-128 over meaning, not over file bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "thalweg/core/grid.h"

namespace thalweg {

/// 128 bits, written as 32 hexadecimal digits, high half first.
struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  std::string hex() const;
  friend bool operator==(const ContentHash&, const ContentHash&) = default;
};

/// Hashes a stream of typed values in little-endian form.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add_bytes(const void* data, std::size_t bytes);
  void add_text(std::string_view text);  ///< length first, so that texts cannot run together
  void add_u64(std::uint64_t value);
  void add_f64(double value);  ///< -0 hashes as 0, every NaN as one NaN
  ContentHash digest() const;

 private:
  void* state_;
};

/// Hash of a raster: type name, width, height, whether NoData occurs, and the cells row by row. Every NaN is hashed as
/// the canonical quiet NaN; -0.0 is kept apart from 0.0, since files keep it apart too.
/// T: uint8_t, int16_t, uint16_t, int32_t, uint32_t, float, double.
template <class T>
ContentHash content_hash(GridView<const T> cells);

/// Hash of any bytes, e.g. a texture or a canonical vector text.
ContentHash content_hash(std::string_view kind, std::span<const std::uint8_t> bytes);

}  // namespace thalweg
