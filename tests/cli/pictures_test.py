"""mesh, preview, info and export: files other programs can read."""
import json
import os
import struct

import harness
import tiff


class Meshes(harness.Case):
    def test_glb(self):
        for step, vertices in ((1, 65 * 65), (2, 33 * 33), (64, 4)):
            self.ok("mesh", harness.world(), "-o", self.path("m.glb"), "--step", step, "-q")
            with open(self.path("m.glb"), "rb") as file:
                raw = file.read()
            magic, version, length = struct.unpack("<4sII", raw[:12])
            self.assertEqual((magic, version, length), (b"glTF", 2, len(raw)))
            size, kind = struct.unpack("<I4s", raw[12:20])
            self.assertEqual(kind, b"JSON")
            j = json.loads(raw[20:20 + size])
            rest, kind = struct.unpack("<I4s", raw[20 + size:28 + size])
            self.assertEqual((kind, 28 + size + rest), (b"BIN\0", len(raw)))
            primitive = j["meshes"][0]["primitives"][0]
            position = j["accessors"][primitive["attributes"]["POSITION"]]
            self.assertEqual(position["count"], vertices)
            for attribute in ("NORMAL", "TEXCOORD_0"):
                self.assertEqual(j["accessors"][primitive["attributes"][attribute]]["count"], vertices)
            self.assertEqual(j["accessors"][primitive["indices"]]["count"], 6 * (64 // step) ** 2)
            self.assertAlmostEqual(position["max"][1] - position["min"][1], self.relief(step), delta=0.01)

    def relief(self, step):
        cells = tiff.cells_of(os.path.join(harness.world(), "height.tif"))
        values = [v for row in cells[::step] for v in row[::step]]
        return max(values) - min(values)

    def test_obj(self):
        self.ok("mesh", harness.world(), "-o", self.path("m.obj"), "-q")
        count = {}
        with open(self.path("m.obj"), encoding="utf-8") as file:
            for line in file:
                word = line.split(" ", 1)[0]
                count[word] = count.get(word, 0) + 1
        self.assertEqual((count["v"], count["vn"], count["vt"], count["f"]), (4225, 4225, 4225, 8192))

    def test_elevation_models_and_holes(self):
        dem = harness.write_asc(self.path("dem.asc"), [[1.5, 2, 3], [4, -9999, 6], [7, 8, 9]])
        self.ok("mesh", dem, "-o", self.path("m.obj"), "-q")
        with open(self.path("m.obj"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(sum(line.startswith("v ") for line in lines), 8, "no vertex in the hole")
        self.assertEqual(sum(line.startswith("f ") for line in lines), 4)
        self.ok("mesh", os.path.join(harness.DEMS, "everest_64.tif"), "-o", self.path("m.obj"), "-q")
        for rows in ([[1]], [[1, 2, 3]], [[1], [2]]):
            dem = harness.write_asc(self.path("dem.asc"), rows)
            self.refused(2, "mesh", dem, "-o", self.path("n.obj"), says="2 x 2")


class Previews(harness.Case):
    def size_of(self, path):
        with open(path, "rb") as file:
            raw = file.read()
        self.assertEqual(raw[:8], b"\x89PNG\r\n\x1a\n")
        self.assertTrue(raw.endswith(b"IEND\xaeB`\x82"))
        return struct.unpack(">II", raw[16:24])

    def test_size_view_and_camera(self):
        out = self.path("p.png")
        pictures = set()
        for view in ("shaded", "relief", "height", "biome", "water", "flow", "wear", "deposit", "moisture", "temperature"):
            self.ok("preview", harness.world(), "-o", out, "--view", view, "--size", "160x90", "-q")
            if view == "shaded":
                self.assertEqual(self.size_of(out), (160, 90))
            pictures.add(harness.digest_of(out))
        for camera in ("azimuth=100", "elevation=60", "distance=2", "fov=20", "exaggeration=3,azimuth=10"):
            self.ok("preview", harness.world(), "-o", out, "--camera", camera, "--size", "160x90", "-q")
            pictures.add(harness.digest_of(out))
        self.assertEqual(len(pictures), 15, "every view and camera shows something else")
        self.ok("preview", harness.world(), "-o", out, "--size", "64", "-q")
        self.assertEqual(self.size_of(out), (64, 64))

    def test_size_of_maps(self):
        for size in ("300x300", "600x200"):
            self.ok("preview", harness.world(), "-o", self.path("p.png"), "--view", "relief", "--size", size, "-q")
            self.assertEqual("%dx%d" % self.size_of(self.path("p.png")), size)

    def test_elevation_models(self):
        models = [os.path.join(harness.DEMS, n) for n in ("everest_64.tif", "tyrol_avamal_64.tif")]
        for i, rows in enumerate(([[1]], [[1, 2, 3]], [[1], [2]], [[-9999, -9999], [-9999, 3]], [[0] * 9] * 9)):
            models.append(harness.write_asc(self.path("m%d.asc" % i), rows))
        for dem in models:
            for view in ("shaded", "relief", "height"):
                self.ok("preview", dem, "-o", self.path("p.png"), "--view", view, "--size", "48x32", "-q")
        self.refused(2, "preview", models[0], "-o", self.path("q.png"), "--view", "biome", says="biome")

    def test_camera_mistakes(self):
        for camera in ("azimuth", "azimuth=", "azimuth=abc", "fov=0", "fov=200", "distance=-1", "exaggeration=nan", "a=1"):
            self.refused(2, "preview", harness.world(), "-o", self.path("p.png"), "--camera", camera, says="--camera")


class Info(harness.Case):
    def test_folder(self):
        text = self.ok("info", harness.world()).out
        for words in ("height.tif", "seed: 7", "size: [65,65]"):
            self.assertIn(words, text)
        j = json.loads(self.ok("info", harness.world(), "--json").out)
        self.assertEqual(j, harness.read_json(os.path.join(harness.world(), "world.json")))

    def test_every_raster_of_a_world(self):
        files = harness.read_json(os.path.join(harness.world(), "world.json"))["files"]
        for name, entry in files.items():
            if not name.endswith(".tif"):
                continue
            j = json.loads(self.ok("info", os.path.join(harness.world(), name), "--json").out)
            self.assertEqual((j["size"], j["type"]), ([65, 65], entry["type"]), name)
            self.assertEqual(j.get("min_m", j.get("min")), entry["min"], name)
            self.assertIn("type: " + entry["type"], self.ok("info", os.path.join(harness.world(), name)).out)

    def test_real_models(self):
        j = json.loads(self.ok("info", os.path.join(harness.DEMS, "everest_64.tif"), "--json").out)
        self.assertEqual((j["size"], j["type"], j["nodata"], j["nodata_cells"]), ([64, 64], "int16", -32768, 205))
        self.assertTrue(j["geographic"])
        self.assertAlmostEqual(j["cell_m"][1], 92.35, delta=0.05)
        j = json.loads(self.ok("info", os.path.join(harness.DEMS, "tyrol_avamal_64.tif"), "--json").out)
        self.assertEqual((j["type"], j["nodata"], j["cell_m"]), ("float32", -9999, [5, 5]))
        self.assertFalse(j["geographic"])


def exr_of(path):
    """Channels and data window of an OpenEXR file."""
    with open(path, "rb") as file:
        raw = file.read()
    assert raw[:4] == b"\x76\x2f\x31\x01", raw[:4]
    found, at = {}, 8
    while raw[at] != 0:
        end = raw.index(b"\0", at)
        name, at = raw[at:end].decode(), end + 1
        end = raw.index(b"\0", at)
        at = end + 1
        size = struct.unpack_from("<I", raw, at)[0]
        found[name] = raw[at + 4:at + 4 + size]
        at += 4 + size
    channels, at = [], 0
    while found["channels"][at] != 0:
        end = found["channels"].index(b"\0", at)
        channels.append((found["channels"][at:end].decode(), struct.unpack_from("<i", found["channels"], end + 1)[0]))
        at = end + 17
    x0, y0, x1, y1 = struct.unpack("<4i", found["dataWindow"])
    return channels, (x1 - x0 + 1, y1 - y0 + 1)


class Exports(harness.Case):
    def export(self, preset):
        self.ok("export", harness.world(), "-o", self.path(preset), "--preset", preset, "-q")
        j = harness.read_json(self.path(preset, "export.json"))
        self.assertEqual((j["preset"], j["samples"], j["metres_per_sample"]), (preset, [65, 65], [128, 128]))
        self.assertTrue(j["import"])
        return j

    def test_unity(self):
        j = self.export("unity")
        with open(self.path("unity", "height.raw"), "rb") as file:
            values = struct.unpack("<4225H", file.read())
        self.assertEqual((min(values), max(values)), (0, 65535))
        self.assertEqual(j["import"]["resolution"], 65)
        height = tiff.cells_of(os.path.join(harness.world(), "height.tif"))
        low, size = j["import"]["terrain_position_y_m"], j["import"]["terrain_size_m"]
        self.assertEqual((size[0], size[2]), (8192, 8192))
        for y in (0, 20, 40, 64):  # row 0 of the file is the south edge
            for x in (0, 30, 64):
                got = low + values[(64 - y) * 65 + x] / 65536 * size[1]  # as Unity reads them
                self.assertAlmostEqual(got, height[y][x], delta=size[1] / 65536)

    def test_pictures_of_floats(self):
        for preset, channels in (("terrain3d", 3), ("blender", 1), ("houdini", 1)):
            self.export(preset)
            names, size = exr_of(self.path(preset, "height.exr"))
            self.assertEqual((len(names), size), (channels, (65, 65)), preset)
            self.assertTrue(all(kind == 2 for _, kind in names), "32-bit floats: %s" % names)

    def test_every_preset_the_help_names(self):
        text = self.ok("export", "--help").out
        presets = [line.split(":")[0].strip() for line in text.split("Presets:\n")[1].splitlines() if line[:2] == "  "]
        self.assertGreaterEqual(len(presets), 4)
        for preset in presets:
            self.export(preset)

    def test_unity_refuses_other_sizes(self):
        dem = os.path.join(harness.DEMS, "tyrol_avamal_64.tif")
        self.ok("hydrology", dem, "-o", self.path("h"), "-q")
        self.refused(2, "export", self.path("h"), "-o", self.path("u"), "--preset", "unity", says=("unity", "65", "64 x 64"))
        self.assertFalse(os.path.exists(self.path("u", "export.json")))


if __name__ == "__main__":
    harness.main()
