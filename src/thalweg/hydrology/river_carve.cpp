// Cutting river beds and banks into the ground.
//
// Beds are graded along the network first; then banks grow from the bed cells outward, nearest first. Why no pit can
// arise: a cell is lowered to at least the level R of the cell it was reached from (R of a bed cell is its bed), and a
// cell never ends above its R. So from a lowered cell one can walk back to the bed without climbing, and along the bed
// to the river's end; from any other cell the old way down still works, since the cells on it were lowered or left.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <queue>

#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/river_graph.h"
#include "thalweg/hydrology/rivers.h"

namespace thalweg::hydrology {
namespace {

using internal::RiverGraph;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFreeboardM = 1.0 / 1024;  // what stays between a lowered shore and the water's level

/// Smallest useful float above a water level.
double just_above(double level) {
  auto f = static_cast<float>(level + kFreeboardM);
  while (static_cast<double>(f) <= level && f < std::numeric_limits<float>::infinity())
    f = std::nextafter(f, std::numeric_limits<float>::infinity());
  return static_cast<double>(f);
}

/// The least height that land at (x, y) must keep so that standing water beside it neither spills here nor spreads;
/// -infinity away from water. Where there is a sea, the border must not become part of it either.
double shore_limit(const RiverInputs& in, GridView<const float> height, int x, int y) {
  double limit = -kInfinity;
  for (std::size_t d = 0; d < 8; ++d) {
    const int nx = x + kDx[d];
    const int ny = y + kDy[d];
    const bool beyond = !height.contains(nx, ny) || is_nodata(height(nx, ny));
    const double level = !beyond ? internal::standing_level(in, nx, ny) : in.sea.empty() ? -kInfinity : in.sea_level_m;
    if (level > -kInfinity) limit = std::max(limit, just_above(level));
  }
  return limit;
}

/// What carving knows about each node of the network.
struct Channel {
  std::vector<double> ground;  // before carving
  std::vector<double> standing;
  std::vector<double> limit;  // beds stay at or above
  std::vector<double> width_m;
  std::vector<double> depth_m;
  std::vector<double> bed;
  std::vector<double> water;  // level of the river's surface

  bool is_water(std::size_t i) const { return standing[i] > -kInfinity; }
};

double flow_at(const RiverInputs& in, std::int64_t cell, int width) {
  const auto x = static_cast<int>(cell % width);
  const auto y = static_cast<int>(cell / width);
  if (!in.discharge_m3_s.empty()) return in.discharge_m3_s(x, y);
  return in.area_m2.empty() ? 0.0 : in.area_m2(x, y);
}

/// Width and depth at each node: those of the reach, scaled to the water that has gathered so far.
void size_channels(const RiverNetwork& network, const RiverInputs& in, const RiverGraph& graph, int height,
                   Channel& channel) {
  channel.width_m.assign(graph.cell.size(), 0.0);
  channel.depth_m.assign(graph.cell.size(), 0.0);
  for (const Reach& reach : network.reaches) {
    const double whole = in.discharge_m3_s.empty() ? reach.area_m2 : reach.discharge_m3_s;
    for (std::size_t p = 0; p < reach.points.size(); ++p) {
      const std::int64_t cell = internal::cell_of(reach.points[p], graph.width, height);
      if (cell < 0) continue;
      const auto i = static_cast<std::size_t>(internal::node_at(graph, cell));
      const bool own = p + 1 < reach.points.size() || graph.down[i] < 0;  // a confluence belongs to the reach below
      if (!own) continue;
      const double flow = flow_at(in, cell, graph.width);
      const double share = whole > 0 && flow > 0 ? std::min(flow / whole, 1.0) : 1.0;
      channel.width_m[i] = std::max(channel.width_m[i], reach.width_m * std::sqrt(share));
      channel.depth_m[i] = std::max(channel.depth_m[i], reach.depth_m * exact::pow(share, 0.4));
    }
  }
}

void look_at_ground(const RiverInputs& in, GridView<const float> height, const RiverGraph& graph, Channel& channel) {
  const std::size_t n = graph.cell.size();
  channel.ground.resize(n);
  channel.standing.resize(n);
  channel.limit.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int x = graph.x(static_cast<std::int64_t>(i));
    const int y = graph.y(static_cast<std::int64_t>(i));
    channel.standing[i] = internal::standing_level(in, x, y);
    channel.ground[i] = static_cast<double>(height(x, y));
    if (is_nodata(height(x, y))) channel.ground[i] = kInfinity;
    channel.limit[i] =
        channel.is_water(i) ? channel.standing[i] : std::min(channel.ground[i], shore_limit(in, height, x, y));
  }
  internal::carry_upstream(graph, channel.limit);
}

/// Share of the full depth at each node: grows from 0 at standing water to 1 over width + bank_m downstream of it.
std::vector<double> cut_share(const RiverGraph& graph, const CellGeometry& geometry, double bank_m,
                              const Channel& channel) {
  std::vector<double> since(graph.cell.size(), kInfinity);  // metres since the last standing water
  std::vector<double> share(graph.cell.size(), 1.0);
  for (const std::int64_t node : graph.order) {
    const auto i = static_cast<std::size_t>(node);
    if (channel.is_water(i)) since[i] = 0;
    const double run = channel.width_m[i] + bank_m;
    share[i] = since[i] >= run ? 1.0 : since[i] / run;
    if (graph.down[i] < 0) continue;
    const CellGeometry::Row& row = geometry.row(graph.y(node));
    const bool same_row = graph.y(node) == graph.y(graph.down[i]);
    const bool same_column = graph.x(node) == graph.x(graph.down[i]);
    const double step = same_row ? row.dx_m : same_column ? row.dy_m : row.diagonal_m;
    double& below = since[static_cast<std::size_t>(graph.down[i])];
    below = std::min(below, since[i] + step);
  }
  return share;
}

void grade_beds(const RiverGraph& graph, const CellGeometry& geometry, double bank_m, Channel& channel) {
  const std::vector<double> share = cut_share(graph, geometry, bank_m, channel);
  std::vector<double> target(graph.cell.size());
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] = channel.is_water(i)
                    ? channel.standing[i]
                    : static_cast<double>(static_cast<float>(channel.ground[i] - channel.depth_m[i] * share[i]));
  channel.bed = internal::grade_downstream(graph, target, channel.limit);
}

