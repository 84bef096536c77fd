// Directions of one tile and the flats it shares with others.
#include "thalweg/hydrology/tiled_d8.h"

#include <algorithm>
#include <array>

#include "thalweg/core/exec.h"
#include "thalweg/hydrology/flats.h"

namespace thalweg::hydrology {
namespace {

constexpr std::int64_t kUnknown = FlatDistance::kUnknown;
// Side neighbours before diagonal ones, as in the whole grid.
constexpr std::array<std::size_t, 8> kOrder = {0, 2, 4, 6, 1, 3, 5, 7};

// A code that an exit has reached, in the solver's own copy of the codes: no longer is_on_flat.
constexpr std::uint8_t kReached = 0x20;

// Distances on the flats of one tile, with a rim of one cell for what lies around. Field: int32_t or int64_t.
template <class Field>
class TileFlats {
 public:
  TileFlats(GridView<const std::uint8_t> codes, const FlatEdge& around)
      : width_(codes.width()),
        height_(codes.height()),
        codes_(width_ + 2, height_ + 2),
        field_(width_ + 2, height_ + 2),
        edge_(Perimeter(width_, height_).size()) {
    for (std::size_t d = 0; d < 8; ++d) step_[d] = kDy[d] * (std::int64_t{width_} + 2) + kDx[d];
    std::vector<std::int64_t> high;
    std::vector<std::int64_t> low;
    copy_codes(codes, high, low);
    spread_from_higher(high, seeds(around, &FlatDistance::from_higher));
    for (std::size_t i = 0; i < edge_.size(); ++i)
      if (const std::int64_t cell = edge_cell(i); is_on_flat(codes_[cell]))
        edge_[i] = {field_[cell] == 0 ? kUnknown : std::int64_t{field_[cell]}, kUnknown};
    spread_from_exits(low, seeds(around, &FlatDistance::to_exit));
    for (std::size_t i = 0; i < edge_.size(); ++i) {
      if (!edge_[i].on_flat()) continue;
      const std::int64_t cell = edge_cell(i);
      if ((codes_[cell] & kReached) == 0) continue;
      const std::int64_t higher = edge_[i].from_higher == kUnknown ? 0 : edge_[i].from_higher;
      edge_[i].to_exit = (std::int64_t{field_[cell]} - kBase + higher) / 2;
    }
    fill_rim(around);
  }

  /// Empty where no cell of it is on a flat.
  FlatEdge edge() const {
    const bool any = std::any_of(edge_.begin(), edge_.end(), [](const FlatDistance& p) { return p.on_flat(); });
    return any ? edge_ : FlatEdge();
  }

  std::uint8_t direction(int x, int y) const {
    const std::int64_t cell = index(x, y);
    if ((codes_[cell] & kFlatBesideExit) != 0) return static_cast<std::uint8_t>(1 << (codes_[cell] & 7));
    if ((codes_[cell] & kReached) == 0) return kNoFlow;
    const Field* field = field_.data() + cell;
    Field best = std::numeric_limits<Field>::max();
    std::size_t found = 0;
    for (const std::size_t d : kOrder) {
      const Field f = field[step_[d]];
      if (f == 0 || f >= best) continue;  // 0: no flat, and then higher
      best = f;
      found = d;
    }
    return static_cast<std::uint8_t>(1 << found);
  }

 private:
  struct Seed {
    std::int64_t distance;
    std::int64_t cell;
  };

  std::int64_t index(int x, int y) const { return (std::int64_t{y} + 1) * (std::int64_t{width_} + 2) + x + 1; }
  std::int64_t edge_cell(std::size_t i) const {
    const auto [x, y] = Perimeter(width_, height_).place(i);
    return index(x, y);
  }

  void copy_codes(GridView<const std::uint8_t> codes, std::vector<std::int64_t>& high, std::vector<std::int64_t>& low) {
    for (int y = 0; y < height_; ++y) {
      const std::uint8_t* from = codes.row(y);
      for (int x = 0; x < width_; ++x) {
        if (!is_on_flat(from[x])) continue;
        codes_[index(x, y)] = from[x];
        if ((from[x] & kFlatBesideHigher) != 0) high.push_back(index(x, y));
        if ((from[x] & kFlatBesideExit) != 0) low.push_back(index(x, y));
      }
    }
  }

