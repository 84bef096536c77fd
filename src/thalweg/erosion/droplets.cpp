#include "thalweg/erosion/droplets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "thalweg/core/exact_math.h"
#include "thalweg/erosion/droplet_guard.h"
#include "thalweg/erosion/droplet_plan.h"
#include "thalweg/erosion/droplet_settle.h"
#include "thalweg/erosion/droplet_starts.h"
#include "thalweg/erosion/droplet_walk.h"

namespace thalweg::erosion {
namespace {

bool in_range(float height_m) {
  return std::fabs(static_cast<double>(height_m)) <= kMaxHeightM;
}

std::int64_t to_units(float height_m) {
  return exact::round_to_int(static_cast<double>(height_m) * kUnitsPerMetre);
}

float to_metres(std::int64_t units) {
  return static_cast<float>(static_cast<double>(units) / kUnitsPerMetre);
}

// Fills ground and seen_m; true where some cell is no ground.
bool load_ground(GridView<const float> height, DropletState& state, const Exec& exec) {
  std::vector<std::uint8_t> holes(static_cast<std::size_t>(height.height()), 0);
  parallel_rows(exec, height.width(), height.height(), [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y) {
      const float* from = height.row(y);
      std::int64_t* ground = state.ground.row(y);
      float* seen = state.seen_m.row(y);
      for (int x = 0; x < height.width(); ++x) {
        const bool valid = in_range(from[x]);
        ground[x] = valid ? to_units(from[x]) : 0;
        seen[x] = valid ? to_metres(ground[x]) : kNoData<float>;
        if (!valid) holes[static_cast<std::size_t>(y)] = 1;
      }
    }
  });
  return std::find(holes.begin(), holes.end(), 1) != holes.end();
}

// Blinds droplets within `margin` of the edge.
void block_edges(GridView<float> seen, int margin) {
  for (int y = 0; y < seen.height(); ++y) {
    const bool whole = y < margin || y >= seen.height() - margin;
    for (int x = 0; x < seen.width(); ++x)
      if (whole || x < margin || x >= seen.width() - margin) seen(x, y) = kNoData<float>;
  }
}

// Blinds droplets within `margin` (in both axes) of NoData.
void block_holes(GridView<float> seen, int margin, const Exec& exec) {
  const int width = seen.width();
  const int height = seen.height();
  Grid<std::uint8_t> near(width, height);  // NoData within margin along the row
  parallel_rows(exec, width, height, [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y) {
      const float* row = seen.row(y);
      for (int x = 0; x < width; ++x)
        if (is_nodata(row[x]))
          std::fill(near.row(y) + std::max(0, x - margin), near.row(y) + std::min(width, x + margin + 1), 1);
    }
  });
  parallel_rows(exec, width, height, [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      for (int other = std::max(0, y - margin); other < std::min(height, y + margin + 1); ++other)
        for (int x = 0; x < width; ++x)
          if (near(x, other) != 0) seen(x, y) = kNoData<float>;
  });
}

// Droplets live in the tile they started in. Tiles of one of four colours lie so far apart that no two of their
// droplets touch a common cell, so they run at once without atomics. Colours are for speed: sums of integers have no
// order.
struct Tiles {
  Tiles(const DropletPlan& plan, int width, int height) : side(std::max(64, 2 * plan.steps + 4)) {
    across = (width + side - 1) / side;
    down = (height + side - 1) / side;
    droplets.resize(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
    ledgers.resize(droplets.size());
  }
  template <class Body>
  void each(const Exec& exec, Body&& body) {
    for (int colour = 0; colour < 4; ++colour) {
      std::vector<std::int64_t> same;
      for (int ty = colour >> 1; ty < down; ty += 2)
        for (int tx = colour & 1; tx < across; tx += 2) same.push_back(std::int64_t{ty} * across + tx);
      parallel_for(exec, 0, static_cast<std::int64_t>(same.size()), 1, [&](std::int64_t b, std::int64_t e) {
        for (std::int64_t i = b; i < e; ++i) body(same[static_cast<std::size_t>(i)]);
      });
    }
  }
  int side;
  int across = 0;
  int down = 0;
  std::vector<std::vector<Droplet>> droplets;
  std::vector<Ledger> ledgers;
};

class Run {
 public:
  Run(const DropletPlan& plan, std::uint64_t seed, const GridSpec& spec, double sea_level_m, DropletState& state,
      const Exec& exec)
      : plan_(plan),
        seed_(seed),
        spec_(spec),
        state_(state),
        exec_(exec),
        tiles_(plan, state.ground.width(), state.ground.height()) {
    ground_ = {state.seen_m.data(),
               state.wear.data(),
               state.deposit.data(),
               state.spread.data(),
               state.ground.width(),
               static_cast<float>(sea_level_m),
               state.guard.empty() ? nullptr : state.guard.data()};
  }

