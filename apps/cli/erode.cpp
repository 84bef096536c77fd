#include "thalweg/folder/erode.h"

#include <cstdio>

#include "command.h"
#include "elevation.h"

namespace thalweg::cli {
namespace {

struct Options {
  ElevationOption dem;
  std::string out;
  std::string op = "droplets";
  std::int64_t seed = 1;
  std::vector<std::string> settings;
};

Outcome run_erode(const Options& o, Session& session) {
  const Result<recipe::Step> step = folder::erosion_step(o.op, o.settings);
  if (!step) return step.error();
  const double scratch = recipe::find_operator(o.op)->scratch_bytes_per_cell + 20;
  session.stage("reading " + o.dem.path);
  Result<io::Raster> dem = read_elevation(o.dem, scratch, session);
  if (!dem) return std::move(dem).error();
  THALWEG_TRY(folder::check_erosion(*dem, o.dem.path, *step));
  Result<folder::Writer> writer = folder::Writer::open(o.out, {o.dem.path});  // fails now rather than after the work
  if (!writer) return std::move(writer).error();
  const std::string note = dem->note;
  session.stage(o.op);
  Result<std::string> json = folder::write_eroded(std::move(*dem), o.dem.path, *step, o.settings,
                                                  static_cast<std::uint64_t>(o.seed), *writer, session.exec);
  if (!json) return std::move(json).error();
  session.exec.progress(1);
  if (session.common.json) {
    std::fputs(json->c_str(), stdout);
  } else {
    if (!note.empty()) session.say(o.dem.path + ": " + note);
    session.say("wrote " + o.out);
  }
  return Exit::done;
}

}  // namespace

void add_erode(CLI::App& app, Common& common, Run& run) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("erode", "an erosion operator over a given elevation model");
  o->dem.add_to(*sub);
  sub->add_option("-o,--output", o->out, "folder to write")->type_name("DIR")->required();
  std::string names;
  for (const std::string& n : folder::erosion_operators()) names += (names.empty() ? "" : ", ") + n;
  sub->add_option("--op", o->op, "operator: " + names)->type_name("NAME");
  sub->add_option("--seed", o->seed, "seed of its random numbers")->type_name("S")->check(seed_fault, "");
  sub->add_option("--set", o->settings, "a parameter of the operator; may be given often")
      ->type_name("PARAM=VALUE")
      ->allow_extra_args(false);
  common.add_to(*sub);
  sub->footer("Example: thalweg erode hills.tif -o eroded --op droplets --set droplets_per_km2=4000");
  sub->callback([o, &run] { run = [o](Session& s) { return run_erode(*o, s); }; });
}

}  // namespace thalweg::cli
