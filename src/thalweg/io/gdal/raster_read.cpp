#include <gdal_priv.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <system_error>
#include <type_traits>

#include "thalweg/io/files.h"
#include "thalweg/io/gdal/ascii_grid.h"
#include "thalweg/io/gdal/placement.h"
#include "thalweg/io/gdal/raster.h"
#include "thalweg/io/gdal/raster_windows.h"
#include "thalweg/io/gdal/session.h"

namespace thalweg::io {
namespace {
constexpr double kMaxHeightM = 1e9;
constexpr std::int64_t kChunkBytes = std::int64_t{8} << 20;

// An opened band and how its raw values become the ones we hand out.
struct Source {
  GDALDatasetUniquePtr dataset;
  GDALRasterBand* band = nullptr;
  Raster raster;  // all but the cells
  bool south_up = false;
  bool signed_byte = false;
  bool hidden_by_mask = false;
  double scale = 1;
  double offset = 0;
  bool refuse_huge = false;
};

std::optional<CellType> cell_type(GDALDataType type) {
  switch (type) {
    case GDT_Byte:
      return CellType::u8;
    case GDT_Int16:
      return CellType::i16;
    case GDT_UInt16:
      return CellType::u16;
    case GDT_Int32:
      return CellType::i32;
    case GDT_UInt32:
      return CellType::u32;
    case GDT_Float32:
      return CellType::f32;
    case GDT_Float64:
      return CellType::f64;
    default:
      return std::nullopt;
  }
}

bool becomes_double(CellType type) {
  return type == CellType::i32 || type == CellType::u32 || type == CellType::f64;
}

// Metres per named unit, 0 for names that are no length.
double metres_per(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::replace(name.begin(), name.end(), '_', ' ');
  std::replace(name.begin(), name.end(), '-', ' ');
  struct Unit {
    const char* name;
    double metres;
  };
  static constexpr double kUsFoot = 1200.0 / 3937.0;
  static constexpr Unit kUnits[] = {{"m", 1},
                                    {"metre", 1},
                                    {"meter", 1},
                                    {"metres", 1},
                                    {"meters", 1},
                                    {"ft", 0.3048},
                                    {"foot", 0.3048},
                                    {"feet", 0.3048},
                                    {"us ft", kUsFoot},
                                    {"ft us", kUsFoot},
                                    {"ftus", kUsFoot},
                                    {"foot us", kUsFoot},
                                    {"us survey foot", kUsFoot},
                                    {"us survey feet", kUsFoot},
                                    {"us foot", kUsFoot},
                                    {"us feet", kUsFoot},
                                    {"km", 1000},
                                    {"dm", 0.1},
                                    {"cm", 0.01},
                                    {"mm", 0.001}};
  for (const Unit& unit : kUnits) {
    if (name == unit.name) return unit.metres;
  }
  return 0;
}

Status check_path(const std::string& path) {
  if (path.empty()) return input_error("an input file needs a name");
  // GDAL's own paths (/vsizip/..., NETCDF:file:variable) are left to it.
  if (path.starts_with("/vsi")) return {};
  std::error_code ec;
  const auto status = std::filesystem::status(path, ec);
  if (std::filesystem::exists(status)) {
    if (std::filesystem::is_regular_file(status)) {
      std::FILE* probe = std::fopen(path.c_str(), "rb");
      if (probe == nullptr) return system_error("cannot read", path, errno);
      std::fclose(probe);
    }
    return {};
  }
  if (path.find(':') != std::string::npos) return {};
  return system_error("cannot read", path, ec ? ec.value() : ENOENT);
}

Status open_dataset(GdalSession& session, const std::string& path, const char* const* options, Source& source) {
  source.dataset.reset(
      GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, options));
  if (source.dataset == nullptr) {
    std::error_code ec;
    if (std::filesystem::is_directory(path, ec)) return input_error("is a folder that holds no raster", path);
    return session.error(ErrorCode::input, "is no raster that can be read", path);
  }
  session.forget();  // drivers that declined the file may have complained
  if (source.dataset->GetRasterCount() == 0) {
    CSLConstList subsets = source.dataset->GetMetadata("SUBDATASETS");
    const char* first = CSLFetchNameValue(subsets, "SUBDATASET_1_NAME");
    return input_error(first != nullptr ? std::string("holds several rasters; name one, e.g. ") + first
                                        : std::string("holds no raster"),
                       path);
  }
  source.band = source.dataset->GetRasterBand(1);
  return {};
}

// Type, colours and bands: is this a raster of quantities at all?
Status classify(const std::string& path, ReadAs as, Source& source) {
  const GDALDataType type = source.band->GetRasterDataType();
  if (GDALDataTypeIsComplex(type) != 0) return input_error("holds complex numbers, not heights", path);
  const std::optional<CellType> cell = cell_type(type);
  if (!cell) {
    return input_error(std::string("holds ") + GDALGetDataTypeName(type) +
                           " numbers; convert it, e.g. with gdal_translate -ot Float64",
                       path);
  }
  source.raster.file_type = *cell;
  const char* pixel_type = source.band->GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
  source.signed_byte = *cell == CellType::u8 && pixel_type != nullptr && std::strcmp(pixel_type, "SIGNEDBYTE") == 0;
  const int bands = source.dataset->GetRasterCount();
  if (as == ReadAs::elevation) {
    const GDALColorInterp colour = source.band->GetColorInterpretation();
    if (source.band->GetColorTable() != nullptr || colour == GCI_PaletteIndex) {
      return input_error("is a picture with a palette, not an elevation model", path);
    }
    const bool small_integers = *cell == CellType::u8 || (*cell == CellType::u16 && colour == GCI_RedBand);
    if (bands >= 3 && small_integers) {
      return input_error("is a colour picture (" + std::to_string(bands) + " bands), not an elevation model", path);
    }
  }
  const bool has_alpha = bands == 2 && source.dataset->GetRasterBand(2)->GetColorInterpretation() == GCI_AlphaBand;
  if (bands > 1 && !has_alpha) add_note(source.raster.note, "first of " + std::to_string(bands) + " bands");
  return {};
}

// NoData, scale and offset, and the band's names.
Status read_band_facts(const std::string& path, Source& source) {
  int has = 0;
  const double nodata = source.band->GetNoDataValue(&has);
  if (has != 0) source.raster.file_nodata = nodata;
  const int flags = source.band->GetMaskFlags();
  source.hidden_by_mask = (flags & (GMF_ALL_VALID | GMF_NODATA)) == 0;
  const double scale = source.band->GetScale(&has);
  if (has != 0) source.scale = scale;
  const double offset = source.band->GetOffset(&has);
  if (has != 0) source.offset = offset;
  if (!std::isfinite(source.scale) || source.scale == 0 || !std::isfinite(source.offset)) {
    return input_error("has a value scale or offset that makes no sense", path);
  }
  source.raster.description = source.band->GetDescription();
  source.raster.unit = source.band->GetUnitType();
  for (int i = 0; i < 256; ++i) {
    const char* name = source.band->GetMetadataItem(("CATEGORY_" + std::to_string(i)).c_str());
    if (name == nullptr) break;
    source.raster.categories.emplace_back(name);
  }
  return {};
}

// Folds the vertical unit into scale and offset.
void convert_height_unit(Source& source, const Placement& place) {
  Raster& raster = source.raster;
  double metres = place.vertical_unit_m;
  std::string name = place.vertical_unit;
  if (!raster.unit.empty()) {
    name = raster.unit;
    if (name == "1") return;  // a count or a code, such as our drainage directions
    metres = metres_per(name);
    if (metres == 0) {
      add_note(raster.note, "unknown unit '" + name + "' taken for metres");
      return;
    }
  }
  if (name.empty()) return;
  raster.unit = "m";
  if (metres == 1.0) return;
  source.scale *= metres;
  source.offset *= metres;
  add_note(raster.note, "heights converted from '" + name + "' to metres");
}

Status open_source(GdalSession& session, const std::string& path, ReadAs as, Source& source,
                   const char* const* options = nullptr) {
  THALWEG_TRY(check_path(path));
  THALWEG_TRY(open_dataset(session, path, options, source));
  THALWEG_TRY(classify(path, as, source));
  THALWEG_TRY(read_band_facts(path, source));
  Placement place;
  THALWEG_TRY(place_raster(*source.dataset, path, as == ReadAs::elevation, place));
  source.raster.spec = place.spec;
  source.south_up = place.south_up;
  if (!place.note.empty()) add_note(source.raster.note, place.note);
  if (as == ReadAs::elevation) {
    convert_height_unit(source, place);
    source.refuse_huge = true;
  }
  source.raster.heights_are_file_values = source.scale == 1 && source.offset == 0;
  return {};
}

// Checks the text of an Esri ASCII grid; opened anew as Float64 where GDAL would squeeze its values into integers.
Status settle_ascii_grid(GdalSession& session, const std::string& path, ReadAs as, Source& source) {
  if (std::strcmp(source.dataset->GetDriver()->GetDescription(), "AAIGrid") != 0) return {};
  if (!std::filesystem::exists(path)) return {};
  const Result<bool> whole = check_ascii_grid(path, source.raster.spec.cells());
  if (!whole) return whole.error();
  if (*whole || source.raster.file_type != CellType::i32) return {};
  constexpr const char* kOptions[] = {"DATATYPE=Float64", nullptr};
  source = Source();
  return open_source(session, path, as, source, kOptions);
}

template <class T>
class CellReader {
 public:
  CellReader(Source& source, const std::string& path) : source_(source), path_(path) {
    if (!source.raster.file_nodata) return;
    const double mark = *source.raster.file_nodata;
    has_mark_ = !std::isnan(mark);
    mark_ = static_cast<T>(mark);
    // Marks like -3.4028235e38 are often written with fewer digits than the cells have.
    tolerance_ = std::fabs(mark) >= 1e30 ? static_cast<T>(std::fabs(mark) * 1e-5) : T{0};
  }

