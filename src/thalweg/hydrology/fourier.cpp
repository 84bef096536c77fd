#include "thalweg/hydrology/fourier.h"

#include <cassert>
#include <cstddef>
#include <utility>

#include "thalweg/core/exact_math.h"

namespace thalweg::hydrology::internal {
namespace {

// Products written out: std::complex's operator checks for infinities, differently on each library.
struct Number {
  double re, im;
};
Number operator+(Number a, Number b) {
  return {a.re + b.re, a.im + b.im};
}
Number operator-(Number a, Number b) {
  return {a.re - b.re, a.im - b.im};
}
Number operator*(Number a, Number b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// Transforms lines of n numbers.
class Line {
 public:
  explicit Line(int n) : n_(static_cast<std::size_t>(n)), part_(n_ % 3 == 0 ? n_ / 3 : n_), roots_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      const double turn = 2 * exact::kPi * static_cast<double>(i) / static_cast<double>(n_);
      roots_[i] = {exact::cos(turn), -exact::sin(turn)};
    }
  }
  std::size_t size() const { return n_; }

  void run(Number* line, std::vector<Number>& scratch) const {
    scratch.resize(n_);
    const std::size_t parts = n_ / part_;
    for (std::size_t p = 0; p < parts; ++p) {  // every third number, or all
      Number* to = scratch.data() + p * part_;
      for (std::size_t i = 0; i < part_; ++i) to[i] = line[i * parts + p];
      power_of_two(to, parts);
    }
    if (parts == 1) {
      for (std::size_t i = 0; i < n_; ++i) line[i] = scratch[i];
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t k = i % part_;
      line[i] = scratch[k] + roots_[i] * scratch[part_ + k] + roots_[2 * i % n_] * scratch[2 * part_ + k];
    }
  }

 private:
  // Roots of the part are every `stride`-th of the whole's.
  void power_of_two(Number* v, std::size_t stride) const {
    for (std::size_t i = 1, j = 0; i < part_; ++i) {
      std::size_t bit = part_ >> 1;
      for (; (j & bit) != 0; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(v[i], v[j]);
    }
    for (std::size_t length = 2; length <= part_; length *= 2) {
      const std::size_t step = part_ / length * stride;
      for (std::size_t begin = 0; begin < part_; begin += length)
        for (std::size_t k = 0; k < length / 2; ++k) {
          const Number a = v[begin + k];
          const Number b = roots_[k * step] * v[begin + k + length / 2];
          v[begin + k] = a + b;
          v[begin + k + length / 2] = a - b;
        }
    }
  }

  std::size_t n_, part_;
  std::vector<Number> roots_;
};

}  // namespace

int fourier_size(int most) {
  int best = 0;
  for (std::int64_t n = 2; n <= most; n *= 2) best = static_cast<int>(n);
  if (best >= 2 && best / 2 * 3 <= most) return best / 2 * 3;
  return best;
}

void fourier_square(std::vector<std::complex<double>>& cells, int n, const Exec& exec) {
  assert(n == fourier_size(n) && cells.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const Line line(n);
  const std::size_t side = line.size();
  constexpr std::int64_t kStrip = 8;  // lines that share cache lines when they run down
  const auto transform = [&](std::size_t along, std::size_t across) {
    parallel_for(exec, 0, n, kStrip, [&](std::int64_t begin, std::int64_t end) {
      const auto lines = static_cast<std::size_t>(end - begin);
      std::vector<Number> strip(lines * side), scratch;
      std::complex<double>* from = cells.data() + static_cast<std::size_t>(begin) * across;
      for (std::size_t i = 0; i < side; ++i)
        for (std::size_t l = 0; l < lines; ++l) {
          const std::complex<double>& c = from[i * along + l * across];
          strip[l * side + i] = {c.real(), c.imag()};
        }
      for (std::size_t l = 0; l < lines; ++l) line.run(strip.data() + l * side, scratch);
      for (std::size_t i = 0; i < side; ++i)
        for (std::size_t l = 0; l < lines; ++l)
          from[i * along + l * across] = {strip[l * side + i].re, strip[l * side + i].im};
    });
  };
  transform(1, side);
  transform(side, 1);
}

}  // namespace thalweg::hydrology::internal
