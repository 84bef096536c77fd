#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include <clocale>
#include <cmath>
#include <filesystem>
#include <limits>

#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/png.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
constexpr std::int64_t kPlenty = std::int64_t{1} << 24;

std::string data_file(const std::string& name) {
  return std::string(THALWEG_SOURCE_DIR) + "/tests/data/dem/" + name;
}

float cell(const Raster& raster, int x, int y) {
  return std::get<Grid<float>>(raster.cells)(x, y);
}

// A small GeoTIFF straight from GDAL, to be bent into every shape a reader may meet.
struct Maker {
  explicit Maker(const std::string& path, GDALDataType type = GDT_Float32, int width = 3, int height = 2,
                 int bands = 1) {
    GDALAllRegister();
    GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
    dataset.reset(driver->Create(path.c_str(), width, height, bands, type, nullptr));
    std::vector<double> values(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
    for (int b = 1; b <= bands; ++b) fill(values, b);
  }
  void fill(std::vector<double> values, int number = 1) {
    EXPECT_EQ(dataset->GetRasterBand(number)->RasterIO(
                  GF_Write, 0, 0, dataset->GetRasterXSize(), dataset->GetRasterYSize(), values.data(),
                  dataset->GetRasterXSize(), dataset->GetRasterYSize(), GDT_Float64, 0, 0, nullptr),
              CE_None);
  }
  void place(std::array<double, 6> transform, const char* crs = nullptr) {
    dataset->SetGeoTransform(transform.data());
    if (crs == nullptr) return;
    OGRSpatialReference srs;
    ASSERT_EQ(srs.SetFromUserInput(crs), OGRERR_NONE);
    dataset->SetSpatialRef(&srs);
  }
  GDALRasterBand& band() { return *dataset->GetRasterBand(1); }
  void close() { dataset.reset(); }
  GDALDatasetUniquePtr dataset;
};

std::string error_of(const std::string& path, ErrorCode code = ErrorCode::input) {
  testing::internal::CaptureStderr();
  const Result<Raster> read = read_raster(path, kPlenty);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(read) << path;
  if (read) return "";
  EXPECT_EQ(read.error().code, code) << read.error().text();
  EXPECT_EQ(read.error().text().find('\n'), std::string::npos);
  EXPECT_EQ(read.error().place, path);
  return read.error().message;
}

TEST(ReadRaster, SrtmPiece) {
  const Result<Raster> r = read_raster(data_file("everest_64.tif"), kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->spec.width, 64);
  EXPECT_EQ(r->spec.height, 64);
  EXPECT_EQ(r->file_type, CellType::i16);
  EXPECT_EQ(r->file_nodata, -32768);
  EXPECT_EQ(r->nodata_cells, 205);
  EXPECT_EQ(r->min, 4330);
  EXPECT_EQ(r->max, 5812);
  EXPECT_EQ(cell(*r, 10, 20), 4695);
  EXPECT_EQ(r->note, "");
  ASSERT_TRUE(r->spec.georeference);
  EXPECT_TRUE(r->spec.georeference->geographic);
  EXPECT_FALSE(r->spec.georeference->pixel_is_point);
  EXPECT_NEAR(r->spec.georeference->transform[0], 86.582916667, 1e-9);
  EXPECT_EQ(crs_urn(r->spec.georeference->crs_wkt), "urn:ogc:def:crs:OGC:1.3:CRS84");
  // 3 arc seconds at 27.94 N on WGS84: 111.32 km * cos and 110.8 km per degree.
  EXPECT_NEAR(r->spec.cell_m, 82.0, 0.2);
  EXPECT_NEAR(r->spec.cell_y_m, 92.35, 0.1);
}

TEST(ReadRaster, LidarPiece) {
  const Result<Raster> r = read_raster(data_file("tyrol_avamal_64.tif"), kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->file_type, CellType::f32);
  EXPECT_EQ(r->nodata_cells, 313);
  EXPECT_EQ(cell(*r, 10, 20), 2779.130859375F);
  EXPECT_EQ(r->spec.cell_m, 5);
  EXPECT_EQ(r->spec.cell_y_m, 5);
  EXPECT_EQ(crs_urn(r->spec.georeference->crs_wkt), "urn:ogc:def:crs:EPSG::31287");
  const Result<Raster> header = read_raster_header(data_file("tyrol_avamal_64.tif"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->spec.width, 64);
  EXPECT_EQ(header->spec.cell_m, 5);
  EXPECT_EQ(header->file_nodata, -9999);
  EXPECT_EQ(std::get<Grid<float>>(header->cells).cells(), 0);
}

TEST(ReadRaster, NothingIsLeftBeside) {
  const TestFolder folder;
  std::filesystem::copy_file(data_file("everest_64.tif"), folder.file("e.tif"));
  ASSERT_TRUE(read_raster(folder.file("e.tif"), kPlenty));
  ASSERT_TRUE(read_raster_header(folder.file("e.tif")));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(ReadRaster, SizeIsCheckedFirst) {
  const TestFolder folder;
  const std::string path = folder.file("huge.vrt");
  spill(path, R"(<VRTDataset rasterXSize="2000000000" rasterYSize="2000000000">
    <VRTRasterBand dataType="Float32" band="1"/></VRTDataset>)");
  EXPECT_NE(error_of(path).find("2000000000 x 2000000000 = 4000000000000000000 cells"), std::string::npos);
  const Result<Raster> header = read_raster_header(path);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->spec.cells(), 4000000000000000000);
  EXPECT_FALSE(read_raster(data_file("everest_64.tif"), 64 * 64 - 1));
  EXPECT_TRUE(read_raster(data_file("everest_64.tif"), 64 * 64));
}

TEST(ReadRaster, SrtmTile) {
  const TestFolder folder;
  std::string bytes(1201 * 1201 * 2, '\0');
  bytes[0] = 0x12;  // big-endian 0x1234
  bytes[1] = 0x34;
  bytes[2] = '\x80';  // void
  const std::string path = folder.file("S33W071.hgt");
  spill(path, bytes);
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->spec.width, 1201);
  EXPECT_EQ(cell(*r, 0, 0), 0x1234);
  EXPECT_EQ(r->nodata_cells, 1);
  EXPECT_TRUE(r->spec.georeference->geographic);
  const auto centre = r->spec.georeference->cell_centre(0, 0);  // the north-western corner point of the tile
  EXPECT_NEAR(centre[0], -71, 1e-9);
  EXPECT_NEAR(centre[1], -32, 1e-9);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(ReadRaster, AsciiGridInAnyLocale) {
  const TestFolder folder;
  const std::string path = folder.file("grid.asc");
  spill(path,
        "ncols 3\nnrows 2\nxllcorner 1000.5\nyllcorner 2000\ncellsize 2.5\nNODATA_value -9999\n"
        "1.25 2.5 -9999\n4 5.75 -6.5\n");
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  const Result<Raster> r = read_raster(path, kPlenty);
  std::setlocale(LC_ALL, before.c_str());
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(cell(*r, 0, 0), 1.25F);
  EXPECT_EQ(cell(*r, 1, 1), 5.75F);
  EXPECT_EQ(r->nodata_cells, 1);
  EXPECT_EQ(r->min, -6.5);
  EXPECT_EQ(r->spec.cell_m, 2.5);
  EXPECT_EQ(r->spec.georeference->transform[3], 2005);
  EXPECT_EQ(r->note, "no CRS: metres assumed");
  EXPECT_EQ(folder.entries(), 1);
}

constexpr const char* kAsciiHead = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n";

TEST(ReadRaster, NanAmongWholeNumbersOfAsciiGridIsNoData) {
  const TestFolder folder;
  const std::string path = folder.file("grid.asc");
  for (const std::string word : {"nan", "NaN", "NAN", "-nan"}) {
    spill(path, kAsciiHead + ("1 2 3\n4 " + word + " 6\n7 8 9\n"));
    const Result<Raster> r = read_raster(path, kPlenty);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->nodata_cells, 1) << word;
    EXPECT_EQ(r->min, 1);
    EXPECT_EQ(r->max, 9);
    const auto& cells = std::get<Grid<double>>(r->cells);
    EXPECT_TRUE(std::isnan(cells(1, 1))) << word;
    EXPECT_EQ(cells(2, 1), 6);
  }
  for (const std::string word : {"inf", "-inf"}) {
    spill(path, kAsciiHead + ("1 2 3\n4 5 " + word + "\n7 8 9\n"));
    EXPECT_NE(error_of(path).find("infinite value at column 2, row 1"), std::string::npos) << word;
  }
}

TEST(ReadRaster, AsciiGridIsNotSqueezedIntoIntegers) {
  const TestFolder folder;
  const std::string path = folder.file("grid.asc");
  spill(path, kAsciiHead + std::string("1 2 3\n4 3000000000 6\n7 8 9\n"));
  Result<Raster> r = read_raster(path, kPlenty, ReadAs::field);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(std::get<Grid<double>>(r->cells)(1, 1), 3000000000.0);
  spill(path, kAsciiHead + std::string("-1 +2 3\n4 999999999 6\n7 8 9\n"));
  r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->file_type, CellType::i32);
  EXPECT_EQ(r->min, -1);
  // A sea of zeros longer than what GDAL looks at, then a fraction.
  std::string text = "ncols 300\nnrows 300\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (int i = 0; i < 300 * 300 - 1; ++i) text += i % 300 == 299 ? "0\n" : "0 ";
  spill(path, text + "0.75\n");
  r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->max, 0.75);
}

