#include "elevation.h"

#include "thalweg/folder/load.h"

namespace thalweg::cli {

void ElevationOption::add_to(CLI::App& sub) {
  sub.add_option("dem", path, "elevation model: GeoTIFF, .hgt, ASCII grid, PNG16 or any raster GDAL reads")
      ->type_name("DEM")
      ->required();
  sub.add_option("--raw", raw, "the file is raw numbers in this layout")
      ->type_name("WxH,u16le|u16be|f32le,MIN,MAX,CELL_M");
}

std::uint64_t elevation_bytes(std::int64_t cells, double bytes_per_cell) {
  return static_cast<std::uint64_t>(static_cast<double>(cells) * (bytes_per_cell + 8)) + (64U << 20);
}

Result<io::Raster> read_elevation(const ElevationOption& option, double bytes_per_cell, const Session& session) {
  const auto with_height = [&](Result<io::Raster> raster) -> Result<io::Raster> {
    if (raster && raster->nodata_cells == raster->spec.cells())
      return input_error("has no height in it, only NoData", option.path);
    return raster;
  };
  const auto check = [&](std::int64_t cells) {
    return session.check_memory(elevation_bytes(cells, bytes_per_cell),
                                option.path + " (" + std::to_string(cells) + " cells)");
  };
  if (!option.raw.empty()) {
    Result<io::RawLayout> layout = io::parse_raw_layout(option.raw);
    if (!layout) return std::move(layout).error().at("--raw");
    THALWEG_TRY(check(std::int64_t{layout->width} * layout->height));
    return with_height(io::read_raw(option.path, *layout));
  }
  const Result<io::Raster> header = io::read_raster_header(option.path);
  if (!header) return header.error();
  THALWEG_TRY(check(header->spec.cells()));
  return with_height(io::read_raster(option.path, folder::kMaxCells));
}

}  // namespace thalweg::cli
