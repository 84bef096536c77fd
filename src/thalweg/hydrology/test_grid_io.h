// Reads the small rasters of tests/data/hydrology: ".grid" (one line "GRID type width height", then the cells row by
// row, little-endian) and ESRI ASCII grids.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>

#include "thalweg/core/grid.h"

namespace thalweg::hydrology::test {

inline std::string data_path(const std::string& name) {
  return std::string(THALWEG_SOURCE_DIR) + "/tests/data/hydrology/" + name;
}

/// The grid, or an empty one and a test failure.
template <class T>
Grid<T> read_grid(const std::string& path) {
  const std::string want = std::is_same_v<T, std::uint8_t>   ? "u8"
                           : std::is_same_v<T, std::int16_t> ? "i16"
                           : std::is_same_v<T, std::int32_t> ? "i32"
                                                             : "f32";
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  std::istringstream head(line);
  std::string magic;
  std::string type;
  int width = 0;
  int height = 0;
  head >> magic >> type >> width >> height;
  if (magic != "GRID" || type != want || width <= 0 || height <= 0) {
    ADD_FAILURE() << path << ": no grid of type " << want;
    return {};
  }
  Grid<T> grid(width, height);
  in.read(reinterpret_cast<char*>(grid.data()),
          static_cast<std::streamsize>(grid.cells()) * std::streamsize{sizeof(T)});
  if (!in) ADD_FAILURE() << path << ": too short";
  return grid;
}

inline Grid<std::int32_t> read_ascii_grid(const std::string& path) {
  std::ifstream in(path);
  int width = 0;
  int height = 0;
  double skipped = 0;
  std::string key;
  in >> key >> width >> key >> height;
  for (int line = 0; line < 4; ++line) in >> key >> skipped;
  if (!in || width <= 0 || height <= 0) {
    ADD_FAILURE() << path << ": no ESRI ASCII grid";
    return {};
  }
  Grid<std::int32_t> grid(width, height);
  for (std::int64_t i = 0; i < grid.cells(); ++i) in >> grid[i];
  if (!in) ADD_FAILURE() << path << ": too short";
  return grid;
}

}  // namespace thalweg::hydrology::test
