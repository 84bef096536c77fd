// Results of other programs; tests/data/hydrology/README.md says which and where from.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "thalweg/core/content_hash.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/directions.h"
#include "thalweg/hydrology/test_grid_io.h"
#include "thalweg/hydrology/test_terrain.h"

namespace thalweg::hydrology {
namespace {

using test::data_path;
using test::read_ascii_grid;
using test::read_grid;

/// codes[c] is our direction for code c of another program.
Grid<std::uint8_t> translate(GridView<const std::uint8_t> codes, const std::array<std::uint8_t, 9>& ours) {
  Grid<std::uint8_t> out(codes.width(), codes.height());
  for (std::int64_t i = 0; i < codes.cells(); ++i) out[i] = codes[i] <= 8 ? ours[codes[i]] : kFlowNoData;
  return out;
}

TEST(Reference, EsriHelpExample) {
  const Grid<std::int32_t> dem = read_ascii_grid(data_path("esri_help_6x6/dem.asc"));
  const Grid<std::int32_t> fdir = read_ascii_grid(data_path("esri_help_6x6/fdir.asc"));
  const Grid<std::int32_t> facc = read_ascii_grid(data_path("esri_help_6x6/facc.asc"));
  ASSERT_EQ(facc.cells(), 36);
  Grid<std::uint8_t> dir(6, 6);
  d8<std::int32_t>(dem, CellGeometry::uniform(1, 6), {}, dir, Exec());
  Grid<std::uint8_t> given(6, 6);
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      given(x, y) = static_cast<std::uint8_t>(fdir(x, y));
      const bool inner = x > 0 && y > 0 && x < 5 && y < 5;
      EXPECT_TRUE(!inner || dir(x, y) == given(x, y)) << x << "," << y;
    }
  }
  Grid<std::uint64_t> cells(6, 6);
  ASSERT_TRUE(accumulate_cells(given, cells, Exec()).ok());
  for (std::int64_t i = 0; i < 36; ++i) EXPECT_EQ(static_cast<std::int64_t>(cells[i]), facc[i] + 1) << i;
}

TEST(Reference, MhmAccumulation) {
  const Grid<std::uint8_t> dir = read_grid<std::uint8_t>(data_path("mhm_domain1/fdir.grid"));
  const Grid<std::int32_t> facc = read_grid<std::int32_t>(data_path("mhm_domain1/facc.grid"));
  ASSERT_EQ(facc.cells(), dir.cells());
  Grid<std::uint64_t> cells(dir.width(), dir.height());
  ASSERT_TRUE(accumulate_cells(dir, cells, Exec()).ok());
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < dir.cells(); ++i) {
    const std::int64_t want = facc[i] == -9999 ? 0 : facc[i] + 1;
    wrong += static_cast<std::int64_t>(cells[i]) != want ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Reference, FlowdemQueensland) {
  const std::string folder = data_path("flowdem_queensland/");
  const Grid<std::int16_t> dem = read_grid<std::int16_t>(folder + "dem.grid");
  const Grid<std::int16_t> filled = read_grid<std::int16_t>(folder + "filled.grid");
  const Grid<std::uint8_t> codes = read_grid<std::uint8_t>(folder + "dirs.grid");
  const Grid<std::int32_t> accum = read_grid<std::int32_t>(folder + "accum.grid");
  const Grid<std::uint8_t> watershed = read_grid<std::uint8_t>(folder + "watershed_point.grid");
  const int w = dem.width();
  const int h = dem.height();
  ASSERT_EQ(w, 97);
  ASSERT_EQ(h, 136);
  Grid<std::int16_t> out(w, h);
  fill<std::int16_t>(dem, {}, out, Exec());
  EXPECT_EQ(content_hash<std::int16_t>(out), content_hash<std::int16_t>(filled));

  // 1 W, 2 NW, 3 N, 4 NE, 5 E, 6 SE, 7 S, 8 SW
  const Grid<std::uint8_t> dir = translate(codes, {kNoFlow, 16, 32, 64, 128, 1, 2, 4, 8});
  Grid<std::uint64_t> cells(w, h);
  ASSERT_TRUE(accumulate_cells(dir, cells, Exec()).ok());
  Grid<std::int32_t> label(w, h);
  const Result<std::int64_t> count = label_basins(dir, label, Exec());
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 462);  // as many as its basins.tif has, one for each border cell
  Grid<std::uint8_t> upstream(w, h);
  ASSERT_TRUE(mark_watershed(dir, {30 * w + 50}, upstream, Exec()).ok());
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < dem.cells(); ++i) {
    wrong += static_cast<std::int64_t>(cells[i]) != accum[i] ? 1 : 0;
    // The reference leaves out the seed itself.
    wrong += upstream[i] != (watershed[i] == 1 || i == 30 * w + 50 ? 1 : 0) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Reference, TaudemEno) {
  const Grid<float> dem = read_grid<float>(data_path("taudem_eno/dem.grid"));
  ASSERT_EQ(dem.width(), 715);
  Grid<float> fel(dem.width(), dem.height());
  fill<float>(dem, {}, fel, Exec());
  EXPECT_EQ(content_hash<float>(fel).hex(), "9fab71280288b527383eb3bbd7161c63");
  EXPECT_EQ(depression_stats<float>(dem, fel, CellGeometry::uniform(1, dem.height())).cells_raised, 20050);

  // Our own directions lead to the same catchment but for the flats.
  Grid<std::uint8_t> ours(dem.width(), dem.height());
  Grid<std::uint64_t> cells(dem.width(), dem.height());
  const CellGeometry geometry =
      CellGeometry::geographic(36.239144902237790 - 0.000092592592593 / 2, 0.000092592592593, 0.000092592592593, 844);
  d8<float>(fel, geometry, {}, ours, Exec());
  ASSERT_TRUE(accumulate_cells(ours, cells, Exec()).ok());
  std::uint64_t largest = 0;
  for (int y = 530; y <= 536; ++y)
    for (int x = 594; x <= 600; ++x) largest = std::max(largest, cells(x, y));
  EXPECT_NEAR(static_cast<double>(largest), 154269, 154269 * 0.01);
}

}  // namespace
}  // namespace thalweg::hydrology
