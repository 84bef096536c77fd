#include "thalweg/recipe/world.h"

namespace thalweg::recipe {

std::span<const FieldInfo> field_table() {
  static constexpr FieldInfo kTable[] = {
      {"height", "m", "float32", true, "ground above the datum"},
      {"moisture", "1", "float32", true, "0 dry to 1 wet"},
      {"temperature", "degC", "float32", true, "mean annual temperature"},
      {"water", "m", "float32", true, "depth of sea, lakes and rivers"},
      {"flow", "m2", "float64", true, "drained area, own cell included"},
      {"wear", "m", "float32", true, "ground removed by erosion"},
      {"deposit", "m", "float32", true, "ground laid down by erosion"},
      {"biome", "code", "uint8", true, "code of the biome"},
      {"weights", "1/255", "rgba8", true, "weights of ground textures"},
      {"protect", "1", "float32", false, "1 where erosion must leave the land alone, 0 where it is free"},
      {"directions", "code", "uint8", false, "D8 flow directions"},
      {"lake_id", "code", "int32", false, "number of the lake, 0 elsewhere"},
      {"sea", "code", "uint8", false, "1 in the sea"},
  };
  return kTable;
}

const FieldInfo* find_field(std::string_view name) {
  for (const FieldInfo& info : field_table())
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace thalweg::recipe
