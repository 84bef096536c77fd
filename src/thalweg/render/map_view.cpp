#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/render/canvas.h"
#include "thalweg/render/legend.h"
#include "thalweg/render/material.h"
#include "thalweg/render/ramp.h"
#include "thalweg/render/render.h"
#include "thalweg/render/sampling.h"
#include "thalweg/render/vec.h"

namespace thalweg::render {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

struct Range {
  double low = 0;
  double high = 0;
  bool any = false;
};

Rgb srgb_of(Rgb linear) {
  return {to_srgb255(linear.r), to_srgb255(linear.g), to_srgb255(linear.b)};
}

/// Range of the finite values that pass `keep`, without the outermost half per cent on each side where that leaves one.
template <class Keep>
Range value_range(const Grid<float>& g, Keep&& keep) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < g.cells(); ++i)
    if (std::isfinite(g[i]) && keep(g[i])) values.push_back(g[i]);
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t cut = values.size() / 200;
  Range r{values[cut], values[values.size() - 1 - cut], true};
  if (!(r.high > r.low)) r = {values.front(), values.back(), true};
  return r;
}

class Map {
 public:
  Map(const Scene& scene, const MapParams& params, MapSize size, const Exec& exec)
      : scene_(scene), params_(params), size_(size), exec_(exec) {
    height_ = sample_mean(scene.height_m, size.width, size.height, exec);
    build_holes();
    build_water();
    range_ = value_range(height_, [&](float v) { return !scene.sea_level_m || v > *scene.sea_level_m; });
    if (!range_.any) range_ = value_range(height_, [](float) { return true; });
    build_shade();
  }

  const Range& range() const { return range_; }

  /// sRGB 0..255.
  Rgb colour(int x, int y) const {
    const float hole = holes_.empty() ? 0.0F : holes_(x, y);
    Rgb c{232, 231, 228};
    if (hole < 1) {
      c = shaded(base(x, y), shade_(x, y));
      const float wet = water_.empty() ? 0.0F : water_(x, y);
      if (wet > 0) {
        const float relief = static_cast<float>(std::max(range_.high - range_.low, 1.0));
        const float depth = std::sqrt(std::max(depth_(x, y), 0.0F) / (0.25F * relief));
        c = mix(c, shaded(water_tint(depth), lerp(1, shade_(x, y), 0.25F)), wet);
      }
    }
    return hole > 0 ? mix(c, hatch(x, y), hole) : c;
  }

  /// The relief alone, without any tint. sRGB 0..255.
  Rgb grey(int x, int y) const {
    const Rgb c = shaded({224, 224, 223}, lerp(1, shade_(x, y), 0.5F));
    return holes_.empty() ? c : mix(c, hatch(x, y), holes_(x, y));
  }

  /// Brightness by the light: 1 on level ground, 0 away from every light.
  float shade(int x, int y) const { return shade_(x, y); }

 private:
  static Rgb hatch(int x, int y) { return (x + y) % 8 < 2 ? Rgb{188, 187, 184} : Rgb{232, 231, 228}; }

  void build_holes() {
    bool any = false;
    for (int y = 0; y < scene_.height_m.height() && !any; ++y)
      for (int x = 0; x < scene_.height_m.width() && !any; ++x) any = !std::isfinite(scene_.height_m(x, y));
    if (!any) return;
    holes_ = cover([&](int i, int j) { return std::isfinite(scene_.height_m(i, j)) ? 0.0F : 1.0F; });
  }

  /// Weighted mean of a function of the cells under each pixel.
  template <class F>
  Grid<float> cover(F&& f) const {
    const AxisSampling across(scene_.height_m.width(), size_.width);
    const AxisSampling down(scene_.height_m.height(), size_.height);
    Grid<float> out(size_.width, size_.height);
    parallel_for(exec_, 0, size_.height, 4, [&](std::int64_t begin, std::int64_t end) {
      for (int y = static_cast<int>(begin); y < end; ++y)
        for (int x = 0; x < size_.width; ++x) {
          float sum = 0;
          float weight = 0;
          visit_cells(across.span(x), down.span(y), [&](int i, int j, float w) {
            sum += w * f(i, j);
            weight += w;
          });
          out(x, y) = sum / weight;
        }
    });
    return out;
  }

