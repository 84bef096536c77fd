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

struct Spot {
  int x, y;
};

// Distances on the flats of one tile. 0 in a field: not reached. Field: int32_t or int64_t.
template <class Field>
class TileFlats {
 public:
  TileFlats(GridView<const std::uint8_t> codes, const FlatEdge& around)
      : codes_(codes),
        around_(around),
        rim_(codes.width() + 2, codes.height() + 2),
        from_higher_(codes.width(), codes.height()),
        to_exit_(codes.width(), codes.height()) {
    spread(from_higher_, kFlatBesideHigher, &FlatDistance::from_higher);
    spread(to_exit_, kFlatBesideExit, &FlatDistance::to_exit);
  }

  FlatEdge edge() const {
    const Perimeter own(codes_.width(), codes_.height());
    FlatEdge edge(own.size());
    bool any = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto [x, y] = own.place(i);
      if (!is_on_flat(codes_(x, y))) continue;
      any = true;
      edge[i] = {known(from_higher_(x, y)), known(to_exit_(x, y))};
    }
    if (!any) edge.clear();
    return edge;
  }

  std::uint8_t direction(int x, int y) const {
    const std::uint8_t code = codes_(x, y);
    if ((code & kFlatBesideExit) != 0) return static_cast<std::uint8_t>(1 << (code & 7));
    if (to_exit_(x, y) == 0) return kNoFlow;
    std::int64_t best = kUnknown;
    std::size_t found = 0;
    for (const std::size_t d : kOrder) {
      const int nx = x + kDx[d];
      const int ny = y + kDy[d];
      std::int64_t value = kUnknown;
      if (codes_.contains(nx, ny)) {
        if (is_on_flat(codes_(nx, ny))) value = 2 * std::int64_t{to_exit_(nx, ny)} - from_higher_(nx, ny);
      } else if (const FlatDistance q = outer(nx, ny); q.on_flat()) {
        value = 2 * q.to_exit - (q.from_higher == kUnknown ? 0 : q.from_higher);
      }
      if (value >= best) continue;
      best = value;
      found = d;
    }
    return static_cast<std::uint8_t>(1 << found);
  }

 private:
  struct Seed {
    std::int64_t distance;
    Spot spot;
  };

  static std::int64_t known(Field distance) { return distance == 0 ? kUnknown : std::int64_t{distance}; }
  FlatDistance outer(int x, int y) const {
    return around_.empty() ? FlatDistance() : around_[rim_.index(x + 1, y + 1)];
  }

  // Cells where a distance comes in from around, the least first.
  std::vector<Seed> seeds_from_around(std::int64_t FlatDistance::*which) const {
    std::vector<Seed> seeds;
    if (around_.empty()) return seeds;
    const Perimeter own(codes_.width(), codes_.height());
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto [x, y] = own.place(i);
      if (!is_on_flat(codes_(x, y))) continue;
      std::int64_t least = kUnknown;
      for (std::size_t d = 0; d < 8; ++d) {
        if (codes_.contains(x + kDx[d], y + kDy[d])) continue;
        const FlatDistance q = outer(x + kDx[d], y + kDy[d]);
        if (q.on_flat()) least = std::min(least, q.*which);
      }
      if (least != kUnknown) seeds.push_back({least + 1, {x, y}});
    }
    std::stable_sort(seeds.begin(), seeds.end(), [](const Seed& a, const Seed& b) { return a.distance < b.distance; });
    return seeds;
  }

  // Level by level; what comes in from around joins at its own level.
  void spread(Grid<Field>& field, std::uint8_t start_bit, std::int64_t FlatDistance::*which) {
    const std::vector<Seed> seeds = seeds_from_around(which);
    std::vector<Spot> front;
    std::vector<Spot> next;
    for (int y = 0; y < codes_.height(); ++y)
      for (int x = 0; x < codes_.width(); ++x)
        if (const std::uint8_t c = codes_(x, y); is_on_flat(c) && (c & start_bit) != 0) {
          field(x, y) = 1;
          front.push_back({x, y});
        }
    std::size_t at = 0;
    std::int64_t level = 1;
    while (!front.empty() || at < seeds.size()) {
      ++level;
      if (front.empty()) level = std::max(level, seeds[at].distance);
      next.clear();
      const auto reach = [&](int x, int y) {
        if (field(x, y) != 0) return;
        field(x, y) = static_cast<Field>(level);
        next.push_back({x, y});
      };
      for (const Spot p : front)
        for (std::size_t d = 0; d < 8; ++d) {
          const int nx = p.x + kDx[d];
          const int ny = p.y + kDy[d];
          if (codes_.contains(nx, ny) && is_on_flat(codes_(nx, ny))) reach(nx, ny);
        }
      for (; at < seeds.size() && seeds[at].distance <= level; ++at) reach(seeds[at].spot.x, seeds[at].spot.y);
      front.swap(next);
    }
  }

  GridView<const std::uint8_t> codes_;
  const FlatEdge& around_;
  Perimeter rim_;
  Grid<Field> from_higher_;
  Grid<Field> to_exit_;
};

template <class Field>
void finish_tile(GridView<std::uint8_t> codes, const FlatEdge& around) {
  const TileFlats<Field> flats(codes, around);
  std::vector<std::uint8_t> done(static_cast<std::size_t>(codes.cells()));
  std::size_t i = 0;
  for (int y = 0; y < codes.height(); ++y)
    for (int x = 0; x < codes.width(); ++x, ++i)
      done[i] = is_on_flat(codes(x, y)) ? flats.direction(x, y) : codes(x, y);
  i = 0;
  for (int y = 0; y < codes.height(); ++y)
    for (int x = 0; x < codes.width(); ++x, ++i) codes(x, y) = done[i];
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

FlatEdge measure_flats(GridView<const std::uint8_t> codes, const FlatEdge& around, bool far) {
  return far ? TileFlats<std::int64_t>(codes, around).edge() : TileFlats<std::int32_t>(codes, around).edge();
}

void finish_flats(GridView<std::uint8_t> codes, const FlatEdge& around, bool far) {
  far ? finish_tile<std::int64_t>(codes, around) : finish_tile<std::int32_t>(codes, around);
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
