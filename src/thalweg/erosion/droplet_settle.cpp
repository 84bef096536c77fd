#include "thalweg/erosion/droplet_settle.h"

#include <algorithm>
#include <cstring>

#include "thalweg/erosion/droplets.h"

namespace thalweg::erosion {
namespace {

constexpr int kBlockWidth = 256;
constexpr int kBlockHeight = 64;

float to_metres(std::int64_t units) {
  return static_cast<float>(static_cast<double>(units) / kUnitsPerMetre);
}

// Splits values into quotients by S = radius + 1 squared and what is left. The quotient may be a little low (never
// high); the rest then is larger, and nothing is lost.
class Divider {
 public:
  explicit Divider(int radius)
      : sum_(std::int64_t{radius + 1} * (radius + 1)),
        inverse_((std::uint64_t{1} << 32) / static_cast<std::uint64_t>(sum_)) {}
  std::int64_t quotient(std::int64_t v) const {
    const auto u = static_cast<std::uint64_t>(v);
    return static_cast<std::int64_t>((u >> 32) * inverse_ + ((u & 0xFFFFFFFFU) * inverse_ >> 32));
  }
  std::int64_t rest(std::int64_t v, std::int64_t q) const { return v - q * sum_; }

 private:
  std::int64_t sum_;
  std::uint64_t inverse_;
};

// tent(t) = sum of (radius + 1 - |i|) * quotient(t + i), plus the rest of t: out[0, count). `in` points at the first
// cell of out and must be readable from -radius to count + radius.
void tent_row(const std::int64_t* in, int count, int radius, std::vector<std::int64_t>& quotients, std::int64_t* out) {
  const Divider divider(radius);
  // Zeroes before the readable part let the running sums start empty.
  const int lead = 2 * radius + 2;
  quotients.assign(static_cast<std::size_t>(lead + radius + count + radius + 1), 0);
  std::int64_t* q = quotients.data() + lead + radius;
  for (int i = -radius; i < count + radius; ++i) q[i] = divider.quotient(in[i]);
  std::int64_t ahead = 0;   // sum of q[t .. t + radius]
  std::int64_t behind = 0;  // sum of q[t - radius - 1 .. t - 1]
  std::int64_t sum = 0;
  for (int t = -2 * radius; t < count; ++t) {
    ahead += q[t + radius] - q[t - 1];
    behind += q[t - 1] - q[t - radius - 2];
    sum += ahead - behind;
    if (t >= 0) out[t] = sum + divider.rest(in[t], q[t]);
  }
}

// The same down the columns of `rows` (width x (count + 2 radius) cells, in place of `in` above), all columns at once.
void tent_columns(std::vector<std::int64_t>& rows, int width, int count, int radius, std::vector<std::int64_t>& out) {
  const Divider divider(radius);
  const std::size_t w = static_cast<std::size_t>(width);
  std::vector<std::int64_t> sums(3 * w, 0);
  std::int64_t* ahead = sums.data();
  std::int64_t* behind = ahead + w;
  std::int64_t* sum = behind + w;
  const std::vector<std::int64_t> zero(w, 0);
  for (int t = 0; t < count; ++t)  // the rests, before quotients replace the values
    for (int x = 0; x < width; ++x) {
      const std::int64_t v = rows[(t + radius) * w + x];
      out[t * w + x] = divider.rest(v, divider.quotient(v));
    }
  for (std::int64_t& v : rows) v = divider.quotient(v);
  const auto row = [&](int t) { return t < -radius ? zero.data() : rows.data() + (t + radius) * w; };
  for (int t = -2 * radius; t < count; ++t) {
    const std::int64_t* enters = row(t + radius);
    const std::int64_t* passes = row(t - 1);
    const std::int64_t* leaves = row(t - radius - 2);
    for (int x = 0; x < width; ++x) {
      ahead[x] += enters[x] - passes[x];
      behind[x] += passes[x] - leaves[x];
      sum[x] += ahead[x] - behind[x];
    }
    if (t >= 0)
      for (int x = 0; x < width; ++x) out[t * w + x] += sum[x];
  }
}

bool all_zero(GridView<const std::int64_t> source, int x0, int y0, int x1, int y1) {
  for (int y = std::max(y0, 0); y < std::min(y1, source.height()); ++y) {
    const std::int64_t* row = source.row(y);
    std::int64_t any = 0;
    for (int x = std::max(x0, 0); x < std::min(x1, source.width()); ++x) any |= row[x];
    if (any != 0) return false;
  }
  return true;
}

std::size_t blocks_across(int width) {
  return static_cast<std::size_t>((width + kBlockWidth - 1) / kBlockWidth);
}

std::size_t block_count(int width, int height) {
  return blocks_across(width) * static_cast<std::size_t>((height + kBlockHeight - 1) / kBlockHeight);
}

std::size_t block_index(int width, int x0, int y0) {
  return static_cast<std::size_t>(y0 / kBlockHeight) * blocks_across(width) +
         static_cast<std::size_t>(x0 / kBlockWidth);
}

// Calls body(x0, y0, x1, y1) for blocks that cover the grid.
template <class Body>
void parallel_blocks(const Exec& exec, int width, int height, Body&& body) {
  const int across = (width + kBlockWidth - 1) / kBlockWidth;
  const std::int64_t blocks = std::int64_t{across} * ((height + kBlockHeight - 1) / kBlockHeight);
  parallel_for(exec, 0, blocks, 1, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) {
      const int x0 = static_cast<int>(i % across) * kBlockWidth;
      const int y0 = static_cast<int>(i / across) * kBlockHeight;
      body(x0, y0, std::min(x0 + kBlockWidth, width), std::min(y0 + kBlockHeight, height));
    }
  });
}

