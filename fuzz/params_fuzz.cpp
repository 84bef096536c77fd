// Parameters from arbitrary names and values: whatever make_params accepts must pass validate, what it refuses must say
// why, and numbers in messages must read back as they were.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/params.h"

namespace {
using thalweg::ParamWriter;

struct Params {
  enum class Mode { plain, fancy };
  double length_m = 10;
  double open = 0;
  std::int64_t count = 3;
  bool on = false;
  std::string label;
  Mode mode = Mode::plain;
  template <class Visitor>
  static void describe(Params& p, Visitor& v) {
    static constexpr thalweg::Choice<Mode> kModes[] = {{"plain", Mode::plain}, {"fancy", Mode::fancy}};
    v.real("length_m", p.length_m, {.unit = "m", .min = 0.001, .max = 1e7, .help = "length"});
    v.real("open", p.open, {.help = "any number"});
    v.integer("count", p.count, {.min = 1, .max = 32, .help = "count"});
    v.boolean("on", p.on, {.help = "switch"});
    v.text("label", p.label, {.help = "text"});
    v.choice("mode", p.mode, kModes, {.help = "mode"});
  }
};

// Takes fields off the front of the input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
  bool empty() const { return rest_.empty(); }
  std::string text(std::size_t size) {
    const std::string taken(rest_.substr(0, size));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    const std::string bytes = text(sizeof(T));
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }

 private:
  std::string_view rest_;
};

void require(bool condition) {
  if (!condition) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::vector<std::string> names = {"length_m", "open", "count", "on", "label", "mode"};
  std::vector<ParamWriter::Named> values;
  while (!input.empty() && values.size() < 16) {
    const auto which = input.number<std::uint8_t>();
    const std::string name = which % 8 < names.size() ? names[which % 8] : input.text(which / 8);
    switch (which / 8 % 4) {
      case 0: {
        const auto value = input.number<double>();
        const double back = std::strtod(thalweg::format_number(value).c_str(), nullptr);
        require(back == value || (std::isnan(back) && std::isnan(value)));
        values.push_back({name, value});
        break;
      }
      case 1:
        values.push_back({name, input.number<std::int64_t>()});
        break;
      case 2:
        values.push_back({name, input.number<std::uint8_t>() % 2 == 1});
        break;
      default:
        values.push_back({name, input.text(input.number<std::uint8_t>() % 8)});
        break;
    }
    const std::string nearest = thalweg::nearest_name(name, names);
    require(which % 8 >= names.size() || nearest == name);
  }
  const auto made = thalweg::make_params<Params>(values);
  if (made) {
    require(thalweg::validate(*made).ok());
  } else {
    require(!made.error().message.empty());
  }
  return 0;
}
