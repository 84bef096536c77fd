#include <cmath>
#include <limits>

#include "thalweg/core/random.h"
#include "thalweg/render/material.h"
#include "thalweg/render/render.h"
#include "thalweg/render/sky.h"
#include "thalweg/render/terrain.h"
#include "thalweg/render/vec.h"
#include "thalweg/render/view.h"

namespace thalweg::render {
namespace {

constexpr float kPi = 3.14159265F;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Light that arrives at the eye along a ray.
class Shader {
 public:
  Shader(const Scene& scene, const Terrain& terrain, const View& view, const PerspectiveParams& params)
      : terrain_(terrain),
        sky_(direction(params.light.azimuth_deg, std::min(std::max(params.light.elevation_deg, 2.0), 90.0))),
        material_(scene, terrain),
        view_(view),
        pixel_(2 * view.half_width / std::max(params.width, 1)) {
    sun_elevation_ = static_cast<float>(std::asin(sky_.sun().z));
    sun_ = sky_.sunlight();
    ambient_ = sky_.irradiance() * 1.25F;
    const float level = luminance(sun_) * static_cast<float>(0.30 + 0.45 * sky_.sun().z) + luminance(ambient_);
    exposure_ = 0.185F / (0.10F / kPi * level);
    if (terrain.empty()) return;
    const double relief = std::max(terrain.high - terrain.low, 1e-9);
    haze_height_ = std::max(0.6 * relief, 0.05 * terrain.extent());
    haze_ = 0.30 / std::max(terrain.extent(), 1e-9);
    const double clear = std::min(std::max(0.012 * relief / terrain.exaggeration, 2.0), 40.0);
    water_scale_ = static_cast<float>(1 / (clear * terrain.exaggeration));
    // Without a sea there is nothing between the far edge of the land and the horizon: the sky comes down to the land.
    if (!terrain.has_sea) {
      const Vec3 far = Vec3{0.5 * terrain.extent_x(), 0.5 * terrain.extent_y(), terrain.low} - view.eye;
      const double reach = std::sqrt(far.x * far.x + far.y * far.y) + 0.4 * terrain.extent();
      tilt_ = std::max(0.0, std::atan2(-far.z, reach));
    }
  }

  /// Display-linear colour, 0..1.
  Rgb pixel(double sx, double sy) const { return tone(light(view_.eye, view_.ray(sx, sy))); }

 private:
  Rgb tone(Rgb c) const {
    // Filmic curve, rational fit of Narkowicz 2015.
    const auto curve = [](float x) { return saturate(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F)); };
    c = c * exposure_;
    return {curve(c.r), curve(c.g), curve(c.b)};
  }

  Rgb light(Vec3 eye, Vec3 ray) const {
    double t_sea = kInfinity;
    if (terrain_.has_sea && ray.z < 0) t_sea = (terrain_.sea - eye.z) / ray.z;
    const Hit hit = trace(terrain_, eye, ray, t_sea);
    if (hit.kind == HitKind::none) {
      if (!(t_sea < kInfinity)) return background(ray);
      return haze(sea_outside(eye + ray * t_sea, ray, t_sea), eye, ray, t_sea);
    }
    const Vec3 p = eye + ray * hit.t;
    if (hit.kind == HitKind::wall) return haze(wall(p, hit.wall_normal), eye, ray, hit.t);
    return haze(surface(p, ray, hit.t, true), eye, ray, hit.t);
  }

  Rgb background(Vec3 ray) const {
    if (tilt_ > 0) {
      const double elevation = std::asin(std::min(std::max(ray.z, -1.0), 1.0)) + tilt_;
      const double level = std::max(std::sqrt(ray.x * ray.x + ray.y * ray.y), 1e-9);
      const double c = std::cos(elevation) / level;
      ray = {ray.x * c, ray.y * c, std::sin(elevation)};
    }
    return sky_.radiance(ray) + sky_.disc(ray);
  }

  /// Aerial perspective: light lost on the way and light of the air, both by colour.
  Rgb haze(Rgb c, Vec3 eye, Vec3 ray, double t) const {
    const double z0 = std::max(eye.z - terrain_.low, -0.2 * haze_height_) / haze_height_;
    const double z1 = std::max(eye.z + ray.z * t - terrain_.low, -0.2 * haze_height_) / haze_height_;
    const double dz = z1 - z0;
    const double mean = std::fabs(dz) > 1e-6 ? (std::exp(-z0) - std::exp(-z1)) / dz : std::exp(-z0);
    const auto depth = static_cast<float>(std::min(haze_ * t * mean, 80.0));
    const Rgb through = exp(Rgb{0.62F, 0.85F, 1.25F} * -depth);
    Vec3 level = normalize({ray.x, ray.y, 1e-9});
    level.z = 0.02;
    return c * through + sky_.radiance(level) * (Rgb{1, 1, 1} - through);
  }

  /// Part of the sun that is not behind the horizon.
  float sunlit(double x, double y) const {
    constexpr float kRadius = 0.012F;
    const float horizon = std::atan(bilinear(terrain_.sun_horizon, x, y));
    return smoothstep(-kRadius, kRadius, sun_elevation_ - horizon);
  }

