// Where a grid lies and how large its cells are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// Link to a map: GDAL's affine transform (pixel corner convention) and the CRS as WKT. Carried along unchanged.
struct GeoReference {
  std::array<double, 6> transform{0, 1, 0, 0, 0, -1};
  std::string crs_wkt;      ///< empty where the file names none
  bool geographic = false;  ///< degrees of longitude and latitude instead of a projected plane
  bool pixel_is_point = false;

  /// Centre of the cell (column, row) in the CRS's own units.
  std::array<double, 2> cell_centre(double column, double row) const {
    const double c = column + 0.5;
    const double r = row + 0.5;
    return {transform[0] + c * transform[1] + r * transform[2], transform[3] + c * transform[4] + r * transform[5]};
  }
};

/// The place of a grid of samples. The sample (x, y) of the grid is the world sample (origin_x + x, origin_y + y);
/// world sample (i, j) lies i * cell_m east and -j * cell_m north of the world's origin. Indices are integers, so that
/// windows far from the origin are as exact as windows at it.
struct GridSpec {
  int width = 0;
  int height = 0;
  double cell_m = 1;    ///< spacing of samples west to east, metres (geographic: at the middle row)
  double cell_y_m = 1;  ///< spacing north to south, metres
  std::int64_t origin_x = 0;
  std::int64_t origin_y = 0;
  std::optional<GeoReference> georeference;

  std::int64_t cells() const { return std::int64_t{width} * height; }
  double extent_x_m() const { return (width - 1) * cell_m; }
  double extent_y_m() const { return (height - 1) * cell_y_m; }
};

/// True distances on a grid, per row: cells of a geographic raster narrow toward the poles. Hydrology and slopes take
/// this instead of one cell size.
class CellGeometry {
 public:
  struct Row {
    double dx_m = 1;        ///< centre to centre, west-east
    double dy_m = 1;        ///< centre to centre, north-south
    double diagonal_m = 0;  ///< sqrt(dx^2 + dy^2)
    double area_m2 = 1;     ///< dx * dy
  };

  /// Equal cells of dx x dy metres everywhere.
  static CellGeometry uniform(double dx_m, double dy_m, int height);
  static CellGeometry uniform(double cell_m, int height) { return uniform(cell_m, cell_m, height); }
  /// Cells of `step_lon` x `step_lat` degrees (positive); the centre of row 0 lies at latitude `first_lat`, rows go
  /// south (or north where `step_lat` is given negative). Lengths on the WGS84 ellipsoid: prime-vertical radius times
  /// cos(latitude) for dx, meridional radius for dy. Uses exact::sin and cos, so the bits are portable.
  static CellGeometry geographic(double first_lat, double step_lon, double step_lat, int height);
  /// From a spec: geographic where its georeference says so, else uniform.
  static CellGeometry of(const GridSpec& spec);

  int height() const { return static_cast<int>(rows_.size()); }
  bool is_uniform() const { return uniform_; }
  const Row& row(int y) const { return rows_[static_cast<std::size_t>(y)]; }
  /// Distance from a cell of row y to its neighbour in D8 direction d (0 E, 1 SE, 2 S, ... clockwise).
  double distance_m(int y, int d) const {
    const Row& r = row(y);
    return (d & 1) != 0 ? r.diagonal_m : (d & 2) != 0 ? r.dy_m : r.dx_m;
  }

 private:
  std::vector<Row> rows_;
  bool uniform_ = true;
};

}  // namespace thalweg
