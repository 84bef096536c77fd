// world.json: the sidecar that says what lies in a result folder and how it came about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/core/content_hash.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/recipe/world.h"

namespace thalweg::folder {

inline constexpr std::string_view kWorldFormat = "thalweg-world 1";

/// One file of a folder.
struct FileEntry {
  std::string name;
  std::string kind;  ///< "height", "water", ...
  std::string type;  ///< "float32", "lines", ...
  std::string unit;
  std::optional<double> min;
  std::optional<double> max;
  std::string hash;
  std::string note;
};

/// A file that the recipe names.
struct InputEntry {
  std::string file;  ///< as the recipe has it
  std::string kind;  ///< "vectors", "raster"
  std::string hash;  ///< of its content
};

/// Everything world.json holds, filled by the command that makes the folder.
struct WorldRecord {
  std::string command;  ///< "generate", "hydrology", "erode"
  std::string source;   ///< recipe or elevation model
  std::string recipe_text;
  std::vector<std::string> settings;  ///< --set
  std::optional<std::uint64_t> seed;
  GridSpec spec;
  std::optional<double> sea_level_m;
  bool promises_island = false;
  std::vector<std::string> options;  ///< of the command line that repeat the run
  std::string depressions;           ///< hydrology: the method
  std::string routing;               ///< hydrology: the method
  double min_height_m = 0;
  double max_height_m = 0;
  std::vector<FileEntry> files;
  std::vector<InputEntry> inputs;
  std::vector<recipe::LedgerEntry> ledgers;
  std::vector<recipe::Promise> promises;
  std::vector<std::string> biome_names;
  std::vector<std::string> layer_names;
  std::vector<std::string> notes;
  // Outside every hash:
  std::vector<recipe::StepTiming> timings;
  int threads = 1;
  std::string simd;
};

std::string world_json(const WorldRecord& record);

/// Minimum and maximum over the cells that are not NoData; nothing where there are none.
template <class T>
void set_range(FileEntry& entry, GridView<const T> cells);

}  // namespace thalweg::folder
