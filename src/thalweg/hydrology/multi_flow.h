// Internal to hydrology: accumulation where a cell may drain to several neighbours.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology::internal {

/// Bytes with a rim of zeros one cell wide, so that row kernels and walks have no border cases. Cells are found by
/// index(x, y); the neighbour in direction d is step(d) further.
class RimmedBytes {
 public:
  RimmedBytes(int width, int height) : bytes_(width + 2, height + 2) {}

  std::int64_t index(int x, int y) const { return (std::int64_t{y} + 1) * bytes_.width() + x + 1; }
  std::ptrdiff_t step(std::size_t d) const { return kDy[d] * std::ptrdiff_t{bytes_.width()} + kDx[d]; }
  std::uint8_t* data() { return bytes_.data(); }
  /// Row y of the cells proper, -1 to height; [-1] and [width] may be read.
  std::uint8_t* row(int y) { return bytes_.row(y + 1) + 1; }
  const std::uint8_t* row(int y) const { return bytes_.row(y + 1) + 1; }
  /// The cells without the rim.
  GridView<std::uint8_t> inner() { return bytes_.view().window(1, 1, bytes_.width() - 2, bytes_.height() - 2); }

 private:
  Grid<std::uint8_t> bytes_;
};

/// What the cells give: area, or the weights where there are any.
struct Supply {
  const CellGeometry& geometry;
  GridView<const float> weight;  ///< may be empty
};

/// Units per 1 of the supply: the power of two with 2^51 <= total * units < 2^52, the total taken without signs.
/// Fails with the place of an infinite weight.
Result<double> units_of(const Supply& supply, int width, int height, const Exec& exec);
/// Row y of the supply in whole units.
void supply_row(const Supply& supply, double units, int y, int width, double* out);

/// Bit d of out[i]: the neighbour in direction d of (x0 + i, y) has that cell among its receivers; x0 + i < x1.
void donors_row(const RimmedBytes& receivers, int x0, int x1, int y, std::uint8_t* out);

/// The error for a cell on a cycle, where bit d of `waiting` says that the neighbour in direction d, which drains here,
/// has not been finished. Call only where a bit is set.
Error unfinished_error(RimmedBytes& waiting, int width, int height);

/// Pushes sums downstream: a cell is split when all its donors have been. `receivers`: bit d for each neighbour in the
/// grid that gets a share, which must not be NoData. `sums`: own amounts in units, whole; NaN where there is no cell.
/// `contaminated` (may be empty): 1 spreads along.
///
/// split(x, y, receivers, amount, give) calls give(d, part) for each bit with parts that are whole units. Sums of whole
/// numbers are exact, so the order in which donors arrive is of no matter.
template <class Split>
class MultiFlow {
 public:
  MultiFlow(const RimmedBytes& receivers, GridView<double> sums, GridView<std::uint8_t> contaminated,
            const Split& split, const Exec& exec)
      : receivers_(receivers),
        sums_(sums),
        contaminated_(contaminated),
        split_(split),
        exec_(exec),
        waiting_(sums.width(), sums.height()) {
    for (std::size_t d = 0; d < 8; ++d) {
      step_[d] = waiting_.step(d);
      sum_step_[d] = kDy[d] * sums.stride() + kDx[d];
      mask_step_[d] = kDy[d] * contaminated.stride() + kDx[d];
    }
  }

  Status run() {
    const int w = sums_.width();
    const int h = sums_.height();
    parallel_rows(exec_, w, h, [&](int y0, int y1) {
      for (int y = y0; y < y1; ++y) donors_row(receivers_, 0, w, y, waiting_.row(y));
    });
    if (exec_.cancelled()) return cancelled_error();
    std::atomic<std::int64_t> done{0};
    const bool shared = exec_.threads() > 1;
    parallel_rows(exec_, w, h, [&](int y0, int y1) { done += shared ? sweep<true>(y0, y1) : sweep<false>(y0, y1); });
    if (exec_.cancelled()) return cancelled_error();
    if (done != sums_.cells()) return unfinished_error(waiting_, w, h);
    return {};
  }

 private:
  struct Place {
    int x, y;
  };

  // Starts at every cell without donors, in stretches narrow enough that what lies around them stays in the cache.
  // Returns the number of cells finished.
  template <bool kShared>
  std::int64_t sweep(int y0, int y1) {
    std::vector<Place> ready(64);
    std::int64_t count = 0;
    for (int x0 = 0, w = sums_.width(); x0 < w && !exec_.cancelled(); x0 += kStretch) {
      const int x1 = w - x0 < kStretch ? w : x0 + kStretch;
      for (int y = y0; y < y1; ++y) {
        // Not taken from waiting_, where cells of these rows may be finished by others meanwhile.
        std::array<std::uint8_t, kStretch> donors;
        donors_row(receivers_, x0, x1, y, donors.data());
        for (int x = x0; x < x1; ++x) {
          if (donors[static_cast<std::size_t>(x - x0)] != 0) continue;
          ready[0] = {x, y};
          for (std::size_t waiting = 1; waiting > 0; ++count) {
            if (waiting + 8 > ready.size()) ready.resize(2 * ready.size());
            waiting = finish<kShared>(ready.data(), waiting - 1);
          }
        }
      }
    }
    return count;
  }

