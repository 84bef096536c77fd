// Which pictures show which operator.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace thalweg::operator_docs {

/// How a picture shows a world.
enum class View {
  relief,  ///< shaded map of the height with water and rivers
  land,    ///< the land in perspective
  field,   ///< map of a field, with its legend
};

struct Look {
  View view = View::relief;
  std::string field = {};  ///< of View::field
  bool sea = false;        ///< draw a sea at the recipe's sea level even where no step has marked one
};

/// Values of one parameter that get a picture each. Choices and switches need no entry: all their values are shown. One
/// whose values need different settings has several entries, which together name all values.
struct Variation {
  std::string param;
  std::vector<std::string> values = {};  ///< empty: all of a choice or switch
  std::vector<std::string> with = {};    ///< "param=value": settings under which the values differ: of the step,
                                         ///< or "step.param=value"
};

/// A choice or switch that pictures of this operator cannot show.
struct LeftOut {
  std::string param;
  std::string text = {};  ///< Markdown: where it is shown instead; may be empty
};

/// One operator. Its recipe is recipes/NAME.toml; the step shown is the one named "shown", else the only one with the
/// operator.
struct Page {
  std::string op;
  Look main = {};       ///< with the recipe as it stands
  Look options = {};    ///< of the variations
  bool before = false;  ///< also a picture without the step
  std::vector<Variation> variations = {};
  std::vector<LeftOut> left_out = {};
  int samples = 257;  ///< of the world's side
};

std::span<const Page> pages();

}  // namespace thalweg::operator_docs
