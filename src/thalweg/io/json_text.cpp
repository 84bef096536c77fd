#include "thalweg/io/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace thalweg::io {
namespace {
// Length of the well-formed UTF-8 sequence that `text` begins with (RFC 3629), or 0.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3 : 0;
  const std::size_t want = length != 0 ? length : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
  if (want == 0 || text.size() < want) return 0;
  for (std::size_t i = 1; i < want; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool beyond = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : want;
}
}  // namespace

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  if (value == 0) value = 0;  // "-0" would be read as an integer
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}

void append_real(std::string& out, double value) {
  const std::size_t start = out.size();
  append_number(out, value);
  if (std::isfinite(value) && out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

void append_integer(std::string& out, std::int64_t value) {
  out += std::to_string(value);
}

void append_string(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[(c >> 4) & 15];
      out += kHex[c & 15];
    } else {
      out.append(text.substr(i, length));
    }
    i += length;
  }
  out += '"';
}

}  // namespace thalweg::io
