#include "thalweg/erosion/droplet_walk.h"

#include <algorithm>
#include <cmath>

namespace thalweg::erosion {
namespace {

struct Surface {
  float height_m;  ///< NaN where a droplet must not be
  float slope_x;
  float slope_y;
};

Surface look(const DropletPlan& plan, const float* cell, std::ptrdiff_t stride, float fx, float fy) {
  const float nw = cell[0];
  const float ne = cell[1];
  const float sw = cell[stride];
  const float se = cell[stride + 1];
  const float north = ne - nw;
  const float south = se - sw;
  const float west = sw - nw;
  const float along_x = north + (south - north) * fy;
  const float along_y = west + (south - north) * fx;
  return {nw + along_x * fx + west * fy, along_x * plan.slope_x, along_y * plan.slope_y};
}

// Shares a move among the four cells around the droplet: rounded down, the rest to one, so that none is lost.
void add_shares(std::int64_t* cell, std::ptrdiff_t stride, float fx, float fy, std::int64_t units) {
  const auto wx = static_cast<std::int64_t>(fx * 256.0F);
  const auto wy = static_cast<std::int64_t>(fy * 256.0F);
  const std::int64_t south = units * wy >> 8;
  const std::int64_t north = units - south;
  const std::int64_t ne = north * wx >> 8;
  const std::int64_t se = south * wx >> 8;
  cell[0] += north - ne;
  cell[1] += ne;
  cell[stride] += south - se;
  cell[stride + 1] += se;
}

// What of a move the guard lets happen in the droplet's cell, rounded toward none. Exactly all of it where nothing is
// protected: loads and moves lie below 2^53.
std::int64_t let(const DropletGround& ground, const Droplet& d, std::int64_t units) {
  if (ground.guard == nullptr) return units;
  const float share = ground.guard[d.y * ground.stride + d.x];
  return static_cast<std::int64_t>(static_cast<double>(units) * static_cast<double>(share));
}

// By value, so that the walk can keep its droplet in registers. What would come to rest on protected land is taken
// away.
void lay_down_all(const DropletGround& ground, Droplet d, Ledger& ledger) {
  if (d.load == 0) return;
  const std::int64_t units = let(ground, d, d.load);
  add_shares(ground.spread + d.y * ground.stride + d.x, ground.stride, d.fx, d.fy, units);
  ledger.deposited += units;
  ledger.exported += d.load - units;
}

// To the next cell and fraction. A tiny negative fraction can round to exactly 1 when a cell is added to it: then the
// cell is the old one. No branches: which way droplets turn cannot be predicted.
void advance(std::int32_t& cell, float& fraction, float step) {
  float moved = fraction + step;
  const std::int32_t cells = (moved >= 1.0F ? 1 : 0) - (moved < 0.0F ? 1 : 0);
  moved -= static_cast<float>(cells);
  const std::int32_t rounded_up = moved >= 1.0F ? 1 : 0;
  fraction = moved - static_cast<float>(rounded_up);
  cell += cells + rounded_up;
}

// What one step takes from (positive) or gives to (negative) the ground it leaves.
std::int64_t exchange(const DropletPlan& plan, const Droplet& d, float drop_m, float speed) {
  // Sine, not tangent: on cliffs the carrying water moves with the slope, and crumbs would be torn out of them.
  const float rise = drop_m * plan.per_step_m;
  const float carried_m = std::max(drop_m / std::sqrt(1.0F + rise * rise), plan.min_drop_m);
  const float room = carried_m * plan.capacity_units * speed * d.water - static_cast<float>(d.load);
  const float taken = std::min(room * plan.erode_share, drop_m * plan.dig_units_per_m);
  float units = room < 0.0F ? room * plan.deposit_share : taken;
  units = drop_m < 0.0F ? drop_m * plan.fill_units_per_m : units;  // upward: fill the hollow
  const auto most = static_cast<float>(plan.max_move);
  const auto whole = static_cast<std::int64_t>(std::clamp(units, -most, most));
  return std::clamp(whole, -d.load, plan.max_load - d.load);
}

// Bends the course toward the steepest descent. False where it is flat and there is no course to keep.
bool turn(const DropletPlan& plan, const Surface& here, Droplet& d) {
  const float to_x = d.course_x * plan.inertia - here.slope_x * plan.turn;
  const float to_y = d.course_y * plan.inertia - here.slope_y * plan.turn;
  const float length2 = to_x * to_x + to_y * to_y;
  if (!(length2 > 1e-24F)) return false;
  const float scale = 1.0F / std::sqrt(length2);
  d.course_x = to_x * scale;
  d.course_y = to_y * scale;
  return true;
}

// Trades with the ground where the droplet still stands; speed and load become those after the step.
void trade(const DropletPlan& plan, const DropletGround& ground, float drop_m, Droplet& d, Ledger& moved) {
  d.speed2 = std::max(0.0F, d.speed2 + drop_m * plan.speed2_per_m);
  const std::int64_t units = let(ground, d, exchange(plan, d, drop_m, std::sqrt(d.speed2)));
  std::int64_t* impulses = units > 0 ? ground.wear : ground.deposit;
  add_shares(impulses + d.y * ground.stride + d.x, ground.stride, d.fx, d.fy, units > 0 ? units : -units);
  moved.eroded += std::max<std::int64_t>(units, 0);
  moved.deposited += std::max<std::int64_t>(-units, 0);
  d.load += units;
}

Surface look(const DropletPlan& plan, const DropletGround& ground, const Droplet& d) {
  return look(plan, ground.height_m + d.y * ground.stride + d.x, ground.stride, d.fx, d.fy);
}

bool is_off(const Surface& s) {
  return !(s.height_m == s.height_m);
}

}  // namespace

bool walk(const DropletPlan& plan, const DropletGround& ground, Droplet& droplet, int steps, Ledger& ledger) {
  Droplet d = droplet;  // own copies, so that the loop keeps them in registers
  Ledger moved;
  bool alive = true;
  Surface here = look(plan, ground, d);
  for (int left = std::min(steps, d.steps_left); alive; --left) {
    if (is_off(here) || here.height_m <= ground.sea_level_m || d.steps_left == 0) {
      alive = false;
      break;
    }
    if (left == 0) break;
    alive = turn(plan, here, d);
    if (!alive) break;
    Droplet next = d;
    advance(next.x, next.fx, d.course_x * plan.step_x);
    advance(next.y, next.fy, d.course_y * plan.step_y);
    const Surface there = look(plan, ground, next);
    if (!is_off(there)) trade(plan, ground, here.height_m - there.height_m, d, moved);
    d.x = next.x;
    d.y = next.y;
    d.fx = next.fx;
    d.fy = next.fy;
    d.water *= plan.water_keep;
    --d.steps_left;
    here = there;
  }
  if (is_off(here)) {
    moved.exported += d.load;
  } else if (here.height_m <= ground.sea_level_m) {
    const std::int64_t kept = d.load * plan.sea_share >> 16;
    moved.exported += d.load - kept;
    d.load = kept;
  }
  ledger.eroded += moved.eroded;
  ledger.deposited += moved.deposited;
  ledger.exported += moved.exported;
  if (!alive && !is_off(here)) lay_down_all(ground, d, ledger);
  droplet = d;
  return alive;
}

}  // namespace thalweg::erosion