  float depth_at(int i, int j) const {
    const float h = scene_.height_m(i, j);
    if (!std::isfinite(h)) return 0;
    float depth = scene_.water_depth_m.empty() ? 0.0F : scene_.water_depth_m(i, j);
    if (!(depth > 0) || !std::isfinite(depth)) depth = 0;
    if (scene_.sea_level_m && h <= *scene_.sea_level_m)
      depth = std::max(depth, std::max(static_cast<float>(*scene_.sea_level_m - h), 1e-3F));
    return depth;
  }
  void build_water() {
    if (scene_.water_depth_m.empty() && !scene_.sea_level_m) return;
    water_ = cover([&](int i, int j) { return depth_at(i, j) > 0 ? 1.0F : 0.0F; });
    depth_ = cover([&](int i, int j) { return depth_at(i, j); });
  }

  /// Slopes by the four-cell rule on the finer of source and picture, so that enlarged cells show no facets.
  void build_shade() {
    const bool enlarged = size_.width > scene_.height_m.width();
    Grid<float> copy;
    if (enlarged) copy = sample_mean(scene_.height_m, scene_.height_m.width(), scene_.height_m.height(), exec_);
    const Grid<float>& h = enlarged ? copy : height_;
    const double pixel_x = scene_.cell_x_m * scene_.height_m.width() / h.width();
    const double pixel_y = scene_.cell_y_m * scene_.height_m.height() / h.height();
    Grid<float> east(h.width(), h.height());
    Grid<float> south(h.width(), h.height());
    const auto slope = [](float before, float here, float after, double cell) {
      const bool b = std::isfinite(before);
      const bool a = std::isfinite(after);
      const double rise = b && a ? 0.5 * (double{after} - before)
                          : a    ? double{after} - here
                          : b    ? double{here} - before
                                 : 0.0;
      return static_cast<float>(std::isfinite(here) ? rise / cell : 0.0);
    };
    parallel_rows(exec_, h.width(), h.height(), [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < h.width(); ++x) {
          const float here = h(x, y);
          east(x, y) = slope(x > 0 ? h(x - 1, y) : kHole, here, x + 1 < h.width() ? h(x + 1, y) : kHole, pixel_x);
          south(x, y) = slope(y > 0 ? h(x, y - 1) : kHole, here, y + 1 < h.height() ? h(x, y + 1) : kHole, pixel_y);
        }
    });
    if (enlarged) {
      east = sample_mean(GridView<const float>(east), size_.width, size_.height, exec_);
      south = sample_mean(GridView<const float>(south), size_.width, size_.height, exec_);
    }
    light(east, south, exaggeration(east, south));
  }

  double exaggeration(const Grid<float>& east, const Grid<float>& south) const {
    if (params_.exaggeration > 0) return params_.exaggeration;
    double sum = 0;
    double count = 0;
    for (std::int64_t i = 0; i < east.cells(); ++i) {
      if (!water_.empty() && water_[i] > 0.5F) continue;
      const double slope = std::sqrt(double{east[i]} * east[i] + double{south[i]} * south[i]);
      if (!std::isfinite(slope)) continue;
      sum += slope;
      count += 1;
    }
    return sum > 0 ? std::min(std::max(0.33 * count / sum, 0.2), 60.0) : 1;
  }

  /// Main light, two to its sides and one from above: no ridge vanishes because it runs along the light.
  void light(const Grid<float>& east, const Grid<float>& south, double exaggeration) {
    shade_ = Grid<float>(size_.width, size_.height);
    const double elevation = std::min(std::max(params_.light.elevation_deg, 5.0), 90.0);
    constexpr double kTurn[4] = {0, -65, 65, 0};
    constexpr double kWeight[4] = {0.56, 0.17, 0.17, 0.10};
    Vec3 lights[4];
    double level = 0;
    for (int i = 0; i < 4; ++i) {
      lights[i] = i < 3 ? direction(params_.light.azimuth_deg + kTurn[i], elevation) : Vec3{0, 0, 1};
      level += kWeight[i] * lights[i].z;
    }
    parallel_rows(exec_, size_.width, size_.height, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < size_.width; ++x) {
          const auto limit = [&](float s) { return std::min(std::max(s * exaggeration, -1e6), 1e6); };
          const Vec3 n = normalize({-limit(east(x, y)), -limit(south(x, y)), 1});
          double sum = 0;
          for (int i = 0; i < 4; ++i) sum += kWeight[i] * std::max(dot(n, lights[i]), 0.0);
          shade_(x, y) = static_cast<float>(sum / level);
        }
    });
  }

  static Rgb shaded(Rgb c, float shade) {
    // Below 1 darker and a little bluer, above 1 toward white.
    if (shade <= 1) {
      const float s = 1 - shade;
      return {c.r * (1 - 0.92F * s), c.g * (1 - 0.89F * s), c.b * (1 - 0.80F * s)};
    }
    return mix(c, {255, 253, 246}, saturate(0.9F * (shade - 1)));
  }

  Rgb base(int x, int y) const {
    if (!scene_.ground.empty() && !scene_.ground_colours.empty()) return ground(x, y);
    const double reach = range_.high - range_.low;
    const float h = height_(x, y);
    return height_tint(reach > 0 && std::isfinite(h) ? static_cast<float>((h - range_.low) / reach) : 0.3F);
  }
  Rgb ground(int x, int y) const {
    const AxisSampling across(scene_.ground.width(), size_.width);
    const AxisSampling down(scene_.ground.height(), size_.height);
    Rgb sum;
    float weight = 0;
    visit_cells(across.span(x), down.span(y), [&](int i, int j, float w) {
      const std::size_t k = scene_.ground(i, j);
      sum = sum + (k < scene_.ground_colours.size() ? from_srgb(scene_.ground_colours[k]) : Rgb{0.2F, 0.2F, 0.2F}) * w;
      weight += w;
    });
    return srgb_of(sum * (1 / weight));
  }

  const Scene& scene_;
  const MapParams& params_;
  MapSize size_;
  const Exec& exec_;
  Grid<float> height_;
  Grid<float> holes_;  // part of a pixel without data; empty: none
  Grid<float> water_;  // part under water; empty: none
  Grid<float> depth_;
  Grid<float> shade_;  // 1 on level ground
  Range range_;
};

