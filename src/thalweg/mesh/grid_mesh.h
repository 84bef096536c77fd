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
  std::vector<float> tangents;            ///< 4 per vertex, along +u, w = handedness; may be empty
  std::vector<std::uint32_t> indices;     ///< 3 per triangle, counter-clockwise seen from above
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

/// One vertex per kept sample, two triangles per cell, split along the diagonal that is nearer to the cell's middle
/// height. Normals come from central differences of the full-resolution height field (one-sided at its border), so that
/// meshes of neighbouring windows agree where `height` includes a ring around `interior` (see the second form).
/// NoData samples make no triangles. Grids of one row or column give no triangles.
Mesh grid_mesh(const GridMeshParams& params, const GridSpec& spec, GridView<const float> height, const Exec& exec);

}  // namespace thalweg::mesh
