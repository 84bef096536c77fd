#include "thalweg/hydrology/flats.h"

#include <limits>
#include <vector>

#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {
namespace {

// A pending cell that an exit has reached. Like kFlatPending it is no direction code and not NoData.
constexpr std::uint8_t kFlatReached = 253;

struct Place {
  int x, y;
};

// Cells that wait have no lower neighbour, so two that touch have the same height: fronts may run over them without
// looking at heights. They never lie on the border, so all eight neighbours exist.
template <class T, class Field>
class FlatSolver {
 public:
  FlatSolver(GridView<const T> height, GridView<std::uint8_t> directions, const Exec& exec)
      : height_(height), dir_(directions), exec_(exec) {}

  void run() {
    std::vector<Place> high;
    std::vector<Place> low;
    find_edges(high, low);
    if (exec_.cancelled()) return;
    field_ = Grid<Field>(height_.width(), height_.height());
    spread_from_higher(high);
    spread_from_exits(low);
    if (!exec_.cancelled()) assign();
  }

 private:
  // Cells beside higher ground, and cells beside an exit: a neighbour of the same height that does not wait.
  void find_edges(std::vector<Place>& high, std::vector<Place>& low) {
    const int w = height_.width();
    for (int y = 1; y + 1 < height_.height() && !exec_.cancelled(); ++y) {
      const std::uint8_t* row = dir_.row(y);
      for (int x = 1; x + 1 < w; ++x) {
        if (row[x] != kFlatPending) continue;
        bool beside_higher = false;
        bool beside_exit = false;
        const T h = height_(x, y);
        for (int d = 0; d < 8; ++d) {
          if (dir_(x + kDx[d], y + kDy[d]) == kFlatPending) continue;
          (height_(x + kDx[d], y + kDy[d]) == h ? beside_exit : beside_higher) = true;
        }
        if (beside_higher) high.push_back({x, y});
        if (beside_exit) low.push_back({x, y});
      }
    }
  }

  // field = distance from higher ground, from 1; 0 in a flat that has none.
  void spread_from_higher(std::vector<Place>& front) {
    for (const Place p : front) field_(p.x, p.y) = 1;
    std::vector<Place> next;
    for (Field level = 2; !front.empty() && !exec_.cancelled(); ++level) {
      next.clear();
      for (const Place p : front) {
        for (int d = 0; d < 8; ++d) {
          const int x = p.x + kDx[d];
          const int y = p.y + kDy[d];
          if (dir_(x, y) != kFlatPending || field_(x, y) != 0) continue;
          field_(x, y) = level;
          next.push_back({x, y});
        }
      }
      front.swap(next);
    }
  }

  // field = kBase + 2 * distance to the exit - distance from higher ground: never 0.
  void spread_from_exits(std::vector<Place>& front) {
    const auto reach = [&](int x, int y, Field level) {
      dir_(x, y) = kFlatReached;
      field_(x, y) = kBase + 2 * level - field_(x, y);
    };
    for (const Place p : front) reach(p.x, p.y, 1);
    std::vector<Place> next;
    for (Field level = 2; !front.empty() && !exec_.cancelled(); ++level) {
      next.clear();
      for (const Place p : front) {
        for (int d = 0; d < 8; ++d) {
          const int x = p.x + kDx[d];
          const int y = p.y + kDy[d];
          if (dir_(x, y) != kFlatPending) continue;
          reach(x, y, level);
          next.push_back({x, y});
        }
      }
      front.swap(next);
    }
  }

  // Only heights and the finished field are read here, never directions of other cells: rows may run in parallel.
  void assign() {
    parallel_rows(exec_, height_.width(), height_.height(), [&](int y0, int y1) {
      for (int y = y0; y < y1; ++y) {
        std::uint8_t* row = dir_.row(y);
        for (int x = 0, w = height_.width(); x < w; ++x) {
          if (row[x] == kFlatPending) row[x] = kNoFlow;
          if (row[x] == kFlatReached) row[x] = best_direction(x, y);
        }
      }
    });
  }

  // Lowest field wins, an exit before all; of equals a side neighbour before a diagonal one, then the lowest number.
  std::uint8_t best_direction(int x, int y) const {
    const T h = height_(x, y);
    Field best = std::numeric_limits<Field>::max();
    int found = 0;
    for (const int d : {0, 2, 4, 6, 1, 3, 5, 7}) {
      if (height_(x + kDx[d], y + kDy[d]) != h) continue;
      const Field f = field_(x + kDx[d], y + kDy[d]);  // 0 at an exit
      if (f >= best) continue;
      best = f;
      found = d;
    }
    return static_cast<std::uint8_t>(1 << found);
  }

  static constexpr Field kBase = Field{1} << (sizeof(Field) * 8 - 2);
  GridView<const T> height_;
  GridView<std::uint8_t> dir_;
  const Exec& exec_;
  Grid<Field> field_;
};

}  // namespace

template <class T>
void resolve_flats(GridView<const T> height, GridView<std::uint8_t> directions, const Exec& exec) {
  // Distances stay below the number of cells: 2 * 2^29 + 2^30 still fits 31 bits.
  if (height.cells() < (std::int64_t{1} << 29)) {
    FlatSolver<T, std::int32_t>(height, directions, exec).run();
  } else {
    FlatSolver<T, std::int64_t>(height, directions, exec).run();
  }
}

template void resolve_flats<std::int16_t>(GridView<const std::int16_t>, GridView<std::uint8_t>, const Exec&);
template void resolve_flats<std::int32_t>(GridView<const std::int32_t>, GridView<std::uint8_t>, const Exec&);
template void resolve_flats<float>(GridView<const float>, GridView<std::uint8_t>, const Exec&);
template void resolve_flats<double>(GridView<const double>, GridView<std::uint8_t>, const Exec&);

}  // namespace thalweg::hydrology::internal
