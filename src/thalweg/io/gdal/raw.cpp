#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "thalweg/io/files.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::io {
namespace {
constexpr const char* kLayoutForm = "WxH,u16le|u16be|f32le,MIN,MAX,CELL_M, e.g. 1025x1025,u16le,0,1200,2";

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

bool parse_size(std::string_view text, RawLayout& layout) {
  const std::size_t x = text.find('x');
  return x != std::string_view::npos && parse_whole(text.substr(0, x), layout.width) &&
         parse_whole(text.substr(x + 1), layout.height) && layout.width > 0 && layout.height > 0;
}

std::optional<RawLayout::Type> parse_type(std::string_view text) {
  if (text == "u16le") return RawLayout::Type::u16le;
  if (text == "u16be") return RawLayout::Type::u16be;
  if (text == "f32le") return RawLayout::Type::f32le;
  return std::nullopt;
}

float decode(const unsigned char* bytes, const RawLayout& layout) {
  if (layout.type == RawLayout::Type::f32le) {
    std::uint32_t bits = 0;
    for (int i = 3; i >= 0; --i) bits = bits << 8 | bytes[i];
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const int high = layout.type == RawLayout::Type::u16be ? 0 : 1;
  const int v = bytes[high] << 8 | bytes[1 - high];
  return static_cast<float>(layout.min_m + v * (layout.max_m - layout.min_m) / 65535);
}

Result<Raster> read_cells(std::FILE* file, const std::string& path, const RawLayout& layout) {
  const bool is_float = layout.type == RawLayout::Type::f32le;
  const std::size_t cell_bytes = is_float ? 4 : 2;
  Raster raster;
  raster.spec.width = layout.width;
  raster.spec.height = layout.height;
  raster.spec.cell_m = raster.spec.cell_y_m = layout.cell_m;
  raster.file_type = is_float ? CellType::f32 : CellType::u16;
  raster.unit = "m";
  raster.heights_are_file_values = is_float || (layout.min_m == 0 && layout.max_m == 65535);
  Grid<float> cells(layout.width, layout.height);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(layout.width) * cell_bytes);
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();
  for (int y = 0; y < layout.height; ++y) {
    errno = 0;
    if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
      return errno != 0 ? system_error("cannot read", path, errno) : input_error("is cut short", path);
    }
    float* row = cells.row(y);
    for (int x = 0; x < layout.width; ++x) {
      const float v = decode(bytes.data() + static_cast<std::size_t>(x) * cell_bytes, layout);
      if (std::isinf(v)) {
        return input_error("holds an infinite value at column " + std::to_string(x) + ", row " + std::to_string(y) +
                               "; is it really f32le of this width?",
                           path);
      }
      row[x] = v;
      if (std::isnan(v)) {
        row[x] = kNoData<float>;
        ++raster.nodata_cells;
        continue;
      }
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (low <= high) {
    raster.min = static_cast<double>(low);
    raster.max = static_cast<double>(high);
  }
  raster.cells = std::move(cells);
  return raster;
}
}  // namespace

Result<RawLayout> parse_raw_layout(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    return input_error("raw layout '" + text + "': " + what + "; the form is " + kLayoutForm);
  };
  const std::vector<std::string_view> parts = split(text);
  RawLayout layout;
  if (!parse_size(parts[0], layout)) return wrong("'" + std::string(parts[0]) + "' is not a size");
  if (parts.size() < 2) return wrong("the type is missing");
  const std::optional<RawLayout::Type> type = parse_type(parts[1]);
  if (!type) return wrong("'" + std::string(parts[1]) + "' is not a type");
  layout.type = *type;
  const bool short_form = parts.size() == 3 && layout.type == RawLayout::Type::f32le;
  if (parts.size() != 5 && !short_form) return wrong("it has " + std::to_string(parts.size()) + " parts, not 5");
  if (!parse_whole(parts.back(), layout.cell_m) || !std::isfinite(layout.cell_m) || layout.cell_m <= 0) {
    return wrong("'" + std::string(parts.back()) + "' is not a cell size in metres");
  }
  if (short_form) return layout;
  for (std::size_t i = 2; i < 4; ++i) {
    double& bound = i == 2 ? layout.min_m : layout.max_m;
    if (!parse_whole(parts[i], bound) || std::fabs(bound) > 1e9 || std::isnan(bound)) {
      return wrong("'" + std::string(parts[i]) + "' is not a height in metres");
    }
  }
  if (layout.max_m < layout.min_m) return wrong("MAX is below MIN");
  return layout;
}

Result<Raster> read_raw(const std::string& path, const RawLayout& layout) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) return input_error("is a folder, not a file", path);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return system_error("cannot read", path, errno);
  struct Closer {
    std::FILE* f;
    ~Closer() { std::fclose(f); }
  } closer{file};
  if (layout.width < 1 || layout.height < 1) return input_error("a raw raster needs a width and a height", path);
  const std::uintmax_t cell_bytes = layout.type == RawLayout::Type::f32le ? 4 : 2;
  const std::uintmax_t wanted = std::uintmax_t(layout.width) * std::uintmax_t(layout.height) * cell_bytes;
  const std::uintmax_t size = std::filesystem::file_size(path, ec);
  if (ec) return input_error("is not a regular file", path);
  if (size != wanted) {
    return input_error("has " + std::to_string(size) + " bytes; " + std::to_string(layout.width) + " x " +
                           std::to_string(layout.height) + " cells of " + std::to_string(cell_bytes) + " bytes are " +
                           std::to_string(wanted),
                       path);
  }
  return guard_memory([&] { return read_cells(file, path, layout); });
}

}  // namespace thalweg::io
