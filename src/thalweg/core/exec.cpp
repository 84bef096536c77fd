#include "thalweg/core/exec.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "thalweg/core/platform.h"

#if THALWEG_HAS_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace thalweg {
namespace {
// Set while a thread works for a pool, so that nested loops run in place instead of waiting for themselves.
thread_local bool inside_pool = false;
}  // namespace

// Worker threads that sleep until a batch of tasks is published. Tasks are handed out one by one by an atomic counter.
class Exec::Pool {
 public:
  explicit Pool(int threads) {
    workers_.reserve(static_cast<std::size_t>(threads - 1));
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run(std::int64_t count, FunctionRef<void(std::int64_t)> body) {
    const std::lock_guard one_at_a_time(run_mutex_);
    {
      const std::lock_guard lock(mutex_);
      body_ = &body;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      failure_ = nullptr;
      active_ = static_cast<int>(workers_.size());
      ++batch_;
    }
    wake_.notify_all();
    inside_pool = true;
    drain(body, count);
    inside_pool = false;
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return active_ == 0; });
    body_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void drain(const FunctionRef<void(std::int64_t)>& body, std::int64_t count) {
    for (;;) {
      const std::int64_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= count) return;
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_.store(count, std::memory_order_relaxed);
      }
    }
  }
  void work() {
    inside_pool = true;
    std::uint64_t seen = 0;
    for (;;) {
      const FunctionRef<void(std::int64_t)>* body = nullptr;
      std::int64_t count = 0;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stopping_ || batch_ != seen; });
        if (stopping_) return;
        seen = batch_;
        body = body_;
        count = count_;
      }
      drain(*body, count);
      {
        const std::lock_guard lock(mutex_);
        if (--active_ == 0) done_.notify_one();
      }
    }
  }

  std::mutex run_mutex_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  const FunctionRef<void(std::int64_t)>* body_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::uint64_t batch_ = 0;
  std::exception_ptr failure_;
  int active_ = 0;
  bool stopping_ = false;
};

Exec::Exec() = default;

Exec::Exec(int threads, TaskBackend backend) {
  threads_ = threads > 0 ? threads : platform::processor_count();
#if THALWEG_HAS_TBB
  backend_ = backend == TaskBackend::automatic ? TaskBackend::tbb : backend;
#else
  backend_ = backend == TaskBackend::automatic || backend == TaskBackend::tbb ? TaskBackend::threads : backend;
#endif
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
  backend_ = TaskBackend::serial;
#endif
  if (threads_ == 1) backend_ = TaskBackend::serial;
  if (backend_ == TaskBackend::serial) threads_ = 1;
#if THALWEG_HAS_TBB
  if (backend_ == TaskBackend::tbb) {
    // Without it TBB never runs more workers than processors, whatever the arena asks for.
    tbb_limit_ = std::make_shared<oneapi::tbb::global_control>(oneapi::tbb::global_control::max_allowed_parallelism,
                                                               static_cast<std::size_t>(threads_));
  }
#endif
  if (backend_ == TaskBackend::threads) pool_ = std::make_shared<Pool>(threads_);
}

Exec Exec::with_progress(ProgressCallback callback) const {
  Exec copy = *this;
  copy.progress_ = std::make_shared<const ProgressCallback>(std::move(callback));
  return copy;
}

Exec Exec::with_cancel(const volatile int* cancel) const {
  Exec copy = *this;
  copy.cancel_ = cancel;
  return copy;
}

Exec Exec::part(double from, double to) const {
  Exec copy = *this;
  copy.from_ = from_ + (to_ - from_) * from;
  copy.to_ = from_ + (to_ - from_) * to;
  return copy;
}

void Exec::run_tasks(std::int64_t count, FunctionRef<void(std::int64_t)> body) const {
  if (backend_ == TaskBackend::threads && !inside_pool) {
    pool_->run(count, body);
    return;
  }
#if THALWEG_HAS_TBB
  if (backend_ == TaskBackend::tbb) {
    oneapi::tbb::task_arena arena(threads_);
    arena.execute([&] {
      oneapi::tbb::parallel_for(
          std::int64_t{0}, count, [&](std::int64_t i) { body(i); }, oneapi::tbb::simple_partitioner());
    });
    return;
  }
#endif
  for (std::int64_t i = 0; i < count; ++i) body(i);
}

}  // namespace thalweg