  // Cells where a distance comes in from around, the least first.
  std::vector<Seed> seeds(const FlatEdge& around, std::int64_t FlatDistance::*which) const {
    std::vector<Seed> seeds;
    if (around.empty()) return seeds;
    const Perimeter rim(width_ + 2, height_ + 2);
    for (std::size_t i = 0; i < edge_.size(); ++i) {
      if (!is_on_flat(codes_[edge_cell(i)])) continue;
      const auto [x, y] = Perimeter(width_, height_).place(i);
      std::int64_t least = kUnknown;
      for (std::size_t d = 0; d < 8; ++d) {
        const int rx = x + 1 + kDx[d];
        const int ry = y + 1 + kDy[d];
        if (!rim.contains(rx, ry)) continue;
        const FlatDistance& q = around[rim.index(rx, ry)];
        if (q.on_flat()) least = std::min(least, q.*which);
      }
      if (least != kUnknown) seeds.push_back({least + 1, edge_cell(i)});
    }
    std::stable_sort(seeds.begin(), seeds.end(), [](const Seed& a, const Seed& b) { return a.distance < b.distance; });
    return seeds;
  }

  // Level by level; what comes in from around joins at its own level. wants(cell, level) tells whether a cell is new,
  // and marks it. Cells of `front` have level 1.
  template <class Wants>
  void spread(std::vector<std::int64_t>& front, const std::vector<Seed>& seeds, const Wants& wants) {
    std::vector<std::int64_t> next;
    std::size_t at = 0;
    std::int64_t level = 1;
    while (!front.empty() || at < seeds.size()) {
      ++level;
      if (front.empty()) level = std::max(level, seeds[at].distance);
      next.clear();
      for (const std::int64_t p : front)
        for (std::size_t d = 0; d < 8; ++d)
          if (wants(p + step_[d], level)) next.push_back(p + step_[d]);
      for (; at < seeds.size() && seeds[at].distance <= level; ++at)
        if (wants(seeds[at].cell, level)) next.push_back(seeds[at].cell);
      front.swap(next);
    }
  }

  void spread_from_higher(std::vector<std::int64_t>& front, const std::vector<Seed>& seeds) {
    std::uint8_t* codes = codes_.data();
    Field* field = field_.data();
    for (const std::int64_t p : front) field[p] = 1;
    spread(front, seeds, [=](std::int64_t p, std::int64_t level) {
      if (!is_on_flat(codes[p]) || field[p] != 0) return false;
      field[p] = static_cast<Field>(level);
      return true;
    });
  }

  // field = kBase + 2 * distance to the exit - distance from higher ground: never 0.
  void spread_from_exits(std::vector<std::int64_t>& front, const std::vector<Seed>& seeds) {
    std::uint8_t* codes = codes_.data();
    Field* field = field_.data();
    const auto reach = [=](std::int64_t p, std::int64_t level) {
      codes[p] = static_cast<std::uint8_t>(codes[p] | kReached);
      field[p] = static_cast<Field>(kBase + 2 * level - field[p]);
    };
    for (const std::int64_t p : front) reach(p, 1);
    spread(front, seeds, [=](std::int64_t p, std::int64_t level) {
      if (!is_on_flat(codes[p])) return false;
      reach(p, level);
      return true;
    });
  }

  void fill_rim(const FlatEdge& around) {
    const Perimeter rim(width_ + 2, height_ + 2);
    for (std::size_t i = 0; i < around.size(); ++i) {
      const FlatDistance& q = around[i];
      if (!q.on_flat() || q.to_exit == kUnknown) continue;
      const auto [x, y] = rim.place(i);
      field_(x, y) = static_cast<Field>(kBase + 2 * q.to_exit - (q.from_higher == kUnknown ? 0 : q.from_higher));
    }
  }

