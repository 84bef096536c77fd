// Accumulation over all lower neighbours. Shares are worked out from the heights when a cell is split.
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/direction_rows.h"
#include "thalweg/hydrology/multi_flow.h"
#include "thalweg/hydrology/routing.h"
#include "thalweg/hydrology/routing_math.h"

namespace thalweg::hydrology {
namespace {

using internal::all;
using internal::load_pair;
using internal::PaddedRows;
using internal::Pair;
using internal::RimmedBytes;
using internal::store_pair;

// Bits of the strictly lower neighbours; kept as Real so that every lane of a vector has the same width.
template <class Real>
void lower_row(const Real* above, const Real* here, const Real* below, int width, Real* bits) {
  for (int x = 0; x < width; ++x) {
    const Real h = here[x];
    const auto bit = [&](Real v, Real code) { return v < h ? code : Real{0}; };
    bits[x] = bit(here[x + 1], 1) + bit(below[x + 1], 2) + bit(below[x], 4) + bit(below[x - 1], 8) +
              bit(here[x - 1], 16) + bit(above[x - 1], 32) + bit(above[x], 64) + bit(above[x + 1], 128);
  }
}

// Masks of nearly all neighbours, 253 to 255, mean other things in a direction raster under work. This one stands in
// for them until the flats are resolved; then every cell that has it is looked at again.
constexpr std::uint8_t kManyLower = 127;

// d8()'s way through flats, outlets and NoData, but with all lower neighbours instead of the steepest.
template <class T>
void find_receivers(GridView<const T> height, OutletMask outlets, RimmedBytes& receivers, const Exec& exec) {
  using Real = internal::RealOf<T>;
  const int w = height.width();
  internal::route_rows<T>(height, outlets, receivers.inner(), exec, [&](const auto& rows, int, std::uint8_t* out) {
    std::vector<Real> lower(static_cast<std::size_t>(w));
    lower_row(rows.above(), rows.here(), rows.below(), w, lower.data());
    for (int x = 0; x < w; ++x) {
      const int bits = static_cast<int>(lower[static_cast<std::size_t>(x)]);
      out[x] = bits < internal::kFlatReached ? static_cast<std::uint8_t>(bits) : kManyLower;
    }
  });
  const auto lower_neighbours = [&](int x, int y) {
    unsigned bits = 0;
    for (std::size_t d = 0; d < 8; ++d) {
      const int nx = x + kDx[d];
      const int ny = y + kDy[d];
      if (height.contains(nx, ny) && !is_nodata(height(nx, ny)) && height(nx, ny) < height(x, y)) bits |= 1U << d;
    }
    return static_cast<std::uint8_t>(bits);
  };
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = receivers.row(y);
      for (int x = 0; x < w; ++x) {
        if (to[x] == kFlowNoData) to[x] = 0;
        if (to[x] == kManyLower) to[x] = lower_neighbours(x, y);
      }
    }
  });
}

enum class Power { zero, one, whole, any };

template <class T>
class MfdSplit {
 public:
  MfdSplit(GridView<const T> height, const CellGeometry& geometry, const MfdParams& params)
      : height_(height), exponent_(params.exponent), contour_(params.weights == MfdWeights::quinn) {
    const double p = params.exponent;
    power_ = p == 0                                        ? Power::zero
             : p == 1                                      ? Power::one
             : p <= 64 && p == static_cast<double>(int(p)) ? Power::whole
                                                           : Power::any;
    highest_bit_ = std::bit_floor(static_cast<unsigned>(p));
    for (std::size_t d = 0; d < 8; ++d) step_[d] = kDy[d] * height.stride() + kDx[d];
    const int rows = geometry.is_uniform() ? 1 : height.height();
    for (int y = 0; y < rows; ++y) {
      std::array<double, 8> per{};
      for (int d = 0; d < 8; ++d) per[static_cast<std::size_t>(d)] = 1 / geometry.distance_m(y, d);
      per_distance_.push_back(per);
    }
  }

  template <class Give>
  void operator()(int x, int y, unsigned receivers, double amount, const Give& give) const {
    if ((receivers & (receivers - 1)) == 0) return give(static_cast<std::size_t>(std::countr_zero(receivers)), amount);
    std::array<std::size_t, 8> d{};
    std::array<double, 8> weight{};
    const std::size_t n = weigh(x, y, receivers, d, weight);
    double total = 0;
    double most = 0;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      total += weight[i];
      largest = weight[i] > most ? i : largest;
      most = weight[i] > most ? weight[i] : most;
    }
    const double per_weight = amount / total;
    double rest = amount;
    for (std::size_t i = 0; i < n; ++i) {
      weight[i] = static_cast<double>(static_cast<std::int64_t>(weight[i] * per_weight));
      rest -= weight[i];
    }
    weight[largest] += rest;
    for (std::size_t i = 0; i < n; ++i) give(d[i], weight[i]);
  }

 private:
  // Weights of the receivers in the order of their numbers.
  [[gnu::always_inline]] std::size_t weigh(int x, int y, unsigned receivers, std::array<std::size_t, 8>& d,
                                           std::array<double, 8>& weight) const {
    const T* h = height_.row(y) + x;
    const std::array<double, 8>& per = per_distance_[per_distance_.size() == 1 ? 0 : static_cast<std::size_t>(y)];
    std::array<double, 8> contour{};
    std::size_t n = 0;
    double steepest = 0;
    for (unsigned rest = receivers; rest != 0; rest &= rest - 1, ++n) {
      d[n] = static_cast<std::size_t>(std::countr_zero(rest));
      contour[n] = per[d[n]];
      weight[n] = (static_cast<double>(*h) - static_cast<double>(h[step_[d[n]]])) * contour[n];
      steepest = weight[n] > steepest ? weight[n] : steepest;
    }
    if (steepest < 0x1p-1000) {  // its reciprocal would be too large
      for (double& w : weight) w *= 0x1p1000;
      steepest *= 0x1p1000;
    }
    const double per_steepest = 1 / steepest;
    for (std::size_t i = 0; i < n; i += 2) {
      Pair w = load_pair(&weight[i]);
      // The steepest counts as 1, so that no power is out of range. An infinite slope takes all, two share alike.
      w = w == steepest ? all<Pair>(1) : w * per_steepest;
      w = raise(w);
      store_pair(&weight[i], contour_ ? w * load_pair(&contour[i]) : w);
    }
    return n;
  }

  [[gnu::always_inline]] Pair raise(Pair w) const {
    if (power_ == Power::one) return w;
    if (power_ == Power::zero) return all<Pair>(1);
    if (power_ == Power::any) return internal::pow_of_share(w, exponent_);
    // From the second highest bit of the exponent down: square, and multiply where the bit is set.
    const auto e = static_cast<unsigned>(exponent_);
    Pair power = w;
    for (unsigned bit = highest_bit_ >> 1; bit != 0; bit >>= 1) power *= (e & bit) != 0 ? power * w : power;
    return power;
  }

  GridView<const T> height_;
  double exponent_;
  bool contour_;
  Power power_;
  unsigned highest_bit_;  // of a whole exponent
  std::array<std::ptrdiff_t, 8> step_{};
  std::vector<std::array<double, 8>> per_distance_;
};

