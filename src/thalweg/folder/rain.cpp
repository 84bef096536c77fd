#include "thalweg/folder/rain.h"

#include <cmath>

#include "thalweg/folder/vector_layers.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::folder {
namespace {

constexpr double kSecondsPerYear = 31556952.0;
constexpr double kMostRain = 1e5;  // mm per year; the wettest places have about 12,000

Status check_place(const GridSpec& rain, const GridSpec& spec, const std::string& file) {
  if (rain.width != spec.width || rain.height != spec.height)
    return input_error("the rain has " + std::to_string(rain.width) + " x " + std::to_string(rain.height) +
                           " cells, the elevation model " + std::to_string(spec.width) + " x " +
                           std::to_string(spec.height),
                       file);
  if (!rain.georeference || !spec.georeference) return {};
  for (const auto& [column, row] : {std::pair{0, 0}, std::pair{spec.width - 1, spec.height - 1}}) {
    const auto want = to_map(spec, column, row),
               got = to_grid(spec, to_map(rain, column, row)[0], to_map(rain, column, row)[1]);
    if (std::fabs(got[0] - column) <= 0.5 && std::fabs(got[1] - row) <= 0.5) continue;
    const auto there = to_map(rain, column, row);
    return input_error("the rain lies elsewhere: its cell (" + std::to_string(column) + ", " + std::to_string(row) +
                           ") at " + format_number(there[0]) + "," + format_number(there[1]) +
                           ", that of the elevation model at " + format_number(want[0]) + "," + format_number(want[1]),
                       file);
  }
  return {};
}

}  // namespace

Result<Grid<float>> read_rain(const std::string& file, const GridSpec& spec) {
  const Result<io::Raster> rain = io::read_raster(file, spec.cells(), io::ReadAs::field);
  if (!rain) return rain.error();
  THALWEG_TRY(check_place(rain->spec, spec, file));
  const CellGeometry geometry = CellGeometry::of(spec);
  Grid<float> flow(spec.width, spec.height);
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) {
      const double mm = std::visit([&](const auto& cells) { return static_cast<double>(cells(x, y)); }, rain->cells);
      if (mm < 0 || mm > kMostRain)
        return input_error("rain must be from 0 to 100000 mm per year, is " + format_number(mm), file);
      flow(x, y) = static_cast<float>(mm * 1e-3 * geometry.row(y).area_m2 / kSecondsPerYear);
    }
  return flow;
}

}  // namespace thalweg::folder
