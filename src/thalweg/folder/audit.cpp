#include "thalweg/folder/audit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "thalweg/folder/content.h"
#include "thalweg/folder/promise_json.h"
#include "thalweg/folder/sea.h"
#include "thalweg/folder/surface.h"
#include "thalweg/folder/vector_layers.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/routing.h"
#include "thalweg/io/vectors.h"

namespace thalweg::folder {
namespace {
using hydrology::AuditCheck;

AuditCheck fault(std::string name, std::string place) {
  AuditCheck check;
  check.name = std::move(name);
  check.checked = 1;
  check.faults = 1;
  check.place = std::move(place);
  return check;
}

// Sea all along the edge, and land.
AuditCheck audit_island(GridView<const float> height, double sea_level_m) {
  AuditCheck check;
  check.name = "island";
  const auto level = static_cast<float>(sea_level_m);
  std::int64_t land = 0;
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x) {
      if (height(x, y) > level) ++land;
      const bool edge = x == 0 || y == 0 || x == height.width() - 1 || y == height.height() - 1;
      if (!edge) continue;
      ++check.checked;
      if (height(x, y) <= level) continue;
      ++check.faults;
      if (check.place.empty())
        check.place = "land on the edge at column " + std::to_string(x) + ", row " + std::to_string(y);
    }
  if (land == 0 && height.width() > 2 && height.height() > 2) {  // smaller ones are edge all over
    ++check.faults;
    check.place = "no land at all";
  }
  check.note = std::to_string(land) + " cells of land";
  return check;
}

// Every file that world.json lists is there and holds what its hash says.
AuditCheck audit_files(const Input& input, const Exec& exec) {
  AuditCheck check;
  check.name = "files";
  check.note = "present, with the content that world.json states";
  const auto wrong = [&](const std::string& what) {
    ++check.faults;
    if (check.place.empty()) check.place = what;
  };
  for (const Input::Listed& f : input.files) {
    if (exec.cancelled()) return check;
    ++check.checked;
    if (!input.has(f.name)) {
      wrong(f.name + " is missing");
      continue;
    }
    const Result<std::string> hash = hash_of_file(input.file(f.name), f.type);
    if (!hash) {
      wrong(hash.error().text());
    } else if (!hash->empty() && *hash != f.hash) {
      wrong(f.name + " has another content");
    }
  }
  return check;
}

std::vector<AuditCheck> audit_ledgers(const std::string& world_json) {
  std::vector<AuditCheck> checks;
  const nlohmann::json j = nlohmann::json::parse(world_json, nullptr, false);
  if (!j.is_object() || !j.contains("ledger") || !j["ledger"].is_array()) return checks;
  for (const auto& entry : j["ledger"]) {
    const auto whole = [&](const char* key) -> std::int64_t {
      return entry.contains(key) && entry[key].is_number_integer() ? entry[key].get<std::int64_t>() : 0;
    };
    const std::string step =
        entry.contains("step") && entry["step"].is_string() ? entry["step"].get<std::string>() : "";
    checks.push_back(hydrology::audit_ledger(step, whole("eroded"), whole("deposited"), whole("exported")));
  }
  return checks;
}

// The land on the sketches, from the files alone.
Status audit_promises(const Input& input, GridView<const float> height, GridView<const float> water, const Exec& exec,
                      AuditReport& report) {
  Result<StoredPromises> stored = read_promises(input.world_json);
  if (!stored) return std::move(stored).error().at(input.file("world.json"));
  if (stored->promises.empty()) return {};
  GridSpec spec = stored->spec;
  spec.width = height.width();
  spec.height = height.height();
  for (const recipe::Promise& promise : stored->promises) {
    const recipe::PromiseResult result = recipe::check_promise(promise, spec, height, water, exec);
    AuditCheck check;
    check.name = "promise";
    check.checked = result.samples;
    check.faults = result.faults;
    if (result.faults > 0) check.place = recipe::worst_place(result);
    check.note = promise_note(promise, result);
    report.checks.push_back(std::move(check));
  }
  return {};
}

Status check_same_size(const GridSpec& a, const GridSpec& b, const std::string& file) {
  if (a.width == b.width && a.height == b.height) return {};
  return input_error("has another size than the height", file);
}

Status audit_rivers(const Input& input, const GridSpec& spec, GridView<const float> surface, hydrology::OutletMask sea,
                    GridView<const float> lakes, AuditReport& report) {
  if (!input.has("rivers.geojson")) {
    report.checks.push_back(fault("rivers", "rivers.geojson is missing"));
    return {};
  }
  Result<io::Layer> layer = io::read_geojson(input.file("rivers.geojson"));
  if (!layer) return std::move(layer).error();
  Result<hydrology::RiverNetwork> network = network_from_layer(*layer, spec);
  if (!network) return std::move(network).error().at(input.file("rivers.geojson"));
  Grid<std::int32_t> lake_id(spec.width, spec.height);
  for (std::int64_t i = 0; i < lake_id.cells(); ++i) lake_id[i] = is_nodata(lakes[i]) ? 0 : 1;
  report.checks.push_back(hydrology::audit_river_beds(*network, surface, 0.01));
  report.checks.push_back(hydrology::audit_river_ends(*network, spec.width, spec.height, sea, lake_id.view(), surface));
  return {};
}

Result<AuditReport> audit_world(const Input& input, const Exec& exec) {
  AuditReport report;
  report.path = input.path;
  GridSpec spec;
  Result<Grid<float>> height = read_floats(input.height_file(), &spec);
  if (!height) return std::move(height).error();
  const double sea_level = input.sea_level_m.value_or(-1e30);
  Grid<std::uint8_t> sea(spec.width, spec.height);
  if (input.sea_level_m) hydrology::mark_sea<float>(height->view(), sea_level, sea);
  Result<Grid<float>> lakes = lake_level_grid(input, spec);
  if (!lakes) return std::move(lakes).error();
  Grid<float> surface = water_surface(height->view(), lakes->view());
  // Land conditioned on purpose is promised only where rivers were drawn.
  if (input.lists("rivers.geojson") || !input.is_folder)
    report.checks.push_back(hydrology::audit_pits<float>(surface.view(), sea.view(), exec));
  Grid<float> depth;
  if (input.has("water.tif")) {
    GridSpec water_spec;
    Result<Grid<float>> water = read_floats(input.file("water.tif"), &water_spec, io::ReadAs::field);
    if (!water) return std::move(water).error();
    THALWEG_TRY(check_same_size(spec, water_spec, input.file("water.tif")));
    for (std::int64_t i = 0; i < surface.cells(); ++i) surface[i] = (*height)[i] + (*water)[i];
    depth = std::move(*water);
  }
  if (input.lists("rivers.geojson"))
    THALWEG_TRY(audit_rivers(input, spec, surface.view(), sea.view(), lakes->view(), report));
  THALWEG_TRY(audit_promises(input, height->view(), depth.view(), exec, report));
  if (input.promises_island) report.checks.push_back(audit_island(height->view(), sea_level));
  for (AuditCheck& check : audit_ledgers(input.world_json)) report.checks.push_back(std::move(check));
  return report;
}

// D-infinity: water that follows the angles never returns, and every cell that is no outlet has one.
AuditCheck audit_angles(GridView<const float> angles, const GridSpec& spec, const Exec& exec) {
  AuditCheck check;
  check.name = "directions";
  check.note = "angles of D-infinity: no cycle, none missing";
  check.checked = spec.cells();
  Grid<double> area(spec.width, spec.height);
  const Status sums = hydrology::accumulate_dinf_area(angles, CellGeometry::of(spec), area, exec);
  if (!sums) return fault(check.name, sums.error().text());
  for (int y = 1; y + 1 < spec.height; ++y)
    for (int x = 1; x + 1 < spec.width; ++x) {
      if (angles(x, y) != hydrology::kNoAngle) continue;
      bool outlet = false;  // beside NoData
      for (std::size_t d = 0; d < 8; ++d) outlet |= is_nodata(angles(x + hydrology::kDx[d], y + hydrology::kDy[d]));
      if (outlet) continue;
      if (check.faults++ == 0) check.place = "column " + std::to_string(x) + ", row " + std::to_string(y);
    }
  return check;
}

Status audit_direction_file(const Input& input, const GridSpec& spec, GridView<const float> surface,
                            AuditReport& report, const Exec& exec) {
  const std::string file = input.file("directions.tif");
  GridSpec found;
  if (input.routing == "dinf") {
    const Result<Grid<float>> angles = read_floats(file, &found, io::ReadAs::field);
    if (!angles) return angles.error();
    THALWEG_TRY(check_same_size(spec, found, file));
    if (input.depressions != "none") report.checks.push_back(audit_angles(angles->view(), spec, exec));
    return {};
  }
  const Result<Grid<std::uint8_t>> directions = read_bytes(file, &found);
  if (!directions) return directions.error();
  THALWEG_TRY(check_same_size(spec, found, file));
  if (input.depressions != "none")
    report.checks.push_back(hydrology::audit_directions(directions->view(), surface, {}, exec));
  return {};
}

Result<AuditReport> audit_hydrology(const Input& input, const Exec& exec) {
  AuditReport report;
  report.path = input.path;
  GridSpec spec;
  Result<io::Raster> filled = io::read_raster(input.file("filled.tif"), kMaxCells);
  if (!filled) return std::move(filled).error();
  spec = filled->spec;
  if (input.depressions != "none") {
    if (const auto* f = std::get_if<Grid<float>>(&filled->cells)) {
      report.checks.push_back(hydrology::audit_pits<float>(f->view(), {}, exec));
    } else {
      report.checks.push_back(hydrology::audit_pits<double>(std::get<Grid<double>>(filled->cells).view(), {}, exec));
    }
  }
  const Grid<float> surface = to_floats(std::move(*filled));
  THALWEG_TRY(audit_direction_file(input, spec, surface.view(), report, exec));
  Result<Grid<float>> lakes = lake_level_grid(input, spec);
  if (!lakes) return std::move(lakes).error();
  const Grid<std::uint8_t> sea = open_sea(surface);
  if (input.depressions != "none" && input.lists("rivers.geojson"))  // models computed in tiles have none
    THALWEG_TRY(audit_rivers(input, spec, surface.view(), sea.view(), lakes->view(), report));
  return report;
}

}  // namespace

