#include "thalweg/io/heights16.h"

#include <cassert>
#include <cmath>
#include <vector>

#include "thalweg/io/files.h"

namespace thalweg::io {

Heights16 Heights16::over(double min_m, double max_m) {
  assert(std::isfinite(min_m) && std::isfinite(max_m) && min_m <= max_m);
  Heights16 encoding;
  encoding.base_m = min_m;
  const double step = (max_m - min_m) / 65535;
  if (step > 0 && std::isfinite(step)) encoding.step_m = step;
  return encoding;
}

std::uint16_t Heights16::encode(float height_m) const {
  const double steps = std::floor((static_cast<double>(height_m) - base_m) / step_m + 0.5);
  if (!(steps > 0)) return 0;  // also NaN
  return steps >= 65535 ? std::uint16_t{65535} : static_cast<std::uint16_t>(steps);
}

void encode_heights(const Heights16& encoding, GridView<const float> height_m, GridView<std::uint16_t> out) {
  assert(height_m.width() == out.width() && height_m.height() == out.height());
  for (int y = 0; y < out.height(); ++y) {
    const float* from = height_m.row(y);
    std::uint16_t* to = out.row(y);
    for (int x = 0; x < out.width(); ++x) to[x] = encoding.encode(from[x]);
  }
}

Status write_r16(const std::string& path, GridView<const std::uint16_t> values, bool big_endian) {
  return guard_memory([&]() -> Status {
    return write_atomically(path, [&](const std::string& temporary) {
      FileWriter out(temporary, path);
      std::vector<unsigned char> bytes(static_cast<std::size_t>(values.width()) * 2);
      const int high = big_endian ? 0 : 1;
      for (int y = 0; y < values.height(); ++y) {
        const std::uint16_t* row = values.row(y);
        for (int x = 0; x < values.width(); ++x) {
          unsigned char* to = bytes.data() + std::ptrdiff_t{x} * 2;
          to[high] = static_cast<unsigned char>(row[x] >> 8);
          to[1 - high] = static_cast<unsigned char>(row[x] & 0xFF);
        }
        out.write(bytes.data(), bytes.size());
      }
      return out.close();
    });
  });
}

}  // namespace thalweg::io
