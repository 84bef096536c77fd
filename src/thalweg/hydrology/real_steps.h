// Internal to hydrology: the next representable number.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace thalweg::hydrology::internal {

/// The next representable value; the largest finite one and infinity stay, so nothing overflows.
template <class T>
T next_up(T v) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  if (!(v < std::numeric_limits<T>::max())) return v;
  if (v == 0) return std::numeric_limits<T>::denorm_min();
  Bits bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  bits += v > 0 ? 1 : -1;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace thalweg::hydrology::internal