// Deposits at the width of the reference step.
void widen_deposits(const DropletPlan& plan, DropletState& state, const Exec& exec) {
  parallel_blocks(exec, state.ground.width(), state.ground.height(), [&](int x0, int y0, int x1, int y1) {
    std::vector<std::int64_t> out;
    const bool any = tent(state.deposit, plan.deposit_x, plan.deposit_y, x0, y0, x1, y1, out);
    const std::size_t bytes = static_cast<std::size_t>(x1 - x0) * sizeof(std::int64_t);
    for (int y = y0; y < y1; ++y) {
      std::int64_t* to = state.widened.row(y) + x0;
      if (any) {
        std::memcpy(to, out.data() + static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(x1 - x0), bytes);
      } else {
        std::memset(to, 0, bytes);
      }
    }
  });
}

// Deposits lie only where the plan's margin keeps the 8 neighbours inside the grid and off NoData.
void clamp_deposits(Grid<std::int64_t>& deposit, DropletState& state, const Exec& exec) {
  const int width = state.ground.width();
  parallel_rows(exec, width, state.ground.height(), [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y) {
      std::int64_t* row = deposit.row(y);
      for (int x = 0; x < width; ++x) {
        if (row[x] == 0) continue;
        const std::int64_t* g = state.ground.row(y) + x;
        const std::int64_t highest =
            std::max({g[-width - 1], g[-width], g[-width + 1], g[-1], g[1], g[width - 1], g[width], g[width + 1]});
        const std::int64_t room = std::max<std::int64_t>(0, (highest - g[0]) >> 1);
        if (row[x] <= room) continue;
        state.spread(x, y) += row[x] - room;
        row[x] = room;
      }
    }
  });
}

// Returns which blocks were worn.
std::vector<std::uint8_t> apply(const DropletPlan& plan, const Grid<std::int64_t>& deposit, DropletState& state,
                                const Exec& exec) {
  const int width = state.ground.width();
  std::vector<std::uint8_t> worn_blocks(block_count(width, state.ground.height()), 0);
  parallel_blocks(exec, width, state.ground.height(), [&](int x0, int y0, int x1, int y1) {
    std::uint8_t any_dug = 0;
    std::vector<std::int64_t> worn;
    std::vector<std::int64_t> laid;
    const bool any_worn = tent(state.wear, plan.brush_x, plan.brush_y, x0, y0, x1, y1, worn);
    const bool any_laid = tent(state.spread, plan.brush_x, plan.brush_y, x0, y0, x1, y1, laid);
    std::size_t i = 0;
    for (int y = y0; y < y1; ++y) {
      std::int64_t* ground = state.ground.row(y);
      const std::int64_t* filled = deposit.row(y);
      float* seen = state.seen_m.row(y);
      std::uint8_t* dug = state.dug.row(y);
      std::int64_t* sum = state.wear_sum.empty() ? nullptr : state.wear_sum.row(y);
      for (int x = x0; x < x1; ++x, ++i) {
        const std::int64_t down = any_worn ? worn[i] : 0;
        ground[x] += filled[x] + (any_laid ? laid[i] : 0) - down;
        if (sum != nullptr) sum[x] += down;
        dug[x] = down > 0 ? 1 : 0;
        any_dug |= dug[x];
        if (seen[x] == seen[x]) seen[x] = to_metres(ground[x]);
      }
    }
    worn_blocks[block_index(width, x0, y0)] = any_dug;
  });
  return worn_blocks;
}

struct Pit {
  int x;
  int y;
  std::int64_t from_each;  ///< units that each of the 8 neighbours gives
};

// Marks the cells [x0, x1) of a row that were worn and lie below all 8 neighbours; never beside NaN. Bitwise and, so
// that the loop is vectors.
void mark_pits(const DropletState& state, int x0, int x1, int y, int* pit) {
  const float* n = state.seen_m.row(y - 1);
  const float* h = state.seen_m.row(y);
  const float* s = state.seen_m.row(y + 1);
  const std::uint8_t* dug = state.dug.row(y);
  for (int x = x0; x < x1; ++x) {
    const float v = h[x];
    const int lowest = static_cast<int>(v < n[x - 1]) & static_cast<int>(v < n[x]) & static_cast<int>(v < n[x + 1]) &
                       static_cast<int>(v < h[x - 1]) & static_cast<int>(v < h[x + 1]) &
                       static_cast<int>(v < s[x - 1]) & static_cast<int>(v < s[x]) & static_cast<int>(v < s[x + 1]);
    pit[x - x0] = dug[x] & lowest;
  }
}

