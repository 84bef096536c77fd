#include "thalweg/io/exr.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <half.h>

#include <cmath>
#include <exception>
#include <vector>

#include "thalweg/io/files.h"

namespace thalweg::io {
namespace {
constexpr float kMaxHalf = 65504.0F;

// Bytes go through FileWriter, which remembers a full disk; the library's own stream forgets what fails on closing.
class Stream : public Imf::OStream {
 public:
  Stream(FileWriter& out, const std::string& path) : Imf::OStream(path.c_str()), out_(out) {}
  void write(const char c[], int n) override { out_.write(c, static_cast<std::size_t>(n)); }
  std::uint64_t tellp() override { return static_cast<std::uint64_t>(out_.position()); }
  void seekp(std::uint64_t position) override { out_.seek(static_cast<std::int64_t>(position)); }

 private:
  FileWriter& out_;
};

template <class T>
void write_rows(Imf::OutputFile& file, GridView<const float> values, const std::vector<const char*>& channels,
                Imf::PixelType type) {
  std::vector<T> row(static_cast<std::size_t>(values.width()));
  for (int y = 0; y < values.height(); ++y) {
    const float* from = values.row(y);
    for (std::size_t x = 0; x < row.size(); ++x) row[x] = T(from[x]);
    Imf::FrameBuffer frame;
    // y stride 0: every scanline is taken from the one row buffer.
    for (const char* channel : channels) {
      frame.insert(channel, Imf::Slice(type, reinterpret_cast<char*>(row.data()), sizeof(T), 0));
    }
    file.setFrameBuffer(frame);
    file.writePixels(1);
  }
}

Status write_stream(FileWriter& out, const std::string& path, GridView<const float> values, int channels,
                    ExrPixel pixel) {
  try {
    const Imf::PixelType type = pixel == ExrPixel::f16 ? Imf::HALF : Imf::FLOAT;
    Imf::Header header(values.width(), values.height());
    header.compression() = Imf::ZIP_COMPRESSION;
    const std::vector<const char*> names =
        channels == 1 ? std::vector<const char*>{"Y"} : std::vector<const char*>{"R", "G", "B"};
    for (const char* name : names) header.channels().insert(name, Imf::Channel(type));
    Stream stream(out, path);
    Imf::OutputFile file(stream, header, 0);
    if (pixel == ExrPixel::f16) {
      write_rows<half>(file, values, names, type);
    } else {
      write_rows<float>(file, values, names, type);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return machine_error(std::string("cannot write the EXR: ") + e.what(), path);
  }
  return {};
}

Status check(const std::string& path, GridView<const float> values, int channels, ExrPixel pixel) {
  if (channels != 1 && channels != 3) return input_error("an EXR of heights has 1 or 3 channels", path);
  if (values.empty()) return input_error("an EXR needs at least one pixel", path);
  if (pixel == ExrPixel::f32) return {};
  for (int y = 0; y < values.height(); ++y) {
    const float* row = values.row(y);
    for (int x = 0; x < values.width(); ++x) {
      if (std::fabs(row[x]) > kMaxHalf) {
        return input_error("heights beyond 65504 do not fit 16-bit floats; write 32-bit ones", path);
      }
    }
  }
  return {};
}
}  // namespace

Status write_exr(const std::string& path, GridView<const float> values, int channels, ExrPixel pixel) {
  THALWEG_TRY(check(path, values, channels, pixel));
  return guard_memory([&]() -> Status {
    return write_atomically(path, [&](const std::string& temporary) -> Status {
      FileWriter out(temporary, path);
      if (!out.ok()) return out.close();
      Status written = write_stream(out, path, values, channels, pixel);
      THALWEG_TRY(out.close());  // what the system said comes before what the library made of it
      return written;
    });
  });
}

}  // namespace thalweg::io
