// Coherent noise over a grid of world samples.
//
// Every sample's position is an integer lattice cell and a fraction, found from the absolute sample index alone, so a
// window far from the origin is as smooth as one at it, and any window equals the same part of a larger one bit for
// bit.
#pragma once

#include <cstdint>
#include <span>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"
#include "thalweg/core/result.h"

namespace thalweg::noise {

enum class Source { perlin, simplex, value, value_cubic, cellular, white };
enum class CellDistance { euclidean, squared, manhattan, chebyshev };
enum class CellValue { f1, f2, f2_minus_f1, cell };
enum class Fractal { fbm, ridged, billow, ping_pong, hybrid, slope_damped };
enum class WarpFractal { independent, progressive };

/// Fractal sum of a noise source, optionally with its domain warped by two (in 3D three) more such sums.
struct NoiseParams {
  Source source = Source::perlin;
  CellDistance cell_distance = CellDistance::euclidean;  ///< of Source::cellular
  CellValue cell_value = CellValue::f1;                  ///< of Source::cellular
  double cell_jitter = 1;                                ///< of Source::cellular
  Fractal fractal = Fractal::fbm;
  double wavelength_m = 2000;  ///< of the first octave
  double amplitude_m = 500;    ///< the sum of all octaves is scaled so that it stays within +-amplitude_m
  double offset_m = 0;         ///< added last
  std::int64_t octaves = 8;
  double lacunarity = 2;
  double gain = 0.5;
  double ping_pong_strength = 2;  ///< of Fractal::ping_pong
  double damping_slope = 0.5;     ///< of Fractal::slope_damped
  double warp_m = 0;              ///< largest displacement of the domain, metres; 0: no warp
  double warp_wavelength_m = 4000;
  std::int64_t warp_octaves = 3;
  WarpFractal warp_fractal = WarpFractal::independent;
  std::int64_t stream = 0;  ///< another independent field from the same world seed

