#include "thalweg/folder/attributes.h"

#include <algorithm>
#include <functional>

#include "thalweg/hydrology/terrain_attributes.h"

namespace thalweg::folder {
namespace {

// Everything one attribute needs.
struct Task {
  const AttributeInputs& in;
  const CellGeometry& geometry;
  GridView<float> out;
  const Exec& exec;
};

// tan of the slope, for indices made of slope and drained area.
Grid<float> tangents(const Task& t) {
  Grid<float> out(t.out.width(), t.out.height());
  hydrology::slope(t.in.height, t.geometry, {hydrology::SlopeUnit::tangent}, out, t.exec);
  return out;
}

Status curvature(const Task& t, hydrology::CurvatureKind kind) {
  hydrology::curvature(t.in.height, t.geometry, {kind}, t.out, t.exec);
  return {};
}

Status above_drainage(const Task& t) {
  Grid<std::uint8_t> channel(t.out.width(), t.out.height());
  for (int y = 0; y < channel.height(); ++y)
    for (int x = 0; x < channel.width(); ++x) channel(x, y) = t.in.area_m2(x, y) >= t.in.river_m2 ? 1 : 0;
  return hydrology::height_above_drainage(t.in.surface, t.in.directions, channel.view(), {}, t.out, t.exec);
}

struct Attribute {
  AttributeKind kind;
  std::function<Status(const Task&)> make;
};
const std::vector<Attribute>& attributes() {
  using hydrology::CurvatureKind;
  static const std::vector<Attribute> kAll = {
      {{"slope", "deg", "steepness (Horn 1981)"},
       [](const Task& t) -> Status {
         hydrology::slope(t.in.height, t.geometry, {}, t.out, t.exec);
         return {};
       }},
      {{"aspect", "deg", "the compass direction the ground faces; -1 where it is level"},
       [](const Task& t) -> Status {
         hydrology::aspect(t.in.height, t.geometry, t.out, t.exec);
         return {};
       }},
      {{"profile-curvature", "1/km", "curvature down the slope, hollows positive"},
       [](const Task& t) { return curvature(t, CurvatureKind::profile); }},
      {{"plan-curvature", "1/km", "curvature of the contour lines, hollows positive"},
       [](const Task& t) { return curvature(t, CurvatureKind::plan); }},
      {{"wetness", "1", "topographic wetness index ln(a / tan slope)"},
       [](const Task& t) -> Status {
         const Grid<float> tangent = tangents(t);
         hydrology::topographic_wetness(t.in.routed_m2, tangent.view(), t.geometry, {}, t.out, t.exec);
         return {};
       }},
      {{"stream-power", "m", "stream power index a * tan slope"},
       [](const Task& t) -> Status {
         const Grid<float> tangent = tangents(t);
         hydrology::stream_power_index(t.in.routed_m2, tangent.view(), t.geometry, t.out, t.exec);
         return {};
       }},
      {{"above-drainage", "m", "height above the nearest river downstream (HAND)"}, above_drainage},
      {{"relief", "m", "highest less lowest height within 500 m"},
       [](const Task& t) -> Status {
         hydrology::local_relief(t.in.height, t.geometry, {}, t.out, t.exec);
         return {};
       }},
      {{"roughness", "m", "distance of the 3 x 3 samples from their plane"},
       [](const Task& t) -> Status {
         hydrology::roughness(t.in.height, t.geometry, {}, t.out, t.exec);
         return {};
       }},
      {{"hillshade", "1", "light from four sides, 0 to 1"},
       [](const Task& t) -> Status {
         hydrology::HillshadeParams params;
         params.multidirectional = true;
         hydrology::hillshade(t.in.height, t.geometry, params, t.out, t.exec);
         return {};
       }},
      {{"sky-view", "1", "share of the sky that is seen, horizons within 1 km"},
       [](const Task& t) -> Status {
         hydrology::sky_view_factor(t.in.height, t.geometry, {}, t.out, t.exec);
         return {};
       }},
  };
  return kAll;
}

}  // namespace

const std::vector<AttributeKind>& attribute_kinds() {
  static const std::vector<AttributeKind> kKinds = [] {
    std::vector<AttributeKind> kinds;
    for (const Attribute& a : attributes()) kinds.push_back(a.kind);
    return kinds;
  }();
  return kKinds;
}

Result<std::vector<std::string>> parse_attributes(std::string_view list) {
  std::vector<std::string> known, names;
  for (const AttributeKind& kind : attribute_kinds()) known.emplace_back(kind.name);
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string name(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (name == "all") return known;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string all;
      for (const std::string& k : known) all += k + ", ";
      const std::string near = nearest_name(name, known);
      return input_error(near.empty() ? "no such attribute; there are " + all + "all"
                                      : "no such attribute; did you mean '" + near + "'?",
                         "--attributes " + name);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

Status write_attributes(const std::vector<std::string>& names, const AttributeInputs& inputs, const GridSpec& spec,
                        const CellGeometry& geometry, Writer& writer, const Exec& exec) {
  Grid<float> out(spec.width, spec.height);
  io::GeoTiffOptions options;
  options.nodata = -9999;
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, names.size()));
  int done = 0;
  for (const Attribute& attribute : attributes()) {
    const std::string name(attribute.kind.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    const Exec part = exec.part(done * share, (done + 1) * share);
    ++done;
    THALWEG_TRY(attribute.make({inputs, geometry, out, part}));
    if (exec.cancelled()) return cancelled_error();
    THALWEG_TRY(writer.raster<float>(name + ".tif", name, std::string(attribute.kind.unit), out.view(), spec, options));
  }
  return {};
}

}  // namespace thalweg::folder
