#include <cpl_string.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>
#include <type_traits>

#include "thalweg/io/files.h"
#include "thalweg/io/gdal/placement.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/gdal/raster_windows.h"
#include "thalweg/io/gdal/session.h"

namespace thalweg::io {
namespace {
constexpr int kTile = 256;
constexpr int kWindow = 16 * kTile;  // columns written at a time

template <class T>
constexpr GDALDataType gdal_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return GDT_Byte;
  if constexpr (std::is_same_v<T, std::int16_t>) return GDT_Int16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return GDT_UInt16;
  if constexpr (std::is_same_v<T, std::int32_t>) return GDT_Int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return GDT_UInt32;
  if constexpr (std::is_same_v<T, float>) return GDT_Float32;
  if constexpr (std::is_same_v<T, double>) return GDT_Float64;
}

template <class T>
Status check_options(const std::string& path, const GridSpec& spec, const GeoTiffOptions& options) {
  if (spec.width < 1 || spec.height < 1) return input_error("a raster needs at least one cell", path);
  if (std::is_integral_v<T> && options.nodata) {
    const double mark = *options.nodata;
    const bool fits = mark >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                      mark <= static_cast<double>(std::numeric_limits<T>::max()) && mark == std::floor(mark);
    if (!fits) return input_error("the NoData value does not fit the cell type", path);
  }
  if (!options.colours.empty() && !std::is_same_v<T, std::uint8_t>) {
    return input_error("only uint8 rasters can have a colour table", path);
  }
  if (options.colours.size() > 256 || options.categories.size() > 256) {
    return input_error("a uint8 raster has at most 256 colours and names", path);
  }
  return {};
}

Status set_place(GDALDataset& dataset, const GridSpec& spec, const std::string& path) {
  std::array<double, 6> t{};
  if (spec.georeference) {
    t = spec.georeference->transform;
    if (!spec.georeference->crs_wkt.empty()) {
      OGRSpatialReference srs;
      srs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
      if (srs.importFromWkt(spec.georeference->crs_wkt.c_str()) != OGRERR_NONE ||
          dataset.SetSpatialRef(&srs) != CE_None) {
        return input_error("the coordinate reference system cannot be written", path);
      }
    }
    // GDAL shifts the stored tie point by half a cell itself.
    if (spec.georeference->pixel_is_point) dataset.SetMetadataItem(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  } else {
    const double west = (static_cast<double>(spec.origin_x) - 0.5) * spec.cell_m;
    const double north = -(static_cast<double>(spec.origin_y) - 0.5) * spec.cell_y_m;
    t = {west, spec.cell_m, 0, north, 0, -spec.cell_y_m};
  }
  if (dataset.SetGeoTransform(t.data()) != CE_None) return input_error("the geotransform cannot be written", path);
  return {};
}

void describe(GDALDataset& dataset, const GeoTiffOptions& options) {
  GDALRasterBand& band = *dataset.GetRasterBand(1);
  dataset.SetMetadataItem("TIFFTAG_SOFTWARE", kSoftware);
  if (!options.colours.empty()) {
    GDALColorTable table;
    for (std::size_t i = 0; i < options.colours.size(); ++i) {
      const auto& c = options.colours[i];
      const GDALColorEntry entry{c[0], c[1], c[2], 255};
      table.SetColorEntry(static_cast<int>(i), &entry);
    }
    band.SetColorTable(&table);
  }
  if (options.nodata) band.SetNoDataValue(*options.nodata);
  if (!options.description.empty()) band.SetDescription(options.description.c_str());
  if (!options.unit.empty()) band.SetUnitType(options.unit.c_str());
  // As metadata: GDAL keeps category names of a TIFF in a side file only.
  for (std::size_t i = 0; i < options.categories.size(); ++i) {
    band.SetMetadataItem(("CATEGORY_" + std::to_string(i)).c_str(), options.categories[i].c_str());
  }
}

// In windows of whole tiles, row by row.
template <class T>
Status write_windows(GDALRasterBand& band, const GridSpec& spec, const GeoTiffOptions& options,
                     const CellSource<T>& cells, const std::function<Error()>& failure) {
  const bool translate = options.nodata && !(std::is_floating_point_v<T> && std::isnan(*options.nodata));
  const T mark = translate ? static_cast<T>(*options.nodata) : kNoData<T>;
  std::vector<T> buffer(static_cast<std::size_t>(kTile) * static_cast<std::size_t>(std::min(spec.width, kWindow)));
  for (int y = 0; y < spec.height; y += kTile) {
    const int rows = std::min(kTile, spec.height - y);
    for (int x = 0; x < spec.width; x += kWindow) {
      const int columns = std::min(kWindow, spec.width - x);
      const GridView<T> window(buffer.data(), columns, rows);
      THALWEG_TRY(cells(x, y, window));
      if (translate)
        for (std::int64_t i = 0; i < window.cells(); ++i) window[i] = is_nodata(window[i]) ? mark : window[i];
      if (band.RasterIO(GF_Write, x, y, columns, rows, window.data(), columns, rows, gdal_type<T>(), 0, 0, nullptr) !=
          CE_None)
        return failure();
    }
  }
  return {};
}

// True when every tile that the file's directory names lies inside the file. Data that stayed in a buffer when the disk
// filled up is noticed here, whatever the library says on closing.
bool is_whole(const std::string& path, int width, int height) {
  const GDALDatasetUniquePtr dataset(
      GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, nullptr, nullptr));
  std::error_code ec;
  const std::uintmax_t size = std::filesystem::file_size(path, ec);
  if (ec || dataset == nullptr || dataset->GetRasterXSize() != width || dataset->GetRasterYSize() != height)
    return false;
  GDALRasterBand& band = *dataset->GetRasterBand(1);
  for (int ty = 0; ty < (height + kTile - 1) / kTile; ++ty) {
    for (int tx = 0; tx < (width + kTile - 1) / kTile; ++tx) {
      const std::string tile = std::to_string(tx) + "_" + std::to_string(ty);
      const char* offset = band.GetMetadataItem(("BLOCK_OFFSET_" + tile).c_str(), "TIFF");
      if (offset == nullptr) return false;
      const std::uintmax_t begin = std::strtoull(offset, nullptr, 10);
      const char* bytes = band.GetMetadataItem(("BLOCK_SIZE_" + tile).c_str(), "TIFF");
      if (bytes == nullptr || begin + std::strtoull(bytes, nullptr, 10) > size) return false;
    }
  }
  return true;
}

template <class T>
Status write_file(const std::string& temporary, const std::string& path, const GridSpec& spec,
                  const GeoTiffOptions& options, const CellSource<T>& cells) {
  GdalSession session;
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  if (driver == nullptr) return machine_error("this GDAL cannot write GeoTIFF", path);
  CPLStringList creation;
  creation.SetNameValue("TILED", "YES");
  creation.SetNameValue("BLOCKXSIZE", std::to_string(kTile).c_str());
  creation.SetNameValue("BLOCKYSIZE", std::to_string(kTile).c_str());
  creation.SetNameValue("COMPRESS", "DEFLATE");
  creation.SetNameValue("PREDICTOR", std::is_floating_point_v<T> ? "3" : "2");
  creation.SetNameValue("BIGTIFF", "IF_SAFER");
  const auto failure = [&] { return session.error(ErrorCode::machine, "cannot write", path); };
  GDALDatasetUniquePtr dataset(driver->Create(temporary.c_str(), spec.width, spec.height, 1, gdal_type<T>(),
                                              const_cast<char**>(creation.List())));
  if (dataset == nullptr) return failure();
  THALWEG_TRY(set_place(*dataset, spec, path));
  describe(*dataset, options);
  const Status written = write_windows<T>(*dataset->GetRasterBand(1), spec, options, cells, failure);
  dataset->FlushCache(true);
  dataset.reset();
  if (!written) return written.error();
  if (session.failed()) return failure();
  if (!is_whole(temporary, spec.width, spec.height)) {
    return machine_error("cannot write: the file came out short; is the disk full?", path);
  }
  return {};
}
}  // namespace

