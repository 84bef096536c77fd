// Terrain attributes as files of a hydrology folder: slope, aspect, wetness and so on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/writer.h"

namespace thalweg::folder {

/// What attributes are made from.
struct AttributeInputs {
  GridView<const float> height;             ///< the model as it came: shape and light
  GridView<const float> surface;            ///< without depressions: height above the drainage
  GridView<const std::uint8_t> directions;  ///< D8 on the surface
  GridView<const double> area_m2;           ///< drained along the directions
  GridView<const double> routed_m2;         ///< drained by the routing that was chosen: of the indices
  double river_m2 = 0;                      ///< where channels begin
};

/// One attribute that can be asked for.
struct AttributeKind {
  std::string_view name;  ///< of the file too: NAME.tif
  std::string_view unit;
  std::string_view help;
};
const std::vector<AttributeKind>& attribute_kinds();

/// Names from a list divided by commas; "all" is every one. Fails on an unknown one, naming the nearest.
Result<std::vector<std::string>> parse_attributes(std::string_view list);

/// Writes NAME.tif, float32, for each of `names`. 8 bytes a cell besides the inputs.
Status write_attributes(const std::vector<std::string>& names, const AttributeInputs& inputs, const GridSpec& spec,
                        const CellGeometry& geometry, Writer& writer, const Exec& exec);

}  // namespace thalweg::folder
