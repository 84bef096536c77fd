#include "thalweg/mesh/grid_mesh.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace thalweg::mesh {
namespace {

constexpr std::uint32_t kUnused = 0xFFFFFFFF;

std::int64_t kept(std::int64_t samples, std::int64_t step) {
  return samples <= 0 ? 0 : 1 + (samples - 1 + step - 1) / step;
}

/// The three or six corners of a cell's triangles as bits of {nw 0, ne 1, sw 2, se 3}, in drawing order.
struct CellTriangles {
  std::array<int, 6> corners{};
  int count = 0;  ///< triangles
};

class Mesher {
 public:
  Mesher(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height, int ring, const Exec& exec)
      : spec_(spec),
        height_(height),
        exec_(exec),
        ring_(ring),
        step_(params.step),
        columns_(static_cast<int>(kept(spec.width, params.step))),
        rows_(static_cast<int>(kept(spec.height, params.step))) {}

  Mesh run() {
    Mesh mesh;
    mesh.origin = {static_cast<double>(spec_.origin_x) * spec_.cell_m, 0,
                   static_cast<double>(spec_.origin_y) * spec_.cell_y_m};
    if (columns_ < 2 || rows_ < 2 || std::int64_t{columns_} * rows_ > kMaxVertices) return mesh;
    number_vertices();
    mesh.positions.resize(static_cast<std::size_t>(vertices_ * 3));
    mesh.normals.resize(static_cast<std::size_t>(vertices_ * 3));
    mesh.uvs.resize(static_cast<std::size_t>(vertices_ * 2));
    mesh.tangents.resize(static_cast<std::size_t>(vertices_ * 4));
    mesh.indices.resize(static_cast<std::size_t>(triangle_begin_.back() * 3));
    parallel_rows(exec_, columns_, rows_, [&](int begin, int end) {
      for (int r = begin; r < end; ++r) {
        write_vertices(r, mesh);
        if (r + 1 < rows_) write_triangles(r, mesh);
      }
    });
    return mesh;
  }

 private:
  int sample(int kept_index, int samples) const {
    return static_cast<int>(std::min<std::int64_t>(kept_index * step_, samples - 1));
  }
  int column(int c) const { return sample(c, spec_.width); }
  int row(int r) const { return sample(r, spec_.height); }

  /// Height at a sample of the window; NaN for NoData and outside the ring.
  double at(std::int64_t x, std::int64_t y) const {
    x += ring_;
    y += ring_;
    if (x < 0 || y < 0 || x >= height_.width() || y >= height_.height())
      return std::numeric_limits<double>::quiet_NaN();
    const float h = height_(static_cast<int>(x), static_cast<int>(y));
    return std::isfinite(h) ? static_cast<double>(h) : std::numeric_limits<double>::quiet_NaN();
  }

  /// Height in the middle of the cell, NaN where it cannot be told.
  double middle(int c, int r) const {
    const int x0 = column(c);
    const int x1 = column(c + 1);
    const int y0 = row(r);
    const int y1 = row(r + 1);
    if ((x1 - x0) % 2 == 0 && (y1 - y0) % 2 == 0) return at((x0 + x1) / 2, (y0 + y1) / 2);
    // Tensor product of the four-point midpoint rule (-1, 9, 9, -1) / 16 over samples one cell apart.
    const int dx = x1 - x0;
    const int dy = y1 - y0;
    constexpr double w[4] = {-0.0625, 0.5625, 0.5625, -0.0625};
    double sum = 0;
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i) sum += w[i] * w[j] * at(x0 + (i - 1) * dx, y0 + (j - 1) * dy);
    return sum;
  }

  CellTriangles cell(int c, int r) const {
    const double nw = at(column(c), row(r));
    const double ne = at(column(c + 1), row(r));
    const double sw = at(column(c), row(r + 1));
    const double se = at(column(c + 1), row(r + 1));
    const int missing = int{std::isnan(nw)} + int{std::isnan(ne)} + int{std::isnan(sw)} + int{std::isnan(se)};
    if (missing > 1) return {};
    if (std::isnan(nw)) return {{1, 2, 3}, 1};
    if (std::isnan(ne)) return {{0, 2, 3}, 1};
    if (std::isnan(sw)) return {{0, 3, 1}, 1};
    if (std::isnan(se)) return {{0, 2, 1}, 1};
    double falling = std::fabs(nw - se);
    double rising = std::fabs(sw - ne);
    const double m = middle(c, r);
    if (!std::isnan(m)) {
      falling = std::fabs(0.5 * (nw + se) - m);
      rising = std::fabs(0.5 * (sw + ne) - m);
    }
    if (falling <= rising) return {{0, 2, 3, 0, 3, 1}, 2};
    return {{0, 2, 1, 1, 2, 3}, 2};
  }

