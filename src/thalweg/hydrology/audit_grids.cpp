// Checks of surfaces and direction rasters.
#include <algorithm>
#include <array>
#include <cassert>

#include "thalweg/hydrology/audit.h"
#include "thalweg/hydrology/audit_text.h"

namespace thalweg::hydrology {
namespace {

bool is_marked(OutletMask outlets, int x, int y) {
  return !outlets.empty() && outlets(x, y) != 0;
}

/// On the border, or beside a cell for which `is_void(x, y)` holds.
template <class IsVoid>
bool at_edge(int width, int height, int x, int y, const IsVoid& is_void) {
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return true;
  for (std::size_t d = 0; d < 8; ++d)
    if (is_void(x + kDx[d], y + kDy[d])) return true;
  return false;
}

/// Rows per block of a parallel pass whose results are put together in order.
int rows_per_block(int width) {
  return std::max(1, (1 << 18) / std::max(width, 1));
}

// ---- pits ----

enum : std::uint8_t { kVoid = 0, kDrains = 1, kWaits = 2 };  // kWaits: no lower neighbour, not known to drain yet

template <class T>
std::uint8_t first_state(GridView<const T> surface, OutletMask outlets, int x, int y) {
  const T h = surface(x, y);
  if (is_nodata(h)) return kVoid;
  if (is_marked(outlets, x, y)) return kDrains;
  if (x == 0 || y == 0 || x == surface.width() - 1 || y == surface.height() - 1) return kDrains;
  for (std::size_t d = 0; d < 8; ++d)
    if (!(surface(x + kDx[d], y + kDy[d]) >= h)) return kDrains;  // lower, or NoData
  return kWaits;
}

/// Fills in the first states; returns the number of cells with data.
template <class T>
std::int64_t classify(GridView<const T> surface, OutletMask outlets, GridView<std::uint8_t> state, const Exec& exec) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(surface.height()));
  parallel_rows(exec, surface.width(), surface.height(), [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      for (int x = 0; x < surface.width(); ++x) {
        state(x, y) = first_state(surface, outlets, x, y);
        counts[static_cast<std::size_t>(y)] += state(x, y) != kVoid ? 1 : 0;
      }
    }
  });
  std::int64_t sum = 0;
  for (const std::int64_t c : counts) sum += c;
  return sum;
}

/// Spreads kDrains over cells of equal height from those in `front`.
template <class T>
void drain_flats(GridView<const T> surface, GridView<std::uint8_t> state, std::vector<std::int64_t>& front) {
  const int width = surface.width();
  while (!front.empty()) {
    const int x = static_cast<int>(front.back() % width);
    const int y = static_cast<int>(front.back() / width);
    front.pop_back();
    for (std::size_t d = 0; d < 8; ++d) {
      const int nx = x + kDx[d];
      const int ny = y + kDy[d];
      if (!surface.contains(nx, ny) || state(nx, ny) != kWaits || surface(nx, ny) != surface(x, y)) continue;
      state(nx, ny) = kDrains;
      front.push_back(std::int64_t{ny} * width + nx);
    }
  }
}

/// Waiting cells, in order.
std::vector<std::int64_t> waiting_cells(GridView<const std::uint8_t> state, const Exec& exec) {
  const int rows = rows_per_block(state.width());
  const int blocks = (state.height() + rows - 1) / rows;
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(blocks));
  parallel_for(exec, 0, blocks, 1, [&](std::int64_t block, std::int64_t) {
    const int begin = static_cast<int>(block) * rows;
    const int end = std::min(begin + rows, state.height());
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < state.width(); ++x)
        if (state(x, y) == kWaits)
          parts[static_cast<std::size_t>(block)].push_back(std::int64_t{y} * state.width() + x);
  });
  std::vector<std::int64_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// ---- directions ----

