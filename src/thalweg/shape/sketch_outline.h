// Inside of the shape module: a sketch as segments, and what lies near or within them on one row of samples.
#pragma once

#include <cstddef>
#include <vector>

#include "thalweg/core/grid_spec.h"
#include "thalweg/shape/sketch.h"

namespace thalweg::shape::detail {

/// Rows that share one list of segments near them.
inline constexpr int kRowsPerBlock = 16;

/// How far a sample may lie from a sketch to count as on it where nothing falls off: half a cell, so that lines become
/// chains of samples without gaps; half a cell's diagonal for points, so that each finds a sample; 0 for polygons.
double on_it_m(SketchKind kind, const GridSpec& spec);

/// From a to b, heights linear between. A point is a segment without length.
struct Segment {
  double ax_m, ay_m, bx_m, by_m;
  double a_height_m, b_height_m;
  double dx_m, dy_m;  ///< b - a; 0 where they coincide
  double length_m, length2_m2;
  double inverse_length2;       ///< 0 without length
  bool starts_line, ends_line;  ///< first, last of a line; a ring has no ends
};

/// Segments [begin, end) of one part of the sketch, and the range of their heights.
struct OutlinePart {
  std::size_t begin = 0, end = 0;
  double low_m = 0, high_m = 0;
};

/// A ring that bounds land and the rings of its holes, as indices of parts.
struct RingGroup {
  std::vector<std::size_t> rings;
  bool one_height = false;  ///< all vertices have the same
};

struct Outline {
  std::vector<Segment> segments;
  std::vector<OutlinePart> parts;
  std::vector<RingGroup> groups;  ///< of polygons only
  double low_m = 0, high_m = 0;   ///< range of all heights
};
Outline make_outline(const Sketch& sketch);

/// Samples [begin, end) of a row.
struct Span {
  int begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

/// Positions of samples by their absolute index, so that they do not depend on the window.
class Frame {
 public:
  explicit Frame(const GridSpec& spec);
  int width() const { return static_cast<int>(x_m_.size()); }
  int height() const { return height_; }
  const double* x_m() const { return x_m_.data(); }
  double y_m(int y) const { return -static_cast<double>(origin_y_ + y) * cell_y_m_; }
  /// All samples of row y that lie within reach_m of the segment, and perhaps a few more.
  Span near(const Segment& s, int y, double reach_m) const;
  /// First sample at or east of a position.
  int first_from(double x_m) const;

 private:
  int column(double x_m) const;

  std::vector<double> x_m_;
  double cell_m_, cell_y_m_;
  std::int64_t origin_x_, origin_y_;
  int height_;
};

/// Where a segment is nearer than `distance2` says, that and the height at its nearest point are replaced. `height_m`
/// may be null.
void take_nearer(const Segment& s, const Frame& frame, int y, Span span, double* distance2, double* height_m);

/// Weights of heights along a segment as seen from a sample, by distance r: 1 / r^3, less a polynomial that takes value
/// and slope to 0 at reach_m. The integral along a segment has a closed form without logarithms, so that means do not
/// depend on how finely a line is divided, and no bend or vertex leaves a crease.
struct SightKernel {
  SightKernel() = default;  ///< without end
  explicit SightKernel(double reach_m);
  /// Adds the integrals of the weight, and of weight times height, to sums of each sample of the span.
  void add(const Segment& s, const Frame& frame, int y, Span span, double* weight, double* sight) const;

  double reach2 = 0;           ///< 0: without end
  double alpha = 0, beta = 0;  ///< less alpha - beta * r^2
};

/// The segments within reach of a block of rows, in order.
std::vector<std::size_t> segments_near_rows(const Outline& outline, const Frame& frame, int begin, int end,
                                            double reach_m);

/// Which samples of a row lie inside polygons.
class Inside {
 public:
  Inside(const Outline& outline, const Frame& frame, int begin, int end);
  /// Looks at row y, one of [begin, end).
  void set_row(int y);
  bool at(int x) const { return !parity_.empty() && parity_[static_cast<std::size_t>(x)] != 0; }
  /// Heights of the samples inside on that row; others are left alone. `edge_distance2` and `edge_height_m` are those
  /// of take_nearer.
  void heights(const double* edge_distance2, const double* edge_height_m, double* height_m);

 private:
  struct Edge {
    std::size_t segment;
    std::size_t group;
  };
  void mark(Span span, int group);
  void mean_heights(Span span, const RingGroup& group, const double* edge_distance2, const double* edge_height_m,
                    double* height_m);

  const Outline& outline_;
  const Frame& frame_;
  int row_ = 0;
  std::vector<Edge> edges_;  // of the block, by group
  std::vector<double> crossings_;
  std::vector<unsigned char> parity_;
  std::vector<int> owner_;
  std::vector<double> weight_, weighted_height_;
};

}  // namespace thalweg::shape::detail