  /// Decides which samples become vertices, in row-major order, and where each cell row's triangles go.
  void number_vertices() {
    vertex_ = Grid<std::uint32_t>(columns_, rows_, kUnused);
    std::vector<std::int64_t> vertex_begin(static_cast<std::size_t>(rows_) + 1, 0);
    triangle_begin_.assign(static_cast<std::size_t>(rows_), 0);
    // A vertex row is marked by the cell rows above and below it; a cell row is looked at twice, so that no two blocks
    // write to one row.
    parallel_rows(exec_, columns_, rows_, [&](int begin, int end) {
      for (int r = begin; r < end; ++r) {
        if (r > 0) mark(r - 1, 2, r);
        std::int64_t triangles = 0;
        if (r + 1 < rows_) triangles = mark(r, 0, r);
        std::int64_t used = 0;
        for (int c = 0; c < columns_; ++c) used += vertex_(c, r) != kUnused;
        vertex_begin[static_cast<std::size_t>(r) + 1] = used;
        if (r + 1 < rows_) triangle_begin_[static_cast<std::size_t>(r) + 1] = triangles;
      }
    });
    for (std::size_t r = 1; r < vertex_begin.size(); ++r) vertex_begin[r] += vertex_begin[r - 1];
    for (std::size_t r = 1; r < triangle_begin_.size(); ++r) triangle_begin_[r] += triangle_begin_[r - 1];
    vertices_ = vertex_begin.back();
    parallel_rows(exec_, columns_, rows_, [&](int begin, int end) {
      for (int r = begin; r < end; ++r) {
        auto next = static_cast<std::uint32_t>(vertex_begin[static_cast<std::size_t>(r)]);
        for (int c = 0; c < columns_; ++c)
          if (vertex_(c, r) != kUnused) vertex_(c, r) = next++;
      }
    });
  }

  /// Marks the vertices of cell row `cells` that lie in vertex row `into`: corners first, first + 1. Returns triangles.
  std::int64_t mark(int cells, int first, int into) {
    std::int64_t triangles = 0;
    for (int c = 0; c + 1 < columns_; ++c) {
      const CellTriangles t = cell(c, cells);
      triangles += t.count;
      for (int i = 0; i < 3 * t.count; ++i) {
        const int corner = t.corners[static_cast<std::size_t>(i)];
        if (corner == first || corner == first + 1) vertex_(c + (corner & 1), into) = 0;
      }
    }
    return triangles;
  }

  /// dh/dx for (dx, dy) = (1, 0), dh/dz for (0, 1): central where both neighbours exist, else one-sided, else 0.
  double slope(int x, int y, int dx, int dy, double cell_m) const {
    const double here = at(x, y);
    const double before = at(x - dx, y - dy);
    const double after = at(x + dx, y + dy);
    if (!std::isnan(before) && !std::isnan(after)) return (after - before) / (2 * cell_m);
    if (!std::isnan(after)) return (after - here) / cell_m;
    if (!std::isnan(before)) return (here - before) / cell_m;
    return 0;
  }

  void write_vertices(int r, Mesh& mesh) const {
    const int y = row(r);
    for (int c = 0; c < columns_; ++c) {
      if (vertex_(c, r) == kUnused) continue;
      const auto v = static_cast<std::size_t>(vertex_(c, r));
      const int x = column(c);
      const double east = slope(x, y, 1, 0, spec_.cell_m);
      const double south = slope(x, y, 0, 1, spec_.cell_y_m);
      const double length = std::sqrt(east * east + south * south + 1);
      const double along = std::sqrt(east * east + 1);
      float* p = &mesh.positions[3 * v];
      p[0] = static_cast<float>(x * spec_.cell_m);
      p[1] = static_cast<float>(at(x, y));
      p[2] = static_cast<float>(y * spec_.cell_y_m);
      float* n = &mesh.normals[3 * v];
      n[0] = static_cast<float>(-east / length);
      n[1] = static_cast<float>(1 / length);
      n[2] = static_cast<float>(-south / length);
      float* t = &mesh.tangents[4 * v];
      t[0] = static_cast<float>(1 / along);
      t[1] = static_cast<float>(east / along);
      t[2] = 0;
      t[3] = 1;
      mesh.uvs[2 * v] = static_cast<float>(static_cast<double>(x) / (spec_.width - 1));
      mesh.uvs[2 * v + 1] = static_cast<float>(static_cast<double>(y) / (spec_.height - 1));
    }
  }

  void write_triangles(int r, Mesh& mesh) const {
    auto next = static_cast<std::size_t>(triangle_begin_[static_cast<std::size_t>(r)] * 3);
    for (int c = 0; c + 1 < columns_; ++c) {
      const CellTriangles t = cell(c, r);
      for (int i = 0; i < 3 * t.count; ++i) {
        const int corner = t.corners[static_cast<std::size_t>(i)];
        mesh.indices[next++] = vertex_(c + (corner & 1), r + (corner >> 1));
      }
    }
  }

  const GridSpec& spec_;
  GridView<const float> height_;
  const Exec& exec_;
  int ring_;
  std::int64_t step_;
  int columns_;
  int rows_;
  Grid<std::uint32_t> vertex_;                // of each kept sample
  std::vector<std::int64_t> triangle_begin_;  // before each cell row; the last entry is the total
  std::int64_t vertices_ = 0;
};

}  // namespace

std::int64_t kept_samples(const GridMeshParams& params, const GridSpec& spec) {
  return kept(spec.width, params.step) * kept(spec.height, params.step);
}

Mesh grid_mesh_window(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height_with_ring,
                      int ring, const Exec& exec) {
  assert(params.step >= 1 && ring >= 0);
  assert(height_with_ring.width() == spec.width + 2 * ring && height_with_ring.height() == spec.height + 2 * ring);
  assert(kept_samples(params, spec) <= kMaxVertices);
  return Mesher(params, spec, height_with_ring, ring, exec).run();
}

Mesh grid_mesh(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height, const Exec& exec) {
  return grid_mesh_window(params, spec, height, 0, exec);
}

}  // namespace thalweg::mesh
