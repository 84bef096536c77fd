#include "thalweg/folder/audit.h"

#include <algorithm>
#include <cstdio>

#include "command.h"

namespace thalweg::cli {
namespace {

struct Options {
  std::string path;
  std::vector<std::string> against;
  std::string terrain = "all";
};

// What the checks and the figures of one input need at once.
constexpr double kBytesPerCell = 50;

// Opens an input that fits in memory.
Result<folder::Input> open_small_enough(const std::string& path, const Session& session) {
  Result<folder::Input> input = folder::open_input(path);
  if (!input) return input;
  const Result<io::Raster> header = io::read_raster_header(input->height_file());
  if (!header) return header.error();
  THALWEG_TRY(session.check_memory(
      static_cast<std::uint64_t>(kBytesPerCell * static_cast<double>(header->spec.cells())) + (64U << 20), path));
  return input;
}

Outcome run_audit(const Options& o, Session& session) {
  const Result<hydrology::TerrainType> terrain = choice_named(hydrology::kTerrainTypes, o.terrain);
  if (!terrain) return Error(terrain.error()).at("--terrain " + o.terrain);
  const Result<folder::Input> input = open_small_enough(o.path, session);
  if (!input) return input.error();
  std::vector<folder::Input> others;
  for (const std::string& path : o.against) {
    Result<folder::Input> other = open_small_enough(path, session);
    if (!other) return std::move(other).error().at("--against");
    others.push_back(std::move(*other));
  }
  const double parts = 2 + static_cast<double>(others.size());
  session.stage("audit");
  Result<folder::AuditReport> report = folder::audit(*input, session.exec.part(0, 1 / parts));
  if (!report) return report.error();
  folder::Figures figures;
  figures.terrain = *terrain;
  Result<folder::MeasuredLand> land = folder::measure_land(*input, session.exec.part(1 / parts, 2 / parts));
  if (!land) return land.error();
  figures.land = std::move(*land);
  for (const folder::Input& other : others) {
    const double done = 2 + static_cast<double>(figures.against.size());
    Result<folder::MeasuredLand> measured =
        folder::measure_land(other, session.exec.part(done / parts, (done + 1) / parts));
    if (!measured) return std::move(measured).error().at("--against");
    figures.against.push_back(std::move(*measured));
  }
  report->figures = std::move(figures);
  end_progress();
  const std::string text = session.common.json ? folder::as_json(*report) : folder::as_text(*report);
  std::fputs(text.c_str(), stdout);
  return report->ok() ? Exit::done : Exit::faults;
}

}  // namespace

void add_audit(CLI::App& app, Common& common, Run& run) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand(
      "audit", "check that no pit is left, that rivers end and never climb; how natural the land is");
  sub->add_option("input", o->path, "a result folder or an elevation model")->type_name("DIR|DEM")->required();
  sub->add_option("--against", o->against,
                  "put the figures beside those of this model or result instead of the shipped ranges; may be repeated")
      ->type_name("DIR|DEM")
      ->allow_extra_args(false);
  sub->add_option("--terrain", o->terrain,
                  "real models to compare with: all (default), mountains, hills, desert, volcano, lowland or coast")
      ->type_name("TYPE");
  common.add_to(*sub);
  sub->footer(
      "Exit status 1 where faults are found; figures outside the real range are none.\nExample: thalweg audit island");
  sub->callback([o, &run] { run = [o](Session& session) { return run_audit(*o, session); }; });
}

}  // namespace thalweg::cli
