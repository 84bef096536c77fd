// Compares the parallel droplets with the classical sequence: a table of figures on standard output and shaded relief
// side by side (before, sequential, parallel) as a PGM file. Usage: compare_droplets OUT.pgm [size] [crop] [octaves]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "thalweg/erosion/sequential_droplets.h"
#include "thalweg/erosion/test_land.h"

using namespace thalweg;
using namespace thalweg::erosion;

namespace {

constexpr double kCellM = 8;

unsigned char shade(GridView<const float> h, int x, int y) {
  const double exaggeration = 1 / (2 * kCellM);
  const double gx = static_cast<double>(h(x + 1, y) - h(x - 1, y)) * exaggeration;
  const double gy = static_cast<double>(h(x, y + 1) - h(x, y - 1)) * exaggeration;
  const double light = (0.5 * gx + 0.5 * gy + std::sqrt(0.5)) / std::sqrt(gx * gx + gy * gy + 1);
  return static_cast<unsigned char>(255 * std::clamp(light, 0.0, 1.0));
}

void print(const char* name, GridView<const float> ground, const GroundFigures& to, double rms) {
  const GroundFigures f = ground_figures(ground);
  std::printf("%-28s rms %6.2f m  pits %6lld  deepest %5.2f m  kurtosis %5.2f  fine %.2f  coarse %.2f\n", name, rms,
              static_cast<long long>(f.pits), f.deepest, f.kurtosis, f.fine / to.fine, f.coarse / to.coarse);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const int size = count > 2 ? std::atoi(arguments[2]) : 513;
  const int crop = std::min(count > 3 ? std::atoi(arguments[3]) : 300, size - 40);
  const int octaves = count > 4 ? std::atoi(arguments[4]) : 7;
  const GridSpec spec = test_spec(size, size, kCellM);
  const Grid<float> land = test_land(spec, 1, octaves);
  const DropletParams params;
  const auto in_sequence = [&](std::uint64_t seed) {
    SequentialDroplets reference(params, kCellM, land);
    reference.run(seed, spec);
    return reference.ground();
  };
  const Grid<float> sequential = in_sequence(7);
  const Grid<float> other = in_sequence(8);
  Grid<float> parallel(size, size);
  droplets(params, 7, spec, -1e9, land, parallel, {}, {}, Exec());
  const GroundFigures to = ground_figures(sequential);
  print("before", land, to, root_mean_square(land, sequential));
  print("sequential", sequential, to, 0);
  print("sequential, another seed", other, to, root_mean_square(other, sequential));
  print("parallel", parallel, to, root_mean_square(parallel, sequential));

  std::ofstream file(arguments[1], std::ios::binary);
  const int gap = 4;
  file << "P5\n" << 3 * crop + 2 * gap << ' ' << crop << "\n255\n";
  const int from = (size - crop) / 2;
  for (int y = from; y < from + crop; ++y) {
    std::string row;
    for (const Grid<float>* grid : {&land, &sequential, static_cast<const Grid<float>*>(&parallel)}) {
      if (!row.empty()) row.append(gap, '\xFF');
      for (int x = from; x < from + crop; ++x) row.push_back(static_cast<char>(shade(*grid, x, y)));
    }
    file << row;
  }
  return file.good() ? 0 : 3;
}
