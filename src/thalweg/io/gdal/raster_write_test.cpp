#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>

#include "thalweg/core/content_hash.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
constexpr std::int64_t kPlenty = std::int64_t{1} << 24;

template <class T>
Grid<T> pattern(int width, int height) {
  Grid<T> grid(width, height);
  for (std::int64_t i = 0; i < grid.cells(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      grid[i] = static_cast<T>(static_cast<double>(i * 7919 % 10007) * 0.3 - 500);
    } else {
      grid[i] = static_cast<T>(i * 7919 + i / 3);
    }
  }
  return grid;
}

GridSpec spec_of(int width, int height) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  return spec;
}

// Exact cells through GDAL itself, independent of our reader.
template <class T>
Grid<T> gdal_cells(const std::string& path, GDALDataType type) {
  const GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  Grid<T> grid(dataset->GetRasterXSize(), dataset->GetRasterYSize());
  EXPECT_EQ(dataset->GetRasterBand(1)->GetRasterDataType(), type);
  EXPECT_EQ(dataset->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, grid.width(), grid.height(), grid.data(), grid.width(),
                                                grid.height(), type, 0, 0, nullptr),
            CE_None);
  return grid;
}

template <class T>
void expect_round_trip(GDALDataType type) {
  const TestFolder folder;
  const std::string path = folder.file("r.tif");
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 5}, {5, 1}, {256, 256}, {300, 513}}) {
    Grid<T> big = pattern<T>(width + 3, height + 2);
    const GridView<const T> cells = big.view().window(2, 1, width, height);
    ASSERT_TRUE(write_geotiff<T>(path, cells, spec_of(width, height), {}));
    EXPECT_EQ(content_hash<T>(gdal_cells<T>(path, type).view()), content_hash<T>(cells));
    const std::string bytes = slurp(path);
    ASSERT_TRUE(write_geotiff<T>(path, cells, spec_of(width, height), {}));
    EXPECT_EQ(slurp(path), bytes);
    const Result<Raster> read = read_raster(path, kPlenty, ReadAs::field);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->spec.width, width);
    EXPECT_EQ(read->spec.height, height);
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteGeotiff, EveryTypeComesBack) {
  expect_round_trip<std::uint8_t>(GDT_Byte);
  expect_round_trip<std::int16_t>(GDT_Int16);
  expect_round_trip<std::uint16_t>(GDT_UInt16);
  expect_round_trip<std::int32_t>(GDT_Int32);
  expect_round_trip<std::uint32_t>(GDT_UInt32);
  expect_round_trip<float>(GDT_Float32);
  expect_round_trip<double>(GDT_Float64);
}

TEST(WriteGeotiff, NoData) {
  const TestFolder folder;
  const std::string path = folder.file("n.tif");
  Grid<float> heights = pattern<float>(300, 300);
  heights(0, 0) = heights(299, 299) = kNoData<float>;
  for (const double mark : {-9999.0, std::nan(""), -3.4028234663852886e38}) {
    GeoTiffOptions options;
    options.nodata = mark;
    ASSERT_TRUE(write_geotiff<float>(path, heights.view(), spec_of(300, 300), options));
    const Result<Raster> read = read_raster(path, kPlenty);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->nodata_cells, 2);
    EXPECT_EQ(content_hash<float>(std::get<Grid<float>>(read->cells).view()), content_hash<float>(heights.view()));
  }
  Grid<std::int32_t> basins(3, 1, 7);
  basins(1, 0) = kNoData<std::int32_t>;
  GeoTiffOptions options;
  options.nodata = 0;
  ASSERT_TRUE(write_geotiff<std::int32_t>(path, basins.view(), spec_of(3, 1), options));
  const Result<Raster> read = read_raster(path, kPlenty);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->nodata_cells, 1);
  EXPECT_TRUE(std::isnan(std::get<Grid<double>>(read->cells)(1, 0)));
  options.nodata = 0.5;
  EXPECT_FALSE(write_geotiff<std::int32_t>(path, basins.view(), spec_of(3, 1), options));
  Grid<std::uint8_t> bytes(3, 1);
  options.nodata = 256;
  EXPECT_FALSE(write_geotiff<std::uint8_t>(path, bytes.view(), spec_of(3, 1), options));
}

