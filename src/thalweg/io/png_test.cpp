#include "thalweg/io/png.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "thalweg/core/random.h"
#include "thalweg/io/test_folder.h"

namespace thalweg::io {
namespace {
std::vector<std::uint8_t> pattern(int width, int height, int channels) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height * channels));
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 37 + i / 7);
  return pixels;
}

TEST(Png, EightBitRoundTrips) {
  const TestFolder folder;
  for (const int channels : {1, 3, 4}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {37, 23}}) {
      const std::string path = folder.file("p.png");
      const auto pixels = pattern(width, height, channels);
      ASSERT_TRUE(write_png8(path, width, height, channels, pixels));
      const Result<Png8> read = read_png8(path);
      ASSERT_TRUE(read) << read.error().text();
      EXPECT_EQ(read->width, width);
      EXPECT_EQ(read->height, height);
      EXPECT_EQ(read->channels, channels);
      EXPECT_EQ(read->pixels, pixels);
      const std::string bytes = slurp(path);
      ASSERT_TRUE(write_png8(path, width, height, channels, pixels));
      EXPECT_EQ(slurp(path), bytes);
    }
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Png, SixteenBitKeepsTheHighByteWhenReadAsEight) {
  const TestFolder folder;
  Grid<std::uint16_t> big(7, 5);
  for (std::int64_t i = 0; i < big.cells(); ++i) big[i] = static_cast<std::uint16_t>(i * 257);
  const auto window = big.view().window(2, 1, 4, 3);  // a stride wider than the picture
  ASSERT_TRUE(write_png16(folder.file("h.png"), window));
  const Result<Png8> read = read_png8(folder.file("h.png"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->pixels.size(), 12U);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(read->pixels[static_cast<std::size_t>(y * 4 + x)], window(x, y) / 257);
    }
  }
}

TEST(Png, IndexedPicturesKeepTheirColours) {
  const TestFolder folder;
  const std::vector<std::array<std::uint8_t, 3>> palette = {{255, 0, 10}, {1, 2, 3}, {200, 100, 50}};
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 5 * 7; ++i) pixels.push_back(static_cast<std::uint8_t>(i * i % 3));
  ASSERT_TRUE(write_png_indexed(folder.file("i.png"), 5, 7, palette, pixels));
  const Result<Png8> read = read_png8(folder.file("i.png"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->channels, 3);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(read->pixels[3 * i + c], palette[pixels[i]][c]);
  EXPECT_FALSE(write_png_indexed(folder.file("x.png"), 5, 6, palette, pixels));
  EXPECT_FALSE(write_png_indexed(folder.file("x.png"), 5, 7, {}, pixels));
  pixels[3] = 3;
  EXPECT_FALSE(write_png_indexed(folder.file("x.png"), 5, 7, palette, pixels));
}

TEST(Png, RefusesWhatIsNoPicture) {
  const TestFolder folder;
  const std::vector<std::uint8_t> pixels(12);
  EXPECT_FALSE(write_png8(folder.file("x.png"), 2, 2, 2, pixels));
  EXPECT_FALSE(write_png8(folder.file("x.png"), 2, 3, 3, pixels));
  EXPECT_FALSE(write_png8(folder.file("x.png"), 0, 0, 1, {}));
  EXPECT_FALSE(write_png16(folder.file("x.png"), GridView<const std::uint16_t>()));
  spill(folder.file("t.png"), "not a picture");
  for (const std::string& path : {folder.file("none.png"), folder.path(), folder.file("t.png")}) {
    const Result<Png8> read = read_png8(path);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::input);
    EXPECT_EQ(read.error().place, path);
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Png, FullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto pixels = pattern(300, 300, 4);
  const Status status = write_png8("/dev/full", 300, 300, 4, pixels);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::machine);
}

TEST(Png, DamagedFilesNeverCrash) {
  const TestFolder folder;
  const std::string path = folder.file("d.png");
  ASSERT_TRUE(write_png8(path, 19, 17, 3, pattern(19, 17, 3)));
  const std::string whole = slurp(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    spill(path, whole.substr(0, length));
    const Result<Png8> read = read_png8(path);
    EXPECT_FALSE(read && length + 12 < whole.size()) << length;  // the end mark alone may be missing
  }
  for (std::size_t i = 8; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
    spill(path, flipped);
    (void)read_png8(path).ok();
  }
}

}  // namespace
}  // namespace thalweg::io
