// The drainage of an elevation model that does not fit into memory.
#pragma once

#include <cstdint>
#include <string>

#include "thalweg/core/exec.h"
#include "thalweg/core/result.h"
#include "thalweg/folder/hydrology.h"
#include "thalweg/folder/writer.h"
#include "thalweg/hydrology/tile_plan.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::folder {

/// Tiles for a grid of `spec` so that the whole command stays under `memory_bytes`; cells of `cell_bytes` (4 or 8).
/// Fails with the need where no tile size fits.
Result<hydrology::TilePlan> plan_tiles(const GridSpec& spec, int cell_bytes, int threads, std::uint64_t memory_bytes);

/// Bytes of scratch files that write_hydrology_tiled needs in the result folder at a time, beside the results.
std::uint64_t scratch_bytes(const GridSpec& spec, int cell_bytes);

/// Fails where the tiled form lacks something that the options ask for.
Status check_tiled(const HydrologyOptions& options);

/// Writes filled.tif, directions.tif and accumulation.tif with the content (and the bytes) that write_hydrology gives
/// them, and world.json, which says that the rest is left out: basins, rivers, lakes and the picture have no tiled
/// form. Depressions are filled; rain is not taken: other `options` are refused. Cells pass through scratch files in
/// the folder, which vanish with the call, also where it fails or is cancelled. Returns world.json.
Result<std::string> write_hydrology_tiled(const std::string& dem_path, const HydrologyOptions& options,
                                          const hydrology::TilePlan& plan, Writer& writer, const Exec& exec);

}  // namespace thalweg::folder
