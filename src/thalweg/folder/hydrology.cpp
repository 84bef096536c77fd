#include "thalweg/folder/hydrology.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "thalweg/core/simd.h"
#include "thalweg/folder/attributes.h"
#include "thalweg/folder/sea.h"
#include "thalweg/folder/timer.h"
#include "thalweg/folder/writer.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/conditioning.h"
#include "thalweg/render/render.h"

namespace thalweg::folder {
namespace {
using hydrology::DepressionMethod;

// The options that repeat a run, as the command takes them.
std::vector<std::string> words_of(const HydrologyOptions& options, double river_km2) {
  using hydrology::Routing;
  std::vector<std::string> words = {
      "--depressions", std::string(choice_name(hydrology::kDepressionMethods, options.depressions)),
      "--routing",     std::string(choice_name(hydrology::kRoutings, options.routing.method)),
      "--river-km2",   format_number(river_km2)};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  if (options.routing.method == Routing::mfd) add("--exponent", format_number(options.routing.mfd.exponent));
  if (options.routing.method == Routing::rho8) add("--seed", std::to_string(options.routing.seed));
  if (!options.rain_file.empty()) add("--rain", options.rain_file);
  for (const MapPoint& p : options.outlets) add("--outlet", format_number(p[0]) + "," + format_number(p[1]));
  if (options.snap_m >= 0) add("--snap-m", format_number(options.snap_m));
  if (options.subbasin_levels > 0) add("--subbasins", std::to_string(options.subbasin_levels));
  std::string attributes;
  for (const std::string& name : options.attributes) attributes += (attributes.empty() ? "" : ",") + name;
  if (!attributes.empty()) add("--attributes", attributes);
  return words;
}

// Grids that every step shares. T: float, or double where the file needs it.
template <class T>
struct Drainage {
  Grid<T> treated;
  Grid<std::uint8_t> directions;  ///< one receiver a cell: what rivers, basins and lakes follow
  Grid<float> angles;             ///< of D-infinity
  Grid<double> area;              ///< along the directions, m2
  Grid<double> discharge;         ///< of the rain, likewise, m3/s; empty without rain
  Grid<double> spread;            ///< area or discharge by D-infinity or MFD; empty for one receiver a cell

