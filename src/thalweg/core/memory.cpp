#include "thalweg/core/memory.h"

#include <cstring>
#include <new>

#include "thalweg/core/platform.h"

namespace thalweg {
namespace {
constexpr std::size_t kMapThreshold = std::size_t{4} << 20;
constexpr std::size_t kAlignment = 64;
}  // namespace

MemoryBlock::MemoryBlock(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  if (bytes >= kMapThreshold) {
    data_ = platform::map_zeroed(bytes);
    if (data_ == nullptr) throw std::bad_alloc();
  } else {
    data_ = ::operator new (bytes, std::align_val_t{kAlignment});
    std::memset(data_, 0, bytes);
  }
}

MemoryBlock::~MemoryBlock() {
  release();
}

void MemoryBlock::release() noexcept {
  if (data_ == nullptr) return;
  if (bytes_ >= kMapThreshold) {
    platform::unmap(data_, bytes_);
  } else {
    ::operator delete (data_, std::align_val_t{kAlignment});
  }
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace thalweg