  Result<Grid<T>> read(GdalSession& session) {
    const int width = source_.raster.spec.width;
    const int height = source_.raster.spec.height;
    Grid<T> cells(width, height);
    const int rows = chunk_rows(width);
    for (int y = 0; y < height; y += rows)
      THALWEG_TRY(read_window(session, 0, y, cells.view().window(0, y, width, std::min(rows, height - y))));
    if (source_.south_up) turn(cells.view());
    finish();
    return cells;
  }

  // take(x, y, window) gets all cells, in windows of whole blocks of the file.
  template <class Take>
  Status stream(GdalSession& session, const Take& take) {
    const int width = source_.raster.spec.width;
    const int height = source_.raster.spec.height;
    int block_x = 1;
    int block_y = 1;
    source_.band->GetBlockSize(&block_x, &block_y);
    const std::int64_t most = kChunkBytes / std::int64_t{sizeof(T)};
    const std::int64_t fit = std::max<std::int64_t>(1, most / (std::int64_t{block_x} * block_y));
    const int columns = static_cast<int>(std::min<std::int64_t>(width, fit * block_x));
    const int rows = columns < width ? std::min(block_y, height) : chunk_rows(width);
    Grid<T> buffer(columns, rows);
    for (int y = 0; y < height; y += rows)
      for (int x = 0; x < width; x += columns) {
        const GridView<T> window = buffer.view().window(0, 0, std::min(columns, width - x), std::min(rows, height - y));
        THALWEG_TRY(read_window(session, x, y, window));
        if (source_.south_up) turn(window);
        THALWEG_TRY(take(x, source_.south_up ? height - y - window.height() : y, window));
      }
    finish();
    return {};
  }

