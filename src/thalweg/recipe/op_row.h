// How a row of the operator table is made from a Params struct and plain functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "thalweg/recipe/operators.h"

namespace thalweg::recipe {

/// The parts of a row that depend on the parameter type P.
template <class P>
struct Row {
  std::string name;
  std::string help;
  std::string example;
  Reach reach = Reach::point;
  double scratch_bytes_per_cell = 0;
  FieldUse (*fields)(const P&) = nullptr;
  int (*halo_cells)(const P&, double cell_m) = nullptr;
  Status (*check)(const P&, double cell_m) = nullptr;
  Status (*run)(const P&, StepContext&) = nullptr;
};

template <class P>
Operator make_operator(const Row<P>& row) {
  // Values were checked against list_params when the recipe was read, so making the struct cannot fail here.
  const auto params = [](ParamValues values) {
    P p{};
    ParamWriter writer(values);
    P::describe(p, writer);
    return p;
  };
  Operator op;
  op.name = row.name;
  op.help = row.help;
  op.example = row.example;
  op.params = list_params<P>();
  op.reach = row.reach;
  op.scratch_bytes_per_cell = row.scratch_bytes_per_cell;
  op.fields = [=, f = row.fields](ParamValues values) { return f(params(values)); };
  op.halo_cells = [=, f = row.halo_cells](ParamValues values, double cell_m) {
    return f != nullptr ? f(params(values), cell_m) : 0;
  };
  op.check = [=, f = row.check](ParamValues values, double cell_m) {
    return f != nullptr ? f(params(values), cell_m) : Status();
  };
  op.run = [=, f = row.run](ParamValues values, StepContext& context) { return f(params(values), context); };
  return op;
}

// The groups of rows, one function per source file.
void add_noise_operators(std::vector<Operator>& table);
void add_land_operators(std::vector<Operator>& table);
void add_climate_operators(std::vector<Operator>& table);

}  // namespace thalweg::recipe
