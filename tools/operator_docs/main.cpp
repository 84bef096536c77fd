// operator_docs_maker write|check --recipes FOLDER --docs FOLDER
//
// `write` makes docs/operators from the operator table: Markdown, pictures, and pictures.json, which states for each
// picture the hash of the world it shows and of its file. `check` tells what is missing, left over or out of date: it
// runs every recipe again and compares, but draws nothing, since the bytes of pictures may differ between machines.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "album.h"
#include "markdown.h"
#include "thalweg/io/files.h"

namespace thalweg::operator_docs {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{4} << 20;  // of all pictures

constexpr std::size_t kMostTold = 10;  // differences of one file

struct Documents {
  std::map<std::string, std::string> texts;  ///< by file name in the folder
  std::set<std::string> images;
  std::vector<std::string> problems;
};

std::string list_of(const std::vector<Album>& albums, const Paths& paths) {
  std::map<std::string, std::string> lines;
  const auto add = [&](const Picture& p) { lines[p.file] = list_line(p, paths); };
  for (const Album& a : albums) {
    add(a.main);
    if (a.before) add(*a.before);
    for (const Group& g : a.groups)
      for (const Picture& p : g.pictures) add(p);
  }
  std::string out = "{\n";
  for (const auto& [file, line] : lines) out += line + ",\n";
  if (!lines.empty()) out.erase(out.size() - 2, 1);
  return out + "}\n";
}

// Everything that should stand in the folder.
Documents make(const Paths& paths, bool may_draw, const Exec& exec) {
  Documents out;
  const Result<std::string> old = io::read_text_file(paths.docs + "/pictures.json");
  const std::string old_list = old ? *old : std::string();
  std::vector<Album> albums;
  for (const recipe::Operator& op : recipe::operator_table()) {
    const auto all = pages();
    const auto page = std::find_if(all.begin(), all.end(), [&](const Page& p) { return p.op == op.name; });
    if (page == all.end()) {
      out.problems.push_back("operator " + op.name + ": no pictures; add it to tools/operator_docs/pages.cpp");
      continue;
    }
    Result<Album> album = make_album(*page, paths, may_draw, old_list, exec);
    if (album) {
      albums.push_back(std::move(*album));
    } else {
      out.problems.push_back(album.error().text());
    }
  }
  for (const Album& a : albums) {
    out.texts[a.op->name + ".md"] = page_text(a);
    out.images.insert(a.main.file);
    if (a.before) out.images.insert(a.before->file);
    for (const Group& g : a.groups)
      for (const Picture& p : g.pictures) out.images.insert(p.file);
  }
  out.texts["README.md"] = index_text(albums);
  out.texts["pictures.json"] = list_of(albums, paths);
  return out;
}

// Files of the folder that are none of the documents.
std::vector<fs::path> left_over(const Documents& documents, const Paths& paths) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(paths.docs, none))
    if (entry.is_regular_file() && documents.texts.count(entry.path().filename().string()) == 0)
      found.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(paths.docs + "/images", none))
    if (documents.images.count(entry.path().filename().string()) == 0) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::uintmax_t bytes_of_images(const Paths& paths) {
  std::uintmax_t sum = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(paths.docs + "/images", none)) sum += entry.file_size(none);
  return sum;
}

void write(const Paths& paths, Documents& documents) {
  for (const fs::path& path : left_over(documents, paths)) fs::remove(path);
  for (const auto& [name, text] : documents.texts)
    if (const Status s = io::write_text_file(paths.docs + "/" + name, text); !s)
      documents.problems.push_back(s.error().text());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

void check(const Paths& paths, Documents& documents) {
  for (const auto& [name, text] : documents.texts) {
    const Result<std::string> have = io::read_text_file(paths.docs + "/" + name);
    if (!have) {
      documents.problems.push_back(name + ": missing");
      continue;
    }
    const std::vector<std::string> want_lines = lines_of(text);
    const std::vector<std::string> have_lines = lines_of(*have);
    std::size_t told = 0;
    for (std::size_t i = 0; i < std::max(want_lines.size(), have_lines.size()); ++i) {
      const std::string& want = i < want_lines.size() ? want_lines[i] : "(the end)";
      const std::string& got = i < have_lines.size() ? have_lines[i] : "(the end)";
      if (want == got) continue;
      documents.problems.push_back(name + ":" + std::to_string(i + 1) + ": out of date\n  stands: " + got +
                                   "\n  should: " + want);
      if (++told == kMostTold || want_lines.size() != have_lines.size()) break;
    }
  }
  for (const fs::path& path : left_over(documents, paths)) documents.problems.push_back(path.string() + ": left over");
}

int run(int count, char** words) {
  Paths paths;
  const bool may_write = count > 1 && std::strcmp(words[1], "write") == 0;
  for (int i = 2; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--recipes") == 0) paths.recipes = words[i + 1];
    if (std::strcmp(words[i], "--docs") == 0) paths.docs = words[i + 1];
  }
  if (count != 6 || paths.recipes.empty() || paths.docs.empty() ||
      (!may_write && std::strcmp(words[1], "check") != 0)) {
    std::fputs("usage: operator_docs_maker write|check --recipes FOLDER --docs FOLDER\n", stderr);
    return 2;
  }
  if (may_write) fs::create_directories(paths.docs + "/images");
  Documents documents = make(paths, may_write, Exec(0));
  if (may_write) {
    write(paths, documents);
  } else {
    check(paths, documents);
  }
  if (bytes_of_images(paths) > kMostBytes) documents.problems.push_back("the pictures are larger than 4 MiB in all");
  for (const std::string& problem : documents.problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!documents.problems.empty() && !may_write)
    std::fputs("docs/operators is made by: cmake --build build/release --target operator_docs\n", stderr);
  std::printf("%zu operators, %zu pictures of %ju bytes, %zu problems\n", documents.texts.size() - 2,
              documents.images.size(), bytes_of_images(paths), documents.problems.size());
  return documents.problems.empty() ? 0 : 1;
}

}  // namespace
}  // namespace thalweg::operator_docs

int main(int count, char** words) {
  return thalweg::operator_docs::run(count, words);
}
