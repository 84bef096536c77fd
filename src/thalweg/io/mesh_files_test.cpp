#include "thalweg/io/mesh_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "thalweg/io/png.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
struct Square {
  std::vector<float> positions{0, 1.1F, 0, 10, -2, 0, 0, 3.25F, 10, 10, 4, 10};
  std::vector<float> normals{0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
  std::vector<float> uvs{0, 0, 1, 0, 0, 1, 1, 0.75F};
  std::vector<float> tangents{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
  std::vector<std::uint32_t> indices{0, 2, 1, 1, 2, 3};
  MeshArrays arrays() const {
    MeshArrays mesh;
    mesh.positions = positions;
    mesh.normals = normals;
    mesh.uvs = uvs;
    mesh.tangents = tangents;
    mesh.indices = indices;
    mesh.origin = {500000.5, 0, -4100000};
    mesh.name = "north \"ridge\"";
    return mesh;
  }
};

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

struct Glb {
  nlohmann::json json;
  std::string bin;
};

// Takes a .glb apart and checks what the specification says of the container and of every accessor.
Glb parse_glb(const std::string& bytes) {
  Glb glb;
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(word(bytes, 4), 2U);
  EXPECT_EQ(word(bytes, 8), bytes.size());
  const std::size_t json_size = word(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(json_size % 4, 0U);
  glb.json = nlohmann::json::parse(bytes.substr(20, json_size));
  const std::size_t bin_at = 20 + json_size;
  if (bin_at == bytes.size()) return glb;
  const std::size_t bin_size = word(bytes, bin_at);
  EXPECT_EQ(bytes.substr(bin_at + 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(bin_size % 4, 0U);
  EXPECT_EQ(bin_at + 8 + bin_size, bytes.size());
  glb.bin = bytes.substr(bin_at + 8);
  EXPECT_EQ(glb.json["buffers"][0]["byteLength"], bin_size);
  for (const auto& view : glb.json["bufferViews"]) {
    const std::size_t end = view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>();
    EXPECT_LE(end, bin_size);
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0U);
  }
  return glb;
}

std::vector<float> accessor_floats(const Glb& glb, std::size_t index) {
  const auto& accessor = glb.json["accessors"][index];
  const auto& view = glb.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const std::size_t components = accessor["min"].size();
  std::vector<float> values(accessor["count"].get<std::size_t>() * components);
  EXPECT_EQ(view["byteLength"].get<std::size_t>(), values.size() * 4);
  std::memcpy(values.data(), glb.bin.data() + view["byteOffset"].get<std::size_t>(), values.size() * 4);
  for (std::size_t c = 0; c < components; ++c) {
    float low = values[c];
    float high = values[c];
    for (std::size_t i = c; i < values.size(); i += components) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    EXPECT_EQ(accessor["min"][c].get<double>(), static_cast<double>(low));
    EXPECT_EQ(accessor["max"][c].get<double>(), static_cast<double>(high));
  }
  return values;
}

TEST(Glb, ComesBackWhole) {
  const TestFolder folder;
  const Square square;
  ASSERT_TRUE(write_glb(folder.file("m.glb"), square.arrays()));
  const Glb glb = parse_glb(slurp(folder.file("m.glb")));
  EXPECT_EQ(glb.json["asset"]["version"], "2.0");
  EXPECT_EQ(glb.json["nodes"][0]["name"], "north \"ridge\"");
  EXPECT_EQ(glb.json["nodes"][0]["translation"], nlohmann::json({500000.5, 0, -4100000}));
  const auto& primitive = glb.json["meshes"][0]["primitives"][0];
  const auto& attributes = primitive["attributes"];
  EXPECT_EQ(accessor_floats(glb, attributes["POSITION"]), square.positions);
  EXPECT_EQ(accessor_floats(glb, attributes["NORMAL"]), square.normals);
  EXPECT_EQ(accessor_floats(glb, attributes["TEXCOORD_0"]), square.uvs);
  EXPECT_EQ(accessor_floats(glb, attributes["TANGENT"]), square.tangents);
  const auto& indices = glb.json["accessors"][primitive["indices"].get<std::size_t>()];
  EXPECT_EQ(indices["componentType"], 5125);
  EXPECT_EQ(indices["count"], 6);
  const auto& view = glb.json["bufferViews"][indices["bufferView"].get<std::size_t>()];
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(word(glb.bin, view["byteOffset"].get<std::size_t>() + 4 * i), square.indices[i]);
  }
  EXPECT_EQ(glb.json["materials"].size(), 1U);
  EXPECT_FALSE(glb.json.contains("images"));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Glb, PicturesAreEmbedded) {
  const TestFolder folder;
  const std::vector<std::uint8_t> pixels{1, 2, 3};
  for (int width = 1; width <= 4; ++width) {  // several sizes: the picture's length must not matter for alignment
    std::vector<std::uint8_t> row(static_cast<std::size_t>(width) * 3, 9);
    ASSERT_TRUE(write_png8(folder.file("c.png"), width, 1, 3, row));
    const Square square;
    MeshArrays mesh = square.arrays();
    mesh.base_colour_png = folder.file("c.png");
    ASSERT_TRUE(write_glb(folder.file("m.glb"), mesh));
    const Glb glb = parse_glb(slurp(folder.file("m.glb")));
    const auto& view = glb.json["bufferViews"][glb.json["images"][0]["bufferView"].get<std::size_t>()];
    EXPECT_EQ(glb.bin.substr(view["byteOffset"].get<std::size_t>(), view["byteLength"].get<std::size_t>()),
              slurp(folder.file("c.png")));
    EXPECT_EQ(glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
    EXPECT_EQ(glb.json["textures"][0]["source"], 0);
  }
}

TEST(Glb, WithoutTrianglesItIsAnEmptyNode) {
  const TestFolder folder;
  ASSERT_TRUE(write_glb(folder.file("m.glb"), MeshArrays{}));
  const Glb glb = parse_glb(slurp(folder.file("m.glb")));
  EXPECT_FALSE(glb.json.contains("meshes"));
  EXPECT_FALSE(glb.json.contains("accessors"));
  EXPECT_EQ(glb.json["nodes"].size(), 1U);
}

TEST(Meshes, FaultyArraysAreRefused) {
  const TestFolder folder;
  const Square good;
  std::vector<Square> bad(7, good);
  bad[0].positions.pop_back();
  bad[1].normals.pop_back();
  bad[2].uvs.push_back(0);
  bad[3].tangents.pop_back();
  bad[4].indices.pop_back();
  bad[5].indices[3] = 4;
  bad[6].positions[4] = std::nanf("");
  for (std::size_t i = 0; i < bad.size(); ++i) {
    EXPECT_FALSE(write_glb(folder.file("m.glb"), bad[i].arrays())) << i;
    EXPECT_FALSE(write_obj(folder.file("m.obj"), bad[i].arrays())) << i;
  }
  MeshArrays mesh = good.arrays();
  mesh.base_colour_png = folder.file("missing.png");
  EXPECT_FALSE(write_glb(folder.file("m.glb"), mesh));
  spill(folder.file("t.png"), "text");
  mesh.base_colour_png = folder.file("t.png");
  EXPECT_FALSE(write_glb(folder.file("m.glb"), mesh));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Obj, LinesAreAsExpected) {
  const TestFolder folder;
  const Square square;
  ASSERT_TRUE(write_obj(folder.file("m.obj"), square.arrays()));
  std::istringstream in(slurp(folder.file("m.obj")));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 3U + 4 + 4 + 4 + 2);
  EXPECT_NE(lines[0].find("metre"), std::string::npos);
  EXPECT_NE(lines[1].find("500000.5 0 -4100000"), std::string::npos);
  EXPECT_EQ(lines[2], "o north_\"ridge\"");
  EXPECT_EQ(lines[3], "v 0 1.1 0");
  EXPECT_EQ(lines[10], "vt 1 0.25");
  EXPECT_EQ(lines[11], "vn 0 1 0");
  EXPECT_EQ(lines[15], "f 1/1/1 3/3/3 2/2/2");
  MeshArrays bare;
  bare.positions = square.positions;
  bare.indices = square.indices;
  ASSERT_TRUE(write_obj(folder.file("b.obj"), bare));
  EXPECT_NE(slurp(folder.file("b.obj")).find("\nf 1 3 2\n"), std::string::npos);
  bare.normals = square.normals;
  ASSERT_TRUE(write_obj(folder.file("b.obj"), bare));
  EXPECT_NE(slurp(folder.file("b.obj")).find("\nf 1//1 3//3 2//2\n"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::io
