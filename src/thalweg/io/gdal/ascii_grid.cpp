#include "thalweg/io/gdal/ascii_grid.h"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <vector>

#include "thalweg/io/files.h"

namespace thalweg::io {
namespace {
constexpr std::size_t kMaxWord = 64;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Loose on purpose: whatever GDAL converts in full. Commas are decimal marks of some exporters.
bool is_number(std::string_view word) {
  static constexpr std::string_view kNumeric = "0123456789+-.,eE";
  bool digit = false;
  for (const char c : word) {
    if (kNumeric.find(c) == std::string_view::npos) {
      return word == "nan" || word == "NaN" || word == "NAN" || word == "-nan" || word == "inf" || word == "-inf" ||
             word.find("1.#") != std::string_view::npos;
    }
    digit |= c >= '0' && c <= '9';
  }
  return digit;
}

// A sign and digits that no 32-bit integer overflows.
bool is_small_whole(std::string_view word) {
  constexpr std::size_t kMaxDigits = 9;
  if (word[0] == '-' || word[0] == '+') word.remove_prefix(1);
  return word.size() <= kMaxDigits && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// Cuts the text into words and counts those of the body; the header is the leading pairs of a name and a value.
class WordCounter {
 public:
  // False at the first body word that is no number.
  bool feed(std::string_view text) {
    for (const char c : text) {
      if (!is_space(c)) {
        if (word_.size() < kMaxWord) word_ += c;
      } else if (!end_word()) {
        return false;
      }
    }
    return true;
  }
  bool end_word() {
    if (word_.empty()) return true;
    const bool good = take(word_);
    if (good) word_.clear();
    return good;
  }
  std::int64_t count() const { return count_; }
  const std::string& word() const { return word_; }
  bool all_small_whole() const { return all_small_whole_; }

 private:
  bool take(const std::string& word) {
    if (value_of_header_) {
      value_of_header_ = false;
      return true;
    }
    if (count_ == 0 && is_letter(word[0]) && !is_number(word)) {
      value_of_header_ = true;
      return true;
    }
    ++count_;
    all_small_whole_ = all_small_whole_ && is_small_whole(word);
    return is_number(word);
  }
  std::string word_;
  std::int64_t count_ = 0;
  bool value_of_header_ = false;
  bool all_small_whole_ = true;
};
}  // namespace

Result<bool> check_ascii_grid(const std::string& path, std::int64_t cells) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return system_error("cannot read", path, errno);
  struct Closer {
    std::FILE* f;
    ~Closer() { std::fclose(f); }
  } closer{file};
  std::vector<char> buffer(std::size_t{1} << 16);
  WordCounter words;
  bool good = true;
  while (good) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
    if (got == 0) break;
    good = words.feed({buffer.data(), got});
  }
  if (good) good = words.end_word();
  if (!good) {
    return input_error("value " + std::to_string(words.count()) + " of the grid is no number: '" + words.word() + "'",
                       path);
  }
  if (words.count() < cells) {
    return input_error("is cut short: " + std::to_string(words.count()) + " of " + std::to_string(cells) + " values",
                       path);
  }
  return words.all_small_whole();
}

}  // namespace thalweg::io
