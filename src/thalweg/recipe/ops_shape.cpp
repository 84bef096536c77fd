// Operators that change a field by its own values: clamp, curve, terrace, redistribute, island, blur, combine.
#include <string>

#include "thalweg/recipe/op_row.h"
#include "thalweg/shape/blur.h"
#include "thalweg/shape/curve.h"
#include "thalweg/shape/point.h"

namespace thalweg::recipe {
namespace {

using ClampStep = FieldStep<shape::ClampParams>;
using TerraceStep = FieldStep<shape::TerraceParams>;
using RedistributeStep = FieldStep<shape::RedistributeParams>;
using IslandStep = FieldStep<shape::IslandParams>;
using BlurStep = FieldStep<shape::BlurParams>;

enum class CurveUnit { same, metres, numbers };

// A curve may turn metres into a mask, or a mask into metres.
struct CurveStep : FieldStep<shape::CurveParams> {
  CurveUnit unit = CurveUnit::same;
  template <class Visitor>
  static void describe(CurveStep& p, Visitor& v) {
    static constexpr Choice<CurveUnit> kUnits[] = {
        {"same", CurveUnit::same}, {"m", CurveUnit::metres}, {"1", CurveUnit::numbers}};
    FieldStep::describe(p, v);
    v.choice("unit", p.unit, kUnits, {.help = "of the outputs: that of the field read, m, or 1 for a mask"});
  }
};

FieldUse curve_fields(const CurveStep& p) {
  FieldUse use = field_use(p, "");
  if (p.unit != CurveUnit::same) use.writes.front().unit = std::string(p.unit == CurveUnit::metres ? "m" : "1");
  return use;
}

template <class Params>
FieldUse in_any_unit(const FieldStep<Params>& p) {
  return field_use(p, "");
}
template <class Params>
FieldUse in_metres(const FieldStep<Params>& p) {
  return field_use(p, "m");
}

template <class Params>
Status check_range(const FieldStep<Params>& p, double) {
  if (p.params.high_m <= p.params.low_m) return input_error("high_m must be above low_m");
  return {};
}

Status run_blur(const BlurStep& p, StepContext& c) {
  const CellGeometry geometry = CellGeometry::of(c.world.spec);
  const GridView<const float> in = c.world.find<float>(p.field);
  Grid<float> blurred(in.width(), in.height());
  shape::blur(p.params, geometry, in, blurred, c.exec);
  GridView<float> out = target_of(p, c);
  parallel_rows(c.exec, out.width(), out.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) std::copy_n(blurred.row(y), out.width(), out.row(y));
  });
  return {};
}

struct CombineStep {
  shape::CombineParams params = {.combine = shape::Combine::add};
  std::string field = "height";
  std::string with;
  template <class Visitor>
  static void describe(CombineStep& p, Visitor& v) {
    v.text("field", p.field, {.help = "field that is changed"});
    v.text("with", p.with, {.help = "field that is combined into it"});
    shape::CombineParams::describe(p.params, v);
  }
};

FieldUse combine_fields(const CombineStep& p) {
  using shape::Combine;
  FieldUse use;
  use.reads.push_back({p.with, "", "with"});
  Meet meet = Meet::replace;
  if (p.params.combine != Combine::set) {
    use.reads.push_back({p.field, "", "field"});
    meet = p.params.combine == Combine::multiply ? Meet::multiply : Meet::change;
  }
  use.writes.push_back({p.field, "", p.with, "field", meet});
  return use;
}

