// Any text is a recipe or a one-line error with a place; an accepted small recipe runs to finite heights.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "thalweg/erosion/droplets.h"
#include "thalweg/recipe/recipe.h"

namespace {
using namespace thalweg;

// Whatever file a recipe names holds the same few shapes and pixels.
recipe::Resources small_files() {
  recipe::Resources files;
  files.load_vectors = [](const std::string& path) -> Result<recipe::VectorFile> {
    if (path == "missing") return input_error("no such file", path);
    recipe::VectorFile file;
    file.kind = shape::SketchKind::lines;
    file.parts = {{{0, 0, std::nan("")}, {50, 50, 10}}, {{1000, 1000, 5}, {2000, 0, 5}}};
    return file;
  };
  files.load_raster = [](const std::string& path) -> Result<recipe::ImageFile> {
    if (path == "missing") return input_error("no such file", path);
    recipe::ImageFile image;
    image.cells = Grid<float>(3, 3, 7.0F);
    image.cells(1, 1) = kNoData<float>;
    return image;
  };
  return files;
}

int one_line(const Error& error) {
  if (error.message.empty() || error.text().find('\n') != std::string::npos) std::abort();
  return 0;
}
// Millions of droplets a cell are accepted, and would take hours.
bool has_too_many_droplets(const recipe::Recipe& r) {
  for (const recipe::Step& step : r.steps) {
    if (step.op != "droplets") continue;
    const Result<erosion::DropletParams> p = make_params<erosion::DropletParams>(step.params);
    if (!p || p->droplets_per_km2 * 1e-6 * r.cell_m * r.cell_m > 50) return true;
  }
  return false;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Result<recipe::Recipe> r = recipe::parse_recipe(text, "fuzz.toml");
  if (!r) return one_line(r.error());
  if (r->steps.size() > 12 || has_too_many_droplets(*r)) return 0;
  if (const Status s = recipe::load_resources(*r, small_files()); !s) return one_line(s.error());
  GridSpec spec;
  spec.width = 17;
  spec.height = 9;
  spec.cell_m = spec.cell_y_m = r->cell_m;
  // Some accepted recipes ask for hours of droplets; they are cancelled, and outputs are unspecified then.
  volatile int cancel = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto watch = [&](double) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(2)) cancel = 1;
  };
  const Result<recipe::World> world = recipe::run(*r, spec, Exec().with_progress(watch).with_cancel(&cancel));
  if (!world || cancel != 0) return 0;
  const GridView<const float> height = world->find<float>("height");
  for (int y = 0; y < height.height(); ++y)
    for (int x = 0; x < height.width(); ++x)
      if (!std::isfinite(height(x, y))) std::abort();
  return 0;
}
