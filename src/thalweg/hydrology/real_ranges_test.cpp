#include "thalweg/hydrology/real_ranges.h"

#include <gtest/gtest.h>

#include <cmath>

namespace thalweg::hydrology {
namespace {

TEST(RealRanges, OrderStatistics) {
  const RealRange r = range_of({5, kNoData<double>, 1, 3, 2, 10});
  EXPECT_EQ(r.n, 5);
  EXPECT_EQ(r.min, 1);
  EXPECT_EQ(r.q25, 2);
  EXPECT_EQ(r.median, 3);
  EXPECT_EQ(r.q75, 5);
  EXPECT_EQ(r.max, 10);
  EXPECT_EQ(range_of({1, 2}).q25, 1.25);
  EXPECT_EQ(range_of({}).n, 0);
  EXPECT_TRUE(std::isnan(range_of({}).median));
}

TEST(RealRanges, Verdicts) {
  const RealRange r{5, 1, 2, 3, 5, 10};
  EXPECT_EQ(judge(2, r), Verdict::typical);
  EXPECT_EQ(judge(5, r), Verdict::typical);
  EXPECT_EQ(judge(1.9, r), Verdict::inside);
  EXPECT_EQ(judge(10, r), Verdict::inside);
  EXPECT_EQ(judge(10.1, r), Verdict::outside);
  EXPECT_EQ(judge(0, r), Verdict::outside);
  EXPECT_EQ(judge(kNoData<double>, r), Verdict::unjudged);
  EXPECT_EQ(judge(3, {4, 1, 2, 3, 5, 10}), Verdict::unjudged);  // too few models to tell
}

TEST(RealRanges, EveryFigureHasThem) {
  const Grid<float> any(3, 3);
  const auto report = measure_realism(any, CellGeometry::uniform(30, 3), {}, {}, Exec());
  ASSERT_TRUE(report);
  for (const RealismFigure& f : report->figures) {
    EXPECT_GE(real_range(f.name, TerrainType::all, CellClass::coarse).n, 20) << f.name;
    for (const auto& terrain : kTerrainTypes)
      for (const CellClass cells : {CellClass::fine, CellClass::medium, CellClass::coarse}) {
        const RealRange r = real_range(f.name, terrain.value, cells);
        if (r.n == 0) continue;
        EXPECT_TRUE(r.min <= r.q25 && r.q25 <= r.median && r.median <= r.q75 && r.q75 <= r.max) << f.name;
        EXPECT_LE(r.n, real_range(f.name, TerrainType::all, cells).n) << f.name;
      }
  }
  EXPECT_EQ(real_range("no such figure", TerrainType::all, CellClass::coarse).n, 0);
}

}  // namespace
}  // namespace thalweg::hydrology
