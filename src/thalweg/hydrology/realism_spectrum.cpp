// The radial power spectrum of the largest square of land.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/fourier.h"
#include "thalweg/hydrology/realism_parts.h"

namespace thalweg::hydrology::internal {
namespace {

struct Square {
  int x = 0, y = 0, side = 0;
};

// The first of the largest squares without NoData: the side at a lower right corner is one more than the least of its
// three neighbours'.
Square largest_square(GridView<const float> ground) {
  Square best;
  std::vector<int> sides(static_cast<std::size_t>(ground.width()) + 1);
  for (int y = 0; y < ground.height(); ++y) {
    int diagonal = 0;
    for (int x = 0; x < ground.width(); ++x) {
      int& left = sides[static_cast<std::size_t>(x)];
      int& here = sides[static_cast<std::size_t>(x) + 1];
      const int above = here;
      here = is_nodata(ground(x, y)) ? 0 : 1 + std::min({left, above, diagonal});
      diagonal = above;
      if (here > best.side) best = {x - here + 1, y - here + 1, here};
    }
    sides[0] = 0;
  }
  return best;
}

// The window's heights, less their least-squares plane, times a Hann window, as complex numbers.
std::vector<std::complex<double>> tapered(GridView<const float> window) {
  const int n = window.width();
  const double middle = (n - 1) / 2.0;
  double mean = 0, east = 0, south = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const double z = window(x, y);
      mean += z, east += z * (x - middle), south += z * (y - middle);
    }
  const double cells = static_cast<double>(n) * n;
  const double moment = cells * (cells - 1) / 12;  // sum of (x - middle)^2 over the window
  mean /= cells, east /= moment, south /= moment;
  std::vector<double> hann(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) hann[static_cast<std::size_t>(i)] = 0.5 - 0.5 * exact::cos(2 * exact::kPi * i / n);
  std::vector<std::complex<double>> out(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const double z = window(x, y) - mean - east * (x - middle) - south * (y - middle);
      out[static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x)] =
          z * hann[static_cast<std::size_t>(x)] * hann[static_cast<std::size_t>(y)];
    }
  return out;
}

// Mean power in rings of wave number, equally wide in its logarithm.
struct Rings {
  std::vector<double> log_k, log_power;
  std::int64_t waves = 0;
};

constexpr double kRingDecades = 0.05;
constexpr double kLongestWaves = 4;   // across the window: longer waves are shaped by the taper
constexpr double kShortestCells = 4;  // a wave: shorter ones are shaped by how the model was made

Rings rings_of(const std::vector<std::complex<double>>& spectrum, int n, const CellGeometry::Row& cell) {
  const double longest = kLongestWaves / (n * std::max(cell.dx_m, cell.dy_m));
  const double shortest = 1 / (kShortestCells * std::max(cell.dx_m, cell.dy_m));
  const auto count = exact::floor_to_int(log10_of(shortest / longest) / kRingDecades) + 1;
  std::vector<double> power(static_cast<std::size_t>(count)), logs(power.size()), waves(power.size());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double kx = (i <= n / 2 ? i : i - n) / (n * cell.dx_m);
      const double ky = (j <= n / 2 ? j : j - n) / (n * cell.dy_m);
      const double k = std::sqrt(kx * kx + ky * ky);
      if (!(k >= longest && k <= shortest)) continue;
      const double log_k = log10_of(k);
      const auto ring = exact::floor_to_int((log_k - log10_of(longest)) / kRingDecades);
      const auto r = static_cast<std::size_t>(std::clamp<std::int64_t>(ring, 0, count - 1));
      const std::complex<double>& wave =
          spectrum[static_cast<std::size_t>(j) * static_cast<std::size_t>(n) + static_cast<std::size_t>(i)];
      // Not std::norm, which goes through libm's hypot.
      power[r] += wave.real() * wave.real() + wave.imag() * wave.imag();
      logs[r] += log_k;
      waves[r] += 1;
    }
  Rings rings;
  for (std::size_t r = 0; r < power.size(); ++r) {
    if (!(power[r] > 0)) continue;
    rings.log_k.push_back(logs[r] / waves[r]);
    rings.log_power.push_back(log10_of(power[r] / waves[r]));
    rings.waves += static_cast<std::int64_t>(waves[r]);
  }
  return rings;
}

LineFit fit_between(const Rings& rings, double from, double to) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < rings.log_k.size(); ++i)
    if (rings.log_k[i] >= from && rings.log_k[i] <= to) x.push_back(rings.log_k[i]), y.push_back(rings.log_power[i]);
  return fit_line(x, y);
}

}  // namespace

void measure_spectrum(const Land& land, const Exec& exec, FigureList& out) {
  const Square land_square = largest_square(land.ground);
  const int n = fourier_size(land_square.side);
  constexpr int kLeast = 32;
  Rings rings;
  LineFit whole, long_half, short_half;
  if (n >= kLeast) {
    const int inset = (land_square.side - n) / 2;
    const GridView<const float> window = land.ground.view().window(land_square.x + inset, land_square.y + inset, n, n);
    std::vector<std::complex<double>> cells = tapered(window);
    fourier_square(cells, n, exec);
    rings = rings_of(cells, n, land.geometry->row(land_square.y + inset + n / 2));
    if (rings.log_k.size() >= 4) {
      const double middle = (rings.log_k.front() + rings.log_k.back()) / 2;
      whole = fit_between(rings, -1e30, 1e30);
      long_half = fit_between(rings, -1e30, middle);
      short_half = fit_between(rings, middle, 1e30);
    }
  }
  const std::string how = "radial power of the largest square of land (" + std::to_string(n >= kLeast ? n : 0) +
                          " cells a side), plane removed, Hann window; ";
  out.add("spectrum", -whole.slope, "", how + "exponent over wave lengths from 1/4 of the side to 4 cells",
          rings.waves);
  out.add("spectrum-long", -long_half.slope, "", "exponent over the longer half of those (of the logarithm)",
          rings.waves);
  out.add("spectrum-short", -short_half.slope, "", "exponent over the shorter half", rings.waves);
}

}  // namespace thalweg::hydrology::internal
