// 16-bit heights, raw files and EXR.
#include <ImfArray.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "thalweg/core/random.h"
#include "thalweg/io/exr.h"
#include "thalweg/io/heights16.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
TEST(Heights16, BoundsAndRounding) {
  const Heights16 encoding = Heights16::over(-100, 65535 - 100);  // steps of one metre
  EXPECT_EQ(encoding.step_m, 1.0);
  EXPECT_EQ(encoding.encode(-100), 0);
  EXPECT_EQ(encoding.encode(65435), 65535);
  EXPECT_EQ(encoding.encode(0.5F), 101);  // half up
  EXPECT_EQ(encoding.encode(0.49F), 100);
  EXPECT_EQ(encoding.encode(-1e30F), 0);
  EXPECT_EQ(encoding.encode(1e30F), 65535);
  EXPECT_EQ(encoding.encode(std::nanf("")), 0);
  EXPECT_EQ(encoding.encode(INFINITY), 65535);
  EXPECT_EQ(encoding.encode(-INFINITY), 0);
}

TEST(Heights16, ErrorIsAtMostHalfAStep) {
  for (const auto& [low, high] : {std::pair{-431.2, 8848.9}, {0.0, 600.0}, {10.0, 10.001}}) {
    const Heights16 encoding = Heights16::over(low, high);
    for (int i = 0; i <= 10000; ++i) {
      const auto h = static_cast<float>(low + (high - low) * i / 10000);
      if (static_cast<double>(h) < low || static_cast<double>(h) > high) continue;
      EXPECT_LE(std::fabs(encoding.decode(encoding.encode(h)) - static_cast<double>(h)), encoding.step_m * 0.500001);
    }
    for (int v = 0; v <= 65535; v += 13) {
      const auto value = static_cast<std::uint16_t>(v);
      if (high - low > 1) {
        EXPECT_EQ(encoding.encode(static_cast<float>(encoding.decode(value))), value);
      }
    }
  }
}

// The engines' own formulas, with the figures we tell the user to enter, give the heights back.
TEST(Heights16, EngineConventions) {
  const Heights16 encoding = Heights16::over(120, 2345.5);
  for (const float h : {120.0F, 700.25F, 1999.0F, 2345.5F}) {
    const int v = encoding.encode(h);
    const double unity = v / 65536.0 * encoding.unity_terrain_height_m() + encoding.unity_terrain_y_m();
    const double unreal_cm = (v - 32768) / 128.0 * encoding.unreal_z_scale() + encoding.unreal_actor_z_cm();
    EXPECT_NEAR(unity, static_cast<double>(h), encoding.step_m * 0.5001);
    EXPECT_NEAR(unreal_cm / 100, static_cast<double>(h), encoding.step_m * 0.5001);
  }
  // Unreal at ZScale 100: -256 m to +255.992 m.
  const Heights16 unreal = Heights16::over(-256, 255.9921875);
  EXPECT_DOUBLE_EQ(unreal.unreal_z_scale(), 100);
  EXPECT_DOUBLE_EQ(unreal.unreal_actor_z_cm(), 0);
}

TEST(Heights16, FlatLand) {
  const Heights16 encoding = Heights16::over(42, 42);
  EXPECT_EQ(encoding.encode(42), 0);
  EXPECT_EQ(encoding.decode(0), 42);
  EXPECT_GT(encoding.unity_terrain_height_m(), 0);
  EXPECT_DOUBLE_EQ(encoding.unreal_z_scale(), 100);
}

TEST(R16, BytesInBothOrders) {
  const TestFolder folder;
  Grid<float> heights(3, 2);
  for (int i = 0; i < 6; ++i) heights[i] = static_cast<float>(i * 300);
  Grid<std::uint16_t> values(5, 2);
  const GridView<std::uint16_t> view = values.view().window(1, 0, 3, 2);
  encode_heights(Heights16::over(0, 65535), heights, view);
  ASSERT_TRUE(write_r16(folder.file("a.r16"), view));
  EXPECT_EQ(slurp(folder.file("a.r16")), std::string("\x00\x00\x2C\x01\x58\x02\x84\x03\xB0\x04\xDC\x05", 12));
  ASSERT_TRUE(write_r16(folder.file("a.r16"), view, true));
  EXPECT_EQ(slurp(folder.file("a.r16")), std::string("\x00\x00\x01\x2C\x02\x58\x03\x84\x04\xB0\x05\xDC", 12));
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_FALSE(write_r16("/dev/full", view));
  }
}

TEST(Exr, ComesBack) {
  const TestFolder folder;
  Grid<float> big(40, 37);
  for (std::int64_t i = 0; i < big.cells(); ++i) big[i] = static_cast<float>(i) * 0.37F - 100;
  const GridView<const float> view = big.view().window(3, 1, 33, 35);
  for (const int channels : {1, 3}) {
    for (const ExrPixel pixel : {ExrPixel::f32, ExrPixel::f16}) {
      const std::string path = folder.file("h.exr");
      ASSERT_TRUE(write_exr(path, view, channels, pixel));
      const std::string bytes = slurp(path);
      ASSERT_TRUE(write_exr(path, view, channels, pixel));
      EXPECT_EQ(slurp(path), bytes);
      Imf::InputFile file(path.c_str());
      EXPECT_EQ(file.header().dataWindow().max.x, 32);
      EXPECT_EQ(file.header().dataWindow().max.y, 34);
      int count = 0;
      for (auto it = file.header().channels().begin(); it != file.header().channels().end(); ++it) {
        ++count;
        EXPECT_EQ(it.channel().type, pixel == ExrPixel::f16 ? Imf::HALF : Imf::FLOAT);
        Imf::Array2D<float> read(35, 33);
        Imf::FrameBuffer frame;
        frame.insert(it.name(), Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(&read[0][0]), 4, 4 * 33));
        file.setFrameBuffer(frame);
        file.readPixels(0, 34);
        for (int y = 0; y < 35; ++y) {
          for (int x = 0; x < 33; ++x) {
            const float error = pixel == ExrPixel::f16 ? std::fabs(view(x, y)) / 2048 : 0;
            ASSERT_LE(std::fabs(read[y][x] - view(x, y)), error);
          }
        }
      }
      EXPECT_EQ(count, channels);
    }
  }
}

TEST(Exr, Refusals) {
  const TestFolder folder;
  Grid<float> grid(2, 2, 70000.0F);
  EXPECT_FALSE(write_exr(folder.file("h.exr"), grid.view(), 2));
  EXPECT_FALSE(write_exr(folder.file("h.exr"), GridView<const float>(), 1));
  EXPECT_FALSE(write_exr(folder.file("h.exr"), grid.view(), 1, ExrPixel::f16));
  EXPECT_TRUE(write_exr(folder.file("h.exr"), grid.view(), 1));
  const Status missing = write_exr(folder.file("no/h.exr"), grid.view(), 1);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::input);
  EXPECT_EQ(folder.entries(), 1);
}

}  // namespace
}  // namespace thalweg::io
