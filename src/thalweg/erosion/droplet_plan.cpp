#include "thalweg/erosion/droplet_plan.h"

#include <algorithm>
#include <cmath>

#include "thalweg/core/exact_math.h"

namespace thalweg::erosion {
namespace {

// Limits that the proof of no overflow, memory and patience ask for.
constexpr double kMaxSteps = 512;
constexpr double kMaxBrushCells = 64;
constexpr double kMaxReferenceCells = 32;
constexpr double kMaxPerCell = 1 << 20;
constexpr double kMaxPasses = 2048;

// Denser generations dig craters together; longer freezes do too (docs/droplets.md).
constexpr double kMaxPerReferenceSquare = 0.125;
constexpr double kSubGenerationSteps = 10;

// A cell gives to a pit beside it, and what is a pit depends on the cells beside that.
constexpr int kLevellerReach = 2;

int rounded(double v) {
  return static_cast<int>(exact::round_to_int(v));
}

Error too_much(const char* name, const char* what, double limit) {
  return input_error(std::string(name) + " must be at most " + format_number(limit) + " " + what +
                     " at this cell size");
}

Status check_sizes(const DropletParams& p, double step_m, double area_m2) {
  THALWEG_TRY(validate(p));
  if (!(step_m > 0) || !std::isfinite(area_m2)) return input_error("cells must have a positive, finite size");
  if (p.path_m / step_m > kMaxSteps) return too_much("path_m", "m", kMaxSteps * step_m);
  if (p.brush_radius_m / step_m > kMaxBrushCells) return too_much("brush_radius_m", "m", kMaxBrushCells * step_m);
  if (p.step_reference_m / step_m > kMaxReferenceCells)
    return too_much("step_reference_m", "m", kMaxReferenceCells * step_m);
  if (p.droplets_per_km2 * 1e-6 * area_m2 > kMaxPerCell)
    return too_much("droplets_per_km2", "per km2", kMaxPerCell * 1e6 / area_m2);
  return {};
}

void plan_schedule(const DropletParams& p, double step_m, double area_m2, DropletPlan& plan) {
  const double reference2 = p.step_reference_m * p.step_reference_m;
  plan.per_cell = p.droplets_per_km2 * 1e-6 * area_m2;
  plan.generations =
      static_cast<int>(std::min(1e6, std::ceil(p.droplets_per_km2 * 1e-6 * reference2 / kMaxPerReferenceSquare)));
  plan.steps = std::max(1, rounded(p.path_m / step_m));
  plan.sub_steps = std::clamp(rounded(kSubGenerationSteps * p.step_reference_m / step_m), 1, plan.steps);
}

void plan_brushes(const DropletParams& p, double cell_x_m, double cell_y_m, DropletPlan& plan) {
  const auto radius = [](double width_m, double cell) { return std::max(0, rounded(width_m / cell) - 1); };
  plan.brush_x = radius(p.brush_radius_m, cell_x_m);
  plan.brush_y = radius(p.brush_radius_m, cell_y_m);
  plan.deposit_x = radius(p.step_reference_m, cell_x_m);
  plan.deposit_y = radius(p.step_reference_m, cell_y_m);
  const int brush = std::max(plan.brush_x, plan.brush_y);
  const int deposit = std::max(plan.deposit_x, plan.deposit_y);
  plan.margin = deposit + std::max(1, brush);
  plan.pass_reach = plan.sub_steps + 1 + deposit + std::max(1, brush) + kLevellerReach;
}

void plan_physics(const DropletParams& p, double cell_x_m, double cell_y_m, double step_m, DropletPlan& plan) {
  const double ratio = step_m / p.step_reference_m;
  const double area = cell_x_m * cell_y_m;
  const double reference2 = p.step_reference_m * p.step_reference_m;
  // Just under one cell, so that rounding never makes it more.
  constexpr double kShort = 1 - 0x1p-20;
  plan.step_x = static_cast<float>(kShort * step_m / cell_x_m);
  plan.step_y = static_cast<float>(kShort * step_m / cell_y_m);
  plan.slope_x = static_cast<float>(1 / cell_x_m);
  plan.slope_y = static_cast<float>(1 / cell_y_m);
  plan.per_step_m = static_cast<float>(1 / step_m);
  plan.inertia = static_cast<float>(p.inertia);
  plan.turn = static_cast<float>((1 - p.inertia) * ratio);
  plan.capacity_units =
      static_cast<float>(p.capacity * reference2 * p.step_reference_m / area / step_m * kUnitsPerMetre);
  plan.min_drop_m = static_cast<float>(p.min_slope * step_m);
  plan.erode_share = static_cast<float>(1 - exact::pow(1 - p.erode_rate, ratio));
  plan.deposit_share = static_cast<float>(1 - exact::pow(1 - p.deposit_rate, ratio));
  plan.water_keep = static_cast<float>(exact::pow(1 - p.evaporation, ratio));
  plan.speed2_per_m = static_cast<float>(p.gravity * 1e-3);
  plan.sea_share = exact::round_to_int(p.sea_deposit * 65536);
  // The brush spreads a move over its own area; less than that would be dug deeper than the step falls.
  const double brush_area = (plan.brush_x + 1) * cell_x_m * (plan.brush_y + 1) * cell_y_m;
  plan.dig_units_per_m = static_cast<float>(std::min(reference2, brush_area) / area * kUnitsPerMetre);
  plan.fill_units_per_m = static_cast<float>(reference2 / area * kUnitsPerMetre);
}

// No more droplets than `around` can touch one cell in a pass, each at most once a step; three grids of impulses and
// the clamp's surplus make at most four such sums, the leveller at most eight moves more; the ground adds up all
// passes.
void plan_limits(DropletPlan& plan) {
  const double side = 2.0 * plan.sub_steps + 3;
  const double around = side * side * std::ceil(plan.per_cell);
  const double moves = (4 * around * plan.sub_steps + 8) * std::max(1, plan.passes());
  const double limit = std::min(0x1p30, 0x1p61 / std::max(1.0, moves));
  plan.max_move = static_cast<std::int64_t>(limit);
  plan.max_load = plan.max_move * plan.sub_steps;
}

}  // namespace

Result<DropletPlan> plan_droplets(const DropletParams& p, double cell_x_m, double cell_y_m) {
  const double step_m = std::min(cell_x_m, cell_y_m);
  const double area_m2 = cell_x_m * cell_y_m;
  THALWEG_TRY(check_sizes(p, step_m, area_m2));
  DropletPlan plan;
  plan_schedule(p, step_m, area_m2, plan);
  const int subs = (plan.steps + plan.sub_steps - 1) / plan.sub_steps;
  if (static_cast<double>(plan.generations) * subs > kMaxPasses) {
    const double reference2 = p.step_reference_m * p.step_reference_m;
    const double most = std::floor(kMaxPasses / subs) * kMaxPerReferenceSquare * 1e6 / reference2;
    return too_much("droplets_per_km2", "per km2 with this path_m and step_reference_m", most);
  }
  plan_brushes(p, cell_x_m, cell_y_m, plan);
  plan_physics(p, cell_x_m, cell_y_m, step_m, plan);
  plan_limits(plan);
  return plan;
}

Status check_droplet_params(const DropletParams& params, double cell_m) {
  const Result<DropletPlan> plan = plan_droplets(params, cell_m, cell_m);
  if (!plan) return plan.error();
  return {};
}

int droplet_halo_cells(const DropletParams& params, double cell_m) {
  const Result<DropletPlan> plan = plan_droplets(params, cell_m, cell_m);
  if (!plan) return 0;
  return plan->passes() * plan->pass_reach + plan->margin;
}

}  // namespace thalweg::erosion
