// Reads back what lies in a result folder, or a bare elevation model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/core/result.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::folder {

/// A folder with a world.json, or one elevation model.
struct Input {
  std::string path;
  bool is_folder = false;
  std::string world_json;  ///< its text
  std::string command;     ///< "generate", "hydrology", ... ; "" for a bare model
  std::optional<double> sea_level_m;
  bool promises_island = false;
  std::string depressions;
  std::string routing;
  /// Files that world.json lists, with their type, content hash and unit.
  struct Listed {
    std::string name;
    std::string type;
    std::string hash;
    std::string unit;
  };
  std::vector<Listed> files;

  bool lists(const std::string& name) const;
  std::string file(const std::string& name) const;
  bool has(const std::string& name) const;
  /// The file with the ground: height.tif, or filled.tif of a hydrology folder, or the model itself.
  std::string height_file() const;
};

/// Errors: nothing there; a folder without world.json (not a whole result); a world.json that cannot be read.
Result<Input> open_input(const std::string& path);

/// The first band as float32. `max_cells` as io::read_raster.
Result<Grid<float>> read_floats(const std::string& file, GridSpec* spec, io::ReadAs as = io::ReadAs::elevation);
/// The first band as bytes; cells without data are 255.
Result<Grid<std::uint8_t>> read_bytes(const std::string& file, GridSpec* spec);

/// A band as float32; moves where it is one already.
Grid<float> to_floats(io::Raster&& raster);

/// Most cells that any command reads.
inline constexpr std::int64_t kMaxCells = std::int64_t{1} << 34;

}  // namespace thalweg::folder
