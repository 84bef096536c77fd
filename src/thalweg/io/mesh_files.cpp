#include "thalweg/io/mesh_files.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "thalweg/io/files.h"
#include "thalweg/io/json_text.h"

namespace thalweg::io {
namespace {
constexpr std::uint64_t kMaxGlbBytes = std::numeric_limits<std::uint32_t>::max();

bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

// What no reader of either format accepts is refused before anything is written.
Status check_mesh(const std::string& path, const MeshArrays& mesh) {
  const std::size_t vertices = mesh.positions.size() / 3;
  const auto wrong = [&](const std::string& what) { return input_error("mesh '" + mesh.name + "': " + what, path); };
  if (mesh.positions.size() % 3 != 0) return wrong("positions do not come in threes");
  if (!mesh.normals.empty() && mesh.normals.size() != vertices * 3) return wrong("one normal per vertex is needed");
  if (!mesh.uvs.empty() && mesh.uvs.size() != vertices * 2) return wrong("one texture coordinate per vertex is needed");
  if (!mesh.tangents.empty() && mesh.tangents.size() != vertices * 4) return wrong("one tangent per vertex is needed");
  if (mesh.indices.size() % 3 != 0) return wrong("indices do not come in threes");
  for (const std::uint32_t index : mesh.indices) {
    if (index >= vertices) return wrong("index " + std::to_string(index) + " is beyond the last vertex");
  }
  if (!all_finite(mesh.positions) || !all_finite(mesh.normals) || !all_finite(mesh.uvs) || !all_finite(mesh.tangents)) {
    return wrong("holds a coordinate that is not a finite number");
  }
  for (const double coordinate : mesh.origin) {
    if (!std::isfinite(coordinate)) return wrong("the origin is not finite");
  }
  return {};
}

// One accessor of a glTF with the buffer view of the same index.
struct Accessor {
  const char* attribute;
  const char* type;
  std::size_t components;
  std::span<const float> values;
};

template <class T>
void write_little_endian(FileWriter& out, std::span<const T> values) {
  static_assert(sizeof(T) == 4);
  if constexpr (std::endian::native == std::endian::little) {
    out.write(values.data(), values.size_bytes());
  } else {
    for (const T value : values) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      const unsigned char bytes[4] = {static_cast<unsigned char>(bits), static_cast<unsigned char>(bits >> 8),
                                      static_cast<unsigned char>(bits >> 16), static_cast<unsigned char>(bits >> 24)};
      out.write(bytes, 4);
    }
  }
}

void append_bounds(std::string& json, const char* key, const std::vector<float>& bounds) {
  json += std::string(",\"") + key + "\":[";
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (i > 0) json += ',';
    append_number(json, static_cast<double>(bounds[i]));  // as a double: readers compare with the exact float
  }
  json += ']';
}

// The minimum and maximum of each component; glTF demands them for positions, and we give them everywhere.
void append_min_max(std::string& json, const Accessor& accessor) {
  std::vector<float> low(accessor.components, std::numeric_limits<float>::max());
  std::vector<float> high(accessor.components, std::numeric_limits<float>::lowest());
  for (std::size_t i = 0; i < accessor.values.size(); i += accessor.components) {
    for (std::size_t c = 0; c < accessor.components; ++c) {
      low[c] = std::min(low[c], accessor.values[i + c]);
      high[c] = std::max(high[c], accessor.values[i + c]);
    }
  }
  append_bounds(json, "min", low);
  append_bounds(json, "max", high);
}

class GlbWriter {
 public:
  GlbWriter(const MeshArrays& mesh, std::string png) : mesh_(mesh), png_(std::move(png)) {
    if (empty()) return;
    accessors_.push_back({"POSITION", "VEC3", 3, mesh.positions});
    if (!mesh.normals.empty()) accessors_.push_back({"NORMAL", "VEC3", 3, mesh.normals});
    if (!mesh.uvs.empty()) accessors_.push_back({"TEXCOORD_0", "VEC2", 2, mesh.uvs});
    if (!mesh.tangents.empty()) accessors_.push_back({"TANGENT", "VEC4", 4, mesh.tangents});
    for (const Accessor& accessor : accessors_) bin_bytes_ += accessor.values.size_bytes();
    bin_bytes_ += mesh.indices.size_bytes() + png_.size();
    padding_ = (4 - bin_bytes_ % 4) % 4;
    bin_bytes_ += padding_;
  }

