#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "command.h"
#include "elevation.h"
#include "thalweg/folder/attributes.h"
#include "thalweg/folder/hydrology.h"
#include "thalweg/folder/hydrology_tiled.h"
#include "thalweg/folder/rain.h"

namespace thalweg::cli {
namespace {
using hydrology::DepressionMethod;

struct Options {
  ElevationOption dem;
  std::string out;
  std::string depressions = "fill";
  std::string routing = "d8";
  std::optional<double> exponent;
  std::optional<std::int64_t> seed;
  std::string rain;
  double river_km2 = 0;
  std::string attributes;
  std::vector<std::string> outlets;
  std::optional<double> snap_m;
  std::optional<int> subbasins;
};

Result<hydrology::RoutingParams> routing_of(const Options& o) {
  using hydrology::Routing;
  const Result<Routing> method = choice_named(hydrology::kRoutings, o.routing);
  if (!method) return Error(method.error()).at("--routing " + o.routing);
  hydrology::RoutingParams params;
  params.method = *method;
  if (o.exponent && *method != Routing::mfd) return input_error("goes with --routing mfd", "--exponent");
  if (o.seed && *method != Routing::rho8) return input_error("goes with --routing rho8", "--seed");
  params.mfd.exponent = o.exponent.value_or(params.mfd.exponent);
  params.seed = o.seed.value_or(params.seed);
  THALWEG_TRY(validate(params));
  return params;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "X,Y" or a file of points.
Result<std::vector<folder::MapPoint>> outlets_of(const std::vector<std::string>& given) {
  std::vector<folder::MapPoint> points;
  for (const std::string& text : given) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text;
    const auto x = number_in(pair.substr(0, comma));
    const auto y = comma == std::string::npos ? std::nullopt : number_in(pair.substr(comma + 1));
    if (x && y) {
      points.push_back({*x, *y});
      continue;
    }
    std::error_code ignored;
    if (!std::filesystem::exists(text, ignored))
      return input_error("must be X,Y in the map's coordinates or a GeoJSON file", "--outlet " + text);
    const Result<std::vector<folder::MapPoint>> file = folder::read_outlets(text);
    if (!file) return file.error();
    points.insert(points.end(), file->begin(), file->end());
  }
  return points;
}

Result<folder::HydrologyOptions> options_of(const Options& o) {
  folder::HydrologyOptions options;
  const Result<DepressionMethod> method = choice_named(hydrology::kDepressionMethods, o.depressions);
  if (!method) return Error(method.error()).at("--depressions " + o.depressions);
  options.depressions = *method;
  const Result<hydrology::RoutingParams> routing = routing_of(o);
  if (!routing) return routing.error();
  options.routing = *routing;
  if (!(o.river_km2 >= 0) || o.river_km2 > 1e9) return input_error("must be above 0 km2", "--river-km2");
  options.river_km2 = o.river_km2;
  options.rain_file = o.rain;
  Result<std::vector<std::string>> attributes = folder::parse_attributes(o.attributes);
  if (!attributes) return std::move(attributes).error();
  options.attributes = std::move(*attributes);
  Result<std::vector<folder::MapPoint>> outlets = outlets_of(o.outlets);
  if (!outlets) return std::move(outlets).error();
  options.outlets = std::move(*outlets);
  if (o.snap_m && o.outlets.empty()) return input_error("goes with --outlet", "--snap-m");
  if (o.snap_m && !(*o.snap_m >= 0 && *o.snap_m <= 1e6)) return input_error("must be from 0 to 1000000 m", "--snap-m");
  options.snap_m = o.snap_m.value_or(options.snap_m);
  if (o.subbasins && (*o.subbasins < 1 || *o.subbasins > 9))
    return input_error("must be from 1 to 9 digits", "--subbasins");
  options.subbasin_levels = o.subbasins.value_or(0);
  return options;
}

// What every way of computing says at its end.
Outcome finish(const Options& o, Result<std::string> json, const std::string& note, Session& session) {
  if (!json) return std::move(json).error();
  session.exec.progress(1);
  if (session.common.json) {
    std::fputs(json->c_str(), stdout);
  } else {
    if (!note.empty()) session.say(note);
    session.say("wrote " + o.out);
  }
  return Exit::done;
}

// A model that does not fit into --memory as a whole.
Outcome run_in_tiles(const Options& o, const folder::HydrologyOptions& options, const io::Raster& header,
                     std::uint64_t whole_bytes, Session& session) {
  const int cell_bytes = std::holds_alternative<Grid<double>>(header.cells) ? 8 : 4;
  const Result<hydrology::TilePlan> plan =
      folder::plan_tiles(header.spec, cell_bytes, session.exec.threads(), session.memory_limit_bytes);
  if (!plan && whole_bytes < (std::uint64_t{256} << 20))  // tiles would need no less
    THALWEG_TRY(session.check_memory(whole_bytes, o.dem.path));
  if (!plan) return plan.error();
  Result<folder::Writer> writer = folder::Writer::open(o.out, {o.dem.path});
  if (!writer) return std::move(writer).error();
  session.stage("hydrology in tiles");
  return finish(o, folder::write_hydrology_tiled(o.dem.path, options, *plan, *writer, session.exec),
                "computed in tiles to stay within --memory: no basins, rivers, lakes and picture", session);
}

Outcome run_hydrology(const Options& o, Session& session) {
  const Result<folder::HydrologyOptions> options = options_of(o);
  if (!options) return options.error();
  if (session.memory_limit_bytes != 0 && o.dem.raw.empty()) {
    const Result<io::Raster> header = io::read_raster_header(o.dem.path);
    if (!header) return header.error();
    const std::int64_t cells = header->spec.cells();
    const std::uint64_t need = elevation_bytes(cells, folder::hydrology_bytes_per_cell(*options));
    if (need > session.memory_limit_bytes) {
      const Status tiles = folder::check_tiled(*options);
      if (tiles) return run_in_tiles(o, *options, *header, need, session);
      THALWEG_TRY(session.check_memory(
          need, o.dem.path + " (" + std::to_string(cells) + " cells; " + tiles.error().message + ")"));
    }
  }
  session.stage("reading " + o.dem.path);
  const Result<io::Raster> dem = read_elevation(o.dem, folder::hydrology_bytes_per_cell(*options), session);
  if (!dem) return dem.error();
  // All that can be wrong is told before an earlier result makes way.
  for (const folder::MapPoint& outlet : options->outlets) THALWEG_TRY(folder::check_outlet(outlet, dem->spec));
  Grid<float> rain;
  if (!o.rain.empty()) {
    Result<Grid<float>> read = folder::read_rain(o.rain, dem->spec);
    if (!read) return std::move(read).error();
    rain = std::move(*read);
  }
  Result<folder::Writer> writer = folder::Writer::open(o.out, {o.dem.path, o.rain});
  if (!writer) return std::move(writer).error();
  session.stage("hydrology");
  const std::string note = dem->note.empty() ? "" : o.dem.path + ": " + dem->note;
  return finish(o,
                folder::write_hydrology(*dem, std::as_const(rain).view(), o.dem.path, *options, *writer, session.exec),
                note, session);
}

}  // namespace

void add_hydrology(CLI::App& app, Common& common, Run& run) {
  auto o = std::make_shared<Options>();
  CLI::App* sub =
      app.add_subcommand("hydrology", "drainage of an elevation model: directions, flow, basins, rivers, lakes");
  o->dem.add_to(*sub);
  sub->add_option("-o,--output", o->out, "folder to write")->type_name("DIR")->required();
  sub->add_option("--depressions", o->depressions,
                  "fill (default), fill-epsilon, breach, hybrid, planchon-darboux or none")
      ->type_name("METHOD");
  sub->add_option("--routing", o->routing,
                  "d8 (default): steepest of 8 neighbours; rho8: the same, randomised; dinf: any angle, shared by two "
                  "neighbours; mfd: shared by all lower ones")
      ->type_name("METHOD");
  sub->add_option("--exponent", o->exponent, "of the slope in mfd; 1.1 by default, higher comes near d8")
      ->type_name("P");
  sub->add_option("--seed", o->seed, "of the random numbers of rho8")->type_name("S")->check(seed_fault, "");
  sub->add_option("--rain", o->rain, "raster of rain that runs off, mm per year, on the same grid")->type_name("FILE");
  sub->add_option("--river-km2", o->river_km2,
                  "a river begins where this much land drains; chosen from the map by default")
      ->type_name("A");
  std::string attributes;
  for (const folder::AttributeKind& kind : folder::attribute_kinds()) attributes += std::string(kind.name) + ", ";
  sub->add_option("--attributes", o->attributes,
                  "rasters to write besides, divided by commas: " + attributes + "or all")
      ->type_name("NAME,...");
  sub->add_option("--outlet", o->outlets,
                  "marks the land that drains through a point in the map's coordinates, or through the points of a "
                  "GeoJSON file; may be repeated")
      ->type_name("X,Y|FILE")
      ->allow_extra_args(false);
  sub->add_option("--snap-m", o->snap_m, "outlets move to the largest stream within this distance; 3 cells by default")
      ->type_name("R");
  sub->add_option("--subbasins", o->subbasins, "divides basins by Pfafstetter codes of this many digits")
      ->type_name("N");
  common.add_to(*sub);
  sub->footer("Example: thalweg hydrology everest.tif -o everest --depressions fill --river-km2 2");
  sub->callback([o, &run] { run = [o](Session& s) { return run_hydrology(*o, s); }; });
}

}  // namespace thalweg::cli