  // Finishes ready[top]; what has thereby become ready is put there in its stead. Returns the new end.
  template <bool kShared>
  std::size_t finish(Place* ready, std::size_t top) {
    const Place p = ready[top];
    const unsigned receivers = receivers_.row(p.y)[p.x];
    if (receivers == 0) return top;
    double* sum = sums_.row(p.y) + p.x;
    std::uint8_t* waiting = waiting_.row(p.y) + p.x;
    std::uint8_t* dirty = contaminated_.empty() ? nullptr : contaminated_.row(p.y) + p.x;
    const bool spread = dirty != nullptr && *dirty != 0;
    split_(p.x, p.y, receivers, *sum, [&](std::size_t d, double part) {
      add<kShared>(sum + sum_step_[d], part);
      if (spread) mark<kShared>(dirty + mask_step_[d]);
      // Written in any case and kept if it is ready, which no processor can foresee.
      ready[top] = {p.x + kDx[d], p.y + kDy[d]};
      top += deliver<kShared>(waiting + step_[d], static_cast<std::uint8_t>(1U << (d ^ 4U))) ? 1 : 0;
    });
    return top;
  }

  // Not std::atomic_ref: the browser's standard library has none yet.
  template <bool kShared>
  static void add(double* sum, double part) {
    if constexpr (kShared) {
      double old = 0;
      __atomic_load(sum, &old, __ATOMIC_RELAXED);
      double next = old + part;
      while (!__atomic_compare_exchange(sum, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) next = old + part;
    } else {
      *sum += part;
    }
  }
  template <bool kShared>
  static void mark(std::uint8_t* flag) {
    if constexpr (kShared) {
      __atomic_store_n(flag, std::uint8_t{1}, __ATOMIC_RELAXED);
    } else {
      *flag = 1;
    }
  }
  template <bool kShared>
  static bool deliver(std::uint8_t* waiting, std::uint8_t bit) {
    if constexpr (kShared) {
      return __atomic_fetch_and(waiting, static_cast<std::uint8_t>(~bit), __ATOMIC_ACQ_REL) == bit;
    } else {
      *waiting = static_cast<std::uint8_t>(*waiting & ~bit);
      return *waiting == 0;
    }
  }

  static constexpr int kStretch = 128;
  const RimmedBytes& receivers_;
  GridView<double> sums_;
  GridView<std::uint8_t> contaminated_;
  const Split& split_;
  const Exec& exec_;
  RimmedBytes waiting_;
  std::array<std::ptrdiff_t, 8> step_{};
  std::array<std::ptrdiff_t, 8> sum_step_{};
  std::array<std::ptrdiff_t, 8> mask_step_{};
};

/// The whole accumulation once receivers are known. Prepares `out` with the supply where `values` (the heights or
/// angles that made the receivers) has a cell, `contaminated` with the cells beside the border or NoData, and turns
/// units back at the end.
template <class V, class Split>
Status accumulate_shares(const Supply& supply, GridView<const V> values, const RimmedBytes& receivers,
                         const Split& split, GridView<double> out, GridView<std::uint8_t> contaminated,
                         const Exec& exec) {
  const int w = out.width();
  const int h = out.height();
  const Result<double> units = units_of(supply, w, h, exec);
  if (!units) return units.error();
  parallel_rows(exec, w, h, [&](int y0, int y1) {
    PaddedRows<V> rows(values);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      double* sum = out.row(y);
      supply_row(supply, *units, y, w, sum);
      const auto* here = rows.here();
      for (int x = 0; x < w; ++x) sum[x] = here[x] != here[x] ? kNoData<double> : sum[x];
      if (!contaminated.empty()) {
        std::uint8_t* flags = contaminated.row(y);
        find_outlets(rows.above(), here, rows.below(), w, nullptr, scratch.data(), flags);
        for (int x = 0; x < w; ++x) flags[x] = here[x] != here[x] ? std::uint8_t{0} : flags[x];
      }
      if (y + 1 < y1) rows.next();
    }
  });
  exec.progress(0.2);
  Status status = MultiFlow<Split>(receivers, out, contaminated, split, exec).run();
  if (!status) return status;
  const double per_unit = 1 / *units;
  parallel_rows(exec, w, h, [&](int y0, int y1) {
    for (int y = y0; y < y1; ++y) {
      double* sum = out.row(y);
      for (int x = 0; x < w; ++x) sum[x] *= per_unit;
    }
  });
  exec.progress(1);
  return {};
}

}  // namespace thalweg::hydrology::internal
