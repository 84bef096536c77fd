#include "thalweg/shape/blur.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "thalweg/core/exact_math.h"

namespace thalweg::shape {
namespace {

constexpr int kMostHaloCells = 2048;

// Cells of `step_m` within the cut-off; a cut-off that is a multiple of the step counts despite rounding.
int halo_cells(double radius_m, double step_m) {
  const double cells = std::floor(1.5 * radius_m / step_m * (1.0 + 1e-12));
  return cells < kMostHaloCells ? static_cast<int>(cells) : kMostHaloCells;
}

// weights[k] of the samples k cells to either side.
struct Kernel {
  double step_m = 0;
  std::vector<double> weights;

  int halo() const { return static_cast<int>(weights.size()) - 1; }
  void set(double radius_m, double new_step_m) {
    if (new_step_m == step_m) return;
    step_m = new_step_m;
    weights.resize(static_cast<std::size_t>(halo_cells(radius_m, step_m)) + 1);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double deviations = static_cast<double>(k) * step_m / (0.5 * radius_m);
      weights[k] = exact::exp(-0.5 * deviations * deviations);
    }
  }
};

// A row of sums with zeros for a halo to either side.
class PaddedRow {
 public:
  void resize(int width, int halo) {
    if (halo == halo_ && cells_.size() == static_cast<std::size_t>(width) + 2 * static_cast<std::size_t>(halo)) return;
    halo_ = halo;
    cells_.assign(static_cast<std::size_t>(width) + 2 * static_cast<std::size_t>(halo), 0.0);
  }
  double* data() { return cells_.data() + halo_; }

 private:
  int halo_ = -1;
  std::vector<double> cells_;
};

// Present samples of a row times their weight, or the weights alone, added to sums. What is missing adds 0 to both, the
// same as samples beyond the grid. The weight of a sample comes first and the sums run from the centre outward in
// pairs, the same order with and without gaps.
void add_values(const float* a, const float* b, double weight, int width, double* sums) {
  for (int x = 0; x < width; ++x) {
    const double p = a[x] == a[x] ? a[x] : 0.0F;
    const double q = b[x] == b[x] ? b[x] : 0.0F;
    sums[x] += weight * (p + q);
  }
}
void add_presence(const float* a, const float* b, double weight, int width, double* sums) {
  for (int x = 0; x < width; ++x) {
    const double p = a[x] == a[x] ? 1.0 : 0.0;
    const double q = b[x] == b[x] ? 1.0 : 0.0;
    sums[x] += weight * (p + q);
  }
}

// Weighted sums along a padded row. Chunks keep their sums in registers.
void convolve_row(const Kernel& kernel, const double* from, int width, double* to) {
  constexpr int kChunk = 16;
  const int halo = kernel.halo();
  int x = 0;
  for (; x + kChunk <= width; x += kChunk) {
    double sums[kChunk];
    for (int i = 0; i < kChunk; ++i) sums[i] = kernel.weights[0] * from[x + i];
    for (int k = 1; k <= halo; ++k) {
      const double weight = kernel.weights[static_cast<std::size_t>(k)];
      const double* left = from + x - k;
      const double* right = from + x + k;
      for (int i = 0; i < kChunk; ++i) sums[i] += weight * (left[i] + right[i]);
    }
    for (int i = 0; i < kChunk; ++i) to[x + i] = sums[i];
  }
  for (; x < width; ++x) {
    double sum = kernel.weights[0] * from[x];
    for (int k = 1; k <= halo; ++k) sum += kernel.weights[static_cast<std::size_t>(k)] * (from[x - k] + from[x + k]);
    to[x] = sum;
  }
}

// Blurs one row after another. Sums are double: their rounding errors are some 1e-13 of the values, which vanish in
// the rounding to float, so that a constant stays what it is.
class RowBlur {
 public:
  RowBlur(const BlurParams& params, const CellGeometry& geometry, GridView<const float> in,
          const std::vector<unsigned char>& has_gap)
      : params_(params), geometry_(geometry), in_(in), has_gap_(has_gap) {}

  void row(int y, float* out) {
    const int width = in_.width();
    const CellGeometry::Row& cell = geometry_.row(y);
    down_.set(params_.radius_m, cell.dy_m);
    const bool same_across = across_.step_m == cell.dx_m;
    across_.set(params_.radius_m, cell.dx_m);
    if (!same_across) last_total_ = 0;
    values_.resize(width, across_.halo());
    presence_.resize(width, across_.halo());
    sums_.resize(static_cast<std::size_t>(width));
    weights_.resize(static_cast<std::size_t>(width));

    sum_columns(y);
    convolve_row(across_, values_.data(), width, sums_.data());
    if (!weigh_columns(y)) convolve_row(across_, presence_.data(), width, weights_.data());
    const float* here = in_.row(y);
    for (int x = 0; x < width; ++x) {
      const auto mean = static_cast<float>(sums_[static_cast<std::size_t>(x)] / weights_[static_cast<std::size_t>(x)]);
      out[x] = here[x] == here[x] ? mean : here[x];
    }
  }

