#include "thalweg/io/vectors.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
Layer sample() {
  Layer layer;
  layer.name = "rivers \"x\" \xC3\xA4";
  layer.crs_name = "urn:ogc:def:crs:EPSG::32611";
  Feature line;
  line.kind = GeometryKind::line;
  line.parts = {{{0.1, -2, 3e-7}, {1e21, 1.0 / 3, -0.0}}};
  line.attributes = {
      {"order", std::int64_t{3}}, {"discharge_m3_s", 12.0}, {"ends", true}, {"to", std::string("a\tb\\")}};
  Feature hole;
  hole.kind = GeometryKind::polygon;
  hole.parts = {{{0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 0, 1}}, {{1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {1, 1, 1}}};
  hole.attributes = {{"order", std::numeric_limits<std::int64_t>::min()},
                     {"discharge_m3_s", std::nan("")},
                     {"ends", false},
                     {"to", std::string()}};
  Feature two = hole;
  two.kind = GeometryKind::multi_polygon;
  two.parts.push_back({{9, 9, 0}, {8, 9, 0}, {8, 8, 0}, {9, 9, 0}});
  two.part_begins_polygon = {true, false, true};
  Feature point;
  point.kind = GeometryKind::point;
  point.parts = {{{7, 8, 9}}};
  point.attributes = line.attributes;
  layer.features = {line, hole, two, point};
  return layer;
}

TEST(Geojson, TextIsAsExpected) {
  Layer layer;
  layer.name = "n";
  layer.has_z = false;
  Feature feature;
  feature.parts = {{{1, 2.5, 0}, {0.1, -3, 0}}};
  feature.attributes = {{"a", 2.0}, {"b", std::int64_t{2}}};
  layer.features = {feature, feature};
  const std::string one =
      R"({"type":"Feature","properties":{"a":2.0,"b":2},"geometry":{"type":"LineString","coordinates":[[1,2.5],[0.1,-3]]}})";
  EXPECT_EQ(to_geojson(layer),
            "{\n\"type\":\"FeatureCollection\",\n\"name\":\"n\",\n\"features\":[\n" + one + ",\n" + one + "\n]\n}\n");
}

TEST(Geojson, RoundTripsToTheSameHash) {
  const TestFolder folder;
  const Layer layer = sample();
  // Where a locale with decimal commas is installed, it must not show.
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
  }
  const Status written = write_geojson(folder.file("v.geojson"), layer);
  const Result<Layer> read = read_geojson(folder.file("v.geojson"));
  std::setlocale(LC_NUMERIC, before.c_str());
  ASSERT_TRUE(written);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(content_hash(*read), content_hash(layer));
  EXPECT_EQ(read->name, layer.name);
  EXPECT_EQ(read->crs_name, layer.crs_name);
  EXPECT_TRUE(read->has_z);
  ASSERT_EQ(read->features.size(), 4U);
  EXPECT_EQ(read->features[0].parts, layer.features[0].parts);
  EXPECT_EQ(read->features[0].attributes, layer.features[0].attributes);
  EXPECT_EQ(read->features[2].parts, layer.features[2].parts);
  EXPECT_EQ(read->features[2].part_begins_polygon, layer.features[2].part_begins_polygon);
  EXPECT_EQ(to_geojson(*read), to_geojson(layer));
}

TEST(Geojson, HashSeesEverything) {
  const Layer layer = sample();
  const ContentHash hash = content_hash(layer);
  std::vector<Layer> changed(9, layer);
  changed[0].features[0].parts[0][1][2] = 5;
  changed[1].features[0].attributes[0].second = std::int64_t{4};
  changed[2].features[0].attributes[0].second = 3.0;
  changed[3].features[0].attributes[0].first = "other";
  changed[4].features[2].part_begins_polygon = {true, true, true};
  changed[5].features.pop_back();
  changed[6].has_z = false;
  changed[7].features[1].kind = GeometryKind::multi_polygon;
  std::swap(changed[8].features[0], changed[8].features[3]);
  for (std::size_t i = 0; i < changed.size(); ++i) EXPECT_NE(content_hash(changed[i]), hash) << i;
  Layer renamed = layer;
  renamed.name = "other";
  renamed.crs_wkt = "x";
  EXPECT_EQ(content_hash(renamed), hash);
}

TEST(Geojson, EmptyLayer) {
  const TestFolder folder;
  ASSERT_TRUE(write_geojson(folder.file("e.geojson"), Layer{}));
  const Result<Layer> read = read_geojson(folder.file("e.geojson"));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->features.empty());
}

TEST(Geojson, NotFiniteCoordinatesAreRefused) {
  const TestFolder folder;
  Layer layer = sample();
  layer.features[1].parts[0][1][2] = std::nan("");
  const Status status = write_geojson(folder.file("x.geojson"), layer);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("feature 1"), std::string::npos);
  layer.has_z = false;
  EXPECT_TRUE(write_geojson(folder.file("x.geojson"), layer));
}

TEST(Geojson, BadUtf8BecomesValidJson) {
  Layer layer;
  layer.name = "a\xFF\xC0\x80\xED\xA0\x80\xE5\xB1";
  const TestFolder folder;
  ASSERT_TRUE(write_geojson(folder.file("u.geojson"), layer));
  const Result<Layer> read = read_geojson(folder.file("u.geojson"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(read->name.starts_with("a\xEF\xBF\xBD"));
}

TEST(Geojson, FaultsAreTold) {
  const TestFolder folder;
  const std::string path = folder.file("f.geojson");
  const auto error_of = [&](const std::string& text) {
    spill(path, text);
    const Result<Layer> read = read_geojson(path);
    EXPECT_FALSE(read) << text;
    return read ? std::string() : read.error().text();
  };
  EXPECT_NE(error_of("{\n \"type\": }").find(path + ":2:10"), std::string::npos);
  error_of("");
  error_of("[]");
  error_of(R"({"type":"FeatureCollection"})");
  error_of(R"({"type":"FeatureCollection","features":[7]})");
  const std::string head = R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":)";
  for (const char* geometry :
       {"null", R"({"type":"LineString"})", R"({"type":"LineString","coordinates":[[1,"2"]]})",
        R"({"type":"LineString","coordinates":[1,2]})", R"({"type":"MultiPoint","coordinates":[[1,2]]})",
        R"({"type":"Polygon","coordinates":[[1,2],[3,4]]})", R"({"type":"MultiPolygon","coordinates":7})"}) {
    EXPECT_NE(error_of(head + geometry + "}]}").find("feature 0"), std::string::npos) << geometry;
  }
  error_of(std::string(100000, '['));
  EXPECT_FALSE(read_geojson(folder.file("missing")));
  EXPECT_FALSE(read_geojson(folder.path()));
}

TEST(Geojson, CutFilesNeverCrash) {
  const TestFolder folder;
  const std::string path = folder.file("c.geojson");
  const std::string whole = to_geojson(sample());
  for (std::size_t length = 0; length + 2 < whole.size(); length += 3) {
    spill(path, whole.substr(0, length));
    EXPECT_FALSE(read_geojson(path)) << length;
  }
}

}  // namespace
}  // namespace thalweg::io