TEST(ReadRaster, DegreesWithoutCrsAreRecognised) {
  const TestFolder folder;
  const std::string path = folder.file("grid.asc");
  spill(path, "ncols 2\nnrows 2\nxllcorner 11.0\nyllcorner 47.0\ncellsize 0.01\n1 2\n3 4\n");
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_TRUE(r->spec.georeference->geographic);
  EXPECT_NEAR(r->spec.cell_y_m, 1111.7, 2);
  EXPECT_NE(r->note.find("degrees"), std::string::npos);
}

TEST(ReadRaster, Png16HasNoGeoreference) {
  const TestFolder folder;
  Grid<std::uint16_t> values(3, 2);
  for (int i = 0; i < 6; ++i) values[i] = static_cast<std::uint16_t>(i * 13000);
  ASSERT_TRUE(write_png16(folder.file("h.png"), values.view()));
  const Result<Raster> r = read_raster(folder.file("h.png"), kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->file_type, CellType::u16);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(std::get<Grid<float>>(r->cells)[i], static_cast<float>(i * 13000));
  EXPECT_FALSE(r->spec.georeference);
  EXPECT_EQ(r->spec.cell_m, 1);
  EXPECT_NE(r->note.find("no georeference"), std::string::npos);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(ReadRaster, SouthUpIsTurned) {
  const TestFolder folder;
  const std::string path = folder.file("s.tif");
  Maker maker(path);
  maker.place({100, 10, 0, 500, 0, 20}, "EPSG:32633");
  maker.close();
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(cell(*r, 0, 0), 4);
  EXPECT_EQ(cell(*r, 2, 1), 3);
  EXPECT_EQ(r->spec.georeference->transform, (std::array<double, 6>{100, 10, 0, 540, 0, -20}));
  EXPECT_EQ(r->spec.cell_m, 10);
  EXPECT_EQ(r->spec.cell_y_m, 20);
}

TEST(ReadRaster, RotatedMirroredAndWildPlacesAreRefused) {
  const TestFolder folder;
  const std::string path = folder.file("r.tif");
  const std::array<double, 6> bad[] = {{0, 1, 0.1, 0, 0, -1}, {0, -1, 0, 0, 0, -1}, {0, 1, 0, 95, 0, -1}};
  for (const auto& transform : bad) {
    Maker maker(path);
    maker.place(transform, "EPSG:4326");
    maker.close();
    error_of(path);
  }
}

TEST(ReadRaster, FeetBecomeMetres) {
  const TestFolder folder;
  const std::string path = folder.file("f.tif");
  {
    Maker maker(path);
    maker.place({0, 3, 0, 0, 0, -3}, "EPSG:2229");  // California zone 5, US survey feet
    maker.band().SetUnitType("ft");
  }
  Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_NEAR(r->spec.cell_m, 3 * 1200.0 / 3937.0, 1e-12);
  EXPECT_EQ(cell(*r, 1, 0), static_cast<float>(2 * 0.3048));
  EXPECT_EQ(r->unit, "m");
  EXPECT_NE(r->note.find("'ft'"), std::string::npos);
  r = read_raster(path, kPlenty, ReadAs::field);
  EXPECT_EQ(cell(*r, 1, 0), 2);
  EXPECT_EQ(r->unit, "ft");
}

TEST(ReadRaster, TellsWhetherHeightsAreFileValues) {
  const TestFolder folder;
  const std::string path = folder.file("u.tif");
  const auto read = [&](const char* unit, double scale, double offset, ReadAs as) {
    {
      Maker maker(path, GDT_Int16);
      maker.band().SetUnitType(unit);
      if (scale != 1) maker.band().SetScale(scale);
      if (offset != 0) maker.band().SetOffset(offset);
    }
    const Result<Raster> r = read_raster(path, kPlenty, as);
    EXPECT_TRUE(r) << unit;
    return r && r->heights_are_file_values;
  };
  for (const char* unit : {"", "m", "metre", "1"}) EXPECT_TRUE(read(unit, 1, 0, ReadAs::elevation)) << unit;
  for (const char* unit : {"ft", "km", "cm"}) {
    EXPECT_FALSE(read(unit, 1, 0, ReadAs::elevation)) << unit;
    EXPECT_TRUE(read(unit, 1, 0, ReadAs::field)) << unit;
  }
  EXPECT_FALSE(read("m", 2, 0, ReadAs::elevation));
  EXPECT_FALSE(read("m", 1, 100, ReadAs::field));
  {
    Maker maker(path);
    maker.place({0, 3, 0, 0, 0, -3}, "EPSG:32611+6360");  // NAVD88 height (ftUS)
  }
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_FALSE(r->heights_are_file_values);
}

TEST(ReadRaster, UnitsOfFieldsGiveNoNote) {
  const TestFolder folder;
  const std::string path = folder.file("u.tif");
  const auto note = [&](const char* unit, ReadAs as) {
    {
      Maker maker(path);
      maker.place({0, 3, 0, 0, 0, -3}, "EPSG:32633");
      maker.band().SetUnitType(unit);
    }
    const Result<Raster> r = read_raster(path, kPlenty, as);
    return r ? r->note : r.error().text();
  };
  for (const char* unit : {"1", "", "m2", "m3/s", "degC", "m"}) EXPECT_EQ(note(unit, ReadAs::field), "") << unit;
  for (const char* unit : {"1", "", "m"}) EXPECT_EQ(note(unit, ReadAs::elevation), "") << unit;
  EXPECT_EQ(note("degC", ReadAs::elevation), "unknown unit 'degC' taken for metres");
}

TEST(ReadRaster, VerticalCrsInFeetIsConvertedAndDropped) {
  const TestFolder folder;
  const std::string path = folder.file("v.tif");
  {
    Maker maker(path);
    maker.place({0, 3, 0, 0, 0, -3}, "EPSG:32611+6360");  // NAVD88 height (ftUS)
  }
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(cell(*r, 2, 0), static_cast<float>(3 * 1200.0 / 3937.0));
  EXPECT_EQ(crs_urn(r->spec.georeference->crs_wkt), "urn:ogc:def:crs:EPSG::32611");
  // Written and read again, the heights stay: no second conversion.
  ASSERT_TRUE(write_geotiff<float>(folder.file("w.tif"), std::get<Grid<float>>(r->cells).view(), r->spec, {}));
  const Result<Raster> again = read_raster(folder.file("w.tif"), kPlenty);
  ASSERT_TRUE(again);
  EXPECT_EQ(cell(*again, 2, 0), cell(*r, 2, 0));
}

TEST(ReadRaster, ScaleOffsetMaskAndNoData) {
  const TestFolder folder;
  const std::string path = folder.file("m.tif");
  {
    Maker maker(path, GDT_Int16);
    maker.band().SetScale(0.5);
    maker.band().SetOffset(100);
    maker.band().SetNoDataValue(2);
  }
  Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(cell(*r, 0, 0), 100.5F);
  EXPECT_TRUE(std::isnan(cell(*r, 1, 0)));
  EXPECT_EQ(r->file_nodata, 2);
  {
    CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
    Maker maker(folder.file("k.tif"));
    maker.dataset->CreateMaskBand(GMF_PER_DATASET);
    std::uint8_t mask[6] = {255, 255, 0, 255, 0, 0};
    ASSERT_EQ(maker.band().GetMaskBand()->RasterIO(GF_Write, 0, 0, 3, 2, mask, 3, 2, GDT_Byte, 0, 0, nullptr), CE_None);
    maker.close();
    CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
  }
  r = read_raster(folder.file("k.tif"), kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->nodata_cells, 3);
  EXPECT_TRUE(std::isnan(cell(*r, 2, 0)));
  EXPECT_EQ(cell(*r, 0, 1), 4);
}

TEST(ReadRaster, NanAndRoundedHugeMarks) {
  const TestFolder folder;
  const std::string path = folder.file("n.tif");
  const double huge = static_cast<double>(std::numeric_limits<float>::lowest());
  {
    Maker maker(path);
    maker.fill({1, huge, std::nan(""), 4, 5, 6});
    maker.band().SetNoDataValue(-3.40282e38);
  }
  Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->nodata_cells, 2);
  EXPECT_EQ(r->min, 1);
  {
    Maker maker(path);
    maker.fill({std::nan(""), std::nan(""), std::nan(""), std::nan(""), std::nan(""), std::nan("")});
  }
  r = read_raster(path, kPlenty);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->nodata_cells, 6);
  EXPECT_EQ(r->min, 0);
  EXPECT_EQ(r->max, 0);
}

