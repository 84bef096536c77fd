#include "thalweg/render/ramp.h"

#include <array>
#include <charconv>
#include <cmath>

#include "thalweg/render/material.h"

namespace thalweg::render {
namespace {

Rgb from_stops(const std::array<Rgb, 6>& stops, float t) {
  const float s = saturate(t) * 5;
  const int i = std::min(static_cast<int>(s), 4);
  return mix(stops[static_cast<std::size_t>(i)], stops[static_cast<std::size_t>(i) + 1], s - static_cast<float>(i));
}

/// Shortest text with `decimals` digits after the point; powers of ten from a million on as 1e6.
std::string label(double value, int decimals, double step) {
  std::array<char, 64> text{};
  const bool large = std::fabs(value) >= 1e6 || (value != 0 && step < 1e-4);
  const auto end =
      large ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4)
            : std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  std::string s(text.data(), end.ptr);
  if (const auto plus = s.find("e+0"); plus != std::string::npos)
    s.erase(plus + 1, 2);
  else if (const auto sign = s.find("e+"); sign != std::string::npos)
    s.erase(sign + 1, 1);
  else if (const auto minus = s.find("e-0"); minus != std::string::npos)
    s.erase(minus + 2, 1);
  return s;
}

std::vector<Tick> log_ticks(double low, double high, int wanted) {
  std::vector<Tick> ticks;
  const double from = std::log10(low);
  const double to = std::log10(high);
  const int every = std::max(1, static_cast<int>(std::ceil((to - from) / wanted)));
  for (int k = static_cast<int>(std::ceil(from - 1e-9)); k <= to + 1e-9; ++k) {
    if (k % every != 0) continue;
    const double v = std::pow(10.0, k);
    ticks.push_back({v, (k - from) / (to - from), label(v, std::max(-k, 0), v)});
  }
  return ticks;
}

}  // namespace

Rgb even_ramp(float t) {
  t = saturate(t);
  const float lightness = 0.26F + 0.66F * t;
  // As colourful as sRGB allows without clipping anywhere, which would bend the lightness.
  const float chroma = 0.10F - 0.06F * t * (1 - t) + 0.05F * t * t;
  const float hue = 5.20F - 3.28F * t - 0.10F * t * (1 - t);  // radians: violet to yellow
  const float a = chroma * std::cos(hue);
  const float b = chroma * std::sin(hue);
  const auto cube = [](float v) { return v * v * v; };
  const float l = cube(lightness + 0.3963377774F * a + 0.2158037573F * b);
  const float m = cube(lightness - 0.1055613458F * a - 0.0638541728F * b);
  const float s = cube(lightness - 0.0894841775F * a - 1.2914855480F * b);
  return {to_srgb255(4.0767416621F * l - 3.3077115913F * m + 0.2309699292F * s),
          to_srgb255(-1.2684380046F * l + 2.6097574011F * m - 0.3413193965F * s),
          to_srgb255(-0.0041960863F * l - 0.7034186147F * m + 1.7076147010F * s)};
}

Rgb height_tint(float t) {
  static constexpr std::array<Rgb, 6> kStops{
      {{134, 166, 110}, {178, 192, 136}, {222, 210, 160}, {204, 174, 130}, {178, 152, 130}, {248, 246, 244}}};
  return from_stops(kStops, t);
}

Rgb water_tint(float t) {
  static constexpr std::array<Rgb, 6> kStops{
      {{168, 205, 222}, {140, 186, 212}, {112, 164, 200}, {88, 142, 186}, {66, 118, 166}, {48, 94, 142}}};
  return from_stops(kStops, t);
}

Colour to_colour(Rgb c) {
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(std::min(std::max(v, 0.0F), 255.0F))); };
  return {byte(c.r), byte(c.g), byte(c.b)};
}

std::vector<Tick> nice_ticks(double low, double high, bool logarithmic, int wanted) {
  if (!(high > low) || !std::isfinite(high - low)) return {};
  if (logarithmic && low > 0) {
    std::vector<Tick> ticks = log_ticks(low, high, wanted);
    if (ticks.size() >= 2) return ticks;
    // Less than two decades: plain numbers, placed by their logarithm.
    ticks = nice_ticks(low, high, false, wanted);
    for (Tick& t : ticks) t.at = std::log(t.value / low) / std::log(high / low);
    return ticks;
  }
  const double raw = (high - low) / std::max(wanted, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double step = raw / power <= 1   ? power
                      : raw / power <= 2 ? 2 * power
                      : raw / power <= 5 ? 5 * power
                                         : 10 * power;
  const int decimals = std::min(std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))), 12);
  std::vector<Tick> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < 4 * wanted + 4; ++i) {
    const double v = (first + i) * step;
    if (v > high + 1e-9 * step) break;
    ticks.push_back({v, (v - low) / (high - low), label(v == 0 ? 0 : v, decimals, step)});
  }
  return ticks;
}

}  // namespace thalweg::render
