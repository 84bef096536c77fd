#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "thalweg/core/random.h"
#include "thalweg/erosion/droplet_plan.h"
#include "thalweg/erosion/droplet_settle.h"
#include "thalweg/erosion/droplet_walk.h"

namespace thalweg::erosion {
namespace {

std::vector<std::int64_t> whole_tent(const Grid<std::int64_t>& in, int rx, int ry) {
  std::vector<std::int64_t> out;
  if (!tent(in, rx, ry, 0, 0, in.width(), in.height(), out)) out.assign(static_cast<std::size_t>(in.cells()), 0);
  return out;
}

TEST(Tent, HandWorked) {
  Grid<std::int64_t> in(5, 5);
  in(2, 2) = 16;
  const std::vector<std::int64_t> expected = {0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 2, 4,
                                              2, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(whole_tent(in, 1, 1), expected);
  EXPECT_EQ(whole_tent(in, 0, 0)[12], 16);
  // 5 = 4 + 1: the odd unit stays in its column, then 1, 3, 1 find no four to spread and stay in their row.
  in(2, 2) = 5;
  const std::vector<std::int64_t> small = whole_tent(in, 1, 1);
  EXPECT_EQ(small[11], 1);
  EXPECT_EQ(small[12], 3);
  EXPECT_EQ(small[13], 1);
}

TEST(Tent, ExactForMultiplesAndConservingForAll) {
  for (const int r : {0, 1, 2, 3, 4, 7, 16, 31, 63}) {
    const int n = 2 * r + 3;
    const std::int64_t sum = std::int64_t{r + 1} * (r + 1);
    Grid<std::int64_t> in(n, n);
    // Each amount: a multiple of all weights, then odd ones up to the largest a plan allows in a pass.
    for (const std::int64_t amount :
         {sum * sum * 1000, std::int64_t{1}, std::int64_t{1234567}, (std::int64_t{1} << 58) + 977}) {
      in(r + 1, r + 1) = amount;
      const std::vector<std::int64_t> out = whole_tent(in, r, r);
      std::int64_t total = 0;
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const std::int64_t v = out[static_cast<std::size_t>(y * n + x)];
          total += v;
          const double weight = std::max(0, r + 1 - std::abs(x - r - 1)) * std::max(0, r + 1 - std::abs(y - r - 1));
          const double share = weight / static_cast<double>(sum * sum);
          // A quotient is low by at most one, or by 2^-32 of the amount where that is more.
          const double tolerance = 4.0 * static_cast<double>(sum) * (2.0 + static_cast<double>(amount) * 0x1p-32);
          EXPECT_NEAR(static_cast<double>(v), static_cast<double>(amount) * share, tolerance);
          EXPECT_GE(v, 0);
        }
      EXPECT_EQ(total, amount) << "radius " << r;
    }
  }
}

TEST(Tent, BlocksEqualTheWhole) {
  Grid<std::int64_t> in(90, 70);
  for (std::int64_t i = 0; i < in.cells(); ++i)
    if (hash64(5, i) % 3 == 0) in[i] = static_cast<std::int64_t>(hash64(6, i) >> 30);
  for (const int r : {0, 1, 3, 5}) {
    const std::vector<std::int64_t> whole = whole_tent(in, r, r + 1);
    for (const auto& [x0, y0, x1, y1] : {std::array{0, 0, 17, 9}, {40, 30, 90, 70}, {13, 50, 60, 51}}) {
      std::vector<std::int64_t> part;
      ASSERT_TRUE(tent(in, r, r + 1, x0, y0, x1, y1, part));
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
          ASSERT_EQ(part[static_cast<std::size_t>((y - y0) * (x1 - x0) + x - x0)],
                    whole[static_cast<std::size_t>(y * 90 + x)]);
    }
  }
}

TEST(Settle, DepositsFillHalfTheGapAndTheRestIsSpread) {
  const Result<DropletPlan> plan = plan_droplets({}, 8, 8);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->brush_x, 3);
  Grid<std::int64_t> zero(20, 20);
  DropletState state{zero.clone(),
                     Grid<float>(20, 20),
                     zero.clone(),
                     zero.clone(),
                     zero.clone(),
                     Grid<std::uint8_t>(20, 20),
                     zero.clone(),
                     {},
                     {}};
  state.ground(9, 11) = 1000;             // highest neighbour of (10, 10)
  state.deposit(10, 10) = 500 + 256 * 3;  // half of 1000 stays, the rest goes through the brush
  state.deposit(14, 5) = 256;             // flat: all of it
  state.wear(5, 14) = 512;
  settle(*plan, state, Exec());
  EXPECT_EQ(state.ground(10, 10), 500 + 3 * 16);
  EXPECT_EQ(state.ground(11, 10), 3 * 12);
  EXPECT_EQ(state.ground(14, 5), 16);
  EXPECT_EQ(state.ground(17, 8), 1);
  EXPECT_EQ(state.ground(5, 14), -32);
  EXPECT_EQ(state.wear_sum(5, 14), 32);
  EXPECT_EQ(state.wear_sum(8, 17), 2);
  EXPECT_EQ(state.seen_m(5, 14), static_cast<float>(-32 / kUnitsPerMetre));
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < 400; ++i) {
    total += state.ground[i];
    EXPECT_EQ(state.deposit[i] | state.spread[i] | state.wear[i], 0);
  }
  EXPECT_EQ(total, 1000 + 500 + 256 * 3 + 256 - 512);
}

