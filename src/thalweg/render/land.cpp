#include "thalweg/render/land.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

float finite_or_hole(float v) {
  return std::isfinite(v) ? v : kHole;
}

/// Elevation models often know the sea only as level 0. Cells at exactly the sea level sink below it with the distance
/// to the land (two-pass chamfer), so that they are drawn as sea with a shelf.
void sink_flat_sea(Grid<float>& ground, float sea, double cell_m) {
  const int w = ground.width();
  const int h = ground.height();
  bool any = false;
  for (std::int64_t i = 0; i < ground.cells() && !any; ++i) any = ground[i] == sea;
  if (!any) return;
  Grid<float> distance(w, h);
  for (std::int64_t i = 0; i < ground.cells(); ++i) distance[i] = ground[i] > sea ? 0.0F : 1e6F;
  const auto relax = [&](int x, int y, int dx, int dy, float cost) {
    if (distance.view().contains(x + dx, y + dy))
      distance(x, y) = std::min(distance(x, y), distance(x + dx, y + dy) + cost);
  };
  constexpr float kDiagonal = 1.4142135F;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      relax(x, y, -1, 0, 1);
      relax(x, y, -1, -1, kDiagonal);
      relax(x, y, 0, -1, 1);
      relax(x, y, 1, -1, kDiagonal);
    }
  for (int y = h - 1; y >= 0; --y)
    for (int x = w - 1; x >= 0; --x) {
      relax(x, y, 1, 0, 1);
      relax(x, y, 1, 1, kDiagonal);
      relax(x, y, 0, 1, 1);
      relax(x, y, -1, 1, kDiagonal);
    }
  for (std::int64_t i = 0; i < ground.cells(); ++i)
    if (ground[i] == sea)
      ground[i] = sea - static_cast<float>(std::min(0.02 * cell_m * std::min(distance[i], 1e4F), 200.0));
}

/// Cells of the voids that are at most `most` cells large.
std::vector<std::int64_t> small_voids(const Grid<float>& ground, std::int64_t most) {
  const int w = ground.width();
  const int h = ground.height();
  std::vector<std::int64_t> found;
  std::vector<std::int64_t> part;
  Grid<std::uint8_t> seen(w, h);
  for (std::int64_t start = 0; start < ground.cells(); ++start) {
    if (!std::isnan(ground[start]) || seen[start] != 0) continue;
    part.assign(1, start);
    seen[start] = 1;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const int x = static_cast<int>(part[i] % w);
      const int y = static_cast<int>(part[i] / w);
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          if (!ground.view().contains(x + dx, y + dy)) continue;
          const std::int64_t n = part[i] + std::int64_t{dy} * w + dx;
          if (seen[n] != 0 || !std::isnan(ground[n])) continue;
          seen[n] = 1;
          part.push_back(n);
        }
    }
    if (static_cast<std::int64_t>(part.size()) <= most) found.insert(found.end(), part.begin(), part.end());
  }
  return found;
}

/// Means of 2 x 2 finite values.
Grid<float> halve(const Grid<float>& g) {
  Grid<float> out((g.width() + 1) / 2, (g.height() + 1) / 2);
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      double sum = 0;
      int count = 0;
      for (int k = 0; k < 4; ++k) {
        const int sx = 2 * x + (k & 1);
        const int sy = 2 * y + (k >> 1);
        if (!g.view().contains(sx, sy) || std::isnan(g(sx, sy))) continue;
        sum += g(sx, sy);
        ++count;
      }
      out(x, y) = count > 0 ? static_cast<float>(sum / count) : kHole;
    }
  return out;
}

/// Fills the NaN cells of `fine` from the grid of half its size, linearly.
void pull(Grid<float>& fine, const Grid<float>& coarse, std::int64_t cell) {
  const int x = static_cast<int>(cell % fine.width());
  const int y = static_cast<int>(cell / fine.width());
  const auto at = [&](int cx, int cy) {
    return coarse(std::min(std::max(cx, 0), coarse.width() - 1), std::min(std::max(cy, 0), coarse.height() - 1));
  };
  const int nx = x / 2 + (x % 2 == 0 ? -1 : 1);
  const int ny = y / 2 + (y % 2 == 0 ? -1 : 1);
  fine[cell] = 0.5625F * at(x / 2, y / 2) + 0.1875F * (at(nx, y / 2) + at(x / 2, ny)) + 0.0625F * at(nx, ny);
}

/// Smooth bridge over voids (push-pull), then a few rounds of averaging that round off its joints.
void bridge_voids(Land& land) {
  bool any = false;
  for (std::int64_t i = 0; i < land.ground.cells() && !any; ++i) any = std::isnan(land.ground[i]);
  if (!any) return;
  const std::vector<std::int64_t> cells = small_voids(land.ground, land.ground.cells() / 50);
  if (cells.empty()) return;
  std::vector<Grid<float>> levels;
  levels.push_back(land.ground.clone());
  while (levels.back().cells() > 1) levels.push_back(halve(levels.back()));
  for (std::size_t k = levels.size() - 1; k-- > 0;)
    for (std::int64_t i = 0; i < levels[k].cells(); ++i)
      if (std::isnan(levels[k][i])) pull(levels[k], levels[k + 1], i);
  const int w = land.ground.width();
  land.bridged = Grid<float>(w, land.ground.height());
  for (const std::int64_t i : cells) {
    land.ground[i] = levels[0][i];
    land.bridged[i] = 1;
  }
  for (int round = 0; round < 40; ++round)
    for (const std::int64_t i : cells) {
      const int x = static_cast<int>(i % w);
      const int y = static_cast<int>(i / w);
      if (x == 0 || y == 0 || x == w - 1 || y == land.ground.height() - 1) continue;
      const float mean = 0.25F * (land.ground[i - 1] + land.ground[i + 1] + land.ground[i - w] + land.ground[i + w]);
      if (!std::isnan(mean)) land.ground[i] = mean;
    }
}

}  // namespace

Land make_land(const Scene& scene, const Exec& exec) {
  const GridView<const float> h = scene.height_m;
  Land land;
  land.ground = Grid<float>(h.width(), h.height());
  parallel_rows(exec, h.width(), h.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < h.width(); ++x) land.ground(x, y) = finite_or_hole(h(x, y));
  });
  bridge_voids(land);
  if (scene.water_depth_m.empty() && !scene.sea_level_m) return land;
  const float sea = scene.sea_level_m ? static_cast<float>(*scene.sea_level_m) : kHole;
  if (scene.sea_level_m) sink_flat_sea(land.ground, sea, std::max(scene.cell_x_m, scene.cell_y_m));
  land.level = Grid<float>(h.width(), h.height());
  const auto wet_level = [&](int x, int y) {
    if (scene.water_depth_m.empty() || !h.contains(x, y)) return kHole;
    const float depth = scene.water_depth_m(x, y);
    return depth > 0 && std::isfinite(depth) ? h(x, y) + depth : kHole;
  };
  parallel_rows(exec, h.width(), h.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < h.width(); ++x) {
        float level = wet_level(x, y);
        if (std::isnan(level) && !scene.water_depth_m.empty()) {
          // Dry ground beside a lake carries its level on, below the ground, so that the shore lies between cells.
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) level = std::fmax(level, wet_level(x + dx, y + dy));
          level = std::min(level, land.ground(x, y));
        }
        land.level(x, y) = std::fmax(level, sea);
      }
  });
  return land;
}

}  // namespace thalweg::render