void add_curves(std::vector<Operator>& table) {
  table.push_back(make_operator<ClampStep>({
      .name = "clamp",
      .help = "cuts values off below low and above high",
      .example = "[[step]]\nop = \"clamp\"\nlow = -200\nhigh = 900\n",
      .reach = Reach::point,
      .maskable = true,
      .fields = in_any_unit<shape::ClampParams>,
      .check = [](const ClampStep& p, double) -> Status {
        if (p.params.high < p.params.low) return input_error("high must be at least low");
        return {};
      },
      .run = [](const ClampStep& p, StepContext& c) -> Status {
        shape::clamp(p.params, c.world.find<float>(p.field), target_of(p, c), c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<CurveStep>({
      .name = "curve",
      .help = "maps values through a curve of points: a profile of heights, or a mask from any field",
      .example = "[[step]]\nop = \"curve\"\ninputs = [-200, 0, 300, 1000]\noutputs = [-200, 0, 120, 1000]\n",
      .reach = Reach::point,
      .maskable = true,
      .fields = curve_fields,
      .check = [](const CurveStep& p, double) { return shape::check_curve(p.params); },
      .run = [](const CurveStep& p, StepContext& c) -> Status {
        shape::curve(p.params, c.world.find<float>(p.field), target_of(p, c), c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<TerraceStep>({
      .name = "terrace",
      .help = "treads and risers: steps of nearly equal height, the higher `sharpness` the steeper",
      .example = "[[step]]\nop = \"terrace\"\nstep_m = 90\nsharpness = 0.8\n",
      .reach = Reach::point,
      .maskable = true,
      .fields = in_metres<shape::TerraceParams>,
      .run = [](const TerraceStep& p, StepContext& c) -> Status {
        shape::terrace(p.params, step_seed(c), c.world.find<float>(p.field), target_of(p, c), c.exec);
        return {};
      },
  }));
}

void add_land_forms(std::vector<Operator>& table) {
  table.push_back(make_operator<RedistributeStep>({
      .name = "redistribute",
      .help = "raises the normalised height e to the power k: wide lowlands and sharp peaks",
      .example = "[[step]]\nop = \"redistribute\"\nlow_m = -200\nhigh_m = 900\nexponent = 1.6\n",
      .reach = Reach::point,
      .maskable = true,
      .fields = in_metres<shape::RedistributeParams>,
      .check = check_range<shape::RedistributeParams>,
      .run = [](const RedistributeStep& p, StepContext& c) -> Status {
        shape::redistribute(p.params, c.world.find<float>(p.field), target_of(p, c), c.exec);
        return {};
      },
  }));
  table.push_back(make_operator<IslandStep>({
      .name = "island",
      .help = "mixes the height toward 1 - d, d the distance from the middle, so that sea surrounds the land",
      .example = "[[step]]\nop = \"island\"\nshape = \"square-bump\"\nlow_m = -250\nhigh_m = 900\nmix = 0.5\n",
      .reach = Reach::point,
      .maskable = true,
      .fields = in_metres<shape::IslandParams>,
      .check = check_range<shape::IslandParams>,
      .run = [](const IslandStep& p, StepContext& c) -> Status {
        shape::island(p.params, c.world.spec, c.world.find<float>(p.field), target_of(p, c), c.exec);
        return {};
      },
  }));
}

}  // namespace

void add_shape_operators(std::vector<Operator>& table) {
  add_curves(table);
  add_land_forms(table);
  table.push_back(make_operator<BlurStep>({
      .name = "blur",
      .help = "smooths a field over a distance in metres",
      .example = "[[step]]\nop = \"blur\"\nradius_m = 120\n",
      .reach = Reach::local,
      .scratch_bytes_per_cell = 8,
      .maskable = true,
      .fields = in_any_unit<shape::BlurParams>,
      .halo_cells = [](const BlurStep& p, double cell_m) { return shape::blur_halo_cells(p.params, cell_m); },
      .check = [](const BlurStep& p, double cell_m) -> Status {
        return cell_m > 0 ? shape::check_blur(p.params, cell_m) : Status();
      },
      .run = run_blur,
  }));
  table.push_back(make_operator<CombineStep>({
      .name = "combine",
      .help = "combines another field into a field: sum, product, the higher or lower of both, softly or not",
      .example = "[[step]]\nop = \"noise\"\nout = \"ridges\"\nfractal = \"ridged\"\n\n"
                 "[[step]]\nop = \"combine\"\nwith = \"ridges\"\ncombine = \"smooth-max\"\nsmooth = 80\n",
      .required = {"with"},
      .reach = Reach::point,
      .maskable = true,
      .fields = combine_fields,
      .run = [](const CombineStep& p, StepContext& c) -> Status {
        GridView<float> field = c.world.make<float>(p.field);
        shape::combine(p.params, field, c.world.find<float>(p.with), field, c.exec);
        return {};
      },
  }));
}

}  // namespace thalweg::recipe