TEST(WriteGeotiff, LocalMetresKeepTheOrigin) {
  const TestFolder folder;
  const std::string path = folder.file("l.tif");
  GridSpec spec = spec_of(4, 3);
  spec.cell_m = spec.cell_y_m = 0.3;
  spec.origin_x = -1000000007;
  spec.origin_y = 123456;
  ASSERT_TRUE(write_geotiff<float>(path, pattern<float>(4, 3).view(), spec, {}));
  const Result<Raster> read = read_raster(path, kPlenty);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->spec.georeference);
  EXPECT_EQ(read->spec.origin_x, spec.origin_x);
  EXPECT_EQ(read->spec.origin_y, spec.origin_y);
  EXPECT_EQ(read->spec.cell_m, 0.3);
  EXPECT_EQ(read->note, "");
  std::array<double, 6> t{};
  const GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  ASSERT_EQ(dataset->GetGeoTransform(t.data()), CE_None);
  EXPECT_NEAR(t[0] + 0.5 * t[1], -1000000007 * 0.3, 1e-6);  // centre of the first pixel: the sample
  EXPECT_NEAR(t[3] + 0.5 * t[5], -123456 * 0.3, 1e-6);
}

TEST(WriteGeotiff, GeoreferenceIsCarried) {
  const TestFolder folder;
  for (const std::string name : {"everest_64.tif", "tyrol_avamal_64.tif"}) {
    const std::string source = std::string(THALWEG_SOURCE_DIR) + "/tests/data/dem/" + name;
    for (const bool point : {false, true}) {
      const Result<Raster> read = read_raster(source, kPlenty);
      ASSERT_TRUE(read);
      GridSpec spec = read->spec;
      spec.georeference->pixel_is_point = point;
      GeoTiffOptions options;
      options.nodata = -9999;
      const auto& cells = std::get<Grid<float>>(read->cells);
      ASSERT_TRUE(write_geotiff<float>(folder.file("g.tif"), cells.view(), spec, options));
      const Result<Raster> again = read_raster(folder.file("g.tif"), kPlenty);
      ASSERT_TRUE(again) << again.error().text();
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(again->spec.georeference->transform[i], spec.georeference->transform[i],
                    1e-15 * std::fabs(spec.georeference->transform[i]) + 1e-13);
      }
      EXPECT_EQ(again->spec.georeference->pixel_is_point, point);
      EXPECT_EQ(again->spec.georeference->geographic, spec.georeference->geographic);
      EXPECT_EQ(crs_urn(again->spec.georeference->crs_wkt), crs_urn(spec.georeference->crs_wkt));
      EXPECT_EQ(content_hash<float>(std::get<Grid<float>>(again->cells).view()), content_hash<float>(cells.view()));
    }
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteGeotiff, ColoursNamesAndUnits) {
  const TestFolder folder;
  const std::string path = folder.file("biome.tif");
  Grid<std::uint8_t> biome(4, 4, 2);
  GeoTiffOptions options;
  options.colours = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}};
  options.categories = {"sea", "for\xC3\xAAt & <glade>", "rock"};
  options.description = "biome";
  options.unit = "class";
  ASSERT_TRUE(write_geotiff<std::uint8_t>(path, biome.view(), spec_of(4, 4), options));
  EXPECT_EQ(folder.entries(), 1);
  const Result<Raster> read = read_raster(path, kPlenty, ReadAs::field);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->categories, options.categories);
  EXPECT_EQ(read->description, "biome");
  EXPECT_EQ(read->unit, "class");
  EXPECT_EQ(std::get<Grid<float>>(read->cells)(3, 3), 2);
  const GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
  const GDALColorTable* table = dataset->GetRasterBand(1)->GetColorTable();
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->GetColorEntry(1)->c2, 50);
  Grid<float> heights(4, 4);
  EXPECT_FALSE(write_geotiff<float>(path, heights.view(), spec_of(4, 4), options));
}