TEST(ReadRaster, WideIntegersStayExact) {
  const TestFolder folder;
  const std::string path = folder.file("i.tif");
  for (const GDALDataType type : {GDT_Int32, GDT_UInt32, GDT_Float64}) {
    {
      Maker maker(path, type);
      maker.fill({2147483647, 1, 2, 3, 4, 16777217});
    }
    const Result<Raster> r = read_raster(path, std::int64_t{1} << 20, ReadAs::field);
    ASSERT_TRUE(r) << r.error().text();
    const auto& cells = std::get<Grid<double>>(r->cells);
    EXPECT_EQ(cells(0, 0), 2147483647.0);
    EXPECT_EQ(cells(2, 1), 16777217.0);
  }
}

TEST(ReadRaster, InfiniteAndImpossibleHeightsAreRefused) {
  const TestFolder folder;
  const std::string path = folder.file("x.tif");
  for (const double bad : {HUGE_VAL, -HUGE_VAL, -3.4e38}) {
    {
      Maker maker(path);
      maker.fill({1, 2, 3, 4, bad, 6});
    }
    EXPECT_NE(error_of(path).find("column 1, row 1"), std::string::npos);
  }
}

TEST(ReadRaster, UndeclaredMarkIsPointedOut) {
  const TestFolder folder;
  const std::string path = folder.file("x.tif");
  {
    Maker maker(path);
    maker.fill({1, 2, 3, 4, -9999, 6});
  }
  const Result<Raster> r = read_raster(path, kPlenty);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->nodata_cells, 0);
  EXPECT_NE(r->note.find("-9999"), std::string::npos);
}

