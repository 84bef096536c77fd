// The pictures of an operator's page: which worlds they show, what they are called, whether they are up to date.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages.h"
#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/recipe/operators.h"
#include "thalweg/recipe/recipe.h"

namespace thalweg::operator_docs {

struct Picture {
  std::string file;   ///< in the folder images
  std::string value;  ///< of the parameter varied
  Look look;
  std::string world;  ///< look_hash
};

/// Pictures of the values of one parameter.
struct Group {
  std::string param;
  std::vector<std::string> with;
  std::vector<Picture> pictures;
};

struct Album {
  const Page* page = nullptr;
  const recipe::Operator* op = nullptr;
  std::string title;  ///< of the recipe
  std::optional<Picture> before;
  Picture main;
  std::vector<Group> groups;
};

struct Paths {
  std::string recipes;
  std::string docs;

  std::string recipe(const std::string& op) const { return recipes + "/" + op + ".toml"; }
  std::string image(const std::string& file) const { return docs + "/images/" + file; }
};

/// Runs the page's recipe with every setting shown; draws the pictures that `old_list` (the text of pictures.json) does
/// not state with this hash, if `may_draw`. Fails where the recipe does, where a choice or switch has no effect under
/// its settings, and where two values of one give the same picture.
Result<Album> make_album(const Page& page, const Paths& paths, bool may_draw, const std::string& old_list,
                         const Exec& exec);

/// The picture's line in pictures.json: the hashes of its world and of its file as it is now.
std::string list_line(const Picture& picture, const Paths& paths);

}  // namespace thalweg::operator_docs