TEST(Settle, WornPitsAreLevelledAndOthersStay) {
  DropletParams params;
  params.brush_radius_m = 0;
  const Result<DropletPlan> plan = plan_droplets(params, 8, 8);
  ASSERT_TRUE(plan.ok());
  const Grid<std::int64_t> zero(20, 20);
  Grid<std::int64_t> ground(20, 20, 1000);
  ground(15, 5) = 100;  // as the noise made it
  DropletState state{
      ground.clone(), Grid<float>(20, 20), zero.clone(), zero.clone(), zero.clone(), {20, 20}, zero.clone(), {}, {}};
  state.seen_m(12, 16) = kNoData<float>;
  state.wear(5, 5) = 900;
  state.wear(7, 5) = 450;    // shares three neighbours with the first
  state.wear(11, 15) = 900;  // beside NoData
  EXPECT_EQ(settle(*plan, state, Exec()), 8 * 100 + 8 * 50);
  EXPECT_EQ(state.ground(5, 5), 900);
  EXPECT_EQ(state.ground(7, 5), 950);
  EXPECT_EQ(state.ground(4, 4), 900);
  EXPECT_EQ(state.ground(8, 6), 950);
  EXPECT_EQ(state.ground(6, 5), 850);
  EXPECT_EQ(state.seen_m(6, 5), static_cast<float>(850 / kUnitsPerMetre));
  EXPECT_EQ(state.wear_sum(6, 5), 150);
  EXPECT_EQ(state.wear_sum(5, 5), 900);
  EXPECT_EQ(state.ground(15, 5), 100);
  EXPECT_EQ(state.ground(14, 5), 1000);
  EXPECT_EQ(state.ground(11, 15), 100);
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < 400; ++i) total += state.ground[i];
  EXPECT_EQ(total, 400 * 1000 - 900 - 900 - 450 - 900);
}

struct WalkField {
  explicit WalkField(int w, int h) : seen(w, h), wear(w, h), deposit(w, h), spread(w, h) {}
  DropletGround ground() { return {seen.data(), wear.data(), deposit.data(), spread.data(), seen.width(), -1e9F}; }
  static std::int64_t sum(const Grid<std::int64_t>& g) {
    std::int64_t s = 0;
    for (std::int64_t i = 0; i < g.cells(); ++i) s += g[i];
    return s;
  }
  Grid<float> seen;
  Grid<std::int64_t> wear, deposit, spread;
};

TEST(Walk, OneDropletDownAPlane) {
  const DropletParams params;
  const Result<DropletPlan> plan = plan_droplets(params, 8, 8);
  ASSERT_TRUE(plan.ok());
  WalkField f(60, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 60; ++x) f.seen(x, y) = 300.0F - 2.0F * static_cast<float>(x);
  Droplet d;
  d.x = 4;
  d.y = 4;
  d.fx = 0.25F;
  d.fy = 0.5F;
  d.steps_left = plan->steps;
  Ledger ledger;
  EXPECT_TRUE(walk(*plan, f.ground(), d, 10, ledger));
  // Straight east, a cell a step (less 2^-20 of it).
  EXPECT_EQ(d.y, 4);
  EXPECT_EQ(d.fy, 0.5F);
  EXPECT_NEAR(d.x + static_cast<double>(d.fx), 14.25, 1e-4);
  EXPECT_EQ(d.steps_left, 20);
  double speed2 = 1, water = 1, load = 0;
  for (int i = 0; i < 10; ++i) {
    speed2 += params.gravity * 2 / 1000;
    const double capacity = 2 / std::sqrt(1 + 0.0625) * params.capacity * std::sqrt(speed2) * water;
    load += std::min((capacity - load) * params.erode_rate, 2.0);
    water *= 1 - params.evaporation;
  }
  EXPECT_NEAR(static_cast<double>(d.load) / kUnitsPerMetre, load, 1e-3);
  EXPECT_NEAR(static_cast<double>(d.speed2), speed2, 1e-3);
  EXPECT_EQ(ledger.eroded, d.load);
  EXPECT_EQ(WalkField::sum(f.wear), d.load);
  // A quarter of the first move went to the eastern column, half of it to each row.
  EXPECT_NEAR(static_cast<double>(f.wear(4, 4)) / static_cast<double>(f.wear(4, 5)), 1, 1e-4);
  EXPECT_FALSE(walk(*plan, f.ground(), d, 100, ledger));
  EXPECT_EQ(WalkField::sum(f.wear), ledger.eroded);
  EXPECT_EQ(WalkField::sum(f.deposit) + WalkField::sum(f.spread), ledger.deposited);
  EXPECT_EQ(ledger.balance(), 0);
  EXPECT_EQ(ledger.exported, 0);
  EXPECT_GT(WalkField::sum(f.spread), 0);
}

