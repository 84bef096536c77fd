#include "thalweg/recipe/operators.h"

#include <algorithm>

#include "thalweg/recipe/op_row.h"

namespace thalweg::recipe {

std::string_view name_of(Reach reach) {
  switch (reach) {
    case Reach::point:
      return "point";
    case Reach::local:
      return "local";
    case Reach::global:
      return "global";
  }
  return "";
}

std::span<const Operator> operator_table() {
  static const std::vector<Operator> table = [] {
    std::vector<Operator> rows;
    add_noise_operators(rows);
    add_shape_operators(rows);
    add_mask_operators(rows);
    add_sketch_operators(rows);
    add_land_operators(rows);
    add_climate_operators(rows);
    std::sort(rows.begin(), rows.end(), [](const Operator& a, const Operator& b) { return a.name < b.name; });
    return rows;
  }();
  return table;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& op : operator_table())
    if (op.name == name) return &op;
  return nullptr;
}

}  // namespace thalweg::recipe