  Gradient slope_at(double x, double y) const {
    const int x0 = std::min(std::max(static_cast<int>(x), 0), terrain_.width - 2);
    const int y0 = std::min(std::max(static_cast<int>(y), 0), terrain_.height - 2);
    const float u = saturate(static_cast<float>(x - x0));
    const float v = saturate(static_cast<float>(y - y0));
    const Gradient* n = terrain_.gradient.row(y0) + x0;
    const Gradient* s = terrain_.gradient.row(y0 + 1) + x0;
    return {lerp(lerp(n[0].east, n[1].east, u), lerp(s[0].east, s[1].east, u), v),
            lerp(lerp(n[0].south, n[1].south, u), lerp(s[0].south, s[1].south, u), v)};
  }

  /// Sun and sky on a matt face.
  Rgb matt(Rgb albedo, Vec3 normal, float lit, float sky) const {
    const auto cosine = static_cast<float>(std::max(dot(normal, sky_.sun()), 0.0));
    const auto up = static_cast<float>(0.5 + 0.5 * normal.z);
    const Rgb bounce = (sun_ * static_cast<float>(sky_.sun().z) + ambient_) * Rgb{0.16F, 0.14F, 0.11F} * (1 - sky * up);
    return albedo * (sun_ * (lit * cosine) + ambient_ * (sky * up) + bounce) * (1 / kPi);
  }

  Rgb surface(Vec3 p, Vec3 ray, double t, bool reflections) const {
    GroundPoint g;
    g.x = std::min(std::max(p.x / terrain_.cell_x, 0.0), terrain_.width - 1.0);
    g.y = std::min(std::max(p.y / terrain_.cell_y, 0.0), terrain_.height - 1.0);
    g.z = static_cast<float>(p.z);
    g.slope = slope_at(g.x, g.y);
    g.footprint = static_cast<float>(t * pixel_ / std::min(terrain_.cell_x, terrain_.cell_y)) * 1.5F;
    const float lit = sunlit(g.x, g.y);
    const float open = bilinear(terrain_.sky, g.x / terrain_.sky_step, g.y / terrain_.sky_step);
    const float sky = open * std::sqrt(open);  // stronger than it is, so that valleys read at a distance
    const float depth = terrain_.depth.empty() ? -1.0F : bilinear(terrain_.depth, g.x, g.y);
    if (depth > 0) return water(p, ray, t, depth, lit, sky, reflections);
    const Gradient rough = material_.roughness(g);
    const Vec3 normal = normalize({-(g.slope.east + rough.east), -(g.slope.south + rough.south), 1});
    return matt(material_.albedo(g), normal, lit, sky);
  }

  Rgb wall(Vec3 p, Vec3 normal) const {
    const double x = p.x / terrain_.cell_x;
    const double y = p.y / terrain_.cell_y;
    const float top = bilinear(terrain_.surface, x, y);
    const double depth = std::isfinite(top) ? std::max(top - p.z, 0.0) : 0.0;
    const double along = normal.x != 0 ? p.y : p.x;
    // Cut edges are an exhibit, not nature: a good part of the sun even on the side that it does not reach.
    const Rgb earth = material_.section(along, p.z, depth);
    return matt(earth, normal, 0.7F, 1) + earth * (sun_ * (0.22F / kPi));
  }

  /// Open sea beyond the land: as deep as at its border, then deeper.
  Rgb sea_outside(Vec3 p, Vec3 ray, double t) const {
    const float deep = 4 / water_scale_;
    float depth = deep;
    if (!terrain_.depth.empty()) {
      const double cx = std::min(std::max(p.x, 0.0), terrain_.extent_x());
      const double cy = std::min(std::max(p.y, 0.0), terrain_.extent_y());
      const double away = std::sqrt((p.x - cx) * (p.x - cx) + (p.y - cy) * (p.y - cy)) / terrain_.extent();
      const float edge = bilinear(terrain_.depth, cx / terrain_.cell_x, cy / terrain_.cell_y);
      if (edge > 0) depth = lerp(std::min(edge, deep), deep, smoothstep(0, 0.04F, static_cast<float>(away)));
    }
    return water(p, ray, t, depth, 1, 1, true);
  }

  /// Slopes of waves: ripples that fade where a pixel is larger than they are.
  Gradient waves(Vec3 p, double t) const {
    Gradient g;
    const double size = t * pixel_;
    double wavelength = 0.004 * terrain_.extent();
    float amplitude = 0.012F;
    double x = p.x;
    double y = p.y;
    for (std::uint32_t o = 0; o < 5; ++o, wavelength *= 0.47) {
      const float keep = 1 - smoothstep(0.12F, 0.4F, static_cast<float>(size / wavelength));
      if (keep <= 0) break;
      // Each octave turned by about 37 degrees, so that no lattice shows.
      const double turned = 0.8 * x - 0.6 * y;
      y = 0.6 * x + 0.8 * y;
      x = turned;
      g.east += keep * amplitude * value_noise(x / wavelength, y / wavelength, 101 + o);
      g.south += keep * amplitude * value_noise(x / wavelength, y / wavelength, 121 + o);
    }
    return g;
  }