/// An overlay at the picture's resolution.
class Layer {
 public:
  Layer(const Overlay& overlay, MapSize size, const Exec& exec) : overlay_(overlay) {
    if (overlay.values.empty()) return;
    values_ = sample_mean(overlay.values, size.width, size.height, exec);
    range_ = value_range(values_, [&](float v) { return !overlay.logarithmic || v > 0; });
  }

  /// The layer over the map, sRGB 0..255.
  Rgb over(const Map& map, int x, int y, MapSize size) const {
    return values_.empty() ? classes(map.colour(x, y), x, y, size) : field(map, x, y);
  }

  Legend legend() const {
    Legend legend = texts(overlay_);
    if (values_.empty()) return legend;
    legend.ramp = even_ramp;
    legend.ticks = nice_ticks(range_.low, range_.high, overlay_.logarithmic, 6);
    return legend;
  }

  /// What is known of the legend before the values are: its title and the names of classes.
  static Legend texts(const Overlay& overlay) {
    Legend legend;
    legend.title = overlay.title;
    if (!overlay.values.empty()) return legend;
    for (std::size_t i = 0; i < overlay.class_colours.size(); ++i)
      if (i < overlay.class_names.size() && !overlay.class_names[i].empty())
        legend.entries.push_back({overlay.class_colours[i], overlay.class_names[i]});
    return legend;
  }

 private:
  /// The colour of the legend times a gentle shade. One factor for all channels, and none of them beyond white, keeps
  /// the hue, so that a value is found in the legend again.
  Rgb field(const Map& map, int x, int y) const {
    const float v = values_(x, y);
    if (!std::isfinite(v) || (overlay_.logarithmic && !(v > 0))) return map.grey(x, y);
    const Rgb c = even_ramp(position(v));
    const float most = std::min(1.08F, 255 / std::max({c.r, c.g, c.b, 1.0F}));
    return c * std::min(std::max(1 + 0.25F * (map.shade(x, y) - 1), 0.75F), most);
  }

  Rgb classes(Rgb under, int x, int y, MapSize size) const {
    if (overlay_.classes.empty()) return under;
    const auto opacity = static_cast<float>(std::min(std::max(overlay_.opacity, 0.0), 1.0));
    const AxisSampling across(overlay_.classes.width(), size.width);
    const AxisSampling down(overlay_.classes.height(), size.height);
    Rgb sum;
    float weight = 0;
    float known = 0;
    visit_cells(across.span(x), down.span(y), [&](int i, int j, float w) {
      weight += w;
      const std::size_t k = overlay_.classes(i, j);
      if (k >= overlay_.class_colours.size()) return;
      sum = sum + from_srgb(overlay_.class_colours[k]) * w;
      known += w;
    });
    if (!(known > 0)) return under;
    return mix(under, lit(srgb_of(sum * (1 / known)), under), opacity * known / weight);
  }

  float position(double v) const {
    if (!(range_.high > range_.low)) return 0.5F;
    if (overlay_.logarithmic) return static_cast<float>(std::log(v / range_.low) / std::log(range_.high / range_.low));
    return static_cast<float>((v - range_.low) / (range_.high - range_.low));
  }
  /// The relief stays readable through an opaque layer: darker where the map is dark.
  static Rgb lit(Rgb c, Rgb under) { return c * (0.72F + 0.28F * saturate(luminance(under) / 190.0F)); }

