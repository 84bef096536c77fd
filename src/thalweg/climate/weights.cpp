#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "thalweg/climate/climate.h"
#include "thalweg/climate/slope.h"

namespace thalweg::climate {
namespace {

constexpr std::string_view kLayerNames[kLayers] = {"sand", "grass", "forest", "rock", "snow", "soil", "marsh", "scree"};

constexpr int kLayerCount = kLayers;
using Shares = std::array<double, kLayers>;

// Ground of each biome in hundredths, in the order of Layer: sand, grass, forest, rock, snow, soil, marsh, scree.
constexpr int kBiomeCount = 19;
constexpr std::uint8_t kGround[kBiomeCount][kLayers] = {
    {80, 0, 0, 5, 0, 5, 0, 10},    // sea bed
    {45, 0, 0, 5, 0, 30, 10, 10},  // lake bed
    {35, 0, 0, 15, 0, 10, 0, 40},  // river bed
    {95, 0, 0, 0, 0, 0, 0, 5},     // beach
    {0, 15, 0, 0, 0, 10, 75, 0},   // marsh
    {0, 0, 0, 45, 0, 20, 0, 35},   // bare
    {0, 0, 0, 40, 0, 45, 0, 15},   // scorched
    {0, 45, 0, 15, 5, 20, 5, 10},  // tundra
    {0, 0, 0, 0, 100, 0, 0, 0},    // snow
    {0, 0, 0, 90, 0, 0, 0, 10},    // rock
    {55, 10, 0, 5, 0, 25, 0, 5},   // temperate desert
    {5, 55, 15, 0, 0, 25, 0, 0},   // shrubland
    {0, 15, 80, 0, 0, 5, 0, 0},    // taiga
    {0, 95, 0, 0, 0, 5, 0, 0},     // grassland
    {0, 20, 75, 0, 0, 5, 0, 0},    // deciduous forest
    {0, 5, 90, 0, 0, 5, 0, 0},     // temperate rain forest
    {85, 0, 0, 5, 0, 10, 0, 0},    // subtropical desert
    {0, 30, 65, 0, 0, 5, 0, 0},    // seasonal forest
    {0, 5, 90, 0, 0, 5, 0, 0},     // tropical rain forest
};

constexpr int index_of(Layer layer) {
  return static_cast<int>(layer);
}
double& share(Shares& s, Layer layer) {
  return s[static_cast<std::size_t>(layer)];
}

double ramp(double v, double from, double to) {
  if (!(v > from)) return 0.0;
  if (v >= to) return 1.0;
  const double t = (v - from) / (to - from);
  return t * t * (3.0 - 2.0 * t);
}

// The ground of a square of cells and the `radius` cells around it, softened by a tent of that radius in both
// directions. All sums are exact integers, so neither tiles nor threads show. Cells off the map and NoData add nothing.
class Blend {
 public:
  explicit Blend(int radius) : radius_(radius) {}

  void run(GridView<const std::uint8_t> biome, int x, int y, int width, int height) {
    width_ = width;
    height_ = height;
    load(biome, x - radius_, y - radius_, width + 2 * radius_, height + 2 * radius_);
    used_ = 0;
    for (int l = 0; l < kLayerCount; ++l) {
      if (!present(l)) continue;
      used_layers_[used_++] = static_cast<std::size_t>(l);
      blur(l, sum_[static_cast<std::size_t>(l)]);
    }
  }
  // Shares that sum to 1; all 0 where no ground is within reach.
  Shares at(int x, int y) const {
    const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    std::int64_t total = 0;
    for (std::size_t n = 0; n < used_; ++n) total += sum_[used_layers_[n]][i];
    Shares shares{};
    if (total == 0) return shares;
    const double per_total = 1.0 / static_cast<double>(total);
    for (std::size_t n = 0; n < used_; ++n)
      shares[used_layers_[n]] = static_cast<double>(sum_[used_layers_[n]][i]) * per_total;
    return shares;
  }

