// Triangle meshes from height fields.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::mesh {

/// An indexed triangle mesh. Axes: x east, y up, z south (right-handed, as glTF wants it), metres, relative to
/// `origin`.
struct Mesh {
  std::array<double, 3> origin{0, 0, 0};  ///< x east, y up, z south of the world's origin
  std::vector<float> positions;           ///< 3 per vertex
  std::vector<float> normals;             ///< 3 per vertex, unit length
  std::vector<float> uvs;                 ///< 2 per vertex: u from west (0) to east (1), v from north (0) to south (1)
  /// 4 per vertex: unit vector along +u, then w = 1. cross(normal, tangent) * w points north, against +v: what glTF and
  /// OpenGL normal maps (green up) expect. May be empty.
  std::vector<float> tangents;
  std::vector<std::uint32_t> indices;  ///< 3 per triangle, counter-clockwise seen from above
  std::int64_t vertices() const { return static_cast<std::int64_t>(positions.size() / 3); }
  std::int64_t triangles() const { return static_cast<std::int64_t>(indices.size() / 3); }
};

struct GridMeshParams {
  std::int64_t step = 1;  ///< every step-th sample; the last row and column are always kept
  template <class Visitor>
  static void describe(GridMeshParams& p, Visitor& v) {
    v.integer("step", p.step, {.min = 1, .max = 65536, .help = "use every n-th sample"});
  }
};

/// The most vertices a mesh can have: indices are 32-bit.
inline constexpr std::int64_t kMaxVertices = 0xFFFFFFFF;

/// Samples that grid_mesh keeps, before NoData is taken out. Must be at most kMaxVertices: ask before meshing a very
/// large grid.
std::int64_t kept_samples(const GridMeshParams& params, const GridSpec& spec);

/// One vertex per kept sample that some triangle uses, in row-major order; two triangles per cell, split along the
/// diagonal whose middle is nearer to the cell's middle height (the sample there where step > 1, else the bicubic
/// estimate; near borders and holes the diagonal with the smaller height difference; ties: north-west to south-east).
/// Normals and tangents come from central differences of the full-resolution height field, one-sided at borders and
/// beside NoData. Samples that are not finite count as NoData: a cell with one such corner makes one triangle, with
/// more none. The mesh has no cracks, and every triangle faces up. Grids of one row or column give an empty mesh.
/// `height` has the size of `spec`; kept_samples must be at most kMaxVertices. Linear; 4 bytes per kept sample of
/// working memory. The same bits for any Exec.
Mesh grid_mesh(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height, const Exec& exec);

/// The same for a window of a larger land: `spec` is the window, `height_with_ring` has `ring` more samples on each of
/// its four sides (NaN beyond the end of the land), which serve the differences only. With ring >= 1 the normals and
/// tangents on both sides of a seam between windows that share their edge samples are equal to the bit.
Mesh grid_mesh_window(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height_with_ring,
                      int ring, const Exec& exec);

}  // namespace thalweg::mesh