enum class Fault : std::uint8_t { none, code, off_grid, onto_nodata, no_direction, climbs, nodata_differs, cycle };
constexpr std::size_t kFaultKinds = 8;
constexpr std::array<const char*, kFaultKinds> kFaultTexts = {"",
                                                              "no direction code",
                                                              "points off the grid",
                                                              "points to NoData",
                                                              "has no direction and is no outlet",
                                                              "climbs",
                                                              "NoData of directions and surface differ",
                                                              "flow returns to this cell"};

struct DirectionFaults {
  std::int64_t checked = 0;
  std::array<std::int64_t, kFaultKinds> counts{};
  std::int64_t first = -1;
  Fault first_kind = Fault::none;

  void add(Fault fault, std::int64_t cell) {
    ++counts[static_cast<std::size_t>(fault)];
    if (first >= 0 && first <= cell) return;
    first = cell;
    first_kind = fault;
  }
  void add(const DirectionFaults& o) {
    checked += o.checked;
    for (std::size_t k = 0; k < kFaultKinds; ++k) counts[k] += o.counts[k];
    if (o.first < 0 || (first >= 0 && first <= o.first)) return;
    first = o.first;
    first_kind = o.first_kind;
  }
};

struct DirectionInputs {
  GridView<const std::uint8_t> directions;
  GridView<const float> surface;
  OutletMask outlets;
};

bool one_bit(std::uint8_t code) {
  return code != 0 && (code & (code - 1)) == 0;
}

Fault check_direction(const DirectionInputs& in, int x, int y) {
  const std::uint8_t code = in.directions(x, y);
  if (!in.surface.empty() && is_nodata(in.surface(x, y)) != (code == kFlowNoData)) return Fault::nodata_differs;
  if (code == kFlowNoData) return Fault::none;
  if (code == kNoFlow) {
    const auto is_void = [&](int nx, int ny) { return in.directions(nx, ny) == kFlowNoData; };
    return is_marked(in.outlets, x, y) || at_edge(in.directions.width(), in.directions.height(), x, y, is_void)
               ? Fault::none
               : Fault::no_direction;
  }
  if (!one_bit(code)) return Fault::code;
  const auto d = static_cast<std::size_t>(direction_index(code));
  const int nx = x + kDx[d];
  const int ny = y + kDy[d];
  if (!in.directions.contains(nx, ny)) return Fault::none;  // cells at the border are outlets
  if (in.directions(nx, ny) == kFlowNoData) return Fault::onto_nodata;
  if (!in.surface.empty() && in.surface(nx, ny) > in.surface(x, y)) return Fault::climbs;
  return Fault::none;
}

/// Finds each cycle once: paths are followed until they meet a path that is done, or themselves.
void find_cycles(GridView<const std::uint8_t> directions, const Exec& exec, DirectionFaults& faults) {
  enum : std::uint8_t { kNew = 0, kOnPath = 1, kDone = 2 };
  const int width = directions.width();
  Grid<std::uint8_t> state(width, directions.height());
  std::vector<std::int64_t> path;
  const auto next = [&](int& x, int& y) {
    const std::uint8_t code = directions(x, y);
    if (!one_bit(code)) return false;
    const auto d = static_cast<std::size_t>(direction_index(code));
    x += kDx[d];
    y += kDy[d];
    return directions.contains(x, y);
  };
  for (int y0 = 0; y0 < directions.height() && !exec.cancelled(); ++y0) {
    for (int x0 = 0; x0 < width; ++x0) {
      int x = x0;
      int y = y0;
      path.clear();
      bool inside = true;
      while (inside && state(x, y) == kNew) {
        state(x, y) = kOnPath;
        path.push_back(std::int64_t{y} * width + x);
        inside = next(x, y);
      }
      if (inside && state(x, y) == kOnPath) {
        const auto start = std::find(path.begin(), path.end(), std::int64_t{y} * width + x);
        faults.add(Fault::cycle, *std::min_element(start, path.end()));
      }
      for (const std::int64_t cell : path)
        state(static_cast<int>(cell % width), static_cast<int>(cell / width)) = kDone;
    }
  }
}

}  // namespace

