// Descent of every cell to a local minimum.
#include "thalweg/hydrology/basin_labels.h"

#include <array>
#include <vector>

#include "thalweg/hydrology/padded_rows.h"

namespace thalweg::hydrology::internal {
namespace {

// Where a cell points: a cell of its 3 x 3 neighbourhood, numbered in index order. kSelf is a minimum.
constexpr std::uint8_t kSelf = 4;
constexpr std::uint8_t kRoot = 9;  // outlet or NoData

// Lowest cell of the 3 x 3 around each cell. Candidates with a higher index must be lower to win, those with a lower
// index win ties: the order is total, so pointers cannot form a cycle. NaN never wins.
template <class Real>
void point_down(const Real* above, const Real* here, const Real* below, int width, std::uint8_t* code) {
  using Int = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  for (int x = 0; x < width; ++x) {
    Real best = here[x];
    Int k = kSelf;
    const auto later = [&](Real v, Int number) {
      const bool wins = v < best;
      best = wins ? v : best;
      k = wins ? number : k;
    };
    const auto earlier = [&](Real v, Int number) {
      const bool wins = v <= best;
      best = wins ? v : best;
      k = wins ? number : k;
    };
    later(here[x + 1], 5);
    later(below[x - 1], 6);
    later(below[x], 7);
    later(below[x + 1], 8);
    earlier(here[x - 1], 3);
    earlier(above[x + 1], 2);
    earlier(above[x], 1);
    earlier(above[x - 1], 0);
    code[x] = static_cast<std::uint8_t>(k);
  }
}

template <class T>
void point_rows(GridView<const T> height, OutletMask outlets, GridView<std::uint8_t> code, const Exec& exec) {
  const int w = height.width();
  parallel_rows(exec, w, height.height(), [&](int y0, int y1) {
    PaddedRows<T> rows(height);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> root(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      std::uint8_t* to = code.row(y);
      point_down(rows.above(), rows.here(), rows.below(), w, to);
      find_outlets(rows.above(), rows.here(), rows.below(), w, mask_row(outlets, y), scratch.data(), root.data());
      for (int x = 0; x < w; ++x) to[x] = root[x] != 0 ? kRoot : to[x];
      if (y + 1 < y1) rows.next();
    }
  });
}

// Follows the pointers to a cell whose label is known and writes it back along the way. Returns the number of labels.
std::uint32_t label_cells(GridView<const std::uint8_t> code, GridView<std::uint32_t> label, const Exec& exec) {
  const std::int64_t w = code.width();
  std::array<std::int64_t, 9> step{};
  for (int k = 0; k < 9; ++k) step[k] = (k / 3 - 1) * w + (k % 3 - 1);
  std::uint32_t count = kOutsideBasin + 1;
  const std::uint8_t* down = code.data();
  std::uint32_t* to = label.data();
  for (int y = 0; y < code.height() && !exec.cancelled(); ++y) {
    for (std::int64_t i = y * w, end = i + w; i < end; ++i) {
      if (to[i] != kUnsetBasin) continue;
      std::int64_t j = i;
      while (to[j] == kUnsetBasin && down[j] < kRoot && down[j] != kSelf) j += step[down[j]];
      std::uint32_t l = to[j];
      if (l == kUnsetBasin) {
        l = down[j] == kRoot ? kOutsideBasin : count++;
        to[j] = l;
      }
      for (std::int64_t k = i; k != j; k += step[down[k]]) to[k] = l;
    }
  }
  return count;
}

}  // namespace

template <class T>
std::uint32_t label_minima(GridView<const T> height, OutletMask outlets, GridView<std::uint32_t> label,
                           const Exec& exec) {
  assert(label.width() == height.width() && label.height() == height.height() && label.contiguous());
  Grid<std::uint8_t> code(height.width(), height.height());
  point_rows(height, outlets, code.view(), exec);
  exec.progress(0.33);
  const std::uint32_t labels = label_cells(code, label, exec);
  exec.progress(1);
  return labels;
}

template std::uint32_t label_minima<std::int16_t>(GridView<const std::int16_t>, OutletMask, GridView<std::uint32_t>,
                                                  const Exec&);
template std::uint32_t label_minima<std::int32_t>(GridView<const std::int32_t>, OutletMask, GridView<std::uint32_t>,
                                                  const Exec&);
template std::uint32_t label_minima<float>(GridView<const float>, OutletMask, GridView<std::uint32_t>, const Exec&);
template std::uint32_t label_minima<double>(GridView<const double>, OutletMask, GridView<std::uint32_t>, const Exec&);

}  // namespace thalweg::hydrology::internal
