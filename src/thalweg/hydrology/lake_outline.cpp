#include "thalweg/hydrology/lake_outline.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace thalweg::hydrology::internal {
namespace {

struct Vertex {
  int x = 0;
  int y = 0;
  bool crossing = false;  ///< two cells of the lake touch here at a corner only
};

/// A closed line without repeated corners.
struct Loop {
  std::vector<Vertex> corners;
  bool hole = false;
};

// Headings in the order of left turns; the lake lies on the left hand.
constexpr int kWest = 0;
constexpr std::array<int, 4> kStepX = {-1, 0, 1, 0};
constexpr std::array<int, 4> kStepY = {0, 1, 0, -1};
// The cells ahead of a vertex on the left and right hand, as offsets from the cell south-east of it.
constexpr std::array<int, 4> kLeftX = {-1, 0, 0, -1};
constexpr std::array<int, 4> kLeftY = {0, 0, -1, -1};
constexpr std::array<int, 4> kRightX = {-1, -1, 0, 0};
constexpr std::array<int, 4> kRightY = {-1, 0, 0, -1};

class Tracer {
 public:
  explicit Tracer(GridView<const std::int32_t> lake_id)
      : lake_id_(lake_id), seen_(static_cast<std::size_t>((lake_id.cells() + 63) / 64)) {}

  void trace_all(std::vector<std::vector<Loop>>& loops) {
    for (int y = 0; y < lake_id_.height(); ++y) {
      const std::int32_t* ids = lake_id_.row(y);
      for (int x = 0; x < lake_id_.width(); ++x) {
        if (ids[x] <= 0 || static_cast<std::size_t>(ids[x]) > loops.size() || id_at(x, y - 1) == ids[x] ||
            north_seen(x, y))
          continue;
        trace(x, y, ids[x], loops[static_cast<std::size_t>(ids[x] - 1)]);
      }
    }
  }

 private:
  std::int32_t id_at(int x, int y) const { return lake_id_.contains(x, y) ? lake_id_(x, y) : 0; }
  std::int64_t index(int x, int y) const { return std::int64_t{y} * lake_id_.width() + x; }
  bool north_seen(int x, int y) const {
    const std::int64_t i = index(x, y);
    return ((seen_[static_cast<std::size_t>(i >> 6)] >> (i & 63)) & 1U) != 0;
  }
  void mark_north(int x, int y) {
    const std::int64_t i = index(x, y);
    seen_[static_cast<std::size_t>(i >> 6)] |= std::uint64_t{1} << (i & 63);
  }

  /// Follows the shore whose westernmost unseen northern edge in this row is that of cell (x, y). The line turns at the
  /// north-west corner of that cell, because the edge further west would have been seen otherwise.
  void trace(int x, int y, std::int32_t id, std::vector<Loop>& loops) {
    std::vector<Vertex> path;
    std::map<std::int64_t, std::size_t> crossings;  // corner number -> place in the path
    int vx = x;
    int vy = y;
    int heading = kWest;
    do {
      const auto h = static_cast<std::size_t>(heading);
      const bool left = id_at(vx + kLeftX[h], vy + kLeftY[h]) == id;
      const bool right = id_at(vx + kRightX[h], vy + kRightY[h]) == id;
      if (!left) {
        heading = (heading + 1) & 3;
      } else if (right) {
        heading = (heading + 3) & 3;
      }
      if (!left || right) add_corner({vx, vy, !left && right}, path, crossings, loops);
      vx += kStepX[static_cast<std::size_t>(heading)];
      vy += kStepY[static_cast<std::size_t>(heading)];
      if (heading == kWest) mark_north(vx, vy);
    } while (vx != x || vy != y || heading != kWest);
    emit(std::move(path), loops);
  }

  /// At the second visit of a crossing the part of the path since the first one is a loop of its own.
  void add_corner(const Vertex& v, std::vector<Vertex>& path, std::map<std::int64_t, std::size_t>& crossings,
                  std::vector<Loop>& loops) const {
    if (v.crossing) {
      const auto [found, added] = crossings.try_emplace(corner_number(v), path.size());
      if (!added) {
        const std::size_t first = found->second;
        for (std::size_t i = first + 1; i < path.size(); ++i)
          if (path[i].crossing) crossings.erase(corner_number(path[i]));
        emit({path.begin() + static_cast<std::ptrdiff_t>(first), path.end()}, loops);
        path.resize(first + 1);
        return;
      }
    }
    path.push_back(v);
  }

  std::int64_t corner_number(const Vertex& v) const { return std::int64_t{v.y} * (lake_id_.width() + 1) + v.x; }

  static void emit(std::vector<Vertex> corners, std::vector<Loop>& loops) {
    std::int64_t twice_area = 0;  // positive: counter-clockwise with y to the north
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vertex& a = corners[i];
      const Vertex& b = corners[(i + 1) % corners.size()];
      twice_area -= std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    loops.push_back({std::move(corners), twice_area < 0});
  }

