#include "thalweg/folder/erode.h"

#include <algorithm>
#include <cmath>

#include "thalweg/core/simd.h"
#include "thalweg/folder/load.h"
#include "thalweg/folder/timer.h"
#include "thalweg/folder/writer.h"

namespace thalweg::folder {

std::vector<std::string> erosion_operators() {
  std::vector<std::string> names;
  for (const recipe::Operator& op : recipe::operator_table()) {
    const recipe::FieldUse use = op.fields({});
    const auto is_wear = [](const recipe::FieldWrite& write) { return write.name == "wear"; };
    if (std::any_of(use.writes.begin(), use.writes.end(), is_wear)) names.push_back(op.name);
  }
  return names;
}

Result<recipe::Step> erosion_step(const std::string& op, const std::vector<std::string>& settings) {
  const std::vector<std::string> names = erosion_operators();
  if (std::find(names.begin(), names.end(), op) == names.end()) {
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    const std::string near = nearest_name(op, names);
    return input_error("no erosion operator '" + op + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
                           "; there is " + list,
                       "--op");
  }
  // The recipe's own reader checks the values; a flat piece of land stands in for the model.
  Result<recipe::Recipe> made = recipe::parse_recipe(
      "format = \"thalweg-recipe 1\"\n[[step]]\nop = \"noise\"\n[[step]]\nop = \"" + op + "\"\n", "erode");
  if (!made) return std::move(made).error();
  std::vector<std::string> of_step;
  for (const std::string& setting : settings) of_step.push_back(op + "." + setting);
  THALWEG_TRY(recipe::apply_settings(*made, of_step));
  return made->steps.back();
}

Status check_erosion(const io::Raster& dem, const std::string& source, const recipe::Step& step) {
  const GridSpec& spec = dem.spec;
  if (std::fabs(spec.cell_m - spec.cell_y_m) > 0.01 * spec.cell_m) {
    const auto tenths = [](double v) { return format_number(std::round(v * 10) / 10); };
    std::string message =
        "erosion needs square cells; these are " + tenths(spec.cell_m) + " x " + tenths(spec.cell_y_m) + " m";
    if (spec.georeference && spec.georeference->geographic) {
      const auto middle = spec.georeference->cell_centre(spec.width * 0.5, spec.height * 0.5);
      const int zone = std::clamp(static_cast<int>(std::floor((middle[0] + 180) / 6)) + 1, 1, 60);
      const std::string cell = format_number(std::round(std::min(spec.cell_m, spec.cell_y_m)));
      message += "; reproject first: gdalwarp -t_srs EPSG:" + std::to_string((middle[1] < 0 ? 32700 : 32600) + zone) +
                 " -tr " + cell + " " + cell + " -r bilinear";
    }
    return input_error(std::move(message), source);
  }
  if (Status s = recipe::find_operator(step.op)->check(step.params, spec.cell_m); !s)
    return std::move(s).error().at("--set");
  return {};
}

Result<std::string> write_eroded(io::Raster&& dem, const std::string& source, const recipe::Step& step,
                                 const std::vector<std::string>& settings, std::uint64_t seed, Writer& writer,
                                 const Exec& exec) {
  return guard_memory([&]() -> Result<std::string> {
    recipe::World world;
    world.spec = dem.spec;
    world.seed = seed;
    world.sea_level_m = -1e30;
    const bool nodata = dem.nodata_cells > 0;
    const double mark = dem.file_nodata.value_or(-9999);
    const std::string note = dem.note;
    world.fields.insert_or_assign("height", recipe::Field(to_floats(std::move(dem))));
    Timer timer(step.op, world.timings);
    timer.begin(step.name);
    recipe::StepContext context{world, step.name, exec};
    if (Status s = recipe::find_operator(step.op)->run(step.params, context); !s) return std::move(s).error();
    if (exec.cancelled()) return cancelled_error();

    timer.begin("files");
    io::GeoTiffOptions options;
    if (nodata) options.nodata = mark;
    const GridView<const float> height = world.find<float>("height");
    THALWEG_TRY(writer.raster<float>("height.tif", "height", "m", height, world.spec, options));
    for (const char* name : {"wear", "deposit"})
      THALWEG_TRY(writer.raster<float>(std::string(name) + ".tif", name, "m", world.find<float>(name), world.spec, {}));
    timer.begin("preview");
    render::Scene scene;
    scene.height_m = height;
    scene.cell_x_m = world.spec.cell_m;
    scene.cell_y_m = world.spec.cell_y_m;
    THALWEG_TRY(writer.picture("preview.png", render::map_view(scene, {}, std::nullopt, {}, exec)));
    if (exec.cancelled()) return cancelled_error();
    timer.end();

    WorldRecord record;
    record.command = "erode";
    record.source = source;
    record.settings = settings;
    record.seed = seed;
    record.spec = world.spec;
    FileEntry range;
    set_range<float>(range, height);
    record.min_height_m = range.min.value_or(0);
    record.max_height_m = range.max.value_or(0);
    record.ledgers = world.ledgers;
    if (!note.empty()) record.notes.push_back(note);
    record.timings = world.timings;
    record.threads = exec.threads();
    record.simd = simd_level();
    return writer.finish(std::move(record));
  });
}

}  // namespace thalweg::folder
