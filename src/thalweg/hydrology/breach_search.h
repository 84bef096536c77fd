// Internal to hydrology: the cheapest way out of a pit, searched in its neighbourhood.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {

/// Dijkstra's algorithm from a pit over the sum of cut depths, where a cut in protected land costs kProtectedCostM
/// more; among equal costs the shorter way, then the lower cell index. Memory grows with the searched cells, not with
/// the grid, and is kept for the next search.
template <class T>
class BreachSearch {
 public:
  /// Marks of `drained`.
  static constexpr std::uint8_t kOutlet = 1;  ///< on the border or beside NoData
  static constexpr std::uint8_t kMarked = 2;  ///< in the caller's mask
  static constexpr std::uint8_t kCarved = 3;

  /// Whether water at `level` is out once it gets to a cell of height `h`.
  static bool is_end(double h, std::uint8_t drained, double level) {
    return h < level || drained == kOutlet || drained == kMarked || (drained == kCarved && h <= level);
  }

  enum class Outcome {
    found,   ///< way() leads from the pit to the first lower cell or outlet
    closed,  ///< no way within the limits
    capped,  ///< too many cells
  };
  struct Limits {
    double depth_m, length_m;
    std::int64_t cells;
  };

  /// Far more than cuts elsewhere add up to on real land.
  static constexpr double kProtectedCostM = 1e7;

  /// `drained` marks outlets and carved cells: places water leaves from. `protect` may be empty.
  BreachSearch(GridView<const T> height, GridView<const std::uint8_t> drained, const CellGeometry& geometry,
               const Limits& limits, GridView<const float> protect)
      : height_(height),
        drained_(drained),
        geometry_(geometry),
        limits_(limits),
        protect_(protect),
        slots_(kFirstSlots, 0) {}

  Outcome run(std::int64_t pit) {
    for (const Node& n : nodes_) slots_[n.slot] = 0;
    nodes_.clear();
    heap_.clear();
    const std::int64_t w = height_.width();
    const double level = static_cast<double>(height_(static_cast<int>(pit % w), static_cast<int>(pit / w)));
    reach(pit, 0, 0, kNone);
    std::int64_t budget = limits_.cells;
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Entry e = heap_.back();
      heap_.pop_back();
      if (nodes_[e.node].done) continue;
      nodes_[e.node].done = true;
      const int x = static_cast<int>(e.cell % w);
      const int y = static_cast<int>(e.cell / w);
      if (e.cell != pit && is_end(static_cast<double>(height_(x, y)), drained_(x, y), level)) return trace(e.node);
      if (--budget < 0) return Outcome::capped;
      for (int d = 0; d < 8; ++d) step(e, x, y, d, level);
    }
    return Outcome::closed;
  }
  /// Cells from the pit to the end of the way, both included.
  const std::vector<std::int64_t>& way() const { return way_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::size_t kFirstSlots = 1 << 14;
  struct Node {
    std::int64_t cell;
    double cost, length;
    std::uint32_t from;
    std::uint32_t slot;
    bool done;
  };
  struct Entry {
    double cost, length;
    std::int64_t cell;
    std::uint32_t node;
    bool operator<(const Entry& o) const {
      if (cost != o.cost) return cost > o.cost;
      if (length != o.length) return length > o.length;
      return cell > o.cell;
    }
  };

  void step(const Entry& e, int x, int y, int d, double level) {
    const int nx = x + kDx[static_cast<std::size_t>(d)];
    const int ny = y + kDy[static_cast<std::size_t>(d)];
    const double cut = std::max(0.0, static_cast<double>(height_(nx, ny)) - level);
    if (!(cut <= limits_.depth_m)) return;
    // The mean of both rows, so that the length does not depend on which way one goes.
    const double length = e.length + 0.5 * (geometry_.distance_m(y, d) + geometry_.distance_m(ny, d));
    if (!(length <= limits_.length_m)) return;
    const bool dear = cut > 0 && !protect_.empty() && protect_(nx, ny) >= 1;
    const double price = dear ? cut + kProtectedCostM : cut;
    reach(e.cell + std::int64_t{ny - y} * height_.width() + (nx - x), e.cost + price, length, e.node);
  }

  void reach(std::int64_t cell, double cost, double length, std::uint32_t from) {
    const std::uint32_t slot = find_slot(cell);
    std::uint32_t node = slots_[slot] - 1;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      slots_[slot] = node + 1;
      nodes_.push_back({cell, cost, length, from, slot, false});
      if (2 * nodes_.size() > slots_.size()) grow();
    } else {
      Node& n = nodes_[node];
      if (n.done || cost > n.cost || (cost == n.cost && length >= n.length)) return;
      n.cost = cost;
      n.length = length;
      n.from = from;
    }
    heap_.push_back({cost, length, cell, node});
    std::push_heap(heap_.begin(), heap_.end());
  }

  std::uint32_t find_slot(std::int64_t cell) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t s = (static_cast<std::uint64_t>(cell) * 0x9E3779B97F4A7C15ULL >> 32) & mask;
    while (slots_[s] != 0 && nodes_[slots_[s] - 1].cell != cell) s = (s + 1) & mask;
    return static_cast<std::uint32_t>(s);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].slot = find_slot(nodes_[i].cell);
      slots_[nodes_[i].slot] = static_cast<std::uint32_t>(i) + 1;
    }
  }

  Outcome trace(std::uint32_t node) {
    way_.clear();
    for (; node != kNone; node = nodes_[node].from) way_.push_back(nodes_[node].cell);
    std::reverse(way_.begin(), way_.end());
    return Outcome::found;
  }

  GridView<const T> height_;
  GridView<const std::uint8_t> drained_;
  const CellGeometry& geometry_;
  Limits limits_;
  GridView<const float> protect_;
  std::vector<std::uint32_t> slots_;  // hash of the cell -> node + 1
  std::vector<Node> nodes_;
  std::vector<Entry> heap_;
  std::vector<std::int64_t> way_;
};

}  // namespace thalweg::hydrology::internal
