// Window by window, rasters are those of the readers and writers of whole grids.
#include "thalweg/io/gdal/raster_windows.h"

#include <gdal_priv.h>
#include <gtest/gtest.h>

#include "thalweg/core/content_hash.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {

constexpr std::int64_t kPlenty = std::int64_t{1} << 24;

// A file of GDAL's own, striped or tiled, north or south up, with a NoData mark.
std::string make_file(const TestFolder& folder, GDALDataType type, int width, int height, bool tiled, bool south_up) {
  GDALAllRegister();
  const std::string path = folder.file("dem.tif");
  const char* const tiles[] = {"TILED=YES", nullptr};
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  const GDALDatasetUniquePtr dataset(
      driver->Create(path.c_str(), width, height, 1, type, const_cast<char**>(tiled ? tiles : tiles + 1)));
  std::array<double, 6> transform = {1000, 10, 0, 5000, 0, south_up ? 10.0 : -10.0};
  dataset->SetGeoTransform(transform.data());
  dataset->GetRasterBand(1)->SetNoDataValue(-99);
  std::vector<double> row(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      row[static_cast<std::size_t>(x)] = (x * 31 + y * 17) % 97 == 0 ? -99 : (x * 7 + y * 1013) % 5003;
    EXPECT_EQ(
        dataset->GetRasterBand(1)->RasterIO(GF_Write, 0, y, width, 1, row.data(), width, 1, GDT_Float64, 0, 0, nullptr),
        CE_None);
  }
  return path;
}

// The cells as windows bring them, each exactly once.
template <class T>
Grid<T> gather(const std::string& path, Raster& facts) {
  Grid<T> cells;
  Grid<std::uint8_t> seen;
  const auto take = [&](int x, int y, const auto& window) -> Status {
    for (int j = 0; j < window.height(); ++j)
      for (int i = 0; i < window.width(); ++i) {
        cells(x + i, y + j) = static_cast<T>(window(i, j));
        ++seen(x + i, y + j);
      }
    return {};
  };
  RasterTaker taker;
  taker.begin = [&](const Raster& header) -> Status {
    cells = Grid<T>(header.spec.width, header.spec.height);
    seen = Grid<std::uint8_t>(header.spec.width, header.spec.height);
    EXPECT_EQ(std::holds_alternative<Grid<T>>(header.cells), true);
    return {};
  };
  taker.take_float = take;
  taker.take_double = take;
  Result<Raster> r = read_raster_windows(path, ReadAs::elevation, taker);
  EXPECT_TRUE(r) << r.error().text();
  facts = std::move(*r);
  for (std::int64_t i = 0; i < seen.cells(); ++i)
    if (seen[i] != 1) ADD_FAILURE() << "cell " << i << " came " << int{seen[i]} << " times";
  return cells;
}

template <class T>
void expect_same_as_whole(GDALDataType type, int width, int height, bool tiled, bool south_up) {
  const TestFolder folder;
  const std::string path = make_file(folder, type, width, height, tiled, south_up);
  const Result<Raster> whole = read_raster(path, kPlenty);
  ASSERT_TRUE(whole) << whole.error().text();
  Raster facts;
  const Grid<T> cells = gather<T>(path, facts);
  EXPECT_EQ(content_hash<T>(cells.view()), content_hash<T>(std::get<Grid<T>>(whole->cells).view()));
  EXPECT_EQ(facts.nodata_cells, whole->nodata_cells);
  EXPECT_GT(facts.nodata_cells, 0);
  EXPECT_EQ(facts.min, whole->min);
  EXPECT_EQ(facts.max, whole->max);
  EXPECT_EQ(facts.note, whole->note);
  EXPECT_EQ(facts.spec.georeference->transform, whole->spec.georeference->transform);
}

TEST(RasterWindows, ReadWhatTheWholeReaderReads) {
  for (const bool tiled : {false, true})
    for (const bool south_up : {false, true}) {
      expect_same_as_whole<float>(GDT_Int16, 301, 523, tiled, south_up);
      expect_same_as_whole<double>(GDT_Int32, 301, 523, tiled, south_up);
    }
  expect_same_as_whole<float>(GDT_Float32, 9001, 300, true, true);  // several windows across
}

TEST(RasterWindows, ErrorsOfTheTakerEndTheReading) {
  const TestFolder folder;
  const std::string path = make_file(folder, GDT_Float32, 20, 20, false, false);
  RasterTaker taker;
  taker.begin = [](const Raster&) -> Status { return {}; };
  taker.take_float = [](int, int, GridView<const float>) -> Status { return machine_error("no room"); };
  const Result<Raster> r = read_raster_windows(path, ReadAs::elevation, taker);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "no room");
}

TEST(RasterWindows, WritesTheBytesOfTheWholeWriter) {
  const TestFolder folder;
  Grid<double> cells(5003, 300);
  for (std::int64_t i = 0; i < cells.cells(); ++i)
    cells[i] = i % 1013 == 0 ? kNoData<double> : static_cast<double>(i % 7919) * 0.25;
  GridSpec spec;
  spec.width = cells.width();
  spec.height = cells.height();
  GeoTiffOptions options;
  options.nodata = -9999;
  ASSERT_TRUE(write_geotiff<double>(folder.file("whole.tif"), cells, spec, options));
  const CellSource<double> source = [&](int x, int y, GridView<double> out) -> Status {
    for (int j = 0; j < out.height(); ++j)
      for (int i = 0; i < out.width(); ++i) out(i, j) = cells(x + i, y + j);
    return {};
  };
  ASSERT_TRUE(write_geotiff_windows<double>(folder.file("windows.tif"), spec, options, source));
  EXPECT_EQ(slurp(folder.file("whole.tif")), slurp(folder.file("windows.tif")));

  const CellSource<double> broken = [&](int, int y, GridView<double>) -> Status {
    return y > 0 ? Status(machine_error("gone")) : Status();
  };
  const Status failed = write_geotiff_windows<double>(folder.file("broken.tif"), spec, options, broken);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "gone");
  EXPECT_EQ(folder.entries(), 2);
}

}  // namespace
}  // namespace thalweg::io
