// Accumulation over D-infinity angles.
#include "thalweg/hydrology/facets.h"
#include "thalweg/hydrology/multi_flow.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::hydrology {
namespace {

using internal::corner_neighbour;
using internal::Corners;
using internal::CornerTable;
using internal::facet_share;
using internal::FacetShare;

bool has_flow(float angle, const Corners& corners) {
  return angle >= 0 && angle <= corners.angle[8];
}

void find_receivers(GridView<const float> angles, const CornerTable& corners, internal::RimmedBytes& receivers,
                    const Exec& exec) {
  const int w = angles.width();
  parallel_rows(exec, w, angles.height(), [&](int y0, int y1) {
    internal::PaddedRows<float> rows(angles);
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      const std::array<const float*, 3> at = {rows.above(), rows.here(), rows.below()};
      std::uint8_t* out = receivers.row(y);
      for (int x = 0; x < w; ++x) {
        unsigned bits = 0;
        if (has_flow(at[1][x], corners.row(y))) {
          const FacetShare share = facet_share(at[1][x], corners.row(y));
          const auto take = [&](unsigned d) {
            const float to = at[static_cast<std::size_t>(1 + kDy[d])][x + kDx[d]];
            if (to == to) bits |= 1U << d;
          };
          take(corner_neighbour(share.k));
          if (share.inside) take(corner_neighbour(share.k + 1));
        }
        out[x] = static_cast<std::uint8_t>(bits);
      }
      if (y + 1 < y1) rows.next();
    }
  });
}

struct DinfSplit {
  GridView<const float> angles;
  const CornerTable& corners;

  template <class Give>
  void operator()(int x, int y, unsigned receivers, double amount, const Give& give) const {
    const FacetShare share = facet_share(angles(x, y), corners.row(y));
    // The smaller share is rounded down, toward zero; mirrored land gives the mirrored result.
    const bool next_is_less = share.next <= 0.5;
    const double less = next_is_less ? share.next : 1 - share.next;
    const auto part = static_cast<double>(static_cast<std::int64_t>(amount * less));
    const unsigned first = corner_neighbour(share.k);
    const unsigned second = corner_neighbour(share.k + 1);
    if ((receivers >> first & 1U) != 0) give(first, next_is_less ? amount - part : part);
    if (share.inside && (receivers >> second & 1U) != 0) give(second, next_is_less ? part : amount - part);
  }
};

Status accumulate(GridView<const float> angles, const internal::Supply& supply, GridView<double> out, const Exec& exec,
                  GridView<std::uint8_t> contaminated) {
  assert(out.width() == angles.width() && out.height() == angles.height());
  assert(contaminated.empty() || (contaminated.width() == out.width() && contaminated.height() == out.height()));
  assert(supply.geometry.height() >= angles.height());
  if (angles.empty()) return {};
  const CornerTable corners(supply.geometry, angles.height());
  internal::RimmedBytes receivers(angles.width(), angles.height());
  find_receivers(angles, corners, receivers, exec);
  const DinfSplit split{angles, corners};
  return internal::accumulate_shares<float>(supply, angles, receivers, split, out, contaminated, exec);
}

}  // namespace

Status accumulate_dinf_area(GridView<const float> angles, const CellGeometry& geometry, GridView<double> out,
                            const Exec& exec, GridView<std::uint8_t> contaminated) {
  return accumulate(angles, {geometry, {}}, out, exec, contaminated);
}

Status accumulate_dinf_weighted(GridView<const float> angles, const CellGeometry& geometry,
                                GridView<const float> weight, GridView<double> out, const Exec& exec,
                                GridView<std::uint8_t> contaminated) {
  assert(weight.width() == angles.width() && weight.height() == angles.height());
  return accumulate(angles, {geometry, weight}, out, exec, contaminated);
}

}  // namespace thalweg::hydrology
