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

void lay_down_all(const DropletGround& ground, const Droplet& d, Ledger& ledger) {
  if (d.load == 0) return;
  add_shares(ground.spread + d.y * ground.stride + d.x, ground.stride, d.fx, d.fy, d.load);
  ledger.deposited += d.load;
}

// To the next cell and fraction. A tiny negative fraction can round to exactly 1 when a cell is added to it.
void advance(std::int32_t& cell, float& fraction, float step) {
  float moved = fraction + step;
  if (moved >= 1.0F) {
    moved -= 1.0F;
    ++cell;
  } else if (moved < 0.0F) {
    moved += 1.0F;
    --cell;
    if (moved >= 1.0F) {
      moved = 0.0F;
      ++cell;
    }
  }
  fraction = moved;
}

// What one step takes from (positive) or gives to (negative) the ground it leaves.
std::int64_t exchange(const DropletPlan& plan, const Droplet& d, float drop_m, float speed) {
  const auto load = static_cast<float>(d.load);
  const auto most = static_cast<float>(plan.max_move);
  if (drop_m < 0.0F) {  // upward: fill the hollow, never above the way out
    const float fill = std::min(-drop_m * plan.fill_units_per_m, most);
    return -std::min(static_cast<std::int64_t>(fill), d.load);
  }
  const float capacity = std::max(drop_m, plan.min_drop_m) * plan.capacity_units * speed * d.water;
  if (load > capacity) {
    const float surplus = std::min((load - capacity) * plan.deposit_share, most);
    return -std::min(static_cast<std::int64_t>(surplus), d.load);
  }
  const float taken = std::min({(capacity - load) * plan.erode_share, drop_m * plan.dig_units_per_m, most});
  return std::min(static_cast<std::int64_t>(taken), plan.max_load - d.load);
}

}  // namespace

bool walk(const DropletPlan& plan, const DropletGround& ground, Droplet& d, int steps, Ledger& ledger) {
  const std::ptrdiff_t stride = ground.stride;
  Surface here = look(plan, ground.height_m + d.y * stride + d.x, stride, d.fx, d.fy);
  if (!(here.height_m == here.height_m)) {
    ledger.exported += d.load;
    return false;
  }
  if (here.height_m <= ground.sea_level_m) {
    lay_down_all(ground, d, ledger);
    return false;
  }
  for (int step = std::min(steps, d.steps_left); step > 0; --step) {
    const float to_x = d.course_x * plan.inertia - here.slope_x * plan.turn;
    const float to_y = d.course_y * plan.inertia - here.slope_y * plan.turn;
    const float length2 = to_x * to_x + to_y * to_y;
    if (!(length2 > 1e-24F)) break;  // flat, and no course to keep
    const float length = std::sqrt(length2);
    d.course_x = to_x / length;
    d.course_y = to_y / length;

    Droplet next = d;
    advance(next.x, next.fx, d.course_x * plan.step_x);
    advance(next.y, next.fy, d.course_y * plan.step_y);
    const Surface there = look(plan, ground.height_m + next.y * stride + next.x, stride, next.fx, next.fy);
    if (!(there.height_m == there.height_m)) {
      ledger.exported += d.load;
      return false;
    }
    const float drop_m = here.height_m - there.height_m;
    next.speed2 = std::max(0.0F, d.speed2 + drop_m * plan.speed2_per_m);
    const std::int64_t units = exchange(plan, d, drop_m, std::sqrt(next.speed2));
    const std::ptrdiff_t at = d.y * stride + d.x;
    if (units > 0) {
      add_shares(ground.wear + at, stride, d.fx, d.fy, units);
      ledger.eroded += units;
    } else if (units < 0) {
      add_shares(ground.deposit + at, stride, d.fx, d.fy, -units);
      ledger.deposited -= units;
    }
    next.load = d.load + units;
    next.water = d.water * plan.water_keep;
    --next.steps_left;
    d = next;
    here = there;
    if (here.height_m <= ground.sea_level_m) {
      lay_down_all(ground, d, ledger);
      return false;
    }
    if (step == 1 && d.steps_left > 0) return true;
  }
  lay_down_all(ground, d, ledger);
  return false;
}

}  // namespace thalweg::erosion
