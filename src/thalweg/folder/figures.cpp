#include "thalweg/folder/figures.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "thalweg/folder/sea.h"
#include "thalweg/folder/surface.h"
#include "thalweg/hydrology/depressions.h"

namespace thalweg::folder {
namespace {
using hydrology::RealismFigure;
using hydrology::RealRange;
using hydrology::Verdict;

Grid<std::uint8_t> sea_of(const Input& input, GridView<const float> surface, const Exec& exec) {
  if (input.sea_level_m) {
    Grid<std::uint8_t> sea(surface.width(), surface.height());
    hydrology::mark_sea<float>(surface, *input.sea_level_m, sea);
    return sea;
  }
  Grid<float> filled(surface.width(), surface.height());
  hydrology::fill<float>(surface, {}, filled, exec);
  return open_sea(filled);
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::typical:
      return "typical";
    case Verdict::inside:
      return "inside";
    case Verdict::outside:
      return "outside";
    case Verdict::unjudged:
      return "unjudged";
  }
  return "";
}

// Three digits or all before the point; "-" for no value.
std::string short_number(double v) {
  if (!(v == v)) return "-";
  const double size = std::fabs(v);
  char text[40];
  const int digits = size >= 1e7 ? 2 : size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const auto format = size >= 1e7 ? std::chars_format::scientific : std::chars_format::fixed;
  const auto end = std::to_chars(text, text + sizeof text, v, format, digits);  // whatever the locale
  return {text, end.ptr};
}

std::string left(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}
std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

// "(1)" for the first model.
std::string numbered(std::size_t i) {
  std::string text = "(";
  text.append(std::to_string(i + 1)).append(")");
  return text;
}

constexpr std::size_t kNameWidth = 24, kValueWidth = 8, kUnitWidth = 7, kBriefWidth = 30;

const char* remark(Verdict verdict) {
  if (verdict == Verdict::unjudged) return "";
  return verdict == Verdict::outside ? "outside the real range" : name_of(verdict);
}

double value_in(const MeasuredLand& land, const std::string& name) {
  const RealismFigure* f = land.report.find(name);
  return f == nullptr ? kNoData<double> : f->value;
}

// "figures of cells ...": what stands in the columns.
std::string heading(const Figures& figures) {
  std::string line = "figures of " + std::to_string(figures.land.report.land_cells) + " cells of land, ";
  line += short_number(figures.land.report.cell_m) + " m each, beside ";
  if (!figures.against.empty()) {
    line += "the models below:\n";
    for (std::size_t i = 0; i < figures.against.size(); ++i) {
      const MeasuredLand& other = figures.against[i];
      line += "  " + numbered(i) + " " + other.path;
      if (other.report.cells != figures.land.report.cells)
        line += "  (" + short_number(other.report.cell_m) + " m: figures vary with the cell size)";
      line += "\n";
    }
  } else {
    line += "real models of " + std::string(hydrology::name_of(figures.land.report.cells)) +
            (figures.terrain == hydrology::TerrainType::all
                 ? ""
                 : " in terrain '" + std::string(choice_name(hydrology::kTerrainTypes, figures.terrain)) + "'") +
            ":\n";
  }
  line += "  " + left("figure", kNameWidth) + right("here", kValueWidth) + "  " + left("", kUnitWidth) +
          left("method", kBriefWidth);
  if (figures.against.empty()) {
    for (const char* column : {"models", "min", "q25", "median", "q75", "max"}) line += right(column, kValueWidth);
  } else {
    for (std::size_t i = 0; i < figures.against.size(); ++i) line += right(numbered(i), kValueWidth);
  }
  return line + "\n";
}

}  // namespace

Result<MeasuredLand> measure_land(const Input& input, const Exec& exec) {
  return guard_memory([&]() -> Result<MeasuredLand> {
    GridSpec spec;
    Result<Grid<float>> height = read_floats(input.height_file(), &spec);
    if (!height) return std::move(height).error();
    Grid<float> surface;
    {
      Result<Grid<float>> lakes = lake_level_grid(input, spec);
      if (!lakes) return std::move(lakes).error();
      surface = water_surface(height->view(), lakes->view());
      *height = {};
    }
    const Grid<std::uint8_t> sea = sea_of(input, surface, exec);
    Result<hydrology::RealismReport> report =
        hydrology::measure_realism(surface, CellGeometry::of(spec), sea.view(), {}, exec);
    if (!report) return std::move(report).error().at(input.height_file());
    return MeasuredLand{input.path, std::move(*report)};
  });
}

RealRange range_for(const Figures& figures, const std::string& name) {
  if (figures.against.empty()) return hydrology::real_range(name, figures.terrain, figures.land.report.cells);
  std::vector<double> values;
  for (const MeasuredLand& other : figures.against)
    if (other.report.cells == figures.land.report.cells) values.push_back(value_in(other, name));
  return hydrology::range_of(std::move(values));
}

std::string as_text(const Figures& figures) {
  std::string out = heading(figures);
  int judged = 0, inside = 0, typical = 0;
  for (const RealismFigure& f : figures.land.report.figures) {
    const RealRange range = range_for(figures, f.name);
    const Verdict verdict = hydrology::judge(f.value, range);
    judged += verdict != Verdict::unjudged ? 1 : 0;
    typical += verdict == Verdict::typical ? 1 : 0;
    inside += verdict == Verdict::typical || verdict == Verdict::inside ? 1 : 0;
    std::string line = "  " + left(f.name, kNameWidth) + right(short_number(f.value), kValueWidth) + "  " +
                       left(f.unit, kUnitWidth) + left(f.brief, kBriefWidth);
    if (figures.against.empty()) {
      line += right(std::to_string(range.n), kValueWidth);
      for (const double v : {range.min, range.q25, range.median, range.q75, range.max})
        line += right(short_number(v), kValueWidth);
    } else {
      for (const MeasuredLand& other : figures.against)
        line += right(short_number(value_in(other, f.name)), kValueWidth);
    }
    if (verdict != Verdict::unjudged) line += std::string("  ") + remark(verdict);
    out += line + "\n";
  }
  if (judged == 0) return out + "figures: none judged, which takes 5 like models\n";
  return out + "figures: " + std::to_string(inside) + " of " + std::to_string(judged) + " inside the real range, " +
         std::to_string(typical) + " of them between its quartiles\n";
}

std::string as_json(const Figures& figures) {
  const auto number = [](double v) { return v == v ? nlohmann::ordered_json(v) : nlohmann::ordered_json(nullptr); };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RealismFigure& f : figures.land.report.figures) {
    const RealRange range = range_for(figures, f.name);
    nlohmann::ordered_json j{
        {"name", f.name}, {"value", number(f.value)}, {"unit", f.unit}, {"method", f.method}, {"n", f.n}};
    j["real"] = nullptr;
    if (range.n > 0)
      j["real"] = {{"n", range.n},           {"min", range.min}, {"q25", range.q25},
                   {"median", range.median}, {"q75", range.q75}, {"max", range.max}};
    j["verdict"] = name_of(hydrology::judge(f.value, range));
    j["against"] = nlohmann::ordered_json::array();
    for (const MeasuredLand& other : figures.against)
      j["against"].push_back({{"path", other.path}, {"value", number(value_in(other, f.name))}});
    list.push_back(std::move(j));
  }
  return list.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace thalweg::folder