  Status write(const std::string& temporary, const std::string& path) const {
    std::string json = build_json();
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::uint64_t total = 12 + 8 + json.size() + (empty() ? 0 : 8 + bin_bytes_);
    if (total > kMaxGlbBytes) {
      return input_error("the mesh needs more than the 4 GiB a .glb can hold; use a larger error or step", path);
    }
    FileWriter out(temporary, path);
    put(out, {0x46546C67u, 2u, static_cast<std::uint32_t>(total)});    // "glTF"
    put(out, {static_cast<std::uint32_t>(json.size()), 0x4E4F534Au});  // "JSON"
    out.write(json);
    if (!empty()) {
      put(out, {static_cast<std::uint32_t>(bin_bytes_), 0x004E4942u});  // "BIN"
      for (const Accessor& accessor : accessors_) write_little_endian(out, accessor.values);
      write_little_endian(out, mesh_.indices);
      out.write(png_);
      out.write(std::string_view("\0\0\0", padding_));
    }
    return out.close();
  }

 private:
  // glTF allows no accessor without elements: such a mesh becomes a node without one.
  bool empty() const { return mesh_.indices.empty(); }

  static void put(FileWriter& out, std::initializer_list<std::uint32_t> words) {
    write_little_endian(out, std::span<const std::uint32_t>(words.begin(), words.size()));
  }

  std::string build_json() const {
    std::string json = R"({"asset":{"version":"2.0","generator":"Thalweg"},"scene":0,"scenes":[{"nodes":[0]}],)";
    json += R"("nodes":[{"name":)";
    append_string(json, mesh_.name);
    if (mesh_.origin != std::array<double, 3>{0, 0, 0}) {
      json += R"(,"translation":[)";
      for (std::size_t i = 0; i < 3; ++i) {
        if (i > 0) json += ',';
        append_number(json, mesh_.origin[i]);
      }
      json += ']';
    }
    json += empty() ? "}]" : R"(,"mesh":0}])";
    if (!empty()) append_mesh(json);
    json += '}';
    return json;
  }

  void append_mesh(std::string& json) const {
    json += R"(,"meshes":[{"name":)";
    append_string(json, mesh_.name);
    json += R"(,"primitives":[{"attributes":{)";
    for (std::size_t i = 0; i < accessors_.size(); ++i) {
      if (i > 0) json += ',';
      json += std::string("\"") + accessors_[i].attribute + "\":" + std::to_string(i);
    }
    json += "},\"indices\":" + std::to_string(accessors_.size()) + R"(,"material":0,"mode":4}]}])";
    append_material(json);
    append_accessors(json);
    append_views(json);
  }

  void append_material(std::string& json) const {
    json += R"(,"materials":[{"name":"ground","pbrMetallicRoughness":{)";
    json += png_.empty() ? R"("baseColorFactor":[0.5,0.5,0.5,1],)" : R"("baseColorTexture":{"index":0},)";
    json += R"("metallicFactor":0,"roughnessFactor":1}}])";
    if (png_.empty()) return;
    // Linear with mipmaps, clamped: a terrain's picture must not wrap round to the far side at its edge.
    json += R"(,"textures":[{"source":0,"sampler":0}],"samplers":[{"magFilter":9729,"minFilter":9987,)";
    json += R"("wrapS":33071,"wrapT":33071}],"images":[{"mimeType":"image/png","bufferView":)";
    json += std::to_string(accessors_.size() + 1) + "}]";
  }

  void append_accessors(std::string& json) const {
    json += R"(,"accessors":[)";
    for (std::size_t i = 0; i < accessors_.size(); ++i) {
      const Accessor& accessor = accessors_[i];
      json += "{\"bufferView\":" + std::to_string(i) + R"(,"componentType":5126,"count":)" +
              std::to_string(accessor.values.size() / accessor.components) + ",\"type\":\"" + accessor.type + '"';
      append_min_max(json, accessor);
      json += "},";
    }
    const auto [low, high] = std::minmax_element(mesh_.indices.begin(), mesh_.indices.end());
    json += "{\"bufferView\":" + std::to_string(accessors_.size()) + R"(,"componentType":5125,"count":)" +
            std::to_string(mesh_.indices.size()) + R"(,"type":"SCALAR","min":[)" + std::to_string(*low) +
            "],\"max\":[" + std::to_string(*high) + "]}]";
  }

