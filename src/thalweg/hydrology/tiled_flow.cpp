// Where the flow of one tile enters others.
#include "thalweg/hydrology/tiled_flow.h"

#include "thalweg/core/exec.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/flow_sums.h"

namespace thalweg::hydrology {
namespace {

using internal::kNeighbourOfCode;
using internal::receiver;

constexpr std::int32_t kStays = FlowSummary<double>::kStays;

// For each cell of the perimeter the one at which its flow leaves the tile. Ways that were walked before are not walked
// again; the directions have no cycle.
std::vector<std::int32_t> find_links(GridView<const std::uint8_t> directions) {
  const int w = directions.width();
  const int h = directions.height();
  const Perimeter rim(w, h);
  constexpr std::int32_t kFresh = 0;  // what new memory holds; known links are kept plus 2
  Grid<std::int32_t> known(w, h);
  std::vector<std::int32_t> links(rim.size());
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto start = rim.place(i);
    auto at = start;
    std::int32_t link = kStays;
    for (;;) {
      if (known(at.x, at.y) != kFresh) {
        link = known(at.x, at.y) - 2;
        break;
      }
      const int d = kNeighbourOfCode[directions(at.x, at.y)];
      if (d < 0) break;
      const Perimeter::Place to{at.x + kDx[static_cast<std::size_t>(d)], at.y + kDy[static_cast<std::size_t>(d)]};
      if (!directions.contains(to.x, to.y)) {
        link = static_cast<std::int32_t>(rim.index(at.x, at.y));
        break;
      }
      if (directions(to.x, to.y) == kFlowNoData) break;
      at = to;
    }
    links[i] = link;
    for (auto p = start; known(p.x, p.y) == kFresh;) {
      known(p.x, p.y) = link + 2;
      int x = 0;
      int y = 0;
      if (!receiver(directions, p.x, p.y, x, y)) break;
      p = {x, y};
    }
  }
  return links;
}

// Cells of all perimeters, one tile's behind the other's.
class Nodes {
 public:
  explicit Nodes(const TilePlan& plan) : plan_(plan) {
    std::size_t count = 0;
    for (std::int64_t t = 0; t < plan.tiles(); ++t) {
      first_.push_back(count);
      count += Perimeter(plan.tile(t)).size();
    }
    first_.push_back(count);
  }
  std::size_t size() const { return first_.back(); }
  std::size_t first(std::size_t tile) const { return first_[tile]; }
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// The cell of another tile's perimeter that a cell with this direction drains to.
  std::size_t target(std::size_t tile, std::size_t cell, std::uint8_t direction) const {
    const int d = kNeighbourOfCode[direction];
    if (d < 0) return kNone;
    const TileRect r = plan_.tile(static_cast<std::int64_t>(tile));
    const Perimeter::Place p = Perimeter(r).place(cell);
    const int x = r.x + p.x + kDx[static_cast<std::size_t>(d)];
    const int y = r.y + p.y + kDy[static_cast<std::size_t>(d)];
    if (x < 0 || y < 0 || x >= plan_.width || y >= plan_.height || r.contains(x, y)) return kNone;
    const std::int64_t u = plan_.tile_of(x, y);
    const TileRect o = plan_.tile(u);
    return first_[static_cast<std::size_t>(u)] + Perimeter(o).index(x - o.x, y - o.y);
  }

 private:
  TilePlan plan_;
  std::vector<std::size_t> first_;
};

// Inflow of all perimeter cells. Each cell waits for the cells of other tiles that drain to it, and each way out of a
// tile for the cells whose flow leaves there.
template <class Sum>
class FlowSolver {
 public:
  FlowSolver(const TilePlan& plan, const std::vector<FlowSummary<Sum>>& summaries)
      : plan_(plan), summaries_(summaries), nodes_(plan) {}

  Status run() {
    const std::size_t n = nodes_.size();
    inflow.assign(n, Sum{0});
    outflow_.assign(n, Sum{0});
    waits_in_.assign(n, 0);
    waits_out_.assign(n, 0);
    target_.assign(n, Nodes::kNone);
    for (std::size_t t = 0; t < summaries_.size(); ++t) connect(t);
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < n; ++i)
      if (waits_in_[i] == 0) ready.push_back(i);
    std::size_t done = 0;
    while (!ready.empty()) {
      const std::size_t from = ready.back();
      ready.pop_back();
      ++done;
      const std::size_t out = link_[from];
      if (out == Nodes::kNone) continue;
      outflow_[out] += inflow[from];
      if (--waits_out_[out] != 0) continue;
      const std::size_t to = target_[out];
      if (to == Nodes::kNone) continue;
      inflow[to] += outflow_[out];
      if (--waits_in_[to] == 0) ready.push_back(to);
    }
    return done == n ? Status() : cycle();
  }

  std::vector<Sum> inflow;

