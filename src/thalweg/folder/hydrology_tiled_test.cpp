// Tiles through the disk give the files that the whole model gives.
#include "thalweg/folder/hydrology_tiled.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "thalweg/core/random.h"
#include "thalweg/folder/raster_hasher.h"
#include "thalweg/folder/tile_files.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::folder {
namespace {

using hydrology::TilePlan;
using io::slurp;
using io::TestFolder;

constexpr int kW = 331;
constexpr int kH = 287;

// Hills, pits, flats and a hole of NoData; `step` 0 for unrounded heights.
template <class T>
std::string make_dem(const TestFolder& folder, double step, bool geographic) {
  Grid<T> cells(kW, kH);
  for (int y = 0; y < kH; ++y)
    for (int x = 0; x < kW; ++x) {
      const double coarse = unit_double(hash64(1, x / 23, y / 19)) * 300;
      const double z = 500 + coarse + 0.4 * x + unit_double(hash64(2, x, y)) * 20;
      cells(x, y) = static_cast<T>(step > 0 ? static_cast<int>(z / step) : z);
      if ((x - 200) * (x - 200) + (y - 90) * (y - 90) < 150) cells(x, y) = kNoData<T>;
    }
  GridSpec spec;
  spec.width = kW;
  spec.height = kH;
  spec.cell_m = spec.cell_y_m = 27.3;
  GeoReference place;
  place.transform = geographic ? std::array<double, 6>{10, 1 / 1200.0, 0, 47, 0, -1 / 1200.0}
                               : std::array<double, 6>{300000, 27.3, 0, 5200000, 0, -27.3};
  spec.georeference = place;
  io::GeoTiffOptions options;
  options.nodata = -9999;
  const std::string path = folder.file("dem.tif");
  const Status s = io::write_geotiff<T>(path, cells, spec, options);
  EXPECT_TRUE(s) << s.error().text();
  return path;
}

void expect_same_files(const std::string& dem_path) {
  const TestFolder whole;
  const TestFolder tiles;
  {
    Result<Writer> writer = Writer::open(whole.path(), {});
    ASSERT_TRUE(writer);
    const Result<io::Raster> dem = io::read_raster(dem_path, kW * kH);
    ASSERT_TRUE(dem) << dem.error().text();
    const Result<std::string> json = write_hydrology(*dem, {}, dem_path, {}, *writer, Exec());
    ASSERT_TRUE(json) << json.error().text();
  }
  for (const int side : {64, 100, 1000}) {
    Result<Writer> writer = Writer::open(tiles.path(), {});
    ASSERT_TRUE(writer);
    const Result<std::string> json =
        write_hydrology_tiled(dem_path, {}, TilePlan{kW, kH, side, side + 3, 0}, *writer, Exec(2));
    ASSERT_TRUE(json) << json.error().text();
    const auto a = nlohmann::json::parse(slurp(whole.file("world.json")));
    const auto b = nlohmann::json::parse(slurp(tiles.file("world.json")));
    for (const std::string name : {"filled.tif", "directions.tif", "accumulation.tif"}) {
      EXPECT_EQ(slurp(whole.file(name)), slurp(tiles.file(name))) << name << " " << side;
      EXPECT_EQ(a["files"][name], b["files"][name]) << name << " " << side;
    }
    EXPECT_EQ(a["height_min_m"], b["height_min_m"]);
    EXPECT_EQ(tiles.entries(), 4);  // and no scratch file
  }
}

TEST(HydrologyTiled, WritesTheFilesOfTheWholeModel) {
  const TestFolder folder;
  expect_same_files(make_dem<float>(folder, 0, false));
  expect_same_files(make_dem<float>(folder, 0, true));
  expect_same_files(make_dem<std::int16_t>(folder, 3, false));
  expect_same_files(make_dem<std::int32_t>(folder, 3, true));
}

TEST(HydrologyTiled, LeavesNothingWhereItFailsOrIsCancelled) {
  const TestFolder folder;
  const std::string dem = make_dem<float>(folder, 0, false);
  const TestFolder out;
  Result<Writer> writer = Writer::open(out.path(), {});
  ASSERT_TRUE(writer);
  const TilePlan plan{kW, kH, 64, 64, 0};
  volatile int stop = 0;
  const Exec exec = Exec(2).with_cancel(&stop).with_progress([&](double fraction) { stop = fraction > 0.3 ? 1 : 0; });
  const Result<std::string> cancelled = write_hydrology_tiled(dem, {}, plan, *writer, exec);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
  EXPECT_EQ(out.entries(), 0);

  HydrologyOptions breach;
  breach.depressions = hydrology::DepressionMethod::breach;
  EXPECT_FALSE(write_hydrology_tiled(dem, breach, plan, *writer, Exec()));
  EXPECT_FALSE(write_hydrology_tiled(folder.file("none.tif"), {}, plan, *writer, Exec()));
  EXPECT_FALSE(write_hydrology_tiled(dem, {}, TilePlan{kW + 1, kH, 64, 64, 0}, *writer, Exec()));
  EXPECT_EQ(out.entries(), 0);
}

TEST(HydrologyTiled, PlansTilesThatFitTheMemory) {
  GridSpec spec;
  spec.width = 70000;
  spec.height = 40000;
  const Result<TilePlan> plenty = plan_tiles(spec, 4, 2, std::uint64_t{16} << 30);
  ASSERT_TRUE(plenty);
  EXPECT_EQ(plenty->tile_width, 4096);
  const Result<TilePlan> quarter = plan_tiles(spec, 4, 2, std::uint64_t{70000} * 40000);
  ASSERT_TRUE(quarter);
  EXPECT_LE(quarter->tile_width, 4096);
  const Result<TilePlan> none = plan_tiles(spec, 4, 2, std::uint64_t{100} << 20);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::input);
  EXPECT_EQ(none.error().place, "--memory");
}

TEST(TileFile, KeepsEveryRectangle) {
  const TestFolder folder;
  const Result<io::OutputFolder> out = io::OutputFolder::open(folder.path());
  ASSERT_TRUE(out);
  auto file = TileFile<double>::create(*out, 40, 30);
  ASSERT_TRUE(file);
  Grid<double> want(40, 30);
  for (std::int64_t i = 0; i < want.cells(); ++i) want[i] = static_cast<double>(i);
  const TilePlan plan{40, 30, 7, 11, 0};
  for (std::int64_t t = plan.tiles() - 1; t >= 0; --t) {
    const auto r = plan.tile(t);
    ASSERT_TRUE((*file)->write(r.x, r.y, want.view().window(r.x, r.y, r.width, r.height)));
  }
  Grid<double> got(40, 30);
  ASSERT_TRUE((*file)->read(0, 0, got.view()));
  EXPECT_EQ(content_hash<double>(want.view()), content_hash<double>(got.view()));
  Grid<double> part(5, 6);
  ASSERT_TRUE((*file)->read(31, 20, part.view()));
  EXPECT_EQ(part(4, 5), want(35, 25));
  EXPECT_EQ(folder.entries(), 0);  // the name is gone while the file lives
}

TEST(RasterHasher, IsTheHashOfTheWhole) {
  Grid<float> g(13, 7);
  for (std::int64_t i = 0; i < g.cells(); ++i) g[i] = i % 5 == 0 ? -kNoData<float> : static_cast<float>(i) - 40;
  RasterHasher<float> hasher("float32", 13, 7);
  for (int y = 0; y < 7; ++y) hasher.add_row(g.row(y));
  EXPECT_EQ(hasher.digest(), content_hash<float>(g.view()));
}

}  // namespace
}  // namespace thalweg::folder
