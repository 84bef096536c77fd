// Operators that make fields out of random numbers: noise, moisture.
#include <algorithm>
#include <string>

#include "thalweg/noise/noise.h"
#include "thalweg/recipe/op_row.h"
#include "thalweg/shape/curve.h"

namespace thalweg::recipe {
namespace {

enum class NoiseUnit { metres, numbers };

struct NoiseStep {
  noise::NoiseParams noise;
  std::string out = "height";
  shape::CombineParams combine;
  NoiseUnit unit = NoiseUnit::metres;
  template <class Visitor>
  static void describe(NoiseStep& p, Visitor& v) {
    static constexpr Choice<NoiseUnit> kUnits[] = {{"m", NoiseUnit::metres}, {"1", NoiseUnit::numbers}};
    noise::NoiseParams::describe(p.noise, v);
    v.text("out", p.out, {.help = "field to write"});
    shape::CombineParams::describe(p.combine, v);
    v.choice("unit", p.unit, kUnits,
             {.help = "of the values: m, or 1 for pure numbers (masks, factors), whose size amplitude_m and offset_m "
                      "then give"});
  }
};

FieldUse noise_fields(const NoiseStep& p) {
  const std::string unit = p.unit == NoiseUnit::metres ? "m" : "1";
  FieldUse use;
  Meet meet = Meet::replace;
  if (p.combine.combine != shape::Combine::set) {
    use.reads.push_back({p.out, "", "out"});
    meet = p.combine.combine == shape::Combine::multiply ? Meet::multiply : Meet::change;
  }
  use.writes.push_back({p.out, unit, "", "out", meet});
  return use;
}

Status run_noise(const NoiseStep& p, StepContext& c) {
  World& world = c.world;
  if (p.combine.combine == shape::Combine::set) {
    noise::fill(p.noise, world.seed, world.spec, world.make<float>(p.out), c.exec);
    return {};
  }
  Grid<float> fresh(world.spec.width, world.spec.height);
  noise::fill(p.noise, world.seed, world.spec, fresh, c.exec);
  GridView<float> out = world.find<float>(p.out);
  shape::combine(p.combine, out, fresh.view(), out, c.exec);
  return {};
}

struct MoistureStep {
  double wavelength_m = 3000;
  std::int64_t octaves = 6;
  double mean = 0.5;
  double contrast = 1.6;
  std::int64_t stream = 1000;
  template <class Visitor>
  static void describe(MoistureStep& p, Visitor& v) {
    v.real("wavelength_m", p.wavelength_m,
           {.unit = "m", .min = 1e-2, .max = 1e8, .help = "size of wet and dry regions"});
    v.integer("octaves", p.octaves, {.min = 1, .max = 24, .help = "layers of detail"});
    v.real("mean", p.mean, {.min = 0, .max = 1, .help = "moisture in the middle"});
    v.real("contrast", p.contrast,
           {.min = 0, .max = 10, .help = "how far wet and dry differ; values are clamped to 0..1"});
    v.integer("stream", p.stream, {.min = 0, .max = 1e6, .help = "another number gives an independent field"});
  }
};

Status run_moisture(const MoistureStep& p, StepContext& c) {
  noise::NoiseParams n;
  n.wavelength_m = p.wavelength_m;
  n.octaves = p.octaves;
  n.stream = p.stream;
  n.amplitude_m = 0.5 * p.contrast;
  n.offset_m = p.mean;
  GridView<float> out = c.world.make<float>("moisture");
  noise::fill(n, c.world.seed, c.world.spec, out, c.exec);
  parallel_rows(c.exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (float* v = out.row(y); v != out.row(y) + out.width(); ++v) *v = std::clamp(*v, 0.0F, 1.0F);
  });
  return {};
}

}  // namespace

void add_noise_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<NoiseStep>({
      .name = "noise",
      .help = "fractal noise, its domain optionally warped, written to a field or combined with it",
      .example = "[[step]]\nop = \"noise\"\nfractal = \"fbm\"\nwavelength_m = 4000\namplitude_m = 900\noctaves = 9\n"
                 "warp_m = 600\ncombine = \"add\"\n",
      .reach = Reach::point,
      .scratch_bytes_per_cell = 4,
      .maskable = true,
      .fields = noise_fields,
      .run = run_noise,
  }));
  table.push_back(make_operator<MoistureStep>({
      .name = "moisture",
      .help = "moisture 0..1 as a noise field of its own, which shapes nothing but feeds the biomes",
      .example = "[[step]]\nop = \"moisture\"\nwavelength_m = 3000\n",
      .reach = Reach::point,
      .maskable = true,
      .fields =
          [](const MoistureStep&) {
            return FieldUse{{}, {"moisture"}};
          },
      .run = run_moisture,
  }));
}

}  // namespace thalweg::recipe
