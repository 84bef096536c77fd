// Planchon and Darboux 2002: flood everything, then let it drain.
#include <algorithm>
#include <limits>
#include <vector>

#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/padded_rows.h"
#include "thalweg/hydrology/real_steps.h"

namespace thalweg::hydrology {
namespace {

using internal::find_outlets;
using internal::mask_row;
using internal::next_up;
using internal::PaddedRows;

// Levels only ever fall, each to a height plus a number of steps, so the sweeps end.
template <class T>
class Draining {
 public:
  Draining(GridView<const T> height, OutletMask outlets, double epsilon_m, GridView<T> out, const Exec& exec)
      : height_(height), out_(out), epsilon_m_(epsilon_m), exec_(exec) {
    ground_ = Grid<T>(height.width(), height.height());
    for (int y = 0; y < height.height(); ++y) std::copy_n(height.row(y), height.width(), ground_.row(y));
    flood(outlets);
  }

  void run() {
    dry_upward();
    // Rows are swept again only where they or their neighbours changed since their last turn.
    const int h = height_.height();
    int sweep = 1;
    last_change_.assign(static_cast<std::size_t>(h), sweep);
    std::vector<int> last_turn(static_cast<std::size_t>(h), 0);
    for (bool changed = true; changed && !exec_.cancelled();) {
      changed = false;
      ++sweep;
      now_ = sweep;
      for (int i = 1; i + 1 < h; ++i) {
        const auto y = static_cast<std::size_t>((sweep & 2) != 0 ? i : h - 1 - i);
        const int newest = std::max({last_change_[y - 1], last_change_[y], last_change_[y + 1]});
        if (newest < last_turn[y]) continue;
        last_turn[y] = sweep;
        changed = sweep_row(static_cast<int>(y), (sweep & 1) != 0) || changed;
      }
    }
  }

 private:
  struct Place {
    int x, y;
  };

  void flood(OutletMask outlets) {
    const int w = height_.width();
    PaddedRows<T> rows(ground_.view());
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> outlet(static_cast<std::size_t>(w));
    rows.start(0);
    for (int y = 0; y < height_.height(); ++y) {
      find_outlets(rows.above(), rows.here(), rows.below(), w, mask_row(outlets, y), scratch.data(), outlet.data());
      for (int x = 0; x < w; ++x) {
        const bool keeps = outlet[static_cast<std::size_t>(x)] != 0;
        out_(x, y) = keeps ? ground_(x, y) : std::numeric_limits<T>::infinity();
        if (keeps && !is_nodata(ground_(x, y))) dry_.push_back({x, y});
      }
      if (y + 1 < height_.height()) rows.next();
    }
  }

  // The least level that is epsilon above `v`, rounded up.
  T above(T v) const {
    if (epsilon_m_ == 0) return v + T{0};  // +0 for both zeros, as in fill
    const double exact = static_cast<double>(v) + epsilon_m_;
    T up = static_cast<T>(exact);
    if (static_cast<double>(up) < exact || static_cast<double>(up) - static_cast<double>(v) < epsilon_m_)
      up = next_up(up);
    return up > std::numeric_limits<T>::max() ? std::max(v, std::numeric_limits<T>::max()) : up;
  }

  // From cells that stand at their own height: flooded neighbours high enough above them are dry too, and so on.
  void dry_upward() {
    while (!dry_.empty()) {
      const Place p = dry_.back();
      dry_.pop_back();
      const T level = above(out_(p.x, p.y));
      for (int d = 0; d < 8; ++d) {
        const int x = p.x + kDx[d];
        const int y = p.y + kDy[d];
        if (!out_.contains(x, y) || !(out_(x, y) > ground_(x, y)) || ground_(x, y) < level) continue;
        settle(x, y);
      }
    }
  }
  void settle(int x, int y) {
    out_(x, y) = ground_(x, y);
    if (!last_change_.empty()) last_change_[static_cast<std::size_t>(y)] = now_;
    dry_.push_back({x, y});
  }

  bool sweep_row(int y, bool eastward) {
    const int w = height_.width();
    bool changed = false;
    for (int i = 1; i + 1 < w; ++i) {
      const int x = eastward ? i : w - 1 - i;
      if (!(out_(x, y) > ground_(x, y))) continue;
      T lowest = std::numeric_limits<T>::infinity();
      for (int d = 0; d < 8; ++d) lowest = std::min(lowest, out_(x + kDx[d], y + kDy[d]));
      const T level = above(lowest);
      if (ground_(x, y) >= level) {
        settle(x, y);
        dry_upward();
        changed = true;
      } else if (level < out_(x, y)) {
        out_(x, y) = level;
        last_change_[static_cast<std::size_t>(y)] = now_;
        changed = true;
      }
    }
    return changed;
  }

  GridView<const T> height_;
  GridView<T> out_;
  double epsilon_m_;
  const Exec& exec_;
  Grid<T> ground_;  // a copy, since `out` may be the view of the heights
  std::vector<Place> dry_;
  std::vector<int> last_change_;
  int now_ = 0;
};

}  // namespace

template <class T>
void planchon_darboux(GridView<const T> height, OutletMask outlets, double epsilon_m, GridView<T> out,
                      const Exec& exec) {
  assert(out.width() == height.width() && out.height() == height.height() && epsilon_m >= 0);
  if (height.empty()) return;
  Draining<T>(height, outlets, epsilon_m, out, exec).run();
  exec.progress(1);
}

template void planchon_darboux<float>(GridView<const float>, OutletMask, double, GridView<float>, const Exec&);
template void planchon_darboux<double>(GridView<const double>, OutletMask, double, GridView<double>, const Exec&);

}  // namespace thalweg::hydrology