  Ledger all() {
    const int subs = (plan_.steps + plan_.sub_steps - 1) / plan_.sub_steps;
    std::int64_t levelled = 0;
    for (int generation = 0; generation < plan_.generations; ++generation)
      for (int sub = 0; sub < subs; ++sub) {
        if (exec_.cancelled()) return {};
        tiles_.each(exec_, [&](std::int64_t tile) {
          if (sub == 0) begin(tile, generation);
          walk_tile(tile);
        });
        levelled += settle(plan_, state_, exec_);
        exec_.progress((generation + (sub + 1.0) / subs) / plan_.generations);
      }
    Ledger sum{levelled, levelled, 0};
    for (const Ledger& l : tiles_.ledgers) {
      sum.eroded += l.eroded;
      sum.deposited += l.deposited;
      sum.exported += l.exported;
    }
    return sum;
  }

 private:
  void begin(std::int64_t tile, int generation) {
    std::vector<Droplet>& list = tiles_.droplets[static_cast<std::size_t>(tile)];
    list.clear();
    const int x0 = static_cast<int>(tile % tiles_.across) * tiles_.side;
    const int y0 = static_cast<int>(tile / tiles_.across) * tiles_.side;
    const int x1 = std::min(x0 + tiles_.side, state_.ground.width());
    const int y1 = std::min(y0 + tiles_.side, state_.ground.height());
    for (int y = y0; y < y1; ++y) {
      const DropletStarts starts(seed_, spec_, plan_, y);
      const float* seen = state_.seen_m.row(y);
      for (int x = x0; x < x1; ++x) {
        if (is_nodata(seen[x]) || seen[x] <= ground_.sea_level_m) continue;
        starts.each(x, [&](int its_generation, float fx, float fy) {
          if (its_generation != generation) return;
          Droplet d;
          d.x = x;
          d.y = y;
          d.fx = fx;
          d.fy = fy;
          d.steps_left = plan_.steps;
          list.push_back(d);
        });
      }
    }
  }

  void walk_tile(std::int64_t tile) {
    std::vector<Droplet>& list = tiles_.droplets[static_cast<std::size_t>(tile)];
    Ledger ledger = tiles_.ledgers[static_cast<std::size_t>(tile)];
    std::size_t living = 0;
    for (Droplet d : list)
      if (walk(plan_, ground_, d, plan_.sub_steps, ledger)) list[living++] = d;
    list.resize(living);
    tiles_.ledgers[static_cast<std::size_t>(tile)] = ledger;
  }

  const DropletPlan& plan_;
  std::uint64_t seed_;
  const GridSpec& spec_;
  DropletState& state_;
  const Exec& exec_;
  Tiles tiles_;
  DropletGround ground_;
};

void copy_unchanged(GridView<const float> height, GridView<float> out, GridView<float> wear_m,
                    GridView<float> deposit_m) {
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x) {
      out(x, y) = height(x, y);
      if (!wear_m.empty()) wear_m(x, y) = 0;
      if (!deposit_m.empty()) deposit_m(x, y) = 0;
    }
}

void store(const DropletState& state, GridView<const float> height, GridView<float> out, GridView<float> wear_m,
           GridView<float> deposit_m, const Exec& exec) {
  parallel_rows(exec, height.width(), height.height(), [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      for (int x = 0; x < height.width(); ++x) {
        const float before_m = height(x, y);
        const std::int64_t before = in_range(before_m) ? to_units(before_m) : 0;
        const std::int64_t after = state.ground(x, y);
        out(x, y) = before == after ? before_m : to_metres(after);
        if (state.wear_sum.empty()) continue;
        const std::int64_t worn = state.wear_sum(x, y);
        if (!wear_m.empty()) wear_m(x, y) = to_metres(worn);
        if (!deposit_m.empty()) deposit_m(x, y) = to_metres(worn - (before - after));
      }
  });
}

}  // namespace

Status check_droplet_input(GridView<const float> height) {
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x)
      if (!is_nodata(height(x, y)) && !in_range(height(x, y)))
        return input_error("height at column " + std::to_string(x) + ", row " + std::to_string(y) +
                           " must lie within " + format_number(kMaxHeightM) + " m of zero");
  return {};
}

Ledger droplets(const DropletParams& params, std::uint64_t seed, const GridSpec& spec, double sea_level_m,
                GridView<const float> height, GridView<float> out, GridView<float> wear_m, GridView<float> deposit_m,
                const Exec& exec, GridView<const float> protect) {
  const Result<DropletPlan> plan = plan_droplets(params, spec.cell_m, spec.cell_y_m);
  if (!plan || plan->generations == 0 || height.empty()) {
    copy_unchanged(height, out, wear_m, deposit_m);
    return {};
  }
  const int w = height.width();
  const int h = height.height();
  DropletState state{{w, h}, {w, h}, {w, h}, {w, h}, {w, h}, {w, h}, {}, {}, {}};
  if (!wear_m.empty() || !deposit_m.empty()) state.wear_sum = Grid<std::int64_t>(w, h);
  if (plan->deposit_x > 0 || plan->deposit_y > 0) state.widened = Grid<std::int64_t>(w, h);
  if (!protect.empty()) state.guard = guard_of(*plan, protect, exec);
  const bool holes = load_ground(height, state, exec);
  if (holes) block_holes(state.seen_m, plan->margin, exec);
  block_edges(state.seen_m, plan->margin);

  const Ledger ledger = Run(*plan, seed, spec, sea_level_m, state, exec).all();
  store(state, height, out, wear_m, deposit_m, exec);
  return ledger;
}

}  // namespace thalweg::erosion
