#include "thalweg/io/gdal/session.h"

#include <cpl_conv.h>
#include <gdal.h>
#include <ogr_api.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace thalweg::io {
namespace {
constexpr std::size_t kMaxMessage = 300;
constexpr GIntBig kCacheBytes = GIntBig{64} << 20;

constexpr std::array<std::pair<const char*, const char*>, 3> kSettings{{
    {"GDAL_PAM_ENABLED", "NO"},
    {"OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z"},  // GeoPackage: equal content, equal bytes
    {"OGR_SQLITE_SYNCHRONOUS", "OFF"},                 // write_atomically flushes the finished file
}};
}  // namespace

GdalSession::GdalSession() {
  static std::once_flag once;
  std::call_once(once, [] {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALAllRegister();
    CPLPopErrorHandler();
    GDALSetCacheMax64(kCacheBytes);
  });
  for (std::size_t i = 0; i < kOptions; ++i) {
    if (const char* value = CPLGetThreadLocalConfigOption(kSettings[i].first, nullptr)) previous_[i] = value;
    CPLSetThreadLocalConfigOption(kSettings[i].first, kSettings[i].second);
  }
  CPLPushErrorHandlerEx(&GdalSession::on_error, this);
}

GdalSession::~GdalSession() {
  CPLPopErrorHandler();
  for (std::size_t i = 0; i < kOptions; ++i) {
    CPLSetThreadLocalConfigOption(kSettings[i].first, previous_[i] ? previous_[i]->c_str() : nullptr);
  }
}

void GdalSession::on_error(CPLErr severity, CPLErrorNum number, const char* message) {
  if (severity != CE_Failure && severity != CE_Fatal) return;
  auto* session = static_cast<GdalSession*>(CPLGetErrorHandlerUserData());
  if (number == CPLE_OutOfMemory) session->out_of_memory_ = true;
  if (!session->failed_) session->message_ = message;
  session->failed_ = true;
}

Error GdalSession::error(ErrorCode code, const std::string& what, const std::string& path) const {
  std::string said = message_;
  // The path is said once, by the Error's place; GDAL likes to say it too.
  for (const std::string& form : {"`" + path + "' ", "'" + path + "' ", path + ": ", path + ", ", path}) {
    if (path.empty()) break;
    for (std::size_t at = said.find(form); at != std::string::npos; at = said.find(form)) said.erase(at, form.size());
  }
  std::replace_if(
      said.begin(), said.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  if (said.size() > kMaxMessage) said = said.substr(0, kMaxMessage) + "...";
  return {out_of_memory_ ? ErrorCode::machine : code, said.empty() ? what : what + " (GDAL: " + said + ")", path};
}

void GdalSession::forget() {
  failed_ = false;
  out_of_memory_ = false;
  message_.clear();
}

}  // namespace thalweg::io
