#include "thalweg/render/sky.h"

#include <cmath>

namespace thalweg::render {
namespace {

constexpr double kPi = 3.14159265358979;
constexpr double kEarth = 6360e3;
constexpr double kTop = 6420e3;
constexpr double kAirScale = 8000;  // m, scale heights
constexpr double kHazeScale = 1200;
constexpr Rgb kAir{5.8e-6F, 13.5e-6F, 33.1e-6F};      // scattering per metre at sea level
constexpr Rgb kOzone{0.65e-6F, 1.88e-6F, 0.085e-6F};  // absorption at its layer
constexpr float kHaze = 5e-6F;
constexpr double kEye = 400;  // m above sea level

/// Distance from radius r, direction with cosine mu to the zenith, to the top of the atmosphere.
double to_top(double r, double mu) {
  return -r * mu + std::sqrt(std::max(0.0, r * r * (mu * mu - 1) + kTop * kTop));
}

struct Column {
  double air = 0;
  double haze = 0;
  double ozone = 0;
};
double ozone_at(double h) {
  return std::max(0.0, 1 - std::fabs(h - 25e3) / 15e3);
}
Column column(double r, double mu, double length, int steps) {
  Column c;
  for (int i = 0; i < steps; ++i) {
    const double s = length * (i + 0.5) / steps;
    const double h = std::max(0.0, std::sqrt(r * r + s * s + 2 * r * s * mu) - kEarth);
    const double ds = length / steps;
    c.air += std::exp(-h / kAirScale) * ds;
    c.haze += std::exp(-h / kHazeScale) * ds;
    c.ozone += ozone_at(h) * ds;
  }
  return c;
}
Rgb transmittance(const Column& c) {
  const float haze = 1.1F * kHaze * static_cast<float>(c.haze);
  return exp((kAir * static_cast<float>(c.air) + kOzone * static_cast<float>(c.ozone) + Rgb{haze, haze, haze}) * -1);
}

/// Henyey-Greenstein.
double haze_phase(double cosine) {
  constexpr double g = 0.76;
  return (1 - g * g) / (4 * kPi * std::pow(1 + g * g - 2 * g * cosine, 1.5));
}

}  // namespace

Sky::Sky(Vec3 sun) : sun_(sun), table_(static_cast<std::size_t>(kElevations * kAzimuths)) {
  const double level = std::sqrt(sun.x * sun.x + sun.y * sun.y);
  if (level > 1e-9) {
    sun_x_ = sun.x / level;
    sun_y_ = sun.y / level;
  }
  const double r = kEarth + kEye;
  sunlight_ = transmittance(column(r, sun.z, to_top(r, sun.z), 40));
  // Once with single scattering only, to learn how much light there is to be scattered again.
  fill_table({});
  fill_table(ambient_ * static_cast<float>(1 / kPi));
}

void Sky::fill_table(Rgb many) {
  const double level = std::sqrt(std::max(0.0, 1 - sun_.z * sun_.z));
  Rgb sum;
  double weight = 0;
  for (int e = 0; e < kElevations; ++e) {
    const double f = static_cast<double>(e) / (kElevations - 1);
    const double sine = std::sin(0.5 * kPi * f * f);
    const double cosine = std::sqrt(std::max(0.0, 1 - sine * sine));
    for (int a = 0; a < kAzimuths; ++a) {
      const double azimuth = kPi * a / (kAzimuths - 1);
      const Rgb l = scatter(sine, sine * sun_.z + cosine * level * std::cos(azimuth), many);
      table_[static_cast<std::size_t>(e * kAzimuths + a)] = l;
      const double w = cosine * sine * f;  // solid angle times cosine; d elevation ~ f df
      sum = sum + l * static_cast<float>(w);
      weight += w;
    }
  }
  ambient_ = sum * static_cast<float>(kPi / weight);
}

Rgb Sky::scatter(double sine, double cosine, Rgb many) const {
  constexpr int kSteps = 24;
  const double r = kEarth + kEye;
  const double length = to_top(r, sine);
  const double air_phase = 3 / (16 * kPi) * (1 + cosine * cosine);
  const double mie_phase = haze_phase(cosine);
  Column seen;
  Rgb light;
  double from = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double f = (i + 1.0) / kSteps;
    const double to = length * f * f;
    const double s = 0.5 * (from + to);
    const double ds = to - from;
    from = to;
    const double rs = std::sqrt(r * r + s * s + 2 * r * s * sine);
    const double h = std::max(0.0, rs - kEarth);
    const double air = std::exp(-h / kAirScale) * ds;
    const double haze = std::exp(-h / kHazeScale) * ds;
    Column half = seen;
    half.air += 0.5 * air;
    half.haze += 0.5 * haze;
    half.ozone += 0.5 * ozone_at(h) * ds;
    seen.air += air;
    seen.haze += haze;
    seen.ozone += ozone_at(h) * ds;
    // Cosine of the sun's zenith angle at the point; the curve of the earth matters little but at the horizon.
    const double mu = std::min(1.0, std::max(0.02, (r * sun_.z + s * cosine) / rs));
    const Rgb sun = transmittance(column(rs, mu, to_top(rs, mu), 8));
    const Rgb view = transmittance(half);
    const Rgb air_s = kAir * static_cast<float>(air);
    const float haze_s = kHaze * static_cast<float>(haze);
    const Rgb once = air_s * static_cast<float>(air_phase) + Rgb{1, 1, 1} * (haze_s * static_cast<float>(mie_phase));
    const Rgb again = (air_s + Rgb{haze_s, haze_s, haze_s}) * many;
    light = light + view * (sun * once + again);
  }
  return light;
}

Rgb Sky::radiance(Vec3 d) const {
  const double level = std::sqrt(d.x * d.x + d.y * d.y);
  const double elevation = std::asin(std::min(1.0, std::max(0.0, d.z)));
  const double cosine = level > 1e-9 ? (d.x * sun_x_ + d.y * sun_y_) / level : 1;
  const double e = std::sqrt(elevation / (0.5 * kPi)) * (kElevations - 1);
  const double a = std::acos(std::min(1.0, std::max(-1.0, cosine))) / kPi * (kAzimuths - 1);
  const int e0 = std::min(static_cast<int>(e), kElevations - 2);
  const int a0 = std::min(static_cast<int>(a), kAzimuths - 2);
  const auto fe = static_cast<float>(e - e0);
  const auto fa = static_cast<float>(a - a0);
  const Rgb* low = &table_[static_cast<std::size_t>(e0 * kAzimuths + a0)];
  const Rgb* high = low + kAzimuths;
  return mix(mix(low[0], low[1], fa), mix(high[0], high[1], fa), fe);
}

Rgb Sky::disc(Vec3 d) const {
  const double cosine = dot(d, sun_);
  return sunlight_ * (40 * smoothstep(0.99995F, 0.99998F, static_cast<float>(cosine)));
}

}  // namespace thalweg::render
