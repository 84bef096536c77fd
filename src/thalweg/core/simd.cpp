#include "thalweg/core/simd.h"

#include <algorithm>
#include <cctype>

#include <hwy/targets.h>

namespace thalweg {
namespace {
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}
// Targets the CPU has and the compiler built, in Highway's order: better targets have lower bits.
std::vector<std::int64_t> available() {
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  // Highway 1.0.3's query makes dispatch forget the disabled targets; uninitialised, it asks anew and minds them.
  hwy::GetChosenTarget().DeInit();
  std::sort(targets.begin(), targets.end());
  return targets;
}
std::string& cap() {
  static std::string value;
  return value;
}
std::string name_of(std::int64_t target) {
  const std::string name = lower(hwy::TargetName(target));
  return name == "emu128" ? "scalar" : name;
}
}  // namespace

std::vector<std::string> simd_levels() {
  hwy::DisableTargets(0);
  std::vector<std::string> names;
  for (const std::int64_t target : available()) names.push_back(name_of(target));
  if (!cap().empty()) (void)cap_simd(cap());
  return names;
}

Status cap_simd(const std::string& level) {
  hwy::DisableTargets(0);
  cap() = level;
  if (level.empty()) return {};
  const std::vector<std::int64_t> targets = available();
  const auto found = std::find_if(targets.begin(), targets.end(), [&](std::int64_t t) { return name_of(t) == level; });
  if (found == targets.end()) {
    std::string have;
    for (const std::int64_t t : targets) have += (have.empty() ? "" : ", ") + name_of(t);
    cap().clear();
    return input_error("SIMD level '" + level + "' is not available on this machine; it has " + have, "--simd");
  }
  std::int64_t disabled = 0;
  for (auto it = targets.begin(); it != found; ++it) disabled |= *it;
  hwy::DisableTargets(disabled);
  return {};
}

std::string simd_level() {
  const std::vector<std::int64_t> targets = available();
  return targets.empty() ? "scalar" : name_of(targets.front());
}

}  // namespace thalweg
