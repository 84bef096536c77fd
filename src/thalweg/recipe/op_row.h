// How a row of the operator table is made from a Params struct and plain functions.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/recipe/operators.h"

namespace thalweg::recipe {

/// The parts of a row that depend on the parameter type P.
template <class P>
struct Row {
  std::string name;
  std::string help;
  std::string example;
  std::vector<std::string> required = {};
  Reach reach = Reach::point;
  double scratch_bytes_per_cell = 0;
  bool maskable = false;
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
  op.required = row.required;
  op.reach = row.reach;
  op.scratch_bytes_per_cell = row.scratch_bytes_per_cell;
  op.maskable = row.maskable;
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

/// Random numbers of a step's own: another name, other numbers.
inline std::uint64_t step_seed(const StepContext& c) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(c.step.data()), c.step.size());
  return derive_seed(c.world.seed, content_hash("step", bytes).low);
}

/// An operator that works on one field: reads `field` and writes it, or another one where `out` names one.
template <class Params>
struct FieldStep {
  Params params;
  std::string field = "height";
  std::string out;
  template <class Visitor>
  static void describe(FieldStep& p, Visitor& v) {
    Params::describe(p.params, v);
    v.text("field", p.field, {.help = "field that is read"});
    v.text("out", p.out, {.help = "field to write; where none is given, `field` itself"});
  }
  const std::string& target() const { return out.empty() ? field : out; }
};

/// Of a FieldStep: any unit, or the one the field must have; the unit stays.
template <class Params>
FieldUse field_use(const FieldStep<Params>& p, const std::string& unit) {
  return {{{p.field, unit, "field"}}, {{p.target(), unit, p.field, p.out.empty() ? "field" : "out"}}};
}

/// Where a FieldStep writes. The field read stays valid: map nodes do not move.
template <class Params>
GridView<float> target_of(const FieldStep<Params>& p, StepContext& c) {
  return c.world.make<float>(p.target());
}

// The groups of rows, one function per source file.
void add_noise_operators(std::vector<Operator>& table);
void add_shape_operators(std::vector<Operator>& table);
void add_mask_operators(std::vector<Operator>& table);
void add_sketch_operators(std::vector<Operator>& table);
void add_land_operators(std::vector<Operator>& table);
void add_climate_operators(std::vector<Operator>& table);

}  // namespace thalweg::recipe
