// Operators that make masks and fields to combine: select, image.
#include <algorithm>
#include <cmath>
#include <string>

#include "thalweg/recipe/image.h"
#include "thalweg/recipe/op_row.h"
#include "thalweg/recipe/recipe.h"
#include "thalweg/shape/select.h"

namespace thalweg::recipe {
namespace {

struct SelectStep {
  shape::SelectParams params;
  std::string from = "height";
  std::string out = "mask";
  template <class Visitor>
  static void describe(SelectStep& p, Visitor& v) {
    v.text("from", p.from, {.help = "field that is measured"});
    v.text("out", p.out, {.help = "mask to write, 0 to 1"});
    shape::SelectParams::describe(p.params, v);
  }
};

FieldUse select_fields(const SelectStep& p) {
  const bool any_unit = p.params.by == shape::SelectBy::height || p.params.by == shape::SelectBy::aspect;
  return {{{p.from, any_unit ? "" : "m", "from"}}, {{p.out, "1", "", "out"}}};
}

Status run_select(const SelectStep& p, StepContext& c) {
  const CellGeometry geometry = CellGeometry::of(c.world.spec);
  const GridView<const float> from = c.world.find<float>(p.from);
  if (p.out != p.from) {
    shape::select(p.params, geometry, from, c.world.make<float>(p.out), c.exec);
    return {};
  }
  Grid<float> mask(from.width(), from.height());
  shape::select(p.params, geometry, from, mask, c.exec);
  c.world.fields.insert_or_assign(p.out, Field(std::move(mask)));
  return {};
}

struct ImageStep {
  ImageParams params;
  std::string file;
  std::string out = "height";
  std::string unit = "m";
  template <class Visitor>
  static void describe(ImageStep& p, Visitor& v) {
    v.text("file", p.file, {.help = "picture or raster; its path is relative to the recipe"});
    v.text("out", p.out, {.help = "field to write"});
    v.text("unit", p.unit, {.help = "of the values: m, 1 for a mask, or any other"});
    ImageParams::describe(p.params, v);
  }
};

Status check_image(const ImageStep& p, double) {
  const bool plain = std::all_of(p.unit.begin(), p.unit.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (p.unit.empty() || p.unit.size() > 16 || !plain)
    return input_error("unit must be a text of 1 to 16 characters without blanks, e.g. m or 1");
  return {};
}

}  // namespace

void add_mask_operators(std::vector<Operator>& table) {
  table.push_back(make_operator<SelectStep>({
      .name = "select",
      .help = "a mask where the land is high, steep, turned to some side, or curved",
      .example = "[[step]]\nop = \"select\"\nby = \"slope\"\nlow = 25\nhigh = 90\nout = \"steep\"\n\n"
                 "[[step]]\nop = \"blur\"\nradius_m = 60\nmask = \"steep\"\n",
      .reach = Reach::local,
      .scratch_bytes_per_cell = 4,
      .maskable = true,
      .fields = select_fields,
      .halo_cells = [](const SelectStep& p, double cell_m) { return shape::select_halo_cells(p.params, cell_m); },
      .check = [](const SelectStep& p, double) { return shape::check_select(p.params); },
      .run = run_select,
  }));
  table.push_back(make_operator<ImageStep>({
      .name = "image",
      .help = "a picture or raster file as a field, stretched over the extent",
      .example = "[[step]]\nop = \"image\"\nfile = \"coast.png\"\nout = \"coast\"\nlow = 0\nhigh = 1\nunit = \"1\"\n\n"
                 "[[step]]\nop = \"combine\"\nwith = \"coast\"\ncombine = \"multiply\"\n",
      .required = {"file"},
      .reach = Reach::point,
      .maskable = true,
      .fields =
          [](const ImageStep& p) {
            FieldUse use{{}, {{p.out, p.unit, "", "out"}}};
            use.file = p.file;
            return use;
          },
      .check = check_image,
      .run = [](const ImageStep& p, StepContext& c) -> Status {
        stretch_image(p.params, *c.recipe->images.at(p.file), c.world.make<float>(p.out), c.exec);
        return {};
      },
  }));
}

}  // namespace thalweg::recipe
