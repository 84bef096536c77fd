// Notes how long the parts of a command take.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/core/platform.h"
#include "thalweg/recipe/world.h"

namespace thalweg::folder {

class Timer {
 public:
  Timer(std::string op, std::vector<recipe::StepTiming>& out) : op_(std::move(op)), out_(out) {}

  /// Ends the part that runs and begins the next.
  void begin(std::string step) {
    end();
    step_ = std::move(step);
    start_ = std::chrono::steady_clock::now();
    cpu_ = platform::process_cpu_seconds();
  }
  void end() {
    if (step_.empty()) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    out_.push_back(
        {step_, op_, seconds.count(), platform::process_cpu_seconds() - cpu_, platform::peak_resident_bytes()});
    step_.clear();
  }

 private:
  std::string op_;
  std::vector<recipe::StepTiming>& out_;
  std::string step_;
  std::chrono::steady_clock::time_point start_;
  double cpu_ = 0;
};

}  // namespace thalweg::folder
