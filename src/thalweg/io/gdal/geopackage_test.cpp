#include <gtest/gtest.h>
#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>

#include <cmath>

#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
std::string utm_wkt() {
  OGRSpatialReference srs;
  EXPECT_EQ(srs.importFromEPSG(32611), OGRERR_NONE);
  char* text = nullptr;
  srs.exportToWkt(&text);
  const std::string wkt = text;
  CPLFree(text);
  return wkt;
}

std::vector<Layer> sample() {
  Layer rivers;
  rivers.name = "rivers";
  rivers.crs_wkt = utm_wkt();
  Feature line;
  line.parts = {{{1, 2, 3}, {4, 5.5, -6}}};
  line.attributes = {
      {"fid", std::int64_t{1} << 40}, {"discharge_m3_s", 2.5}, {"ends", true}, {"to", std::string("s\xC3\xAA")}};
  rivers.features = {line, line};
  rivers.features[1].attributes[1].second = std::nan("");
  Layer lakes;
  lakes.name = "lakes";
  lakes.has_z = false;
  Feature lake;
  lake.kind = GeometryKind::multi_polygon;
  lake.parts = {{{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 0, 0}},
                {{2, 1, 0}, {3, 1, 0}, {3, 2, 0}, {2, 1, 0}},
                {{20, 0, 0}, {29, 0, 0}, {29, 9, 0}, {20, 0, 0}}};
  lake.part_begins_polygon = {true, false, true};
  Feature pond;
  pond.kind = GeometryKind::polygon;
  pond.parts = {lake.parts[0]};
  lakes.features = {lake, pond};
  return {rivers, lakes};
}

TEST(WriteGeopackage, ComesBackThroughOgr) {
  const TestFolder folder;
  const std::string path = folder.file("v.gpkg");
  ASSERT_TRUE(write_geopackage(path, sample()));
  EXPECT_EQ(folder.entries(), 1);
  const GDALDatasetUniquePtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
  ASSERT_NE(dataset, nullptr);
  ASSERT_EQ(dataset->GetLayerCount(), 2);
  OGRLayer* rivers = dataset->GetLayerByName("rivers");
  ASSERT_NE(rivers, nullptr);
  EXPECT_EQ(rivers->GetGeomType(), wkbLineString25D);
  EXPECT_STREQ(rivers->GetSpatialRef()->GetAuthorityCode(nullptr), "32611");
  ASSERT_EQ(rivers->GetFeatureCount(), 2);
  const OGRFeatureUniquePtr first(rivers->GetNextFeature());
  EXPECT_EQ(first->GetFieldAsInteger64("fid"), GIntBig{1} << 40);
  EXPECT_EQ(first->GetFieldAsDouble("discharge_m3_s"), 2.5);
  EXPECT_EQ(first->GetFieldAsInteger("ends"), 1);
  EXPECT_STREQ(first->GetFieldAsString("to"), "s\xC3\xAA");
  const OGRLineString* line = first->GetGeometryRef()->toLineString();
  EXPECT_EQ(line->getNumPoints(), 2);
  EXPECT_EQ(line->getY(1), 5.5);
  EXPECT_EQ(line->getZ(1), -6);
  const OGRFeatureUniquePtr second(rivers->GetNextFeature());
  EXPECT_FALSE(second->IsFieldSetAndNotNull(second->GetFieldIndex("discharge_m3_s")));
  OGRLayer* lakes = dataset->GetLayerByName("lakes");
  ASSERT_NE(lakes, nullptr);
  EXPECT_EQ(lakes->GetGeomType(), wkbMultiPolygon);
  const OGRFeatureUniquePtr lake(lakes->GetNextFeature());
  const OGRMultiPolygon* multi = lake->GetGeometryRef()->toMultiPolygon();
  ASSERT_EQ(multi->getNumGeometries(), 2);
  EXPECT_EQ(multi->getGeometryRef(0)->getNumInteriorRings(), 1);
  EXPECT_EQ(multi->getGeometryRef(1)->getNumInteriorRings(), 0);
  const OGRFeatureUniquePtr pond(lakes->GetNextFeature());
  EXPECT_EQ(pond->GetGeometryRef()->toMultiPolygon()->getNumGeometries(), 1);
}

TEST(WriteGeopackage, EqualContentEqualBytes) {
  const TestFolder folder;
  ASSERT_TRUE(write_geopackage(folder.file("a.gpkg"), sample()));
  ASSERT_TRUE(write_geopackage(folder.file("b.gpkg"), sample()));
  EXPECT_EQ(slurp(folder.file("a.gpkg")), slurp(folder.file("b.gpkg")));
  ASSERT_TRUE(write_geopackage(folder.file("b.gpkg"), {}));
}

TEST(WriteGeopackage, FaultsAreTold) {
  const TestFolder folder;
  std::vector<Layer> layers = sample();
  layers[1].name = "Rivers";
  EXPECT_FALSE(write_geopackage(folder.file("v.gpkg"), layers));
  layers = sample();
  layers[0].crs_wkt = "nonsense";
  EXPECT_FALSE(write_geopackage(folder.file("v.gpkg"), layers));
  layers = sample();
  layers[0].features[0].parts[0][0][2] = HUGE_VAL;
  EXPECT_FALSE(write_geopackage(folder.file("v.gpkg"), layers));
  EXPECT_FALSE(write_geopackage(folder.file("no/v.gpkg"), sample()));
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace thalweg::io
