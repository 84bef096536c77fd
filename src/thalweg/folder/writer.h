// Writes the files of a result folder and keeps their entries for world.json.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/folder/world_json.h"
#include "thalweg/hydrology/lakes.h"
#include "thalweg/hydrology/rivers.h"
#include "thalweg/io/files.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/vectors.h"
#include "thalweg/render/render.h"

namespace thalweg::folder {

/// One open result folder. Every call writes one whole file; `finish` writes world.json.
class Writer {
 public:
  /// Opens (and creates) the folder before any work is done. The files that an earlier world.json in it lists are
  /// deleted, so that none of them looks current; other files are left alone. Fails where one of `inputs` lies in the
  /// folder, since writing there would destroy it.
  static Result<Writer> open(const std::string& path, const std::vector<std::string>& inputs);

  template <class T>
  Status raster(const std::string& name, const std::string& kind, const std::string& unit, GridView<const T> cells,
                const GridSpec& spec, io::GeoTiffOptions options);
  Status rivers(const hydrology::RiverNetwork& network, const GridSpec& spec, bool geopackage);
  Status lakes(const std::vector<hydrology::Lake>& lakes, const GridSpec& spec);
  /// A GeoJSON file. `type` is that of its objects: "lines", "polygons".
  Status layer(const std::string& name, const std::string& type, const io::Layer& layer);
  Status weights(const std::vector<Grid<std::uint32_t>>& weights);
  Status picture(const std::string& name, const render::Image& image);
  /// The ground as a glTF mesh with at most about 513 samples a side.
  Status terrain_mesh(GridView<const float> height, const GridSpec& spec, const Exec& exec);

  /// Lists a file that was written into the folder by other means.
  void add(FileEntry entry) { files_.push_back(std::move(entry)); }

  /// Fills in the files and writes world.json last.
  Result<std::string> finish(WorldRecord record) const;

  const io::OutputFolder& folder() const { return folder_; }

 private:
  explicit Writer(io::OutputFolder folder) : folder_(std::move(folder)) {}
  io::OutputFolder folder_;
  std::vector<FileEntry> files_;
};

}  // namespace thalweg::folder