 private:
  // The cells from (x, y) of the file on, as we hand them out.
  Status read_window(GdalSession& session, int x, int y, GridView<T> out) {
    const CPLErr read = read_raw(x, y, out);
    if (read != CE_None || session.failed()) return damage(session, x, y, out);
    THALWEG_TRY(hide_masked(session, x, y, out));
    for (int row = 0; row < out.height(); ++row) THALWEG_TRY(convert_row(out.row(row), out.width(), x, y + row));
    return {};
  }
  CPLErr read_raw(int x, int y, GridView<T> out) {
    constexpr GDALDataType kType = std::is_same_v<T, float> ? GDT_Float32 : GDT_Float64;
    const auto row_bytes = static_cast<GSpacing>(out.stride()) * static_cast<GSpacing>(sizeof(T));
    return source_.band->RasterIO(GF_Read, x, y, out.width(), out.height(), out.data(), out.width(), out.height(),
                                  kType, 0, row_bytes, nullptr);
  }
  static void turn(GridView<T> rows) {
    for (int y = 0; y < rows.height() / 2; ++y)
      std::swap_ranges(rows.row(y), rows.row(y) + rows.width(), rows.row(rows.height() - 1 - y));
  }

  int chunk_rows(int width) const {
    int block_x = 1;
    int block_y = 1;
    source_.band->GetBlockSize(&block_x, &block_y);
    const std::int64_t wanted =
        std::max<std::int64_t>(1, kChunkBytes / (std::int64_t{width} * std::int64_t{sizeof(T)}));
    const std::int64_t block = std::max(block_y, 1);
    const std::int64_t rows = std::max<std::int64_t>(block, wanted / block * block);
    return static_cast<int>(std::min<std::int64_t>(rows, source_.raster.spec.height));
  }

