#include "thalweg/hydrology/conditioning.h"

#include <cstring>

namespace thalweg::hydrology {

template <class T>
void treat_depressions(DepressionMethod method, double epsilon_m, const BreachLimits& limits,
                       const CellGeometry& geometry, GridView<const T> height, OutletMask outlets, GridView<T> out,
                       const Exec& exec, GridView<const float> protect) {
  switch (method) {
    case DepressionMethod::fill:
      fill<T>(height, outlets, out, exec);
      return;
    case DepressionMethod::fill_epsilon:
      fill_epsilon<T>(height, outlets, out, exec);
      return;
    case DepressionMethod::planchon_darboux:
      planchon_darboux<T>(height, outlets, epsilon_m, out, exec);
      return;
    case DepressionMethod::breach:
      breach<T>(height, outlets, geometry, {}, out, exec, protect);
      return;
    case DepressionMethod::hybrid:
      breach<T>(height, outlets, geometry, limits, out, exec, protect);
      return;
    case DepressionMethod::none:
      break;
  }
  if (out.data() == height.data()) return;
  for (int y = 0; y < height.height(); ++y)
    std::memcpy(out.row(y), height.row(y), static_cast<std::size_t>(height.width()) * sizeof(T));
}
template void treat_depressions(DepressionMethod, double, const BreachLimits&, const CellGeometry&,
                                GridView<const float>, OutletMask, GridView<float>, const Exec&, GridView<const float>);
template void treat_depressions(DepressionMethod, double, const BreachLimits&, const CellGeometry&,
                                GridView<const double>, OutletMask, GridView<double>, const Exec&,
                                GridView<const float>);

namespace {
ConditionStats stats_of(GridView<const float> before, GridView<const float> after, const CellGeometry& geometry,
                        GridView<const float> protect) {
  ConditionStats stats;
  static_cast<DepressionStats&>(stats) = depression_stats<float>(before, after, geometry);
  for (int y = 0; y < protect.height(); ++y)
    for (int x = 0; x < protect.width(); ++x)
      if (protect(x, y) >= 1 && (before(x, y) < after(x, y) || before(x, y) > after(x, y))) ++stats.protected_changed;
  return stats;
}
}  // namespace

ConditionStats condition(const ConditionParams& params, const CellGeometry& geometry, GridView<const float> height,
                         OutletMask sea, GridView<float> out, const Exec& exec, GridView<const float> protect) {
  const int w = height.width();
  const int h = height.height();
  Grid<float> before(w, h);
  for (int y = 0; y < h; ++y) std::memcpy(before.row(y), height.row(y), static_cast<std::size_t>(w) * sizeof(float));
  const BreachLimits limits{params.max_breach_depth_m, params.max_breach_length_m};

  if (!params.keep_lakes) {
    treat_depressions<float>(params.method, params.epsilon_m, limits, geometry, before, sea, out, exec, protect);
    return stats_of(before.view(), out, geometry, protect);
  }

  // Lakes stand as flats at their level while the rest is treated, then get their beds back. A cut that runs through a
  // lake lowers its level; the bed below the new level stays.
  Grid<float> work(w, h);
  fill<float>(before, sea, work, exec);
  Grid<std::int32_t> lake(w, h);
  find_lakes<float>(before, work, {}, geometry, params.lakes, lake, exec);
  for (std::int64_t i = 0; i < before.cells(); ++i)
    if (lake[i] == 0) work[i] = before[i];
  treat_depressions<float>(params.method, params.epsilon_m, limits, geometry, work.view(), sea, work, exec, protect);
  parallel_rows(exec, w, h, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < w; ++x) out(x, y) = lake(x, y) != 0 && before(x, y) < work(x, y) ? before(x, y) : work(x, y);
  });
  return stats_of(before.view(), out, geometry, protect);
}

}  // namespace thalweg::hydrology
