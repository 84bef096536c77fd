#include "thalweg/core/platform.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#if defined(__unix__) || defined(__APPLE__) || defined(__EMSCRIPTEN__)
#define THALWEG_POSIX 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace thalweg::platform {

void* map_zeroed(std::size_t bytes) {
#if THALWEG_POSIX && !defined(__EMSCRIPTEN__)
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
#if defined(MADV_HUGEPAGE)
  (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
  return p;
#else
  return std::calloc(bytes, 1);
#endif
}

void unmap(void* data, std::size_t bytes) {
#if THALWEG_POSIX && !defined(__EMSCRIPTEN__)
  munmap(data, bytes);
#else
  (void)bytes;
  std::free(data);
#endif
}

int processor_count() {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    const int n = CPU_COUNT(&set);
    if (n > 0) return n;
  }
#endif
  const unsigned n = std::thread::hardware_concurrency();
  return n > 0 ? static_cast<int>(n) : 1;
}

std::uint64_t available_memory_bytes() {
#if defined(__linux__)
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::uint64_t kib = 0;
  std::string unit;
  while (in >> key >> kib) {
    std::getline(in, unit);
    if (key == "MemAvailable:") return kib * 1024;
  }
#endif
  return 0;
}

std::uint64_t peak_resident_bytes() {
#if THALWEG_POSIX && !defined(__EMSCRIPTEN__)
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
#endif
#else
  return 0;
#endif
}

double process_cpu_seconds() {
#if THALWEG_POSIX && !defined(__EMSCRIPTEN__)
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
#else
  return 0;
#endif
}

bool stderr_is_terminal() {
#if THALWEG_POSIX
  return isatty(2) != 0;
#else
  return false;
#endif
}

namespace {
volatile int* interrupt_flag = nullptr;
extern "C" void thalweg_on_signal(int number) {
  if (interrupt_flag != nullptr && *interrupt_flag == 0) {
    *interrupt_flag = number;
    return;
  }
  std::_Exit(130);
}
}  // namespace

void set_interrupt_flag(volatile int* flag) {
  interrupt_flag = flag;
  std::signal(SIGINT, thalweg_on_signal);
  std::signal(SIGTERM, thalweg_on_signal);
}

int sync_and_rename(const std::string& from, const std::string& to) {
#if THALWEG_POSIX
  const int fd = open(from.c_str(), O_RDONLY);
  if (fd < 0) return errno;
  const int synced = fsync(fd);
  const int sync_errno = errno;
  close(fd);
  if (synced != 0 && sync_errno != EINVAL && sync_errno != EROFS) return sync_errno;
#endif
  if (std::rename(from.c_str(), to.c_str()) != 0) return errno;
  return 0;
}

long process_id() {
#if THALWEG_POSIX
  return static_cast<long>(getpid());
#else
  return 0;
#endif
}

}  // namespace thalweg::platform
