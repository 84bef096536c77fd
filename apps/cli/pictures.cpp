// preview, mesh, export, info: commands that read a finished folder or an elevation model.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"
#include "thalweg/folder/exports.h"
#include "thalweg/folder/load.h"
#include "thalweg/folder/scene.h"
#include "thalweg/io/files.h"
#include "thalweg/io/mesh_files.h"
#include "thalweg/io/png.h"
#include "thalweg/mesh/grid_mesh.h"

namespace thalweg::cli {
namespace {

// Opens the input and checks that what it needs fits into memory.
Result<folder::Input> open_checked(const std::string& path, double bytes_per_cell, const Session& session) {
  Result<folder::Input> input = folder::open_input(path);
  if (!input) return input;
  const Result<io::Raster> header = io::read_raster_header(input->height_file());
  if (!header) return header.error();
  THALWEG_TRY(session.check_memory(
      static_cast<std::uint64_t>(bytes_per_cell * static_cast<double>(header->spec.cells())) + (64U << 20), path));
  return input;
}

// What was written: JSON on stdout with --json, else a line on stderr.
void report(const Session& session, const std::string& out, const nlohmann::ordered_json& facts,
            const std::string& news) {
  if (!session.common.json) {
    session.say("wrote " + out + news);
    return;
  }
  nlohmann::ordered_json j;
  j["output"] = out;
  j.update(facts);
  std::printf("%s\n", j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

struct PreviewCommand {
  std::string input;
  std::string out;
  std::string size = "1280x720";
  std::string view = "shaded";
  std::string camera;
};

Outcome run_preview(const PreviewCommand& c, Session& session) {
  const Result<Size> size = parse_size(c.size, "--size");
  if (!size) return size.error();
  constexpr std::int64_t kLargest = 16384;
  if (size->width < 16 || size->height < 16 || size->width > kLargest || size->height > kLargest)
    return input_error("a picture has from 16 to 16384 pixels a side", "--size " + c.size);
  folder::PreviewOptions options;
  options.view = c.view;
  options.width = static_cast<int>(size->width);
  options.height = static_cast<int>(size->height);
  THALWEG_TRY(folder::parse_camera(c.camera, options));
  if (std::filesystem::path(c.out).extension() != ".png") return input_error("must end in .png", "-o " + c.out);
  const Result<folder::Input> input = open_checked(c.input, 40, session);
  if (!input) return input.error();
  session.stage("drawing");
  const Result<render::Image> image = folder::preview(*input, options, session.exec);
  if (!image) return image.error();
  if (session.exec.cancelled()) return cancelled_error();
  THALWEG_TRY(io::write_png8(c.out, image->width, image->height, 3, image->rgb));
  report(session, c.out, {{"width", image->width}, {"height", image->height}}, "");
  return Exit::done;
}

struct MeshCommand {
  std::string input;
  std::string out;
  std::int64_t step = 1;
};

Outcome run_mesh(const MeshCommand& c, Session& session) {
  const std::string extension = std::filesystem::path(c.out).extension().string();
  if (extension != ".glb" && extension != ".obj") return input_error("must end in .glb or .obj", "-o " + c.out);
  mesh::GridMeshParams params;
  params.step = c.step;
  if (Status s = validate(params); !s) return std::move(s).error().at("--step");
  const double thinned = 72.0 / static_cast<double>(c.step * c.step);
  const Result<folder::Input> input = open_checked(c.input, 8 + thinned, session);
  if (!input) return input.error();
  GridSpec spec;
  const Result<Grid<float>> height = folder::read_floats(input->height_file(), &spec);
  if (!height) return height.error();
  session.stage("mesh");
  return guard_memory([&]() -> Outcome {
    const mesh::Mesh m = mesh::grid_mesh(params, spec, height->view(), session.exec);
    if (session.exec.cancelled()) return cancelled_error();
    if (m.indices.empty())
      return input_error("makes no triangle; a mesh needs at least 2 x 2 samples with data", c.input);
    io::MeshArrays arrays;
    arrays.positions = m.positions;
    arrays.normals = m.normals;
    arrays.uvs = m.uvs;
    arrays.tangents = m.tangents;
    arrays.indices = m.indices;
    arrays.origin = m.origin;
    const Status written = extension == ".glb" ? io::write_glb(c.out, arrays) : io::write_obj(c.out, arrays);
    if (!written) return written.error();
    report(session, c.out, {{"vertices", m.vertices()}, {"triangles", m.triangles()}},
           " (" + std::to_string(m.vertices()) + " vertices, " + std::to_string(m.triangles()) + " triangles)");
    return Exit::done;
  });
}

Outcome run_info(const std::string& path, Session& session) {
  const Result<folder::Input> input = folder::open_input(path);
  if (!input) return input.error();
  if (input->is_folder && session.common.json) {
    std::fputs(input->world_json.c_str(), stdout);
    return Exit::done;
  }
  if (input->is_folder) {
    const auto j = nlohmann::ordered_json::parse(input->world_json, nullptr, false);
    for (const auto& [key, value] : j.items()) {
      if (key == "recipe" || key == "run") continue;
      if (key == "files" && value.is_object()) {
        std::printf("files:\n");
        for (const auto& [name, f] : value.items()) {
          const auto text = [&, &entry = f](const char* k) {
            return entry.contains(k) ? (entry[k].is_string() ? entry[k].get<std::string>() : entry[k].dump()) : "";
          };
          std::printf("  %-18s %-9s %-5s %s .. %s  %s\n", name.c_str(), text("type").c_str(), text("unit").c_str(),
                      text("min").c_str(), text("max").c_str(), text("hash").c_str());
        }
        continue;
      }
      const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
      std::printf("%s: %s\n", key.c_str(),
                  shown.size() > 200 ? (shown.substr(0, 200) + " ...").c_str() : shown.c_str());
    }
    return Exit::done;
  }
  Result<io::Raster> r = io::read_raster(path, folder::kMaxCells);
  const bool heights = r.ok();
  if (!heights) r = io::read_raster(path, folder::kMaxCells, io::ReadAs::field);  // biomes and other pictures
  if (!r) return r.error();
  nlohmann::ordered_json j;
  j["file"] = path;
  j["size"] = {r->spec.width, r->spec.height};
  j["type"] = std::string(io::name_of(r->file_type));
  j["cell_m"] = {r->spec.cell_m, r->spec.cell_y_m};
  j[heights ? "min_m" : "min"] = r->min;
  j[heights ? "max_m" : "max"] = r->max;
  j["nodata"] = r->file_nodata ? nlohmann::ordered_json(*r->file_nodata) : nlohmann::ordered_json();
  j["nodata_cells"] = r->nodata_cells;
  if (r->spec.georeference) {
    j["geotransform"] = r->spec.georeference->transform;
    j["geographic"] = r->spec.georeference->geographic;
    j["crs"] = r->spec.georeference->crs_wkt;
  }
  if (!r->note.empty()) j["note"] = r->note;
  if (session.common.json) {
    std::printf("%s\n", j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return Exit::done;
  }
  for (const auto& [key, value] : j.items())
    std::printf("%s: %s\n", key.c_str(), value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
  return Exit::done;
}

}  // namespace

void add_preview(CLI::App& app, Common& common, Run& run) {
  auto c = std::make_shared<PreviewCommand>();
  CLI::App* sub = app.add_subcommand("preview", "draw a picture, without GPU or display");
  sub->add_option("input", c->input, "a result folder or an elevation model")->type_name("DIR|DEM")->required();
  sub->add_option("-o,--output", c->out, "PNG to write")->type_name("FILE.png")->required();
  sub->add_option("--size", c->size, "of the picture; 1280x720 by default")->type_name("WxH");
  sub->add_option("--view", c->view, "shaded: perspective (default); relief: map; or a field: height, biome, flow, ...")
      ->type_name("VIEW");
  sub->add_option("--camera", c->camera, "e.g. azimuth=215,elevation=24,distance=1,fov=40,exaggeration=1")
      ->type_name("KEY=VALUE,...");
  common.add_to(*sub);
  sub->footer("Example: thalweg preview island -o island.png --camera azimuth=150,elevation=15");
  sub->callback([c, &run] { run = [c](Session& s) { return run_preview(*c, s); }; });
}

void add_mesh(CLI::App& app, Common& common, Run& run) {
  auto c = std::make_shared<MeshCommand>();
  CLI::App* sub = app.add_subcommand("mesh", "the ground as a triangle mesh");
  sub->add_option("input", c->input, "a result folder or an elevation model")->type_name("DIR|DEM")->required();
  sub->add_option("-o,--output", c->out, "file to write; the ending chooses the format")
      ->type_name("FILE.glb|.obj")
      ->required();
  sub->add_option("--step", c->step, "use every n-th sample")->type_name("K");
  common.add_to(*sub);
  sub->footer("Example: thalweg mesh island -o island.glb --step 2");
  sub->callback([c, &run] { run = [c](Session& s) { return run_mesh(*c, s); }; });
}

void add_export(CLI::App& app, Common& common, Run& run) {
  struct ExportCommand {
    std::string input;
    std::string out;
    std::string preset;
  };
  auto c = std::make_shared<ExportCommand>();
  CLI::App* sub = app.add_subcommand("export", "files for a game engine or 3D program");
  sub->add_option("input", c->input, "a result folder")->type_name("DIR")->required();
  sub->add_option("-o,--output", c->out, "folder to write")->type_name("DIR")->required();
  sub->add_option("--preset", c->preset, folder::preset_names())->type_name("PRESET")->required();
  common.add_to(*sub);
  std::string list;
  for (const folder::PresetInfo& p : folder::presets())
    list += "  " + std::string(p.name) + ": " + std::string(p.help) + "\n";
  sub->footer("Presets:\n" + list + "Example: thalweg export island -o island-unity --preset unity");
  sub->callback([c, &run] {
    run = [c](Session& session) -> Outcome {
      THALWEG_TRY(folder::check_preset(c->preset, "--preset"));
      const Result<folder::Input> input = open_checked(c->input, 16, session);
      if (!input) return input.error();
      session.stage("export");
      if (Status s = folder::export_preset(c->input, c->out, c->preset, session.exec); !s) return s.error();
      report(session, c->out, {{"preset", c->preset}}, "");
      return Exit::done;
    };
  });
}

void add_info(CLI::App& app, Common& common, Run& run) {
  auto path = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("info", "what a file or a result folder holds");
  sub->add_option("input", *path, "a result folder or a raster")->type_name("FILE|DIR")->required();
  common.add_to(*sub);
  sub->footer("Example: thalweg info island");
  sub->callback([path, &run] { run = [path](Session& s) { return run_info(*path, s); }; });
}

}  // namespace thalweg::cli
