#include "thalweg/folder/tile_files.h"

#include <atomic>
#include <cerrno>
#include <filesystem>

#include "thalweg/core/platform.h"

namespace thalweg::folder {
namespace {

// By this form OutputFolder::open knows what a killed run left.
std::string scratch_name() {
  static std::atomic<unsigned> counter{0};
  return ".thalweg-" + std::to_string(platform::process_id()) + "-tiles-" + std::to_string(counter++) + ".tmp";
}

}  // namespace

template <class T>
Result<std::unique_ptr<TileFile<T>>> TileFile<T>::create(const io::OutputFolder& folder, int width, int height) {
  std::unique_ptr<TileFile> made(new TileFile(folder.file(scratch_name()), folder.path(), width, height));
  made->file_ = std::fopen(made->path_.c_str(), "w+b");
  if (made->file_ == nullptr) return io::system_error("cannot make a scratch file", folder.path(), errno);
  std::setvbuf(made->file_, nullptr, _IONBF, 0);
  std::error_code error;
  if (std::filesystem::remove(made->path_, error) && !error) made->path_.clear();
  return made;
}

template <class T>
TileFile<T>::~TileFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

template <class T>
template <class Cell, class Run>
Status TileFile<T>::for_rows(const char* what, int x, int y, GridView<Cell> cells, const Run& run) {
  assert(x >= 0 && y >= 0 && x + cells.width() <= width_ && y + cells.height() <= height_);
  if (cells.empty()) return {};
  const bool joined = cells.width() == width_ && cells.contiguous();
  const std::size_t count = static_cast<std::size_t>(joined ? cells.cells() : std::int64_t{cells.width()});
  const std::lock_guard lock(mutex_);
  for (int row = 0; row < (joined ? 1 : cells.height()); ++row) {
    const std::int64_t at = ((std::int64_t{y} + row) * width_ + x) * std::int64_t{sizeof(T)};
    errno = 0;
    if (std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0 || run(cells.row(row), count) != count) {
      const int error = errno == 0 ? EIO : errno;
      return io::system_error(what, shown_path_, error);
    }
  }
  return {};
}

template <class T>
Status TileFile<T>::read(int x, int y, GridView<T> out) {
  return for_rows("cannot read a scratch file", x, y, out,
                  [&](T* cells, std::size_t count) { return std::fread(cells, sizeof(T), count, file_); });
}

template <class T>
Status TileFile<T>::write(int x, int y, GridView<const T> tile) {
  return for_rows("cannot write a scratch file", x, y, tile,
                  [&](const T* cells, std::size_t count) { return std::fwrite(cells, sizeof(T), count, file_); });
}

template <class T>
hydrology::TileStore<T> TileFile<T>::store() {
  return {[this](int x, int y, GridView<T> out) { return read(x, y, out); },
          [this](int x, int y, GridView<const T> tile) { return write(x, y, tile); }};
}

template class TileFile<std::uint8_t>;
template class TileFile<float>;
template class TileFile<double>;

}  // namespace thalweg::folder