TEST(Walk, GravitySlowsUphillAndHollowsFillNoHigherThanTheWayOut) {
  const Result<DropletPlan> plan = plan_droplets({}, 8, 8);
  ASSERT_TRUE(plan.ok());
  WalkField f(30, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 30; ++x) f.seen(x, y) = static_cast<float>(x) * 0.5F;
  Droplet d;
  d.x = 10;
  d.y = 4;
  d.course_x = 1;  // comes from the west with momentum, up the slope
  d.load = std::int64_t{4} << 20;
  d.steps_left = 1;
  DropletPlan stubborn = *plan;
  stubborn.inertia = 1;
  stubborn.turn = 0;
  Ledger ledger;
  ledger.eroded = d.load;
  EXPECT_FALSE(walk(stubborn, f.ground(), d, 1, ledger));
  EXPECT_NEAR(static_cast<double>(d.speed2), 1 - 0.004 * 0.5, 1e-6);
  EXPECT_NEAR(static_cast<double>(WalkField::sum(f.deposit)) / kUnitsPerMetre, 0.5, 1e-4);
  EXPECT_EQ(ledger.balance(), 0);
}

TEST(Walk, LeavingExportsAndFlatGroundEnds) {
  const Result<DropletPlan> plan = plan_droplets({}, 8, 8);
  ASSERT_TRUE(plan.ok());
  WalkField f(20, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 20; ++x) f.seen(x, y) = x >= 8 ? kNoData<float> : -static_cast<float>(x);
  Droplet d;
  d.x = 4;
  d.y = 4;
  d.steps_left = 30;
  Ledger ledger;
  EXPECT_FALSE(walk(*plan, f.ground(), d, 30, ledger));
  EXPECT_GT(ledger.exported, 0);
  EXPECT_EQ(ledger.balance(), 0);
  f.seen.fill(5);
  Droplet still;
  still.x = still.y = 4;
  still.steps_left = 30;
  EXPECT_FALSE(walk(*plan, f.ground(), still, 30, ledger));
  EXPECT_EQ(still.x, 4);
}

TEST(Walk, TheSeaSplitsALoadExactly) {
  DropletParams params;
  WalkField f(20, 9);
  f.seen.fill(-2);
  DropletGround ground = f.ground();
  ground.sea_level_m = 0;
  for (const auto& [share, kept] : {std::pair{0.0, 0}, {0.25, 250}, {0.3, 300}, {1.0, 1001}}) {
    params.sea_deposit = share;
    const Result<DropletPlan> plan = plan_droplets(params, 8, 8);
    ASSERT_TRUE(plan.ok());
    Droplet d;
    d.x = d.y = 4;
    d.load = 1001;
    d.steps_left = 30;
    Ledger ledger;
    EXPECT_FALSE(walk(*plan, ground, d, 30, ledger));
    EXPECT_EQ(ledger.deposited, kept);
    EXPECT_EQ(ledger.exported, 1001 - kept);
    EXPECT_EQ(WalkField::sum(f.spread), kept);
    f.spread.fill(0);
  }
}

TEST(Plan, ScalesWithTheCell) {
  const DropletParams params;
  const Result<DropletPlan> at8 = plan_droplets(params, 8, 8);
  const Result<DropletPlan> at4 = plan_droplets(params, 4, 4);
  ASSERT_TRUE(at8.ok());
  ASSERT_TRUE(at4.ok());
  EXPECT_EQ(at8->generations, 4);
  EXPECT_EQ(at8->steps, 30);
  EXPECT_EQ(at8->sub_steps, 10);
  EXPECT_EQ(at8->brush_x, 3);
  EXPECT_EQ(at8->deposit_x, 0);
  EXPECT_EQ(at4->generations, 4);
  EXPECT_EQ(at4->steps, 60);
  EXPECT_EQ(at4->brush_x, 7);
  EXPECT_EQ(at4->deposit_x, 1);
  EXPECT_FLOAT_EQ(at8->erode_share, 0.3F);
  EXPECT_FLOAT_EQ((1 - at4->erode_share) * (1 - at4->erode_share), 0.7F);
  EXPECT_EQ(droplet_halo_cells(params, 8), 12 * (10 + 1 + 3 + 2) + 4 - 1);
}

}  // namespace
}  // namespace thalweg::erosion
