"""Elevation models and folders that are missing, damaged or senseless: status 2, one line, nothing written."""
import json
import os
import shutil
import unittest

import harness
import tiff
from harness import DEMS


def commands(dem, out):
    return (("hydrology", dem, "-o", out), ("erode", dem, "-o", out), ("audit", dem), ("info", dem),
            ("mesh", dem, "-o", out + ".obj"), ("preview", dem, "-o", out + ".png"))


class BadModels(harness.Case):
    def each(self, dem, *says, skip=()):
        for args in commands(dem, self.path("out")):
            if args[0] not in skip:
                self.refused(2, *args, says=says)
        for name in os.listdir(self.dir):
            self.assertFalse(name.startswith(("out", ".thalweg")), name)

    def test_missing(self):
        self.each(self.path("none.tif"), "none.tif", "o such file")

    def test_folder_in_place_of_a_file(self):
        os.mkdir(self.path("folder"))
        self.each(self.path("folder"), "folder")

    def test_text_in_place_of_a_raster(self):
        self.each(harness.write_text(self.path("text.tif"), "Once upon a time\n" * 50), "text.tif")
        self.each(harness.write_text(self.path("empty.tif"), ""), "empty.tif")

    def test_truncated(self):
        for name in ("everest_64.tif", "tyrol_avamal_64.tif"):
            with open(os.path.join(DEMS, name), "rb") as file:
                raw = file.read()
            for length in (1, 4, 8, 100, len(raw) // 4, len(raw) // 2, len(raw) * 9 // 10, len(raw) - 1):
                path = self.path("cut.tif")
                with open(path, "wb") as file:
                    file.write(raw[:length])
                self.refused(2, "hydrology", path, "-o", self.path("out"), says="cut.tif")
                self.refused(2, "audit", path, says="cut.tif")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_truncated_result(self):
        folder = self.copy_of_world()
        path = os.path.join(folder, "height.tif")
        size = os.path.getsize(path)
        for length in (0, 100, size // 2, size - 10):
            shutil.copy(os.path.join(harness.world(), "height.tif"), path)
            os.truncate(path, length)
            self.refused(2, "audit", folder, says="height.tif")
            self.refused(2, "preview", folder, "-o", self.path("p.png"), says="height.tif")

    def test_random_damage_never_crashes(self):
        with open(os.path.join(DEMS, "everest_64.tif"), "rb") as file:
            raw = file.read()
        for i in range(12):
            damaged = bytearray(raw)
            at = (i * 7919) % min(len(raw), 900)
            damaged[at:at + 4] = bytes((255 - i, i * 37 % 256, 0, 127))
            with open(self.path("damaged.tif"), "wb") as file:
                file.write(damaged)
            answer = harness.call("hydrology", self.path("damaged.tif"), "-o", self.path("out"), "-q")
            self.assertIn(answer.status, (0, 2), answer)
            if answer.status == 2:
                self.assertEqual(len(answer.err.splitlines()), 1, answer)

    def test_nothing_but_nodata(self):
        dem = harness.write_asc(self.path("void.asc"), [[-9999] * 4] * 4)
        for args in (("hydrology", dem, "-o", self.path("out")), ("erode", dem, "-o", self.path("out"))):
            self.refused(2, *args, says=("void.asc", "NoData"))
        self.assertFalse(os.path.exists(self.path("out")))

    def test_infinite_and_senseless_heights(self):
        for value in ("inf", "-inf", "1e30", "1e300"):
            dem = harness.write_asc(self.path("odd.asc"), [[1, 2, 3], [4.5, value, 6], [7, 8, 9]])
            answer = harness.call("hydrology", dem, "-o", self.path("out"), "-q")
            self.assertEqual(answer.status, 2, "%s: %s" % (value, answer))
            self.assertEqual(len(answer.err.splitlines()), 1, answer)
            self.assertIn("odd.asc", answer.err)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_damaged_ascii_grids(self):
        for content in ("ncols 3\nnrows 3\n", "ncols x\nnrows 3\ncellsize 1\n1 2 3\n",
                        "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 5\n",
                        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 3\n4 five 6\n",
                        "ncols 0\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n",
                        "ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize -10\n1 2 3\n",
                        "ncols 2000000000\nnrows 2000000000\nxllcorner 0\nyllcorner 0\ncellsize 10\n1\n"):
            path = harness.write_text(self.path("bad.asc"), content)
            answer = harness.call("hydrology", path, "-o", self.path("out"), "-q")
            self.assertEqual(answer.status, 2, "%r: %s" % (content, answer))
            self.assertEqual(len(answer.err.splitlines()), 1, answer)

    def test_raw_layouts(self):
        path = self.path("height.r16")
        with open(path, "wb") as file:
            file.write(bytes(4 * 4 * 2))
        run = ("hydrology", path, "-o", self.path("out"), "--raw")
        for wrong in ("", "4x4", "4x4,u16", "4x4,u16le", "4x4,u16le,0,100,0", "4x4,u16le,0,100,-1", "0x4,u16le,0,1,1",
                      "4x4,u16le,100,0,1,1", "axb,u16le,0,1,1", "4x4,u16le,0,nan,1"):
            self.refused(2, *run, wrong, says="--raw")
        self.refused(2, *run, "4x5,u16le,0,100,10", says=("height.r16", "bytes"))
        self.refused(2, *run, "100000x100000,u16le,0,100,10", says="GiB")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_rain_of_another_size_or_below_zero(self):
        dem = harness.write_asc(self.path("dem.asc"), [[1, 2], [3, 4], [5, 6]])
        other = harness.write_asc(self.path("other.asc"), [[1, 2], [3, 4]])
        negative = harness.write_asc(self.path("negative.asc"), [[1, 2], [-3, 4], [5, 6]])
        for rain, words in ((other, "2 x 2"), (negative, "negative"), (self.path("none.asc"), "none.asc")):
            self.refused(2, "hydrology", dem, "-o", self.path("out"), "--rain", rain, says=words)
            self.assert_not_whole(self.path("out"))

    def test_cells_that_are_not_square_cannot_be_eroded(self):
        self.refused(2, "erode", os.path.join(DEMS, "everest_64.tif"), "-o", self.path("out"),
                     says=("everest_64.tif", "square"))


class BadFolders(harness.Case):
    def test_without_sidecar(self):
        folder = self.copy_of_world()
        os.remove(os.path.join(folder, "world.json"))
        for args in (("audit", folder), ("info", folder), ("preview", folder, "-o", self.path("p.png")),
                     ("mesh", folder, "-o", self.path("m.obj")),
                     ("export", folder, "-o", self.path("e"), "--preset", "unity")):
            self.refused(2, *args, says="world.json")

    def test_sidecar_that_is_none(self):
        folder = self.copy_of_world()
        path = os.path.join(folder, "world.json")
        for content in ("", "{", "[]", "{}", "null", '{"format": "thalweg-world 99"}', '{"format": 1}', "\0\1\2"):
            harness.write_text(path, content)
            self.refused(2, "audit", folder, says="world.json")
            self.refused(2, "info", folder, says="world.json")
        os.remove(path)
        os.mkdir(path)
        self.refused(2, "audit", folder, says="world.json")

    def test_sidecar_with_odd_values_does_not_crash(self):
        folder = self.copy_of_world()
        path = os.path.join(folder, "world.json")
        whole = harness.read_json(path)
        for key in list(whole):
            if key == "format":
                continue
            for value in (None, -1, "x", [], {}, [[1]], {"a": 1}, 1e300):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(dict(whole, **{key: value}), file)
                answer = harness.call("info", folder)
                self.assertIn(answer.status, (0, 2), answer)
        for key in ("ledger", "command", "sea_level_m", "island", "depressions"):
            for value in (None, "x", [], {}, [1], [{"step": 1, "eroded": "x"}], 1e300):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(dict(whole, **{key: value}), file)
                answer = harness.call("audit", folder)
                self.assertIn(answer.status, (0, 1, 2), answer)

    def test_height_of_another_size_than_the_water(self):
        folder = self.copy_of_world()
        height = tiff.Tiff(os.path.join(folder, "height.tif"))
        self.ok("generate", "island", "-o", self.path("small"), "--size", 33, "-q",
                "--set", "droplets.droplets_per_km2=10")
        shutil.copy(self.path("small", "water.tif"), os.path.join(folder, "water.tif"))
        self.assertEqual(height.width, 65)
        self.refused(2, "audit", folder, says="water.tif")

    def test_vectors_that_are_none(self):
        folder = self.copy_of_world()
        path = os.path.join(folder, "rivers.geojson")
        for content in ("", "{", "[]", '{"type": "FeatureCollection"}',
                        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, '
                        '"geometry": {"type": "LineString", "coordinates": [[1]]}}]}', "[" * 100000):
            harness.write_text(path, content)
            answer = harness.call("audit", folder)
            self.assertIn(answer.status, (1, 2), "%r: %s" % (content[:60], answer))
            if answer.status == 2:
                self.assertEqual(len(answer.err.splitlines()), 1, answer)
                self.assertIn("rivers.geojson", answer.err)


if __name__ == "__main__":
    harness.main()
