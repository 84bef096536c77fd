#include "thalweg/folder/audit.h"

#include <cstdio>

#include "command.h"

namespace thalweg::cli {

void add_audit(CLI::App& app, Common& common, Run& run) {
  auto path = std::make_shared<std::string>();
  CLI::App* sub =
      app.add_subcommand("audit", "check that no pit is left, that rivers end and never climb, that mass is kept");
  sub->add_option("input", *path, "a result folder or an elevation model")->type_name("DIR|DEM")->required();
  common.add_to(*sub);
  sub->footer("Exit status 1 where faults are found.\nExample: thalweg audit island");
  sub->callback([path, &run] {
    run = [path](Session& session) -> Outcome {
      const Result<folder::Input> input = folder::open_input(*path);
      if (!input) return input.error();
      const Result<io::Raster> header = io::read_raster_header(input->height_file());
      if (!header) return header.error();
      constexpr double kBytesPerCell = 40;
      THALWEG_TRY(session.check_memory(
          static_cast<std::uint64_t>(kBytesPerCell * static_cast<double>(header->spec.cells())) + (64U << 20), *path));
      session.stage("audit");
      const Result<folder::AuditReport> report = folder::audit(*input, session.exec);
      if (!report) return report.error();
      end_progress();
      const std::string text = session.common.json ? folder::as_json(*report) : folder::as_text(*report);
      std::fputs(text.c_str(), stdout);
      return report->ok() ? Exit::done : Exit::faults;
    };
  });
}

}  // namespace thalweg::cli
