#include "thalweg/hydrology/multi_flow.h"

#include <algorithm>
#include <cmath>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/flow_graph.h"

namespace thalweg::hydrology::internal {
namespace {

double magnitude(float weight) {
  return is_nodata(weight) ? 0.0 : std::fabs(static_cast<double>(weight));
}

// Sums of the rows, each from west to east, added from north to south: one order whatever the threads.
Result<double> total_weight(GridView<const float> weight, const Exec& exec) {
  std::vector<double> row_sum(static_cast<std::size_t>(weight.height()));
  parallel_rows(exec, weight.width(), weight.height(), [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      double sum = 0;
      for (int x = 0; x < weight.width(); ++x) sum += magnitude(weight(x, y));
      row_sum[static_cast<std::size_t>(y)] = sum;
    }
  });
  double total = 0;
  for (int y = 0; y < weight.height(); ++y) {
    const double sum = row_sum[static_cast<std::size_t>(y)];
    if (std::isinf(sum)) {
      int x = 0;
      while (!std::isinf(weight(x, y))) ++x;
      return input_error("the weight is infinite", cell_text(x, y));
    }
    total += sum;
  }
  return total;
}

}  // namespace

Result<double> units_of(const Supply& supply, int width, int height, const Exec& exec) {
  double total = 0;
  if (supply.weight.empty()) {
    for (int y = 0; y < height; ++y) total += width * supply.geometry.row(y).area_m2;
  } else {
    const Result<double> sum = total_weight(supply.weight, exec);
    if (!sum) return sum.error();
    total = *sum;
  }
  int exponent = 0;
  std::frexp(total, &exponent);  // total < 2^exponent
  return total > 0 ? std::ldexp(1.0, 52 - exponent) : 1.0;
}

void supply_row(const Supply& supply, double units, int y, int width, double* out) {
  const auto whole = [](double v) { return static_cast<double>(exact::round_to_int(v)); };
  if (supply.weight.empty()) {
    std::fill(out, out + width, whole(supply.geometry.row(y).area_m2 * units));
    return;
  }
  const float* weight = supply.weight.row(y);
  for (int x = 0; x < width; ++x) out[x] = is_nodata(weight[x]) ? 0.0 : whole(static_cast<double>(weight[x]) * units);
}

void donors_row(const RimmedBytes& receivers, int x0, int x1, int y, std::uint8_t* out) {
  const std::uint8_t* a = receivers.row(y - 1) + x0;
  const std::uint8_t* b = receivers.row(y) + x0;
  const std::uint8_t* c = receivers.row(y + 1) + x0;
  for (int x = 0; x < x1 - x0; ++x) {
    // The neighbour in direction d gives here by its bit for the opposite direction, (d + 4) mod 8.
    const int bits = ((b[x + 1] >> 4) & 1) | ((c[x + 1] >> 4) & 2) | ((c[x] >> 4) & 4) | ((c[x - 1] >> 4) & 8) |
                     ((b[x - 1] << 4) & 16) | ((a[x - 1] << 4) & 32) | ((a[x] << 4) & 64) | ((a[x + 1] << 4) & 128);
    out[x] = static_cast<std::uint8_t>(bits);
  }
}

Error unfinished_error(RimmedBytes& waiting, int width, int height) {
  std::int64_t first = 0;
  const auto place_x = [&] { return static_cast<int>(first % width); };
  const auto place_y = [&] { return static_cast<int>(first / width); };
  while (first + 1 < std::int64_t{width} * height && waiting.row(place_y())[place_x()] == 0) ++first;
  int x = place_x();
  int y = place_y();
  // Upstream over cells that were never finished, until one comes again.
  RimmedBytes seen(width, height);
  while (seen.row(y)[x] == 0 && waiting.row(y)[x] != 0) {
    seen.row(y)[x] = 1;
    const auto d = static_cast<std::size_t>(std::countr_zero(unsigned{waiting.row(y)[x]}));
    x += kDx[d];
    y += kDy[d];
  }
  return cycle_error(x, y);
}

}  // namespace thalweg::hydrology::internal
