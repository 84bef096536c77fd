#include <cstdio>

#include "command.h"
#include "thalweg/recipe/operators.h"

namespace thalweg::cli {

void add_ops(CLI::App& app, Common& common, Run& run) {
  struct Options {
    std::string name;
    bool schema = false;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("ops", "the operators of recipes: parameters, units, ranges");
  sub->add_option("name", o->name, "one operator in full")->type_name("NAME");
  sub->add_flag("--schema", o->schema, "JSON schema of recipe files, for editors");
  common.add_to(*sub);
  sub->footer("Example: thalweg ops droplets");
  sub->callback([o, &run] {
    run = [o](Session& session) -> Outcome {
      if (o->schema) {
        std::fputs(recipe::recipe_schema().c_str(), stdout);
        return Exit::done;
      }
      if (!o->name.empty()) {
        const recipe::Operator* op = recipe::find_operator(o->name);
        if (op == nullptr) {
          std::vector<std::string> names;
          for (const recipe::Operator& row : recipe::operator_table()) names.push_back(row.name);
          const std::string near = nearest_name(o->name, names);
          return input_error(
              "unknown operator '" + o->name + "'" +
              (near.empty() ? std::string("; 'thalweg ops' lists them") : "; did you mean '" + near + "'?"));
        }
        std::fputs(session.common.json ? recipe::operator_as_json(*op).c_str() : recipe::operator_as_text(*op).c_str(),
                   stdout);
        return Exit::done;
      }
      std::fputs(session.common.json ? recipe::operators_as_json().c_str() : recipe::operators_as_text().c_str(),
                 stdout);
      return Exit::done;
    };
  });
}

}  // namespace thalweg::cli
