// For this module's tests: small helpers, every sort of noise, and an obvious version of all of it in double, one
// sample at a time, that shares only the plan and the integer hash with the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/simd.h"
#include "thalweg/noise/noise.h"
#include "thalweg/noise/noise_plan.h"

namespace thalweg::noise::testing {

inline GridSpec spec_at(std::int64_t x, std::int64_t y, int width, int height, double cell_m = 1) {
  GridSpec spec;
  spec.width = width;
  spec.height = height;
  spec.cell_m = cell_m;
  spec.cell_y_m = cell_m;
  spec.origin_x = x;
  spec.origin_y = y;
  return spec;
}

inline Grid<float> make(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec,
                        const Exec& exec = Exec()) {
  Grid<float> out(spec.width, spec.height, 12345.0F);
  fill(params, seed, spec, out, exec);
  return out;
}

inline bool same_bits(GridView<const float> a, GridView<const float> b) {
  if (a.width() != b.width() || a.height() != b.height()) return false;
  for (int y = 0; y < a.height(); ++y)
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width()) * sizeof(float)) != 0) return false;
  return true;
}

struct Stats {
  double min = 1e300;
  double max = -1e300;
  double mean = 0;
  double sd = 0;
  std::int64_t not_finite = 0;
};
inline Stats stats(GridView<const float> g) {
  Stats s;
  double sum = 0;
  double squares = 0;
  for (int y = 0; y < g.height(); ++y)
    for (int x = 0; x < g.width(); ++x) {
      const double v = g(x, y);
      s.not_finite += std::isfinite(v) ? 0 : 1;
      s.min = std::min(s.min, v);
      s.max = std::max(s.max, v);
      sum += v;
      squares += v * v;
    }
  const auto n = static_cast<double>(g.cells());
  s.mean = sum / n;
  s.sd = std::sqrt(std::max(0.0, squares / n - s.mean * s.mean));
  return s;
}

class SimdCapLifted {
 public:
  SimdCapLifted() = default;
  ~SimdCapLifted() { (void)cap_simd(""); }
  SimdCapLifted(const SimdCapLifted&) = delete;
  SimdCapLifted& operator=(const SimdCapLifted&) = delete;
};

inline const std::vector<Fractal>& every_fractal() {
  static const std::vector<Fractal> all = {Fractal::fbm,       Fractal::ridged, Fractal::billow,
                                           Fractal::ping_pong, Fractal::hybrid, Fractal::slope_damped};
  return all;
}

/// One of each source, cellular noise with every distance and value.
inline std::vector<NoiseParams> every_source() {
  NoiseParams p;
  p.wavelength_m = 97;
  p.amplitude_m = 1;
  p.octaves = 1;
  std::vector<NoiseParams> all;
  for (const Source s : {Source::perlin, Source::simplex, Source::value, Source::value_cubic, Source::white}) {
    p.source = s;
    all.push_back(p);
  }
  p.source = Source::cellular;
  for (const CellDistance d :
       {CellDistance::euclidean, CellDistance::squared, CellDistance::manhattan, CellDistance::chebyshev})
    for (const CellValue v : {CellValue::f1, CellValue::f2, CellValue::f2_minus_f1, CellValue::cell}) {
      p.cell_distance = d;
      p.cell_value = v;
      all.push_back(p);
    }
  return all;
}

/// Every source with every fractal of `octaves` octaves, straight or warped; of cellular noise a few.
inline std::vector<NoiseParams> every_sort(std::int64_t octaves, bool warped) {
  std::vector<NoiseParams> all;
  int number = 0;
  for (NoiseParams p : every_source())
    for (const Fractal f : every_fractal()) {
      ++number;
      if (p.source == Source::cellular && f != Fractal::fbm && number % 5 != 0) continue;
      p.fractal = f;
      p.octaves = octaves;
      p.cell_jitter = number % 2 == 0 ? 1 : 0.7;
      p.damping_slope = 0.02;
      if (warped) {
        p.warp_m = 60;
        p.warp_wavelength_m = 150;
        p.warp_fractal = number % 3 == 0 ? WarpFractal::progressive : WarpFractal::independent;
      }
      all.push_back(p);
    }
  return all;
}

/// "simplex fbm", "cellular chebyshev f2 slope-damped warp" ...
inline std::string name_of(const NoiseParams& p) {
  static const char* const kSources[] = {"perlin", "simplex", "value", "value-cubic", "cellular", "white"};
  static const char* const kDistances[] = {" euclidean", " squared", " manhattan", " chebyshev"};
  static const char* const kValues[] = {" f1", " f2", " f2-minus-f1", " cell"};
  static const char* const kFractals[] = {" fbm", " ridged", " billow", " ping-pong", " hybrid", " slope-damped"};
  std::string name = kSources[static_cast<int>(p.source)];
  if (p.source == Source::cellular)
    name += std::string(kDistances[static_cast<int>(p.cell_distance)]) + kValues[static_cast<int>(p.cell_value)];
  name += kFractals[static_cast<int>(p.fractal)];
  if (p.warp_m > 0) name += p.warp_fractal == WarpFractal::progressive ? " progressive warp" : " warp";
  return name;
}

/// Sources that jump: at a jump a last bit of the position decides.
inline bool jumps(const NoiseParams& p) {
  return p.source == Source::white || (p.source == Source::cellular && p.cell_value == CellValue::cell);
}
inline bool has_both_signs(const NoiseParams& p) {
  return p.fractal == Fractal::fbm || p.fractal == Fractal::slope_damped;
}

// ---- the obvious version ----

/// One octave's noise in [-1, 1] at a position in lattice cells, moved by a little.
double reference_noise(const detail::Field& field, const detail::Octave& octave, double px, double py, double dx = 0,
                       double dy = 0);
/// What the fill of `spec` should have at (x, y).
double reference(const NoiseParams& p, std::uint64_t seed, const GridSpec& spec, double x, double y);

}  // namespace thalweg::noise::testing