TEST(WriteGeotiff, WrongPathsAndPlaces) {
  const TestFolder folder;
  spill(folder.file("plain"), "x");
  Grid<float> heights(4, 4);
  for (const std::string& path : {folder.file("no/h.tif"), folder.file("plain/h.tif"), folder.path()}) {
    const Status status = write_geotiff<float>(path, heights.view(), spec_of(4, 4), {});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::input) << status.error().text();
  }
  EXPECT_FALSE(write_geotiff<float>(folder.file("h.tif"), heights.view(), spec_of(5, 4), {}));
  EXPECT_FALSE(write_geotiff<float>(folder.file("h.tif"), GridView<const float>(), spec_of(0, 0), {}));
  GridSpec spec = spec_of(4, 4);
  spec.georeference.emplace().crs_wkt = "nonsense";
  EXPECT_FALSE(write_geotiff<float>(folder.file("h.tif"), heights.view(), spec, {}));
  EXPECT_EQ(folder.entries(), 1);
}

// A limit on file sizes stands in for a full disk: writes beyond it fail in the same places.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST(WriteGeotiff, FullDiskLeavesNothing) {
  const TestFolder folder;
  const std::string path = folder.file("h.tif");
  const Grid<float> heights = pattern<float>(400, 400);
  ASSERT_TRUE(write_geotiff<float>(path, heights.view(), spec_of(400, 400), {}));
  const std::size_t size = slurp(path).size();
  std::filesystem::remove(path);
  for (std::size_t limit = 1; limit < size; limit += limit < 3000 ? 211 : size / 11) {
    Status status;
    {
      const FileSizeLimit full(limit);
      status = write_geotiff<float>(path, heights.view(), spec_of(400, 400), {});
    }
    ASSERT_FALSE(status) << limit << " of " << size;
    EXPECT_EQ(status.error().code, ErrorCode::machine) << status.error().text();
    EXPECT_EQ(folder.entries(), 0);
  }
  {
    const FileSizeLimit full(size - 1);
    EXPECT_FALSE(write_geotiff<float>(path, heights.view(), spec_of(400, 400), {}));
  }
  {
    const FileSizeLimit enough(size);
    EXPECT_TRUE(write_geotiff<float>(path, heights.view(), spec_of(400, 400), {}));
  }
  EXPECT_EQ(slurp(path).size(), size);
}

TEST(WriteGeopackage, FullDiskLeavesNothing) {
  const TestFolder folder;
  Layer layer;
  layer.name = "rivers";
  Feature feature;
  feature.parts.emplace_back(3000, std::array<double, 3>{1, 2, 3});
  layer.features.assign(5, feature);
  for (const std::size_t limit : {1U, 5000U, 50000U, 150000U}) {
    Status status;
    {
      const FileSizeLimit full(limit);
      status = write_geopackage(folder.file("v.gpkg"), {layer});
    }
    ASSERT_FALSE(status) << limit;
    EXPECT_EQ(status.error().code, ErrorCode::machine) << status.error().text();
    EXPECT_EQ(folder.entries(), 0);
  }
}

TEST(CrsUrn, NamesEpsgCodes) {
  EXPECT_EQ(crs_urn(""), "");
  EXPECT_EQ(crs_urn("nonsense"), "");
  EXPECT_EQ(crs_urn(R"(LOCAL_CS["here",UNIT["metre",1]])"), "");
  for (const auto& [name, urn] :
       {std::pair{"EPSG:32611", "urn:ogc:def:crs:EPSG::32611"}, {"EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84"}}) {
    OGRSpatialReference srs;
    ASSERT_EQ(srs.SetFromUserInput(name), OGRERR_NONE);
    char* wkt = nullptr;
    srs.exportToWkt(&wkt);
    EXPECT_EQ(crs_urn(wkt), urn);
    CPLFree(wkt);
  }
}

}  // namespace
}  // namespace thalweg::io
