// The operator table: one row per operator. Help, `thalweg ops`, the JSON schema, the recipe checker and the documents
// all come from it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/resources.h"
#include "thalweg/recipe/world.h"

namespace thalweg::recipe {

struct Recipe;

/// How far around a cell an operator looks.
enum class Reach {
  point,   ///< the cell alone
  local,   ///< a halo whose width follows from the parameters
  global,  ///< everything
};
std::string_view name_of(Reach reach);

/// A field that a step reads.
struct FieldRead {
  std::string name;
  std::string unit;                                         ///< that it must have; "" for any
  std::string param;                                        ///< parameter that names it, "" where the operator does
  FieldRead(const char* fixed) : name(fixed) {}             // NOLINT(google-explicit-constructor)
  FieldRead(std::string fixed) : name(std::move(fixed)) {}  // NOLINT(google-explicit-constructor)
  FieldRead(std::string n, std::string u, std::string p)
      : name(std::move(n)), unit(std::move(u)), param(std::move(p)) {}
};

/// How what a step writes meets what the field holds.
enum class Meet {
  replace,   ///< the old content does not matter
  change,    ///< the new content is made from the old, in the same unit
  multiply,  ///< a product: one of the two is a pure number
};

/// A field that a step writes.
struct FieldWrite {
  std::string name;
  std::string unit;     ///< of the values; "" with no `unit_of`: the field's own (standard fields)
  std::string unit_of;  ///< values are in the unit of this field
  std::string param;    ///< parameter that names it, "" where the operator does
  Meet meet = Meet::replace;
  FieldWrite(const char* fixed) : name(fixed) {}             // NOLINT(google-explicit-constructor)
  FieldWrite(std::string fixed) : name(std::move(fixed)) {}  // NOLINT(google-explicit-constructor)
  FieldWrite(std::string n, std::string u, std::string of, std::string p, Meet m = Meet::replace)
      : name(std::move(n)), unit(std::move(u)), unit_of(std::move(of)), param(std::move(p)), meet(m) {}
};

/// What a step uses under its parameters.
struct FieldUse {
  std::vector<FieldRead> reads = {};     ///< must exist
  std::vector<FieldWrite> writes = {};   ///< the first is what a mask applies to
  std::vector<FieldRead> may_read = {};  ///< read where they exist; also what is added to
  std::string sketch = {};               ///< name of a sketch
  bool sketch_heights = false;           ///< the sketch needs heights
  bool promises = false;                 ///< the land on the sketch (World::promises)
  std::string file = {};                 ///< a raster, as the recipe names it
};

/// What a running step gets.
struct StepContext {
  World& world;
  const std::string& step;  ///< its name, for messages and the ledger
  const Exec& exec;
  const Recipe* recipe = nullptr;  ///< for sketches and images; may be null for operators that use neither
};

using ParamValues = std::span<const ParamWriter::Named>;

struct Operator {
  std::string name;
  std::string help;     ///< one line
  std::string example;  ///< lines of a recipe: one step, and what belongs to it
  std::vector<ParamInfo> params;
  std::vector<std::string> required;  ///< parameters without a default
  Reach reach = Reach::point;
  double scratch_bytes_per_cell = 0;  ///< beyond the fields themselves
  /// Takes `mask = "field"`: the result is old + mask * (new - old), for the first field it writes.
  bool maskable = false;

  std::function<FieldUse(ParamValues)> fields;
  /// Halo in cells of a Local operator at this cell size.
  std::function<int(ParamValues, double cell_m)> halo_cells;
  /// Values that are each in range but do not go together; `cell_m` is 0 where the cell size is not known yet.
  std::function<Status(ParamValues, double cell_m)> check;
  std::function<Status(ParamValues, StepContext&)> run;
};

/// All operators, by name.
std::span<const Operator> operator_table();
/// nullptr where there is none.
const Operator* find_operator(std::string_view name);

/// The table as text for people (`thalweg ops`, `thalweg ops NAME`), as JSON, and as a JSON schema for recipe files.
std::string operators_as_text();
std::string operator_as_text(const Operator& op);
std::string operators_as_json();
std::string operator_as_json(const Operator& op);
std::string recipe_schema();

}  // namespace thalweg::recipe
