#include "thalweg/io/files.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "thalweg/core/platform.h"

namespace thalweg::io {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kTemporaryPrefix = ".thalweg-";
constexpr std::string_view kTemporaryMark = ".tmp";

std::string quoted(const std::string& path) {
  return "'" + path + "'";
}

fs::path folder_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

bool is_temporary_name(const std::string& name) {
  return name.starts_with(kTemporaryPrefix) && name.find(kTemporaryMark) != std::string::npos;
}

// Numbers, not random names: a killed run's leavings are recognised by their form.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned long> counter{0};
  const unsigned long n = counter.fetch_add(1);
  std::string name = std::string(kTemporaryPrefix) + std::to_string(platform::process_id()) + "-" + std::to_string(n) +
                     std::string(kTemporaryMark) + path.extension().string();
  return path.parent_path() / name;
}

// Removes the files of `folder` whose names `wanted` accepts; what cannot be removed stays.
template <class Wanted>
void remove_matching(const fs::path& folder, Wanted wanted) {
  std::error_code ec;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    if (wanted(it->path().filename().string())) found.push_back(it->path());
  }
  for (const fs::path& path : found) {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
}

// Where `path` can be written: an Error, or whether it is a device that must be written in place.
Result<bool> check_target(const std::string& path) {
  if (path.empty()) return input_error("an output file needs a name");
  std::error_code ec;
  const fs::file_status target = fs::status(path, ec);
  if (target.type() == fs::file_type::directory) return input_error("is a folder; name a file in it", path);
  if (fs::exists(target)) return !fs::is_regular_file(target);
  if (path.back() == '/') return input_error("names a folder that does not exist; name a file", path);
  const fs::path folder = folder_of(path);
  const fs::file_status parent = fs::status(folder, ec);
  if (parent.type() == fs::file_type::not_found) {
    return input_error("the folder " + quoted(folder.string()) + " does not exist; create it first", path);
  }
  if (fs::exists(parent) && !fs::is_directory(parent)) {
    return input_error(quoted(folder.string()) + " is a file, not a folder", path);
  }
  return false;
}
}  // namespace

Error system_error(std::string_view what, const std::string& path, int errno_value) {
  ErrorCode code = ErrorCode::machine;
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EILSEQ:
      code = ErrorCode::input;
      break;
    default:
      break;
  }
  if (errno_value == ENOENT) {
    constexpr std::string_view kMissing = "no such file or folder";
    return {code, what == "cannot read" ? std::string(kMissing) : std::string(what) + ": " + std::string(kMissing),
            path};
  }
  std::string reason = std::generic_category().message(errno_value);
  if (errno_value == ENOSPC) reason += "; free some space or write elsewhere";
  return {code, std::string(what) + ": " + reason, path};
}

Status write_atomically(const std::string& path, const std::function<Status(const std::string& temporary)>& write) {
  const Result<bool> in_place = check_target(path);
  if (!in_place) return in_place.error();
  if (*in_place) return write(path);
  const fs::path temporary = temporary_beside(path);
  {
    // No permission or a read-only disk is said here, in our words, whatever library writes the file.
    FileWriter probe(temporary.string(), path);
    THALWEG_TRY(probe.close());
    std::error_code ignored;
    fs::remove(temporary, ignored);
  }
  Status status = write(temporary.string());
  if (status) {
    const int error = platform::sync_and_rename(temporary.string(), path);
    if (error == 0) return {};
    status = system_error("cannot write", path, error);
  }
  // Databases leave journals beside a failed file: everything that begins with its name goes.
  const std::string name = temporary.filename().string();
  remove_matching(folder_of(temporary), [&](const std::string& entry) { return entry.starts_with(name); });
  return status;
}

Status write_text_file(const std::string& path, std::string_view text) {
  return write_atomically(path, [&](const std::string& temporary) {
    FileWriter out(temporary, path);
    out.write(text);
    return out.close();
  });
}

Result<std::string> read_text_file(const std::string& path) {
  return guard_memory([&]() -> Result<std::string> {
    std::error_code ec;
    if (fs::is_directory(path, ec)) return input_error("is a folder, not a file", path);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return system_error("cannot read", path, errno);
    struct Closer {
      std::FILE* f;
      ~Closer() { std::fclose(f); }
    } closer{file};
    std::string text;
    const std::uintmax_t size = fs::file_size(path, ec);  // 0 or an error for pipes: then the string grows
    if (!ec && size <= static_cast<std::uintmax_t>(kMaxTextBytes)) text.reserve(static_cast<std::size_t>(size));
    std::vector<char> buffer(std::size_t{1} << 16);
    while (true) {
      errno = 0;
      const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
      if (std::ferror(file) != 0) return system_error("cannot read", path, errno == 0 ? EIO : errno);
      if (got == 0) return text;
      if (static_cast<std::int64_t>(text.size() + got) > kMaxTextBytes) {
        return input_error("is larger than 1 GiB", path);
      }
      text.append(buffer.data(), got);
    }
  });
}

FileWriter::FileWriter(const std::string& path, std::string shown_path) : shown_path_(std::move(shown_path)) {
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr) {
    fail();
    return;
  }
  std::setvbuf(file_, nullptr, _IOFBF, std::size_t{1} << 18);
}
FileWriter::~FileWriter() {
  if (file_ != nullptr) std::fclose(file_);
}
void FileWriter::fail() {
  if (errno_ == 0) errno_ = errno == 0 ? EIO : errno;
}
bool FileWriter::write(const void* data, std::size_t bytes) {
  if (!ok() || bytes == 0) return ok();
  errno = 0;
  if (std::fwrite(data, 1, bytes, file_) != bytes) fail();
  return ok();
}
bool FileWriter::seek(std::int64_t position) {
  if (!ok()) return false;
  errno = 0;
  if (std::fseek(file_, static_cast<long>(position), SEEK_SET) != 0) fail();
  return ok();
}
std::int64_t FileWriter::position() {
  return file_ == nullptr ? 0 : std::int64_t{std::ftell(file_)};
}
Status FileWriter::close() {
  if (file_ != nullptr) {
    errno = 0;
    if (std::fflush(file_) != 0) fail();
    errno = 0;
    if (std::fclose(file_) != 0) fail();
    file_ = nullptr;
  }
  if (!ok()) return system_error("cannot write", shown_path_, errno_);
  return {};
}

Result<OutputFolder> OutputFolder::open(const std::string& path) {
  if (path.empty()) return input_error("an output folder needs a name");
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (fs::exists(status) && !fs::is_directory(status)) return input_error("is a file, not a folder", path);
  fs::create_directories(path, ec);
  if (ec) return system_error("cannot create the folder", path, ec.value());
  OutputFolder folder;
  folder.path_ = path;
  // First of all: from here on a crash must not leave an old sidecar beside new rasters.
  fs::remove(folder.file("world.json"), ec);
  if (ec) return system_error("cannot remove the old result", folder.file("world.json"), ec.value());
  remove_matching(path, is_temporary_name);
  const std::string probe = temporary_beside(folder.file("probe")).string();
  FileWriter out(probe, path);  // better to fail now than after an hour of work
  THALWEG_TRY(out.close());
  fs::remove(probe, ec);
  return folder;
}
std::string OutputFolder::file(std::string_view name) const {
  return (fs::path(path_) / name).string();
}
Status OutputFolder::finish(std::string_view world_json) const {
  return write_text_file(file("world.json"), world_json);
}

}  // namespace thalweg::io
