// The common land of benchmarks, made once a size; n is the number of cells per side.
#pragma once

#include <map>

#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/test_fbm.h"

namespace thalweg::hydrology::bench {

inline constexpr double kCell_m = 30;

inline const Grid<float>& terrain(int n) {
  static std::map<int, Grid<float>> made;
  auto found = made.find(n);
  if (found == made.end()) found = made.emplace(n, test::fbm_terrain(n)).first;
  return found->second;
}

inline const Grid<float>& filled(int n) {
  static std::map<int, Grid<float>> made;
  auto found = made.find(n);
  if (found == made.end()) {
    Grid<float> g(n, n);
    fill<float>(terrain(n), {}, g, Exec());
    found = made.emplace(n, std::move(g)).first;
  }
  return found->second;
}

}  // namespace thalweg::hydrology::bench