 private:
  void load(GridView<const std::uint8_t> biome, int x0, int y0, int width, int height) {
    padded_width_ = width;
    padded_height_ = height;
    codes_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNoData<std::uint8_t>);
    seen_.fill(false);
    const int from = std::max(0, -x0);
    const int to = std::min(width, biome.width() - x0);
    for (int y = std::max(0, -y0); y < height && y0 + y < biome.height(); ++y) {
      const std::uint8_t* row = biome.row(y0 + y);
      for (int x = from; x < to; ++x) {
        const std::uint8_t code = row[x0 + x];
        codes_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] = code;
        seen_[code] = true;
      }
    }
  }
  bool present(int layer) const {
    for (int b = 0; b < kBiomeCount; ++b)
      if (seen_[static_cast<std::size_t>(b)] && kGround[b][layer] != 0) return true;
    return false;
  }
  // A tent is a box blurred by itself: two running sums of radius + 1 cells along the rows, then two down the columns.
  void blur(int layer, std::vector<std::int64_t>& sum) {
    std::array<std::int64_t, 256> ground{};
    for (int b = 0; b < kBiomeCount; ++b) ground[static_cast<std::size_t>(b)] = kGround[b][layer];
    const auto width = static_cast<std::size_t>(width_);
    const auto padded = static_cast<std::size_t>(padded_width_);
    rows_.assign(width * static_cast<std::size_t>(padded_height_), 0);
    line_.resize(padded);
    for (std::size_t y = 0; y < static_cast<std::size_t>(padded_height_); ++y) {
      for (std::size_t x = 0; x < padded; ++x) line_[x] = ground[codes_[y * padded + x]];
      box_along(line_.data(), padded);
      box_along(line_.data(), padded - static_cast<std::size_t>(radius_));
      std::copy_n(line_.begin(), width, rows_.begin() + static_cast<std::ptrdiff_t>(y * width));
    }
    box_down(rows_.data(), width, static_cast<std::size_t>(padded_height_));
    box_down(rows_.data(), width, static_cast<std::size_t>(padded_height_ - radius_));
    sum.assign(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(width * static_cast<std::size_t>(height_)));
  }
  // Replaces element i of `count` by the sum of elements i .. i + radius; the last `radius` elements are left over.
  void box_along(std::int64_t* data, std::size_t count) const {
    const auto reach = static_cast<std::size_t>(radius_);
    std::int64_t window = 0;
    for (std::size_t k = 0; k < reach; ++k) window += data[k];
    for (std::size_t i = 0; i + reach < count; ++i) {
      window += data[i + reach];
      const std::int64_t leaving = data[i];
      data[i] = window;
      window -= leaving;
    }
  }
  // The same down every one of `width` columns at once.
  void box_down(std::int64_t* data, std::size_t width, std::size_t count) {
    const auto reach = static_cast<std::size_t>(radius_);
    window_.assign(width, 0);
    std::int64_t* window = window_.data();
    for (std::size_t k = 0; k < reach; ++k)
      for (std::size_t x = 0; x < width; ++x) window[x] += data[k * width + x];
    for (std::size_t i = 0; i + reach < count; ++i) {
      const std::int64_t* entering = data + (i + reach) * width;
      std::int64_t* row = data + i * width;
      for (std::size_t x = 0; x < width; ++x) {
        const std::int64_t sum = window[x] + entering[x];
        window[x] = sum - row[x];
        row[x] = sum;
      }
    }
  }

  int radius_;
  int width_ = 0;
  int height_ = 0;
  int padded_width_ = 0;
  int padded_height_ = 0;
  std::vector<std::uint8_t> codes_;
  std::array<bool, 256> seen_{};
  std::vector<std::int64_t> line_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> window_;
  std::array<std::vector<std::int64_t>, kLayers> sum_;
  std::array<std::size_t, kLayers> used_layers_{};  ///< layers with any ground in reach, ascending
  std::size_t used_ = 0;
};

// Moves `part` of everything but `keep` to a mix of two layers.
void cover(Shares& s, double part, Layer a, Layer b, double share_of_b, Layer keep) {
  double moved = 0;
  for (int l = 0; l < kLayerCount; ++l) {
    if (l == index_of(keep)) continue;
    const double m = s[static_cast<std::size_t>(l)] * part;
    s[static_cast<std::size_t>(l)] -= m;
    moved += m;
  }
  share(s, a) += moved * (1.0 - share_of_b);
  share(s, b) += moved * share_of_b;
}

