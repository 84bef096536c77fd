// Promises in world.json: written by `generate`, read back by `audit`.
#pragma once

#include <string>
#include <vector>

#include "thalweg/core/grid_spec.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/promises.h"

namespace thalweg::folder {

/// A JSON list of the promises with their sketches, in full precision, and how they fared.
std::string promises_as_json(const std::vector<recipe::Promise>& promises);

/// The promises of a world.json, and the exact place of its grid (but not its size).
struct StoredPromises {
  GridSpec spec;
  std::vector<recipe::Promise> promises;
};
/// Fails where a promise is there but cannot be read.
Result<StoredPromises> read_promises(const std::string& world_json);

/// "sketch 'peak', within 5 m of its height; worst 1.2 m; 3 more under water".
std::string promise_note(const recipe::Promise& promise, const recipe::PromiseResult& result);

}  // namespace thalweg::folder
