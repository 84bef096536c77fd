#include "thalweg/recipe/resources.h"

#include "thalweg/recipe/toml_values-inl.h"

namespace thalweg::recipe {
namespace {

Error no_reader(const std::string& place) {
  return input_error("files cannot be read here; write the shapes into the recipe", place);
}

Status load_sketch(SketchSource& source, const Resources& resources) {
  if (!resources.load_vectors) return no_reader(source.file_place);
  Result<VectorFile> file = resources.load_vectors(source.file);
  if (!file) return std::move(file).error().at(source.file_place);
  source.sketch.kind = file->kind;
  source.sketch.parts = std::move(file->parts);
  source.hash = std::move(file->hash);
  source.loaded = true;
  return finish_sketch(source, source.file_place);
}

// The raster that a step names, or "".
std::string file_of(const Step& step) {
  return find_operator(step.op)->fields(step.params).file;
}

}  // namespace

bool Recipe::needs_resources() const {
  for (const SketchSource& s : sketches)
    if (!s.loaded) return true;
  for (const Step& step : steps)
    if (const std::string file = file_of(step); !file.empty() && images.count(file) == 0) return true;
  return false;
}

Status load_resources(Recipe& recipe, const Resources& resources) {
  return guard_memory([&]() -> Status {
    for (SketchSource& source : recipe.sketches)
      if (!source.loaded) THALWEG_TRY(load_sketch(source, resources));
    for (const Step& step : recipe.steps) {
      const std::string file = file_of(step);
      if (file.empty() || recipe.images.count(file) != 0) continue;
      const std::string& place = step.place_of("file");
      if (!resources.load_raster) return no_reader(place);
      Result<ImageFile> image = resources.load_raster(file);
      if (!image) return std::move(image).error().at(place);
      recipe.images[file] = std::make_shared<const ImageFile>(std::move(*image));
    }
    return check_recipe(recipe);
  });
}

}  // namespace thalweg::recipe
