// Files for game engines and 3D programs, from a finished folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"

namespace thalweg::folder {

/// One preset: what the program reads, and what its importer must be told (written into export.json).
struct PresetInfo {
  std::string_view name;
  std::string_view help;
};
/// unity, terrain3d, blender, houdini.
const std::vector<PresetInfo>& presets();
/// "unity, terrain3d, ...".
std::string preset_names();
/// "a,b" -> {"a", "b"}.
std::vector<std::string> split_presets(const std::string& list);
/// Fails with the nearest right name.
Status check_preset(const std::string& preset, const std::string& place);

/// Writes the preset's files and export.json (written last) into `out`. One height range serves everything. Fails where
/// the program cannot read a map of this size, naming the sizes that it can.
Status export_preset(const std::string& folder, const std::string& out, const std::string& preset, const Exec& exec);

}  // namespace thalweg::folder