 private:
  // The row k cells above or below, or a row of NoData.
  const float* row_or_gap(int y) {
    if (y >= 0 && y < in_.height()) return in_.row(y);
    if (gap_.empty()) gap_.assign(static_cast<std::size_t>(in_.width()), kNoData<float>);
    return gap_.data();
  }
  // Rows farther than this on both sides are beyond the grid.
  int reach(int y) const { return std::min(down_.halo(), std::max(y, in_.height() - 1 - y)); }

  void sum_columns(int y) {
    double* sums = values_.data();
    const float* here = in_.row(y);
    for (int x = 0; x < in_.width(); ++x) sums[x] = here[x] == here[x] ? here[x] : 0.0F;
    for (int k = 1; k <= reach(y); ++k)
      add_values(row_or_gap(y - k), row_or_gap(y + k), down_.weights[static_cast<std::size_t>(k)], in_.width(), sums);
  }

  // Sums of the weights of each column's present samples. True where weights_ of the row before still holds.
  bool weigh_columns(int y) {
    const int width = in_.width();
    double* sums = presence_.data();
    bool gaps = has_gap_[static_cast<std::size_t>(y)] != 0;
    double total = 1.0;
    for (int k = 1; k <= reach(y); ++k) {
      double present = 0;
      for (const int row : {y - k, y + k}) {
        if (row < 0 || row >= in_.height()) continue;
        present += 1.0;
        gaps = gaps || has_gap_[static_cast<std::size_t>(row)] != 0;
      }
      total += down_.weights[static_cast<std::size_t>(k)] * present;
    }
    if (!gaps) {
      if (total == last_total_) return true;
      last_total_ = total;
      std::fill(sums, sums + width, total);
      return false;
    }
    last_total_ = 0;
    const float* here = in_.row(y);
    for (int x = 0; x < width; ++x) sums[x] = here[x] == here[x] ? 1.0 : 0.0;
    for (int k = 1; k <= reach(y); ++k)
      add_presence(row_or_gap(y - k), row_or_gap(y + k), down_.weights[static_cast<std::size_t>(k)], width, sums);
    return false;
  }

  const BlurParams& params_;
  const CellGeometry& geometry_;
  GridView<const float> in_;
  const std::vector<unsigned char>& has_gap_;
  Kernel across_, down_;
  PaddedRow values_, presence_;
  std::vector<double> sums_, weights_;
  std::vector<float> gap_;
  double last_total_ = 0;
};

std::vector<unsigned char> find_gaps(GridView<const float> in, const Exec& exec) {
  std::vector<unsigned char> has_gap(static_cast<std::size_t>(in.height()));
  parallel_rows(exec, in.width(), in.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* row = in.row(y);
      int gaps = 0;
      for (int x = 0; x < in.width(); ++x) gaps |= row[x] == row[x] ? 0 : 1;
      has_gap[static_cast<std::size_t>(y)] = static_cast<unsigned char>(gaps);
    }
  });
  return has_gap;
}

}  // namespace

int blur_halo_cells(const BlurParams& params, double cell_m) {
  return halo_cells(params.radius_m, cell_m);
}

Status check_blur(const BlurParams& params, double cell_m) {
  THALWEG_TRY(validate(params));
  if (1.5 * params.radius_m / cell_m < kMostHaloCells + 1) return {};
  return input_error("radius_m must be at most " + format_number(std::floor(kMostHaloCells / 1.5 * cell_m)) +
                     " with cells of " + format_number(cell_m) + " m");
}

void blur(const BlurParams& params, const CellGeometry& geometry, GridView<const float> in, GridView<float> out,
          const Exec& exec) {
  assert(params.radius_m > 0);
  assert(in.width() == out.width() && in.height() == out.height() && geometry.height() >= in.height());
  const std::vector<unsigned char> has_gap = find_gaps(in, exec);
  parallel_rows(exec, out.width(), out.height(), [&](int begin, int end) {
    RowBlur rows(params, geometry, in, has_gap);
    for (int y = begin; y < end && !exec.cancelled(); ++y) rows.row(y, out.row(y));
  });
}

}  // namespace thalweg::shape