 private:
  void connect(std::size_t tile) {
    const FlowSummary<Sum>& s = summaries_[tile];
    const std::size_t base = nodes_.first(tile);
    link_.resize(nodes_.size(), Nodes::kNone);
    for (std::size_t i = 0; i < s.link.size(); ++i) {
      outflow_[base + i] = s.sum[i];
      if (s.link[i] == kStays) continue;
      const std::size_t out = base + static_cast<std::size_t>(s.link[i]);
      link_[base + i] = out;
      ++waits_out_[out];
      // What leaves drains through a cell that is its own way out. Flow onto NoData is counted there to no effect.
      if (out == base + i) {
        const std::size_t to = nodes_.target(tile, i, s.direction[i]);
        if (to == Nodes::kNone) continue;
        target_[out] = to;
        ++waits_in_[to];
      }
    }
  }

  std::size_t tile_of(std::size_t node) const {
    std::size_t low = 0;
    std::size_t high = summaries_.size();
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (nodes_.first(middle) <= node ? low : high) = middle;
    }
    return low;
  }

  // Every cell that still waits has one before it that waits: going back long enough ends on the cycle.
  Status cycle() const {
    std::vector<std::size_t> before(nodes_.size(), Nodes::kNone);
    std::size_t at = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (waits_in_[i] == 0) continue;
      at = i;
      if (link_[i] != Nodes::kNone && target_[link_[i]] != Nodes::kNone) before[target_[link_[i]]] = i;
    }
    for (std::size_t step = 0; step < nodes_.size(); ++step) at = before[at];
    const std::size_t tile = tile_of(at);
    const TileRect r = plan_.tile(static_cast<std::int64_t>(tile));
    const Perimeter::Place p = Perimeter(r).place(at - nodes_.first(tile));
    return internal::cycle_error(r.x + p.x, r.y + p.y);
  }

  const TilePlan& plan_;
  const std::vector<FlowSummary<Sum>>& summaries_;
  Nodes nodes_;
  std::vector<Sum> outflow_;
  std::vector<std::uint8_t> waits_in_;
  std::vector<std::uint32_t> waits_out_;
  std::vector<std::size_t> link_;    ///< by cell of a perimeter: where its flow leaves the tile
  std::vector<std::size_t> target_;  ///< by such a way out: the cell of the next tile
};

}  // namespace

template <class Share>
Result<FlowSummary<typename Share::Sum>> summarize_flow(GridView<const std::uint8_t> directions, const Share& share) {
  using Sum = typename Share::Sum;
  Grid<Sum> sums(directions.width(), directions.height());
  THALWEG_TRY(internal::accumulate(directions, sums.view(), share, Share::kEmpty, Exec()));
  FlowSummary<Sum> summary;
  summary.link = find_links(directions);
  const Perimeter rim(directions.width(), directions.height());
  summary.direction.reserve(rim.size());
  summary.sum.reserve(rim.size());
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto [x, y] = rim.place(i);
    summary.direction.push_back(directions(x, y));
    summary.sum.push_back(sums(x, y));
  }
  return summary;
}

template <class Sum>
Result<std::vector<std::vector<Sum>>> solve_flow(const TilePlan& plan, const std::vector<FlowSummary<Sum>>& summaries) {
  FlowSolver<Sum> solver(plan, summaries);
  THALWEG_TRY(solver.run());
  std::vector<std::vector<Sum>> inflow(summaries.size());
  auto from = solver.inflow.cbegin();
  for (std::size_t t = 0; t < summaries.size(); ++t) {
    const auto to = from + static_cast<std::ptrdiff_t>(summaries[t].sum.size());
    inflow[t].assign(from, to);
    from = to;
  }
  return inflow;
}

template <class Share>
Status finish_flow(GridView<const std::uint8_t> directions, const Share& share,
                   const std::vector<typename Share::Sum>& inflow, GridView<typename Share::Sum> out) {
  const Perimeter rim(directions.width(), directions.height());
  const auto own = [&](int x, int y) {
    const auto v = share(x, y);
    return rim.contains(x, y) ? v + inflow[rim.index(x, y)] : v;
  };
  return internal::accumulate(directions, out, own, Share::kEmpty, Exec());
}

template Result<FlowSummary<std::uint64_t>> summarize_flow(GridView<const std::uint8_t>, const CellShare&);
template Result<FlowSummary<double>> summarize_flow(GridView<const std::uint8_t>, const AreaShare&);
template Result<FlowSummary<double>> summarize_flow(GridView<const std::uint8_t>, const WeightShare&);
template Result<std::vector<std::vector<std::uint64_t>>> solve_flow(const TilePlan&,
                                                                    const std::vector<FlowSummary<std::uint64_t>>&);
template Result<std::vector<std::vector<double>>> solve_flow(const TilePlan&, const std::vector<FlowSummary<double>>&);
template Status finish_flow(GridView<const std::uint8_t>, const CellShare&, const std::vector<std::uint64_t>&,
                            GridView<std::uint64_t>);
template Status finish_flow(GridView<const std::uint8_t>, const AreaShare&, const std::vector<double>&,
                            GridView<double>);
template Status finish_flow(GridView<const std::uint8_t>, const WeightShare&, const std::vector<double>&,
                            GridView<double>);

}  // namespace thalweg::hydrology
