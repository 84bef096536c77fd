// Files that a recipe names: who reads them, and what was read. The module itself opens no file, so that it builds
// anywhere.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/core/grid.h"
#include "thalweg/core/result.h"
#include "thalweg/shape/sketch.h"

namespace thalweg::recipe {

/// Points, lines or polygons of a file, in metres east and north of the extent's south-west corner.
struct VectorFile {
  shape::SketchKind kind = shape::SketchKind::points;
  std::vector<std::vector<shape::SketchPoint>> parts;  ///< height_m NaN where the file has none
  std::string hash;                                    ///< content hash, for world.json
};

/// One band of a picture or raster, row 0 north.
struct ImageFile {
  Grid<float> cells;  ///< NaN where the file holds no data
  double least = 0;   ///< what `low` stands for: 0 of whole numbers up to 16 bits, else the least value
  double most = 1;    ///< what `high` stands for: 255 or 65535, else the greatest value
  std::string hash;   ///< content hash of the cells as floats
};

/// Readers of files; paths come as the recipe has them. Errors name the path. An empty function: no file can be read.
struct Resources {
  std::function<Result<VectorFile>(const std::string& path)> load_vectors;
  std::function<Result<ImageFile>(const std::string& path)> load_raster;
};

using Images = std::map<std::string, std::shared_ptr<const ImageFile>>;

}  // namespace thalweg::recipe
