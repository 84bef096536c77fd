// Files that are whole or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/result.h"

namespace thalweg::io {

/// The Error for a failed system call on `path`: `what` ("cannot write"), then what the system said. A path that is
/// missing, is a folder or cannot exist is ErrorCode::input; no permission, a full or read-only disk and anything else
/// is ErrorCode::machine.
Error system_error(std::string_view what, const std::string& path, int errno_value);

/// Calls `write(temporary_path)`, which creates a file with the same extension in the same folder; on success flushes
/// it and renames it to `path`, on failure removes it and its side files. Errors name `path` and what the system said.
/// An existing `path` stays whole until the new one replaces it. A device or pipe (/dev/stdout) is written directly.
/// The folder must exist. Safe to call from several threads.
Status write_atomically(const std::string& path, const std::function<Status(const std::string& temporary)>& write);
Status write_text_file(const std::string& path, std::string_view text);
/// All bytes of a file of at most kMaxTextBytes.
Result<std::string> read_text_file(const std::string& path);
inline constexpr std::int64_t kMaxTextBytes = std::int64_t{1} << 30;

/// Buffered bytes into a file, for use inside write_atomically. The first failure sticks; close() tells it, so the
/// calls in between need no checks.
class FileWriter {
 public:
  /// Errors of the later calls name `shown_path`, the file the user asked for.
  FileWriter(const std::string& path, std::string shown_path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// False once anything has failed.
  bool write(const void* data, std::size_t bytes);
  bool write(std::string_view text) { return write(text.data(), text.size()); }
  bool seek(std::int64_t position);
  std::int64_t position();
  bool ok() const { return errno_ == 0; }
  /// Flushes and closes; an error where anything since the opening failed.
  Status close();

 private:
  void fail();
  std::FILE* file_ = nullptr;
  std::string shown_path_;
  int errno_ = 0;
};

/// A result folder. Opening it creates it (with parents), checks that files can be made in it, and removes an old
/// world.json first, then temporaries that killed runs left; finish() writes world.json last. A folder without a
/// world.json is not a whole result. Two runs into one folder at a time are not supported: the later one takes over and
/// the earlier one fails.
class OutputFolder {
 public:
  static Result<OutputFolder> open(const std::string& path);
  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const;
  Status finish(std::string_view world_json) const;

 private:
  std::string path_;
};

}  // namespace thalweg::io
