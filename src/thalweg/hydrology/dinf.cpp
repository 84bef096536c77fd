// D-infinity angles: D8 first, for what leads to one neighbour; then facets whose inside is steeper than any neighbour.
#include <limits>
#include <vector>

#include "thalweg/hydrology/facets.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/padded_rows.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::hydrology {
namespace {

using internal::Corners;
using internal::CornerTable;

// The angle inside the steepest facet where that is steeper than the way to any neighbour, else -1.
// A facet lies between a side neighbour and a diagonal one. Of the two at the same side neighbour the one with the
// lower diagonal is never the worse: where the way falls beyond its edge, the diagonal itself beats the other's inside.
// So four remain.
template <class Real>
void facet_row(const Real* above, const Real* here, const Real* below, int width, const CellGeometry::Row& cell,
               double* out) {
  constexpr double kPi = exact::kPi;
  const double per_x = 1 / cell.dx_m;
  const double per_y = 1 / cell.dy_m;
  const double per_d = 1 / cell.diagonal_m;
  const double edge_x = cell.dy_m / cell.dx_m;  // tangent of the diagonal as seen from the x axis
  const double edge_y = cell.dx_m / cell.dy_m;
  // So far short of the diagonal that no rounding carries an angle beyond it.
  const double most_x = internal::atan_first_quadrant(cell.dy_m, cell.dx_m) - 4e-15;
  const double most_y = internal::atan_first_quadrant(cell.dx_m, cell.dy_m) - 4e-15;
  for (int x = 0; x < width; ++x) {
    const auto h = static_cast<double>(here[x]);
    const auto e = static_cast<double>(here[x + 1]);
    const auto w = static_cast<double>(here[x - 1]);
    const auto n = static_cast<double>(above[x]);
    const auto s = static_cast<double>(below[x]);
    const auto ne = static_cast<double>(above[x + 1]);
    const auto nw = static_cast<double>(above[x - 1]);
    const auto se = static_cast<double>(below[x + 1]);
    const auto sw = static_cast<double>(below[x - 1]);
    // Slope to the steepest neighbour; NaN loses.
    double steepest = 0;
    const auto corner = [&](double v, double per) {
      const double slope = (h - v) * per;
      steepest = slope > steepest ? slope : steepest;
    };
    corner(e, per_x);
    corner(w, per_x);
    corner(n, per_y);
    corner(s, per_y);
    corner(ne, per_d);
    corner(nw, per_d);
    corner(se, per_d);
    corner(sw, per_d);
    double best = steepest * steepest;
    double rise = 0;   // across the facet
    double run = 1;    // toward the side neighbour
    double base = -1;  // angle of the side neighbour; -1: no facet
    double turn = 0;   // +1: the diagonal lies counter-clockwise of it
    double most = 0;
    const auto facet = [&](double side, double left, double right, double per_1, double per_2, double edge,
                           double limit, double base_left, double base_right) {
      const bool to_right = (right < left) | (left != left);
      const double diagonal = to_right ? right : left;
      const double s1 = (h - side) * per_1;
      const double s2 = (side - diagonal) * per_2;
      const double square = s1 * s1 + s2 * s2;
      const bool wins = (s1 > 0) & (s2 > 0) & (s2 < s1 * edge) & (square > best);
      best = wins ? square : best;
      rise = wins ? s2 : rise;
      run = wins ? s1 : run;
      base = wins ? (to_right ? base_right : base_left) : base;
      turn = wins ? (to_right ? -1.0 : 1.0) : turn;
      most = wins ? limit : most;
    };
    facet(e, ne, se, per_x, per_y, edge_x, most_x, 0, 2 * kPi);
    facet(n, nw, ne, per_y, per_x, edge_y, most_y, kPi / 2, kPi / 2);
    facet(w, sw, nw, per_x, per_y, edge_x, most_x, kPi, kPi);
    facet(s, se, sw, per_y, per_x, edge_y, most_y, 3 * kPi / 2, 3 * kPi / 2);
    const double angle = internal::atan_first_quadrant(rise, run);
    out[x] = base + turn * (angle < most ? angle : most);
  }
}

template <class T>
class DinfRows {
 public:
  DinfRows(GridView<const T> height, GridView<const std::uint8_t> directions, const CellGeometry& geometry,
           const CornerTable& corners, EdgeAngles edge, GridView<float> angles)
      : height_(height), dir_(directions), geometry_(geometry), corners_(corners), edge_(edge), angles_(angles) {}

  void operator()(int y0, int y1) const {
    const int w = height_.width();
    internal::PaddedRows<T> rows(height_);
    std::vector<double> inside(static_cast<std::size_t>(w));
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> at_edge(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      facet_row(rows.above(), rows.here(), rows.below(), w, geometry_.row(y), inside.data());
      write_row(y, inside.data());
      if (edge_ == EdgeAngles::none) {
        internal::find_outlets(rows.above(), rows.here(), rows.below(), w, nullptr, scratch.data(), at_edge.data());
        float* out = angles_.row(y);
        for (int x = 0; x < w; ++x)
          if (at_edge[static_cast<std::size_t>(x)] != 0) out[x] = kNoData<float>;
      }
      if (y + 1 < y1) rows.next();
    }
  }

 private:
  void write_row(int y, const double* inside) const {
    const Corners& corners = corners_.row(y);
    const std::uint8_t* dir = dir_.row(y);
    float* out = angles_.row(y);
    std::array<float, 8> of_neighbour{};
    for (unsigned k = 0; k < 8; ++k) of_neighbour[internal::corner_neighbour(k)] = corners.angle[k];
    for (int x = 0, w = height_.width(); x < w; ++x) {
      const int d = internal::kNeighbourOfCode[dir[x]];
      if (d < 0) {
        out[x] = dir[x] == kFlowNoData ? kNoData<float> : kNoAngle;
        continue;
      }
      const float one = of_neighbour[static_cast<std::size_t>(d)];
      const auto between = static_cast<float>(inside[x]);
      out[x] = between < 0 ? one : between < corners.angle[8] ? between : 0.0F;
    }
  }

  GridView<const T> height_;
  GridView<const std::uint8_t> dir_;
  const CellGeometry& geometry_;
  const CornerTable& corners_;
  EdgeAngles edge_;
  GridView<float> angles_;
};

}  // namespace

template <class T>
void dinf(GridView<const T> height, const CellGeometry& geometry, OutletMask outlets, GridView<float> angles,
          const Exec& exec, EdgeAngles edge) {
  assert(angles.width() == height.width() && angles.height() == height.height());
  assert(geometry.height() >= height.height());
  if (height.empty()) return;
  Grid<std::uint8_t> directions(height.width(), height.height());
  d8<T>(height, geometry, outlets, directions, exec.part(0, 0.7));
  const CornerTable corners(geometry, height.height());
  parallel_rows(exec, height.width(), height.height(),
                DinfRows<T>(height, directions, geometry, corners, edge, angles));
  exec.progress(1);
}

template void dinf<std::int16_t>(GridView<const std::int16_t>, const CellGeometry&, OutletMask, GridView<float>,
                                 const Exec&, EdgeAngles);
template void dinf<std::int32_t>(GridView<const std::int32_t>, const CellGeometry&, OutletMask, GridView<float>,
                                 const Exec&, EdgeAngles);
template void dinf<float>(GridView<const float>, const CellGeometry&, OutletMask, GridView<float>, const Exec&,
                          EdgeAngles);
template void dinf<double>(GridView<const double>, const CellGeometry&, OutletMask, GridView<float>, const Exec&,
                           EdgeAngles);

}  // namespace thalweg::hydrology
