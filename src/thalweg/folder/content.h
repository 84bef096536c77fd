// Content hashes of the files of a result, read back from the disk.
#pragma once

#include <string>

#include "thalweg/core/result.h"

namespace thalweg::folder {

/// The hash that world.json would hold for this file, by its type there ("float32", "lines", "rgba8", ...); empty for
/// types whose content cannot be read back (meshes, GeoPackage).
Result<std::string> hash_of_file(const std::string& file, const std::string& type);

}  // namespace thalweg::folder
