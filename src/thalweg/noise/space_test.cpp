#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/random.h"
#include "thalweg/noise/noise_testing.h"
#include "thalweg/noise/space_testing.h"

namespace thalweg::noise::testing {
namespace {

BoxSpec box_at(std::int64_t x, std::int64_t y, std::int64_t z, int width, int height, int depth) {
  BoxSpec box;
  box.width = width;
  box.height = height;
  box.depth = depth;
  box.origin_x = x;
  box.origin_y = y;
  box.origin_z = z;
  return box;
}

using Values = std::vector<float>;

Values make3(const NoiseParams& p, std::uint64_t seed, const BoxSpec& box, const Exec& exec = Exec()) {
  Values out(static_cast<std::size_t>(box.cells()), 12345.0F);
  fill3(p, seed, box, out, exec);
  return out;
}
bool same(const Values& a, const Values& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
float at(const Values& v, const BoxSpec& box, int x, int y, int z) {
  return v[(static_cast<std::size_t>(z) * static_cast<std::size_t>(box.height) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(box.width) +
           static_cast<std::size_t>(x)];
}
Stats stats3(const Values& v) {
  return stats(GridView<const float>(v.data(), static_cast<int>(v.size()), 1));
}
NoiseParams one_octave(NoiseParams p, double wavelength_m) {
  p.octaves = 1;
  p.amplitude_m = 1;
  p.wavelength_m = wavelength_m;
  return p;
}

// The worst difference from the obvious version but for `spare` samples.
double difference3(const NoiseParams& p, const BoxSpec& box, int spare) {
  const Values v = make3(p, 99, box);
  const detail::SpacePlan plan = detail::make_space_plan(p, 99, box);
  std::vector<double> off;
  for (int z = 0; z < box.depth; ++z)
    for (int y = 0; y < box.height; ++y)
      for (int x = 0; x < box.width; ++x)
        off.push_back(std::fabs(static_cast<double>(at(v, box, x, y, z)) - reference3(p, plan, box, x, y, z)));
  std::sort(off.begin(), off.end());
  return off[off.size() - 1 - static_cast<std::size_t>(spare)];
}

TEST(NoiseSpace, StraightSortsAgreeWithTheObviousVersion) {
  for (NoiseParams p : every_sort(4, false))
    for (const std::int64_t far : {std::int64_t{-5}, std::int64_t{1000000007}}) {
      BoxSpec box = box_at(far, 3 - far, far / 2, 19, 5, 3);
      box.cell_y_m = 1.25;
      box.cell_z_m = 0.75;
      p.wavelength_m = 17;
      p.damping_slope = 0.2;
      // Where a distance's slope jumps (as from one nearest point to another) the differences of the obvious version
      // straddle it.
      const bool damped = p.fractal == Fractal::slope_damped;
      const int spare = damped && p.source == Source::cellular ? 3 : 0;
      EXPECT_LT(difference3(p, box, spare), damped ? 3e-5 : 1e-5) << name_of(p) << " at " << far;
    }
}

TEST(NoiseSpace, WarpedSortsAgreeWithTheObviousVersion) {
  // A bent position in float is less exact: 2^-24 of the displacement in cells of the finest octave.
  for (NoiseParams p : every_sort(3, true)) {
    p.wavelength_m = 23;
    p.warp_m = 30;
    p.warp_wavelength_m = 61;
    p.damping_slope = 0.2;
    const bool damped = p.fractal == Fractal::slope_damped && p.source == Source::cellular;
    const int spare = jumps(p) || damped ? 3 : 0;
    EXPECT_LT(difference3(p, box_at(999999000, 77, -1000000000, 19, 4, 3), spare), 6e-5) << name_of(p);
  }
}

TEST(NoiseSpace, SameBitsAtEverySimdLevel) {
  const SimdCapLifted lift;
  std::vector<NoiseParams> sorts = every_sort(3, false);
  for (const NoiseParams& p : every_sort(3, true)) sorts.push_back(p);
  for (NoiseParams p : sorts) {
    p.wavelength_m = 29;
    const BoxSpec box = box_at(1000000000, -37, 11, 67, 5, 2);
    ASSERT_TRUE(cap_simd("").ok());
    const Values best = make3(p, 5, box);
    for (const std::string& level : simd_levels()) {
      ASSERT_TRUE(cap_simd(level).ok()) << level;
      EXPECT_TRUE(same(best, make3(p, 5, box))) << level << " " << name_of(p);
    }
  }
}

// Wide levels look straight samples' lattice points up, narrow ones hash them: also where a vector of samples lies in
// many cells, and around a multiple of 2^32 cells, where hashes change seeds.
TEST(NoiseSpace, SimplexRowsLookedUpAreAsHashed) {
  const SimdCapLifted lift;
  for (const double wavelength_m : {50.0, 25.0, 16.0, 12.0, 5.0})
    for (const double cells : {-0.3, 4294967296.0}) {
      NoiseParams p;
      p.source = Source::simplex;
      p.octaves = 1;
      p.wavelength_m = wavelength_m;
      const auto index = static_cast<std::int64_t>(-cells * wavelength_m * 193 / 63) - 128;
      const BoxSpec box = box_at(index, -10, 7, 259, 33, 9);
      ASSERT_TRUE(cap_simd("").ok());
      const Values best = make3(p, 5, box);
      for (const std::string& level : simd_levels()) {
        ASSERT_TRUE(cap_simd(level).ok()) << level;
        EXPECT_TRUE(same(best, make3(p, 5, box))) << level << " " << wavelength_m << " m, " << cells << " cells";
      }
    }
}

// Worlds are promised to stay the same: a change here changes every world, in every compiler and on every machine.
TEST(NoiseSpace, GoldenBits) {
  std::string hashes;
  for (const Source s :
       {Source::perlin, Source::simplex, Source::value, Source::value_cubic, Source::cellular, Source::white})
    for (const double warp : {0.0, 20.0}) {
      NoiseParams p;
      p.source = s;
      p.wavelength_m = 31;
      p.octaves = 4;
      p.warp_m = warp;
      p.warp_wavelength_m = 50;
      p.warp_fractal = WarpFractal::progressive;
      const BoxSpec box = box_at(-40, 1000000000, 7, 70, 11, 5);
      const Values v = make3(p, 2026, box);
      hashes += content_hash<float>(GridView<const float>(v.data(), static_cast<int>(v.size()), 1)).hex().substr(0, 8);
      hashes += " ";
    }
  EXPECT_EQ(
      hashes,
      "8ff04124 d6e59e40 18140f88 7ec6436f a28bc474 defc4e28 f81de4af c8cf7f9b 72eb8415 fd8edb41 7e14381b 8f24f344 ");
}

TEST(NoiseSpace, SameBitsForAnyThreadsAndBackend) {
  for (NoiseParams p : every_sort(3, false)) {
    if (p.source == Source::cellular && p.fractal != Fractal::fbm) continue;
    p.wavelength_m = 29;
    p.warp_m = p.fractal == Fractal::fbm ? 20 : 0;
    p.warp_wavelength_m = 40;
    const BoxSpec box = box_at(10, 20, 30, 300, 40, 10);
    const Values serial = make3(p, 5, box);
    for (const int threads : {2, 7}) EXPECT_TRUE(same(serial, make3(p, 5, box, Exec(threads)))) << name_of(p);
    EXPECT_TRUE(same(serial, make3(p, 5, box, Exec(7, TaskBackend::threads)))) << name_of(p);
  }
}

TEST(NoiseSpace, AnyBoxEqualsThePartOfALargerOne) {
  std::uint64_t draw = 0;
  const auto random = [&](int below) {
    return static_cast<int>(hash64(4711, static_cast<std::int64_t>(draw++)) >> 33) % below;
  };
  std::vector<NoiseParams> sorts = every_sort(3, false);
  for (const NoiseParams& p : every_sort(3, true)) sorts.push_back(p);
  for (NoiseParams p : sorts) {
    p.wavelength_m = 14.5;
    const std::int64_t far = std::int64_t{1000000000} * (random(3) - 1);
    const BoxSpec whole = box_at(far - 150, 40 - far, far - 9, 290, 40, 11);
    const Values all = make3(p, 5, whole);
    for (int i = 0; i < 3; ++i) {
      const int x = random(whole.width);
      const int y = random(whole.height);
      const int z = random(whole.depth);
      const BoxSpec box =
          box_at(whole.origin_x + x, whole.origin_y + y, whole.origin_z + z, 1 + random(std::min(40, whole.width - x)),
                 1 + random(std::min(9, whole.height - y)), 1 + random(std::min(4, whole.depth - z)));
      const Values part = make3(p, 5, box);
      int wrong = 0;
      for (int k = 0; k < box.depth; ++k)
        for (int j = 0; j < box.height; ++j)
          for (int l = 0; l < box.width; ++l)
            wrong += at(part, box, l, j, k) != at(all, whole, x + l, y + j, z + k) ? 1 : 0;
      EXPECT_EQ(wrong, 0) << name_of(p) << " at " << far << " + " << x << "," << y << "," << z;
    }
  }
}

TEST(NoiseSpace, BoxesAgreeAcrossTheWrapOfTheHash) {
  // The finest octave passes multiples of 2^32 cells here, where the hash changes seeds.
  for (NoiseParams p : every_source()) {
    p = one_octave(p, 4.5);
    for (const double warp : {0.0, 15.0}) {
      p.warp_m = warp;
      p.warp_wavelength_m = 50;
      for (const std::int64_t wrap : {std::int64_t{0}, -(std::int64_t{1} << 32)}) {
        const auto middle = static_cast<std::int64_t>(static_cast<double>(wrap) * 4.5);
        const BoxSpec whole = box_at(middle - 30, middle - 8, middle - 8, 60, 16, 16);
        const Values all = make3(p, 1, whole);
        EXPECT_GT(stats3(all).sd, 0.02) << name_of(p);
        const BoxSpec box = box_at(middle - 4, middle - 2, middle - 3, 20, 5, 6);
        const Values part = make3(p, 1, box);
        int wrong = 0;
        for (int k = 0; k < box.depth; ++k)
          for (int j = 0; j < box.height; ++j)
            for (int l = 0; l < box.width; ++l)
              wrong += at(part, box, l, j, k) != at(all, whole, 26 + l, 6 + j, 5 + k) ? 1 : 0;
        EXPECT_EQ(wrong, 0) << name_of(p) << " warp " << warp << " wrap " << wrap;
      }
    }
  }
}

TEST(NoiseSpace, EdgeSizes) {
  for (NoiseParams p : every_source()) {
    p.wavelength_m = 7;
    const BoxSpec whole = box_at(-100, -3, 5, 257, 3, 5);
    const Values all = make3(p, 1, whole);
    stats3(all);
    for (const auto& size : {std::array{1, 1, 1}, std::array{1, 3, 1}, std::array{1, 1, 5}, std::array{257, 1, 1}}) {
      const BoxSpec box = box_at(-100, -3, 5, size[0], size[1], size[2]);
      const Values part = make3(p, 1, box);
      int wrong = 0;
      for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y)
          for (int x = 0; x < size[0]; ++x) wrong += at(part, box, x, y, z) != at(all, whole, x, y, z) ? 1 : 0;
      EXPECT_EQ(wrong, 0) << name_of(p);
    }
    for (const auto& size : {std::array{0, 0, 0}, std::array{0, 5, 5}, std::array{5, 0, 5}, std::array{5, 5, 0}})
      EXPECT_TRUE(make3(p, 1, box_at(0, 0, 0, size[0], size[1], size[2])).empty());
  }
}

TEST(NoiseSpace, NothingIsWrittenBesideTheBox) {
  NoiseParams p;
  const BoxSpec box = box_at(0, 0, 0, 259, 33, 9);
  Values frame(static_cast<std::size_t>(box.cells()) + 2, -7.0F);
  fill3(p, 1, box, std::span<float>(frame.data() + 1, static_cast<std::size_t>(box.cells())), Exec());
  EXPECT_EQ(frame.front(), -7.0F);
  EXPECT_EQ(frame.back(), -7.0F);
}

TEST(NoiseSpace, StaysInItsRangeAndReachesMostOfIt) {
  for (NoiseParams p : every_source()) {
    p = one_octave(p, p.source == Source::white ? 1 : 4.3);
    // With jitter the largest distance is next to impossible: all cells around a corner with their points far off it.
    // Points on a grid reach it everywhere.
    p.cell_jitter = 0;
    const Stats s = stats3(make3(p, 3, box_at(0, 0, 0, 128, 128, 128)));
    EXPECT_GE(s.min, -1) << name_of(p);
    EXPECT_LE(s.max, 1) << name_of(p);
    const bool second = p.cell_value == CellValue::f2 || p.cell_value == CellValue::f2_minus_f1;
    if (p.source == Source::perlin || p.source == Source::value_cubic || (p.source == Source::cellular && second)) {
      // Heights of value-cubic would have to stand in a pattern of 64; the second nearest is never at hand on a grid.
      // For Perlin noise see the next test.
      EXPECT_GT(s.max - s.min, 0.6) << name_of(p);
    } else {
      EXPECT_LT(s.min, -0.85) << name_of(p);
      EXPECT_GT(s.max, 0.85) << name_of(p);
    }
  }
}

// Perlin noise comes near its bound only where the eight gradients of a cell all point to its middle: one cell in a
// million. This looks for such cells and asks for the values there.
TEST(NoiseSpace, PerlinReachesMostOfItsRange) {
  const NoiseParams p = one_octave({}, 8);
  const detail::Octave o = detail::make_space_plan(p, 3, box_at(0, 0, 0, 1, 1, 1)).main.octaves[0];
  double best = 0;
  std::array<std::int64_t, 3> place{};
  for (std::int64_t k = 0; k < 200; ++k)
    for (std::int64_t j = 0; j < 200; ++j)
      for (std::int64_t i = 0; i < 200; ++i) {
        double sum = 0;
        for (int c = 0; c < 8; ++c) {
          const Point g = gradient(mixed(o, i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
          sum += ((c & 1) != 0 ? -g[0] : g[0]) + ((c & 2) != 0 ? -g[1] : g[1]) + ((c & 4) != 0 ? -g[2] : g[2]);
          if (std::fabs(sum) + (7 - c) * 1.7320508 < 8 * 1.7320508 * 0.85) break;
          if (c == 7 && std::fabs(sum) > best) {
            best = std::fabs(sum);
            place = {i, j, k};
          }
        }
      }
  ASSERT_GT(best, 0) << "no such cell: another seed has one";
  const auto start = [&](std::size_t a, double shift) {
    return static_cast<std::int64_t>(std::floor((static_cast<double>(place[a]) - shift) * 8));
  };
  const Stats s =
      stats3(make3(p, 3, box_at(start(0, o.shift_x), start(1, o.shift_y), start(2, o.shift_z), 10, 10, 10)));
  EXPECT_GT(std::max(-s.min, s.max), 0.85);
}

TEST(NoiseSpace, FractalsStayInTheirRange) {
  for (const bool warped : {false, true})
    for (NoiseParams p : every_sort(6, warped)) {
      p.wavelength_m = 40;
      p.damping_slope = 10;
      p.warp_wavelength_m = 60;
      p.warp_m = warped ? 25 : 0;
      p.amplitude_m = 100;
      p.offset_m = 1;
      const Stats s = stats3(make3(p, 11, box_at(0, 0, 0, 96, 32, 32)));
      EXPECT_GE(s.min, has_both_signs(p) ? -99.0 : 1.0) << name_of(p);
      EXPECT_LE(s.max, 101.0) << name_of(p);
      EXPECT_GT(s.sd, 1) << name_of(p);
    }
}

TEST(NoiseSpace, FineOctavesFadeOutAndKeepTheMean) {
  for (const NoiseParams& sort : every_sort(1, false)) {
    if (sort.source == Source::white) continue;
    if (sort.fractal == Fractal::slope_damped || sort.fractal == Fractal::hybrid) continue;
    NoiseParams p = sort;
    p.octaves = 4;
    const auto filled = [&](double cell) {
      BoxSpec box = box_at(0, 0, 0, 64, 64, 64);
      box.cell_m = box.cell_y_m = box.cell_z_m = cell;
      p.wavelength_m = 16;
      return stats3(make3(p, 8, box));
    };
    const Stats fine = filled(2);
    const Stats coarse = filled(8);
    // Without it up to 0.5 off. The weights of ridged octaves do not average.
    EXPECT_NEAR(fine.mean, coarse.mean, p.fractal == Fractal::ridged ? 0.08 : 0.035) << name_of(p);
    EXPECT_LT(coarse.sd, fine.sd) << name_of(p);
    const Stats none = filled(9);
    EXPECT_EQ(none.min, none.max) << name_of(p);
  }
  // The largest of the three cell sizes decides.
  NoiseParams p = one_octave({}, 7);
  BoxSpec box = box_at(0, 0, 0, 32, 16, 8);
  box.cell_z_m = 3.5;
  EXPECT_EQ(stats3(make3(p, 1, box)).sd, 0);
  box.cell_z_m = 1;
  box.cell_y_m = 3.5;
  EXPECT_EQ(stats3(make3(p, 1, box)).sd, 0);
  box.cell_y_m = 1;
  EXPECT_GT(stats3(make3(p, 1, box)).sd, 0.1);
}

TEST(NoiseSpace, HalvingTheCellKeepsSharedSamples) {
  for (NoiseParams p : every_sort(2, false)) {
    if (p.fractal == Fractal::slope_damped) continue;
    p.wavelength_m = 24;
    const BoxSpec coarse = box_at(500000000, -7, 3, 40, 6, 4);
    BoxSpec fine = box_at(1000000000, -14, 6, 80, 12, 8);
    fine.cell_m = fine.cell_y_m = fine.cell_z_m = 0.5;
    const Values a = make3(p, 3, coarse);
    const Values b = make3(p, 3, fine);
    int wrong = 0;
    for (int z = 0; z < coarse.depth; ++z)
      for (int y = 0; y < coarse.height; ++y)
        for (int x = 0; x < coarse.width; ++x)
          wrong += at(a, coarse, x, y, z) != at(b, fine, 2 * x, 2 * y, 2 * z) ? 1 : 0;
    EXPECT_EQ(wrong, 0) << name_of(p);
  }
}

TEST(NoiseSpace, ConsecutiveSeedsAreIndependent) {
  constexpr int kSeeds = 64;
  for (NoiseParams p : every_source()) {
    if (p.source == Source::cellular && p.cell_value != CellValue::f1) continue;
    if (p.source == Source::cellular && p.cell_distance != CellDistance::euclidean) continue;
    p = one_octave(p, p.source == Source::white ? 1 : 2.2);
    std::vector<Values> fields;
    for (int seed = 0; seed < kSeeds; ++seed) {
      // 103,000 lattice cells and a ninth of the samples: independent cells would give about 0.0042.
      const Values v = make3(p, static_cast<std::uint64_t>(seed), box_at(0, 0, 0, 110, 100, 100));
      const Stats s = stats3(v);
      Values thin;
      for (std::size_t i = 0; i < v.size(); i += 9)
        thin.push_back(static_cast<float>((static_cast<double>(v[i]) - s.mean) / s.sd));
      fields.push_back(std::move(thin));
    }
    double squares = 0;
    double worst = 0;
    int pairs = 0;
    for (std::size_t a = 0; a < kSeeds; ++a)
      for (std::size_t b = a + 1; b < kSeeds; ++b, ++pairs) {
        float part[8] = {};
        for (std::size_t i = 0; i + 8 <= fields[a].size(); i += 8)
          for (std::size_t l = 0; l < 8; ++l) part[l] += fields[a][i + l] * fields[b][i + l];
        double r = 0;
        for (const float v : part) r += static_cast<double>(v);
        r /= static_cast<double>(fields[a].size());
        squares += r * r;
        worst = std::max(worst, std::fabs(r));
      }
    const double rms = std::sqrt(squares / pairs);
    RecordProperty(name_of(p), std::to_string(rms));
    EXPECT_LT(rms, 0.006) << name_of(p);
    EXPECT_LT(worst, 0.03) << name_of(p);
  }
}

TEST(NoiseSpace, AlikeInAllDirections) {
  for (const Source source : {Source::perlin, Source::simplex, Source::value}) {
    NoiseParams p = one_octave({}, 9.7);
    p.source = source;
    const int n = 120;
    const BoxSpec box = box_at(0, 0, 0, n, n, n);
    const Values v = make3(p, 77, box);
    const auto roughness = [&](int dx, int dy, int dz) {
      double sum = 0;
      for (int z = 5; z < n - 5; ++z)
        for (int y = 5; y < n - 5; ++y)
          for (int x = 5; x < n - 5; ++x) {
            const double d =
                static_cast<double>(at(v, box, x + dx, y + dy, z + dz)) - static_cast<double>(at(v, box, x, y, z));
            sum += d * d;
          }
      return sum;
    };
    // Mean over the axes, and over some directions in between, of the same length: 3 samples, and 5.
    double axes[2] = {};
    double between[2] = {};
    double most = 0;
    double least = 1e300;
    for (int turn = 0; turn < 3; ++turn) {
      const auto turned = [&](int a, int b, int c) {
        return turn == 0 ? roughness(a, b, c) : (turn == 1 ? roughness(c, a, b) : roughness(b, c, a));
      };
      const double axis = turned(3, 0, 0);
      most = std::max(most, axis);
      least = std::min(least, axis);
      axes[0] += axis;
      axes[1] += turned(5, 0, 0);
      between[0] += (turned(2, 2, 1) + turned(2, -2, 1)) / 2;
      between[1] += (turned(3, 4, 0) + turned(-4, 3, 0)) / 2;
    }
    RecordProperty(name_of(p), std::to_string(most / least) + " " + std::to_string(between[0] / axes[0]) + " " +
                                   std::to_string(between[1] / axes[1]));
    EXPECT_LT(most / least, 1.12) << name_of(p);  // 1,400 cells: chance alone gives some per cent
    EXPECT_NEAR(between[0] / axes[0], 1, 0.05) << name_of(p);
    EXPECT_NEAR(between[1] / axes[1], 1, source == Source::value ? 0.12 : 0.06) << name_of(p);
  }
}

TEST(NoiseSpace, GradientIsTheDerivativeOfTheValues) {
  const SimdCapLifted lift;
  for (const Source source : {Source::perlin, Source::simplex, Source::value})
    for (const std::int64_t far : {std::int64_t{0}, std::int64_t{-1000000000}}) {
      NoiseParams p;
      p.source = source;
      p.wavelength_m = 61;
      p.amplitude_m = 40;
      p.offset_m = 3;
      p.octaves = 5;  // the last fades: 3.8 cells
      BoxSpec box = box_at(far, -far, far + 1, 67, 4, 3);
      box.cell_y_m = 1.5;
      box.cell_z_m = 0.5;
      Values out(static_cast<std::size_t>(box.cells()));
      Values d[3] = {out, out, out};
      fill3_with_gradient(p, 4, box, out, d[0], d[1], d[2], Exec());
      EXPECT_TRUE(same(out, make3(p, 4, box))) << name_of(p);
      const detail::SpacePlan plan = detail::make_space_plan(p, 4, box);
      double worst = 0;
      double largest = 0;
      for (int z = 0; z < box.depth; ++z)
        for (int y = 0; y < box.height; ++y)
          for (int x = 0; x < box.width; ++x) {
            const double h = far == 0 ? 1e-4 : 1e-2;
            const auto slope = [&](double dx, double dy, double dz) {
              return (reference3(p, plan, box, x + dx, y + dy, z + dz) -
                      reference3(p, plan, box, x - dx, y - dy, z - dz)) /
                     2;
            };
            const double east = slope(h, 0, 0) / (h * box.cell_m);
            const double north = -slope(0, h, 0) / (h * box.cell_y_m);
            const double up = slope(0, 0, h) / (h * box.cell_z_m);
            worst = std::max({worst, std::fabs(east - static_cast<double>(at(d[0], box, x, y, z))),
                              std::fabs(north - static_cast<double>(at(d[1], box, x, y, z))),
                              std::fabs(up - static_cast<double>(at(d[2], box, x, y, z)))});
            largest = std::max({largest, std::fabs(east), std::fabs(north), std::fabs(up)});
          }
      EXPECT_LT(worst / largest, far == 0 ? 1e-5 : 1e-4) << name_of(p) << " at " << far;
      for (const std::string& level : simd_levels()) {
        ASSERT_TRUE(cap_simd(level).ok());
        Values again[4] = {out, out, out, out};
        fill3_with_gradient(p, 4, box, again[0], again[1], again[2], again[3], Exec(2));
        for (int a = 0; a < 3; ++a) EXPECT_TRUE(same(d[a], again[a + 1])) << level;
      }
      ASSERT_TRUE(cap_simd("").ok());
    }
}

TEST(NoiseSpace, FarFromTheOriginIsAsRoughAsNear) {
  for (NoiseParams p : every_source()) {
    if (p.source == Source::cellular && p.cell_value != CellValue::f1) continue;
    p.octaves = 3;
    p.wavelength_m = p.source == Source::white ? 5 : 20;
    const auto spread = [&](std::int64_t far) {
      const BoxSpec box = box_at(far, -far, far, 96, 48, 48);
      const Values v = make3(p, 4, box);
      double sum = 0;
      for (int z = 0; z < box.depth; ++z)
        for (int y = 0; y < box.height; ++y)
          for (int x = 2; x < box.width; ++x) {
            const double d = static_cast<double>(at(v, box, x, y, z)) -
                             2 * static_cast<double>(at(v, box, x - 1, y, z)) +
                             static_cast<double>(at(v, box, x - 2, y, z));
            sum += d * d;
          }
      return std::sqrt(sum);
    };
    const double near = spread(0);
    for (const std::int64_t far : {std::int64_t{1000000}, std::int64_t{1000000000}, std::int64_t{-1000000000}})
      EXPECT_NEAR(spread(far) / near, 1, 0.15) << name_of(p) << " at " << far;
  }
}

TEST(NoiseSpace, ExtremeParametersStayFinite) {
  for (NoiseParams p : every_sort(24, true)) {
    p.lacunarity = 4;
    p.gain = 0.95;
    p.warp_m = 1e6;
    p.warp_wavelength_m = 1e-2;
    p.warp_octaves = 12;
    p.wavelength_m = 1e-2;
    for (const double cell : {1e-3, 1.0, 1e4})
      for (const std::int64_t far : {std::int64_t{0}, std::int64_t{1} << 61, -(std::int64_t{1} << 61)}) {
        BoxSpec box = box_at(far, -far, far, 9, 2, 2);
        box.cell_m = box.cell_y_m = box.cell_z_m = cell;
        stats3(make3(p, 1, box));
      }
    p.wavelength_m = 1e8;
    p.lacunarity = 1.5;
    stats3(make3(p, 1, box_at(-5, 5, 0, 9, 2, 2)));
  }
}

}  // namespace
}  // namespace thalweg::noise::testing
