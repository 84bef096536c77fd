// Drainage against the results of other programs, wherever the method is the same. The data's own README says which
// program made them and by which conventions.
#include <array>
#include <filesystem>
#include <set>
#include <vector>

#include "reference_data.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/directions.h"

namespace thalweg::reference {
namespace {

using hydrology::kDx;
using hydrology::kDy;
using hydrology::kFlowNoData;
using hydrology::kNoFlow;
using Codes = std::array<std::uint8_t, 9>;

// Our codes for the numbers 0 to 8 of other programs.
constexpr Codes kTaudem = {kFlowNoData, 1, 128, 64, 32, 16, 8, 4, 2};  // 1 E, then counter-clockwise
constexpr Codes kRichdem = {kNoFlow, 16, 32, 64, 128, 1, 2, 4, 8};     // 1 W, then clockwise

template <class T>
Grid<std::uint8_t> translate(GridView<const T> codes, const Codes& ours) {
  Grid<std::uint8_t> out(codes.width(), codes.height());
  for (int y = 0; y < codes.height(); ++y)
    for (int x = 0; x < codes.width(); ++x) {
      const T code = codes(x, y);
      const bool known = !is_nodata(code) && code >= 0 && code <= 8;
      EXPECT_TRUE(known || is_nodata(code)) << "code " << code << " at column " << x << ", row " << y;
      out(x, y) = known ? ours[static_cast<std::size_t>(code)] : kFlowNoData;
    }
  return out;
}

/// ESRI's codes are ours.
template <class T>
Grid<std::uint8_t> esri_directions(GridView<const T> codes) {
  Grid<std::uint8_t> out(codes.width(), codes.height());
  for (int y = 0; y < codes.height(); ++y)
    for (int x = 0; x < codes.width(); ++x)
      out(x, y) = is_nodata(codes(x, y)) ? kFlowNoData : static_cast<std::uint8_t>(codes(x, y));
  return out;
}

Grid<std::uint64_t> accumulate(GridView<const std::uint8_t> directions) {
  Grid<std::uint64_t> cells(directions.width(), directions.height());
  const Status status = hydrology::accumulate_cells(directions, cells, Exec());
  EXPECT_TRUE(status.ok());
  return cells;
}

/// Cells whose count differs from `want`, where NoData means none and `offset` is added to the other counts.
template <class T>
std::int64_t count_wrong(GridView<const std::uint64_t> cells, GridView<const T> want, int offset) {
  std::int64_t wrong = 0;
  for (int y = 0; y < cells.height(); ++y)
    for (int x = 0; x < cells.width(); ++x) {
      const bool none = is_nodata(want(x, y));
      wrong += static_cast<double>(cells(x, y)) != (none ? 0.0 : static_cast<double>(want(x, y)) + offset) ? 1 : 0;
    }
  return wrong;
}

/// TauDEM leaves out cells that water from outside the map may reach: beside a cell without direction, or below one.
Grid<double> without_contaminated(GridView<const std::uint8_t> dir) {
  const Grid<std::uint64_t> cells = accumulate(dir);
  Grid<float> unsure(dir.width(), dir.height());
  for (int y = 0; y < dir.height(); ++y)
    for (int x = 0; x < dir.width(); ++x)
      for (std::size_t d = 0; d < 8; ++d)
        if (!dir.contains(x + kDx[d], y + kDy[d]) || dir(x + kDx[d], y + kDy[d]) == kFlowNoData) unsure(x, y) = 1;
  Grid<double> above(dir.width(), dir.height());
  EXPECT_TRUE(hydrology::accumulate_weighted(dir, unsure, above, Exec()).ok());
  Grid<double> out(dir.width(), dir.height(), kNoData<double>);
  for (std::int64_t i = 0; i < out.cells(); ++i)
    if (above[i] == 0) out[i] = static_cast<double>(cells[i]);
  return out;
}

template <class T>
void expect_filled(const std::string& folder, std::int64_t raised) {
  const Grid<float> heights = read_heights(folder + "dem.tif");
  const Grid<float> want = read_heights(folder + "fel.tif");
  ASSERT_GT(heights.cells(), 0);
  Grid<T> dem(heights.width(), heights.height());
  for (std::int64_t i = 0; i < dem.cells(); ++i)
    dem[i] = is_nodata(heights[i]) ? kNoData<T> : static_cast<T>(heights[i]);
  Grid<T> out(dem.width(), dem.height());
  hydrology::fill<T>(dem, {}, out, Exec());
  Grid<float> filled(dem.width(), dem.height());
  for (std::int64_t i = 0; i < dem.cells(); ++i)
    filled[i] = is_nodata(out[i]) ? kNoData<float> : static_cast<float>(out[i]);
  EXPECT_EQ(count_differing<float>(filled, want), 0);
  EXPECT_EQ(hydrology::depression_stats<T>(dem, out, CellGeometry::uniform(1, dem.height())).cells_raised, raised);
}

class Taudem : public ReferenceTest {};

TEST_F(Taudem, FillsEno) {
  expect_filled<float>(folder + "taudem_eno/", 20050);
}
TEST_F(Taudem, FillsBesideNoData) {
  expect_filled<float>(folder + "taudem_sinmap_bc/", 790);
}
TEST_F(Taudem, FillsFlatIntegers) {
  expect_filled<std::int16_t>(folder + "taudem_fill_int16/", 1527);
  expect_filled<float>(folder + "taudem_fill_int16/", 1527);
  expect_filled<double>(folder + "taudem_fill_int16/", 1527);
}

TEST_F(Taudem, AccumulatesEno) {
  const Grid<double> p = read_field(folder + "taudem_eno/p.tif");
  const Grid<double> want = read_field(folder + "taudem_eno/ad8.tif");
  ASSERT_EQ(p.cells(), 715 * 844);
  const Grid<double> ours = without_contaminated(translate<double>(p, kTaudem));
  std::int64_t contaminated = 0;
  for (std::int64_t i = 0; i < p.cells(); ++i) contaminated += !is_nodata(p[i]) && is_nodata(ours[i]) ? 1 : 0;
  EXPECT_EQ(contaminated, 11033);
  EXPECT_EQ(count_differing<double>(ours, want), 0);
}

TEST_F(Taudem, FindsWhatDrainsToAnOutlet) {
  const Grid<std::uint8_t> dir = translate<double>(read_field(folder + "taudem_eno/p.tif"), kTaudem);
  const Grid<double> want = read_field(folder + "taudem_eno/ad8_outlet.tif");
  const Grid<double> basin = read_field(folder + "taudem_eno/gw.tif");
  ASSERT_EQ(want.cells(), dir.cells());
  const std::int64_t outlet = std::int64_t{533} * dir.width() + 597;
  Grid<std::uint8_t> upstream(dir.width(), dir.height());
  ASSERT_TRUE(hydrology::mark_watershed(dir, {outlet}, upstream, Exec()).ok());
  Grid<double> ours = without_contaminated(dir);
  std::int64_t count = 0;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < dir.cells(); ++i) {
    if (upstream[i] == 0) ours[i] = kNoData<double>;
    count += upstream[i];
    wrong += (upstream[i] != 0) == is_nodata(basin[i]) ? 1 : 0;
  }
  EXPECT_EQ(count, 154269);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(count_differing<double>(ours, want), 0);
}

// Directions may differ where neighbours tie or a flat is resolved, else not.
TEST_F(Taudem, RoutesEno) {
  const Grid<float> fel = read_heights(folder + "taudem_eno/fel.tif");
  const Grid<std::uint8_t> dir = translate<double>(read_field(folder + "taudem_eno/p.tif"), kTaudem);
  const Result<io::Raster> header = io::read_raster_header(folder + "taudem_eno/fel.tif");
  ASSERT_TRUE(header.ok());
  Grid<std::uint8_t> ours(fel.width(), fel.height());
  hydrology::d8<float>(fel, CellGeometry::of(header->spec), {}, ours, Exec());
  std::int64_t compared = 0;
  std::int64_t differing = 0;
  for (int y = 1; y + 1 < fel.height(); ++y)
    for (int x = 1; x + 1 < fel.width(); ++x) {
      bool lower = false;
      for (std::size_t d = 0; d < 8; ++d) lower = lower || fel(x + kDx[d], y + kDy[d]) < fel(x, y);
      if (!lower || dir(x, y) == kFlowNoData) continue;
      ++compared;
      differing += dir(x, y) != ours(x, y) ? 1 : 0;
    }
  EXPECT_GT(compared, 500000);
  EXPECT_LT(differing, compared / 1000);
}

class Flowdem : public ReferenceTest {
 protected:
  void SetUp() override {
    ReferenceTest::SetUp();
    if (IsSkipped()) return;
    folder += "flowdem_queensland/";
    directions = translate<double>(read_field(folder + "dirs.tif"), kRichdem);
    ASSERT_EQ(directions.width(), 97);
    ASSERT_EQ(directions.height(), 136);
  }
  /// Its watersheds leave out the seeds that drain into no other seed; `left_out` of them.
  void expect_watershed(const std::vector<std::int64_t>& seeds, const std::string& file, std::int64_t left_out) {
    const Grid<double> want = read_field(folder + file);
    ASSERT_EQ(want.cells(), directions.cells());
    Grid<std::uint8_t> upstream(directions.width(), directions.height());
    ASSERT_TRUE(hydrology::mark_watershed(directions, seeds, upstream, Exec()).ok());
    Grid<std::uint8_t> seed(directions.width(), directions.height());
    for (const std::int64_t s : seeds) seed[s] = 1;
    std::int64_t wrong = 0;
    std::int64_t missing = 0;
    for (std::int64_t i = 0; i < want.cells(); ++i) {
      const bool last = seed[i] != 0 && !reaches_seed(i, seed);
      missing += last ? 1 : 0;
      wrong += (want[i] == 1) != (upstream[i] != 0 && !last) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(missing, left_out);
  }
  /// Whether the way down from `cell` meets another seed.
  bool reaches_seed(std::int64_t cell, const Grid<std::uint8_t>& seed) const {
    int x = static_cast<int>(cell % directions.width());
    int y = static_cast<int>(cell / directions.width());
    for (std::int64_t steps = 0; steps < directions.cells(); ++steps) {
      const std::uint8_t code = directions(x, y);
      if (code == kNoFlow || code == kFlowNoData) return false;
      const auto d = static_cast<std::size_t>(hydrology::direction_index(code));
      x += kDx[d];
      y += kDy[d];
      if (!directions.view().contains(x, y)) return false;
      if (seed(x, y) != 0) return true;
    }
    return false;
  }
  Grid<std::uint8_t> directions;
};

TEST_F(Flowdem, Fills) {
  const Grid<float> dem = read_heights(folder + "dem.tif");
  Grid<float> out(dem.width(), dem.height());
  hydrology::fill<float>(dem, {}, out, Exec());
  EXPECT_EQ(count_differing<float>(out, read_heights(folder + "filled.tif")), 0);
}

TEST_F(Flowdem, Accumulates) {
  EXPECT_EQ(count_wrong<double>(accumulate(directions), read_field(folder + "accum.tif"), 0), 0);
}

// Its basins.tif is grown by a flood of its own and not along the directions; only the number of basins must agree.
TEST_F(Flowdem, LabelsAsManyBasins) {
  const Grid<double> want = read_field(folder + "basins.tif");
  Grid<std::int32_t> label(directions.width(), directions.height());
  const Result<std::int64_t> count = hydrology::label_basins(directions, label, Exec());
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 462);  // one for each border cell
  std::set<double> theirs;
  for (std::int64_t i = 0; i < want.cells(); ++i) theirs.insert(want[i]);
  EXPECT_EQ(theirs.size(), 462U);
}

TEST_F(Flowdem, MarksWatersheds) {
  expect_watershed({30 * 97 + 50}, "watershed_point.tif", 1);
  const Grid<double> polygon = read_field(folder + "poly_rast.tif");
  std::vector<std::int64_t> seeds;
  for (std::int64_t i = 0; i < polygon.cells(); ++i)
    if (polygon[i] == 1) seeds.push_back(i);
  expect_watershed(seeds, "watershed_poly.tif", 9);
}

TEST_F(Flowdem, MarksTheWatershedOfALine) {
  const Result<io::Raster> dem = io::read_raster_header(folder + "dem.tif");
  ASSERT_TRUE(dem.ok());
  ASSERT_TRUE(dem->spec.georeference.has_value());
  // outlets.csv: LINESTRING (151.001951111111 -24.3263733333333,151.001951111111 -24.3280416666667)
  const auto& t = dem->spec.georeference->transform;
  const int column = static_cast<int>(std::floor((151.001951111111 - t[0]) / t[1]));
  const int first = static_cast<int>(std::floor((-24.3263733333333 - t[3]) / t[5]));
  const int last = static_cast<int>(std::floor((-24.3280416666667 - t[3]) / t[5]));
  std::vector<std::int64_t> seeds;
  for (int y = first; y <= last; ++y) seeds.push_back(y * 97 + column);
  ASSERT_EQ(seeds.size(), 7U);
  expect_watershed(seeds, "watershed_line.tif", 5);
}

TEST_F(ReferenceTest, MhmAccumulation) {
  const Grid<double> fdir = read_field(folder + "mhm_domain1/fdir.tif");
  ASSERT_EQ(fdir.cells(), 288 * 432);
  const Grid<double> facc = read_field(folder + "mhm_domain1/facc.tif");
  EXPECT_EQ(count_wrong<double>(accumulate(esri_directions<double>(fdir)), facc, 1), 0);
}

TEST_F(ReferenceTest, EsriHelpExample) {
  const Grid<std::int32_t> dem = read_ascii(folder + "esri_help_6x6/dem.asc");
  const Grid<std::uint8_t> fdir = esri_directions<std::int32_t>(read_ascii(folder + "esri_help_6x6/fdir.asc"));
  ASSERT_EQ(dem.cells(), 36);
  Grid<std::uint8_t> ours(6, 6);
  hydrology::d8<std::int32_t>(dem, CellGeometry::uniform(1, 6), {}, ours, Exec());
  for (int y = 1; y < 5; ++y)
    for (int x = 1; x < 5; ++x) EXPECT_EQ(ours(x, y), fdir(x, y)) << x << "," << y;
  EXPECT_EQ(count_wrong<std::int32_t>(accumulate(fdir), read_ascii(folder + "esri_help_6x6/facc.asc"), 1), 0);
}

class Richdem : public ReferenceTest {};

// The headers of these grids name a NoData value that is a real one or never occurs: -9999 is used in its place.
constexpr int kNoMark = -9999;

TEST_F(Richdem, Fills) {
  const Grid<std::int32_t> dem = read_ascii(folder + "richdem_unit/depressions/testdem1.dem", kNoMark);
  const Grid<std::int32_t> want = read_ascii(folder + "richdem_unit/depressions/testdem1.all.out", kNoMark);
  Grid<std::int32_t> out(dem.width(), dem.height());
  hydrology::fill<std::int32_t>(dem, {}, out, Exec());
  EXPECT_EQ(count_differing<std::int32_t>(out, want), 0);
}

Grid<float> as_floats(GridView<const std::int32_t> cells) {
  Grid<float> out(cells.width(), cells.height());
  for (std::int64_t i = 0; i < out.cells(); ++i) out[i] = static_cast<float>(cells.data()[i]);
  return out;
}

TEST_F(Richdem, BreachesWithinTheDepthThatIsAllowed) {
  const std::string at = folder + "richdem_unit/breaching/testdem1.";
  const Grid<float> dem = as_floats(read_ascii(at + "dem", kNoMark));
  const auto breached = [&](double max_depth_m) {
    hydrology::BreachLimits limits;
    limits.max_depth_m = max_depth_m;
    limits.search_cells = 0;  // over the lowest pass, as there; our search finds a cut that is shallower in sum
    Grid<float> out(dem.width(), dem.height());
    hydrology::breach<float>(dem, {}, CellGeometry::uniform(1, dem.height()), limits, out, Exec());
    return out;
  };
  const auto want = [&](const std::string& name) { return as_floats(read_ascii(at + name, kNoMark)); };
  EXPECT_EQ(count_differing<float>(breached(1e30), want("complete.out")), 0);
  EXPECT_EQ(count_differing<float>(breached(8), want("selective-len4-depth8.out")), 0);
  EXPECT_EQ(count_differing<float>(breached(2), want("selective-len4-depth2-filldep.out")), 0);
}

TEST_F(Richdem, Accumulates) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "richdem_unit/flow_accum")) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".d8") continue;
    SCOPED_TRACE(path.filename().string());
    // -1 or 9 is NoData as each header says; 9 occurs in testdem9 only.
    const Grid<std::uint8_t> dir = translate<std::int32_t>(read_ascii(path.string()), kRichdem);
    const Grid<std::int32_t> want = read_ascii(path.replace_extension(".out").string());
    ASSERT_EQ(want.cells(), dir.cells());
    EXPECT_EQ(count_wrong<std::int32_t>(accumulate(dir), want, 0), 0);
    ++files;
  }
  EXPECT_EQ(files, 24);
}

}  // namespace
}  // namespace thalweg::reference
