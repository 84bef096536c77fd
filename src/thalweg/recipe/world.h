// What a recipe makes: named fields over one grid, vector objects, and the account of how they came about.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"
#include "thalweg/recipe/promises.h"

namespace thalweg::recipe {

/// One field. Which type a field has follows from its name: see field_table.
using Field = std::variant<Grid<float>, Grid<double>, Grid<std::uint8_t>, Grid<std::int32_t>>;

/// Names with a fixed meaning. Any other name a recipe writes is a float field of its own.
struct FieldInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view type;  ///< "float32", "float64", "uint8", "int32", "rgba8" (World::weights)
  bool result;            ///< written as a file without being asked
  std::string_view help;
};
std::span<const FieldInfo> field_table();
/// nullptr for fields of a recipe's own.
const FieldInfo* find_field(std::string_view name);

/// The exact balance of one erosion step, in units of 2^-20 m times one cell.
struct LedgerEntry {
  std::string step;
  erosion::Ledger ledger;
};

/// How long a step took. Outside every hash.
struct StepTiming {
  std::string step;
  std::string op;
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of the process so far
};

struct World {
  GridSpec spec;
  double sea_level_m = 0;
  std::uint64_t seed = 0;
  std::map<std::string, Field> fields;
  hydrology::RiverNetwork rivers;
  bool has_rivers = false;
  std::vector<hydrology::Lake> lakes;
  std::vector<Grid<std::uint32_t>> weights;  ///< RGBA8, climate::texture_weights
  std::vector<LedgerEntry> ledgers;
  std::vector<Promise> promises;             ///< checked against the finished land
  std::map<std::string, std::string> units;  ///< of all fields
  std::vector<StepTiming> timings;

  /// The field as the type it must have; empty view where it was never written.
  template <class T>
  GridView<T> find(const std::string& name) {
    const auto it = fields.find(name);
    if (it == fields.end()) return {};
    auto* grid = std::get_if<Grid<T>>(&it->second);
    return grid != nullptr ? grid->view() : GridView<T>();
  }
  template <class T>
  GridView<const T> find(const std::string& name) const {
    const auto it = fields.find(name);
    if (it == fields.end()) return {};
    const auto* grid = std::get_if<Grid<T>>(&it->second);
    return grid != nullptr ? grid->view() : GridView<const T>();
  }
  /// The field, made (as zeros) where it is missing.
  template <class T>
  GridView<T> make(const std::string& name) {
    auto it = fields.find(name);
    if (it == fields.end() || !std::holds_alternative<Grid<T>>(it->second))
      it = fields.insert_or_assign(name, Field(Grid<T>(spec.width, spec.height))).first;
    return std::get<Grid<T>>(it->second).view();
  }
};

}  // namespace thalweg::recipe
