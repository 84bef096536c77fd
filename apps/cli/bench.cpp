// Built-in benchmarks, so that users can compare machines. One line each, or JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "command.h"
#include "recipes.h"
#include "thalweg/core/content_hash.h"
#include "thalweg/core/params.h"
#include "thalweg/core/simd.h"
#include "thalweg/erosion/droplets.h"
#include "thalweg/hydrology/accumulation.h"
#include "thalweg/hydrology/depressions.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/noise/noise.h"

namespace thalweg::cli {
namespace {

struct Measured {
  double items = 0;
  double bytes_per_item = 0;  ///< of the results and inputs that must cross memory once
  std::string hash = {};
  std::optional<Error> error = {};
};

/// A benchmark: prepares its input once, then runs `work` several times.
struct Bench {
  const char* name;
  int size;
  const char* unit;
  std::function<std::function<Measured()>(int size, const Exec&)> prepare;
};

noise::NoiseParams fractal(int octaves, double warp_m) {
  noise::NoiseParams p;
  p.wavelength_m = 100;
  p.amplitude_m = 1;
  p.octaves = octaves;
  p.warp_m = warp_m;
  p.warp_wavelength_m = 100;
  p.warp_octaves = 1;
  return p;
}

noise::NoiseParams single(noise::Source source) {
  noise::NoiseParams p = fractal(1, 0);
  p.source = source;
  return p;
}

GridSpec square(int size, double cell_m) {
  GridSpec spec;
  spec.width = spec.height = size;
  spec.cell_m = spec.cell_y_m = cell_m;
  return spec;
}

std::function<Measured()> noise_bench(const noise::NoiseParams& p, int size, const Exec& exec) {
  auto out = std::make_shared<Grid<float>>(size, size);
  return [=] {
    noise::fill(p, 1, square(size, 1), *out, exec);
    return Measured{static_cast<double>(out->cells()), 4, content_hash<float>(out->view()).hex()};
  };
}

// In space: size^3 samples.
std::function<Measured()> noise3_bench(const noise::NoiseParams& p, int size, const Exec& exec) {
  noise::BoxSpec box;
  box.width = box.height = box.depth = size;
  auto out = std::make_shared<Grid<float>>(size, size * size);
  return [=] {
    noise::fill3(p, 1, box, {out->data(), static_cast<std::size_t>(out->cells())}, exec);
    return Measured{static_cast<double>(out->cells()), 4, content_hash<float>(out->view()).hex()};
  };
}

// Rough fractal land, 0 to 2000 m at 30 m cells, where about 30 % of the cells lie in depressions.
std::shared_ptr<Grid<float>> rough_land(int size, const Exec& exec) {
  auto land = std::make_shared<Grid<float>>(size, size);
  noise::NoiseParams p;
  p.wavelength_m = (size - 1) * 30.0 / 4;
  p.amplitude_m = 1000;
  p.offset_m = 1000;
  p.octaves = 11;
  noise::fill(p, 1, square(size, 30), *land, exec);
  return land;
}

struct Land {
  std::shared_ptr<Grid<float>> ground;
  std::shared_ptr<Grid<float>> filled;
  std::shared_ptr<Grid<std::uint8_t>> directions;
  CellGeometry geometry;
};

Land drained_land(int size, const Exec& exec) {
  Land l;
  l.ground = rough_land(size, exec);
  l.filled = std::make_shared<Grid<float>>(size, size);
  l.directions = std::make_shared<Grid<std::uint8_t>>(size, size);
  l.geometry = CellGeometry::uniform(30, size);
  hydrology::fill<float>(l.ground->view(), {}, *l.filled, exec);
  hydrology::d8<float>(l.filled->view(), l.geometry, {}, *l.directions, exec);
  return l;
}

const std::vector<Bench>& benches() {
  static const std::vector<Bench> table = {
      {"noise-perlin2", 4096, "samples", [](int n, const Exec& e) { return noise_bench(fractal(1, 0), n, e); }},
      {"noise-fbm6", 4096, "samples", [](int n, const Exec& e) { return noise_bench(fractal(6, 0), n, e); }},
      {"noise-simplex2", 4096, "samples",
       [](int n, const Exec& e) { return noise_bench(single(noise::Source::simplex), n, e); }},
      {"noise-value2", 4096, "samples",
       [](int n, const Exec& e) { return noise_bench(single(noise::Source::value), n, e); }},
      {"noise-cellular2", 4096, "samples",
       [](int n, const Exec& e) { return noise_bench(single(noise::Source::cellular), n, e); }},
      {"noise-warp-fbm6", 4096, "samples", [](int n, const Exec& e) { return noise_bench(fractal(6, 50), n, e); }},
      {"noise-fbm5-3d", 256, "samples", [](int n, const Exec& e) { return noise3_bench(fractal(5, 0), n, e); }},
      {"fill", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         auto land = rough_land(n, e);
         auto out = std::make_shared<Grid<float>>(n, n);
         return [=] {
           hydrology::fill<float>(land->view(), {}, *out, e);
           return Measured{static_cast<double>(out->cells()), 8, content_hash<float>(out->view()).hex()};
         };
       }},
      {"drain", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         auto land = rough_land(n, e);
         auto out = std::make_shared<Grid<float>>(n, n);
         auto directions = std::make_shared<Grid<std::uint8_t>>(n, n);
         return [=] {
           hydrology::fill<float>(land->view(), {}, *out, e);
           hydrology::d8<float>(out->view(), CellGeometry::uniform(30, n), {}, *directions, e);
           return Measured{static_cast<double>(out->cells()), 9, content_hash<std::uint8_t>(directions->view()).hex()};
         };
       }},
      {"d8", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         auto land = rough_land(n, e);  // without flats: the steepest descent alone
         auto out = std::make_shared<Grid<float>>(n, n);
         hydrology::fill_epsilon<float>(land->view(), {}, *out, e);
         auto directions = std::make_shared<Grid<std::uint8_t>>(n, n);
         return [=] {
           hydrology::d8<float>(out->view(), CellGeometry::uniform(30, n), {}, *directions, e);
           return Measured{static_cast<double>(out->cells()), 5, content_hash<std::uint8_t>(directions->view()).hex()};
         };
       }},
      {"flats", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         const Land l = drained_land(n, e);
         return [=] {
           hydrology::d8<float>(l.filled->view(), l.geometry, {}, *l.directions, e);
           return Measured{static_cast<double>(l.filled->cells()), 5,
                           content_hash<std::uint8_t>(l.directions->view()).hex()};
         };
       }},
      {"accumulate", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         const Land l = drained_land(n, e);
         auto out = std::make_shared<Grid<double>>(n, n);
         return [=] {
           (void)hydrology::accumulate_area(l.directions->view(), l.geometry, *out, e).ok();
           return Measured{static_cast<double>(out->cells()), 9, content_hash<double>(out->view()).hex()};
         };
       }},
      {"hydrology", 4097, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         auto land = rough_land(n, e);
         auto filled = std::make_shared<Grid<float>>(n, n);
         auto directions = std::make_shared<Grid<std::uint8_t>>(n, n);
         auto area = std::make_shared<Grid<double>>(n, n);
         auto lake = std::make_shared<Grid<std::int32_t>>(n, n);
         return [=] {
           const CellGeometry geometry = CellGeometry::uniform(30, n);
           hydrology::fill<float>(land->view(), {}, *filled, e);
           hydrology::d8<float>(filled->view(), geometry, {}, *directions, e);
           (void)hydrology::accumulate_area(directions->view(), geometry, *area, e).ok();
           hydrology::find_lakes<float>(land->view(), filled->view(), directions->view(), geometry, {}, *lake, e);
           return Measured{static_cast<double>(area->cells()), 21, content_hash<double>(area->view()).hex()};
         };
       }},
      {"droplets", 4097, "droplets",
       [](int n, const Exec& e) -> std::function<Measured()> {
         auto land = rough_land(n, e);
         auto out = std::make_shared<Grid<float>>(n, n);
         return [=] {
           erosion::DropletParams p;
           p.droplets_per_km2 = 0.5 * 1e6 / 900;
           p.path_m = 900;
           p.brush_radius_m = 90;
           erosion::droplets(p, 1, square(n, 30), -1e30, land->view(), *out, {}, {}, e);
           return Measured{0.5 * static_cast<double>(out->cells()), 16, content_hash<float>(out->view()).hex()};
         };
       }},
      {"island", 2049, "cells",
       [](int n, const Exec& e) -> std::function<Measured()> {
         return [=]() -> Measured {
           const Result<recipe::Recipe> recipe = load_recipe("island");
           if (!recipe) return {.error = recipe.error()};
           const Result<GridSpec> spec = recipe::spec_for_samples(*recipe, n, n);
           if (!spec) return {.error = spec.error()};
           const Result<recipe::World> world = recipe::run(*recipe, *spec, e);
           if (!world) return {.error = world.error()};
           return {static_cast<double>(spec->cells()), 60, content_hash<float>(world->find<float>("height")).hex(), {}};
         };
       }},
  };
  return table;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Bytes read plus written per second by a plain copy with the same threads.