/// Level of the water surface: the bed plus the depth, not above the lowest old ground on the way here, and at least
/// the level downstream (backwater). With brim(i) = lowest ground upstream, level(i) <= brim(i) and brim never rises,
/// so backwater stays below the brim too.
void set_water(const RiverGraph& graph, Channel& channel) {
  std::vector<double> brim(graph.cell.size());
  for (std::size_t i = 0; i < brim.size(); ++i) brim[i] = channel.is_water(i) ? channel.standing[i] : channel.ground[i];
  brim = internal::grade_downstream(graph, brim, channel.limit);
  channel.water.resize(brim.size());
  for (std::size_t i = 0; i < brim.size(); ++i) {
    const auto full = static_cast<double>(static_cast<float>(channel.bed[i] + channel.depth_m[i]));
    channel.water[i] = channel.is_water(i) ? channel.standing[i] : std::max(channel.bed[i], std::min(brim[i], full));
  }
  internal::carry_upstream(graph, channel.water);
}

/// Grows beds and banks outward from the network.
class Banks {
 public:
  Banks(const RiverInputs& in, const CellGeometry& geometry, double bank_m, const RiverGraph& graph,
        const Channel& channel, GridView<float> height, GridView<float> water_depth_m)
      : in_(in),
        geometry_(geometry),
        bank_m_(bank_m),
        graph_(graph),
        channel_(channel),
        height_(height),
        water_depth_m_(water_depth_m),
        nearest_(height.width(), height.height(), kFarAway) {}

  void grow(const Exec& exec) {
    for (std::size_t i = 0; i < graph_.cell.size(); ++i) cut_bed(i);
    for (std::size_t i = 0; i < graph_.cell.size(); ++i)
      if (!channel_.is_water(i) && channel_.bed[i] < kInfinity)
        reach_out(graph_.cell[i], i, static_cast<float>(channel_.bed[i]));
    std::int64_t done = 0;
    while (!front_.empty() && ((++done & 0xFFFF) != 0 || !exec.cancelled())) {
      const Entry entry = front_.top();
      front_.pop();
      cut_bank(entry);
    }
  }

 private:
  struct Entry {
    double edge_m = 0;  // distance to the bed's edge, negative inside the bed
    std::int64_t cell = 0;
    std::size_t node = 0;  // the bed cell it belongs to
    float level = 0;       // R of the cell it was reached from
    bool operator>(const Entry& o) const {
      if (edge_m != o.edge_m) return edge_m > o.edge_m;
      if (cell != o.cell) return cell > o.cell;
      return node != o.node ? node > o.node : level > o.level;  // a total order: libraries differ in what ties do
    }
  };

  static constexpr float kFarAway = std::numeric_limits<float>::infinity();
  static constexpr float kTaken = -kFarAway;

  void cut_bed(std::size_t i) {
    const int x = graph_.x(static_cast<std::int64_t>(i));
    const int y = graph_.y(static_cast<std::int64_t>(i));
    nearest_(x, y) = kTaken;
    if (channel_.is_water(i) || !(channel_.bed[i] < kInfinity)) return;
    if (channel_.bed[i] < channel_.ground[i]) height_(x, y) = static_cast<float>(channel_.bed[i]);
    wet(x, y, i);
  }

