// Operators that work with sketches: sketch, sketch-mask, distance.
#include <algorithm>
#include <string>

#include "thalweg/recipe/op_row.h"
#include "thalweg/recipe/recipe.h"
#include "thalweg/shape/sketch.h"

namespace thalweg::recipe {
namespace {

struct SketchStep {
  shape::SketchParams params;
  std::string sketch;
  std::string field = "height";
  double tolerance_m = 0;
  bool protect = false;
  template <class Visitor>
  static void describe(SketchStep& p, Visitor& v) {
    v.text("sketch", p.sketch, {.help = "name of a [[sketch]] with heights"});
    v.text("field", p.field, {.help = "field that is pulled toward them"});
    shape::SketchParams::describe(p.params, v);
    v.real("tolerance_m", p.tolerance_m,
           {.unit = "m",
            .min = 0,
            .max = 1e4,
            .help = "promise, which `thalweg audit` checks: the finished land on the sketch, where no water covers "
                    "it, lies within this of its height; 0 for no promise"});
    v.boolean("protect", p.protect, {.help = "add the sketch to the field `protect`, which erosion leaves alone"});
  }
};

FieldUse sketch_fields(const SketchStep& p) {
  FieldUse use{{{p.field, "m", "field"}}, {{p.field, "m", "", "field", Meet::change}}};
  if (p.protect) {
    use.writes.push_back("protect");
    use.may_read.push_back("protect");
  }
  use.sketch = p.sketch;
  use.sketch_heights = true;
  use.promises = p.tolerance_m > 0;
  return use;
}

Status check_sketch_step(const SketchStep& p, double) {
  if (p.tolerance_m <= 0) return {};
  if (p.field != "height") return input_error("tolerance_m promises heights, so it goes with field = \"height\"");
  if (p.params.blend == shape::SketchBlend::add)
    return input_error("tolerance_m promises the sketch's heights, to which blend = \"add\" does not pull");
  if (p.params.weight < 1)
    return input_error("tolerance_m promises the sketch's heights, so it goes with weight = 1, is " +
                       format_number(p.params.weight));
  return {};
}

const shape::Sketch& sketch_of(const StepContext& c, const std::string& name) {
  return c.recipe->find_sketch(name)->sketch;
}

// The strength of the pull, as a mask, added to what is protected already.
void add_protection(const SketchStep& p, StepContext& c) {
  const GridSpec& spec = c.world.spec;
  const double half_cell_m = 0.5 * std::max(spec.cell_m, spec.cell_y_m);
  const double core_m = std::max(p.params.core_m, half_cell_m);
  const double falloff_m = p.params.falloff_m;
  Grid<float> distance(spec.width, spec.height);
  shape::sketch_distance(sketch_of(c, p.sketch), spec, core_m + falloff_m + half_cell_m, distance, {}, c.exec);
  GridView<float> protect = c.world.make<float>("protect");
  parallel_rows(c.exec, spec.width, spec.height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < spec.width; ++x) {
        const double over_m = static_cast<double>(distance(x, y)) - core_m;
        const double t = over_m <= 0 ? 0 : over_m < falloff_m ? over_m / falloff_m : 1;
        protect(x, y) = std::max(protect(x, y), static_cast<float>(1 - t * t * (3 - 2 * t)));
      }
  });
}

Status run_sketch(const SketchStep& p, StepContext& c) {
  const shape::Sketch& sketch = sketch_of(c, p.sketch);
  GridView<float> field = c.world.find<float>(p.field);
  shape::pull_to_sketch(p.params, sketch, c.world.spec, field, field, c.exec);
  if (p.protect) add_protection(p, c);
  if (p.tolerance_m > 0) {
    Promise promise;
    promise.step = c.step;
    promise.sketch = sketch;
    promise.tolerance_m = p.tolerance_m;
    if (p.params.blend == shape::SketchBlend::raise) promise.side = PromiseSide::at_least;
    if (p.params.blend == shape::SketchBlend::lower) promise.side = PromiseSide::at_most;
    c.world.promises.push_back(std::move(promise));
  }
  return {};
}

