#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/exact_math.h"
#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/random.h"
#include "thalweg/core/simd.h"

namespace thalweg {
namespace {

TEST(Grid, ViewsAndClone) {
  Grid<float> g(5, 3);
  EXPECT_EQ(g(4, 2), 0.0F);
  g(1, 2) = 7.0F;
  EXPECT_EQ(g[11], 7.0F);
  GridView<const float> w = g.view().window(1, 1, 3, 2);
  EXPECT_EQ(w(0, 1), 7.0F);
  EXPECT_FALSE(w.contiguous());
  Grid<float> c = g.clone();
  c(1, 2) = 8.0F;
  EXPECT_EQ(g(1, 2), 7.0F);
  Grid<float> moved = std::move(g);
  EXPECT_TRUE(g.empty());  // NOLINT(bugprone-use-after-move): moved-from grids are documented as empty
  EXPECT_EQ(moved(1, 2), 7.0F);
}

TEST(Grid, LargeBlocksAreZeroed) {
  Grid<double> g(1500, 1500);
  double sum = 0;
  for (std::int64_t i = 0; i < g.cells(); ++i) sum += g[i];
  EXPECT_EQ(sum, 0.0);
}

TEST(Exec, EveryTaskOnceOnEveryBackend) {
  for (const TaskBackend backend : {TaskBackend::serial, TaskBackend::threads, TaskBackend::automatic}) {
    for (const int threads : {1, 2, 7}) {
      const Exec exec(threads, backend);
      std::vector<std::atomic<int>> seen(1000);
      for (int round = 0; round < 20; ++round)
        parallel_for(exec, 0, 1000, 3, [&](std::int64_t b, std::int64_t e) {
          for (std::int64_t i = b; i < e; ++i) seen[static_cast<std::size_t>(i)].fetch_add(1);
        });
      for (const auto& s : seen) EXPECT_EQ(s.load(), 20);
    }
  }
}

TEST(Exec, NestedLoopsFinishAndExceptionsArrive) {
  for (const TaskBackend backend : {TaskBackend::threads, TaskBackend::automatic}) {
    const Exec exec(3, backend);
    std::atomic<int> count{0};
    parallel_for(exec, 0, 8, 1, [&](std::int64_t, std::int64_t) {
      parallel_for(exec, 0, 8, 1, [&](std::int64_t, std::int64_t) { ++count; });
    });
    EXPECT_EQ(count.load(), 64);
    EXPECT_THROW(parallel_for(exec, 0, 100, 1,
                              [](std::int64_t b, std::int64_t) {
                                if (b == 50) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
  }
}

TEST(Exec, CancelStopsAndProgressNests) {
  volatile int flag = 1;
  int calls = 0;
  parallel_for(Exec().with_cancel(&flag), 0, 10, 1, [&](std::int64_t, std::int64_t) { ++calls; });
  EXPECT_EQ(calls, 0);
  double seen = -1;
  const Exec exec = Exec().with_progress([&](double f) { seen = f; });
  exec.part(0.5, 1.0).part(0.0, 0.5).progress(1.0);
  EXPECT_DOUBLE_EQ(seen, 0.75);
}

TEST(Random, MulberryMatchesTheSequentialGenerator) {
  std::uint32_t state = 12345;
  for (std::uint32_t i = 0; i < 1000; ++i) {  // the published sequential form
    state += 0x6D2B79F5U;
    std::uint32_t z = state;
    z = (z ^ (z >> 15)) * (z | 1U);
    z ^= z + (z ^ (z >> 7)) * (z | 61U);
    EXPECT_EQ(mulberry32(12345, i), z ^ (z >> 14));
  }
}

TEST(Random, HashDependsOnEveryArgument) {
  const std::uint64_t h = hash64(1, 2, 3, 4);
  EXPECT_NE(h, hash64(2, 2, 3, 4));
  EXPECT_NE(h, hash64(1, 3, 3, 4));
  EXPECT_NE(h, hash64(1, 2, 4, 4));
  EXPECT_NE(h, hash64(1, 2, 3, 5));
  EXPECT_NE(hash64(1, 2, 3), hash64(1, 3, 2));
}

TEST(ExactMath, AgreesWithLibm) {
  for (int i = 0; i < 200000; ++i) {
    const double u = unit_double(hash64(1, i));
    const double w = unit_double(hash64(2, i));
    const double v = (u - 0.5) * 200;
    EXPECT_NEAR(exact::exp(v) / std::exp(v), 1.0, 1e-15);
    EXPECT_NEAR(exact::log(u + 1e-300), std::log(u + 1e-300), 4e-16 * std::max(1.0, std::fabs(std::log(u + 1e-300))));
    EXPECT_NEAR(exact::sin(v), std::sin(v), 4e-16);
    EXPECT_NEAR(exact::cos(v), std::cos(v), 4e-16);
    EXPECT_NEAR(exact::atan2(u - 0.5, w - 0.5), std::atan2(u - 0.5, w - 0.5), 2e-15);
    EXPECT_NEAR(exact::pow(u * 10, w * 4) / std::pow(u * 10, w * 4), 1.0, 2e-14);
    EXPECT_EQ(exact::floor_to_int(v), static_cast<std::int64_t>(std::floor(v)));
  }
  EXPECT_EQ(exact::pow(0, 0), 1.0);
  EXPECT_EQ(exact::pow(0, 2), 0.0);
  EXPECT_EQ(exact::exp(-1000), 0.0);
  EXPECT_TRUE(std::isinf(exact::exp(1000)));
  EXPECT_EQ(exact::atan2(HUGE_VAL, HUGE_VAL), std::atan2(HUGE_VAL, HUGE_VAL));
  EXPECT_EQ(exact::atan2(-HUGE_VAL, -HUGE_VAL), std::atan2(-HUGE_VAL, -HUGE_VAL));
  EXPECT_EQ(exact::atan2(1, 1), std::atan2(1, 1));
}

TEST(ContentHash, SeesValuesShapeAndType) {
  Grid<float> a(4, 3, 1.0F);
  const ContentHash h = content_hash<float>(a.view());
  EXPECT_EQ(h.hex().size(), 32U);
  Grid<float> b(3, 4, 1.0F);
  EXPECT_NE(h, content_hash<float>(b.view()));
  a(3, 2) = 1.0000001F;
  EXPECT_NE(h, content_hash<float>(a.view()));
  Grid<float> wide(9, 3, 1.0F);
  EXPECT_EQ(h, content_hash<float>(wide.view().window(2, 0, 4, 3)));  // rows with a gap hash like rows without
  a(0, 0) = -kNoData<float>;
  const ContentHash negative_nan = content_hash<float>(a.view());
  a(0, 0) = kNoData<float>;
  EXPECT_EQ(negative_nan, content_hash<float>(a.view()));
}

TEST(CellGeometry, EllipsoidLengths) {
  // WGS84: a degree of latitude is 110,574 m at the equator and 111,132 m at 45 degrees; of longitude 111,320 and
  // 78,847.
  const CellGeometry g = CellGeometry::geographic(45.0, 1.0, 45.0, 2);
  EXPECT_NEAR(g.row(0).dx_m, 78846.8, 1.0);
  EXPECT_NEAR(g.row(0).dy_m / 45, 111132.1, 1.0);
  EXPECT_NEAR(g.row(1).dx_m, 111319.5, 1.0);
  EXPECT_NEAR(g.row(1).dy_m / 45, 110574.3, 1.0);
  const CellGeometry u = CellGeometry::uniform(3, 4, 2);
  EXPECT_DOUBLE_EQ(u.distance_m(0, 0), 3);
  EXPECT_DOUBLE_EQ(u.distance_m(1, 1), 5);
  EXPECT_DOUBLE_EQ(u.distance_m(1, 2), 4);
}

struct DemoParams {
  double length_m = 10;
  std::int64_t octaves = 3;
  bool on = false;
  enum class Mode { a, b } mode = Mode::a;
  template <class Visitor>
  static void describe(DemoParams& p, Visitor& v) {
    static constexpr Choice<Mode> kModes[] = {{"a", Mode::a}, {"b", Mode::b}};
    v.real("length_m", p.length_m, {.unit = "m", .min = 1, .max = 100, .help = "length"});
    v.integer("octaves", p.octaves, {.min = 1, .max = 9, .help = "count"});
    v.boolean("on", p.on, {.help = "switch"});
    v.choice("mode", p.mode, kModes, {.help = "mode"});
  }
};

TEST(Params, ListMakeAndRefuse) {
  EXPECT_EQ(list_params<DemoParams>().size(), 4U);
  const std::vector<ParamWriter::Named> good = {{"length_m", std::int64_t{20}}, {"mode", std::string("b")}};
  const auto made = make_params<DemoParams>(good);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->length_m, 20);
  EXPECT_EQ(made->mode, DemoParams::Mode::b);
  const std::vector<ParamWriter::Named> bad = {{"length_m", 0.5}};
  EXPECT_EQ(make_params<DemoParams>(bad).error().message, "length_m must be from 1 to 100 m");
  DemoParams p;
  p.octaves = 10;
  EXPECT_FALSE(validate(p).ok());
  p.octaves = 9;
  p.length_m = std::nan("");
  EXPECT_FALSE(validate(p).ok());
}

TEST(Params, NearestNameAndNumbers) {
  const std::vector<std::string> names = {"wavelength_m", "amplitude_m", "octaves"};
  EXPECT_EQ(nearest_name("wavelenght_m", names), "wavelength_m");
  EXPECT_EQ(nearest_name("zzz", names), "");
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(-3), "-3");
  EXPECT_EQ(format_number(1e-20), "1e-20");
  EXPECT_EQ(format_number(3.4F), "3.4");
  EXPECT_EQ(format_number(0.1F + 0.2F), "0.3");
}

TEST(Simd, CapsAndRefuses) {
  const auto levels = simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.back(), "scalar");
  for (const auto& level : levels) {
    ASSERT_TRUE(cap_simd(level).ok());
    EXPECT_EQ(simd_level(), level);
  }
  EXPECT_FALSE(cap_simd("mmx").ok());
  ASSERT_TRUE(cap_simd("").ok());
  EXPECT_EQ(simd_level(), levels.front());
}

}  // namespace
}  // namespace thalweg
