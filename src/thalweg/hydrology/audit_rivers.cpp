// Checks of river networks and ledgers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/audit_text.h"
#include "thalweg/hydrology/river_graph.h"

namespace thalweg::hydrology {
namespace {

std::string point_text(const Reach& reach, std::size_t p) {
  const Reach::Point& point = reach.points[p];
  return "reach " + std::to_string(reach.id) + ", column " + format_number(point.x) + ", row " +
         format_number(point.y) + " (" + format_number(point.z_m) + " m)";
}

/// Reaches by id.
class ReachIndex {
 public:
  explicit ReachIndex(const RiverNetwork& network) {
    for (std::size_t i = 0; i < network.reaches.size(); ++i) places_.emplace_back(network.reaches[i].id, i);
    std::sort(places_.begin(), places_.end());
  }
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t find(std::int32_t id) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(), std::pair(id, std::size_t{0}));
    return at != places_.end() && at->first == id ? at->second : kNone;
  }
  bool is_unique(std::int32_t id) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(), std::pair(id, std::size_t{0}));
    return at != places_.end() && (std::next(at) == places_.end() || std::next(at)->first != id);
  }

 private:
  std::vector<std::pair<std::int32_t, std::size_t>> places_;
};

void add_fault(AuditCheck& check, const std::string& place) {
  if (check.faults++ == 0) check.place = place;
}

/// What is wrong with a reach's end, or "".
std::string end_fault(const Reach& reach, const RiverNetwork& network, const ReachIndex& index, int width, int height,
                      OutletMask sea, GridView<const std::int32_t> lake_id, GridView<const float> ground) {
  if (!index.is_unique(reach.id)) return "another reach has the same number";
  if (reach.points.size() < 2) return "has fewer than two points";
  const Reach::Point& last = reach.points.back();
  if (reach.end == ReachEnd::confluence) {
    const std::size_t below = index.find(reach.downstream);
    if (below == ReachIndex::kNone)
      return "flows into reach " + std::to_string(reach.downstream) + ", which is missing";
    const std::vector<Reach::Point>& points = network.reaches[below].points;
    if (points.empty() || points[0].x != last.x || points[0].y != last.y)
      return "does not end where reach " + std::to_string(reach.downstream) + " begins";
    return {};
  }
  if (reach.downstream != 0) return "goes on in a reach, but is said to end";
  const std::int64_t cell = internal::cell_of(last, width, height);
  if (cell < 0) return "ends off the map";
  const int x = static_cast<int>(cell % width);
  const int y = static_cast<int>(cell / width);
  switch (reach.end) {
    case ReachEnd::sea:
      return !sea.empty() && sea(x, y) != 0 ? "" : "is said to end in the sea, but ends on land";
    case ReachEnd::lake:
      return !lake_id.empty() && lake_id(x, y) > 0 ? "" : "is said to end in a lake, but ends on land";
    case ReachEnd::edge: {
      bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
      for (std::size_t d = 0; d < 8 && !edge && !ground.empty(); ++d) edge = is_nodata(ground(x + kDx[d], y + kDy[d]));
      return edge ? "" : "is said to end at the edge of the map, but ends inside";
    }
    default:
      return "ends in the middle of the land";
  }
}

/// Reaches from which the way downstream returns, each cycle once, as places in the network.
std::vector<std::size_t> reach_cycles(const RiverNetwork& network, const ReachIndex& index) {
  enum : std::uint8_t { kNew = 0, kOnPath = 1, kDone = 2 };
  std::vector<std::uint8_t> state(network.reaches.size());
  std::vector<std::size_t> cycles;
  std::vector<std::size_t> path;
  for (std::size_t i = 0; i < network.reaches.size(); ++i) {
    path.clear();
    std::size_t at = i;
    while (at != ReachIndex::kNone && state[at] == kNew) {
      state[at] = kOnPath;
      path.push_back(at);
      at = network.reaches[at].downstream == 0 ? ReachIndex::kNone : index.find(network.reaches[at].downstream);
    }
    if (at != ReachIndex::kNone && state[at] == kOnPath) cycles.push_back(at);
    for (const std::size_t p : path) state[p] = kDone;
  }
  return cycles;
}

}  // namespace