struct SketchMaskStep {
  std::string sketch;
  std::string out = "mask";
  double falloff_m = 200;
  template <class Visitor>
  static void describe(SketchMaskStep& p, Visitor& v) {
    v.text("sketch", p.sketch, {.help = "name of a [[sketch]]"});
    v.text("out", p.out, {.help = "mask to write, 0 to 1"});
    v.real("falloff_m", p.falloff_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "distance from the sketch over which the mask falls to 0"});
  }
};

struct DistanceStep {
  std::string sketch;
  std::string out = "distance";
  double limit_m = 1000;
  template <class Visitor>
  static void describe(DistanceStep& p, Visitor& v) {
    v.text("sketch", p.sketch, {.help = "name of a [[sketch]]"});
    v.text("out", p.out, {.help = "field to write"});
    v.real("limit_m", p.limit_m,
           {.unit = "m", .min = 0.01, .max = 1e6, .help = "greatest distance that is measured, and the value beyond"});
  }
};

constexpr const char* kSketchExample =
    "[[step]]\nop = \"sketch\"\nsketch = \"gorge\"\nblend = \"lower\"\nfalloff_m = 300\ntolerance_m = 5\n\n"
    "[[sketch]]\nname = \"gorge\"\nline = [[0, 150, 40], [160, 200, 25], [320, 180, 5]]\n";
constexpr const char* kMaskExample =
    "[[step]]\nop = \"sketch-mask\"\nsketch = \"plain\"\nfalloff_m = 400\nout = \"on_plain\"\n\n"
    "[[step]]\nop = \"blur\"\nradius_m = 250\nmask = \"on_plain\"\n\n"
    "[[sketch]]\nname = \"plain\"\npolygon = [[20, 20], [300, 40], [250, 300], [40, 250]]\n";
constexpr const char* kDistanceExample =
    "[[step]]\nop = \"distance\"\nsketch = \"fault\"\nlimit_m = 600\nout = \"from_fault\"\n\n"
    "[[step]]\nop = \"curve\"\nfield = \"from_fault\"\ninputs = [0, 600]\noutputs = [200, 0]\n\n"
    "[[step]]\nop = \"combine\"\nwith = \"from_fault\"\n\n"
    "[[sketch]]\nname = \"fault\"\nline = [[0, 0], [320, 320]]\n";

}  // namespace

void add_sketch_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<SketchStep>({
      .name = "sketch",
      .help = "pulls the land toward the heights of points, lines or polygons; can promise and protect them",
      .example = kSketchExample,
      .required = {"sketch"},
      .reach = Reach::point,
      .scratch_bytes_per_cell = 24,
      .maskable = true,
      .fields = sketch_fields,
      .check = check_sketch_step,
      .run = run_sketch,
  }));
  table.push_back(make_operator<SketchMaskStep>({
      .name = "sketch-mask",
      .help = "a mask that is 1 on points, lines or polygons and falls to 0 around them",
      .example = kMaskExample,
      .required = {"sketch"},
      .reach = Reach::point,
      .scratch_bytes_per_cell = 16,
      .maskable = true,
      .fields =
          [](const SketchMaskStep& p) {
            FieldUse use{{}, {{p.out, "1", "", "out"}}};
            use.sketch = p.sketch;
            return use;
          },
      .run = [](const SketchMaskStep& p, StepContext& c) -> Status {
        shape::sketch_mask(sketch_of(c, p.sketch), c.world.spec, p.falloff_m, c.world.make<float>(p.out), c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<DistanceStep>({
      .name = "distance",
      .help = "distance in metres to points, lines or polygons (0 inside)",
      .example = kDistanceExample,
      .required = {"sketch"},
      .reach = Reach::point,
      .scratch_bytes_per_cell = 16,
      .maskable = true,
      .fields =
          [](const DistanceStep& p) {
            FieldUse use{{}, {{p.out, "m", "", "out"}}};
            use.sketch = p.sketch;
            return use;
          },
      .run = [](const DistanceStep& p, StepContext& c) -> Status {
        shape::sketch_distance(sketch_of(c, p.sketch), c.world.spec, p.limit_m, c.world.make<float>(p.out), {}, c.exec);
        return {};
      },
  }));
}

}  // namespace thalweg::recipe
