// Reads the reference data outside the repository.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "thalweg/core/grid.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::reference {

/// $THALWEG_DATA/reference/, or nothing where the variable is not set.
inline std::optional<std::string> data_folder() {
  const char* folder = std::getenv("THALWEG_DATA");
  if (folder == nullptr || *folder == 0) return std::nullopt;
  return std::string(folder) + "/reference/";
}

/// Base of tests that need the data; `folder` is set when the test runs.
class ReferenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = data_folder();
    if (!found) GTEST_SKIP() << "THALWEG_DATA does not name the folder with the reference data";
    folder = *found;
  }
  std::string folder;
};

/// A raster's values, NoData as NaN; an empty grid and a failure where the file cannot be read.
inline Grid<double> read_field(const std::string& path) {
  Result<io::Raster> raster = io::read_raster(path, std::int64_t{1} << 26, io::ReadAs::field);
  if (!raster) {
    ADD_FAILURE() << raster.error().text();
    return {};
  }
  Grid<double> out(raster->spec.width, raster->spec.height);
  std::visit(
      [&](const auto& cells) {
        for (std::int64_t i = 0; i < out.cells(); ++i) out[i] = static_cast<double>(cells[i]);
      },
      raster->cells);
  return out;
}

/// The same as float, exact for files of that type.
inline Grid<float> read_heights(const std::string& path) {
  const Grid<double> wide = read_field(path);
  Grid<float> out(wide.width(), wide.height());
  for (std::int64_t i = 0; i < out.cells(); ++i) out[i] = static_cast<float>(wide[i]);
  return out;
}

/// A small ESRI ASCII grid of whole numbers with six header lines. Values equal to `nodata` (the header's where not
/// given; some headers name one that occurs as a real value) become kNoData.
inline Grid<std::int32_t> read_ascii(const std::string& path, std::optional<int> nodata = std::nullopt) {
  std::ifstream in(path);
  std::string key;
  double header[6] = {};
  for (double& value : header) in >> key >> value;
  const int width = static_cast<int>(header[0]);
  const int height = static_cast<int>(header[1]);
  if (!in || width <= 0 || height <= 0) {
    ADD_FAILURE() << path << ": no ESRI ASCII grid";
    return {};
  }
  const int mark = nodata.value_or(static_cast<int>(header[5]));
  Grid<std::int32_t> out(width, height);
  for (std::int64_t i = 0; i < out.cells(); ++i) {
    in >> out[i];
    if (out[i] == mark) out[i] = kNoData<std::int32_t>;
  }
  if (!in) ADD_FAILURE() << path << ": too short";
  return out;
}

/// Bit for bit, NoData alike: NaN equals NaN, whatever its payload.
template <class T>
std::int64_t count_differing(GridView<const T> a, GridView<const T> b) {
  if (a.width() != b.width() || a.height() != b.height()) return -1;
  std::int64_t differing = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const bool same = is_nodata(a(x, y)) ? is_nodata(b(x, y)) : a(x, y) == b(x, y);
      differing += same ? 0 : 1;
    }
  return differing;
}

}  // namespace thalweg::reference
