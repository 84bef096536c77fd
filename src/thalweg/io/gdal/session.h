// One use of GDAL: drivers registered, errors caught instead of printed. Internal to this folder.
#pragma once

#include <cpl_error.h>

#include <array>
#include <optional>
#include <string>

#include "thalweg/core/result.h"

namespace thalweg::io {

/// While it lives, GDAL errors of this thread are collected here and nothing is printed, side files (.aux.xml) are
/// neither read nor written, and dates in databases are fixed. Settings are per thread and put back at the end; only
/// the block cache's limit of 64 MB is for the process. Must be destroyed by the thread that made it.
class GdalSession {
 public:
  GdalSession();
  ~GdalSession();
  GdalSession(const GdalSession&) = delete;
  GdalSession& operator=(const GdalSession&) = delete;

  bool failed() const { return failed_; }
  bool out_of_memory() const { return out_of_memory_; }
  /// An error with what GDAL said first, in one line without the path. Out of memory is always ErrorCode::machine.
  Error error(ErrorCode code, const std::string& what, const std::string& path) const;
  void forget();

 private:
  static void CPL_STDCALL on_error(CPLErr severity, CPLErrorNum number, const char* message);
  static constexpr std::size_t kOptions = 3;

  bool failed_ = false;
  bool out_of_memory_ = false;
  std::string message_;
  std::array<std::optional<std::string>, kOptions> previous_;
};

}  // namespace thalweg::io
