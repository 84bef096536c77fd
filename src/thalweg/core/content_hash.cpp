#include "thalweg/core/content_hash.h"

#include <array>
#include <new>
#include <type_traits>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace thalweg {
namespace {
static_assert(sizeof(double) == 8 && sizeof(float) == 4);

bool host_is_little_endian() {
  const std::uint16_t one = 1;
  unsigned char first = 0;
  std::memcpy(&first, &one, 1);
  return first == 1;
}

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  return "";
}

// Writes values in little-endian order with canonical NaNs; returns whether NoData occurred.
template <class T>
bool canonical_bytes(const T* values, int count, std::vector<unsigned char>& out) {
  out.resize(static_cast<std::size_t>(count) * sizeof(T));
  bool nodata = false;
  unsigned char* to = out.data();
  const bool little = host_is_little_endian();
  for (int i = 0; i < count; ++i, to += sizeof(T)) {
    T v = values[i];
    if (is_nodata(v)) {
      nodata = true;
      if constexpr (std::is_floating_point_v<T>) v = kNoData<T>;
    }
    std::memcpy(to, &v, sizeof(T));
    if (!little) {
      for (std::size_t a = 0, b = sizeof(T) - 1; a < b; ++a, --b) std::swap(to[a], to[b]);
    }
  }
  return nodata;
}
}  // namespace

std::string ContentHash::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[static_cast<std::size_t>(i)] = kDigits[(high >> (60 - 4 * i)) & 15];
    text[static_cast<std::size_t>(16 + i)] = kDigits[(low >> (60 - 4 * i)) & 15];
  }
  return text;
}

ContentHasher::ContentHasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_));
}
ContentHasher::~ContentHasher() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

void ContentHasher::add_bytes(const void* data, std::size_t bytes) {
  if (bytes > 0) XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), data, bytes);
}
void ContentHasher::add_text(std::string_view text) {
  add_u64(text.size());
  add_bytes(text.data(), text.size());
}
void ContentHasher::add_u64(std::uint64_t value) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
  add_bytes(bytes.data(), bytes.size());
}
void ContentHasher::add_f64(double value) {
  if (value == 0.0) value = 0.0;  // drops the sign of -0
  if (is_nodata(value)) value = kNoData<double>;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  add_u64(bits);
}
ContentHash ContentHasher::digest() const {
  const XXH128_hash_t h = XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_));
  return {h.high64, h.low64};
}

template <class T>
ContentHash content_hash(GridView<const T> cells) {
  ContentHasher hasher;
  hasher.add_text(type_name<T>());
  hasher.add_u64(static_cast<std::uint64_t>(cells.width()));
  hasher.add_u64(static_cast<std::uint64_t>(cells.height()));
  bool nodata = false;
  std::vector<unsigned char> bytes;
  for (int y = 0; y < cells.height(); ++y) {
    nodata |= canonical_bytes(cells.row(y), cells.width(), bytes);
    hasher.add_bytes(bytes.data(), bytes.size());
  }
  hasher.add_u64(nodata ? 1 : 0);
  return hasher.digest();
}
template ContentHash content_hash(GridView<const std::uint8_t>);
template ContentHash content_hash(GridView<const std::int16_t>);
template ContentHash content_hash(GridView<const std::uint16_t>);
template ContentHash content_hash(GridView<const std::int32_t>);
template ContentHash content_hash(GridView<const std::uint32_t>);
template ContentHash content_hash(GridView<const float>);
template ContentHash content_hash(GridView<const double>);

ContentHash content_hash(std::string_view kind, std::span<const std::uint8_t> bytes) {
  ContentHasher hasher;
  hasher.add_text(kind);
  hasher.add_u64(bytes.size());
  hasher.add_bytes(bytes.data(), bytes.size());
  return hasher.digest();
}

}  // namespace thalweg
