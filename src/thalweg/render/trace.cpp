#include <cmath>
#include <limits>

#include "thalweg/render/terrain.h"

namespace thalweg::render {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A ray in sample coordinates: x and y count cells, z and t metres.
struct GridRay {
  double ox, oy, oz;
  double dx, dy, dz;
  double ix, iy;  // 1 / dx, 1 / dy
  double x(double t) const { return ox + dx * t; }
  double y(double t) const { return oy + dy * t; }
  double z(double t) const { return oz + dz * t; }
};

/// Part of the ray inside the box of the terrain; false if none. `face` tells the side it comes in by: 0 none (starts
/// inside or from above), 1 west or east, 2 north or south.
bool clip(const Terrain& terrain, const GridRay& ray, double& t0, double& t1, int& face) {
  face = 0;
  const auto slab = [&](double o, double d, double low, double high, int id) {
    if (d == 0) return o >= low && o <= high;
    double a = (low - o) / d;
    double b = (high - o) / d;
    if (a > b) std::swap(a, b);
    if (a > t0) {
      t0 = a;
      face = id;
    }
    t1 = std::min(t1, b);
    return t0 <= t1;
  };
  return slab(ray.ox, ray.dx, 0, terrain.width - 1, 1) && slab(ray.oy, ray.dy, 0, terrain.height - 1, 2) &&
         slab(ray.oz, ray.dz, terrain.floor, terrain.high, 0);
}

enum class CellHit { none, surface, inside };

/// Where the ray meets the bilinear patch of a cell between t0 and t1; `inside` if it is under it at t0 already.
CellHit meet_cell(const Terrain& terrain, const GridRay& ray, int cx, int cy, double t0, double t1, double& t) {
  const float* n = terrain.surface.row(cy) + cx;
  const float* s = terrain.surface.row(cy + 1) + cx;
  const double a = n[0];
  const double b = double{n[1]} - n[0];
  const double c = double{s[0]} - n[0];
  const double d = double{s[1]} - s[0] - b;
  const double u = ray.x(t0) - cx;
  const double v = ray.y(t0) - cy;
  // f(w) = height of the ray over the patch at t0 + w.
  const double f0 = ray.z(t0) - (a + b * u + c * v + d * u * v);
  if (f0 <= 0) {
    t = t0;
    return CellHit::inside;
  }
  const double f1 = ray.dz - (b * ray.dx + c * ray.dy + d * (u * ray.dy + v * ray.dx));
  const double f2 = -d * ray.dx * ray.dy;
  const double w1 = t1 - t0;
  const double discriminant = f1 * f1 - 4 * f2 * f0;
  if (discriminant < 0) return CellHit::none;
  // Both roots without cancellation: q / f2 and f0 / q.
  const double q = -0.5 * (f1 + (f1 < 0 ? -1 : 1) * std::sqrt(discriminant));
  double w = kInfinity;
  if (q != 0 && f0 / q > 0) w = f0 / q;
  if (f2 != 0 && q / f2 > 0) w = std::min(w, q / f2);
  if (!(w <= w1)) return CellHit::none;
  t = t0 + w;
  return CellHit::surface;
}

bool solid(const Terrain& terrain, int cx, int cy) {
  if (cx < 0 || cy < 0 || cx >= terrain.width - 1 || cy >= terrain.height - 1) return false;
  const float* n = terrain.surface.row(cy) + cx;
  const float* s = terrain.surface.row(cy + 1) + cx;
  return std::fabs(n[0] + n[1] + s[0] + s[1]) < 1e37F;
}

double highest(const Terrain& terrain, int level, int cx, int cy) {
  if (level > 0) return terrain.maxima[static_cast<std::size_t>(level - 1)](cx >> level, cy >> level);
  if (!solid(terrain, cx, cy)) return -kInfinity;
  const float* n = terrain.surface.row(cy) + cx;
  const float* s = terrain.surface.row(cy + 1) + cx;
  return std::max(std::max(n[0], n[1]), std::max(s[0], s[1]));
}

/// Node of the pyramid under the ray: the cell (x, y) at its entry, the level.
struct Cursor {
  int x;
  int y;
  int level;
};

/// Moves to the node across the nearer border; false when that leaves the grid.
bool advance(const Terrain& terrain, const GridRay& ray, double te, bool over_x, Cursor& at, int top) {
  const int cells_x = terrain.width - 1;
  const int cells_y = terrain.height - 1;
  const int nx = at.x >> at.level;
  const int ny = at.y >> at.level;
  const Cursor old = at;
  if (over_x) {
    at.x = ray.dx > 0 ? (nx + 1) << at.level : (nx << at.level) - 1;
    if (at.x < 0 || at.x >= cells_x) return false;
    at.y = std::min(std::max(static_cast<int>(ray.y(te)), ny << at.level),
                    std::min(((ny + 1) << at.level) - 1, cells_y - 1));
  } else {
    at.y = ray.dy > 0 ? (ny + 1) << at.level : (ny << at.level) - 1;
    if (at.y < 0 || at.y >= cells_y) return false;
    at.x = std::min(std::max(static_cast<int>(ray.x(te)), nx << at.level),
                    std::min(((nx + 1) << at.level) - 1, cells_x - 1));
  }
  const int up = at.level + 1;
  if (up <= top && ((at.x >> up) != (old.x >> up) || (at.y >> up) != (old.y >> up))) at.level = up;
  return true;
}

}  // namespace

