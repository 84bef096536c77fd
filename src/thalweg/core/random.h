// Random numbers without a state: functions of (seed, cell, index), the same on every machine and in every order.
#pragma once

#include <cstdint>

namespace thalweg {

/// Finaliser of 32 bits (xor-shift, two multiplies): every input bit reaches every output bit.
constexpr std::uint32_t mix32(std::uint32_t v) {
  v ^= v >> 16;
  v *= 0x7FEB352DU;
  v ^= v >> 15;
  v *= 0x846CA68BU;
  v ^= v >> 16;
  return v;
}

/// Finaliser of 64 bits (Stafford's variant 13 of the MurmurHash3 mixer).
constexpr std::uint64_t mix64(std::uint64_t v) {
  v ^= v >> 30;
  v *= 0xBF58476D1CE4E5B9ULL;
  v ^= v >> 27;
  v *= 0x94D049BB133111EBULL;
  v ^= v >> 31;
  return v;
}

/// Hash of a seed and up to three integers, e.g. a world cell and an index.
constexpr std::uint64_t hash64(std::uint64_t seed, std::int64_t a, std::int64_t b = 0, std::int64_t c = 0) {
  std::uint64_t h = mix64(seed + 0x9E3779B97F4A7C15ULL);
  h = mix64(h ^ (static_cast<std::uint64_t>(a) * 0xD6E8FEB86659FD93ULL));
  h = mix64(h ^ (static_cast<std::uint64_t>(b) * 0xA0761D6478BD642FULL));
  return mix64(h ^ (static_cast<std::uint64_t>(c) * 0xE7037ED1A0B428DBULL));
}

/// A seed for a named purpose, so that two uses of one world seed (height and moisture, two octaves) do not correlate.
constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t purpose) {
  return hash64(seed, static_cast<std::int64_t>(purpose), 0x5EED);
}

/// The top 53 bits as a double in [0, 1).
constexpr double unit_double(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

/// Mulberry32 (Tommy Ettinger 2017, public domain) in counter form: value i of the generator seeded with `seed`,
/// i = 0, 1, ..., without making the ones before it.
constexpr std::uint32_t mulberry32(std::uint32_t seed, std::uint32_t i) {
  std::uint32_t z = seed + (i + 1U) * 0x6D2B79F5U;
  z = (z ^ (z >> 15)) * (z | 1U);
  z ^= z + (z ^ (z >> 7)) * (z | 61U);
  return z ^ (z >> 14);
}

}  // namespace thalweg
