#include "thalweg/shape/sketch_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/core/exact_math.h"

namespace thalweg::shape::detail {
namespace {

// Neither a vertex of any other line nor met by its own line again.
void keep_free_ends(const Sketch& sketch, std::vector<Segment>& segments) {
  using Place = std::pair<double, double>;
  std::vector<Place> vertices;
  for (const auto& part : sketch.parts)
    for (std::size_t i = 0; i < part.size(); ++i)
      if (i == 0 || part[i].x_m != part[i - 1].x_m || part[i].y_m != part[i - 1].y_m)
        vertices.emplace_back(part[i].x_m, part[i].y_m);
  std::sort(vertices.begin(), vertices.end());
  const auto is_free = [&](double x_m, double y_m) {
    const auto range = std::equal_range(vertices.begin(), vertices.end(), Place(x_m, y_m));
    return range.second - range.first == 1;
  };
  for (Segment& s : segments) {
    s.starts_line = s.starts_line && is_free(s.ax_m, s.ay_m);
    s.ends_line = s.ends_line && is_free(s.bx_m, s.by_m);
  }
}

Segment make_segment(const SketchPoint& a, const SketchPoint& b) {
  Segment s{a.x_m, a.y_m, b.x_m, b.y_m, a.height_m, b.height_m, b.x_m - a.x_m, b.y_m - a.y_m, 0, 0, 0, false, false};
  s.length2_m2 = s.dx_m * s.dx_m + s.dy_m * s.dy_m;
  if (s.length2_m2 < 1e-30) {
    s.dx_m = s.dy_m = s.length2_m2 = 0;
    return s;
  }
  s.length_m = std::sqrt(s.length2_m2);
  s.inverse_length2 = 1.0 / s.length2_m2;
  return s;
}

OutlinePart add_part(const Sketch& sketch, const std::vector<SketchPoint>& vertices, std::vector<Segment>& segments) {
  OutlinePart part{segments.size(), 0, vertices.front().height_m, vertices.front().height_m};
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) segments.push_back(make_segment(vertices[i], vertices[i + 1]));
  if (sketch.kind != SketchKind::lines) segments.push_back(make_segment(vertices.back(), vertices.front()));
  for (const SketchPoint& v : vertices) {
    part.low_m = std::min(part.low_m, v.height_m);
    part.high_m = std::max(part.high_m, v.height_m);
  }
  part.end = segments.size();
  segments[part.begin].starts_line = segments.back().ends_line = sketch.kind == SketchKind::lines;
  return part;
}

// Where an edge crosses the height y; the lower end belongs to it, the upper one does not, so that a vertex counts
// once. Always reckoned from the lower end: two rings that share an edge share its crossings.
bool crosses(const Segment& s, double y_m, double* x_m) {
  if ((s.ay_m <= y_m) == (s.by_m <= y_m)) return false;
  const bool up = s.ay_m < s.by_m;
  const double x0 = up ? s.ax_m : s.bx_m, y0 = up ? s.ay_m : s.by_m;
  const double x1 = up ? s.bx_m : s.ax_m, y1 = up ? s.by_m : s.ay_m;
  *x_m = x0 + (y_m - y0) / (y1 - y0) * (x1 - x0);
  return true;
}

struct Box {
  double west, east, south, north;
  bool contains(double x, double y) const { return x >= west && x <= east && y >= south && y <= north; }
};

Box box_of(const Outline& outline, const OutlinePart& part) {
  const Segment& first = outline.segments[part.begin];
  Box box{first.ax_m, first.ax_m, first.ay_m, first.ay_m};
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Segment& s = outline.segments[i];
    box.west = std::min(box.west, s.ax_m), box.east = std::max(box.east, s.ax_m);
    box.south = std::min(box.south, s.ay_m), box.north = std::max(box.north, s.ay_m);
  }
  return box;
}

bool ring_contains(const Outline& outline, const OutlinePart& ring, double x_m, double y_m) {
  bool inside = false;
  double crossing = 0;
  for (std::size_t i = ring.begin; i < ring.end; ++i)
    if (crosses(outline.segments[i], y_m, &crossing) && crossing <= x_m) inside = !inside;
  return inside;
}

