// Raising depressions with a gradient of the smallest representable steps.
//
// The result is the least surface with out = height at outlets and out >= max(height, next(lowest neighbour's out))
// elsewhere. Since next() only grows, cells can be settled in the order of their values as in Dijkstra's algorithm, and
// the answer does not depend on how ties are broken. Two short cuts keep most cells out of the heap:
// - a cell strictly above a settled neighbour keeps its height, whatever comes later: slopes are climbed at once, and
//   only cells where the climb stops beside an unsettled cell wait in the heap (Zhou 2016, Wei 2018);
// - raised cells come in rising order by themselves: a plain queue holds them, merged with the heap by value.
#include <algorithm>
#include <array>
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

// A first-in first-out list that keeps its memory.
template <class Item>
class Queue {
 public:
  bool empty() const { return head_ == items_.size(); }
  void push(const Item& item) { items_.push_back(item); }
  const Item& front() const { return items_[head_]; }
  void pop() {
    if (++head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    } else if (head_ >= 4096 && 2 * head_ >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }

 private:
  std::vector<Item> items_;
  std::size_t head_ = 0;
};

template <class T>
class EpsilonFlood {
 public:
  EpsilonFlood(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec)
      : height_(height), out_(out), exec_(exec), settled_(height.width(), height.height()) {
    for (std::size_t d = 0; d < 8; ++d) step_[d] = kDy[d] * std::ptrdiff_t{height.width()} + kDx[d];
    settle_outlets(outlets);
  }

  void run() {
    std::int64_t ticks = 0;
    for (;;) {
      climb_all();
      Entry e{};
      if (!raised_.empty() && (heap_.empty() || raised_.front().value <= heap_.front().value)) {
        e = raised_.front();
        raised_.pop();
      } else if (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        e = heap_.back();
        heap_.pop_back();
      } else {
        return;
      }
      if ((++ticks & 0xFFFF) == 0 && exec_.cancelled()) return;
      spill(e);
    }
  }

 private:
  struct Entry {
    T value;
    int x, y;
    bool operator<(const Entry& o) const { return value > o.value; }
  };
  struct Place {
    int x, y;
  };

  // Outlets and NoData are settled from the start. Only outlets beside other cells have anything to pass on.
  void settle_outlets(OutletMask outlets) {
    const int w = height_.width();
    PaddedRows<T> rows(height_);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    rows.start(0);
    for (int y = 0; y < height_.height(); ++y) {
      std::uint8_t* to = settled_.row(y);
      find_outlets(rows.above(), rows.here(), rows.below(), w, mask_row(outlets, y), scratch.data(), to);
      const T* from = height_.row(y);
      T* out = out_.row(y);
      for (int x = 0; x < w; ++x) {
        if (out != from) out[x] = from[x];
        if (to[x] != 0 && !is_nodata(from[x])) climb_.push_back({x, y});
      }
      if (y + 1 < height_.height()) rows.next();
    }
  }

  // Settles everything strictly above settled neighbours. Cells beside something they do not lie under are looked at
  // again when all climbs have ended: most of those neighbours have been climbed from another side by then. Who still
  // has one goes to the heap.
  void climb_all() {
    while (!climb_.empty()) {
      const Place p = climb_.back();
      climb_.pop_back();
      const T v = out_(p.x, p.y);
      bool spills = false;
      for_unsettled(p.x, p.y, [&](int x, int y) {
        if (out_(x, y) > v) {
          settled_(x, y) = 1;
          climb_.push_back({x, y});
        } else {
          spills = true;
        }
      });
      if (spills) candidates_.push_back(p);
    }
    for (const Place p : candidates_) {
      bool spills = false;
      for_unsettled(p.x, p.y, [&](int, int) { spills = true; });
      if (!spills) continue;
      heap_.push_back({out_(p.x, p.y), p.x, p.y});
      std::push_heap(heap_.begin(), heap_.end());
    }
    candidates_.clear();
  }

  template <class Visit>
  void for_unsettled(int x, int y, const Visit& visit) {
    const std::uint8_t* settled = settled_.row(y) + x;
    if (x > 0 && y > 0 && x + 1 < height_.width() && y + 1 < height_.height()) {
      for (std::size_t d = 0; d < 8; ++d)
        if (settled[step_[d]] == 0) visit(x + kDx[d], y + kDy[d]);
      return;
    }
    for (std::size_t d = 0; d < 8; ++d)
      if (height_.contains(x + kDx[d], y + kDy[d]) && settled[step_[d]] == 0) visit(x + kDx[d], y + kDy[d]);
  }

  // The lowest settled cell with neighbours left: those at or below it are raised just above it.
  void spill(const Entry& e) {
    const T above = next_up(e.value);
    for_unsettled(e.x, e.y, [&](int x, int y) {
      settled_(x, y) = 1;
      if (out_(x, y) > e.value) {
        climb_.push_back({x, y});
      } else {
        out_(x, y) = above;
        raised_.push({above, x, y});
      }
    });
  }

  GridView<const T> height_;
  GridView<T> out_;
  const Exec& exec_;
  Grid<std::uint8_t> settled_;
  std::array<std::ptrdiff_t, 8> step_{};
  std::vector<Place> climb_;
  std::vector<Place> candidates_;
  std::vector<Entry> heap_;
  Queue<Entry> raised_;
};

}  // namespace

template <class T>
void fill_epsilon(GridView<const T> height, OutletMask outlets, GridView<T> out, const Exec& exec) {
  assert(out.width() == height.width() && out.height() == height.height());
  if (height.empty()) return;
  EpsilonFlood<T>(height, outlets, out, exec).run();
  exec.progress(1);
}

template void fill_epsilon<float>(GridView<const float>, OutletMask, GridView<float>, const Exec&);
template void fill_epsilon<double>(GridView<const double>, OutletMask, GridView<double>, const Exec&);

}  // namespace thalweg::hydrology
