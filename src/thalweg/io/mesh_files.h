// Meshes out: binary glTF and OBJ.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "thalweg/core/result.h"

namespace thalweg::io {

/// Borrowed arrays of an indexed triangle mesh: x east, y up, z south, metres, counter-clockwise. Optional ones may be
/// empty.
struct MeshArrays {
  std::span<const float> positions;  ///< 3 per vertex
  std::span<const float> normals;    ///< 3 per vertex
  std::span<const float> uvs;        ///< 2 per vertex
  std::span<const float> tangents;   ///< 4 per vertex
  std::span<const std::uint32_t> indices;
  std::array<double, 3> origin{0, 0, 0};  ///< written as the node's translation (glb) or a comment (obj)
  std::string name = "terrain";
  std::string base_colour_png;  ///< path of a PNG to embed as base colour texture; "" for a plain grey material
};
/// glTF 2.0 binary, one mesh, one material; accessor min and max given. Fails where the file would pass 4 GiB.
Status write_glb(const std::string& path, const MeshArrays& mesh);
/// Wavefront OBJ with v, vt, vn; the header states units (metres) and axes.
Status write_obj(const std::string& path, const MeshArrays& mesh);

}  // namespace thalweg::io
