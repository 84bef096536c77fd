// `thalweg audit`: the checks of hydrology/audit.h over a folder or an elevation model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/figures.h"
#include "thalweg/folder/load.h"
#include "thalweg/hydrology/audit.h"

namespace thalweg::folder {

struct AuditReport {
  std::string path;
  std::vector<hydrology::AuditCheck> checks;
  std::optional<Figures> figures;  ///< how natural the land is; what they say is no fault
  bool ok() const;                 ///< of the checks
};

/// Any folder: every file that world.json lists is there with the content of its hash (meshes and GeoPackages: there).
/// generate folder: no pit on land (lakes by their polygons), rivers end and never climb, ledger, promise of an island,
/// files present. hydrology folder: filled.tif has no pit (where its method promises that), directions are acyclic and
/// whole, rivers end and never climb. Bare model: no pit.
Result<AuditReport> audit(const Input& input, const Exec& exec);

/// A line a check, the place of the first fault of each, and the table of figures where there are some; or JSON.
std::string as_text(const AuditReport& report);
std::string as_json(const AuditReport& report);

}  // namespace thalweg::folder
