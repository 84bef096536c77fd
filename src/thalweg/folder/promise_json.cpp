#include "thalweg/folder/promise_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "thalweg/core/params.h"

namespace thalweg::folder {
namespace {
using Json = nlohmann::ordered_json;
using recipe::Promise;
using recipe::PromiseResult;
using recipe::PromiseSide;
using shape::SketchKind;

constexpr const char* kKinds[] = {"points", "lines", "polygons"};
constexpr PromiseSide kSides[] = {PromiseSide::within, PromiseSide::at_least, PromiseSide::at_most};

bool read_vertex(const Json& json, shape::SketchPoint& p) {
  if (!json.is_array() || json.size() != 3) return false;
  for (const Json& number : json)
    if (!number.is_number() || !std::isfinite(number.get<double>())) return false;
  p = {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
  return true;
}

bool read_parts(const Json& json, shape::Sketch& sketch) {
  if (!json.is_array()) return false;
  for (const Json& part : json) {
    if (!part.is_array()) return false;
    auto& points = sketch.parts.emplace_back();
    for (const Json& vertex : part)
      if (!read_vertex(vertex, points.emplace_back())) return false;
  }
  sketch.has_heights = true;
  return shape::check_sketch(sketch).ok();
}

std::string text_of(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

bool read_promise(const Json& json, Promise& promise) {
  if (!json.is_object()) return false;
  promise.sketch.name = text_of(json, "sketch");
  promise.step = text_of(json, "step");
  bool good = false;
  const std::string kind = text_of(json, "kind");
  for (int k = 0; k < 3; ++k)
    if (kind == kKinds[k]) {
      promise.sketch.kind = static_cast<SketchKind>(k);
      good = true;
    }
  if (!good) return false;
  const std::string side = text_of(json, "land");
  good = false;
  for (const PromiseSide s : kSides)
    if (side == recipe::name_of(s)) {
      promise.side = s;
      good = true;
    }
  if (!good || !json.contains("tolerance_m") || !json["tolerance_m"].is_number()) return false;
  promise.tolerance_m = json["tolerance_m"].get<double>();
  return json.contains("points") && read_parts(json["points"], promise.sketch);
}

// A distance with two decimals.
std::string metres(double v) {
  const double unit = std::fabs(v) < 0.1 ? 1e6 : 100;  // centimetres, smaller ones in full
  return format_number(std::round(v * unit) / unit) + " m";
}

Json promise_json(const Promise& promise) {
  const PromiseResult& r = promise.result;
  Json j;
  j["sketch"] = promise.sketch.name;
  j["step"] = promise.step;
  j["kind"] = kKinds[static_cast<int>(promise.sketch.kind)];
  j["land"] = recipe::name_of(promise.side);
  j["tolerance_m"] = promise.tolerance_m;
  j["kept"] = r.ok();
  j["samples"] = r.samples;
  j["samples_under_water"] = r.under_water;
  j["faults"] = r.faults;
  if (r.worst_x >= 0)
    j["worst"] = {{"deviation_m", r.worst_m},
                  {"column", r.worst_x},
                  {"row", r.worst_y},
                  {"wanted_m", r.wanted_m},
                  {"height_m", r.found_m}};
  Json parts = Json::array();
  for (const auto& part : promise.sketch.parts) {
    Json vertices = Json::array();
    for (const shape::SketchPoint& p : part) vertices.push_back({p.x_m, p.y_m, p.height_m});
    parts.push_back(std::move(vertices));
  }
  j["points"] = std::move(parts);
  return j;
}

}  // namespace

std::string promises_as_json(const std::vector<Promise>& promises) {
  Json list = Json::array();
  for (const Promise& promise : promises) list.push_back(promise_json(promise));
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<StoredPromises> read_promises(const std::string& world_json) {
  StoredPromises stored;
  const Json j = Json::parse(world_json, nullptr, false);
  if (!j.is_object() || !j.contains("promises")) return stored;
  if (!j["promises"].is_array()) return input_error("has promises that are no list");
  for (const Json& entry : j["promises"]) {
    const std::string which = "promise " + std::to_string(stored.promises.size());
    if (!read_promise(entry, stored.promises.emplace_back())) return input_error("has a " + which + " that is damaged");
  }
  if (!j.contains("cell_m") || !j["cell_m"].is_number() || !(j["cell_m"].get<double>() > 0))
    return input_error("has no cell_m");
  stored.spec.cell_m = stored.spec.cell_y_m = j["cell_m"].get<double>();
  const Json origin = j.value("origin_cell", Json());
  if (!origin.is_array() || origin.size() != 2 || !origin[0].is_number_integer() || !origin[1].is_number_integer())
    return input_error("has no origin_cell");
  stored.spec.origin_x = origin[0].get<std::int64_t>();
  stored.spec.origin_y = origin[1].get<std::int64_t>();
  return stored;
}

std::string promise_note(const Promise& promise, const PromiseResult& result) {
  std::string note = "sketch '" + promise.sketch.name + "', ";
  switch (promise.side) {
    case PromiseSide::within:
      note += "within " + metres(promise.tolerance_m) + " of its height";
      break;
    case PromiseSide::at_least:
      note += "at most " + metres(promise.tolerance_m) + " below its height";
      break;
    case PromiseSide::at_most:
      note += "at most " + metres(promise.tolerance_m) + " above its height";
      break;
  }
  if (result.samples == 0 && result.under_water == 0) return note + "; no sample lies on it";
  if (result.samples > 0 && std::isfinite(result.worst_m)) note += "; worst " + metres(result.worst_m);
  if (result.under_water > 0) note += "; " + std::to_string(result.under_water) + " more under water";
  return note;
}

}  // namespace thalweg::folder