  Rgb water(Vec3 p, Vec3 ray, double t, float depth, float lit, float sky, bool reflections) const {
    const Gradient w = waves(p, t);
    const Vec3 normal = normalize({-w.east, -w.south, 1});
    const double facing = std::max(-dot(normal, ray), 0.02);
    const auto grazing = static_cast<float>(1 - facing);
    // Rough water far away shows its slopes: less mirror at the horizon than a calm pool.
    const float mirror = 0.02F + 0.68F * grazing * grazing * grazing * grazing * grazing;
    Vec3 out = ray + normal * (2 * facing);
    out.z = std::max(out.z, 0.01);
    out = normalize(out);
    Rgb reflected = sky_.radiance(out);
    if (reflections && !terrain_.empty()) {
      const Hit hit = trace(terrain_, p + Vec3{0, 0, 1e-5 * terrain_.extent()}, out, 4 * terrain_.extent());
      if (hit.kind == HitKind::surface) reflected = surface(p + out * hit.t, out, t + hit.t, false);
    }
    // Sun on the facets (Blinn-Phong lobe, normalised).
    const Vec3 half = normalize(sky_.sun() - ray);
    const double glint = std::pow(std::max(dot(normal, half), 0.0), 180.0) * (180.0 + 8) / (8 * 3.14159265);
    const Rgb sun = sun_ * static_cast<float>(std::min(glint * std::max(sky_.sun().z, 0.0), 6.0) * 0.06) * lit;
    float d = std::min(depth * water_scale_, 1e6F);
    // Streams are too shallow to hide their beds, yet from afar they read as water: they count as deeper than they are.
    const bool inland = !terrain_.has_sea || p.z > terrain_.sea + 1e-4 * terrain_.extent();
    if (inland) d += 0.5F * saturate(100 * d);
    const Rgb through = exp(Rgb{2.4F, 0.85F, 0.55F} * (-1.6F * d));
    const Rgb bottom = mix({0.16F, 0.145F, 0.10F}, {0.26F, 0.24F, 0.17F}, saturate(3 * d));
    const Rgb deep{0.006F, 0.026F, 0.042F};
    const Rgb body = matt(bottom * through + deep * (Rgb{1, 1, 1} - through), {0, 0, 1}, 0.25F + 0.75F * lit, sky);
    const float shore = smoothstep(0, 0.12F, d);
    return body * (1 - mirror * shore) + reflected * (mirror * shore) + sun * shore;
  }

  const Terrain& terrain_;
  Sky sky_;
  Material material_;
  const View& view_;
  double pixel_;  // width of a pixel at distance 1
  float sun_elevation_ = 0;
  Rgb sun_;
  Rgb ambient_;
  float exposure_ = 1;
  double haze_ = 0;  // 1/m
  double haze_height_ = 1;
  float water_scale_ = 1;
  double tilt_ = 0;
};

/// Noise of half a step either way, so that smooth gradients do not show steps of 1/255.
std::uint8_t quantise(float linear, std::uint64_t place) {
  const float noise = static_cast<float>(unit_double(mix64(place))) - 0.5F;
  const float v = to_srgb255(linear) + noise;
  return static_cast<std::uint8_t>(std::min(std::max(std::lround(v), 0L), 255L));
}

}  // namespace

Image perspective(const Scene& scene, const PerspectiveParams& params, const Exec& exec) {
  Image image;
  image.width = std::max(params.width, 0);
  image.height = std::max(params.height, 0);
  image.rgb.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
  if (image.rgb.empty()) return image;
  const int target = std::min(std::max(2 * image.width, 256), 8192);
  const Terrain terrain = make_terrain(scene, params.exaggeration, target, params.light, exec);
  const View view = make_view(terrain, params);
  const Shader shader(scene, terrain, view, params);
  // Rotated grid of four samples: near-horizontal and near-vertical edges get four steps each.
  constexpr double kSamples[4][2] = {{0.125, 0.625}, {0.375, 0.125}, {0.625, 0.875}, {0.875, 0.375}};
  parallel_for(exec, 0, image.height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y)
      for (int x = 0; x < image.width; ++x) {
        Rgb sum;
        for (const auto& s : kSamples)
          sum = sum +
                shader.pixel(2 * (x + s[0]) / image.width - 1, 1 - 2 * (static_cast<double>(y) + s[1]) / image.height);
        sum = sum * 0.25F;
        const std::int64_t i = (y * image.width + x) * 3;
        std::uint8_t* out = &image.rgb[static_cast<std::size_t>(i)];
        out[0] = quantise(sum.r, static_cast<std::uint64_t>(i));
        out[1] = quantise(sum.g, static_cast<std::uint64_t>(i) + 1);
        out[2] = quantise(sum.b, static_cast<std::uint64_t>(i) + 2);
      }
  });
  return image;
}

}  // namespace thalweg::render