bool AuditReport::ok() const {
  return std::all_of(checks.begin(), checks.end(), [](const AuditCheck& c) { return c.ok(); });
}

Result<AuditReport> audit(const Input& input, const Exec& exec) {
  return guard_memory([&]() -> Result<AuditReport> {
    Result<AuditReport> report = input.command == "hydrology" ? audit_hydrology(input, exec) : audit_world(input, exec);
    if (report && input.is_folder) report->checks.push_back(audit_files(input, exec));
    if (exec.cancelled()) return cancelled_error();
    return report;
  });
}

std::string as_text(const AuditReport& report) {
  std::string out;
  for (const AuditCheck& c : report.checks) {
    out += c.ok() ? "ok    " : "FAULT ";
    out += c.name + ": ";
    out += c.ok() ? std::to_string(c.checked) + " checked"
                  : std::to_string(c.faults) + " of " + std::to_string(c.checked) + " wrong";
    if (!c.ok()) out += "; first: " + c.place;
    if (!c.note.empty()) out += " (" + c.note + ")";
    out += "\n";
  }
  if (report.figures) out += as_text(*report.figures);
  return out + (report.ok() ? "audit passed: " : "audit found faults: ") + report.path + "\n";
}

std::string as_json(const AuditReport& report) {
  nlohmann::ordered_json j;
  j["path"] = report.path;
  j["ok"] = report.ok();
  j["checks"] = nlohmann::ordered_json::array();
  for (const AuditCheck& c : report.checks)
    j["checks"].push_back({{"name", c.name},
                           {"ok", c.ok()},
                           {"checked", c.checked},
                           {"faults", c.faults},
                           {"place", c.place},
                           {"note", c.note}});
  if (report.figures) {
    const hydrology::RealismReport& land = report.figures->land.report;
    j["land"] = {{"cells", land.land_cells},
                 {"cell_m", land.cell_m},
                 {"cell_class", hydrology::name_of(land.cells)},
                 {"channel_area_km2", land.channel_area_km2},
                 {"terrain", choice_name(hydrology::kTerrainTypes, report.figures->terrain)},
                 {"hypsometric_curve", land.hypsometric_curve}};
    j["realism"] = nlohmann::ordered_json::parse(as_json(*report.figures));
  }
  return j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace thalweg::folder
