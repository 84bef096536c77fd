// Coherent noise over a grid of world samples.
//
// Every sample's position is an integer lattice cell and a fraction, found from the absolute sample index alone, so a
// window far from the origin is as smooth as one at it, and any window equals the same part of a larger one bit for
// bit.
#pragma once

#include <cstdint>

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/grid_spec.h"
#include "thalweg/core/params.h"

namespace thalweg::noise {

enum class Fractal { fbm, ridged, billow };

/// Fractal sum of Perlin gradient noise (quintic fade), optionally with its domain warped by two more such sums.
struct NoiseParams {
  Fractal fractal = Fractal::fbm;
  double wavelength_m = 2000;  ///< of the first octave
  double amplitude_m = 500;    ///< the sum of all octaves is scaled so that it stays within +-amplitude_m
  double offset_m = 0;         ///< added last
  std::int64_t octaves = 8;
  double lacunarity = 2;
  double gain = 0.5;
  double warp_m = 0;  ///< largest displacement of the domain, metres; 0: no warp
  double warp_wavelength_m = 4000;
  std::int64_t warp_octaves = 3;
  std::int64_t stream = 0;  ///< another independent field from the same world seed

  template <class Visitor>
  static void describe(NoiseParams& p, Visitor& v) {
    static constexpr Choice<Fractal> kFractals[] = {
        {"fbm", Fractal::fbm}, {"ridged", Fractal::ridged}, {"billow", Fractal::billow}};
    v.choice("fractal", p.fractal, kFractals,
             {.help = "fbm: plain sum; ridged: sharp crests; billow: rounded humps, sharp creases"});
    v.real("wavelength_m", p.wavelength_m,
           {.unit = "m", .min = 1e-2, .max = 1e8, .help = "size of the largest features"});
    v.real("amplitude_m", p.amplitude_m,
           {.unit = "m", .min = 0, .max = 1e6, .help = "values stay within +- this (fbm), 0 to this (ridged, billow)"});
    v.real("offset_m", p.offset_m, {.unit = "m", .min = -1e6, .max = 1e6, .help = "added to every value"});
    v.integer("octaves", p.octaves,
              {.min = 1, .max = 24, .help = "layers of detail; those finer than two cells fade out"});
    v.real("lacunarity", p.lacunarity, {.min = 1.5, .max = 4, .help = "frequency ratio from octave to octave"});
    v.real("gain", p.gain, {.min = 0.05, .max = 0.95, .help = "amplitude ratio from octave to octave"});
    v.real("warp_m", p.warp_m, {.unit = "m", .min = 0, .max = 1e6, .help = "how far the domain is bent; 0 for none"});
    v.real("warp_wavelength_m", p.warp_wavelength_m,
           {.unit = "m", .min = 1e-2, .max = 1e8, .help = "size of the bends"});
    v.integer("warp_octaves", p.warp_octaves, {.min = 1, .max = 12, .help = "layers of the bending noise"});
    v.integer("stream", p.stream,
              {.min = 0, .max = 1e6, .help = "another number gives an independent field of the same seed"});
  }
};

/// Writes the noise at every sample of `spec` (origin_x, origin_y, cell_m, cell_y_m) into `out`, which has the size of
/// the spec.
///
/// Octave o has wavelength wavelength_m / lacunarity^o and share gain^o / (sum over all octaves): offset_m +
/// amplitude_m times the sum stays in offset_m +- amplitude_m (fbm) or offset_m + [0, amplitude_m] (ridged, billow).
/// Typical values reach about half of that, since octaves rarely peak together. An octave of at least 4 cells (of the
/// larger of cell_m and cell_y_m) counts in full; from 4 to 2 cells it fades by smoothstep; at 2 cells and below it is
/// left out. Ridged and billow octaves fade to their mean. Shares do not depend on the fading, so a finer grid only
/// adds detail, and samples that two grids share are the same bits where no octave fades differently.
///
/// The warp moves each sample by two independent fbm sums (gain 1/2, lacunarity 2), at most warp_m along each axis.
/// Fields of different seeds or streams, and the octaves of one field, are independent: measured over 64 consecutive
/// seeds their correlation is 0.0033 RMS, as of white noise.
///
/// Same bits at every SIMD level, thread count, compiler and window. Smooth wherever |position| / wavelength of the
/// finest octave stays below 2^40; finite everywhere. Cost: O(cells * octaves); a bent sample costs about six times a
/// straight one. Memory: about 7 KiB per octave and thread.
/// Source: Perlin 2002, "Improving noise"; ridged and billow after Musgrave (Ebert et al., "Texturing and modeling").
void fill(const NoiseParams& params, std::uint64_t seed, const GridSpec& spec, GridView<float> out, const Exec& exec);

}  // namespace thalweg::noise