TEST(ReadRaster, PicturesAreRefused) {
  const TestFolder folder;
  const std::vector<std::uint8_t> pixels(3 * 2 * 4, 7);
  ASSERT_TRUE(write_png8(folder.file("rgb.png"), 3, 2, 3, {pixels.data(), 18}));
  EXPECT_NE(error_of(folder.file("rgb.png")).find("colour picture"), std::string::npos);
  ASSERT_TRUE(write_png8(folder.file("rgba.png"), 3, 2, 4, pixels));
  error_of(folder.file("rgba.png"));
  ASSERT_TRUE(write_png8(folder.file("grey.png"), 3, 2, 1, {pixels.data(), 6}));
  EXPECT_TRUE(read_raster(folder.file("grey.png"), kPlenty));
  { Maker maker(folder.file("c.tif"), GDT_CFloat32); }
  EXPECT_NE(error_of(folder.file("c.tif")).find("complex"), std::string::npos);
  GeoTiffOptions options;
  options.colours = {{1, 2, 3}};
  GridSpec spec;
  spec.width = spec.height = 2;
  ASSERT_TRUE(write_geotiff<std::uint8_t>(folder.file("p.tif"), Grid<std::uint8_t>(2, 2).view(), spec, options));
  EXPECT_NE(error_of(folder.file("p.tif")).find("palette"), std::string::npos);
  EXPECT_TRUE(read_raster(folder.file("p.tif"), kPlenty, ReadAs::field));
  { Maker maker(folder.file("b.tif"), GDT_Float32, 3, 2, 4); }
  const Result<Raster> r = read_raster(folder.file("b.tif"), kPlenty);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_NE(r->note.find("first of 4 bands"), std::string::npos);
}