  // GDAL's own words are left out: libtiff names rows and columns like 4294967295.
  Error damage(GdalSession& session, int x, int y, GridView<T> out) {
    if (session.out_of_memory()) return machine_error("out of memory", path_);
    int bad = y;
    for (int row = 0; row < out.height(); ++row) {
      session.forget();
      const CPLErr read = read_raw(x, y + row, out.window(0, row, out.width(), 1));
      if (read != CE_None || session.failed()) {
        bad = y + row;
        break;
      }
    }
    return input_error("is damaged or cut short: its cells cannot be read near row " + std::to_string(bad), path_);
  }

  Status hide_masked(GdalSession& session, int x, int y, GridView<T> cells) {
    if (!source_.hidden_by_mask) return {};
    const int width = cells.width();
    mask_.resize(static_cast<std::size_t>(width));
    for (int row = 0; row < cells.height(); ++row) {
      if (source_.band->GetMaskBand()->RasterIO(GF_Read, x, y + row, width, 1, mask_.data(), width, 1, GDT_Byte, 0, 0,
                                                nullptr) != CE_None) {
        if (session.out_of_memory()) return machine_error("out of memory", path_);
        return input_error("is damaged or cut short: its mask cannot be read near row " + std::to_string(y + row),
                           path_);
      }
      for (int i = 0; i < width; ++i) {
        if (mask_[static_cast<std::size_t>(i)] == 0) cells(i, row) = kNoData<T>;
      }
    }
    return {};
  }

  bool is_mark(T v) const { return v == mark_ || (tolerance_ > 0 && std::fabs(v - mark_) <= tolerance_); }

  Status convert_row(T* row, int width, int first_x, int y) {
    const bool plain = source_.scale == 1 && source_.offset == 0;
    for (int x = 0; x < width; ++x) {
      T v = row[x];
      if (source_.signed_byte && v > 127) v -= 256;
      if (std::isnan(v) || (has_mark_ && is_mark(v))) {
        row[x] = kNoData<T>;
        ++nodata_;
        continue;
      }
      if (!plain) v = static_cast<T>(static_cast<double>(v) * source_.scale + source_.offset);
      if (!std::isfinite(v) || (source_.refuse_huge && std::fabs(v) > kMaxHeightM)) return bad_value(v, first_x + x, y);
      row[x] = v;
      min_ = std::min(min_, v);
      max_ = std::max(max_, v);
    }
    return {};
  }

  Error bad_value(T v, int x, int y) const {
    const std::string what = std::isfinite(v) ? "an impossible height" : "an infinite value";
    return input_error("holds " + what + " at column " + std::to_string(x) + ", row " + std::to_string(y) +
                           "; mark such cells as NoData, e.g. with gdal_translate -a_nodata",
                       path_);
  }