  GridView<const std::int32_t> lake_id_;
  std::vector<std::uint64_t> seen_;
};

/// Western shore: the column of the cells to its right and the rows it spans.
struct WestShore {
  int x = 0;
  int y_begin = 0;
  int y_end = 0;
  std::size_t loop = 0;
};

std::vector<WestShore> west_shores(const std::vector<Loop>& loops) {
  std::vector<WestShore> shores;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const std::vector<Vertex>& c = loops[l].corners;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const Vertex& a = c[i];
      const Vertex& b = c[(i + 1) % c.size()];
      if (a.x == b.x && b.y > a.y) shores.push_back({a.x, a.y, b.y, l});
    }
  }
  std::sort(shores.begin(), shores.end(),
            [](const WestShore& a, const WestShore& b) { return a.x != b.x ? a.x < b.x : a.y_begin < b.y_begin; });
  return shores;
}

/// The loop on the other end of the row of lake cells that ends at the hole's first cell (topmost, then westernmost).
/// It belongs to the same part. It is not the hole itself, and either it reaches further north or its cell in this row
/// lies further west: so going from loop to loop ends at an outer ring.
std::size_t loop_to_the_west(const Loop& hole, const std::vector<WestShore>& shores,
                             GridView<const std::int32_t> lake_id) {
  const Vertex first =
      *std::min_element(hole.corners.begin(), hole.corners.end(),
                        [](const Vertex& a, const Vertex& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  const std::int32_t* ids = lake_id.row(first.y);
  int x = first.x - 1;
  while (x > 0 && ids[x - 1] == ids[x]) --x;
  const auto after = std::upper_bound(
      shores.begin(), shores.end(), WestShore{x, first.y, 0, 0},
      [](const WestShore& a, const WestShore& b) { return a.x != b.x ? a.x < b.x : a.y_begin < b.y_begin; });
  return std::prev(after)->loop;
}

/// Number of the outer ring that each loop belongs to.
std::vector<std::size_t> outer_of(const std::vector<Loop>& loops, GridView<const std::int32_t> lake_id) {
  std::vector<std::size_t> outer(loops.size());
  std::size_t outers = 0;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    outer[l] = l;
    outers += loops[l].hole ? 0 : 1;
  }
  if (outers == 1) {
    std::size_t only = 0;
    while (loops[only].hole) ++only;
    outer.assign(loops.size(), only);
    return outer;
  }
  if (outers == loops.size()) return outer;
  const std::vector<WestShore> shores = west_shores(loops);
  for (std::size_t l = 0; l < loops.size(); ++l)
    if (loops[l].hole) outer[l] = loop_to_the_west(loops[l], shores, lake_id);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    std::size_t top = l;
    while (outer[top] != top) top = outer[top];
    for (std::size_t i = l; outer[i] != top && i != top;) i = std::exchange(outer[i], top);
  }
  return outer;
}

Ring to_ring(const Loop& loop) {
  Ring ring;
  ring.hole = loop.hole;
  ring.xy.reserve(2 * loop.corners.size() + 2);
  for (const Vertex& v : loop.corners) {
    ring.xy.push_back(v.x);
    ring.xy.push_back(v.y);
  }
  ring.xy.push_back(loop.corners.front().x);
  ring.xy.push_back(loop.corners.front().y);
  return ring;
}

}  // namespace

std::vector<std::vector<Ring>> trace_outlines(GridView<const std::int32_t> ids, std::size_t count) {
  std::vector<std::vector<Loop>> loops(count);
  Tracer(ids).trace_all(loops);
  std::vector<std::vector<Ring>> outlines(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<std::size_t> outer = outer_of(loops[i], ids);
    std::vector<std::size_t> order(loops[i].size());
    for (std::size_t l = 0; l < order.size(); ++l) order[l] = l;
    // Loops come in the order of their first cells but for the pieces of a split line, so sort whole parts.
    const auto first_cell = [&](std::size_t l) {
      std::pair<int, int> first{loops[i][l].corners[0].y, loops[i][l].corners[0].x};
      for (const Vertex& v : loops[i][l].corners) first = std::min(first, {v.y, v.x});
      return first;
    };
    std::vector<std::pair<int, int>> first(loops[i].size());
    for (std::size_t l = 0; l < first.size(); ++l) first[l] = first_cell(l);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (outer[a] != outer[b]) return std::pair(first[outer[a]], outer[a]) < std::pair(first[outer[b]], outer[b]);
      if (loops[i][a].hole != loops[i][b].hole) return loops[i][b].hole;
      return std::pair(first[a], a) < std::pair(first[b], b);
    });
    outlines[i].reserve(order.size());
    for (const std::size_t l : order) outlines[i].push_back(to_ring(loops[i][l]));
    loops[i] = {};
  }
  return outlines;
}

}  // namespace thalweg::hydrology::internal