AuditCheck audit_river_beds(const RiverNetwork& network, GridView<const float> surface, double tolerance_m) {
  AuditCheck check;
  check.name = "river-climbs";
  const ReachIndex index(network);
  std::int64_t climbs = 0;
  std::int64_t floats = 0;
  double highest = 0;
  for (const Reach& reach : network.reaches) {
    for (std::size_t p = 0; p < reach.points.size(); ++p) {
      ++check.checked;
      const double z = reach.points[p].z_m;
      bool bad = std::isnan(z) || (p > 0 && !(z <= reach.points[p - 1].z_m));
      if (p + 1 == reach.points.size() && reach.downstream != 0) {
        const std::size_t below = index.find(reach.downstream);
        bad = bad || (below != ReachIndex::kNone && !network.reaches[below].points.empty() &&
                      network.reaches[below].points[0].z_m != z);
      }
      if (bad) {
        ++climbs;
        add_fault(check, point_text(reach, p));
        continue;
      }
      const std::int64_t cell =
          surface.empty() ? -1 : internal::cell_of(reach.points[p], surface.width(), surface.height());
      if (cell < 0) continue;
      const double above = z - static_cast<double>(surface(static_cast<int>(cell % surface.width()),
                                                           static_cast<int>(cell / surface.width())));
      highest = std::max(highest, above);
      if (above <= tolerance_m) continue;
      ++floats;
      add_fault(check, point_text(reach, p));
    }
  }
  check.note = internal::count_text(check.checked, "point") + ", " + std::to_string(climbs) + " climb, " +
               std::to_string(floats) + " above the surface";
  if (!surface.empty()) check.note += " (highest " + format_number(static_cast<float>(highest)) + " m)";
  return check;
}

AuditCheck audit_river_ends(const RiverNetwork& network, int width, int height, OutletMask sea,
                            GridView<const std::int32_t> lake_id, GridView<const float> ground) {
  AuditCheck check;
  check.name = "river-ends";
  const ReachIndex index(network);
  std::int64_t mouths = 0;
  for (const Reach& reach : network.reaches) {
    ++check.checked;
    mouths += reach.end != ReachEnd::confluence ? 1 : 0;
    const std::string fault = end_fault(reach, network, index, width, height, sea, lake_id, ground);
    if (fault.empty()) continue;
    add_fault(check, (reach.points.empty() ? "reach " + std::to_string(reach.id)
                                           : point_text(reach, reach.points.size() - 1)) +
                         ": " + fault);
  }
  const std::vector<std::size_t> cycles = reach_cycles(network, index);
  for (const std::size_t i : cycles)
    add_fault(check, "reach " + std::to_string(network.reaches[i].id) + ": flow returns to this reach");
  check.note = internal::count_text(check.checked, "reach", "reaches") + ", " + internal::count_text(mouths, "mouth") +
               ", " + internal::count_text(static_cast<std::int64_t>(cycles.size()), "cycle");
  return check;
}

AuditCheck audit_ledger(const std::string& step, std::int64_t eroded, std::int64_t deposited, std::int64_t exported) {
  AuditCheck check;
  check.name = "ledger";
  check.checked = 1;
  // Compared without forming sums that could overflow: eroded - deposited - exported in 128 bits.
  const bool even = static_cast<__int128>(eroded) == static_cast<__int128>(deposited) + exported;
  check.note = step + ": eroded " + std::to_string(eroded) + ", deposited " + std::to_string(deposited) +
               ", exported " + std::to_string(exported) + " units";
  if (!even) add_fault(check, step);
  return check;
}

}  // namespace thalweg::hydrology
