#include "thalweg/render/view.h"

#include <cmath>
#include <vector>

namespace thalweg::render {
namespace {

void aim(View& view, Vec3 forward) {
  view.forward = normalize(forward);
  Vec3 right = cross(view.forward, {0, 0, 1});
  if (dot(right, right) < 1e-12) right = {1, 0, 0};
  // x east, y south, z up is left-handed: the cross product points the other way.
  view.right = normalize(right) * -1;
  view.up = cross(view.forward, view.right);
  if (view.up.z < 0) view.up = view.up * -1;
}

/// Points that the picture must contain: a net of the surface and the feet of the edges. Where land rises from a sea,
/// the land alone.
std::vector<Vec3> outline(const Terrain& terrain) {
  std::vector<Vec3> points;
  std::vector<Vec3> dry;
  constexpr int kNet = 96;
  for (int j = 0; j <= kNet; ++j)
    for (int i = 0; i <= kNet; ++i) {
      const int x = static_cast<int>(std::int64_t{terrain.width - 1} * i / kNet);
      const int y = static_cast<int>(std::int64_t{terrain.height - 1} * j / kNet);
      const float z = terrain.surface(x, y);
      const bool border = i == 0 || j == 0 || i == kNet || j == kNet;
      const Vec3 p{x * terrain.cell_x, y * terrain.cell_y, z};
      if (std::isfinite(z)) points.push_back(p);
      if (terrain.has_sea && z > terrain.sea && !(terrain.depth(x, y) > 0)) dry.push_back(p);
      if (border && !terrain.has_sea) points.push_back({p.x, p.y, terrain.floor});
    }
  if (dry.size() > 16) return dry;
  points.push_back({0.5 * terrain.extent_x(), 0.5 * terrain.extent_y(), terrain.low});
  return points;
}

/// Middle of the box around the points, at a quarter of its height.
Vec3 middle(const std::vector<Vec3>& points) {
  Vec3 low = points.front();
  Vec3 high = low;
  for (const Vec3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.75 * low.z + 0.25 * high.z};
}

struct Frame {
  double left = 0, right = 0, bottom = 0, top = 0;  // of the points, in half pictures; huge if one lies behind
};
Frame frame_of(const View& view, const std::vector<Vec3>& points) {
  Frame f{1e9, -1e9, 1e9, -1e9};
  for (const Vec3& p : points) {
    const Vec3 d = p - view.eye;
    const double depth = dot(d, view.forward);
    if (depth < 1e-3 * view.distance) return {-1e9, 1e9, -1e9, 1e9};
    const double x = dot(d, view.right) / depth / view.half_width;
    const double y = dot(d, view.up) / depth / view.half_height;
    f.left = std::min(f.left, x);
    f.right = std::max(f.right, x);
    f.bottom = std::min(f.bottom, y);
    f.top = std::max(f.top, y);
  }
  return f;
}

/// Looks from `distance` so that the points stand at the right height in the picture; what they cover then.
Frame place(View& view, Vec3 target, Vec3 toward_eye, double distance, const std::vector<Vec3>& points, bool sea) {
  // A little below the middle: more sky than foreground. Where there is a sea, as low as it goes: the horizon belongs
  // into the picture.
  constexpr double kMiddle = -0.12;
  constexpr double kFoot = -0.82;
  view.distance = distance;
  view.eye = target + toward_eye * distance;
  aim(view, toward_eye * -1);
  Frame f = frame_of(view, points);
  for (int i = 0; i < 4 && f.right < 1e8; ++i) {
    const double off = sea ? f.bottom - kFoot : 0.5 * (f.bottom + f.top) - kMiddle;
    const double shift = std::atan(off * view.half_height);
    aim(view, view.forward * std::cos(shift) + view.up * std::sin(shift));
    f = frame_of(view, points);
  }
  return f;
}

}  // namespace

View make_view(const Terrain& terrain, const PerspectiveParams& params) {
  View view;
  const Camera& camera = params.camera;
  const double fov = std::min(std::max(camera.field_of_view_deg, 1.0), 150.0);
  view.half_width = std::tan(0.5 * radians(fov));
  view.half_height = view.half_width * params.height / std::max(params.width, 1);
  const auto place_of = [&](const std::array<double, 3>& p) {
    return Vec3{p[0], p[1], (p[2] - terrain.base_m) * terrain.exaggeration};
  };
  const double elevation = std::min(std::max(camera.elevation_deg, -89.0), 89.9);
  const Vec3 toward_eye = direction(camera.azimuth_deg, elevation);
  if (terrain.empty()) {
    view.eye = {0, 0, 100};
    Vec3 level = toward_eye * -1;
    level.z = 0.15;
    aim(view, level);
    return view;
  }
  const std::vector<Vec3> points = outline(terrain);
  Vec3 target = middle(points);
  if (camera.target) target = place_of(*camera.target);
  if (camera.eye) {
    view.eye = place_of(*camera.eye);
    const Vec3 d = target - view.eye;
    view.distance = std::max(std::sqrt(dot(d, d)), 1e-9);
    aim(view, view.distance > 1e-9 ? d : Vec3{0, -1, 0});
  } else {
    const double size = terrain.extent() + (terrain.high - terrain.low);
    double near = 0.02 * size;
    double far = 60 * size / std::max(view.half_width, 0.01);
    for (int i = 0; i < 40; ++i) {
      const double d = std::sqrt(near * far);
      const Frame f = place(view, target, toward_eye, d, points, terrain.has_sea);
      const bool fits = f.left > -0.94 && f.right < 0.94 && f.top - f.bottom < 1.62;
      (fits ? far : near) = d;
    }
    place(view, target, toward_eye, far * std::max(camera.distance, 1e-3), points, terrain.has_sea);
    if (camera.target) aim(view, target - view.eye);
  }
  // Never inside the ground.
  const double x = view.eye.x / terrain.cell_x;
  const double y = view.eye.y / terrain.cell_y;
  if (x >= 0 && y >= 0 && x <= terrain.width - 1 && y <= terrain.height - 1) {
    const double ground = bilinear(terrain.surface, x, y);
    const double least = ground + 0.5 * std::min(terrain.cell_x, terrain.cell_y);
    if (std::isfinite(ground) && view.eye.z < least) view.eye.z = least;
  }
  if (terrain.has_sea) view.eye.z = std::max(view.eye.z, terrain.sea + 1e-4 * terrain.extent());
  return view;
}

}  // namespace thalweg::render