TEST(ReadRaster, WrongPaths) {
  const TestFolder folder;
  spill(folder.file("text.tif"), "no raster at all\n");
  spill(folder.file("empty.tif"), "");
  EXPECT_EQ(error_of(folder.file("missing.tif")), "no such file or folder");
  error_of(folder.file("text.tif/below.tif"));
  error_of(folder.file("text.tif"));
  error_of(folder.file("empty.tif"));
  EXPECT_NE(error_of(folder.path()).find("folder"), std::string::npos);
  EXPECT_FALSE(read_raster("", kPlenty));
  EXPECT_FALSE(read_raster("NETCDF:nothing.nc:z", kPlenty));
  EXPECT_EQ(folder.entries(), 2);
}

TEST(ReadRaster, CutAndDamagedFilesNeverCrash) {
  const TestFolder folder;
  testing::internal::CaptureStderr();
  for (const std::string name : {"everest_64.tif", "tyrol_avamal_64.tif"}) {
    const std::string whole = slurp(data_file(name));
    const std::string path = folder.file(name);
    for (std::size_t length = 0; length < whole.size(); length += length < 700 ? 13 : 211) {
      spill(path, whole.substr(0, length));
      const Result<Raster> r = read_raster(path, kPlenty);
      EXPECT_FALSE(r) << name << " cut at " << length;
      if (r) continue;
      EXPECT_EQ(r.error().code, ErrorCode::input) << r.error().text();
    }
    for (std::size_t i = 0; i < whole.size(); i += i < 700 ? 5 : 97) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ 0xA5);
      spill(path, flipped);
      (void)read_raster(path, kPlenty).ok();
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ReadRaster, DamagedTiffIsToldInOneShortLine) {
  const TestFolder folder;
  const std::string path = folder.file("t.tif");
  constexpr int kSize = 600;
  Grid<float> heights(kSize, kSize);
  for (std::int64_t i = 0; i < heights.cells(); ++i) heights[i] = static_cast<float>(i * 7919 % 10007) * 0.3F;
  GridSpec spec;
  spec.width = spec.height = kSize;
  ASSERT_TRUE(write_geotiff<float>(path, heights.view(), spec, {}));
  const std::string whole = slurp(path);
  spill(path, whole.substr(0, whole.size() / 2));
  // Tiles of 256 rows; the middle of the file lies in the second row of them.
  EXPECT_EQ(error_of(path), "is damaged or cut short: its cells cannot be read near row 256");
}

