// Files that are whole or not there.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/result.h"

namespace thalweg::io {

/// Calls `write(temporary_path)`, which creates a file with the same extension in the same folder; on success flushes
/// it and renames it to `path`, on failure removes it. Errors name `path` and what the system said.
Status write_atomically(const std::string& path, const std::function<Status(const std::string& temporary)>& write);
Status write_text_file(const std::string& path, std::string_view text);
Result<std::string> read_text_file(const std::string& path);

/// A result folder. Opening it creates it (with parents), removes an old world.json and stale temporaries first;
/// finish() writes world.json last. A folder without a world.json is not a whole result.
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