Hit trace(const Terrain& terrain, Vec3 origin, Vec3 direction, double t_max) {
  Hit hit;
  if (terrain.empty()) return hit;
  GridRay ray{origin.x / terrain.cell_x,
              origin.y / terrain.cell_y,
              origin.z,
              direction.x / terrain.cell_x,
              direction.y / terrain.cell_y,
              direction.z,
              0,
              0};
  double t = 0;
  double t_end = t_max;
  int face = 0;
  if (!clip(terrain, ray, t, t_end, face)) return hit;
  ray.ix = ray.dx != 0 ? 1 / ray.dx : 0;
  ray.iy = ray.dy != 0 ? 1 / ray.dy : 0;
  const int top = static_cast<int>(terrain.maxima.size());
  Cursor at{std::min(std::max(static_cast<int>(ray.x(t)), 0), terrain.width - 2),
            std::min(std::max(static_cast<int>(ray.y(t)), 0), terrain.height - 2), std::min(3, top)};
  const std::int64_t limit = 16 * (std::int64_t{terrain.width} + terrain.height) + 256;
  for (std::int64_t step = 0; step < limit; ++step) {
    const double edge_x = static_cast<double>(((at.x >> at.level) + (ray.dx > 0 ? 1 : 0)) << at.level);
    const double edge_y = static_cast<double>(((at.y >> at.level) + (ray.dy > 0 ? 1 : 0)) << at.level);
    const double tx = ray.dx != 0 ? (edge_x - ray.ox) * ray.ix : kInfinity;
    const double ty = ray.dy != 0 ? (edge_y - ray.oy) * ray.iy : kInfinity;
    const double te = std::max(t, std::min(std::min(tx, ty), t_end));
    if (std::min(ray.z(t), ray.z(te)) <= highest(terrain, at.level, at.x, at.y)) {
      if (at.level > 0) {
        --at.level;
        continue;
      }
      const CellHit cell = meet_cell(terrain, ray, at.x, at.y, t, te, hit.t);
      if (cell == CellHit::surface) {
        hit.kind = HitKind::surface;
        return hit;
      }
      if (cell == CellHit::inside) {
        // Under the surface on entry: through a wall if nothing solid lies on this side of the border, else rounding
        // has let the ray slip by at the border of two cells.
        const int px = at.x - (face == 1 ? (ray.dx > 0 ? 1 : -1) : 0);
        const int py = at.y - (face == 2 ? (ray.dy > 0 ? 1 : -1) : 0);
        const bool wall = face != 0 && !solid(terrain, px, py);
        hit.kind = wall ? HitKind::wall : HitKind::surface;
        if (wall)
          hit.wall_normal = face == 1 ? Vec3{ray.dx > 0 ? -1.0 : 1.0, 0, 0} : Vec3{0, ray.dy > 0 ? -1.0 : 1.0, 0};
        return hit;
      }
    }
    if (te >= t_end) return hit;
    t = te;
    face = tx <= ty ? 1 : 2;
    if (!advance(terrain, ray, te, tx <= ty, at, top)) return hit;
  }
  return hit;
}

}  // namespace thalweg::render
