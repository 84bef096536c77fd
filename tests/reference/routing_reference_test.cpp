// D-infinity against TauDEM, whose method and edge rule are the same; its accumulation along single neighbours also
// against RichDEM's small grids. The data's own README says which program made them and by which conventions.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "reference_data.h"
#include "thalweg/core/exact_math.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/routing.h"

namespace thalweg::reference {
namespace {

using hydrology::kDx;
using hydrology::kDy;

constexpr double kTurn = 2 * exact::kPi;

double apart(double a, double b) {
  const double d = std::fabs(a - b);
  return std::min(d, kTurn - d);
}

// Direction of corner k, counter-clockwise from east.
double corner_angle(const CellGeometry::Row& cell, int k) {
  const double up = std::atan2(cell.dy_m, cell.dx_m);
  const double half = exact::kPi / 2;
  return k / 2 * half + (k % 2 == 0 ? 0 : k % 4 == 1 ? up : half - up);
}

class TaudemDinf : public ReferenceTest {
 protected:
  void load(const std::string& name) {
    const std::string at = folder + name;
    const Result<io::Raster> header = io::read_raster_header(at + "/fel.tif");
    ASSERT_TRUE(header.ok());
    geometry = CellGeometry::of(header->spec);
    fel = read_heights(at + "/fel.tif");
    ang = read_heights(at + "/ang.tif");
    sca = read_field(at + "/sca.tif");
    ASSERT_EQ(fel.cells(), ang.cells());
    ASSERT_EQ(fel.cells(), sca.cells());
    ours = Grid<float>(fel.width(), fel.height());
    hydrology::dinf<float>(fel, geometry, {}, ours, Exec(), hydrology::EdgeAngles::none);
  }

  bool has_lower(int x, int y) const {
    for (std::size_t d = 0; d < 8; ++d)
      if (fel.view().contains(x + kDx[d], y + kDy[d]) && fel(x + kDx[d], y + kDy[d]) < fel(x, y)) return true;
    return false;
  }

  // Slope of the facets' planes in a direction.
  double slope_along(int x, int y, double angle) const {
    const CellGeometry::Row& cell = geometry.row(y);
    int k = 0;
    while (k < 7 && angle >= corner_angle(cell, k + 1)) ++k;
    const int side = (k + 1) / 2 * 2;
    const auto a = static_cast<std::size_t>((8 - side) & 7);
    const auto b = static_cast<std::size_t>((8 - (k % 2 == 0 ? k + 1 : k)) & 7);
    const double e1 = fel(x + kDx[a], y + kDy[a]);
    const double e2 = fel(x + kDx[b], y + kDy[b]);
    const double s1 = (fel(x, y) - e1) / (side % 4 == 0 ? cell.dx_m : cell.dy_m);
    const double s2 = (e1 - e2) / (side % 4 == 0 ? cell.dy_m : cell.dx_m);
    const double r = std::fabs(angle - side * exact::kPi / 4);
    return s1 * std::cos(r) + s2 * std::sin(r);
  }

  // Angles agree, but for cells where two ways are equally steep (TauDEM's rows are measured a little differently) and
  // for flats, whose resolution is another.
  void expect_angles(std::int64_t at_least) {
    std::int64_t gaps = 0;
    std::int64_t compared = 0;
    std::int64_t ties = 0;
    std::int64_t wrong = 0;
    for (int y = 0; y < fel.height(); ++y)
      for (int x = 0; x < fel.width(); ++x) {
        gaps += is_nodata(ours(x, y)) != is_nodata(ang(x, y)) ? 1 : 0;
        if (is_nodata(ang(x, y)) || is_nodata(ours(x, y)) || !has_lower(x, y)) continue;
        ++compared;
        if (apart(ours(x, y), ang(x, y)) < 2e-6) continue;
        const double theirs = slope_along(x, y, ang(x, y));
        const double own = slope_along(x, y, ours(x, y));
        (std::fabs(own - theirs) < 2e-5 * own ? ties : wrong) += 1;
      }
    EXPECT_EQ(gaps, 0);
    EXPECT_GT(compared, at_least);
    EXPECT_LT(ties, compared / 300);
    EXPECT_EQ(wrong, 0);
  }

