// What Highway's compiled library would give to a WebAssembly build, where the headers alone are used: there is one
// target, chosen at compile time, so run-time detection has nothing to detect.
#include <hwy/targets.h>

namespace hwy {
namespace {
std::int64_t disabled = 0;
}
std::int64_t SupportedTargets() {
  const std::int64_t left = HWY_TARGETS & ~disabled;
  return left != 0 ? left : HWY_STATIC_TARGET;
}
void DisableTargets(std::int64_t targets) {
  disabled = targets;
}
void SetSupportedTargetsForTest(std::int64_t targets) {
  disabled = targets == 0 ? 0 : ~targets;
}
ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}
}  // namespace hwy