  template <class Visitor>
  static void describe(NoiseParams& p, Visitor& v) {
    static constexpr Choice<Source> kSources[] = {{"perlin", Source::perlin},     {"simplex", Source::simplex},
                                                  {"value", Source::value},       {"value-cubic", Source::value_cubic},
                                                  {"cellular", Source::cellular}, {"white", Source::white}};
    static constexpr Choice<CellDistance> kDistances[] = {{"euclidean", CellDistance::euclidean},
                                                          {"squared", CellDistance::squared},
                                                          {"manhattan", CellDistance::manhattan},
                                                          {"chebyshev", CellDistance::chebyshev}};
    static constexpr Choice<CellValue> kCellValues[] = {{"f1", CellValue::f1},
                                                        {"f2", CellValue::f2},
                                                        {"f2-minus-f1", CellValue::f2_minus_f1},
                                                        {"cell", CellValue::cell}};
    static constexpr Choice<Fractal> kFractals[] = {
        {"fbm", Fractal::fbm},       {"ridged", Fractal::ridged},
        {"billow", Fractal::billow}, {"ping-pong", Fractal::ping_pong},
        {"hybrid", Fractal::hybrid}, {"slope-damped", Fractal::slope_damped}};
    static constexpr Choice<WarpFractal> kWarps[] = {{"independent", WarpFractal::independent},
                                                     {"progressive", WarpFractal::progressive}};
    v.choice("source", p.source, kSources,
             {.help = "perlin, simplex: smooth gradient noise; value, value-cubic: smoothed random heights; cellular: "
                      "distances to scattered points; white: every wavelength_m square its own height"});
    v.choice("cell_distance", p.cell_distance, kDistances, {.help = "cellular: how distance is measured"});
    v.choice("cell_value", p.cell_value, kCellValues,
             {.help = "cellular: distance to the nearest point, to the second, their difference, or the cell's own "
                      "random height"});
    v.real("cell_jitter", p.cell_jitter,
           {.min = 0, .max = 1, .help = "cellular: 0 for a grid of points, 1 for random"});
    v.choice("fractal", p.fractal, kFractals,
             {.help = "fbm: plain sum; ridged: sharp crests; billow: rounded humps, sharp creases; ping-pong: folded "
                      "into bands; hybrid: rough heights over smooth valleys; slope-damped: detail fades on steep "
                      "ground"});
    v.real("wavelength_m", p.wavelength_m,
           {.unit = "m", .min = 1e-2, .max = 1e8, .help = "size of the largest features"});
    v.real("amplitude_m", p.amplitude_m,
           {.unit = "m",
            .min = 0,
            .max = 1e6,
            .help = "values stay within +- this (fbm, slope-damped), 0 to this (all others)"});
    v.real("offset_m", p.offset_m, {.unit = "m", .min = -1e6, .max = 1e6, .help = "added to every value"});
    v.integer("octaves", p.octaves,
              {.min = 1, .max = 24, .help = "layers of detail; those finer than four cells fade, and are gone at two"});
    v.real("lacunarity", p.lacunarity, {.min = 1.5, .max = 4, .help = "frequency ratio from octave to octave"});
    v.real("gain", p.gain, {.min = 0.05, .max = 0.95, .help = "amplitude ratio from octave to octave"});
    v.real("ping_pong_strength", p.ping_pong_strength,
           {.min = 0.1, .max = 16, .help = "ping-pong: how often values fold; more makes more bands"});
    v.real("damping_slope", p.damping_slope,
           {.unit = "m/m", .min = 1e-3, .max = 1e3, .help = "slope-damped: slope at which detail is halved"});
    v.real("warp_m", p.warp_m, {.unit = "m", .min = 0, .max = 1e6, .help = "how far the domain is bent; 0 for none"});
    v.real("warp_wavelength_m", p.warp_wavelength_m,
           {.unit = "m", .min = 1e-2, .max = 1e8, .help = "size of the bends"});
    v.integer("warp_octaves", p.warp_octaves,
              {.min = 1, .max = 12, .help = "layers of the bending noise; 1 for a single warp"});
    v.choice("warp_fractal", p.warp_fractal, kWarps,
             {.help = "independent: all layers bend the straight domain; progressive: each bends what the ones before "
                      "it have bent"});
    v.integer("stream", p.stream,
              {.min = 0, .max = 1e6, .help = "another number gives an independent field of the same seed"});
  }
};

/// Writes the noise at every sample of `spec` (origin_x, origin_y, cell_m, cell_y_m) into `out`, which has the size of
/// the spec.
///
/// Sources, each in [-1, 1], over a lattice of one cell per wavelength:
/// - perlin: gradients on the square lattice. simplex: on triangles with sides of 0.82 wavelengths; less of a grid.
/// - value: heights on the square lattice joined by quintic fades. value_cubic: by Catmull and Rom's cubic; +-1 is its
///   bound, but one cell in some 10^5 passes +-0.8.
/// - cellular: one point per cell, in the middle part of it that is cell_jitter wide and high. With d a distance and
///   b = (1 + cell_jitter) / 2, n = 2 d / D - 1, where D is the largest d that any points can give:
///     euclidean: f1 sqrt(2) b; f2 and f2_minus_f1 sqrt(2 b^2 + 1/2). squared: the squares of these; f2_minus_f1 is a
///     difference of squares. manhattan: 2 b for all. chebyshev: f1 b; f2 and f2_minus_f1 b + 1/2.
///   Nearest and second nearest are exact. With full jitter values near +1 are rare: f1 hardly passes 0.7. cell is the
///   height of the nearest point's cell; of equally near points that of the north-western cell counts.
/// - white: every square its own height; it has steps, not slopes.
///
/// Octave o has wavelength wavelength_m / lacunarity^o and share a_o = gain^o / (sum over all octaves). With n_o the
/// noise of octave o, the sum is, before amplitude_m and offset_m:
/// - fbm: sum of a_o n_o, in [-1, 1]. billow: of a_o |n_o|.
/// - ridged: of a_o r_o, with r_o = w_o (1 - |n_o|)^2, w_0 = 1, w_o+1 = min(1, 2 r_o).
/// - ping_pong: of a_o t_o, where t folds (n_o + 1) ping_pong_strength into [0, 1] by a triangle wave of period 2.
/// - hybrid: of a_o w_o (n_o + 1) / 2, where w_0 = 1 and then w_o is the sum before octave o over its largest value:
///   heights are rough, valleys smooth.
/// - slope_damped: of a_o n_o / (1 + |g_o|^2 / damping_slope^2), in [-1, 1], where g_o is the gradient in m/m of the
///   plain sum up to octave o. Slopes are those of the noise at the (bent) position; white noise and cells have none.
/// So values stay within offset_m +- amplitude_m (fbm, slope_damped) or offset_m + [0, amplitude_m] (the others);
/// typical ones reach about half of that, since octaves rarely peak together.
///
/// An octave of at least 4 cells (of the larger of cell_m and cell_y_m) counts in full; from 4 to 2 cells it fades by
/// smoothstep; at 2 cells and below it is left out. White noise has nothing that could alias: its octaves count in full
/// down to squares of one cell and not at all below. What fades leaves its mean behind, so that a coarse grid is a
/// blurred fine one and not a lower or higher one: means of grids agree within 1.5 % of the range, of ridged sums
/// within 7 %. Shares do not depend on the fading, so a finer grid only adds detail: samples that two grids share are
/// the same bits where no octave fades, and of fbm they differ by the shares of what faded at most.
///
/// The warp moves each sample by two independent fbm sums of Perlin noise (gain 1/2, lacunarity 2), at most warp_m
/// along each axis; progressive: each octave of these sums is taken where those before it have moved the sample.
/// Positions are moved to within warp_m * 2^-22: with bends of more than 10^4 cells of an octave it gets grainy.
///
/// Fields of different seeds or streams, and the octaves of one field, are independent: measured over 64 consecutive
/// seeds their correlation is 0.004 RMS over 190 x 190 cells, as of white noise. (Cellular distances are a little
/// larger where cells meet, which all fields share: 1 to 2 % of their variance.)
///
/// Same bits at every SIMD level, thread count, compiler and window. Smooth wherever |position| / wavelength of the
/// finest octave stays below 2^40; finite everywhere. Cost: O(cells * octaves); a bent sample costs about six times a
/// straight one. Memory: 4 to 18 KiB per octave and thread, no grid.
/// Sources: Perlin 2002, "Improving noise"; Perlin 2001, "Noise hardware" (simplex); Worley 1996, "A cellular texture
/// basis function"; ridged, billow and hybrid after Musgrave (Ebert et al., "Texturing and modeling"); slope damping
/// after Quilez, "Value noise derivatives" (2008).
void fill(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out, const Exec& exec);

/// A fill with the same bits, and the derivatives of it toward east and north (m/m for heights): the formula's own, not
/// differences. For Fractal::fbm over perlin, simplex or value without warp; check_gradient names the parameter that
/// does not fit. Costs about twice a fill.
Status check_gradient(const NoiseParams& params);
void fill_with_gradient(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out,
                        GridView<float> per_east, GridView<float> per_north, const Exec& exec);

/// A box of samples: sample (x, y, z) of it lies (origin_x + x) * cell_m east, (origin_y + y) * cell_y_m south and
/// (origin_z + z) * cell_z_m above the world's origin.
struct BoxSpec {
  int width = 0;
  int height = 0;
  int depth = 0;
  double cell_m = 1;
  double cell_y_m = 1;
  double cell_z_m = 1;
  std::int64_t origin_x = 0;
  std::int64_t origin_y = 0;
  std::int64_t origin_z = 0;
  std::int64_t cells() const { return std::int64_t{width} * height * depth; }
};

/// Noise in space: `out` has box.cells() values, x fastest, then y, then z. All that is said of the plane holds, with
/// the largest of the three cell sizes deciding what fades, and with three sums for the warp. A slice of it is no field
/// of the plane. slope_damped damps by the gradient in space. The sources:
/// - perlin: gradients of any direction; +-1 is the bound, standard deviation 0.22, and one cell in a million passes
///   +-0.85. simplex: on a body-centred cubic lattice (whose cells are the simplices) that is turned against the axes,
///   so that no plane of samples shows it; standard deviation 0.36.
/// - value, value_cubic, white: as in the plane, with cubes for squares.
/// - cellular: n = 2 d / D - 1; euclidean: D = sqrt(3) b for f1, sqrt(3 b^2 + max(0, 3/4 - b)) for f2 and f2_minus_f1;
///   squared: the squares of these; manhattan: 3 b; chebyshev: b for f1, b + 1/2 for the others. Of equally near points
///   that of the lowest, then northernmost, then westernmost cell counts.
/// Cost of a straight octave: perlin, value and value_cubic as in the plane (rows share what depends on y and z),
/// cellular six times that, simplex ten times; a bent octave of any source ten times. Memory: about 20 KiB per octave
/// and thread, 75 KiB for one of two to four samples a cell; no box-sized temporary.
void fill3(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box, std::span<float> out, const Exec& exec);
/// A fill3 with the same bits, and its derivatives toward east, north and up; for what check_gradient lets through.
void fill3_with_gradient(const NoiseParams& params, std::uint64_t seed, const BoxSpec& box, std::span<float> out,
                         std::span<float> per_east, std::span<float> per_north, std::span<float> per_up,
                         const Exec& exec);

}  // namespace thalweg::noise
