#include "thalweg/folder/hydrology_tiled.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "thalweg/core/simd.h"
#include "thalweg/folder/raster_hasher.h"
#include "thalweg/folder/tile_files.h"
#include "thalweg/folder/timer.h"
#include "thalweg/hydrology/tiled.h"
#include "thalweg/io/gdal/raster_windows.h"

namespace thalweg::folder {
namespace {

using hydrology::TilePlan;

// The program, GDAL and its caches, buffers of readers and writers.
constexpr std::uint64_t kBaseBytes = std::uint64_t{120} << 20;
// For each cell of a perimeter, at the peak of joining the tiles.
constexpr std::uint64_t kBytesPerRimCell = 70;

std::uint64_t bytes_per_tile_cell(int cell_bytes) {
  return cell_bytes == 4 ? 30 : 40;
}

std::uint64_t need_of(const TilePlan& plan, int cell_bytes, int threads) {
  const std::int64_t busy = std::min<std::int64_t>(threads, plan.tiles());
  const std::int64_t cells =
      std::int64_t{std::min(plan.tile_width, plan.width)} * std::min(plan.tile_height, plan.height);
  const std::int64_t rim = 2 * (std::int64_t{plan.width} * plan.rows() + std::int64_t{plan.height} * plan.columns());
  return kBaseBytes + static_cast<std::uint64_t>(busy * cells) * bytes_per_tile_cell(cell_bytes) +
         static_cast<std::uint64_t>(rim) * kBytesPerRimCell;
}

// What world.json says of a raster, from its rows in order. `Cell` is the type in the file.
template <class Cell, class T>
Result<FileEntry> describe_rows(TileFile<T>& cells, FileEntry entry) {
  const int w = cells.width();
  Grid<T> row(w, 1);
  Grid<Cell> typed(w, 1);
  RasterHasher<Cell> hasher(entry.type, w, cells.height());
  for (int y = 0; y < cells.height(); ++y) {
    THALWEG_TRY(cells.read(0, y, row.view()));
    for (int x = 0; x < w; ++x) typed[x] = is_nodata(row[x]) ? kNoData<Cell> : static_cast<Cell>(row[x]);
    hasher.add_row(typed.data());
    FileEntry part;
    set_range<Cell>(part, typed.view());
    if (!part.min) continue;
    entry.min = entry.min ? std::min(*entry.min, *part.min) : *part.min;
    entry.max = entry.max ? std::max(*entry.max, *part.max) : *part.max;
  }
  entry.hash = hasher.digest().hex();
  return entry;
}

// One raster of the result from its scratch file.
template <class Cell, class T>
Status write_raster(Writer& writer, TileFile<T>& cells, const GridSpec& spec, FileEntry entry,
                    io::GeoTiffOptions options) {
  options.description = entry.kind;
  options.unit = entry.unit;
  std::vector<T> buffer;
  const io::CellSource<Cell> source = [&](int x, int y, GridView<Cell> out) -> Status {
    if constexpr (std::is_same_v<Cell, T>) {
      return cells.read(x, y, out);
    } else {
      buffer.resize(static_cast<std::size_t>(out.cells()));
      THALWEG_TRY(cells.read(x, y, GridView<T>(buffer.data(), out.width(), out.height())));
      std::transform(buffer.begin(), buffer.end(), out.data(),
                     [](T v) { return is_nodata(v) ? kNoData<Cell> : static_cast<Cell>(v); });
      return {};
    }
  };
  THALWEG_TRY(io::write_geotiff_windows<Cell>(writer.folder().file(entry.name), spec, options, source));
  Result<FileEntry> described = describe_rows<Cell, T>(cells, std::move(entry));
  if (!described) return described.error();
  writer.add(std::move(*described));
  return {};
}

// Whether all cells are integers of the file's own type, none of them the very value that marks NoData in memory.
template <class I, class T>
Result<bool> are_integers(TileFile<T>& cells) {
  Grid<T> row(cells.width(), 1);
  for (int y = 0; y < cells.height(); ++y) {
    THALWEG_TRY(cells.read(0, y, row.view()));
    for (int x = 0; x < row.width(); ++x) {
      if (is_nodata(row[x])) continue;
      const auto v = static_cast<double>(row[x]);
      if (v < std::numeric_limits<I>::min() || v > std::numeric_limits<I>::max() || v != std::floor(v)) return false;
      if (is_nodata(static_cast<I>(v))) return false;
    }
  }
  return true;
}

template <class T>
Status write_filled(Writer& writer, TileFile<T>& cells, const io::Raster& dem) {
  io::GeoTiffOptions options;
  if (dem.nodata_cells > 0) options.nodata = dem.heights_are_file_values ? dem.file_nodata.value_or(-9999) : -9999;
  FileEntry entry;
  entry.name = "filled.tif";
  entry.kind = "filled";
  entry.unit = "m";
  entry.type = io::name_of(dem.file_type);
  const auto write_as = [&](auto example) -> Result<bool> {
    using I = decltype(example);
    const Result<bool> fit = are_integers<I>(cells);
    if (!fit || !*fit) return fit;
    THALWEG_TRY(write_raster<I>(writer, cells, dem.spec, entry, options));
    return true;
  };
  Result<bool> written = false;
  if (dem.heights_are_file_values) {
    if (dem.file_type == io::CellType::u8) written = write_as(std::uint8_t{});
    if (dem.file_type == io::CellType::i16) written = write_as(std::int16_t{});
    if (dem.file_type == io::CellType::u16) written = write_as(std::uint16_t{});
    if (dem.file_type == io::CellType::i32) written = write_as(std::int32_t{});
    if (dem.file_type == io::CellType::u32) written = write_as(std::uint32_t{});
  }
  if (!written) return written.error();
  if (*written) return {};
  entry.type = sizeof(T) == 4 ? "float32" : "float64";
  return write_raster<T>(writer, cells, dem.spec, entry, options);
}

template <class T>
Result<std::string> drain(const io::Raster& dem, const std::string& source, std::unique_ptr<TileFile<T>> height,
                          const TilePlan& plan, Writer& writer, std::vector<recipe::StepTiming>& timings,
                          const Exec& exec) {
  const GridSpec& spec = dem.spec;
  const CellGeometry geometry = CellGeometry::of(spec);
  Timer timer("hydrology", timings);
  timer.begin("depressions");
  auto filled = TileFile<T>::create(writer.folder(), spec.width, spec.height);
  if (!filled) return std::move(filled).error();
  THALWEG_TRY(
      hydrology::fill_tiled<T>(plan, height->store().read, nullptr, (*filled)->store().write, exec.part(0.1, 0.35)));
  height.reset();
  timer.begin("directions");
  auto directions = TileFile<std::uint8_t>::create(writer.folder(), spec.width, spec.height);
  if (!directions) return std::move(directions).error();
  THALWEG_TRY(hydrology::d8_tiled<T>(plan, (*filled)->store().read, nullptr, geometry, (*directions)->store(),
                                     exec.part(0.35, 0.55)));
  timer.begin("files");
  THALWEG_TRY(write_filled<T>(writer, **filled, dem));
  filled->reset();
  if (exec.cancelled()) return cancelled_error();
  exec.progress(0.65);
  timer.begin("accumulation");
  auto area = TileFile<double>::create(writer.folder(), spec.width, spec.height);
  if (!area) return std::move(area).error();
  THALWEG_TRY(hydrology::accumulate_area_tiled(plan, (*directions)->store().read, geometry, (*area)->store().write,
                                               exec.part(0.65, 0.85)));
  timer.begin("files");
  io::GeoTiffOptions codes;
  codes.nodata = hydrology::kFlowNoData;
  THALWEG_TRY(write_raster<std::uint8_t>(writer, **directions, spec,
                                         {"directions.tif", "directions", "uint8", "1", {}, {}, {}, {}}, codes));
  if (exec.cancelled()) return cancelled_error();
  io::GeoTiffOptions metres;
  metres.nodata = -9999;
  THALWEG_TRY(write_raster<double>(writer, **area, spec,
                                   {"accumulation.tif", "accumulation", "float64", "m2", {}, {}, {}, {}}, metres));
  if (exec.cancelled()) return cancelled_error();
  timer.end();

  WorldRecord record;
  record.command = "hydrology";
  record.source = source;
  record.spec = spec;
  record.options = {"--depressions", "fill", "--routing", "d8"};
  record.depressions = "fill";
  record.routing = "d8";
  record.min_height_m = dem.min;
  record.max_height_m = dem.max;
  if (!dem.note.empty()) record.notes.push_back(dem.note);
  record.notes.push_back(
      "computed in tiles to stay under the memory ceiling: without basins, rivers, lakes and picture");
  record.timings = timings;
  record.threads = exec.threads();
  record.simd = simd_level();
  return writer.finish(std::move(record));
}

}  // namespace

Result<TilePlan> plan_tiles(const GridSpec& spec, int cell_bytes, int threads, std::uint64_t memory_bytes) {
  TilePlan best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  // The largest that fits; else the one that needs least is named.
  for (const int side : {4096, 3072, 2048, 1536, 1024, 768, 512, 384, 256}) {
    const TilePlan plan{spec.width, spec.height, side, side, 0};
    const std::uint64_t need = need_of(plan, cell_bytes, threads);
    if (need <= memory_bytes) return plan;
    if (need >= least) continue;
    least = need;
    best = plan;
  }
  return input_error("needs " + std::to_string((least >> 20) + 1) + "M even in tiles, more than the " +
                         std::to_string(memory_bytes >> 20) + "M allowed; raise it, or take fewer threads",
                     "--memory");
}

std::uint64_t scratch_bytes(const GridSpec& spec, int cell_bytes) {
  return static_cast<std::uint64_t>(spec.cells()) * static_cast<std::uint64_t>(std::max(2 * cell_bytes, 9));
}

Status check_tiled(const HydrologyOptions& options) {
  const bool plain = options.depressions == hydrology::DepressionMethod::fill &&
                     options.routing.method == hydrology::Routing::d8 && options.rain_file.empty() &&
                     options.attributes.empty() && options.outlets.empty() && options.subbasin_levels == 0;
  if (plain) return {};
  return input_error("tiles take fill and d8, without rain, attributes, outlets and sub-basins");
}

Result<std::string> write_hydrology_tiled(const std::string& dem_path, const HydrologyOptions& options,
                                          const TilePlan& plan, Writer& writer, const Exec& exec) {
  THALWEG_TRY(check_tiled(options));
  return guard_memory([&]() -> Result<std::string> {
    std::vector<recipe::StepTiming> timings;
    std::unique_ptr<TileFile<float>> floats;
    std::unique_ptr<TileFile<double>> doubles;
    const auto create = [&](const io::Raster& header, auto& file) -> Status {
      using File = typename std::remove_cvref_t<decltype(file)>::element_type;
      auto made = File::create(writer.folder(), header.spec.width, header.spec.height);
      if (!made) return std::move(made).error();
      file = std::move(*made);
      return {};
    };
    const auto take = [&](int x, int y, const auto& window, auto& file) -> Status {
      if (exec.cancelled()) return cancelled_error();
      exec.progress(0.1 * y / plan.height);
      return file->write(x, y, window);
    };
    io::RasterTaker taker;
    taker.begin = [&](const io::Raster& header) -> Status {
      if (header.spec.width != plan.width || header.spec.height != plan.height)
        return input_error("has changed its size", dem_path);
      return std::holds_alternative<Grid<float>>(header.cells) ? create(header, floats) : create(header, doubles);
    };
    taker.take_float = [&](int x, int y, GridView<const float> window) { return take(x, y, window, floats); };
    taker.take_double = [&](int x, int y, GridView<const double> window) { return take(x, y, window, doubles); };
    Timer timer("hydrology", timings);
    timer.begin("reading");
    const Result<io::Raster> dem = io::read_raster_windows(dem_path, io::ReadAs::elevation, taker);
    if (!dem) return dem.error();
    timer.end();
    if (dem->nodata_cells == dem->spec.cells()) return input_error("has no height in it, only NoData", dem_path);
    if (floats) return drain<float>(*dem, dem_path, std::move(floats), plan, writer, timings, exec);
    return drain<double>(*dem, dem_path, std::move(doubles), plan, writer, timings, exec);
  });
}

}  // namespace thalweg::folder
