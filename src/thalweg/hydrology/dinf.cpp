// D-infinity angles: D8 first, for what leads to one neighbour; then facets whose inside is steeper than any neighbour.
#include <limits>
#include <vector>

#include "thalweg/hydrology/facets.h"
#include "thalweg/hydrology/flow_graph.h"
#include "thalweg/hydrology/padded_rows.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::hydrology {
namespace {

using internal::all;
using internal::Corners;
using internal::CornerTable;
using internal::load_pair;
using internal::Pair;
using internal::store_pair;

// The angle inside the steepest facet where that is steeper than the way to any neighbour, else -1.
// A facet lies between a side neighbour and a diagonal one. Of the two at the same side neighbour the one with the
// lower diagonal is never the worse: where the way falls beyond its edge, the diagonal itself beats the other's inside.
// So four remain.
// Rows and `out` need room for one element behind the last.
class FacetRow {
 public:
  explicit FacetRow(const CellGeometry::Row& cell)
      : per_x_(1 / cell.dx_m),
        per_y_(1 / cell.dy_m),
        per_d_(1 / cell.diagonal_m),
        edge_x_(cell.dy_m / cell.dx_m),
        edge_y_(cell.dx_m / cell.dy_m),
        most_x_(internal::atan_first_quadrant(cell.dy_m, cell.dx_m) - kMargin),
        most_y_(internal::atan_first_quadrant(cell.dx_m, cell.dy_m) - kMargin) {}

  void operator()(const double* above, const double* here, const double* below, int width, double* out) const {
    for (int x = 0; x < width; x += 2) store_pair(out + x, inside(above + x, here + x, below + x));
  }

 private:
  // The steepest facet so far: rise across it, run toward its side neighbour; base is the angle of that neighbour, -1
  // for no facet; turn is +1 where the diagonal lies counter-clockwise of it.
  struct Best {
    Pair square{}, rise{}, run = all<Pair>(1), base = all<Pair>(-1), turn{}, most{};
  };

  Pair inside(const double* above, const double* here, const double* below) const {
    const Pair h = load_pair(here);
    const Pair e = load_pair(here + 1);
    const Pair w = load_pair(here - 1);
    const Pair n = load_pair(above);
    const Pair s = load_pair(below);
    const Pair ne = load_pair(above + 1);
    const Pair nw = load_pair(above - 1);
    const Pair se = load_pair(below + 1);
    const Pair sw = load_pair(below - 1);
    // Slope to the steepest neighbour; NaN loses.
    Pair steepest{};
    const auto corner = [&](Pair v, double per) {
      const Pair slope = (h - v) * per;
      steepest = slope > steepest ? slope : steepest;
    };
    corner(e, per_x_);
    corner(w, per_x_);
    corner(n, per_y_);
    corner(s, per_y_);
    corner(ne, per_d_);
    corner(nw, per_d_);
    corner(se, per_d_);
    corner(sw, per_d_);
    Best best;
    best.square = steepest * steepest;
    constexpr double kPi = exact::kPi;
    facet<true>(best, h, e, ne, se, 0, 2 * kPi);
    facet<false>(best, h, n, nw, ne, kPi / 2, kPi / 2);
    facet<true>(best, h, w, sw, nw, kPi, kPi);
    facet<false>(best, h, s, se, sw, 3 * kPi / 2, 3 * kPi / 2);
    const Pair angle = internal::atan_first_quadrant(best.rise, best.run);
    return best.base + best.turn * (angle < best.most ? angle : best.most);
  }

  // `left` is the diagonal counter-clockwise of the side neighbour.
  template <bool kAlongX>
  void facet(Best& best, Pair h, Pair side, Pair left, Pair right, double base_left, double base_right) const {
    const auto to_right = (right < left) | (left != left);
    const Pair diagonal = to_right ? right : left;
    const Pair s1 = (h - side) * (kAlongX ? per_x_ : per_y_);
    const Pair s2 = (side - diagonal) * (kAlongX ? per_y_ : per_x_);
    const Pair square = s1 * s1 + s2 * s2;
    const auto wins =
        (s1 > Pair{}) & (s2 > Pair{}) & (s2 < s1 * (kAlongX ? edge_x_ : edge_y_)) & (square > best.square);
    best.square = wins ? square : best.square;
    best.rise = wins ? s2 : best.rise;
    best.run = wins ? s1 : best.run;
    best.base = wins ? (to_right ? all<Pair>(base_right) : all<Pair>(base_left)) : best.base;
    best.turn = wins ? (to_right ? all<Pair>(-1) : all<Pair>(1)) : best.turn;
    best.most = wins ? all<Pair>(kAlongX ? most_x_ : most_y_) : best.most;
  }

  // Keeps so far from the diagonal that no rounding carries an angle beyond it.
  static constexpr double kMargin = 4e-15;
  double per_x_, per_y_, per_d_;
  double edge_x_, edge_y_;  // tangents of the diagonal as seen from the x and the y axis
  double most_x_, most_y_;
};

template <class T>
class DinfRows {
 public:
  DinfRows(GridView<const T> height, GridView<const std::uint8_t> directions, const CellGeometry& geometry,
           const CornerTable& corners, EdgeAngles edge, GridView<float> angles)
      : height_(height), dir_(directions), geometry_(geometry), corners_(corners), edge_(edge), angles_(angles) {}

  void operator()(int y0, int y1) const {
    const int w = height_.width();
    internal::PaddedRows<T, double> rows(height_);
    std::vector<double> inside(static_cast<std::size_t>(w) + 1);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(w) + 2);
    std::vector<std::uint8_t> at_edge(static_cast<std::size_t>(w));
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      FacetRow(geometry_.row(y))(rows.above(), rows.here(), rows.below(), w, inside.data());
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
