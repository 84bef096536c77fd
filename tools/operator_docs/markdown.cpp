#include "markdown.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "thalweg/core/params.h"

namespace thalweg::operator_docs {
namespace {

constexpr int kMostPerRow = 3;
constexpr const char* kMadeBy =
    "<!-- Made by `cmake --build build/release --target operator_docs`; do not edit. -->\n\n";

// Text for a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += "\\|";
    else if (c == '<')
      out += "&lt;";
    else if (c == '*')
      out += "\\*";
    else
      out += c;
  }
  return out;
}

std::string code(const std::string& text) {
  return "`" + text + "`";
}

std::string listed(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& t : texts) out += (out.empty() ? "" : ", ") + t;
  return out;
}

std::string codes(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& n : names) out.push_back(code(n));
  return listed(out);
}

// "`height`", "the field `field` (`height` by default)".
template <class Use>
std::string fields(const std::vector<Use>& uses) {
  std::vector<std::string> out;
  for (const Use& use : uses) {
    if (use.param.empty()) {
      out.push_back(code(use.name));
    } else {
      out.push_back("the field " + code(use.param) + (use.name.empty() ? "" : " (" + code(use.name) + " by default)"));
    }
  }
  return out.empty() ? "nothing" : listed(out);
}

std::string range_of(const ParamInfo& info) {
  const bool bounded = std::isfinite(info.min) && std::isfinite(info.max);
  const std::string range = bounded ? format_number(info.min) + " to " + format_number(info.max) : "any";
  switch (info.kind) {
    case ParamKind::real:
      return range;
    case ParamKind::integer:
      return "whole, " + range;
    case ParamKind::boolean:
      return "`true`, `false`";
    case ParamKind::choice:
      return codes(info.choices);
    case ParamKind::text:
      return "text";
    case ParamKind::numbers:
      return "list, each " + range;
  }
  return {};
}

struct Shown {
  std::string operator()(double v) const { return format_number(v); }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(const std::string& v) const { return v.empty() ? "" : code(v); }
  std::string operator()(const Numbers& v) const {
    std::string out;
    for (const double x : v) out += (out.empty() ? "[" : ", ") + format_number(x);
    return out.empty() ? "[]" : out + "]";
  }
};

std::string default_of(const recipe::Operator& op, const ParamInfo& p) {
  const bool required = std::find(op.required.begin(), op.required.end(), p.name) != op.required.end();
  return required ? "required" : std::visit(Shown{}, p.fallback);
}

std::string parameters(const recipe::Operator& op) {
  if (op.params.empty()) return {};
  std::string out = "## Parameters\n\n| name | default | range | unit | meaning |\n|---|---|---|---|---|\n";
  for (const ParamInfo& p : op.params)
    out += "| " + code(p.name) + " | " + default_of(op, p) + " | " + range_of(p) + " | " + cell(p.unit) + " | " +
           cell(p.help) + " |\n";
  return out + "\n";
}

std::string reach_of(const recipe::Operator& op) {
  switch (op.reach) {
    case recipe::Reach::point:
      return "itself alone";
    case recipe::Reach::local:
      return std::to_string(op.halo_cells({}, 8.0)) + " cells around it, at cells of 8 m and by default";
    case recipe::Reach::global:
      return "the whole world";
  }
  return {};
}

std::string facts(const recipe::Operator& op) {
  const recipe::FieldUse use = op.fields({});
  std::string out = "Reads " + fields(use.reads);
  if (!use.may_read.empty()) out += ", and where they exist " + fields(use.may_read);
  out += "; writes " + fields(use.writes) + ". Each cell depends on " + reach_of(op) + ".";
  return out + (op.maskable ? " Takes a `mask`." : "") + "\n\n";
}

std::string image(const std::string& file, const std::string& alt) {
  return "![" + alt + "](images/" + file + ")";
}

