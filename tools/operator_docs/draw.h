// Pictures of worlds, small enough to keep.
#pragma once

#include <string>

#include "pages.h"
#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/world.h"

namespace thalweg::operator_docs {

/// Hash of everything that the picture of the world depends on: what is shown of the world, and how. The same on every
/// machine, unlike the picture's bytes.
std::string look_hash(const recipe::World& world, const Look& look);

/// Draws and writes it as a PNG with a palette.
Status draw(const recipe::World& world, const Look& look, const std::string& path, const Exec& exec);

}  // namespace thalweg::operator_docs