double copy_gb_per_s(const Exec& exec) {
  constexpr int kSide = 4096;
  Grid<float> from(kSide, kSide, 1.0F);
  Grid<float> to(kSide, kSide, 2.0F);
  std::vector<double> times;
  for (int i = 0; i < 5; ++i)
    times.push_back(seconds_of([&] {
      parallel_rows(exec, kSide, kSide, [&](int b, int e) {
        std::memcpy(to.row(b), from.row(b), static_cast<std::size_t>(e - b) * kSide * sizeof(float));
      });
    }));
  return 2.0 * kSide * kSide * sizeof(float) / median(times) * 1e-9;
}

struct Options {
  std::vector<std::string> names;
  int size = 0;
};

Outcome run_bench(const Options& o, Session& session) {
  std::vector<const Bench*> chosen;
  std::vector<std::string> known;
  for (const Bench& b : benches()) known.emplace_back(b.name);
  for (const Bench& b : benches())
    if (o.names.empty() || std::find(o.names.begin(), o.names.end(), b.name) != o.names.end()) chosen.push_back(&b);
  for (const std::string& name : o.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string list;
    for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
    return input_error("no benchmark '" + name + "'; there are " + list, "bench");
  }
  if (o.size != 0 && (o.size < 2 || o.size > 65536)) return input_error("must be from 2 to 65536", "--size");
  const Exec exec = session.exec.with_progress([](double) {});
  const double bandwidth = copy_gb_per_s(exec);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Bench* b : chosen) {
    const int size = o.size != 0 ? o.size : b->size;
    constexpr double kBytesPerCell = 120;
    THALWEG_TRY(session.check_memory(static_cast<std::uint64_t>(kBytesPerCell * size * size), b->name));
    const std::function<Measured()> work = b->prepare(size, exec);
    std::vector<double> times;
    Measured result;
    double total = 0;
    while (times.size() < 3 || (times.size() < 9 && total < 3)) {
      times.push_back(seconds_of([&] { result = work(); }));
      total += times.back();
      if (session.exec.cancelled()) return cancelled_error();
      if (result.error) return std::move(*result.error).at(b->name);
      if (total > 60) break;
    }
    const double seconds = median(times);
    if (session.common.json) {
      all.push_back({{"name", b->name},
                     {"size", size},
                     {"threads", exec.threads()},
                     {"simd", simd_level()},
                     {"items", result.items},
                     {"unit", b->unit},
                     {"seconds", seconds},
                     {"hash", result.hash},
                     {"items_per_s", result.items / seconds},
                     {"bytes_per_item", result.bytes_per_item},
                     {"copy_gb_per_s", bandwidth}});
    } else {
      std::printf("%-16s %5d  %2d threads  %-6s %9.4f s  %8.2f M %s/s  %s\n", b->name, size, exec.threads(),
                  simd_level().c_str(), seconds, result.items / seconds * 1e-6, b->unit, result.hash.c_str());
      std::fflush(stdout);
    }
  }
  if (session.common.json) {
    std::printf("%s\n", all.dump(2).c_str());
  } else {
    std::printf("copy: %.1f GB/s\n", bandwidth);
  }
  return Exit::done;
}

}  // namespace

void add_bench(CLI::App& app, Common& common, Run& run) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("bench", "built-in benchmarks; median of several runs");
  std::string list;
  for (const Bench& b : benches()) list += (list.empty() ? "" : ", ") + std::string(b.name);
  sub->add_option("name", o->names, "all, or some of: " + list)->type_name("NAME");
  sub->add_option("--size", o->size, "samples per side")->type_name("N");
  common.add_to(*sub);
  sub->footer("Example: thalweg bench fill accumulate --size 2049");
  sub->callback([o, &run] { run = [o](Session& s) { return run_bench(*o, s); }; });
}

}  // namespace thalweg::cli