TEST(ReadRaster, CutAsciiAndPngGiveErrors) {
  const TestFolder folder;
  Grid<std::uint16_t> values(40, 40);
  for (int i = 0; i < 1600; ++i) values[i] = static_cast<std::uint16_t>(i * 7919);
  ASSERT_TRUE(write_png16(folder.file("h.png"), values.view()));
  const std::string png = slurp(folder.file("h.png"));
  spill(folder.file("h.png"), png.substr(0, png.size() / 2));
  error_of(folder.file("h.png"));
  spill(folder.file("g.asc"), "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5\n");
  EXPECT_NE(error_of(folder.file("g.asc")).find("5 of 6"), std::string::npos);
  spill(folder.file("g.asc"), "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 five 6\n");
  EXPECT_NE(error_of(folder.file("g.asc")).find("'five'"), std::string::npos);
  spill(folder.file("N27E086.hgt"), std::string(1201 * 1201 * 2 - 2000, 'x'));
  error_of(folder.file("N27E086.hgt"));
}

TEST(Raw, LayoutsAreParsed) {
  const Result<RawLayout> r = parse_raw_layout("1025x513,u16be,-10.5,1e3,2");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->width, 1025);
  EXPECT_EQ(r->height, 513);
  EXPECT_EQ(r->type, RawLayout::Type::u16be);
  EXPECT_EQ(r->min_m, -10.5);
  EXPECT_EQ(r->max_m, 1000);
  EXPECT_EQ(r->cell_m, 2);
  EXPECT_TRUE(parse_raw_layout("2x2,f32le,5"));
  EXPECT_TRUE(parse_raw_layout("2x2,f32le,0,1,5"));
  for (const char* wrong :
       {"", "2x2", "2x2,u16le", "2,u16le,0,1,1", "2x,u16le,0,1,1", "2x2,u8,0,1,1", "2x2,u16le,5", "0x2,u16le,0,1,1",
        "-2x2,u16le,0,1,1", "2x2,u16le,0,1,0", "2x2,u16le,0,1,nan", "2x2,u16le,0,1,inf", "2x2,u16le,1,0,1",
        "2x2,u16le,nan,1,1", "2x2,u16le,0,1,1,1", "2x2,u16le,0,1,1 ", "99999999999x2,u16le,0,1,1", "2x2,u16le,,1,1"}) {
    const Result<RawLayout> bad = parse_raw_layout(wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().code, ErrorCode::input);
  }
}