  static constexpr Field kBase = Field{1} << (sizeof(Field) * 8 - 2);
  int width_;
  int height_;
  Grid<std::uint8_t> codes_;  ///< 0 where no flat is
  Grid<Field> field_;
  FlatEdge edge_;
  std::array<std::int64_t, 8> step_{};
};

template <class Field>
void finish_tile(GridView<std::uint8_t> codes, const TileFlats<Field>& flats) {
  for (int y = 0; y < codes.height(); ++y) {
    std::uint8_t* row = codes.row(y);
    for (int x = 0; x < codes.width(); ++x)
      if (is_on_flat(row[x])) row[x] = flats.direction(x, y);
  }
}

template <class Field>
FlatEdge measure_or_finish(GridView<std::uint8_t> codes) {
  const TileFlats<Field> flats(codes, {});
  FlatEdge edge = flats.edge();
  if (edge.empty()) finish_tile(codes, flats);
  return edge;
}

}  // namespace

template <class T>
bool route_tile(GridView<const T> window, OutletMask outlets, const TileRect& place, const CellGeometry& geometry,
                int first_row, GridView<std::uint8_t> codes) {
  using internal::kFlatPending;
  assert(codes.width() == place.width && codes.height() == place.height);
  Grid<std::uint8_t> all(window.width(), window.height());
  internal::find_steepest<T>(window, geometry, first_row, outlets, all.view(), Exec());
  bool flats = false;
  for (int y = 0; y < place.height; ++y) {
    for (int x = 0; x < place.width; ++x) {
      const int wx = place.x + x;
      const int wy = place.y + y;
      std::uint8_t code = all(wx, wy);
      if (code == kFlatPending) {  // no outlet, so all neighbours exist
        flats = true;
        code = kOnFlat;
        for (const std::size_t d : kOrder) {
          const int nx = wx + kDx[d];
          const int ny = wy + kDy[d];
          if (all(nx, ny) == kFlatPending) continue;
          if (window(nx, ny) != window(wx, wy)) {
            code |= kFlatBesideHigher;
          } else if ((code & kFlatBesideExit) == 0) {
            code = static_cast<std::uint8_t>(code | kFlatBesideExit | d);
          }
        }
      }
      codes(x, y) = code;
    }
  }
  return flats;
}

FlatEdge start_flats(GridView<std::uint8_t> codes, bool far) {
  return far ? measure_or_finish<std::int64_t>(codes) : measure_or_finish<std::int32_t>(codes);
}

FlatEdge measure_flats(GridView<const std::uint8_t> codes, const FlatEdge& around, bool far) {
  return far ? TileFlats<std::int64_t>(codes, around).edge() : TileFlats<std::int32_t>(codes, around).edge();
}

void finish_flats(GridView<std::uint8_t> codes, const FlatEdge& around, bool far) {
  if (far) {
    finish_tile(codes, TileFlats<std::int64_t>(codes, around));
  } else {
    finish_tile(codes, TileFlats<std::int32_t>(codes, around));
  }
}

FlatEdge flats_around(const TilePlan& plan, std::int64_t tile, const std::vector<FlatEdge>& edges, bool& shorter) {
  const TileRect r = plan.tile(tile);
  const Perimeter rim(r.width + 2, r.height + 2);
  const Perimeter own_rim(r);
  const FlatEdge& own = edges[static_cast<std::size_t>(tile)];
  shorter = false;
  if (own.empty()) return {};
  FlatEdge around(rim.size());
  bool any = false;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto [x, y] = rim.place(i);
    const int gx = r.x + x - 1;
    const int gy = r.y + y - 1;
    if (gx < 0 || gy < 0 || gx >= plan.width || gy >= plan.height) continue;
    const std::int64_t u = plan.tile_of(gx, gy);
    const FlatEdge& other = edges[static_cast<std::size_t>(u)];
    if (other.empty()) continue;
    const TileRect o = plan.tile(u);
    around[i] = other[Perimeter(o).index(gx - o.x, gy - o.y)];
    if (!around[i].on_flat()) continue;
    any = true;
    const auto gains = [](std::int64_t theirs, std::int64_t ours) { return theirs != kUnknown && theirs + 1 < ours; };
    for (std::size_t d = 0; d < 8 && !shorter; ++d) {
      const int nx = x - 1 + kDx[d];
      const int ny = y - 1 + kDy[d];
      if (nx < 0 || ny < 0 || nx >= r.width || ny >= r.height) continue;
      const FlatDistance& p = own[own_rim.index(nx, ny)];
      shorter = p.on_flat() && (gains(around[i].from_higher, p.from_higher) || gains(around[i].to_exit, p.to_exit));
    }
  }
  if (!any) around.clear();
  return around;
}

template bool route_tile<std::int16_t>(GridView<const std::int16_t>, OutletMask, const TileRect&, const CellGeometry&,
                                       int, GridView<std::uint8_t>);
template bool route_tile<std::int32_t>(GridView<const std::int32_t>, OutletMask, const TileRect&, const CellGeometry&,
                                       int, GridView<std::uint8_t>);
template bool route_tile<float>(GridView<const float>, OutletMask, const TileRect&, const CellGeometry&, int,
                                GridView<std::uint8_t>);
template bool route_tile<double>(GridView<const double>, OutletMask, const TileRect&, const CellGeometry&, int,
                                 GridView<std::uint8_t>);

}  // namespace thalweg::hydrology