template <class T>
Status accumulate(GridView<const T> height, const internal::Supply& supply, OutletMask outlets, const MfdParams& params,
                  GridView<double> out, const Exec& exec, GridView<std::uint8_t> contaminated) {
  assert(out.width() == height.width() && out.height() == height.height());
  assert(contaminated.empty() || (contaminated.width() == out.width() && contaminated.height() == out.height()));
  assert(supply.geometry.height() >= height.height());
  if (Status valid = validate(params); !valid) return valid;
  if (height.empty()) return {};
  RimmedBytes receivers(height.width(), height.height());
  find_receivers(height, outlets, receivers, exec.part(0, 0.4));
  if (exec.cancelled()) return cancelled_error();
  const MfdSplit<T> split(height, supply.geometry, params);
  return internal::accumulate_shares<T>(supply, height, receivers, split, out, contaminated, exec.part(0.4, 1));
}

}  // namespace

template <class T>
Status accumulate_mfd_area(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                           const MfdParams& params, GridView<double> out, const Exec& exec,
                           GridView<std::uint8_t> contaminated) {
  return accumulate<T>(height, {geometry, {}}, outlets, params, out, exec, contaminated);
}

template <class T>
Status accumulate_mfd_weighted(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets,
                               const MfdParams& params, GridView<const float> weight, GridView<double> out,
                               const Exec& exec, GridView<std::uint8_t> contaminated) {
  assert(weight.width() == height.width() && weight.height() == height.height());
  return accumulate<T>(height, {geometry, weight}, outlets, params, out, exec, contaminated);
}

template <class T>
Status accumulate_routed(const RoutingParams& params, GridView<const T> height, const CellGeometry& geometry,
                         OutletMask outlets, GridView<const float> weight, GridView<double> out, const Exec& exec) {
  const int w = height.width();
  const int h = height.height();
  const bool by_area = weight.empty();
  if (params.method == Routing::mfd) {
    return by_area ? accumulate_mfd_area<T>(height, geometry, outlets, params.mfd, out, exec)
                   : accumulate_mfd_weighted<T>(height, geometry, outlets, params.mfd, weight, out, exec);
  }
  const Exec routing = exec.part(0, 0.5);
  const Exec adding = exec.part(0.5, 1);
  if (params.method == Routing::dinf) {
    Grid<float> angles(w, h);
    dinf<T>(height, geometry, outlets, angles, routing);
    if (exec.cancelled()) return cancelled_error();
    return by_area ? accumulate_dinf_area(angles, geometry, out, adding)
                   : accumulate_dinf_weighted(angles, geometry, weight, out, adding);
  }
  Grid<std::uint8_t> directions(w, h);
  if (params.method == Routing::rho8) {
    rho8<T>(height, geometry, outlets, static_cast<std::uint64_t>(params.seed), directions, routing);
  } else {
    d8<T>(height, geometry, outlets, directions, routing);
  }
  if (exec.cancelled()) return cancelled_error();
  return by_area ? accumulate_area(directions, geometry, out, adding)
                 : accumulate_weighted(directions, weight, out, adding);
}

#define THALWEG_INSTANTIATE(T)                                                                                     \
  template Status accumulate_mfd_area<T>(GridView<const T>, const CellGeometry&, OutletMask, const MfdParams&,     \
                                         GridView<double>, const Exec&, GridView<std::uint8_t>);                   \
  template Status accumulate_mfd_weighted<T>(GridView<const T>, const CellGeometry&, OutletMask, const MfdParams&, \
                                             GridView<const float>, GridView<double>, const Exec&,                 \
                                             GridView<std::uint8_t>);                                              \
  template Status accumulate_routed<T>(const RoutingParams&, GridView<const T>, const CellGeometry&, OutletMask,   \
                                       GridView<const float>, GridView<double>, const Exec&)
THALWEG_INSTANTIATE(std::int16_t);
THALWEG_INSTANTIATE(std::int32_t);
THALWEG_INSTANTIATE(float);
THALWEG_INSTANTIATE(double);
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::hydrology
