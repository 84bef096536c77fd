// Operators that make and shape fields: noise, moisture, redistribute, island.
#include <algorithm>
#include <string>

#include "thalweg/noise/noise.h"
#include "thalweg/recipe/op_row.h"
#include "thalweg/shape/point.h"

namespace thalweg::recipe {
namespace {

Status check_float_field(const std::string& name) {
  for (const FieldInfo& info : field_table())
    if (info.name == name && info.type != "float32")
      return input_error("field '" + name + "' is " + std::string(info.type) +
                         "; choose a float32 field or a new name");
  if (name.size() > 64) return input_error("a field's name has at most 64 letters");
  if (name.empty()) return input_error("a field needs a name");
  for (const char c : name)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_')
      return input_error("a field's name has letters a-z, digits and _ only: '" + name + "'");
  return {};
}

enum class Combine { set, add, multiply, max, min };

struct NoiseStep {
  noise::NoiseParams noise;
  std::string out = "height";
  Combine combine = Combine::set;
  template <class Visitor>
  static void describe(NoiseStep& p, Visitor& v) {
    static constexpr Choice<Combine> kCombine[] = {{"set", Combine::set},
                                                   {"add", Combine::add},
                                                   {"multiply", Combine::multiply},
                                                   {"max", Combine::max},
                                                   {"min", Combine::min}};
    noise::NoiseParams::describe(p.noise, v);
    v.text("out", p.out, {.help = "field to write"});
    v.choice("combine", p.combine, kCombine, {.help = "how it meets what the field holds already"});
  }
};

FieldUse noise_fields(const NoiseStep& p) {
  FieldUse use;
  if (p.combine != Combine::set) use.reads.push_back(p.out);
  use.writes.push_back(p.out);
  return use;
}

Status run_noise(const NoiseStep& p, StepContext& c) {
  World& world = c.world;
  if (p.combine == Combine::set) {
    noise::fill(p.noise, world.seed, world.spec, world.make<float>(p.out), c.exec);
    return {};
  }
  Grid<float> fresh(world.spec.width, world.spec.height);
  noise::fill(p.noise, world.seed, world.spec, fresh, c.exec);
  GridView<float> out = world.make<float>(p.out);
  parallel_rows(c.exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      float* o = out.row(y);
      const float* n = fresh.row(y);
      for (int x = 0; x < out.width(); ++x) switch (p.combine) {
          case Combine::add:
            o[x] += n[x];
            break;
          case Combine::multiply:
            o[x] *= n[x];
            break;
          case Combine::max:
            o[x] = std::max(o[x], n[x]);
            break;
          case Combine::min:
            o[x] = std::min(o[x], n[x]);
            break;
          case Combine::set:
            o[x] = n[x];
            break;
        }
    }
  });
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

template <class Params>
struct FieldStep {
  Params params;
  std::string field = "height";
  template <class Visitor>
  static void describe(FieldStep& p, Visitor& v) {
    Params::describe(p.params, v);
    v.text("field", p.field, {.help = "field that is changed"});
  }
};
using RedistributeStep = FieldStep<shape::RedistributeParams>;
using IslandStep = FieldStep<shape::IslandParams>;

template <class Params>
FieldUse field_use(const FieldStep<Params>& p) {
  return {{p.field}, {p.field}};
}
template <class Params>
Status check_range(const FieldStep<Params>& p, double) {
  THALWEG_TRY(check_float_field(p.field));
  if (p.params.high_m <= p.params.low_m) return input_error("high_m must be above low_m");
  return {};
}

}  // namespace

void add_noise_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<NoiseStep>({
      .name = "noise",
      .help = "fractal gradient noise, its domain optionally warped, written to a field or combined with it",
      .example = "[[step]]\nop = \"noise\"\nfractal = \"fbm\"\nwavelength_m = 4000\namplitude_m = 900\noctaves = "
                 "9\nwarp_m = 600\n",
      .reach = Reach::point,
      .scratch_bytes_per_cell = 4,
      .fields = noise_fields,
      .check = [](const NoiseStep& p, double) { return check_float_field(p.out); },
      .run = run_noise,
  }));
  table.push_back(make_operator<MoistureStep>({
      .name = "moisture",
      .help = "moisture 0..1 as a noise field of its own, which shapes nothing but feeds the biomes",
      .example = "[[step]]\nop = \"moisture\"\nwavelength_m = 3000\n",
      .reach = Reach::point,
      .fields =
          [](const MoistureStep&) {
            return FieldUse{{}, {"moisture"}};
          },
      .run = run_moisture,
  }));
  table.push_back(make_operator<RedistributeStep>({
      .name = "redistribute",
      .help = "raises the normalised height e to the power k: wide lowlands and sharp peaks",
      .example = "[[step]]\nop = \"redistribute\"\nlow_m = -200\nhigh_m = 900\nexponent = 1.6\n",
      .reach = Reach::point,
      .fields = field_use<shape::RedistributeParams>,
      .check = check_range<shape::RedistributeParams>,
      .run = [](const RedistributeStep& p, StepContext& c) -> Status {
        GridView<float> field = c.world.find<float>(p.field);
        shape::redistribute(p.params, field, field, c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<IslandStep>({
      .name = "island",
      .help = "mixes the height toward 1 - d, d the distance from the middle, so that sea surrounds the land",
      .example = "[[step]]\nop = \"island\"\nshape = \"square-bump\"\nlow_m = -250\nhigh_m = 900\nmix = 0.5\n",
      .reach = Reach::point,
      .fields = field_use<shape::IslandParams>,
      .check = check_range<shape::IslandParams>,
      .run = [](const IslandStep& p, StepContext& c) -> Status {
        GridView<float> field = c.world.find<float>(p.field);
        shape::island(p.params, c.world.spec, field, field, c.exec);
        return {};
      },
  }));
}

}  // namespace thalweg::recipe
