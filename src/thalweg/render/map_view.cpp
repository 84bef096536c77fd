#include "thalweg/render/render.h"
namespace thalweg::render {
Image map_view(const Scene&, const std::vector<MapLine>&, const std::optional<Overlay>&, const MapParams&,
               const Exec&) {
  return {};
}
}  // namespace thalweg::render
