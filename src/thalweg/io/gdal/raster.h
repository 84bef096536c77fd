// Rasters in and out through GDAL: any elevation model it reads, GeoTIFF and GeoPackage out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  bool heights_are_file_values = true;  ///< false where units, scale or offset changed them
  double min = 0;                       ///< over valid cells; 0, 0 when there are none
  double max = 0;
  std::string description;              ///< of the band, "" where the file has none
  std::string unit;                     ///< of the values in `cells`, "" where the file names none
  std::vector<std::string> categories;  ///< names of the values 0, 1, ... as write_geotiff keeps them
  /// What a user should know about how the file was understood (no georeference, feet converted, first of several
  /// bands ...); "" mostly. One line.
  std::string note;
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
/// For f32le, whose values are metres already, MIN and MAX may be left out.
Result<RawLayout> parse_raw_layout(const std::string& text);

enum class ReadAs {
  elevation,  ///< heights: pictures and palettes are refused, other vertical units become metres
  field,      ///< any band, values as they are (scale and offset applied): biomes, directions, moisture ...
};

/// Reads the first band of any raster GDAL opens. Files that are missing, damaged, truncated or not rasters, complex
/// data, colour pictures and palettes, rotated geotransforms, infinite heights (and heights beyond 1e9 m: an undeclared
/// NoData mark) and sizes beyond `max_cells` give one clear line; the size is checked before anything is allocated.
///
/// The spec: rasters stored south-up are turned. Cell sizes in metres come from the CRS's linear unit; for geographic
/// ones from the ellipsoid at the middle row; a raster without CRS is in metres, unless its cells and bounds can only
/// be degrees; one without georeference has cells of 1 m. A local raster that write_geotiff made without a
/// georeference comes back with its origin and without one. Vertical units other than metres (of the band, else of the
/// CRS) are converted, and a vertical CRS in such a unit is dropped. NoData is the file's mark, NaN, and cells that a
/// mask or alpha band hides.
///
/// Leaves no side files (.aux.xml) and heeds none. Prints nothing. Peak memory: the grid and about 70 MB.
Result<Raster> read_raster(const std::string& path, std::int64_t max_cells, ReadAs as = ReadAs::elevation);
/// The file must have exactly the size that the layout says. NaN is NoData; infinite values are refused.
Result<Raster> read_raw(const std::string& path, const RawLayout& layout);
/// Size, type and place without the cells, for `info` and memory checks.
Result<Raster> read_raster_header(const std::string& path, ReadAs as = ReadAs::elevation);

/// What goes into a GeoTIFF beside the cells.
struct GeoTiffOptions {
  std::optional<double> nodata;  ///< NaN cells are written as this value; also for integer types: their kNoData cells
  std::string description;       ///< of the band, e.g. "height"
  std::string unit;              ///< e.g. "m"
  std::vector<std::array<std::uint8_t, 3>> colours;  ///< colour table of a uint8 band
  std::vector<std::string> categories;
};
/// Tiled, DEFLATE-compressed GeoTIFF, atomically; BigTIFF where it may pass 2 GiB. Georeference: the spec's, else local
/// metres (east, north) with pixel centres at the samples and no CRS. T: uint8_t, int16_t, uint16_t, int32_t, uint32_t,
/// float, double. Bytes are the same for equal content. Category names go into the file's own metadata (no side file).
/// The whole file is checked before it gets its name: a full disk is ErrorCode::machine and leaves nothing.
template <class T>
Status write_geotiff(const std::string& path, GridView<const T> cells, const GridSpec& spec,
                     const GeoTiffOptions& options);

/// GeoPackage with one table per layer, in the layer's CRS, with spatial index, atomically. A column per attribute
/// name, typed by its first value; NaN becomes NULL. Layer names must differ. Bytes are the same for equal content (the
/// date of change is fixed).
Status write_geopackage(const std::string& path, const std::vector<Layer>& layers);

/// "urn:ogc:def:crs:EPSG::n" for a WKT that names an EPSG code, else "". For EPSG:4326 it is
/// "urn:ogc:def:crs:OGC:1.3:CRS84", the same system in the order longitude, latitude that our coordinates have.
std::string crs_urn(const std::string& crs_wkt);

}  // namespace thalweg::io