template <class T>
Status write_geotiff_windows(const std::string& path, const GridSpec& spec, const GeoTiffOptions& options,
                             const CellSource<T>& cells) {
  return guard_memory([&]() -> Status {
    THALWEG_TRY(check_options<T>(path, spec, options));
    return write_atomically(
        path, [&](const std::string& temporary) { return write_file<T>(temporary, path, spec, options, cells); });
  });
}

template <class T>
Status write_geotiff(const std::string& path, GridView<const T> cells, const GridSpec& spec,
                     const GeoTiffOptions& options) {
  if (!cells.empty() && (spec.width != cells.width() || spec.height != cells.height()))
    return input_error("the cells do not have the size that their place says", path);
  const auto copy = [&](int x, int y, GridView<T> out) -> Status {
    for (int row = 0; row < out.height(); ++row) std::copy_n(cells.row(y + row) + x, out.width(), out.row(row));
    return {};
  };
  return write_geotiff_windows<T>(path, cells.empty() ? GridSpec() : spec, options, copy);
}
#define THALWEG_INSTANTIATE(T)                                                                         \
  template Status write_geotiff_windows<T>(const std::string&, const GridSpec&, const GeoTiffOptions&, \
                                           const CellSource<T>&);
THALWEG_INSTANTIATE(std::uint8_t)
THALWEG_INSTANTIATE(std::int16_t)
THALWEG_INSTANTIATE(std::uint16_t)
THALWEG_INSTANTIATE(std::int32_t)
THALWEG_INSTANTIATE(std::uint32_t)
THALWEG_INSTANTIATE(float)
THALWEG_INSTANTIATE(double)
#undef THALWEG_INSTANTIATE
template Status write_geotiff(const std::string&, GridView<const std::uint8_t>, const GridSpec&, const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const std::int16_t>, const GridSpec&, const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const std::uint16_t>, const GridSpec&,
                              const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const std::int32_t>, const GridSpec&, const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const std::uint32_t>, const GridSpec&,
                              const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const float>, const GridSpec&, const GeoTiffOptions&);
template Status write_geotiff(const std::string&, GridView<const double>, const GridSpec&, const GeoTiffOptions&);

}  // namespace thalweg::io
