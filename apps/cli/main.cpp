// The command line. Each command lives in a file of its own; this one reads the options and turns errors into one line
// and an exit status.
#include <clocale>
#include <cstdio>
#include <exception>
#include <new>

#include "build_info.h"
#include "command.h"
#include "thalweg/core/params.h"

namespace thalweg::cli {
namespace {

int fail(const Error& error) {
  end_progress();
  std::fprintf(stderr, "thalweg: %s\n", error.text().c_str());
  switch (error.code) {
    case ErrorCode::input:
      return static_cast<int>(Exit::bad_input);
    case ErrorCode::machine:
      return static_cast<int>(Exit::machine);
    case ErrorCode::cancelled:
      return static_cast<int>(Exit::interrupted);
  }
  return static_cast<int>(Exit::machine);
}

// An empty value, e.g. of an unset shell variable, would count as an option that was not given.
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    for (CLI::Option* option : command->get_options())
      option->check([](const std::string& value) { return std::string(value.empty() ? "needs a value" : ""); }, "");
}

// Status 3 where something could not be written to stdout.
int finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return fail(machine_error("the output cannot be written", "standard output"));
  return 0;
}

// The first argument, where it is meant as a command and is none.
std::string unknown_command(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == 0) return {};
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (sub->get_name() == argv[1]) return {};
  return argv[1];
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"Thalweg: terrain whose rivers run downhill to the sea"};
  app.name("thalweg");
  app.require_subcommand(0, 1);
  app.footer(
      "Example: thalweg generate island -o island\n'thalweg COMMAND --help' shows a command's options and an example.");
  bool build_info = false;
  bool version = false;
  app.add_flag("--build-info", build_info, "version, commit, SIMD levels and optional parts");
  app.add_flag("--version", version, "version");
  Common common;
  Run run;
  add_generate(app, common, run);
  add_hydrology(app, common, run);
  add_erode(app, common, run);
  add_audit(app, common, run);
  add_export(app, common, run);
  add_mesh(app, common, run);
  add_preview(app, common, run);
  add_info(app, common, run);
  add_ops(app, common, run);
  add_bench(app, common, run);
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help
      app.exit(e);
      return finish_output();
    }
    if (const std::string word = unknown_command(app, argc, argv); !word.empty()) {
      std::vector<std::string> names;
      for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
      const std::string near = nearest_name(word, names);
      return fail(input_error("no command '" + word + "'" + (near.empty() ? ";" : "; did you mean '" + near + "'?") +
                              " 'thalweg --help' lists them"));
    }
    return fail(input_error(std::string(e.what()) + "; 'thalweg --help' lists commands and options"));
  }
  if (build_info || version) {
    std::fputs(build_info ? build_info_text().c_str() : version_text().c_str(), stdout);
    return finish_output();
  }
  if (!run) {
    std::fputs(app.help().c_str(), stdout);
    return argc > 1 ? static_cast<int>(Exit::bad_input) : 0;
  }
  Result<Session> session = start_session(common);
  if (!session) return fail(session.error());
  const Outcome outcome = run(*session);
  if (session->exec.cancelled()) return fail(cancelled_error());
  if (!outcome) return fail(outcome.error());
  end_progress();
  const int written = finish_output();
  return written != 0 ? written : static_cast<int>(*outcome);
}

}  // namespace
}  // namespace thalweg::cli

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "C");  // numbers are written with a point, whatever the user's locale
  try {
    return thalweg::cli::run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    return thalweg::cli::fail(thalweg::machine_error("out of memory"));
  } catch (const std::exception& e) {
    return thalweg::cli::fail(thalweg::machine_error(std::string("unexpected: ") + e.what()));
  }
}
