"""Reads the cells of the GeoTIFFs that thalweg writes and rewrites them with other cells, without any library.

Little-endian classic TIFF, one band, tiles or strips, plain or DEFLATE, predictor none, horizontal or floating point.
"""
import array
import struct
import zlib

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}
_FORMATS = {1: "B", 3: "H", 4: "I", 8: "h", 9: "i", 11: "f", 12: "d"}
_CODES = {(1, 8): "B", (2, 16): "h", (1, 16): "H", (2, 32): "i", (1, 32): "I", (3, 32): "f", (3, 64): "d"}

WIDTH, HEIGHT, BITS, COMPRESSION, OFFSETS, ROWS_PER_STRIP, COUNTS = 256, 257, 258, 259, 273, 278, 279
PREDICTOR, TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_COUNTS, SAMPLE_FORMAT = 317, 322, 323, 324, 325, 339


class Tiff:
    """Tags and cells; cells[y][x] with row 0 as stored."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.raw = file.read()
        if self.raw[:4] != b"II*\0":
            raise ValueError("not a little-endian classic TIFF: %r" % self.raw[:4])
        self.tags = self._read_tags(struct.unpack_from("<I", self.raw, 4)[0])
        self.width, self.height = self.value(WIDTH), self.value(HEIGHT)
        self.code = _CODES[(self.value(SAMPLE_FORMAT, 1), self.value(BITS, 1))]
        self.cells = self._read_cells()

    def _read_tags(self, at):
        tags = {}
        for i in range(struct.unpack_from("<H", self.raw, at)[0]):
            tag, kind, count = struct.unpack_from("<HHI", self.raw, at + 2 + 12 * i)
            size = _SIZES[kind] * count
            start = at + 10 + 12 * i
            if size > 4:
                start = struct.unpack_from("<I", self.raw, start)[0]
            tags[tag] = (kind, count, self.raw[start:start + size])
        return tags

    def values(self, tag):
        kind, count, data = self.tags[tag]
        return struct.unpack("<%d%s" % (count, _FORMATS[kind]), data)

    def value(self, tag, default=None):
        return self.values(tag)[0] if tag in self.tags else default

    def ascii(self, tag):
        return self.tags[tag][2].rstrip(b"\0").decode("utf-8")

    def _read_cells(self):
        tiled = TILE_OFFSETS in self.tags
        block_w = self.value(TILE_WIDTH) if tiled else self.width
        block_h = self.value(TILE_HEIGHT) if tiled else min(self.value(ROWS_PER_STRIP, self.height), self.height)
        offsets = self.values(TILE_OFFSETS if tiled else OFFSETS)
        counts = self.values(TILE_COUNTS if tiled else COUNTS)
        across = -(-self.width // block_w)
        rows = [array.array(self.code, bytes(self.width * array.array(self.code).itemsize))
                for _ in range(self.height)]
        for i, (offset, count) in enumerate(zip(offsets, counts)):
            x0, y0 = (i % across) * block_w, (i // across) * block_h
            wanted = min(block_h, self.height - y0)
            if count == 0:  # a block that was never written: zeros
                continue
            block = self._block_rows(self.raw[offset:offset + count], block_w, wanted)
            for y in range(wanted):
                part = block[y][:min(block_w, self.width - x0)]
                rows[y0 + y][x0:x0 + len(part)] = part
        return rows

    def _block_rows(self, data, width, wanted):
        if self.value(COMPRESSION, 1) in (8, 32946):
            data = zlib.decompress(data)
        predictor = self.value(PREDICTOR, 1)
        size = array.array(self.code).itemsize
        rows = []
        for y in range(wanted):
            line = data[y * width * size:(y + 1) * width * size]
            if predictor == 3:
                line = _undo_float_predictor(line, width, size)
            row = array.array(self.code, line)
            if predictor == 2:
                mask = (1 << (8 * size)) - 1
                unsigned, total = array.array(self.code.upper(), line), 0
                for x, step in enumerate(unsigned):
                    total = (total + step) & mask
                    unsigned[x] = total
                row = array.array(self.code, unsigned.tobytes())
            rows.append(row)
        return rows

    def write(self, path):
        """The file again, uncompressed, with the cells as they are now. Georeference and other tags stay."""
        dropped = (PREDICTOR, TILE_WIDTH, TILE_HEIGHT, TILE_OFFSETS, TILE_COUNTS)
        tags = {t: v for t, v in self.tags.items() if t not in dropped}
        data = b"".join(row.tobytes() for row in self.cells)
        for tag, value in ((COMPRESSION, 1), (OFFSETS, 8), (ROWS_PER_STRIP, self.height), (COUNTS, len(data))):
            tags[tag] = (4, 1, struct.pack("<I", value))
        data += b"\0" * (len(data) % 2)
        directory = 8 + len(data)
        extra_at = directory + 2 + 12 * len(tags) + 4
        entries, extra = b"", b""
        for tag in sorted(tags):
            kind, count, content = tags[tag]
            if len(content) > 4:
                place = struct.pack("<I", extra_at + len(extra))
                extra += content + b"\0" * (len(content) % 2)
            else:
                place = content.ljust(4, b"\0")
            entries += struct.pack("<HHI", tag, kind, count) + place
        with open(path, "wb") as file:
            file.write(b"II*\0" + struct.pack("<I", directory) + data)
            file.write(struct.pack("<H", len(tags)) + entries + struct.pack("<I", 0) + extra)


def _undo_float_predictor(line, width, size):
    total, plain = 0, bytearray(len(line))
    for i, step in enumerate(line):
        total = (total + step) & 255
        plain[i] = total
    out = bytearray(len(line))
    for k in range(size):  # planes of bytes, the most significant first
        out[size - 1 - k::size] = plain[k * width:(k + 1) * width]
    return bytes(out)


def cells_of(path):
    return Tiff(path).cells
