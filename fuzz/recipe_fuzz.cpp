// Any text is a recipe or a one-line error with a place; an accepted small recipe runs to finite heights.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "thalweg/recipe/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thalweg;
  if (size > 20000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<recipe::Recipe> r = recipe::parse_recipe(text, "fuzz.toml");
  if (!r) {
    if (r.error().message.empty() || r.error().text().find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (r->steps.size() > 12) return 0;
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