template <class T>
AuditCheck audit_pits(GridView<const T> surface, OutletMask outlets, const Exec& exec) {
  assert(outlets.empty() || (outlets.width() == surface.width() && outlets.height() == surface.height()));
  AuditCheck check;
  check.name = "no-pit";
  const int width = surface.width();
  Grid<std::uint8_t> state(width, surface.height());
  check.checked = classify(surface, outlets, state.view(), exec);
  const std::vector<std::int64_t> waiting = waiting_cells(state, exec);
  std::vector<std::int64_t> front;
  for (const std::int64_t cell : waiting) {
    const int x = static_cast<int>(cell % width);
    const int y = static_cast<int>(cell / width);
    for (std::size_t d = 0; d < 8; ++d) {  // inside the border, because it waits
      if (state(x + kDx[d], y + kDy[d]) != kDrains || surface(x + kDx[d], y + kDy[d]) != surface(x, y)) continue;
      state(x, y) = kDrains;
      front.push_back(cell);
      break;
    }
    drain_flats(surface, state.view(), front);
  }
  for (const std::int64_t cell : waiting) {
    const int x = static_cast<int>(cell % width);
    const int y = static_cast<int>(cell / width);
    if (state(x, y) != kWaits) continue;
    if (check.faults++ == 0) check.place = internal::cell_text(x, y, surface(x, y));
    state(x, y) = kDrains;  // the rest of this pit counts with it
    front.push_back(cell);
    drain_flats(surface, state.view(), front);
  }
  check.note = internal::count_text(check.checked, "cell") + ", " + internal::count_text(check.faults, "pit");
  return check;
}

template AuditCheck audit_pits<float>(GridView<const float>, OutletMask, const Exec&);
template AuditCheck audit_pits<double>(GridView<const double>, OutletMask, const Exec&);

AuditCheck audit_directions(GridView<const std::uint8_t> directions, GridView<const float> surface, OutletMask outlets,
                            const Exec& exec) {
  const DirectionInputs in{directions, surface, outlets};
  const int rows = rows_per_block(directions.width());
  const int blocks = (directions.height() + rows - 1) / rows;
  std::vector<DirectionFaults> parts(static_cast<std::size_t>(blocks));
  parallel_for(exec, 0, blocks, 1, [&](std::int64_t block, std::int64_t) {
    DirectionFaults& part = parts[static_cast<std::size_t>(block)];
    const int begin = static_cast<int>(block) * rows;
    const int end = std::min(begin + rows, directions.height());
    for (int y = begin; y < end; ++y) {
      for (int x = 0; x < directions.width(); ++x) {
        part.checked += directions(x, y) != kFlowNoData ? 1 : 0;
        const Fault fault = check_direction(in, x, y);
        if (fault != Fault::none) part.add(fault, std::int64_t{y} * directions.width() + x);
      }
    }
  });
  DirectionFaults faults;
  for (const DirectionFaults& part : parts) faults.add(part);
  find_cycles(directions, exec, faults);

  AuditCheck check;
  check.name = "directions-acyclic";
  check.checked = faults.checked;
  check.note = internal::count_text(check.checked, "cell");
  for (std::size_t k = 1; k < kFaultKinds; ++k) {
    check.faults += faults.counts[k];
    if (faults.counts[k] > 0) check.note += "; " + std::to_string(faults.counts[k]) + "x " + kFaultTexts[k];
  }
  if (faults.first >= 0) {
    const auto x = static_cast<int>(faults.first % directions.width());
    const auto y = static_cast<int>(faults.first / directions.width());
    check.place = surface.empty() ? internal::cell_text(x, y) : internal::cell_text(x, y, surface(x, y));
    check.place += std::string(": ") + kFaultTexts[static_cast<std::size_t>(faults.first_kind)];
  }
  return check;
}

}  // namespace thalweg::hydrology
