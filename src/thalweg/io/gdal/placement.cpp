#include "thalweg/io/gdal/placement.h"

#include <cpl_conv.h>
#include <ogr_spatialref.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

namespace thalweg::io {
namespace {
using Transform = std::array<double, 6>;

constexpr double kDegree = 0.017453292519943295;

std::string export_wkt(const OGRSpatialReference& srs) {
  char* text = nullptr;
  const char* const options[] = {"FORMAT=WKT2_2019", nullptr};
  std::string wkt;
  if (srs.exportToWkt(&text, options) == OGRERR_NONE && text != nullptr) wkt = text;
  CPLFree(text);
  return wkt;
}

// Turns a south-up transform and refuses what is no north-up grid.
Status straighten(Transform& t, int height, bool& south_up, const std::string& path) {
  for (const double v : t) {
    if (!std::isfinite(v)) return input_error("has a geotransform that is not finite", path);
  }
  if (t[2] != 0 || t[4] != 0) {
    return input_error("is rotated against its map; turn it first, e.g. with gdalwarp", path);
  }
  if (t[1] == 0 || t[5] == 0) return input_error("has cells of size 0 in its geotransform", path);
  if (t[1] < 0) return input_error("runs from east to west; turn it first, e.g. with gdalwarp", path);
  south_up = t[5] > 0;
  if (south_up) {
    t[3] += height * t[5];
    t[5] = -t[5];
  }
  return {};
}

// A raster without CRS is taken for degrees where nothing else fits: cells of less than 1/20 unit inside the globe.
bool looks_like_degrees(const Transform& t, int width, int height) {
  const double west = t[0];
  const double east = t[0] + width * t[1];
  const double north = t[3];
  const double south = t[3] + height * t[5];
  return t[1] < 0.05 && -t[5] < 0.05 && west >= -180.1 && east <= 360.1 && south >= -90.1 && north <= 90.1;
}

Status place_geographic(Placement& place, const Transform& t, const std::string& path) {
  GridSpec& spec = place.spec;
  const double first_lat = t[3] + 0.5 * t[5];
  const double last_lat = t[3] + (spec.height - 0.5) * t[5];
  if (first_lat > 90 - t[5] || last_lat < -90 + t[5]) {
    return input_error("has latitudes beyond the poles; its CRS says degrees, its geotransform does not", path);
  }
  if (spec.height > 1 << 24) return input_error("has more rows than a geographic raster can", path);
  const CellGeometry::Row middle = CellGeometry::geographic(first_lat, t[1], -t[5], spec.height).row(spec.height / 2);
  spec.cell_m = middle.dx_m;
  spec.cell_y_m = middle.dy_m;
  spec.georeference->geographic = true;
  return {};
}

// A raster of ours in local metres: sample (0, 0) lies at world sample (origin_x, origin_y).
bool restore_local(GDALDataset& dataset, const Transform& t, GridSpec& spec) {
  const char* software = dataset.GetMetadataItem("TIFFTAG_SOFTWARE");
  if (software == nullptr || std::strcmp(software, kSoftware) != 0) return false;
  const double x = t[0] / t[1] + 0.5;
  const double y = t[3] / t[5] + 0.5;
  if (std::fabs(x) > 1e15 || std::fabs(y) > 1e15) return false;
  if (std::fabs(x - std::nearbyint(x)) > 1e-3 || std::fabs(y - std::nearbyint(y)) > 1e-3) return false;
  spec.origin_x = std::llround(x);
  spec.origin_y = std::llround(y);
  spec.cell_m = t[1];
  spec.cell_y_m = -t[5];
  spec.georeference.reset();
  return true;
}

void read_vertical(OGRSpatialReference& srs, Placement& place, bool drop_foreign) {
  if (!srs.IsCompound() && !srs.IsVertical()) return;
  const char* name = nullptr;
  const double unit = srs.GetTargetLinearUnits("VERT_CS", &name);
  if (!(unit > 0) || !std::isfinite(unit)) return;
  place.vertical_unit_m = unit;
  place.vertical_unit = name == nullptr ? "" : name;
  if (drop_foreign && unit != 1.0) srs.StripVertical();
}

Status place_with_crs(Placement& place, OGRSpatialReference srs, const Transform& t, bool drop_foreign,
                      const std::string& path) {
  read_vertical(srs, place, drop_foreign);
  GridSpec& spec = place.spec;
  spec.georeference->crs_wkt = export_wkt(srs);
  if (srs.IsGeographic()) {
    if (std::fabs(srs.GetAngularUnits() - kDegree) > 1e-9) {
      return input_error("has a geographic CRS that is not in degrees; reproject it, e.g. with gdalwarp", path);
    }
    return place_geographic(place, t, path);
  }
  const double unit = srs.GetLinearUnits();
  const double metres = unit > 0 && std::isfinite(unit) ? unit : 1.0;
  spec.cell_m = t[1] * metres;
  spec.cell_y_m = -t[5] * metres;
  const char* code = srs.GetAuthorityCode(nullptr);
  if (code != nullptr && std::string_view(code) == "3857") {
    add_note(place.note, "Web Mercator: lengths are stretched by 1/cos(latitude); reproject to UTM for true areas");
  }
  return {};
}
}  // namespace

void add_note(std::string& note, const std::string& more) {
  if (!note.empty()) note += "; ";
  note += more;
}

Status place_raster(GDALDataset& dataset, const std::string& path, bool drop_foreign_vertical, Placement& place) {
  GridSpec& spec = place.spec;
  spec.width = dataset.GetRasterXSize();
  spec.height = dataset.GetRasterYSize();
  const OGRSpatialReference* srs = dataset.GetSpatialRef();
  Transform t{};
  const bool has_transform = dataset.GetGeoTransform(t.data()) == CE_None;
  const bool identity = t == Transform{0, 1, 0, 0, 0, 1};
  if (!has_transform || (identity && srs == nullptr)) {
    if (dataset.GetGCPCount() > 0) {
      return input_error("is placed by control points; warp it to a map grid first, e.g. with gdalwarp", path);
    }
    place.note = "no georeference: cells of 1 m assumed";
    return {};
  }
  THALWEG_TRY(straighten(t, spec.height, place.south_up, path));
  GeoReference& georeference = spec.georeference.emplace();
  georeference.transform = t;
  const char* area_or_point = dataset.GetMetadataItem(GDALMD_AREA_OR_POINT);
  georeference.pixel_is_point = area_or_point != nullptr && std::string_view(area_or_point) == GDALMD_AOP_POINT;
  if (srs != nullptr) {
    THALWEG_TRY(place_with_crs(place, *srs, t, drop_foreign_vertical, path));
  } else if (restore_local(dataset, t, spec)) {
    return {};
  } else if (looks_like_degrees(t, spec.width, spec.height)) {
    THALWEG_TRY(place_geographic(place, t, path));
    add_note(place.note, "no CRS: degrees of longitude and latitude assumed");
  } else {
    spec.cell_m = t[1];
    spec.cell_y_m = -t[5];
    add_note(place.note, "no CRS: metres assumed");
  }
  return {};
}

}  // namespace thalweg::io