// Rings in an even number of others bound land, the rest are holes of the innermost such ring around them.
std::vector<RingGroup> group_rings(const Outline& outline) {
  const std::size_t n = outline.parts.size();
  std::vector<Box> boxes;
  for (const OutlinePart& part : outline.parts) boxes.push_back(box_of(outline, part));
  std::vector<std::vector<std::size_t>> around(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Segment& first = outline.segments[outline.parts[i].begin];
    for (std::size_t j = 0; j < n; ++j)
      if (i != j && boxes[j].contains(first.ax_m, first.ay_m) &&
          ring_contains(outline, outline.parts[j], first.ax_m, first.ay_m))
        around[i].push_back(j);
  }
  std::vector<RingGroup> groups;
  std::vector<std::size_t> group_of(n);
  for (std::size_t i = 0; i < n; ++i)
    if (around[i].size() % 2 == 0) group_of[i] = groups.size(), groups.push_back({{i}, false});
  for (std::size_t i = 0; i < n; ++i) {
    if (around[i].size() % 2 == 0) continue;
    std::size_t parent = n;
    for (const std::size_t j : around[i])
      if (around[j].size() % 2 == 0 && (parent == n || around[j].size() > around[parent].size())) parent = j;
    if (parent == n) {  // rings that cross each other; each stands for itself
      groups.push_back({{i}, false});
    } else {
      groups[group_of[parent]].rings.push_back(i);
    }
  }
  return groups;
}

}  // namespace

double on_it_m(SketchKind kind, const GridSpec& spec) {
  if (kind == SketchKind::polygons) return 0.0;
  if (kind == SketchKind::lines) return 0.5 * (spec.cell_m > spec.cell_y_m ? spec.cell_m : spec.cell_y_m);
  return 0.5 * std::sqrt(spec.cell_m * spec.cell_m + spec.cell_y_m * spec.cell_y_m);
}

Outline make_outline(const Sketch& sketch) {
  Outline outline;
  for (const auto& vertices : sketch.parts) outline.parts.push_back(add_part(sketch, vertices, outline.segments));
  if (sketch.kind == SketchKind::lines) keep_free_ends(sketch, outline.segments);
  outline.low_m = outline.parts.front().low_m;
  outline.high_m = outline.parts.front().high_m;
  for (const OutlinePart& part : outline.parts) {
    outline.low_m = std::min(outline.low_m, part.low_m);
    outline.high_m = std::max(outline.high_m, part.high_m);
  }
  if (sketch.kind != SketchKind::polygons) return outline;
  outline.groups = group_rings(outline);
  for (RingGroup& group : outline.groups) {
    const double height = outline.parts[group.rings.front()].low_m;
    group.one_height = true;
    for (const std::size_t ring : group.rings)
      group.one_height =
          group.one_height && outline.parts[ring].low_m == height && outline.parts[ring].high_m == height;
  }
  return outline;
}

Frame::Frame(const GridSpec& spec)
    : x_m_(static_cast<std::size_t>(spec.width)),
      cell_m_(spec.cell_m),
      cell_y_m_(spec.cell_y_m),
      origin_x_(spec.origin_x),
      origin_y_(spec.origin_y),
      height_(spec.height) {
  for (int x = 0; x < spec.width; ++x) x_m_[static_cast<std::size_t>(x)] = static_cast<double>(origin_x_ + x) * cell_m_;
}

int Frame::column(double x_m) const {
  const double column = std::floor(x_m / cell_m_ - static_cast<double>(origin_x_));
  return column < 0 ? 0 : (column < width() ? static_cast<int>(column) : width());
}

int Frame::first_from(double x_m) const {
  return static_cast<int>(std::lower_bound(x_m_.begin(), x_m_.end(), x_m) - x_m_.begin());
}

// The samples of a row in the union of the discs around both ends and the strip along the segment: convex, so one span.
Span Frame::near(const Segment& s, int y, double reach_m) const {
  const double reach = reach_m * (1.0 + 1e-9) + 1e-6;  // rounding must not lose a sample
  const double row = y_m(y);
  double west = std::numeric_limits<double>::infinity(), east = -west;
  const auto add = [&](double from, double to) { west = std::min(west, from), east = std::max(east, to); };
  for (const auto& [x, dy] : {std::pair{s.ax_m, row - s.ay_m}, std::pair{s.bx_m, row - s.by_m}})
    if (std::fabs(dy) <= reach) {
      const double half = std::sqrt(reach * reach - dy * dy);
      add(x - half, x + half);
    }
  if (s.dy_m != 0) {
    const double out_x = -s.dy_m / s.length_m * reach, out_y = s.dx_m / s.length_m * reach;
    for (const double side : {-1.0, 1.0}) {
      const double t = (row - (s.ay_m + side * out_y)) / s.dy_m;
      if (t < 0 || t > 1) continue;
      const double x = s.ax_m + side * out_x + t * s.dx_m;
      add(x, x);
    }
  }
  if (!(west <= east)) return {};
  return {column(west - cell_m_), column(east + 2.0 * cell_m_)};
}

