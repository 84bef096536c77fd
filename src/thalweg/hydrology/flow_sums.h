// Internal to hydrology: sums along the directions without sorting. Every cell knows which neighbours it waits for;
// whoever delivers last goes on.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/flow_graph.h"

namespace thalweg::hydrology::internal {

// Bit d of donors(x, y): the neighbour in direction d drains to (x, y). 0 on NoData.
inline void find_donors(GridView<const std::uint8_t> directions, GridView<std::uint8_t> donors, const Exec& exec) {
  const int w = directions.width();
  const int h = directions.height();
  parallel_rows(exec, w, h, [&](int y0, int y1) {
    std::vector<std::uint8_t> rim(static_cast<std::size_t>(w) + 2, kNoFlow);
    std::array<std::vector<std::uint8_t>, 3> rows = {rim, rim, rim};
    const auto load = [&](int y) {
      std::vector<std::uint8_t>& row = rows[static_cast<std::size_t>((y + 3) % 3)];
      for (int x = 0; x < w; ++x) {
        const std::uint8_t code = y >= 0 && y < h ? directions(x, y) : kNoFlow;
        row[static_cast<std::size_t>(x) + 1] = kNeighbourOfCode[code] >= 0 ? code : kNoFlow;
      }
    };
    load(y0 - 1);
    load(y0);
    for (int y = y0; y < y1; ++y) {
      load(y + 1);
      const std::uint8_t* a = rows[static_cast<std::size_t>((y + 2) % 3)].data() + 1;
      const std::uint8_t* b = rows[static_cast<std::size_t>(y % 3)].data() + 1;
      const std::uint8_t* c = rows[static_cast<std::size_t>((y + 1) % 3)].data() + 1;
      const std::uint8_t* own = directions.row(y);
      std::uint8_t* to = donors.row(y);
      for (int x = 0; x < w; ++x) {
        // The neighbour in direction d drains here when its code is the opposite direction, (d + 4) mod 8.
        const int bits = ((b[x + 1] >> 4) & 1) | ((c[x + 1] >> 4) & 2) | ((c[x] >> 4) & 4) | ((c[x - 1] >> 4) & 8) |
                         ((b[x - 1] << 4) & 16) | ((a[x - 1] << 4) & 32) | ((a[x] << 4) & 64) | ((a[x + 1] << 4) & 128);
        to[x] = own[x] == kFlowNoData ? std::uint8_t{0} : static_cast<std::uint8_t>(bits);
      }
    }
  });
}

// Own(x, y): what a cell gives. The sum of a cell is own + donors in the order of their numbers, whoever computes it.
template <class V, class Own>
class Accumulator {
 public:
  Accumulator(GridView<const std::uint8_t> directions, GridView<V> out, const Own& own, V nodata, const Exec& exec)
      : dir_(directions), out_(out), own_(own), nodata_(nodata), exec_(exec) {
    for (std::size_t d = 0; d < 8; ++d) {
      dir_step_[d] = kDy[d] * dir_.stride() + kDx[d];
      out_step_[d] = kDy[d] * out_.stride() + kDx[d];
    }
  }

  Status run() {
    const int w = dir_.width();
    const int h = dir_.height();
    if (dir_.empty()) return {};
    donors_ = Grid<std::uint8_t>(w, h);
    find_donors(dir_, donors_, exec_);
    exec_.progress(0.2);
    waiting_ = donors_.clone();
    std::atomic<std::int64_t> done{0};
    const bool shared = exec_.threads() > 1;
    parallel_rows(exec_, w, h, [&](int y0, int y1) {
      std::int64_t count = 0;
      for (int y = y0; y < y1; ++y) count += shared ? sweep_row<true>(y) : sweep_row<false>(y);
      done += count;
    });
    if (exec_.cancelled()) return cancelled_error();
    exec_.progress(1);
    if (done != dir_.cells()) return find_cycle(dir_);
    return {};
  }

 private:
  // Starts at every cell of the row without donors. Returns the number of cells finished.
  template <bool kShared>
  std::int64_t sweep_row(int y) {
    const std::uint8_t* donors = donors_.row(y);
    const std::uint8_t* dir = dir_.row(y);
    V* out = out_.row(y);
    std::int64_t count = 0;
    for (int x = 0, w = dir_.width(); x < w; ++x) {
      if (donors[x] != 0) continue;
      ++count;
      if (dir[x] == kFlowNoData) {
        out[x] = nodata_;
        continue;
      }
      out[x] = own_(x, y);
      if (kNeighbourOfCode[dir[x]] >= 0) count += walk<kShared>(x, y);
    }
    return count;
  }

  // Goes downstream from a finished cell as long as it is the last donor to arrive.
  template <bool kShared>
  std::int64_t walk(int x, int y) {
    const std::ptrdiff_t w = dir_.width();
    const std::uint8_t* dir = dir_.row(y) + x;
    const std::uint8_t* donors = donors_.row(y) + x;
    std::uint8_t* waiting = waiting_.row(y) + x;
    V* out = out_.row(y) + x;
    std::int64_t count = 0;
    for (;;) {
      const int signed_d = kNeighbourOfCode[*dir];
      if (signed_d < 0) return count;
      const auto d = static_cast<std::size_t>(signed_d);
      x += kDx[d];
      y += kDy[d];
      if (!dir_.contains(x, y)) return count;
      dir += dir_step_[d];
      donors += kDy[d] * w + kDx[d];
      waiting += kDy[d] * w + kDx[d];
      out += out_step_[d];
      if (*dir == kFlowNoData) return count;
      if (!deliver<kShared>(waiting, static_cast<std::uint8_t>(1U << (d ^ 4U)))) return count;
      V sum = own_(x, y);
      for (unsigned rest = *donors; rest != 0; rest &= rest - 1) sum += out[out_step_[lowest_bit(rest)]];
      *out = sum;
      ++count;
    }
  }

  static std::size_t lowest_bit(unsigned bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

  template <bool kShared>
  static bool deliver(std::uint8_t* waiting, std::uint8_t bit) {
    if constexpr (kShared) {
      // Not std::atomic_ref: the browser's standard library has none yet.
      return __atomic_fetch_and(waiting, static_cast<std::uint8_t>(~bit), __ATOMIC_ACQ_REL) == bit;
    } else {
      *waiting = static_cast<std::uint8_t>(*waiting & ~bit);
      return *waiting == 0;
    }
  }

  GridView<const std::uint8_t> dir_;
  GridView<V> out_;
  const Own& own_;
  V nodata_;
  const Exec& exec_;
  Grid<std::uint8_t> donors_;
  Grid<std::uint8_t> waiting_;
  std::array<std::ptrdiff_t, 8> dir_step_{};
  std::array<std::ptrdiff_t, 8> out_step_{};
};

template <class V, class Own>
Status accumulate(GridView<const std::uint8_t> directions, GridView<V> out, const Own& own, V nodata,
                  const Exec& exec) {
  assert(out.width() == directions.width() && out.height() == directions.height());
  return Accumulator<V, Own>(directions, out, own, nodata, exec).run();
}

}  // namespace thalweg::hydrology::internal
