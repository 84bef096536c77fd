// Internal to hydrology: a small Fourier transform with the same bits everywhere.
#pragma once

#include <complex>
#include <vector>

#include "thalweg/core/exec.h"

namespace thalweg::hydrology::internal {

/// Largest size 2^k or 3 * 2^k that is at most `most`; 0 below 2.
int fourier_size(int most);

/// Transforms `cells` (n x n, row-major; n of fourier_size) in place: sum of cells * exp(-2 pi i (jx + ky) / n), not
/// scaled. Cooley and Tukey 1965. Bits are independent of threads and machine. O(n^2 log n), 32 bytes a thread and row.
void fourier_square(std::vector<std::complex<double>>& cells, int n, const Exec& exec);

}  // namespace thalweg::hydrology::internal
