#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "command.h"
#include "thalweg/core/platform.h"
#include "thalweg/core/simd.h"

namespace thalweg::cli {
namespace {

volatile int interrupt_flag = 0;

// One progress display: a bar on a terminal, a line every ten percent or two seconds otherwise.
class Display {
 public:
  void stage(std::string_view text) {
    const std::lock_guard lock(mutex_);
    text_ = text;
  }
  void show(double fraction) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    const double since = std::chrono::duration<double>(now - last_).count();
    if (terminal_) {
      if (since < 0.1 && percent < 100) return;
      constexpr int kBar = 30;
      const int filled = percent * kBar / 100;
      std::fprintf(stderr, "\r[%s%s] %3d %% %-28.28s", std::string(static_cast<std::size_t>(filled), '#').c_str(),
                   std::string(static_cast<std::size_t>(kBar - filled), '.').c_str(), percent, text_.c_str());
      std::fflush(stderr);
      open_ = true;
    } else {
      if (percent < shown_ + 10 || (since < 2 && percent < 100)) return;
      std::fprintf(stderr, "%3d %% %s\n", percent, text_.c_str());
      shown_ = percent;
    }
    last_ = now;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (open_) std::fprintf(stderr, "\r%66s\r", "");
    open_ = false;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool terminal_ = platform::stderr_is_terminal();
  bool open_ = false;
  int shown_ = -5;
};

Display& display() {
  static Display instance;
  return instance;
}

}  // namespace

void Common::add_to(CLI::App& app) {
  app.add_option("--threads", threads, "threads to use; all processors by default")->type_name("N");
  app.add_option("--simd", simd, "highest SIMD level: avx3, avx2, sse4, ssse3 or scalar")->type_name("LEVEL");
  app.add_option("--memory", memory, "ceiling for memory, e.g. 4G")->type_name("SIZE");
  app.add_flag("--quiet,-q", quiet, "no progress, no news; errors only");
  app.add_flag("--json", json, "machine-readable result on stdout");
}

void Session::stage(std::string_view text) const {
  display().stage(text);
}

void Session::say(std::string_view text) const {
  if (!common.quiet) warn(text);
}

void Session::warn(std::string_view text) const {
  display().end();
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

void end_progress() {
  display().end();
}

Status Session::check_memory(std::uint64_t need, std::string_view what) const {
  if (memory_limit_bytes != 0 && need > memory_limit_bytes)
    return input_error(std::string(what) + " needs " + bytes_text(need) + ", more than the " +
                           bytes_text(memory_limit_bytes) + " allowed; raise it or choose a smaller size",
                       "--memory");
  const std::uint64_t free = platform::available_memory_bytes();
  if (free != 0 && need > free)
    return input_error(std::string(what) + " needs " + bytes_text(need) + ", but only " + bytes_text(free) +
                       " of memory are free; choose a smaller size");
  return {};
}

Result<Session> start_session(const Common& common) {
  constexpr int kMostThreads = 1024;
  if (common.threads < 0 || common.threads > kMostThreads)
    return input_error("must be from 1 to 1024, or 0 for all processors", "--threads");
  Session session;
  session.common = common;
  if (!common.simd.empty()) THALWEG_TRY(cap_simd(common.simd));
  if (!common.memory.empty()) {
    const Result<std::uint64_t> bytes = parse_bytes(common.memory);
    if (!bytes) return bytes.error();
    session.memory_limit_bytes = *bytes;
  }
  platform::set_interrupt_flag(&interrupt_flag);
  session.exec = Exec(common.threads).with_cancel(&interrupt_flag);
  if (!common.quiet) session.exec = session.exec.with_progress([](double f) { display().show(f); });
  return session;
}

std::string seed_fault(const std::string& text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0) return {};
  return "must be a whole number from 0 to 9223372036854775807";
}

Result<std::uint64_t> parse_bytes(const std::string& text) {
  const auto wrong = [] { return input_error("write it as 4G, 512M or a number of bytes", "--memory"); };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0)) return wrong();
  std::string suffix(end, text.data() + text.size());
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (suffix.size() > 1 && suffix.back() == 'B') suffix.pop_back();
  if (suffix.size() > 1 && suffix.back() == 'I') suffix.pop_back();
  double unit = 1;
  if (suffix == "K")
    unit = 1024;
  else if (suffix == "M")
    unit = 1024.0 * 1024;
  else if (suffix == "G")
    unit = 1024.0 * 1024 * 1024;
  else if (suffix == "T")
    unit = 1024.0 * 1024 * 1024 * 1024;
  else if (!suffix.empty() && suffix != "B")
    return wrong();
  if (value * unit > 1e18) return wrong();
  return static_cast<std::uint64_t>(value * unit);
}

Result<Size> parse_size(const std::string& text, const std::string& option) {
  const auto wrong = [&] { return input_error("write it as N or WxH, e.g. 1025 or 2049x1025", option); };
  Size size;
  const char* begin = text.data();
  const char* end = begin + text.size();
  auto first = std::from_chars(begin, end, size.width);
  if (first.ec != std::errc() || size.width < 1) return wrong();
  size.height = size.width;
  if (first.ptr == end) return size;
  if (*first.ptr != 'x' && *first.ptr != 'X') return wrong();
  const auto second = std::from_chars(first.ptr + 1, end, size.height);
  if (second.ec != std::errc() || second.ptr != end || size.height < 1) return wrong();
  size.square = false;
  return size;
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
  return text;
}

}  // namespace thalweg::cli
