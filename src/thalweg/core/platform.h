// Everything that asks the operating system. The only file of the library with POSIX calls is platform.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace thalweg::platform {

/// Zeroed pages, huge ones where the system grants them; nullptr when there is no memory.
void* map_zeroed(std::size_t bytes);
void unmap(void* data, std::size_t bytes);

/// Processors this process may run on, at least 1.
int processor_count();
/// Physical memory that an allocation could get now, in bytes; 0 where unknown.
std::uint64_t available_memory_bytes();
/// Peak resident memory of this process so far, in bytes; 0 where unknown.
std::uint64_t peak_resident_bytes();
/// CPU seconds used by this process, all threads.
double process_cpu_seconds();
bool stderr_is_terminal();
/// Installs a handler for SIGINT and SIGTERM that sets `*flag` (an atomic lock-free int) to the signal number; the
/// second signal ends the process at once.
void set_interrupt_flag(volatile int* flag);
/// Flushes a finished file to the disk and renames it over `to`. Returns 0, or errno.
int sync_and_rename(const std::string& from, const std::string& to);
/// A number that tells this process from others, for temporary names.
long process_id();

}  // namespace thalweg::platform
