#include <cstdio>
#include <filesystem>

#include "command.h"
#include "recipes.h"
#include "thalweg/folder/exports.h"
#include "thalweg/folder/generate.h"
#include "thalweg/folder/promise_json.h"
#include "thalweg/folder/resources.h"

namespace thalweg::cli {
namespace {

struct Options {
  std::string recipe;
  std::string out;
  std::string size;
  std::optional<double> cell_m;
  std::optional<std::int64_t> seed;
  std::vector<std::string> settings;
  std::string presets;
  bool no_preview = false;
};

Result<GridSpec> choose_spec(const recipe::Recipe& recipe, const Options& o, std::vector<std::string>& notes) {
  if (!o.size.empty() && o.cell_m) return input_error("give either --size or --cell-m", "--size");
  if (!o.size.empty()) {
    const Result<Size> size = parse_size(o.size, "--size");
    if (!size) return size.error();
    std::int64_t height = size->height;
    if (size->square && recipe.width_m != recipe.height_m)
      height =
          static_cast<std::int64_t>(static_cast<double>(size->width - 1) * recipe.height_m / recipe.width_m + 0.5) + 1;
    Result<GridSpec> spec = recipe::spec_for_samples(recipe, size->width, height);
    if (!spec) return std::move(spec).error().at("--size " + o.size);
    return spec;
  }
  bool widened = false;
  Result<GridSpec> spec = recipe::spec_for_cell(recipe, o.cell_m.value_or(recipe.cell_m), &widened);
  if (!spec) return std::move(spec).error().at("--cell-m");
  if (widened)
    notes.push_back("the extent was widened to " + format_number(spec->extent_x_m()) + " x " +
                    format_number(spec->extent_y_m()) + " m, the next multiple of the cell size");
  return spec;
}

Outcome generate(const Options& o, Session& session) {
  Result<recipe::Recipe> recipe = load_recipe(o.recipe);
  if (!recipe) return std::move(recipe).error();
  THALWEG_TRY(recipe::apply_settings(*recipe, o.settings));
  if (o.seed) {
    recipe->seed = static_cast<std::uint64_t>(*o.seed);
  }
  THALWEG_TRY(recipe::load_resources(*recipe, folder::file_resources(recipe->folder)));
  std::vector<std::string> notes;
  const Result<GridSpec> spec = choose_spec(*recipe, o, notes);
  if (!spec) return spec.error();
  const std::vector<std::string> presets = folder::split_presets(o.presets);
  for (const std::string& preset : presets) THALWEG_TRY(folder::check_preset(preset, "--export"));
  // The picture needs a share of its own while all fields are held.
  constexpr std::uint64_t kPreviewBytes = std::uint64_t{150} << 20;
  THALWEG_TRY(session.check_memory(
      recipe::estimate_peak_bytes(*recipe, spec->cells()) + (o.no_preview ? 0 : kPreviewBytes),
      std::to_string(spec->width) + " x " + std::to_string(spec->height) + " samples of this recipe"));
  Result<folder::Writer> writer =
      folder::Writer::open(o.out, folder::files_of(*recipe));  // fails now rather than after the work
  if (!writer) return std::move(writer).error();
  for (const std::string& note : notes) session.say(note);

  const Exec making = session.exec.part(0, 0.8);
  Result<recipe::World> world = recipe::run(*recipe, *spec, making, [&](int i, int count, const recipe::Step& step) {
    session.stage(step.name + " (" + std::to_string(i + 1) + "/" + std::to_string(count) + ")");
  });
  if (!world) return std::move(world).error();
  for (const recipe::Promise& promise : world->promises) {
    const std::string what = folder::promise_note(promise, promise.result);
    if (!promise.result.ok())
      session.warn(notes.emplace_back("promise not kept: " + what + " at " + recipe::worst_place(promise.result)));
    else if (promise.result.samples == 0)
      session.say(notes.emplace_back("promise without land: " + what));
  }
  session.stage("writing files");
  const Exec writing = session.exec.part(0.8, 1);
  Result<std::string> json = folder::write_world(*recipe, o.settings, *world, notes, !o.no_preview, *writer, writing);
  if (!json) return std::move(json).error();
  for (const std::string& preset : presets) {
    session.stage("export " + preset);
    const Status s = folder::export_preset(o.out, o.out + "/" + preset, preset, writing);
    if (!s) return s.error();
  }
  session.exec.progress(1);
  if (session.common.json) {
    std::fputs(json->c_str(), stdout);
  } else {
    session.say("wrote " + o.out + " (" + std::to_string(spec->width) + " x " + std::to_string(spec->height) +
                " samples, " + format_number(spec->cell_m) + " m apart)");
  }
  return Exit::done;
}

}  // namespace

void add_generate(CLI::App& app, Common& common, Run& run) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("generate", "make a world from a recipe");
  sub->add_option("recipe", o->recipe, "a recipe file, or the name of a shipped recipe: " + shipped_recipe_names())
      ->type_name("RECIPE")
      ->required();
  sub->add_option("-o,--output", o->out, "folder to write")->type_name("DIR")->required();
  sub->add_option("--size", o->size, "samples per side over the recipe's extent")->type_name("N|WxH");
  sub->add_option("--cell-m", o->cell_m, "distance between samples, metres")->type_name("C");
  sub->add_option("--seed", o->seed, "seed of the world instead of the recipe's")
      ->type_name("S")
      ->check(seed_fault, "");
  sub->add_option("--set", o->settings, "change a parameter; may be given often")
      ->type_name("STEP.PARAM=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--export", o->presets, "also export for: " + folder::preset_names())->type_name("PRESET,...");
  sub->add_flag("--no-preview", o->no_preview, "leave out preview.png, which takes as long as a small world");
  common.add_to(*sub);
  sub->footer("Example: thalweg generate island -o island --size 2049 --seed 3 --set droplets.droplets_per_km2=4000");
  sub->callback([o, &run] { run = [o](Session& s) { return generate(*o, s); }; });
}

}  // namespace thalweg::cli
