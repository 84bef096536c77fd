#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "thalweg/core/platform.h"
#include "thalweg/recipe/recipe.h"

namespace thalweg::recipe {

std::span<const FieldInfo> field_table() {
  static constexpr FieldInfo kTable[] = {
      {"height", "m", "float32", "ground above the datum"},
      {"moisture", "1", "float32", "0 dry to 1 wet"},
      {"temperature", "degC", "float32", "mean annual temperature"},
      {"water", "m", "float32", "depth of sea, lakes and rivers"},
      {"flow", "m2", "float64", "drained area, own cell included"},
      {"wear", "m", "float32", "ground removed by erosion"},
      {"deposit", "m", "float32", "ground laid down by erosion"},
      {"biome", "1", "uint8", "code of the biome"},
      {"directions", "1", "uint8", "D8 flow directions"},
      {"lake_id", "1", "int32", "number of the lake, 0 elsewhere"},
      {"sea", "1", "uint8", "1 in the sea"},
  };
  return kTable;
}

namespace {
double bytes_of_field(const std::string& name) {
  if (name == "weights") return 8;  // two RGBA8 grids
  for (const FieldInfo& info : field_table())
    if (info.name == name) return info.type == "float64" ? 8 : info.type == "uint8" ? 1 : 4;
  return 4;
}
}  // namespace

std::uint64_t estimate_peak_bytes(const Recipe& recipe, std::int64_t cells) {
  std::map<std::string, double> live;
  double peak = 0;
  for (const Step& step : recipe.steps) {
    const Operator& op = *find_operator(step.op);
    for (const std::string& field : op.fields(step.params).writes) live[field] = bytes_of_field(field);
    double sum = op.scratch_bytes_per_cell;
    for (const auto& [name, bytes] : live) sum += bytes;
    peak = std::max(peak, sum);
  }
  return static_cast<std::uint64_t>(peak * static_cast<double>(cells)) + (std::uint64_t{48} << 20);
}

Result<World> run(const Recipe& recipe, const GridSpec& spec, const Exec& exec, const StepCallback& on_step) {
  return guard_memory([&]() -> Result<World> {
    World world;
    world.spec = spec;
    world.sea_level_m = recipe.sea_level_m;
    world.seed = recipe.seed;
    const int count = static_cast<int>(recipe.steps.size());
    for (const Step& step : recipe.steps)  // before any work is done
      if (Status s = find_operator(step.op)->check(step.params, spec.cell_m); !s)
        return std::move(s).error().at(step.place + ": step '" + step.name + "'");
    for (int i = 0; i < count; ++i) {
      const Step& step = recipe.steps[static_cast<std::size_t>(i)];
      if (on_step) on_step(i, count, step);
      const Operator& op = *find_operator(step.op);
      const auto start = std::chrono::steady_clock::now();
      const double cpu_start = platform::process_cpu_seconds();
      const Exec part = exec.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
      StepContext context{world, step.name, part};
      if (Status s = op.run(step.params, context); !s)
        return std::move(s).error().at(step.place + ": step '" + step.name + "'");
      if (exec.cancelled()) return cancelled_error();
      part.progress(1);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      world.timings.push_back({step.name, step.op, seconds.count(), platform::process_cpu_seconds() - cpu_start,
                               platform::peak_resident_bytes()});
    }
    return world;
  });
}

}  // namespace thalweg::recipe