  void finish() {
    Raster& raster = source_.raster;
    raster.nodata_cells = nodata_;
    if (min_ <= max_) {
      raster.min = static_cast<double>(min_);
      raster.max = static_cast<double>(max_);
    }
    const bool suspicious = raster.min == -32768 || raster.min == -9999 || raster.min == -99999;
    if (suspicious && !raster.file_nodata && source_.refuse_huge) {
      add_note(raster.note, "lowest value " + std::to_string(static_cast<int>(raster.min)) +
                                " looks like a NoData mark that the file does not declare");
    }
  }

  Source& source_;
  const std::string& path_;
  bool has_mark_ = false;
  T mark_ = 0;
  T tolerance_ = 0;
  std::vector<std::uint8_t> mask_;
  std::int64_t nodata_ = 0;
  T min_ = std::numeric_limits<T>::max();
  T max_ = std::numeric_limits<T>::lowest();
};

// Runs `f` with GDAL's C++ exceptions (there are few) and lack of memory turned into Errors.
template <class F>
Result<Raster> guarded(const std::string& path, F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return machine_error("out of memory", path);
  } catch (const std::exception& e) {
    return input_error(std::string("cannot be read: ") + e.what(), path);
  }
}

template <class T>
Result<Raster> read_cells(GdalSession& session, Source& source, const std::string& path) {
  CellReader<T> reader(source, path);
  Result<Grid<T>> cells = reader.read(session);
  if (!cells) return std::move(cells).error();
  source.raster.cells = std::move(*cells);
  return std::move(source.raster);
}
template <class T>
Status stream_cells(GdalSession& session, Source& source, const std::string& path, const RasterTaker& taker,
                    const std::function<Status(int, int, GridView<const T>)>& take) {
  source.raster.cells = Grid<T>();
  THALWEG_TRY(taker.begin(source.raster));
  return CellReader<T>(source, path).stream(session, take);
}
}  // namespace

std::string_view name_of(CellType type) {
  switch (type) {
    case CellType::u8:
      return "uint8";
    case CellType::i16:
      return "int16";
    case CellType::u16:
      return "uint16";
    case CellType::i32:
      return "int32";
    case CellType::u32:
      return "uint32";
    case CellType::f32:
      return "float32";
    case CellType::f64:
      return "float64";
  }
  return "";
}

Result<Raster> read_raster(const std::string& path, std::int64_t max_cells, ReadAs as) {
  return guarded(path, [&]() -> Result<Raster> {
    GdalSession session;
    Source source;
    THALWEG_TRY(open_source(session, path, as, source));
    const GridSpec& spec = source.raster.spec;
    if (spec.cells() > max_cells) {
      return input_error("has " + std::to_string(spec.width) + " x " + std::to_string(spec.height) + " = " +
                             std::to_string(spec.cells()) + " cells; at most " + std::to_string(max_cells) +
                             " fit here",
                         path);
    }
    THALWEG_TRY(settle_ascii_grid(session, path, as, source));
    return becomes_double(source.raster.file_type) ? read_cells<double>(session, source, path)
                                                   : read_cells<float>(session, source, path);
  });
}

Result<Raster> read_raster_windows(const std::string& path, ReadAs as, const RasterTaker& taker) {
  return guarded(path, [&]() -> Result<Raster> {
    GdalSession session;
    Source source;
    THALWEG_TRY(open_source(session, path, as, source));
    THALWEG_TRY(settle_ascii_grid(session, path, as, source));
    THALWEG_TRY(becomes_double(source.raster.file_type)
                    ? stream_cells<double>(session, source, path, taker, taker.take_double)
                    : stream_cells<float>(session, source, path, taker, taker.take_float));
    return std::move(source.raster);
  });
}

Result<Raster> read_raster_header(const std::string& path, ReadAs as) {
  return guarded(path, [&]() -> Result<Raster> {
    GdalSession session;
    Source source;
    THALWEG_TRY(open_source(session, path, as, source));
    if (becomes_double(source.raster.file_type)) source.raster.cells = Grid<double>();
    return std::move(source.raster);
  });
}

}  // namespace thalweg::io