TEST(Raw, CellsAreScaled) {
  const TestFolder folder;
  const std::string path = folder.file("r.raw");
  spill(path, std::string("\x00\x00\xFF\xFF\x00\x80\x01\x00", 8));
  Result<Raster> r = read_raw(path, *parse_raw_layout("2x2,u16le,100,65635,3"));
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(cell(*r, 0, 0), 100);
  EXPECT_EQ(cell(*r, 1, 0), 65635);
  EXPECT_EQ(cell(*r, 0, 1), 32868);
  EXPECT_EQ(cell(*r, 1, 1), 101);
  EXPECT_EQ(r->spec.cell_m, 3);
  EXPECT_EQ(r->max, 65635);
  EXPECT_FALSE(r->heights_are_file_values);
  r = read_raw(path, *parse_raw_layout("2x2,u16be,0,65535,3"));
  EXPECT_TRUE(r->heights_are_file_values);
  EXPECT_EQ(cell(*r, 0, 1), 128);
  const float floats[] = {1.5F, std::nanf(""), -2, 1e30F};
  spill(path, std::string(reinterpret_cast<const char*>(floats), sizeof floats));
  r = read_raw(path, *parse_raw_layout("2x2,f32le,3"));
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->nodata_cells, 1);
  EXPECT_EQ(r->min, -2);
  const float infinite[] = {1.5F, HUGE_VALF, -2, 1};
  spill(path, std::string(reinterpret_cast<const char*>(infinite), sizeof infinite));
  EXPECT_FALSE(read_raw(path, *parse_raw_layout("2x2,f32le,3")));
  for (const char* layout : {"3x2,u16le,0,1,1", "1x2,u16le,0,1,1", "2000000000x2000000000,u16le,0,1,1"}) {
    const Result<Raster> bad = read_raw(path, *parse_raw_layout(layout));
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::input);
  }
  EXPECT_FALSE(read_raw(folder.file("missing"), RawLayout{2, 2}));
  EXPECT_FALSE(read_raw(folder.path(), RawLayout{2, 2}));
}

}  // namespace
}  // namespace thalweg::io
