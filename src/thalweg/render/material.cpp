#include "thalweg/render/material.h"

#include <array>
#include <cmath>

#include "thalweg/core/random.h"

namespace thalweg::render {
namespace {

constexpr Rgb kRock{0.150F, 0.128F, 0.106F};
constexpr Rgb kSnow{0.86F, 0.89F, 0.93F};

float lattice(std::int64_t x, std::int64_t y, std::uint32_t seed) {
  const auto h =
      mix32(mix32(static_cast<std::uint32_t>(x) * 0x9E3779B1U + seed) ^ (static_cast<std::uint32_t>(y) * 0x85EBCA77U));
  return static_cast<float>(h >> 8) * (2.0F / 16777216.0F) - 1.0F;
}

float luminance_of_table(int byte) {
  const float v = static_cast<float>(byte) / 255.0F;
  return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

Rgb from_srgb(const std::array<std::uint8_t, 3>& c) {
  return {luminance_of_table(c[0]), luminance_of_table(c[1]), luminance_of_table(c[2])};
}

float to_srgb255(float v) {
  v = saturate(v);
  return 255.0F * (v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1.0F / 2.4F) - 0.055F);
}

float value_noise(double x, double y, std::uint32_t seed) {
  const double fx = std::floor(x);
  const double fy = std::floor(y);
  const auto ix = static_cast<std::int64_t>(fx);
  const auto iy = static_cast<std::int64_t>(fy);
  const auto fade = [](float t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  const float u = fade(static_cast<float>(x - fx));
  const float v = fade(static_cast<float>(y - fy));
  return lerp(lerp(lattice(ix, iy, seed), lattice(ix + 1, iy, seed), u),
              lerp(lattice(ix, iy + 1, seed), lattice(ix + 1, iy + 1, seed), u), v);
}

Material::Material(const Scene& scene, const Terrain& terrain) : terrain_(terrain), ground_(scene.ground) {
  for (const auto& c : scene.ground_colours) colours_.push_back(from_srgb(c));
  if (colours_.empty()) ground_ = {};
  relief_ = static_cast<float>(std::max(terrain.high - terrain.low, 1e-6));
  const double snow_m = std::max(2800.0, terrain.base_m + 0.55 * relief_ / terrain.exaggeration);
  snow_line_ = static_cast<float>((snow_m - terrain.base_m) * terrain.exaggeration);
}

Rgb Material::class_colour(const GroundPoint& p, float wander_x, float wander_y) const {
  // Classes blend over about one source cell, along a border that wanders a little.
  const double sx = std::min(std::max(p.x * terrain_.source_scale + wander_x, 0.0), ground_.width() - 1.0);
  const double sy = std::min(std::max(p.y * terrain_.source_scale + wander_y, 0.0), ground_.height() - 1.0);
  const int x0 = static_cast<int>(sx);
  const int y0 = static_cast<int>(sy);
  const int x1 = std::min(x0 + 1, ground_.width() - 1);
  const int y1 = std::min(y0 + 1, ground_.height() - 1);
  const auto at = [&](int x, int y) {
    const std::size_t i = ground_(x, y);
    return i < colours_.size() ? colours_[i] : kRock;
  };
  const float u = smoothstep(0, 1, static_cast<float>(sx - x0));
  const float v = smoothstep(0, 1, static_cast<float>(sy - y0));
  return mix(mix(at(x0, y0), at(x1, y0), u), mix(at(x0, y1), at(x1, y1), u), v);
}

Rgb Material::natural_colour(const GroundPoint& p, float noise, float steep) const {
  struct Stop {
    float at;
    Rgb colour;
  };
  // From the lowest ground to the highest: meadow, forest, heath, scree.
  static constexpr std::array<Stop, 5> kStops{{{0.0F, {0.140F, 0.150F, 0.052F}},
                                               {0.15F, {0.070F, 0.098F, 0.028F}},
                                               {0.42F, {0.075F, 0.090F, 0.032F}},
                                               {0.68F, {0.170F, 0.135F, 0.075F}},
                                               {1.0F, {0.210F, 0.170F, 0.125F}}}};
  const float low =
      terrain_.has_sea ? static_cast<float>(std::max(terrain_.sea, terrain_.low)) : static_cast<float>(terrain_.low);
  const float reach = std::max(static_cast<float>(terrain_.high) - low, 1e-6F);
  const float e = saturate((p.z - low) / reach + 0.09F * noise);
  Rgb c = kStops.back().colour;
  for (std::size_t i = 1; i < kStops.size(); ++i)
    if (e < kStops[i].at) {
      c = mix(kStops[i - 1].colour, kStops[i].colour, (e - kStops[i - 1].at) / (kStops[i].at - kStops[i - 1].at));
      break;
    }
  const float band = value_noise(p.z / relief_ * 38 + 0.6 * noise, 0.37, 91);
  const Rgb rock = kRock * (1 + 0.22F * band);
  c = mix(c, rock, smoothstep(0.58F, 1.05F, steep + 0.12F * noise));
  const float snow = (p.z - snow_line_) / (0.10F * relief_) + 1.3F * noise - 3.2F * std::max(steep - 0.6F, 0.0F);
  return mix(c, kSnow, smoothstep(-0.4F, 0.5F, snow));
}

Rgb Material::albedo(const GroundPoint& p) const {
  const auto e = static_cast<float>(terrain_.exaggeration);
  const float steep = std::sqrt(p.slope.east * p.slope.east + p.slope.south * p.slope.south) / e;
  // Octaves from patches of many source cells down to the pixel; those finer than a pixel are left out.
  const double s = terrain_.source_scale;
  float broad = 0;
  float fine = 0;
  double wavelength = 40;  // source cells
  for (std::uint32_t o = 0; o < 10; ++o, wavelength *= 0.42) {
    const float keep = 1 - smoothstep(0.25F, 0.6F, p.footprint * static_cast<float>(s / wavelength));
    if (keep <= 0) break;
    const float n = keep * value_noise(p.x * s / wavelength, p.y * s / wavelength, 11 + o);
    if (o < 3) broad += 0.5F * n;
    if (o >= 2) fine += 0.42F * n;
  }
  if (!terrain_.bridged.empty()) {
    const float bridged = bilinear(terrain_.bridged, p.x, p.y);
    if (bridged > 0.5F) return Rgb{0.30F, 0.30F, 0.30F} * (1 + 0.06F * broad);
  }
  if (!ground_.empty()) {
    Rgb c = class_colour(p, 0.8F * fine + 0.6F * broad, 0.8F * broad - 0.6F * fine);
    c = mix(c, mix(c, kRock, 0.8F), smoothstep(0.75F, 1.4F, steep + 0.1F * fine));
    return c * (1 + 0.10F * broad + 0.14F * fine);
  }
  return natural_colour(p, 0.9F * broad + 0.5F * fine, steep) * (1 + 0.16F * broad + 0.16F * fine);
}

Gradient Material::roughness(const GroundPoint& p) const {
  const float steep = std::sqrt(p.slope.east * p.slope.east + p.slope.south * p.slope.south);
  const double s = terrain_.source_scale;
  Gradient g;
  double wavelength = 1.6;  // source cells
  float amplitude = 0.05F + 0.15F * std::min(steep, 1.0F);
  for (std::uint32_t o = 0; o < 7; ++o, wavelength *= 0.45) {
    const float keep = 1 - smoothstep(0.2F, 0.5F, p.footprint * static_cast<float>(s / wavelength));
    if (keep <= 0) break;
    g.east += amplitude * keep * value_noise(p.x * s / wavelength, p.y * s / wavelength, 31 + o);
    g.south += amplitude * keep * value_noise(p.x * s / wavelength, p.y * s / wavelength, 51 + o);
  }
  return g;
}

Rgb Material::section(double along, double z, double depth) const {
  const double scale = 0.02 * terrain_.extent();
  const double fold =
      0.35 * value_noise(along / (6 * scale), 0.5, 71) + 0.12 * value_noise(along / (1.7 * scale), 1.5, 72);
  const float layer = value_noise(z / scale * 1.3 + fold, 0.21, 73);
  const float thin = value_noise(z / scale * 5.0 + fold, 0.21, 74);
  const Rgb earth =
      mix({0.150F, 0.110F, 0.078F}, {0.235F, 0.185F, 0.135F}, saturate(0.5F + 0.5F * layer + 0.15F * thin));
  const Rgb soil{0.060F, 0.042F, 0.028F};
  return mix(soil, earth, smoothstep(0.0F, 1.0F, static_cast<float>(depth / (0.22 * scale))));
}

}  // namespace thalweg::render
