// Random parameters for every row of the operator table over a tiny prepared world: what the checker accepts runs to
// finite heights, what it refuses is one line.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thalweg/recipe/recipe.h"

namespace {
using namespace thalweg;

// Fields, sketches and biomes for steps to read.
constexpr const char* kPrepared = R"(format = "thalweg-recipe 1"
keep = ["ridges", "mask"]
[extent]
size_m = 640
[[sketch]]
name = "points"
points = [[320, 320, 200], [20, 600, -40]]
[[sketch]]
name = "line"
line = [[-50, 100, 10], [300, 300, 90], [700, 200, 10]]
[[sketch]]
name = "ring"
polygon = [[100, 100, 50], [400, 120, 50], [300, 500, 70]]
[[sketch]]
name = "flat"
polygons = [[[100, 100], [400, 100], [400, 400]], [[150, 150], [300, 150], [300, 300]]]
[[step]]
op = "noise"
amplitude_m = 300
[[step]]
op = "noise"
out = "ridges"
fractal = "ridged"
[[step]]
op = "sketch-mask"
sketch = "flat"
[[step]]
op = "distance"
sketch = "points"
out = "ridges"
mask = "mask"
[[step]]
op = "sketch"
sketch = "line"
protect = true
[[step]]
op = "sketch"
sketch = "ring"
[[step]]
op = "rivers"
[[step]]
op = "moisture"
[[step]]
op = "biomes"
)";

// Takes numbers off the front of the input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint32_t below(std::uint32_t count) { return count == 0 ? 0 : number<std::uint16_t>() % count; }
  template <class T>
  T number() {
    T value{};
    const std::size_t taken = size_ < sizeof(T) ? size_ : sizeof(T);
    std::memcpy(&value, data_, taken);
    data_ += taken;
    size_ -= taken;
    return value;
  }
  double between(double min, double max) {
    min = std::isfinite(min) ? min : -1e9;
    max = std::isfinite(max) ? max : 1e9;
    const std::uint32_t kind = below(8);
    if (kind == 0) return min;
    if (kind == 1) return max;
    const double share = number<std::uint16_t>() / 65535.0;
    const bool even = kind < 5 || min <= 0;
    const double v = even ? min + share * share * share * (max - min) : min * std::exp(share * std::log(max / min));
    return std::clamp(v, min, max);  // both may round past the end
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

std::string text_for(const std::string& param, Input& input) {
  static const std::vector<std::string> kSketches = {"points", "line", "ring", "flat", "none"};
  static const std::vector<std::string> kFields = {"height", "ridges", "mask",  "protect", "moisture",
                                                   "wear",   "water",  "fresh", "",        "biome"};
  if (param == "sketch") return kSketches[input.below(5)];
  if (param == "file") return "picture";
  if (param == "mask" && input.below(4) != 0) return input.below(2) == 0 ? "mask" : "protect";
  if (param == "field" && input.below(2) != 0) return "height";
  if (param == "unit") return input.below(2) == 0 ? "m" : "1";
  return kFields[input.below(10)];
}

ParamValue value_for(const ParamInfo& p, Input& input) {
  switch (p.kind) {
    case ParamKind::real:  // the work of droplets grows with their number
      return input.between(p.min, p.name == "droplets_per_km2" ? std::min(p.max, 1e5) : p.max);
    case ParamKind::integer:
      return static_cast<std::int64_t>(std::llround(input.between(p.min, p.max)));
    case ParamKind::boolean:
      return input.below(2) == 1;
    case ParamKind::choice:
      return p.choices[input.below(static_cast<std::uint32_t>(p.choices.size()))];
    case ParamKind::text:
      return text_for(p.name, input);
    case ParamKind::numbers:
      break;
  }
  Numbers list(input.below(6));
  for (double& v : list) v = input.between(p.min, p.max);
  if (input.below(4) != 0) std::sort(list.begin(), list.end());
  return list;
}

recipe::Step random_step(Input& input) {
  const auto table = recipe::operator_table();
  const recipe::Operator& op = table[input.below(static_cast<std::uint32_t>(table.size()))];
  recipe::Step step;
  step.op = op.name;
  step.name = "tried";
  step.place = "fuzz";
  for (const ParamInfo& p : op.params) {
    const bool needed = p.kind == ParamKind::text && std::get<std::string>(p.fallback).empty();
    if (!needed && input.below(2) == 0) continue;
    ParamValue value = value_for(p, input);
    if (param_fault(p, value)) std::abort();
    step.params.push_back({p.name, std::move(value)});
  }
  if (input.below(3) == 0) step.mask = text_for("mask", input);
  return step;
}

void one_line(const Error& error) {
  if (error.message.empty() || error.text().find('\n') != std::string::npos) std::abort();
}

GridSpec random_spec(Input& input) {
  static constexpr int kSizes[][2] = {{17, 9}, {9, 17}, {2, 2}, {2, 7}, {33, 33}, {3, 3}};
  const auto& size = kSizes[input.below(6)];
  GridSpec spec;
  spec.width = size[0];
  spec.height = size[1];
  spec.cell_m = spec.cell_y_m = 640.0 / (spec.width - 1);
  spec.origin_y = -(spec.height - 1);
  return spec;
}

recipe::Images picture() {
  recipe::ImageFile image;
  image.cells = Grid<float>(3, 2, 40.0F);
  image.cells(1, 1) = 255;
  image.cells(2, 0) = kNoData<float>;
  image.most = 255;
  recipe::Images images;
  images["picture"] = std::make_shared<const recipe::ImageFile>(std::move(image));
  return images;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  static const Result<recipe::Recipe> prepared = recipe::parse_recipe(kPrepared, "fuzz.toml");
  if (!prepared) std::abort();
  recipe::Recipe tried = *prepared;
  tried.images = picture();
  recipe::Step random = random_step(input);
  if (random.op == "biomes") tried.steps.pop_back();  // whose biomes nobody would read
  tried.steps.push_back(std::move(random));
  const recipe::Step& step = tried.steps.back();
  for (const recipe::FieldWrite& write : recipe::find_operator(step.op)->fields(step.params).writes)
    if (write.name == "fresh" || write.name == "distance" || write.name == "protect")
      tried.keep.push_back({write.name, "fuzz"});
  if (const Status s = recipe::check_recipe(tried); !s) {
    one_line(s.error());
    return 0;
  }
  // Some accepted parameters ask for hours of work; that is cancelled, and outputs are unspecified then.
  volatile int cancel = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto watch = [&](double) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(2)) cancel = 1;
  };
  const Result<recipe::World> world =
      recipe::run(tried, random_spec(input), Exec().with_progress(watch).with_cancel(&cancel));
  if (cancel != 0) return 0;
  if (!world) {
    one_line(world.error());
    return 0;
  }
  for (const auto& [name, field] : world->fields) {
    const auto* grid = std::get_if<Grid<float>>(&field);
    for (std::int64_t i = 0; grid != nullptr && i < grid->cells(); ++i)
      if (!std::isfinite((*grid)[i])) std::abort();
  }
  return 0;
}
