// A picture as a field over the whole extent.
#pragma once

#include "thalweg/core/exec.h"
#include "thalweg/core/grid.h"
#include "thalweg/core/params.h"
#include "thalweg/recipe/resources.h"

namespace thalweg::recipe {

enum class ImageValues { stretch, keep };

struct ImageParams {
  ImageValues values = ImageValues::stretch;
  double low = 0;
  double high = 1000;
  bool bilinear = true;
  template <class Visitor>
  static void describe(ImageParams& p, Visitor& v) {
    static constexpr Choice<ImageValues> kValues[] = {{"stretch", ImageValues::stretch}, {"keep", ImageValues::keep}};
    v.choice("values", p.values, kValues,
             {.help = "stretch: black becomes low, white high (of rasters in real numbers the least and the greatest "
                      "value); keep: values as the file has them"});
    v.real("low", p.low,
           {.min = -1e6, .max = 1e6, .help = "value of black, in `unit`; also where the file has no data"});
    v.real("high", p.high, {.min = -1e6, .max = 1e6, .help = "value of white, in `unit`; may be below low"});
    v.boolean("bilinear", p.bilinear, {.help = "values between pixels; false: the nearest pixel's"});
  }
};

/// The centres of the picture's corner pixels come to lie on the corners of the extent, so that the same picture gives
/// the same land at any resolution. Pixels without data are `low`. O(cells).
void stretch_image(const ImageParams& params, const ImageFile& image, GridView<float> out, const Exec& exec);

}  // namespace thalweg::recipe
