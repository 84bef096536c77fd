// `thalweg generate`: a finished world into a folder.
#pragma once

#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/writer.h"
#include "thalweg/recipe/recipe.h"
#include "thalweg/render/render.h"

namespace thalweg::folder {

/// The picture of a world: perspective of the ground in biome colours, with its water.
render::Scene scene_of(const recipe::World& world);

/// Writes every file of the world that its fields allow, then world.json. Returns the text of world.json. The picture
/// costs as much as a small world; `with_preview` false leaves it out.
Result<std::string> write_world(const recipe::Recipe& recipe, const std::vector<std::string>& settings,
                                recipe::World& world, const std::vector<std::string>& notes, bool with_preview,
                                Writer& writer, const Exec& exec);

}  // namespace thalweg::folder
