#include "thalweg/folder/world_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "thalweg/core/platform.h"
#include "thalweg/core/version.h"
#include "thalweg/folder/promise_json.h"
#include "thalweg/recipe/recipe.h"

namespace thalweg::folder {
namespace {
using Json = nlohmann::ordered_json;

Json crs_of(const GridSpec& spec) {
  if (!spec.georeference) return nullptr;
  return spec.georeference->crs_wkt;
}

Json place_of(const GridSpec& spec) {
  Json j;
  j["size"] = {spec.width, spec.height};
  j["cell_m"] = spec.cell_m;
  if (spec.cell_y_m != spec.cell_m) j["cell_y_m"] = spec.cell_y_m;
  j["origin_cell"] = {spec.origin_x, spec.origin_y};
  if (spec.georeference) j["geotransform"] = spec.georeference->transform;
  j["crs"] = crs_of(spec);
  j["row_order"] = "row 0 north, column 0 west";
  j["spacing"] = "extent / (samples - 1)";
  return j;
}

}  // namespace

template <class T>
void set_range(FileEntry& entry, GridView<const T> cells) {
  bool any = false;
  double low = 0;
  double high = 0;
  for (int y = 0; y < cells.height(); ++y)
    for (const T* v = cells.row(y); v != cells.row(y) + cells.width(); ++v) {
      if (is_nodata(*v)) continue;
      const auto d = static_cast<double>(*v);
      low = any && low < d ? low : d;
      high = any && high > d ? high : d;
      any = true;
    }
  if (!any) return;
  entry.min = low;
  entry.max = high;
}
template void set_range(FileEntry&, GridView<const std::uint8_t>);
template void set_range(FileEntry&, GridView<const std::int16_t>);
template void set_range(FileEntry&, GridView<const std::uint16_t>);
template void set_range(FileEntry&, GridView<const std::uint32_t>);
template void set_range(FileEntry&, GridView<const std::int32_t>);
template void set_range(FileEntry&, GridView<const float>);
template void set_range(FileEntry&, GridView<const double>);

std::string world_json(const WorldRecord& record) {
  Json j;
  j["format"] = kWorldFormat;
  j["thalweg_version"] = kVersion;
  j["command"] = record.command;
  j["source"] = record.source;
  if (!record.recipe_text.empty()) {
    j["recipe"] = record.recipe_text;
    j["recipe_version"] = recipe::kRecipeVersion;
    j["settings"] = record.settings;
  }
  if (!record.inputs.empty()) {
    Json inputs = Json::object();
    for (const InputEntry& input : record.inputs) inputs[input.file] = {{"kind", input.kind}, {"hash", input.hash}};
    j["inputs"] = std::move(inputs);
  }
  if (record.seed) j["seed"] = *record.seed;
  j.update(place_of(record.spec));
  if (record.sea_level_m) j["sea_level_m"] = *record.sea_level_m;
  if (record.promises_island) j["island"] = true;
  if (!record.options.empty()) j["options"] = record.options;
  if (!record.depressions.empty()) j["depressions"] = record.depressions;
  if (!record.routing.empty()) j["routing"] = record.routing;
  j["height_min_m"] = record.min_height_m;
  j["height_max_m"] = record.max_height_m;
  Json files = Json::object();
  for (const FileEntry& f : record.files) {
    Json e;
    e["kind"] = f.kind;
    e["type"] = f.type;
    e["unit"] = f.unit;
    if (f.min) e["min"] = *f.min;
    if (f.max) e["max"] = *f.max;
    e["hash"] = f.hash;
    if (!f.note.empty()) e["note"] = f.note;
    files[f.name] = std::move(e);
  }
  j["files"] = std::move(files);
  if (!record.ledgers.empty()) {
    Json ledger = Json::array();
    for (const auto& entry : record.ledgers)
      ledger.push_back({{"step", entry.step},
                        {"unit", "2^-20 m x cell"},
                        {"eroded", entry.ledger.eroded},
                        {"deposited", entry.ledger.deposited},
                        {"exported", entry.ledger.exported},
                        {"balance", entry.ledger.balance()}});
    j["ledger"] = std::move(ledger);
  }
  if (!record.promises.empty()) j["promises"] = Json::parse(promises_as_json(record.promises));
  if (!record.biome_names.empty()) j["biomes"] = record.biome_names;
  if (!record.layer_names.empty()) j["texture_layers"] = record.layer_names;
  if (!record.notes.empty()) j["notes"] = record.notes;
  Json run;
  run["note"] = "of this run; no hash covers it";
  run["threads"] = record.threads;
  run["simd"] = record.simd;
  Json steps = Json::array();
  double total = 0;
  for (const auto& t : record.timings) {
    steps.push_back({{"step", t.step},
                     {"op", t.op},
                     {"seconds", t.seconds},
                     {"cpu_seconds", t.cpu_seconds},
                     {"peak_bytes", t.peak_bytes}});
    total += t.seconds;
  }
  run["steps"] = std::move(steps);
  run["seconds"] = total;
  run["peak_bytes"] = platform::peak_resident_bytes();
  j["run"] = std::move(run);
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace thalweg::folder