std::vector<std::size_t> segments_near_rows(const Outline& outline, const Frame& frame, int begin, int end,
                                            double reach_m) {
  const double reach = reach_m * (1.0 + 1e-9) + 1e-6;
  const double north = frame.y_m(begin) + reach, south = frame.y_m(end - 1) - reach;
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < outline.segments.size(); ++i) {
    const Segment& s = outline.segments[i];
    if (std::max(s.ay_m, s.by_m) >= south && std::min(s.ay_m, s.by_m) <= north) near.push_back(i);
  }
  return near;
}

Inside::Inside(const Outline& outline, const Frame& frame, int begin, int end) : outline_(outline), frame_(frame) {
  if (outline.groups.empty()) return;
  const double north = frame.y_m(begin), south = frame.y_m(end - 1);
  for (std::size_t g = 0; g < outline.groups.size(); ++g)
    for (const std::size_t ring : outline.groups[g].rings)
      for (std::size_t i = outline.parts[ring].begin; i < outline.parts[ring].end; ++i) {
        const Segment& s = outline.segments[i];
        if (std::max(s.ay_m, s.by_m) >= south && std::min(s.ay_m, s.by_m) <= north) edges_.push_back({i, g});
      }
  const auto width = static_cast<std::size_t>(frame.width());
  parity_.resize(width);
  owner_.resize(width);
}

void Inside::mark(Span span, int group) {
  for (int x = span.begin; x < span.end; ++x) {
    const auto i = static_cast<std::size_t>(x);
    parity_[i] ^= 1;
    if (owner_[i] < 0) owner_[i] = group;
  }
}

void Inside::set_row(int y) {
  row_ = y;
  if (parity_.empty()) return;
  std::fill(parity_.begin(), parity_.end(), 0);
  std::fill(owner_.begin(), owner_.end(), -1);
  for (std::size_t i = 0; i < edges_.size();) {
    const std::size_t group = edges_[i].group;
    crossings_.clear();
    double crossing = 0;
    for (; i < edges_.size() && edges_[i].group == group; ++i)
      if (crosses(outline_.segments[edges_[i].segment], frame_.y_m(y), &crossing)) crossings_.push_back(crossing);
    std::sort(crossings_.begin(), crossings_.end());
    for (std::size_t k = 0; k + 1 < crossings_.size(); k += 2)
      mark({frame_.first_from(crossings_[k]), frame_.first_from(crossings_[k + 1])}, static_cast<int>(group));
  }
}

void Inside::heights(const double* edge_distance2, const double* edge_height_m, double* height_m) {
  for (int x = 0; x < frame_.width() && !parity_.empty();) {
    const int owner = owner_[static_cast<std::size_t>(x)];
    Span span{x, x};
    while (span.end < frame_.width() && owner_[static_cast<std::size_t>(span.end)] == owner) ++span.end;
    x = span.end;
    if (owner < 0) continue;
    const RingGroup& group = outline_.groups[static_cast<std::size_t>(owner)];
    if (!group.one_height) {
      mean_heights(span, group, edge_distance2, edge_height_m, height_m);
      continue;
    }
    for (int i = span.begin; i < span.end; ++i)
      if (at(i)) height_m[i] = outline_.parts[group.rings.front()].low_m;
  }
}

void Inside::mean_heights(Span span, const RingGroup& group, const double* edge_distance2, const double* edge_height_m,
                          double* height_m) {
  const auto width = static_cast<std::size_t>(frame_.width());
  weight_.assign(width, 0.0);
  weighted_height_.assign(width, 0.0);
  const SightKernel kernel;
  double low = outline_.parts[group.rings.front()].low_m, high = low;
  for (const std::size_t ring : group.rings) {
    const OutlinePart& part = outline_.parts[ring];
    low = std::min(low, part.low_m), high = std::max(high, part.high_m);
    for (std::size_t i = part.begin; i < part.end; ++i)
      kernel.add(outline_.segments[i], frame_, row_, span, weight_.data(), weighted_height_.data());
  }
  for (int x = span.begin; x < span.end; ++x) {
    if (!at(x)) continue;
    const double mean = weighted_height_[static_cast<std::size_t>(x)] / weight_[static_cast<std::size_t>(x)];
    const bool usable = edge_distance2[x] > 0 && mean == mean;
    height_m[x] = usable ? std::clamp(mean, low, high) : edge_height_m[x];
  }
}

}  // namespace thalweg::shape::detail
