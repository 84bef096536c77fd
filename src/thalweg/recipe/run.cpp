#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <string>

#include "thalweg/core/platform.h"
#include "thalweg/recipe/recipe.h"
#include "thalweg/shape/curve.h"

namespace thalweg::recipe {
namespace {

double bytes_of_field(const std::string& name) {
  const FieldInfo* info = find_field(name);
  if (info == nullptr) return 4;
  if (info->type == "rgba8") return 8;  // two grids of them
  return info->type == "float64" ? 8 : info->type == "uint8" ? 1 : 4;
}

// A copy of a float field; empty where there is none.
Grid<float> copy_of(const World& world, const std::string& name) {
  const GridView<const float> field = world.find<float>(name);
  Grid<float> copy(field.width(), field.height());
  for (int y = 0; y < field.height(); ++y) std::copy_n(field.row(y), field.width(), copy.row(y));
  return copy;
}

// Where the mask is 0 the old values stay, where it is 1 the new ones hold.
Status run_masked(const Operator& op, const Step& step, StepContext& context) {
  World& world = context.world;
  const FieldUse use = op.fields(step.params);
  const std::string& target = use.writes.front().name;
  const bool writes_mask = std::any_of(use.writes.begin(), use.writes.end(),
                                       [&](const FieldWrite& write) { return write.name == step.mask; });
  const Grid<float> old = copy_of(world, target);
  const Grid<float> old_mask = writes_mask ? copy_of(world, step.mask) : Grid<float>();
  THALWEG_TRY(op.run(step.params, context));
  const GridView<const float> mask = writes_mask ? old_mask.view() : std::as_const(world).find<float>(step.mask);
  GridView<float> field = world.find<float>(target);
  shape::blend(mask, old.view(), field, field, context.exec);
  return {};
}

// Products of large numbers leave what a height can be; later steps and files rely on finite values.
Status check_values(const FieldUse& use, const World& world, const Exec& exec) {
  constexpr float kLargest = 1e9F;
  for (const FieldWrite& write : use.writes) {
    const GridView<const float> field = world.find<float>(write.name);
    std::atomic<bool> bad = false;
    parallel_rows(exec, field.width(), field.height(), [&](int begin, int end) {
      bool here = false;
      for (int y = begin; y < end; ++y) {
        const float* v = field.row(y);
        for (int x = 0; x < field.width(); ++x) here |= !(v[x] <= kLargest && v[x] >= -kLargest);
      }
      if (here) bad = true;
    });
    if (bad) return input_error("makes values beyond 1e9 in field '" + write.name + "'");
  }
  return {};
}

Status run_step(const Recipe& recipe, const Step& step, World& world, const Exec& exec) {
  const Operator& op = *find_operator(step.op);
  StepContext context{world, step.name, exec, &recipe};
  THALWEG_TRY(step.mask.empty() ? op.run(step.params, context) : run_masked(op, step, context));
  if (exec.cancelled()) return cancelled_error();
  return check_values(op.fields(step.params), world, exec);
}

// What must hold before any work is done.
Status check_before(const Recipe& recipe, const GridSpec& spec) {
  for (const SketchSource& source : recipe.sketches)
    if (!source.loaded) return input_error("the file '" + source.file + "' was not read", source.file_place);
  for (const Step& step : recipe.steps) {
    const Operator& op = *find_operator(step.op);
    if (const std::string file = op.fields(step.params).file; !file.empty() && recipe.images.count(file) == 0)
      return input_error("the file '" + file + "' was not read", step.place_of("file"));
    if (Status s = op.check(step.params, spec.cell_m); !s)
      return std::move(s).error().at(step.place + ": step '" + step.name + "'");
  }
  return {};
}

}  // namespace

std::uint64_t estimate_peak_bytes(const Recipe& recipe, std::int64_t cells) {
  std::map<std::string, double> live;
  double peak = 0;
  for (const Step& step : recipe.steps) {
    const Operator& op = *find_operator(step.op);
    for (const FieldWrite& write : op.fields(step.params).writes) live[write.name] = bytes_of_field(write.name);
    double sum = op.scratch_bytes_per_cell + (step.mask.empty() ? 0 : 8);
    for (const auto& [name, bytes] : live) sum += bytes;
    peak = std::max(peak, sum);
  }
  double images = 0;
  for (const auto& [name, image] : recipe.images) images += 4.0 * static_cast<double>(image->cells.cells());
  return static_cast<std::uint64_t>(peak * static_cast<double>(cells) + images) + (std::uint64_t{48} << 20);
}

Result<World> run(const Recipe& recipe, const GridSpec& spec, const Exec& exec, const StepCallback& on_step) {
  return guard_memory([&]() -> Result<World> {
    THALWEG_TRY(check_before(recipe, spec));
    World world;
    world.spec = spec;
    world.sea_level_m = recipe.sea_level_m;
    world.seed = recipe.seed;
    const int count = static_cast<int>(recipe.steps.size());
    for (int i = 0; i < count; ++i) {
      const Step& step = recipe.steps[static_cast<std::size_t>(i)];
      if (on_step) on_step(i, count, step);
      const auto start = std::chrono::steady_clock::now();
      const double cpu_start = platform::process_cpu_seconds();
      const Exec part = exec.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
      if (Status s = run_step(recipe, step, world, part); !s) {
        if (s.error().code == ErrorCode::cancelled) return std::move(s).error();
        return std::move(s).error().at(step.place + ": step '" + step.name + "'");
      }
      part.progress(1);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      world.timings.push_back({step.name, step.op, seconds.count(), platform::process_cpu_seconds() - cpu_start,
                               platform::peak_resident_bytes()});
    }
    world.units = field_units(recipe);
    for (Promise& promise : world.promises)
      promise.result = check_promise(promise, spec, std::as_const(world).find<float>("height"),
                                     std::as_const(world).find<float>("water"), exec);
    if (exec.cancelled()) return cancelled_error();
    return world;
  });
}

}  // namespace thalweg::recipe