// A ninth of the gap from each neighbour closes it: they sink by one ninth, the pit rises by eight.
void find_pits(const DropletPlan& plan, const DropletState& state, int x0, int x1, int y, std::vector<Pit>& found) {
  const int width = state.ground.width();
  int pit[kBlockWidth];
  mark_pits(state, x0, x1, y, pit);
  for (int x = x0; x < x1; ++x) {
    if (pit[x - x0] == 0) continue;
    const std::int64_t* g = state.ground.row(y) + x;
    const std::int64_t lowest =
        std::min({g[-width - 1], g[-width], g[-width + 1], g[-1], g[1], g[width - 1], g[width], g[width + 1]});
    std::int64_t from_each = std::clamp<std::int64_t>((lowest - g[0]) / 9, 0, plan.max_move);
    if (!state.guard.empty())
      from_each = static_cast<std::int64_t>(static_cast<double>(from_each) * static_cast<double>(state.guard(x, y)));
    if (from_each > 0) found.push_back({x, y, from_each});
  }
}

// All pits are found on the same ground before any is levelled, and what they take adds up: no order shows. They are
// few; levelling them needs no threads.
std::int64_t level_pits(const DropletPlan& plan, const std::vector<std::uint8_t>& worn_blocks, DropletState& state,
                        const Exec& exec) {
  const int width = state.ground.width();
  const int height = state.ground.height();
  std::vector<std::vector<Pit>> blocks(block_count(width, height));
  parallel_blocks(exec, width, height, [&](int x0, int y0, int x1, int y1) {
    const std::size_t block = block_index(width, x0, y0);
    if (worn_blocks[block] == 0) return;
    for (int y = std::max(y0, 1); y < std::min(y1, height - 1); ++y)
      find_pits(plan, state, std::max(x0, 1), std::min(x1, width - 1), y, blocks[block]);
  });
  std::int64_t moved = 0;
  for (const std::vector<Pit>& block : blocks)
    for (const Pit& pit : block) {
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
          state.ground(pit.x + u, pit.y + v) -= pit.from_each;
          if (!state.wear_sum.empty() && (u != 0 || v != 0)) state.wear_sum(pit.x + u, pit.y + v) += pit.from_each;
        }
      state.ground(pit.x, pit.y) += 9 * pit.from_each;
      moved += 8 * pit.from_each;
    }
  for (const std::vector<Pit>& block : blocks)
    for (const Pit& pit : block)
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
          state.seen_m(pit.x + u, pit.y + v) = to_metres(state.ground(pit.x + u, pit.y + v));
  return moved;
}

void clear(DropletState& state, const Exec& exec) {
  const int width = state.ground.width();
  const std::size_t bytes = static_cast<std::size_t>(width) * sizeof(std::int64_t);
  parallel_rows(exec, width, state.ground.height(), [&](int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      for (Grid<std::int64_t>* grid : {&state.wear, &state.deposit, &state.spread}) std::memset(grid->row(y), 0, bytes);
  });
}

}  // namespace

bool tent(GridView<const std::int64_t> source, int radius_x, int radius_y, int x0, int y0, int x1, int y1,
          std::vector<std::int64_t>& out) {
  if (all_zero(source, x0 - radius_x, y0 - radius_y, x1 + radius_x, y1 + radius_y)) return false;
  const int width = x1 - x0;
  const int height = y1 - y0;
  const int from = std::max(x0 - radius_x, 0);
  const int to = std::min(x1 + radius_x, source.width());
  const std::size_t w = static_cast<std::size_t>(width);
  std::vector<std::int64_t> rows(w * static_cast<std::size_t>(height + 2 * radius_y), 0);
  std::vector<std::int64_t> padded(w + 2 * static_cast<std::size_t>(radius_x), 0);
  std::vector<std::int64_t> quotients;
  for (int y = std::max(y0 - radius_y, 0); y < std::min(y1 + radius_y, source.height()); ++y) {
    std::copy(source.row(y) + from, source.row(y) + to, padded.data() + (from - (x0 - radius_x)));
    tent_row(padded.data() + radius_x, width, radius_x, quotients,
             rows.data() + w * static_cast<std::size_t>(y - (y0 - radius_y)));
  }
  out.assign(w * static_cast<std::size_t>(height), 0);
  tent_columns(rows, width, height, radius_y, out);
  return true;
}

std::int64_t settle(const DropletPlan& plan, DropletState& state, const Exec& exec) {
  const bool wide = !state.widened.empty();
  if (wide) widen_deposits(plan, state, exec);
  Grid<std::int64_t>& deposit = wide ? state.widened : state.deposit;
  clamp_deposits(deposit, state, exec);
  const std::vector<std::uint8_t> worn_blocks = apply(plan, deposit, state, exec);
  const std::int64_t levelled = level_pits(plan, worn_blocks, state, exec);
  clear(state, exec);
  return levelled;
}

}  // namespace thalweg::erosion
