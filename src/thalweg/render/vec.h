// Small vectors of the renderer.
#pragma once

#include <algorithm>
#include <cmath>

namespace thalweg::render {

/// A colour (linear sRGB primaries) or a spectrum in three bands.
struct Rgb {
  float r = 0;
  float g = 0;
  float b = 0;
};
inline Rgb operator+(Rgb a, Rgb b) {
  return {a.r + b.r, a.g + b.g, a.b + b.b};
}
inline Rgb operator-(Rgb a, Rgb b) {
  return {a.r - b.r, a.g - b.g, a.b - b.b};
}
inline Rgb operator*(Rgb a, Rgb b) {
  return {a.r * b.r, a.g * b.g, a.b * b.b};
}
inline Rgb operator*(Rgb a, float s) {
  return {a.r * s, a.g * s, a.b * s};
}
inline Rgb mix(Rgb a, Rgb b, float t) {
  return a + (b - a) * t;
}
inline Rgb exp(Rgb a) {
  return {std::exp(a.r), std::exp(a.g), std::exp(a.b)};
}
inline float luminance(Rgb a) {
  return 0.2126F * a.r + 0.7152F * a.g + 0.0722F * a.b;
}

/// A place or direction: x east, y south, z up, metres.
struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
};
inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator*(Vec3 a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
inline double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 normalize(Vec3 a) {
  return a * (1 / std::sqrt(dot(a, a)));
}

inline float lerp(float a, float b, float t) {
  return a + (b - a) * t;
}
inline float saturate(float v) {
  return v < 0 ? 0 : v > 1 ? 1 : v;
}
/// 0 below `from`, 1 above `to`, smooth between.
inline float smoothstep(float from, float to, float v) {
  const float t = saturate((v - from) / (to - from));
  return t * t * (3 - 2 * t);
}
inline double radians(double degrees) {
  return degrees * 0.017453292519943295;
}
/// Unit vector toward an azimuth (clockwise from north) and elevation.
inline Vec3 direction(double azimuth_deg, double elevation_deg) {
  const double c = std::cos(radians(elevation_deg));
  return {std::sin(radians(azimuth_deg)) * c, -std::cos(radians(azimuth_deg)) * c, std::sin(radians(elevation_deg))};
}

}  // namespace thalweg::render
