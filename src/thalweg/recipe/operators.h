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
#include "thalweg/recipe/world.h"

namespace thalweg::recipe {

/// How far around a cell an operator looks.
enum class Reach {
  point,   ///< the cell alone
  local,   ///< a halo whose width follows from the parameters
  global,  ///< everything
};
std::string_view name_of(Reach reach);

/// Fields a step reads (must exist) and writes, under its parameters.
struct FieldUse {
  std::vector<std::string> reads;
  std::vector<std::string> writes;
};

/// What a running step gets.
struct StepContext {
  World& world;
  const std::string& step;  ///< its name, for messages and the ledger
  const Exec& exec;
};

using ParamValues = std::span<const ParamWriter::Named>;

struct Operator {
  std::string name;
  std::string help;     ///< one line
  std::string example;  ///< lines of a recipe step
  std::vector<ParamInfo> params;
  Reach reach = Reach::point;
  double scratch_bytes_per_cell = 0;  ///< beyond the fields themselves

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