// Steep ground loses its cover to rock, snow included; worn ground shows rock (steep) or soil (flat); deposits cover
// it with scree (steep) or soil (flat). Snow lies over wear and deposits.
void modulate(Shares& s, double tan_slope, double wear, double deposit) {
  const double steep = ramp(tan_slope, 0.55, 1.0) * 0.85;
  if (steep > 0) cover(s, steep, Layer::rock, Layer::scree, 0.15, Layer::rock);
  if (wear > 0) cover(s, wear, Layer::soil, Layer::rock, ramp(tan_slope, 0.15, 0.6), Layer::snow);
  if (deposit > 0) cover(s, deposit, Layer::soil, Layer::scree, ramp(tan_slope, 0.2, 0.6), Layer::snow);
}

// Largest remainder: floors first, then one more for the largest remainders, lower layers first among equals.
std::array<std::uint8_t, kLayers> quantise(const Shares& s) {
  std::array<std::uint8_t, kLayers> weight{};
  Shares rest{};
  int left = 255;
  for (std::size_t l = 0; l < s.size(); ++l) {
    const double exact_weight = s[l] * 255.0;
    const int whole = std::min(static_cast<int>(exact_weight), left);
    weight[l] = static_cast<std::uint8_t>(whole);
    rest[l] = exact_weight - whole;
    left -= whole;
  }
  for (; left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t l = 1; l < rest.size(); ++l)
      if (rest[l] > rest[most]) most = l;
    ++weight[most];
    rest[most] -= 1.0;
  }
  return weight;
}

double fullness(GridView<const float> field, int x, int y, double full_m) {
  if (field.empty()) return 0.0;
  const double v = static_cast<double>(field(x, y)) / full_m;
  return v > 0.0 ? (v < 1.0 ? v : 1.0) : 0.0;  // NoData counts as none
}

int blend_radius(const WeightParams& params, const GridSpec& spec) {
  const double cells = params.blend_m / (spec.cell_m > spec.cell_y_m ? spec.cell_m : spec.cell_y_m);
  return cells < kMaxBlendCells ? static_cast<int>(cells + 0.5) : kMaxBlendCells;
}

}  // namespace

std::span<const std::string_view> layer_names() {
  return kLayerNames;
}

std::vector<Grid<std::uint32_t>> texture_weights(const WeightParams& params, const GridSpec& spec,
                                                 GridView<const std::uint8_t> biome, GridView<const float> height_m,
                                                 GridView<const float> wear_m, GridView<const float> deposit_m,
                                                 const Exec& exec) {
  assert(biome.width() == spec.width && biome.height() == spec.height);
  assert(height_m.width() == spec.width && height_m.height() == spec.height);
  std::vector<Grid<std::uint32_t>> out;
  for (int i = 0; i < kLayers / 4; ++i) out.emplace_back(spec.width, spec.height);
  if (biome.empty()) return out;
  const CellGeometry geometry = CellGeometry::of(spec);
  const int radius = blend_radius(params, spec);
  const int side = std::max(128, 2 * radius);
  const std::int64_t across = (std::int64_t{spec.width} + side - 1) / side;
  const std::int64_t down = (std::int64_t{spec.height} + side - 1) / side;
  const auto cell = [&](const Blend& blend, int x, int y, int in_x, int in_y) {
    Shares s = blend.at(in_x, in_y);
    if (biome(x, y) >= kBiomeCount) {  // NoData
      s = {};
      share(s, Layer::soil) = 1.0;
    } else {
      const double tan_slope = std::sqrt(detail::slope_tan2(height_m, geometry, x, y));
      modulate(s, tan_slope, fullness(wear_m, x, y, params.wear_full_m),
               fullness(deposit_m, x, y, params.deposit_full_m));
    }
    const std::array<std::uint8_t, kLayers> weight = quantise(s);
    for (std::size_t l = 0; l < weight.size(); ++l) {
      std::uint32_t& packed = out[l / 4](x, y);
      packed |= static_cast<std::uint32_t>(weight[l]) << (8 * (l % 4));
    }
  };
  parallel_for(exec, 0, across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    Blend blend(radius);
    for (std::int64_t tile = begin; tile < end; ++tile) {
      const int x0 = static_cast<int>(tile % across) * side;
      const int y0 = static_cast<int>(tile / across) * side;
      const int width = std::min(side, spec.width - x0);
      const int height = std::min(side, spec.height - y0);
      blend.run(biome, x0, y0, width, height);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) cell(blend, x0 + x, y0 + y, x, y);
    }
  });
  return out;
}

}  // namespace thalweg::climate
