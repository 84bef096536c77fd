// Pieces of JSON text, locale-free. For the writers of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::io {

/// Appends the shortest digits that read back as the same double (-0 as 0); "null" for NaN and infinities.
void append_number(std::string& out, double value);
/// As append_number, always with a point or exponent, so that a reader sees a double and not an integer.
void append_real(std::string& out, double value);
void append_integer(std::string& out, std::int64_t value);
/// Appends a quoted, escaped JSON string; bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view text);

}  // namespace thalweg::io
