// The pages as Markdown.
#pragma once

#include <span>
#include <string>

#include "album.h"

namespace thalweg::operator_docs {

std::string page_text(const Album& album);
/// The index of all pages.
std::string index_text(std::span<const Album> albums);

}  // namespace thalweg::operator_docs