  /// What accumulation.tif holds.
  GridView<const double> accumulation() const {
    return !spread.empty() ? spread.view() : !discharge.empty() ? discharge.view() : area.view();
  }
  Grid<std::int32_t> lake_id;
  Grid<std::int32_t> basins;
  Grid<float> ground;      ///< the treated surface, lakes with their beds, for heights of rivers and pictures
  Grid<float> level;       ///< the treated surface as float
  Grid<std::uint8_t> sea;  ///< empty where there is none
  std::vector<hydrology::Lake> lakes;
  hydrology::RiverNetwork rivers;
  double river_m2 = 0;  ///< where rivers begin
};

// Area and discharge of the land upstream.
template <class T>
Status accumulate(GridView<const T> surface, const HydrologyOptions& options, const CellGeometry& geometry,
                  GridView<const float> rain, Drainage<T>& d, const Exec& exec) {
  const int w = surface.width();
  const int h = surface.height();
  d.area = Grid<double>(w, h);
  THALWEG_TRY(hydrology::accumulate_area(d.directions.view(), geometry, d.area, exec.part(0, 0.3)));
  if (!rain.empty()) {
    d.discharge = Grid<double>(w, h);
    THALWEG_TRY(hydrology::accumulate_weighted(d.directions.view(), rain, d.discharge, exec.part(0.3, 0.6)));
    for (std::int64_t i = 0; i < d.discharge.cells(); ++i)
      if (d.directions[i] == hydrology::kFlowNoData) d.discharge[i] = kNoData<double>;
  }
  const Exec last = exec.part(0.6, 1);
  if (options.routing.method == hydrology::Routing::dinf) {
    d.angles = Grid<float>(w, h);
    d.spread = Grid<double>(w, h);
    hydrology::dinf<T>(surface, geometry, {}, d.angles, last);
    if (rain.empty()) return hydrology::accumulate_dinf_area(d.angles.view(), geometry, d.spread, last);
    return hydrology::accumulate_dinf_weighted(d.angles.view(), geometry, rain, d.spread, last);
  }
  if (options.routing.method == hydrology::Routing::mfd) {
    const hydrology::MfdParams& mfd = options.routing.mfd;
    d.spread = Grid<double>(w, h);
    if (rain.empty()) return hydrology::accumulate_mfd_area<T>(surface, geometry, {}, mfd, d.spread, last);
    return hydrology::accumulate_mfd_weighted<T>(surface, geometry, {}, mfd, rain, d.spread, last);
  }
  return {};
}

template <class T>
Status compute(GridView<const T> height, GridView<const float> rain, const GridSpec& spec,
               const HydrologyOptions& options, const CellGeometry& geometry, Drainage<T>& d, Timer& timer,
               const Exec& exec) {
  const int w = spec.width;
  const int h = spec.height;
  timer.begin("depressions");
  d.treated = Grid<T>(w, h);
  const hydrology::BreachLimits limits{30, 1500};
  hydrology::treat_depressions<T>(options.depressions, options.epsilon_m, limits, geometry, height, {}, d.treated,
                                  exec.part(0, 0.3));
  if (exec.cancelled()) return cancelled_error();
  exec.progress(0.3);
  timer.begin("directions");
  d.directions = Grid<std::uint8_t>(w, h);
  const GridView<const T> surface = std::as_const(d.treated).view();
  if (options.routing.method == hydrology::Routing::rho8) {
    hydrology::rho8<T>(surface, geometry, {}, static_cast<std::uint64_t>(options.routing.seed), d.directions,
                       exec.part(0.3, 0.45), spec.origin_x, spec.origin_y);
  } else {
    hydrology::d8<T>(surface, geometry, {}, d.directions, exec.part(0.3, 0.45));
  }
  exec.progress(0.45);
  timer.begin("accumulation");
  THALWEG_TRY(accumulate<T>(surface, options, geometry, rain, d, exec.part(0.45, 0.6)));
  if (exec.cancelled()) return cancelled_error();
  exec.progress(0.6);
  timer.begin("basins");
  d.basins = Grid<std::int32_t>(w, h);
  const Result<std::int64_t> basins = hydrology::label_basins(d.directions.view(), d.basins, exec.part(0.6, 0.7));
  if (!basins) return basins.error();
  exec.progress(0.7);
  timer.begin("lakes");
  d.lake_id = Grid<std::int32_t>(w, h);
  // Lakes are what a flood would fill, whatever was done to the depressions; cut ones hold no water.
  if (options.depressions == DepressionMethod::fill) {
    d.lakes = hydrology::find_lakes<T>(height, d.treated.view(), d.directions.view(), geometry, options.lakes,
                                       d.lake_id, exec.part(0.7, 0.75));
  }
  d.ground = Grid<float>(w, h);
  d.level = Grid<float>(w, h);
  for (std::int64_t i = 0; i < d.ground.cells(); ++i) {
    d.level[i] = static_cast<float>(d.treated[i]);
    d.ground[i] =
        d.lake_id[i] != 0 ? static_cast<float>(height(static_cast<int>(i % w), static_cast<int>(i / w))) : d.level[i];
  }
  d.sea = open_sea(d.level);
  return {};
}

template <class T>
Status extract(const GridSpec& spec, const HydrologyOptions& options, const CellGeometry& geometry, Drainage<T>& d,
               Timer& timer, const Exec& exec) {
  timer.begin("rivers");
  hydrology::RiverInputs inputs;
  inputs.directions = d.directions.view();
  inputs.area_m2 = d.area.view();
  inputs.discharge_m3_s = d.discharge.view();
  inputs.height = d.level.view();
  inputs.lake_id = d.lake_id.view();
  inputs.water_level_m = d.level.view();
  inputs.sea = d.sea.view();
  hydrology::RiverParams params = options.rivers;
  if (options.river_km2 > 0) {
    params.min_area_km2 = options.river_km2;
  } else {
    double land = 0;
    double cell = 0;
    for (int y = 0; y < spec.height; ++y)
      for (int x = 0; x < spec.width; ++x)
        if (d.directions(x, y) != hydrology::kFlowNoData && (d.sea.empty() || d.sea(x, y) == 0)) {
          land += geometry.row(y).area_m2;
          cell = geometry.row(y).area_m2;
        }
    params.min_area_km2 = default_river_km2(land * 1e-6, cell * 1e-6);
  }
  d.river_m2 = params.min_area_km2 * 1e6;
  Result<hydrology::RiverNetwork> network = hydrology::extract_rivers(inputs, geometry, params, exec.part(0.8, 0.85));
  if (!network) return network.error();
  d.rivers = std::move(*network);
  // Stray cells of the sea may lie deeper than its level; no river floats above the surface of filled.tif.
  for (hydrology::Reach& reach : d.rivers.reaches) {
    hydrology::Reach::Point& mouth = reach.points.back();
    if (reach.end == hydrology::ReachEnd::sea)
      mouth.z_m = std::min(mouth.z_m, double{d.level(static_cast<int>(mouth.x), static_cast<int>(mouth.y))});
  }
  exec.progress(0.85);
  return {};
}

// `cells` as integers of the file's own type, or nothing where a height is none of them (a raw file scaled to metres)
// or is the very value that marks NoData in memory.
template <class I, class T>
std::optional<Grid<I>> as_integers(const Grid<T>& cells) {
  Grid<I> out(cells.width(), cells.height());
  for (std::int64_t i = 0; i < cells.cells(); ++i) {
    if (is_nodata(cells[i])) {
      out[i] = kNoData<I>;
    } else {
      const auto v = static_cast<double>(cells[i]);
      const bool fits = v >= std::numeric_limits<I>::min() && v <= std::numeric_limits<I>::max() && v == std::floor(v);
      if (!fits) return std::nullopt;
      out[i] = static_cast<I>(v);
      if (is_nodata(out[i])) return std::nullopt;
    }
  }
  return out;
}

// The treated surface in the type of the input; steps of epsilon need floating point.
template <class T>
Status write_filled(Writer& writer, const io::Raster& dem, const HydrologyOptions& options, const Drainage<T>& d) {
  io::GeoTiffOptions o;
  if (dem.nodata_cells > 0) o.nodata = dem.heights_are_file_values ? dem.file_nodata.value_or(-9999) : -9999;
  const auto write = [&](const auto& grid) -> Status {
    using Cell = std::remove_cvref_t<decltype(grid[0])>;
    return writer.raster<Cell>("filled.tif", "filled", "m", grid.view(), dem.spec, o);
  };
  const bool whole_numbers = dem.heights_are_file_values && options.depressions != DepressionMethod::fill_epsilon &&
                             options.depressions != DepressionMethod::planchon_darboux;
  if (whole_numbers) {
    switch (dem.file_type) {
      case io::CellType::u8:
        if (const auto g = as_integers<std::uint8_t>(d.treated)) return write(*g);
        break;
      case io::CellType::i16:
        if (const auto g = as_integers<std::int16_t>(d.treated)) return write(*g);
        break;
      case io::CellType::u16:
        if (const auto g = as_integers<std::uint16_t>(d.treated)) return write(*g);
        break;
      case io::CellType::i32:
        if (const auto g = as_integers<std::int32_t>(d.treated)) return write(*g);
        break;
      case io::CellType::u32:
        if (const auto g = as_integers<std::uint32_t>(d.treated)) return write(*g);
        break;
      case io::CellType::f32:
      case io::CellType::f64:
        break;
    }
  }
  return write(d.treated);
}

// Whether a point lies on open water: lake in all directions a few cells away, so that the lines of rivers go on
// through chains of ponds.
bool is_open_water(GridView<const std::int32_t> lake_id, const hydrology::Reach::Point& point) {
  constexpr int kShore = 4;
  for (std::size_t d = 0; d < 8; ++d) {
    const int x = static_cast<int>(point.x) + kShore * hydrology::kDx[d];
    const int y = static_cast<int>(point.y) + kShore * hydrology::kDy[d];
    if (lake_id.contains(x, y) && lake_id(x, y) == 0) return false;
  }
  return lake_id(static_cast<int>(point.x), static_cast<int>(point.y)) != 0;
}

// Ways across lakes join the network, but are no rivers to look at.
std::vector<render::MapLine> map_lines(const hydrology::RiverNetwork& network, GridView<const std::int32_t> lake_id) {
  std::vector<render::MapLine> lines;
  for (const hydrology::Reach& reach : network.reaches) {
    render::MapLine line;
    line.width_px = 0.6 + 0.5 * reach.strahler;
    const auto in_lake = [&](std::size_t i) { return is_open_water(lake_id, reach.points[i]); };
    for (std::size_t i = 0; i + 1 < reach.points.size(); ++i) {
      if (in_lake(i) && in_lake(i + 1)) continue;
      if (line.xy.empty()) line.xy = {reach.points[i].x, reach.points[i].y};
      line.xy.insert(line.xy.end(), {reach.points[i + 1].x, reach.points[i + 1].y});
      if (i + 2 < reach.points.size() && !(in_lake(i + 1) && in_lake(i + 2))) continue;
      lines.push_back(line);
      line.xy.clear();
    }
  }
  return lines;
}

// Directions, accumulation, basins, and what was asked for besides.
template <class T>
Status write_fields(GridView<const T> height, const GridSpec& spec, const HydrologyOptions& options,
                    const CellGeometry& geometry, const Drainage<T>& d, Writer& writer, const Exec& exec) {
  io::GeoTiffOptions numbers;
  numbers.nodata = -9999;
  if (d.angles.empty()) {
    io::GeoTiffOptions codes;
    codes.nodata = hydrology::kFlowNoData;
    THALWEG_TRY(writer.raster<std::uint8_t>("directions.tif", "directions", "1", d.directions.view(), spec, codes));
  } else {
    THALWEG_TRY(writer.raster<float>("directions.tif", "directions", "rad", d.angles.view(), spec, numbers));
  }
  const char* unit = d.discharge.empty() ? "m2" : "m3/s";
  THALWEG_TRY(writer.raster<double>("accumulation.tif", "accumulation", unit, d.accumulation(), spec, numbers));
  io::GeoTiffOptions labels;
  labels.nodata = -1;
  THALWEG_TRY(writer.raster<std::int32_t>("basins.tif", "basins", "1", d.basins.view(), spec, labels));
  if (exec.cancelled()) return cancelled_error();
  const bool more = !options.outlets.empty() || options.subbasin_levels > 0 || !options.attributes.empty();
  if (!more) return {};
  Grid<float> model(spec.width, spec.height);
  for (int y = 0; y < spec.height; ++y)
    for (int x = 0; x < spec.width; ++x) model(x, y) = static_cast<float>(height(x, y));
  const BasinInputs basins{d.directions.view(), d.area.view(), std::as_const(model).view(), d.basins.view()};
  const double snap_m = options.snap_m >= 0 ? options.snap_m : 3 * std::max(spec.cell_m, spec.cell_y_m);
  if (!options.outlets.empty())
    THALWEG_TRY(write_watersheds(options.outlets, snap_m, basins, spec, geometry, writer, exec));
  if (options.subbasin_levels > 0)
    THALWEG_TRY(write_subbasins(options.subbasin_levels, d.river_m2 * 1e-6, basins, spec, geometry, writer, exec));
  if (options.attributes.empty()) return {};
  Grid<double> routed;  // area by the chosen routing, where no other grid holds it
  if (!d.spread.empty() && !d.discharge.empty()) {
    routed = Grid<double>(spec.width, spec.height);
    THALWEG_TRY(hydrology::accumulate_routed<T>(options.routing, d.treated.view(), geometry, {}, {}, routed, exec));
  }
  const GridView<const double> spread = !routed.empty()    ? std::as_const(routed).view()
                                        : d.spread.empty() ? d.area.view()
                                                           : d.spread.view();
  const AttributeInputs inputs{
      std::as_const(model).view(), d.level.view(), d.directions.view(), d.area.view(), spread, d.river_m2};
  return write_attributes(options.attributes, inputs, spec, geometry, writer, exec);
}

template <class T>
Status write_preview(const GridSpec& spec, const Drainage<T>& d, Writer& writer, const Exec& exec) {
  render::Scene scene;
  scene.height_m = d.ground.view();
  scene.cell_x_m = spec.cell_m;
  scene.cell_y_m = spec.cell_y_m;
  Grid<float> water(spec.width, spec.height);
  bool dry_lowland = d.sea.empty();
  constexpr float kSeaDepth_m = 10;  // unknown; enough for the colour of deep water
  for (std::int64_t i = 0; i < water.cells(); ++i) {
    const bool sea = !d.sea.empty() && d.sea[i] != 0;
    water[i] = sea ? kSeaDepth_m : d.lake_id[i] != 0 ? d.level[i] - d.ground[i] : 0.0F;
    dry_lowland = dry_lowland || (water[i] == 0 && d.ground[i] <= 0);
  }
  if (!dry_lowland) scene.sea_level_m = 0;  // colours of the land begin at the shore
  scene.water_depth_m = water.view();
  return writer.picture("preview.png", render::map_view(scene, map_lines(d.rivers, d.lake_id), std::nullopt, {}, exec));
}

template <class T>
Result<std::string> run(GridView<const T> height, GridView<const float> rain, const io::Raster& dem,
                        const std::string& source, const HydrologyOptions& options, Writer& writer, const Exec& exec) {
  const GridSpec& spec = dem.spec;
  const CellGeometry geometry = CellGeometry::of(spec);
  std::vector<recipe::StepTiming> timings;
  Timer timer("hydrology", timings);
  Drainage<T> d;
  THALWEG_TRY(compute<T>(height, rain, spec, options, geometry, d, timer, exec));
  THALWEG_TRY(extract<T>(spec, options, geometry, d, timer, exec));
  if (exec.cancelled()) return cancelled_error();

  timer.begin("files");
  THALWEG_TRY(write_filled<T>(writer, dem, options, d));
  THALWEG_TRY(write_fields<T>(height, spec, options, geometry, d, writer, exec.part(0.85, 0.93)));
  THALWEG_TRY(writer.rivers(d.rivers, spec, true));
  THALWEG_TRY(writer.lakes(d.lakes, spec));
  exec.progress(0.95);

  timer.begin("preview");
  THALWEG_TRY(write_preview<T>(spec, d, writer, exec.part(0.95, 1)));
  if (exec.cancelled()) return cancelled_error();
  timer.end();

  WorldRecord record;
  record.command = "hydrology";
  record.source = source;
  record.spec = spec;
  record.depressions = choice_name(hydrology::kDepressionMethods, options.depressions);
  record.options = words_of(options, d.river_m2 * 1e-6);
  record.routing = choice_name(hydrology::kRoutings, options.routing.method);
  record.min_height_m = dem.min;
  record.max_height_m = dem.max;
  if (!dem.note.empty()) record.notes.push_back(dem.note);
  record.timings = timings;
  record.threads = exec.threads();
  record.simd = simd_level();
  return writer.finish(std::move(record));
}

}  // namespace

double default_river_km2(double land_km2, double cell_km2) {
  // Channels begin at about 1 km2 on models of 25 to 90 m, 0.05 km2 at 5 to 10 m, 0.005 km2 below; a large map shows
  // its main rivers only, a small one at least a few.
  constexpr double kCoarse_km2 = 400e-6;
  constexpr double kFine_km2 = 9e-6;
  double target = cell_km2 >= kCoarse_km2 ? 1 : cell_km2 >= kFine_km2 ? 0.05 : 0.005;
  target = std::max(target, land_km2 / 2000);
  target = std::min(target, land_km2 / 40);
  target = std::max(target, 25 * cell_km2);
  if (!(target > 0)) return 1;
  double decade = 1;
  while (decade * 10 <= target) decade *= 10;
  while (decade > target) decade /= 10;
  for (const double step : {5.0, 2.0})
    if (decade * step <= target) return decade * step;
  return decade;
}

double hydrology_bytes_per_cell(const HydrologyOptions& options) {
  double bytes = 56;
  if (!options.rain_file.empty()) bytes += 12;
  if (options.routing.method == hydrology::Routing::dinf) bytes += 14;
  if (options.routing.method == hydrology::Routing::mfd) bytes += 10;
  if (!options.outlets.empty() || options.subbasin_levels > 0 || !options.attributes.empty())
    bytes += options.rain_file.empty() ? 12 : 20;
  return bytes;
}

Result<std::string> write_hydrology(const io::Raster& dem, GridView<const float> rain, const std::string& source,
                                    const HydrologyOptions& options, Writer& writer, const Exec& exec) {
  return guard_memory([&]() -> Result<std::string> {
    if (const auto* f = std::get_if<Grid<float>>(&dem.cells))
      return run<float>(*f, rain, dem, source, options, writer, exec);
    return run<double>(std::get<Grid<double>>(dem.cells), rain, dem, source, options, writer, exec);
  });
}

}  // namespace thalweg::folder