  const Overlay& overlay_;
  Grid<float> values_;
  Range range_;
};

Legend height_legend(const Scene& scene, const Range& range) {
  Legend legend;
  legend.title = "height (m)";
  if (!scene.ground.empty() && !scene.ground_colours.empty()) {
    legend.title.clear();
  } else if (range.any) {
    legend.ramp = height_tint;
    legend.ticks = nice_ticks(range.low, range.high, false, 6);
  }
  return legend;
}

/// Where the map and the legend lie in the picture, in pixels.
struct Layout {
  int width = 0;
  int height = 0;
  MapSize map;
  int left = 0;  ///< of the map
  int top = 0;
  Panel panel;  ///< at the right border
};

Layout layout(const Scene& scene, const Legend& texts, const MapParams& params) {
  Layout at;
  if (params.height > 0) {
    at.width = params.width;
    at.height = params.height;
    at.panel = panel_within(texts, at.width, at.height);
    const int room = at.width - at.panel.width;
    at.map = map_size(scene, room, at.height);
    at.left = (room - at.map.width) / 2;
    at.top = (at.height - at.map.height) / 2;
    return at;
  }
  at.map = map_size(scene, params.width, 2 * std::min(params.width, 1 << 20));
  at.panel = panel_beside(texts, at.map.width, text_scale(params.width));
  at.width = at.map.width + at.panel.width;
  at.height = std::max(at.map.height, legend_least_height(at.panel.scale));
  return at;
}

Image draw_map(const Map& map, const std::optional<Layer>& layer, MapSize size, const Exec& exec) {
  Image image{size.width, size.height, {}};
  image.rgb.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3);
  parallel_for(exec, 0, size.height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < end; ++y)
      for (int x = 0; x < size.width; ++x) {
        const Colour bytes = to_colour(layer ? layer->over(map, x, y, size) : map.colour(x, y));
        std::copy(bytes.begin(), bytes.end(),
                  image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * size.width + x) * 3);
      }
  });
  return image;
}

void draw_lines(Image& image, const std::vector<MapLine>& lines, const Scene& scene) {
  Canvas canvas(image);
  std::vector<double> points;
  for (const MapLine& line : lines) {
    points = line.xy;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
      points[i] = (points[i] + 0.5) * image.width / scene.height_m.width();
      points[i + 1] = (points[i + 1] + 0.5) * image.height / scene.height_m.height();
    }
    canvas.polyline(points, line.width_px, line.colour, image.width, image.height);
  }
}

}  // namespace

MapSize map_size(const Scene& scene, int max_width, int max_height) {
  const double w = scene.height_m.width() * scene.cell_x_m;
  const double h = scene.height_m.height() * scene.cell_y_m;
  if (!(w > 0 && h > 0 && std::isfinite(w) && std::isfinite(h)) || max_width < 1 || max_height < 1) return {};
  const double scale = std::min(max_width / w, max_height / h);
  const auto pixels = [&](double v, int most) {
    return std::min(std::max(static_cast<int>(std::min(std::round(v * scale), 1e9)), 1), most);
  };
  return {pixels(w, max_width), pixels(h, max_height)};
}

Image map_view(const Scene& scene, const std::vector<MapLine>& lines, const std::optional<Overlay>& overlay,
               const MapParams& params, const Exec& exec) {
  const Layout at = layout(scene, overlay ? Layer::texts(*overlay) : Legend{}, params);
  if (at.map.width < 1) return {};
  const Map map(scene, params, at.map, exec);
  std::optional<Layer> layer;
  if (overlay) layer.emplace(*overlay, at.map, exec);
  Image inner = draw_map(map, layer, at.map, exec);
  draw_lines(inner, lines, scene);

  Image image{at.width, at.height, {}};
  image.rgb.resize(static_cast<std::size_t>(at.width) * static_cast<std::size_t>(at.height) * 3);
  Canvas canvas(image);
  canvas.fill(0, 0, at.width, at.height, kPaper);
  const auto row = static_cast<std::ptrdiff_t>(at.map.width) * 3;
  for (int y = 0; y < at.map.height; ++y)
    std::copy_n(inner.rgb.begin() + y * row, row,
                image.rgb.begin() + (static_cast<std::ptrdiff_t>(at.top + y) * at.width + at.left) * 3);
  if (at.panel.width < 1) return image;
  Legend legend = layer ? layer->legend() : height_legend(scene, map.range());
  legend.pixel_m = scene.cell_x_m * scene.height_m.width() / at.map.width;
  draw_legend(canvas, legend, at.width - at.panel.width, at.height, at.panel);
  return image;
}

}  // namespace thalweg::render
