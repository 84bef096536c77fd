// How work runs: thread count, progress and cancellation, behind one small value.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace thalweg {

/// A borrowed callable: two pointers, no allocation. Must not outlive what it refers to.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
      FunctionRef(F&& f)  // NOLINT(google-explicit-constructor)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, A... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<A>(args)...);
        }) {}
  R operator()(A... args) const { return call_(object_, std::forward<A>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, A...);
};

/// Where progress goes: called with a fraction 0..1, from any thread, rarely.
using ProgressCallback = std::function<void(double fraction)>;

enum class TaskBackend {
  automatic,  ///< oneTBB where built in, else standard threads
  tbb,
  threads,  ///< std::thread; the backend that thread sanitizers understand
  serial,
};

/// Given last to every operator. Copying is cheap; copies share threads, cancellation and progress sink.
///
/// Results never depend on it: an operator gives the same bits for every backend and thread count.
/// After `cancelled()` turns true loops end early and outputs are unspecified: whoever called the operator asks
/// `cancelled()` and throws the result away.
class Exec {
 public:
  /// Serial, silent, never cancelled.
  Exec();
  /// `threads` 0 means all processors. Falls back to the next simpler backend where one is not built in.
  explicit Exec(int threads, TaskBackend backend = TaskBackend::automatic);

  int threads() const { return threads_; }
  TaskBackend backend() const { return backend_; }

  /// A copy that reports to `callback`, and whose loops end when `*cancel` (if given) is not 0.
  Exec with_progress(ProgressCallback callback) const;
  Exec with_cancel(const volatile int* cancel) const;
  /// A copy whose progress 0..1 fills the part [from, to] of this one's.
  Exec part(double from, double to) const;

  bool cancelled() const { return cancel_ != nullptr && *cancel_ != 0; }
  void progress(double fraction) const {
    if (progress_ && *progress_) (*progress_)(from_ + (to_ - from_) * fraction);
  }

  /// Calls body(i) for every i in [0, count), each once, in any order and on any thread. Nested use runs serially
  /// inside the calling task where the backend cannot nest.
  void run_tasks(std::int64_t count, FunctionRef<void(std::int64_t)> body) const;

 private:
  class Pool;
  int threads_ = 1;
  TaskBackend backend_ = TaskBackend::serial;
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<void> tbb_limit_;
  std::shared_ptr<const ProgressCallback> progress_;
  const volatile int* cancel_ = nullptr;
  double from_ = 0;
  double to_ = 1;
};

/// Splits [begin, end) into blocks of `grain` and calls body(block_begin, block_end) for each, in any order. Block
/// borders depend on `grain` alone, never on the thread count, so a fixed-order combination of per-block values is
/// reproducible. Skips blocks after cancellation.
template <class Body>
void parallel_for(const Exec& exec, std::int64_t begin, std::int64_t end, std::int64_t grain, Body&& body) {
  if (end <= begin) return;
  if (grain < 1) grain = 1;
  const std::int64_t blocks = (end - begin + grain - 1) / grain;
  auto task = [&](std::int64_t block) {
    if (exec.cancelled()) return;
    const std::int64_t b = begin + block * grain;
    const std::int64_t e = b + grain < end ? b + grain : end;
    body(b, e);
  };
  if (blocks == 1 || exec.threads() == 1) {
    for (std::int64_t block = 0; block < blocks; ++block) task(block);
    return;
  }
  exec.run_tasks(blocks, task);
}

/// Rows [0, height) in blocks of about 64 Ki cells: body(int y_begin, int y_end).
template <class Body>
void parallel_rows(const Exec& exec, int width, int height, Body&& body) {
  const std::int64_t grain = width > 0 ? (65536 + width - 1) / width : 1;
  parallel_for(exec, 0, height, grain,
               [&](std::int64_t b, std::int64_t e) { body(static_cast<int>(b), static_cast<int>(e)); });
}

}  // namespace thalweg
