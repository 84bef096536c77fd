#include "build_info.h"

#include "thalweg/core/exec.h"
#include "thalweg/core/simd.h"
#include "thalweg/core/version.h"
#include "thalweg_build_info.h"

namespace thalweg::cli {

std::string version_text() {
  return "thalweg " + std::string(kVersion) + "\n";
}

std::string build_info_text() {
  std::string out = version_text();
  out += "commit: " THALWEG_COMMIT "\n";
  out += "compiler: " THALWEG_COMPILER ", " THALWEG_BUILD_TYPE "\n";
  out += "simd:";
  for (const std::string& level : simd_levels()) out += " " + level;
  out += "\ntasks: ";
  out += Exec(2).backend() == TaskBackend::tbb ? "oneTBB" : "standard threads";
  out += "\nparts: GDAL\n";
  return out;
}

}  // namespace thalweg::cli