  void wet(int x, int y, std::size_t i) {
    if (water_depth_m_.empty()) return;
    const double depth = channel_.water[i] - static_cast<double>(height_(x, y));
    if (depth > 0 && depth < kInfinity) water_depth_m_(x, y) = static_cast<float>(depth);
  }

  void reach_out(std::int64_t cell, std::size_t i, float level) {
    const int x = static_cast<int>(cell % graph_.width);
    const int y = static_cast<int>(cell / graph_.width);
    const int px = graph_.x(static_cast<std::int64_t>(i));
    const int py = graph_.y(static_cast<std::int64_t>(i));
    const CellGeometry::Row& row = geometry_.row(py);
    for (std::size_t d = 0; d < 8; ++d) {
      const int nx = x + kDx[d];
      const int ny = y + kDy[d];
      if (!height_.contains(nx, ny) || nearest_(nx, ny) == kTaken) continue;
      const double dx = (nx - px) * row.dx_m;
      const double dy = (ny - py) * row.dy_m;
      const double edge_m = std::sqrt(dx * dx + dy * dy) - 0.5 * channel_.width_m[i];
      if (edge_m > 0 && edge_m >= bank_m_) continue;  // at the old ground again
      // An entry that is further away than one already in the queue would come too late: leave it out. Rounded up, so
      // that entries at equal distances all stay and their order decides.
      if (edge_m > static_cast<double>(nearest_(nx, ny))) continue;
      nearest_(nx, ny) = std::nextafter(static_cast<float>(edge_m), kFarAway);
      front_.push({edge_m, std::int64_t{ny} * graph_.width + nx, i, level});
    }
  }

  void cut_bank(const Entry& entry) {
    const int x = static_cast<int>(entry.cell % graph_.width);
    const int y = static_cast<int>(entry.cell / graph_.width);
    if (nearest_(x, y) == kTaken) return;
    nearest_(x, y) = kTaken;
    const auto ground = static_cast<double>(height_(x, y));
    const double bed = channel_.bed[entry.node];
    // Written so that NaN stops too. Lower ground beside the river: the bank ends there.
    if (!(ground > bed && bed > -kInfinity && ground < kInfinity) || internal::standing_level(in_, x, y) > -kInfinity)
      return;
    const double t = entry.edge_m <= 0 ? 0.0 : entry.edge_m / bank_m_;
    const double rise = (ground - bed) * (t * t * (3 - 2 * t));
    const double protect = protection(x, y);
    if (protect >= 1) return;
    const auto shore = static_cast<float>(shore_limit(in_, height_, x, y));
    float level = std::max({entry.level, static_cast<float>(bed + rise), shore});
    if (protect > 0) {  // the level of a cell may be raised as one likes, see above
      const double cut = std::max(0.0, ground - static_cast<double>(level));
      level = std::max(level, static_cast<float>(ground - cut * (1 - protect)));
    }
    if (level < height_(x, y)) {
      height_(x, y) = level;
      wet(x, y, entry.node);
    }
    reach_out(entry.cell, entry.node, level);
  }

  double protection(int x, int y) const { return in_.protect.empty() ? 0.0 : static_cast<double>(in_.protect(x, y)); }

  const RiverInputs& in_;
  const CellGeometry& geometry_;
  double bank_m_;
  const RiverGraph& graph_;
  const Channel& channel_;
  GridView<float> height_;
  GridView<float> water_depth_m_;
  Grid<float> nearest_;  // distance of the nearest entry so far, kTaken where a cell is done
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front_;
};

}  // namespace

void carve_rivers(RiverNetwork& network, const RiverInputs& inputs, const CellGeometry& geometry, double bank_m,
                  GridView<float> height, GridView<float> water_depth_m, const Exec& exec) {
  assert(geometry.height() >= height.height());
  for (int y = 0; y < water_depth_m.height(); ++y) std::fill_n(water_depth_m.row(y), water_depth_m.width(), 0.0F);
  const RiverGraph graph = internal::graph_of_network(network, height.width(), height.height());
  Channel channel;
  look_at_ground(inputs, height, graph, channel);
  size_channels(network, inputs, graph, height.height(), channel);
  const double bank = bank_m > 0 ? bank_m : 0.0;
  grade_beds(graph, geometry, bank, channel);
  set_water(graph, channel);
  Banks(inputs, geometry, bank, graph, channel, height, water_depth_m).grow(exec);
  internal::set_z(graph, channel.bed, height.height(), network);
}

}  // namespace thalweg::hydrology