  // Area per cell width over `angles`, which TauDEM counts as the width of its own row for each cell.
  void specific_area(GridView<const float> angles, Grid<double>& sum) {
    Grid<float> width(fel.width(), fel.height());
    for (int y = 0; y < fel.height(); ++y)
      for (int x = 0; x < fel.width(); ++x) width(x, y) = static_cast<float>(geometry.row(y).dx_m);
    Grid<std::uint8_t> unsure(fel.width(), fel.height());
    sum = Grid<double>(fel.width(), fel.height());
    const Status status = hydrology::accumulate_dinf_weighted(angles, geometry, width, sum, Exec(), unsure);
    ASSERT_TRUE(status.ok()) << status.error().text();
    for (std::int64_t i = 0; i < sum.cells(); ++i)
      if (unsure[i] != 0) sum[i] = kNoData<double>;
  }

  // Along their angles: the same cells unknown, the others within `relative`.
  void expect_areas(double relative, std::int64_t at_least) {
    Grid<double> sum;
    specific_area(ang, sum);
    std::int64_t gaps = 0;
    std::int64_t known = 0;
    double worst = 0;
    for (std::int64_t i = 0; i < sum.cells(); ++i) {
      gaps += is_nodata(sum[i]) != is_nodata(sca[i]) ? 1 : 0;
      if (is_nodata(sum[i]) || is_nodata(sca[i])) continue;
      ++known;
      worst = std::max(worst, std::fabs(sum[i] - sca[i]) / sca[i]);
    }
    EXPECT_EQ(gaps, 0);
    EXPECT_GT(known, at_least);
    EXPECT_LT(worst, relative);
  }

  // From the filled surface on: ties and flats lead elsewhere, but most of the land is alike.
  void expect_chain(double share_alike) {
    Grid<double> sum;
    specific_area(ours, sum);
    std::int64_t known = 0;
    std::int64_t alike = 0;
    for (std::int64_t i = 0; i < sum.cells(); ++i) {
      if (is_nodata(sca[i])) continue;
      ++known;
      alike += std::fabs(sum[i] - sca[i]) < 1e-3 * sca[i] ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(alike), share_alike * static_cast<double>(known)) << alike << " of " << known;
  }

  CellGeometry geometry;
  Grid<float> fel;
  Grid<float> ang;
  Grid<float> ours;
  Grid<double> sca;
};

TEST_F(TaudemDinf, GeographicCells) {
  load("taudem_eno");
  expect_angles(580000);
  expect_areas(2e-4, 580000);
  expect_chain(0.985);
}

TEST_F(TaudemDinf, BesideNoData) {
  load("taudem_sinmap_bc");
  expect_angles(103000);
  expect_areas(1e-4, 96000);
  expect_chain(0.97);
}

TEST_F(TaudemDinf, RichdemGridsAlongSingleNeighbours) {
  constexpr std::array<int, 9> kCornerOfCode = {-1, 4, 3, 2, 1, 0, 7, 6, 5};  // 1 W, then clockwise
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "richdem_unit/flow_accum")) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".d8") continue;
    SCOPED_TRACE(path.filename().string());
    const Grid<std::int32_t> codes = read_ascii(path.string());
    const Grid<std::int32_t> want = read_ascii(path.replace_extension(".out").string());
    ASSERT_EQ(want.cells(), codes.cells());
    const CellGeometry cells = CellGeometry::uniform(1, codes.height());
    Grid<float> angles(codes.width(), codes.height(), hydrology::kNoAngle);
    for (std::int64_t i = 0; i < codes.cells(); ++i) {
      if (is_nodata(codes[i])) {
        angles[i] = kNoData<float>;
      } else if (const int corner = kCornerOfCode[static_cast<std::size_t>(codes[i])]; corner >= 0) {
        angles[i] = static_cast<float>(corner * exact::kPi / 4);
      }
    }
    Grid<double> sum(codes.width(), codes.height());
    ASSERT_TRUE(hydrology::accumulate_dinf_area(angles, cells, sum, Exec()).ok());
    for (std::int64_t i = 0; i < codes.cells(); ++i) {
      EXPECT_EQ(is_nodata(sum[i]), is_nodata(want[i])) << i;
      EXPECT_TRUE(is_nodata(sum[i]) || sum[i] == want[i]) << i;
    }
    ++files;
  }
  EXPECT_EQ(files, 24);
}

}  // namespace
}  // namespace thalweg::reference
