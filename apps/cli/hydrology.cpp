#include <cstdio>

#include "command.h"
#include "elevation.h"
#include "thalweg/folder/hydrology.h"

namespace thalweg::cli {
namespace {
using hydrology::DepressionMethod;

struct Options {
  ElevationOption dem;
  std::string out;
  std::string depressions = "fill";
  std::string routing = "d8";
  std::string rain;
  double river_km2 = 0;
};

Result<DepressionMethod> method_of(const std::string& name) {
  static constexpr Choice<DepressionMethod> kMethods[] = {{"fill", DepressionMethod::fill},
                                                          {"fill-epsilon", DepressionMethod::fill_epsilon},
                                                          {"breach", DepressionMethod::breach},
                                                          {"hybrid", DepressionMethod::hybrid},
                                                          {"planchon-darboux", DepressionMethod::planchon_darboux},
                                                          {"none", DepressionMethod::none}};
  for (const auto& m : kMethods)
    if (m.name == name) return m.value;
  return input_error("must be fill, fill-epsilon, breach, hybrid, planchon-darboux or none", "--depressions " + name);
}

Outcome run_hydrology(const Options& o, Session& session) {
  folder::HydrologyOptions options;
  const Result<DepressionMethod> method = method_of(o.depressions);
  if (!method) return method.error();
  options.depressions = *method;
  if (o.routing != "d8") {
    const bool known = o.routing == "rho8" || o.routing == "dinf" || o.routing == "mfd";
    return input_error(known ? "is not built yet; this version routes by d8" : "must be d8", "--routing " + o.routing);
  }
  if (!(o.river_km2 >= 0) || o.river_km2 > 1e9) return input_error("must be above 0 km2", "--river-km2");
  options.river_km2 = o.river_km2;
  options.rain_file = o.rain;
  session.stage("reading " + o.dem.path);
  const Result<io::Raster> dem = read_elevation(o.dem, folder::kHydrologyBytesPerCell, session);
  if (!dem) return dem.error();
  Result<folder::Writer> writer = folder::Writer::open(o.out, {o.dem.path, o.rain});  // fails now, not after the work
  if (!writer) return std::move(writer).error();
  session.stage("hydrology");
  Result<std::string> json = folder::write_hydrology(*dem, o.dem.path, options, *writer, session.exec);
  if (!json) return std::move(json).error();
  session.exec.progress(1);
  if (session.common.json) {
    std::fputs(json->c_str(), stdout);
  } else {
    if (!dem->note.empty()) session.say(o.dem.path + ": " + dem->note);
    session.say("wrote " + o.out);
  }
  return Exit::done;
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
  sub->add_option("--routing", o->routing, "d8 (default)")->type_name("METHOD");
  sub->add_option("--rain", o->rain, "raster of rain that runs off, mm per year, on the same grid")->type_name("FILE");
  sub->add_option("--river-km2", o->river_km2,
                  "a river begins where this much land drains; chosen from the map by default")
      ->type_name("A");
  common.add_to(*sub);
  sub->footer("Example: thalweg hydrology everest.tif -o everest --depressions fill --river-km2 2");
  sub->callback([o, &run] { run = [o](Session& s) { return run_hydrology(*o, s); }; });
}

}  // namespace thalweg::cli
