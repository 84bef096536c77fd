#include "thalweg/hydrology/flats.h"

#include <array>
#include <limits>
#include <vector>

#include "thalweg/hydrology/directions.h"

namespace thalweg::hydrology::internal {
namespace {

struct Place {
  int x, y;
};

// Cells that wait have no lower neighbour, so two that touch have the same height: fronts may run over them without
// looking at heights. They never lie on the border, so all eight neighbours exist.
template <class T, class Field>
class FlatSolver {
 public:
  FlatSolver(GridView<const T> height, GridView<std::uint8_t> directions, const Exec& exec)
      : height_(height), dir_(directions), exec_(exec) {
    for (std::size_t d = 0; d < 8; ++d) {
      height_step_[d] = kDy[d] * height.stride() + kDx[d];
      dir_step_[d] = kDy[d] * directions.stride() + kDx[d];
      field_step_[d] = kDy[d] * std::ptrdiff_t{height.width()} + kDx[d];
    }
  }

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
        const T* h = height_.row(y) + x;
        for (std::size_t d = 0; d < 8; ++d) {
          if (row[x + dir_step_[d]] == kFlatPending) continue;
          (h[height_step_[d]] == *h ? beside_exit : beside_higher) = true;
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
        const std::uint8_t* dir = dir_.row(p.y) + p.x;
        Field* field = field_.row(p.y) + p.x;
        for (std::size_t d = 0; d < 8; ++d) {
          if (dir[dir_step_[d]] != kFlatPending || field[field_step_[d]] != 0) continue;
          field[field_step_[d]] = level;
          next.push_back({p.x + kDx[d], p.y + kDy[d]});
        }
      }
      front.swap(next);
    }
  }

  // field = kBase + 2 * distance to the exit - distance from higher ground: never 0.
  void spread_from_exits(std::vector<Place>& front) {
    const auto reach = [](std::uint8_t& dir, Field& field, Field level) {
      dir = kFlatReached;
      field = kBase + 2 * level - field;
    };
    for (const Place p : front) reach(dir_(p.x, p.y), field_(p.x, p.y), 1);
    std::vector<Place> next;
    for (Field level = 2; !front.empty() && !exec_.cancelled(); ++level) {
      next.clear();
      for (const Place p : front) {
        std::uint8_t* dir = dir_.row(p.y) + p.x;
        Field* field = field_.row(p.y) + p.x;
        for (std::size_t d = 0; d < 8; ++d) {
          if (dir[dir_step_[d]] != kFlatPending) continue;
          reach(dir[dir_step_[d]], field[field_step_[d]], level);
          next.push_back({p.x + kDx[d], p.y + kDy[d]});
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
    const T* h = height_.row(y) + x;
    const Field* field = field_.row(y) + x;
    Field best = std::numeric_limits<Field>::max();
    std::size_t found = 0;
    for (const std::size_t d : {0U, 2U, 4U, 6U, 1U, 3U, 5U, 7U}) {
      if (h[height_step_[d]] != *h) continue;
      const Field f = field[field_step_[d]];  // 0 at an exit
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
  std::array<std::ptrdiff_t, 8> height_step_{};
  std::array<std::ptrdiff_t, 8> dir_step_{};
  std::array<std::ptrdiff_t, 8> field_step_{};
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
