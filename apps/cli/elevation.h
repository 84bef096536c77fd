// Elevation models given on the command line: any file GDAL reads, or a raw file with --raw.
#pragma once

#include <string>

#include "command.h"
#include "thalweg/io/gdal/raster.h"

namespace thalweg::cli {

struct ElevationOption {
  std::string path;
  std::string raw;
  void add_to(CLI::App& sub);
};

/// Memory that read_elevation asks for a model of so many cells.
std::uint64_t elevation_bytes(std::int64_t cells, double bytes_per_cell);

/// Reads it after checking that `bytes_per_cell` more fit into memory. Fails where there is no height in it.
Result<io::Raster> read_elevation(const ElevationOption& option, double bytes_per_cell, const Session& session);

}  // namespace thalweg::cli
