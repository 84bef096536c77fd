// What all commands share: the options that stand everywhere, threads, progress, and how a command ends.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"

namespace thalweg::cli {

/// Options of every command.
struct Common {
  int threads = 0;
  std::string simd;
  std::string memory;
  bool quiet = false;
  bool json = false;

  void add_to(CLI::App& app);
};

/// Exit statuses of cli.md.
enum class Exit : int { done = 0, faults = 1, bad_input = 2, machine = 3, interrupted = 130 };

/// What a command ends with: a status of its own, or an Error.
using Outcome = Result<Exit>;

/// Prepared by main for the command: threads, cancellation by signals, progress on stderr.
struct Session {
  Common common;
  Exec exec;
  std::uint64_t memory_limit_bytes = 0;  ///< of --memory; 0: none given

  /// Shows what is being done; progress lines carry it.
  void stage(std::string_view text) const;
  /// A line of news on stderr, unless --quiet.
  void say(std::string_view text) const;
  /// The same, with --quiet as well.
  void warn(std::string_view text) const;
  /// Fails with status 2 where `need` bytes exceed --memory or the memory that is free.
  Status check_memory(std::uint64_t need, std::string_view what) const;
};

/// Makes the session out of the common options. Errors name the option.
Result<Session> start_session(const Common& common);
/// Ends a progress bar, if one is shown.
void end_progress();

/// A command adds itself to the app; when chosen, `run` is set.
using Run = std::function<Outcome(Session&)>;
void add_generate(CLI::App& app, Common& common, Run& run);
void add_hydrology(CLI::App& app, Common& common, Run& run);
void add_erode(CLI::App& app, Common& common, Run& run);
void add_audit(CLI::App& app, Common& common, Run& run);
void add_export(CLI::App& app, Common& common, Run& run);
void add_mesh(CLI::App& app, Common& common, Run& run);
void add_preview(CLI::App& app, Common& common, Run& run);
void add_info(CLI::App& app, Common& common, Run& run);
void add_ops(CLI::App& app, Common& common, Run& run);
void add_bench(CLI::App& app, Common& common, Run& run);

/// What is wrong with the text of a seed, "" for nothing: numbers too large would be cut to the largest.
std::string seed_fault(const std::string& text);
/// "4G", "512M", "1.5GiB", plain bytes. Powers of 1024.
Result<std::uint64_t> parse_bytes(const std::string& text);
/// "1025" or "1025x513".
struct Size {
  std::int64_t width = 0;
  std::int64_t height = 0;
  bool square = true;  ///< only one number was given
};
Result<Size> parse_size(const std::string& text, const std::string& option);
/// "1.3 GiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace thalweg::cli
