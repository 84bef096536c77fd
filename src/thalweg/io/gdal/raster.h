// Rasters in and out through GDAL: any elevation model it reads, GeoTIFF and GeoPackage out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/io/vectors.h"

namespace thalweg::io {

enum class CellType { u8, i16, u16, i32, u32, f32, f64 };
std::string_view name_of(CellType type);  ///< "uint8", "int16", ...

/// One band in memory. Floating-point cells hold NaN for NoData whatever the file's mark is; integer bands are
/// converted to float32 where that is exact (8 and 16 bits), else to float64, NoData again as NaN.
struct Raster {
  std::variant<Grid<float>, Grid<double>> cells;
  GridSpec spec;
  CellType file_type = CellType::f32;  ///< of the band in the file
  std::optional<double> file_nodata;   ///< the file's own mark
  std::int64_t nodata_cells = 0;
  double min = 0;  ///< over valid cells; 0, 0 when there are none
  double max = 0;
};
/// `--raw WxH,u16le|u16be|f32le,MIN,MAX,CELL_M`: integers are scaled to [MIN, MAX] metres.
struct RawLayout {
  int width = 0;
  int height = 0;
  enum class Type { u16le, u16be, f32le } type = Type::u16le;
  double min_m = 0;
  double max_m = 1;
  double cell_m = 1;
};
Result<RawLayout> parse_raw_layout(const std::string& text);

/// Reads the first band. Files without an extension GDAL knows, damaged or truncated files, complex or palette data,
/// rotated geotransforms, infinite values and sizes beyond `max_cells` give one clear line. Vertical units of feet (in
/// the CRS or band unit) are converted to metres.
Result<Raster> read_raster(const std::string& path, std::int64_t max_cells);
Result<Raster> read_raw(const std::string& path, const RawLayout& layout);
/// Size and type without the cells, for `info` and memory checks.
Result<Raster> read_raster_header(const std::string& path);

/// What goes into a GeoTIFF beside the cells.
struct GeoTiffOptions {
  std::optional<double> nodata;  ///< NaN cells are written as this value; also for integer types: their kNoData cells
  std::string description;       ///< of the band, e.g. "height"
  std::string unit;              ///< e.g. "m"
  std::vector<std::array<std::uint8_t, 3>> colours;  ///< colour table of a uint8 band
  std::vector<std::string> categories;
};
/// Tiled, DEFLATE-compressed GeoTIFF, atomically. Georeference: the spec's, else local metres (east, north) with pixel
/// centres at the samples and no CRS. T: uint8_t, int16_t, int32_t, float, double. Bytes are the same for equal
/// content.
template <class T>
Status write_geotiff(const std::string& path, GridView<const T> cells, const GridSpec& spec,
                     const GeoTiffOptions& options);

/// GeoPackage with one table per layer, in the layer's CRS.
Status write_geopackage(const std::string& path, const std::vector<Layer>& layers);

/// "urn:ogc:def:crs:EPSG::n" for a WKT that names an EPSG code, else "".
std::string crs_urn(const std::string& crs_wkt);

}  // namespace thalweg::io