  void append_views(std::string& json) const {
    json += R"(,"bufferViews":[)";
    std::size_t offset = 0;
    const auto view = [&](std::size_t bytes, const char* target) {
      json += "{\"buffer\":0,\"byteOffset\":" + std::to_string(offset) + ",\"byteLength\":" + std::to_string(bytes) +
              target + "}";
      offset += bytes;
    };
    for (const Accessor& accessor : accessors_) {
      view(accessor.values.size_bytes(), ",\"target\":34962");
      json += ',';
    }
    view(mesh_.indices.size_bytes(), ",\"target\":34963");
    if (!png_.empty()) {
      json += ',';
      view(png_.size(), "");
    }
    json += "],\"buffers\":[{\"byteLength\":" + std::to_string(bin_bytes_) + "}]";
  }

  const MeshArrays& mesh_;
  std::string png_;
  std::vector<Accessor> accessors_;
  std::size_t bin_bytes_ = 0;
  std::size_t padding_ = 0;
};

Result<std::string> read_texture(const std::string& path, const MeshArrays& mesh) {
  if (mesh.base_colour_png.empty()) return std::string();
  if (mesh.uvs.empty()) return input_error("a base colour picture needs texture coordinates", path);
  Result<std::string> png = read_text_file(mesh.base_colour_png);
  if (png && !png->starts_with("\x89PNG\r\n\x1a\n")) return input_error("is not a PNG", mesh.base_colour_png);
  return png;
}

// Numbers of an OBJ, collected and written in large pieces.
class ObjText {
 public:
  explicit ObjText(FileWriter& out) : out_(out) { text_.reserve(kFlush + 512); }
  ~ObjText() { out_.write(text_); }
  void add(std::string_view text) { text_ += text; }
  void number(float value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text_ += ' ';
    text_.append(digits, end.ptr);
  }
  void integer(std::uint64_t value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, end.ptr);
  }
  void line() {
    text_ += '\n';
    if (text_.size() < kFlush) return;
    out_.write(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kFlush = std::size_t{1} << 16;
  FileWriter& out_;
  std::string text_;
};

void write_obj_header(ObjText& text, const MeshArrays& mesh) {
  text.add("# Thalweg. Unit: metre. Axes: x east, y up, z south.\n# Origin (add to every vertex): ");
  std::string origin;
  for (const double coordinate : mesh.origin) {
    append_number(origin, coordinate);
    origin += ' ';
  }
  origin.back() = '\n';
  text.add(origin);
  std::string name = mesh.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) <= 0x20; }, '_');
  text.add("o " + (name.empty() ? std::string("mesh") : name));
  text.line();
}

void write_obj_body(ObjText& text, const MeshArrays& mesh) {
  write_obj_header(text, mesh);
  const auto rows = [&](const char* key, std::span<const float> values, std::size_t components) {
    for (std::size_t i = 0; i < values.size(); i += components) {
      text.add(key);
      for (std::size_t c = 0; c < components; ++c) text.number(values[i + c]);
      text.line();
    }
  };
  rows("v", mesh.positions, 3);
  for (std::size_t i = 0; i < mesh.uvs.size(); i += 2) {
    text.add("vt");
    text.number(mesh.uvs[i]);
    text.number(1.0F - mesh.uvs[i + 1]);  // OBJ counts v from the bottom of the picture
    text.line();
  }
  rows("vn", mesh.normals, 3);
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    text.add("f");
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint64_t index = std::uint64_t{mesh.indices[i + c]} + 1;
      text.add(" ");
      text.integer(index);
      if (mesh.uvs.empty() && mesh.normals.empty()) continue;
      text.add("/");
      if (!mesh.uvs.empty()) text.integer(index);
      if (mesh.normals.empty()) continue;
      text.add("/");
      text.integer(index);
    }
    text.line();
  }
}
}  // namespace

Status write_glb(const std::string& path, const MeshArrays& mesh) {
  return guard_memory([&]() -> Status {
    THALWEG_TRY(check_mesh(path, mesh));
    Result<std::string> png = read_texture(path, mesh);
    if (!png) return std::move(png).error();
    const GlbWriter writer(mesh, std::move(*png));
    return write_atomically(path, [&](const std::string& temporary) { return writer.write(temporary, path); });
  });
}

Status write_obj(const std::string& path, const MeshArrays& mesh) {
  return guard_memory([&]() -> Status {
    THALWEG_TRY(check_mesh(path, mesh));
    return write_atomically(path, [&](const std::string& temporary) {
      FileWriter out(temporary, path);
      {
        ObjText text(out);
        write_obj_body(text, mesh);
      }
      return out.close();
    });
  });
}

}  // namespace thalweg::io
