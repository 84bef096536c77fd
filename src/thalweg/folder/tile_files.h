// Grids on disk between the steps of tiled work.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/tile_plan.h"
#include "thalweg/io/files.h"

namespace thalweg::folder {

/// A grid of width x height cells of T in a scratch file of a result folder, row by row, in the machine's byte order.
/// The name is taken away as soon as the file is open, so that nothing is left whatever ends the program; where the
/// system does not allow that, the destructor removes it, and a killed run's leavings go when the folder is next
/// opened. Reads and writes any rectangle, from any thread, one at a time. T: uint8_t, float, double.
template <class T>
class TileFile {
 public:
  static Result<std::unique_ptr<TileFile>> create(const io::OutputFolder& folder, int width, int height);
  ~TileFile();
  TileFile(const TileFile&) = delete;
  TileFile& operator=(const TileFile&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  Status read(int x, int y, GridView<T> out);
  Status write(int x, int y, GridView<const T> tile);
  /// The two as callbacks; the file must outlive them.
  hydrology::TileStore<T> store();

 private:
  TileFile(std::string path, std::string shown_path, int width, int height)
      : path_(std::move(path)), shown_path_(std::move(shown_path)), width_(width), height_(height) {}
  /// Calls run(row, bytes) with the file at the place of each row of the rectangle; rows that are whole come as one.
  template <class Cell, class Run>
  Status for_rows(const char* what, int x, int y, GridView<Cell> cells, const Run& run);

  std::string path_;        ///< "" once nothing is left to remove
  std::string shown_path_;  ///< the folder, for errors
  int width_;
  int height_;
  std::mutex mutex_;
  std::FILE* file_ = nullptr;
};

}  // namespace thalweg::folder