// Pictures side by side with captions below.
std::string montage(const std::vector<const Picture*>& pictures, const std::vector<std::string>& captions,
                    int per_row) {
  std::string out;
  for (std::size_t begin = 0; begin < pictures.size(); begin += static_cast<std::size_t>(per_row)) {
    const std::size_t end = std::min(pictures.size(), begin + static_cast<std::size_t>(per_row));
    std::string top = "|";
    std::string rule = "|";
    std::string bottom = "|";
    for (std::size_t i = begin; i < end; ++i) {
      std::string alt = captions[i].substr(0, captions[i].find('<'));
      std::erase(alt, '`');
      top += " " + image(pictures[i]->file, alt) + " |";
      rule += ":---:|";
      bottom += " " + captions[i] + " |";
    }
    out += top + "\n" + rule + "\n" + bottom + "\n\n";
  }
  return out;
}

std::string settings(const std::vector<std::string>& with) {
  std::string out;
  for (const std::string& setting : with) {
    const std::size_t equals = setting.find('=');
    out += (out.empty() ? "" : ", ") + code(setting.substr(0, equals) + " = " + setting.substr(equals + 1));
  }
  return out;
}

// The pictures of one parameter. Settings that all share stand above, others below their pictures.
std::string option(std::span<const Group> groups, View view) {
  std::string out = "### " + groups.front().param + "\n\n";
  if (groups.size() == 1 && !groups.front().with.empty()) out += "With " + settings(groups.front().with) + ".\n\n";
  std::vector<const Picture*> shown;
  std::vector<std::string> captions;
  for (const Group& group : groups)
    for (const Picture& p : group.pictures) {
      shown.push_back(&p);
      captions.push_back(code(p.value));
      if (groups.size() > 1 && !group.with.empty()) captions.back() += "<br>" + settings(group.with);
    }
  return out + montage(shown, captions, view == View::relief ? kMostPerRow : 2);
}

std::string pictures(const Album& album) {
  const std::string& name = album.op->name;
  std::string out = "## Pictures\n\n[recipes/" + name + ".toml](../../tools/operator_docs/recipes/" + name + ".toml)" +
                    (album.title.empty() ? "" : ": " + album.title) + ".\n\n";
  if (album.before) {
    out += montage({&*album.before, &album.main}, {"without " + code(name), "with it"}, 2);
  } else {
    out += image(album.main.file, name) + "\n\n";
  }
  for (std::size_t g = 0; g < album.groups.size();) {
    const std::string& param = album.groups[g].param;
    std::size_t end = g + 1;
    while (end < album.groups.size() && album.groups[end].param == param) ++end;
    out += option(std::span(album.groups).subspan(g, end - g), album.page->options.view);
    g = end;
  }
  std::string elsewhere;
  for (const LeftOut& l : album.page->left_out)
    if (!l.text.empty()) elsewhere += l.text + "\n";
  return out + elsewhere + (elsewhere.empty() ? "" : "\n");
}

}  // namespace

std::string page_text(const Album& album) {
  const recipe::Operator& op = *album.op;
  std::string help = op.help;
  if (!help.empty()) help[0] = static_cast<char>(help[0] >= 'a' && help[0] <= 'z' ? help[0] - 'a' + 'A' : help[0]);
  return "# " + op.name + "\n\n" + kMadeBy + cell(help) + ".\n\n" + facts(op) + "```toml\n" + op.example + "```\n\n" +
         parameters(op) + pictures(album);
}

std::string index_text(std::span<const Album> albums) {
  std::string out = "# Operators\n\n";
  out += kMadeBy;
  out +=
      "The steps of [recipes](../recipes.md): what each does, its parameters, and pictures of what they change. "
      "`thalweg ops NAME` prints the same table.\n\n| | operator | |\n|---|---|---|\n";
  for (const Album& a : albums)
    out += "| <img src=\"images/" + a.main.file + "\" width=\"160\" alt=\"" + a.op->name + "\"> | [" + a.op->name +
           "](" + a.op->name + ".md) | " + cell(a.op->help) + " |\n";
  return out;
}

}  // namespace thalweg::operator_docs
