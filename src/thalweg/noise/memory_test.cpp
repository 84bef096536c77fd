// That a fill needs little memory beside its grid: counts what operator new hands out while it runs. (Grids are aligned
// blocks, which take another way.)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "thalweg/noise/noise_testing.h"

namespace {
constexpr std::size_t kHeader = 16;  // keeps the block's size and the alignment
std::atomic<std::int64_t> live{0};
std::atomic<std::int64_t> peak{0};

void* counted(std::size_t bytes) {
  auto* block = static_cast<unsigned char*>(std::malloc(bytes + kHeader));
  if (block == nullptr) throw std::bad_alloc();
  std::memcpy(block, &bytes, sizeof bytes);
  const std::int64_t now = live += static_cast<std::int64_t>(bytes);
  std::int64_t before = peak;
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
  return block + kHeader;
}
void uncounted(void* p) noexcept {
  if (p == nullptr) return;
  unsigned char* block = static_cast<unsigned char*>(p) - kHeader;
  std::size_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  live -= static_cast<std::int64_t>(bytes);
  std::free(block);
}
}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted(bytes);
}
void operator delete(void* p) noexcept {
  uncounted(p);
}
void operator delete[](void* p) noexcept {
  uncounted(p);
}
void operator delete(void* p, std::size_t) noexcept {
  uncounted(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  uncounted(p);
}

namespace thalweg::noise::testing {
namespace {

/// Most bytes in use at once during a fill beyond those before it.
std::int64_t bytes_of(const NoiseParams& p, int width, int height) {
  Grid<float> out(width, height);
  const std::int64_t before = live;
  peak = before;
  fill(p, 1, spec_at(0, 0, width, height), out, Exec());
  return peak - before;
}

TEST(NoiseMemory, IsRowsAndTablesAndNotGrids) {
  for (NoiseParams p : every_sort(24, true)) {
    p.wavelength_m = 1e6;  // all 24 octaves are wider than the cells
    p.lacunarity = 1.7;
    p.warp_wavelength_m = 1e6;
    p.warp_octaves = 12;
    const std::int64_t small = bytes_of(p, 256, 4);
    EXPECT_GT(small, 10000);
    EXPECT_LT(small, 1 << 20) << name_of(p);
    EXPECT_EQ(bytes_of(p, 1100, 6), small) << name_of(p);
  }
}

}  // namespace
}  // namespace thalweg::noise::testing
