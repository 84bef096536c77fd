"""generate: every promised file, a complete world.json, and what its options do."""
import json
import math
import os
import re
import struct
import unittest
import zlib

import harness
import tiff
from harness import FEW_DROPLETS

TABLE = {  # name: kind of number in the file, unit
    "height.tif": ("float32", "m"), "water.tif": ("float32", "m"), "flow.tif": ("float64", "m2"),
    "wear.tif": ("float32", "m"), "deposit.tif": ("float32", "m"), "moisture.tif": ("float32", None),
    "temperature.tif": ("float32", "degC"), "biome.tif": ("uint8", None), "weights_0.png": ("rgba8", None),
    "rivers.geojson": ("lines", None), "lakes.geojson": ("polygons", None), "terrain.glb": (None, None),
    "preview.png": (None, None)}

# A small recipe without erosion and rivers: fast, and it shows which files a recipe does not make.
PLAIN = """format = "thalweg-recipe 1"
seed = 5
[extent]
size_m = %s
cell_m = %s
[[step]]
op = "noise"
wavelength_m = 500
amplitude_m = 100
octaves = 4
"""


def pixels_of(path, channels):
    """Rows of an 8-bit PNG."""
    with open(path, "rb") as file:
        raw = file.read()
    width, height, depth, colour = struct.unpack(">IIBB", raw[16:26])
    assert (depth, {3: 2, 4: 6}[channels]) == (8, colour), (depth, colour)
    data, at = b"", 8
    while at < len(raw):
        size, kind = struct.unpack(">I4s", raw[at:at + 8])
        if kind == b"IDAT":
            data += raw[at + 8:at + 8 + size]
        at += 12 + size
    data, rows, above = zlib.decompress(data), [], bytes(width * channels)
    for y in range(height):
        kind, line = data[y * (width * channels + 1)], bytearray(data[y * (width * channels + 1) + 1:][:width * channels])
        for i in range(len(line)):
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            guess = left + above[i] - corner
            paeth = min((left, above[i], corner), key=lambda v: abs(guess - v))
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, paeth)[kind]) & 255
        rows.append(bytes(line))
        above = line
    return rows


class FilesOfAnIsland(harness.Case):
    def setUp(self):
        super().setUp()
        self.world = harness.world()
        self.json = harness.read_json(os.path.join(self.world, "world.json"))

    def file(self, name):
        return os.path.join(self.world, name)

    def test_every_file_of_the_table_is_there_and_in_the_sidecar(self):
        there = sorted(os.listdir(self.world))
        for name in TABLE:
            self.assertIn(name, there)
        self.assertEqual(sorted(self.json["files"]), [n for n in there if n != "world.json"])
        hashes = set()
        for name, entry in self.json["files"].items():
            kind, unit = TABLE.get(name, (None, None))
            self.assertRegex(entry["hash"], r"^[0-9a-f]{32}$", name)
            hashes.add(entry["hash"])
            self.assertTrue(entry["kind"], name)
            self.assertIn("unit", entry, name)
            if kind is not None:
                self.assertEqual(entry["type"], kind, name)
            if unit is not None:
                self.assertEqual(entry["unit"], unit, name)
        self.assertEqual(len(hashes), len(self.json["files"]), "different files have different hashes")

    def test_keys_of_the_sidecar(self):
        j = self.json
        self.assertEqual(j["format"], "thalweg-world 1")
        self.assertEqual(j["command"], "generate")
        self.assertEqual(j["seed"], 7)
        self.assertIn("thalweg-recipe 1", j["recipe"])
        self.assertEqual(j["settings"], [FEW_DROPLETS[1]])
        self.assertRegex(j["thalweg_version"], r"^\d+\.\d+\.\d+")
        self.assertEqual(j["size"], [65, 65])
        self.assertEqual(j["cell_m"], 128)
        self.assertEqual(j["origin_cell"], [0, -64])
        self.assertIn("crs", j)
        self.assertIn("row 0 north", j["row_order"])
        self.assertEqual(j["sea_level_m"], 0)
        self.assertLess(j["height_min_m"], 0)
        self.assertGreater(j["height_max_m"], 100)

    def test_ledger_closes_exactly(self):
        self.assertTrue(self.json["ledger"])
        for entry in self.json["ledger"]:
            self.assertEqual(entry["balance"], 0)
            self.assertGreater(entry["eroded"], 0)
            self.assertEqual(entry["eroded"], entry["deposited"] + entry["exported"])

    def test_run_section_has_seconds_and_peak_memory_of_every_step(self):
        run = self.json["run"]
        self.assertGreaterEqual(len(run["steps"]), 5)
        for step in run["steps"]:
            self.assertGreaterEqual(step["seconds"], 0)
            self.assertGreater(step["peak_bytes"], 1 << 20)
        self.assertGreater(run["peak_bytes"], 1 << 20)

    def test_ranges_are_those_of_the_cells(self):
        for name, entry in self.json["files"].items():
            if not name.endswith(".tif"):
                continue
            cells = [v for row in tiff.cells_of(self.file(name)) for v in row if not math.isnan(v)]
            self.assertEqual((entry["min"], entry["max"]), (min(cells), max(cells)), name)
        self.assertEqual(self.json["height_min_m"], self.json["files"]["height.tif"]["min"])
        self.assertEqual(self.json["height_max_m"], self.json["files"]["height.tif"]["max"])

    def test_sea_all_along_the_edge_and_land(self):
        height, water = tiff.cells_of(self.file("height.tif")), tiff.cells_of(self.file("water.tif"))
        edge = list(height[0]) + list(height[-1]) + [r[0] for r in height] + [r[-1] for r in height]
        self.assertLessEqual(max(edge), 0)
        self.assertGreater(sum(h > 0 for row in height for h in row), 400)
        for ground, depth in zip(height, water):
            for h, d in zip(ground, depth):
                self.assertGreaterEqual(d, 0)
                if h < 0 and d > 0:
                    self.assertAlmostEqual(h + d, 0, delta=1e-3)
        self.assertGreater(min(water[0]), 0)

    def test_flow_holds_at_least_the_cell_itself(self):
        flow = [v for row in tiff.cells_of(self.file("flow.tif")) for v in row if not math.isnan(v)]
        self.assertGreaterEqual(min(flow), 128 * 128)

    def test_weights_sum_to_255(self):
        names = sorted(n for n in os.listdir(self.world) if re.fullmatch(r"weights_\d+\.png", n))
        self.assertEqual(names, ["weights_%d.png" % i for i in range(len(names))])
        layers = [pixels_of(self.file(n), 4) for n in names]
        for y in range(65):
            for x in range(65):
                self.assertEqual(sum(sum(layer[y][4 * x:4 * x + 4]) for layer in layers), 255, (x, y))

    def test_biomes_have_colours_and_names(self):
        biome = tiff.Tiff(self.file("biome.tif"))
        self.assertIn(320, biome.tags, "a colour table")
        names = self.json["biomes"]
        self.assertGreaterEqual(len(names), max(v for row in biome.cells for v in row) + 1)
        for name in ("sea", "beach", "rock"):
            self.assertIn(name, names)
            self.assertIn(name, biome.ascii(42112))

    def test_rivers_run_from_source_to_mouth_and_never_climb(self):
        layer = harness.read_json(self.file("rivers.geojson"))
        self.assertEqual(layer["type"], "FeatureCollection")
        self.assertGreater(len(layer["features"]), 3)
        ends = {}
        for feature in layer["features"]:
            properties, line = feature["properties"], feature["geometry"]["coordinates"]
            for key in ("order", "discharge_m3_s", "width_m", "depth_m"):
                self.assertGreater(properties[key], 0, key)
            self.assertGreaterEqual(len(line), 2)
            for a, b in zip(line, line[1:]):
                self.assertLessEqual(b[2], a[2])
            for point in (line[0], line[-1]):
                ends.setdefault(tuple(point[:2]), set()).add(point[2])
            for x, y, _ in line:
                self.assertTrue(0 <= x <= 8192 and 0 <= y <= 8192, (x, y))
        for place, heights in ends.items():
            self.assertEqual(len(heights), 1, "one height at the confluence %s" % (place,))

    def test_lakes_are_closed_polygons_with_level_and_area(self):
        for feature in harness.read_json(self.file("lakes.geojson"))["features"]:
            self.assertIn("level_m", feature["properties"])
            self.assertGreater(feature["properties"]["area_m2"], 0)
            for ring in feature["geometry"]["coordinates"]:
                self.assertEqual(ring[0], ring[-1])

    def test_preview_is_a_picture(self):
        with open(self.file("preview.png"), "rb") as file:
            head = file.read(26)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", head[16:24])
        self.assertGreaterEqual(width * height, 640 * 360)


class Options(harness.Case):
    def recipe(self, size="1000", cell="100"):
        return harness.write_text(self.path("plain.toml"), PLAIN % (size, cell))

    def made(self, *args, folder="out"):
        answer = self.ok("generate", *args, "-o", self.path(folder), "--json")
        j = json.loads(answer.out)
        self.assertEqual(j, harness.read_json(self.path(folder, "world.json")), "stdout is world.json")
        return j, answer

    def test_json_goes_to_stdout_and_progress_to_stderr(self):
        j, _ = self.made(self.recipe())
        self.assertEqual(j["size"], [11, 11])
        self.assertIn("preview.png", j["files"])
        for absent in ("wear.tif", "rivers.geojson", "biome.tif"):
            self.assertNotIn(absent, j["files"])
            self.assertFalse(os.path.exists(self.path("out", absent)))

    def test_quiet_says_nothing(self):
        answer = self.ok("generate", self.recipe(), "-o", self.path("out"), "--quiet")
        self.assertEqual((answer.out, answer.err), ("", ""))

    def test_cell_size_that_does_not_divide_the_extent_widens_it(self):
        j, answer = self.made(self.recipe(), "--cell-m", "30")
        self.assertEqual((j["size"], j["cell_m"]), ([35, 35], 30))
        self.assertIn("widened", answer.err)
        self.assertIn("1020", answer.err)
        self.assertTrue(any("widened" in note for note in j.get("notes", [])), j.get("notes"))

    def test_cell_size_that_divides_it_does_not(self):
        j, answer = self.made(self.recipe(), "--cell-m", "50")
        self.assertEqual((j["size"], j["cell_m"]), ([21, 21], 50))
        self.assertNotIn("widened", answer.err)

    def test_size_sets_the_spacing(self):
        j, _ = self.made(self.recipe(), "--size", "6")
        self.assertEqual((j["size"], j["cell_m"]), ([6, 6], 200))

    def test_oblong_extent(self):
        recipe = self.recipe(size="[1000, 500]")
        j, _ = self.made(recipe, "--size", "21")
        self.assertEqual((j["size"], j["cell_m"]), ([21, 11], 50))
        j, _ = self.made(recipe, "--size", "11x6", folder="second")
        self.assertEqual((j["size"], j["cell_m"]), ([11, 6], 100))
        self.refused(2, "generate", recipe, "-o", self.path("x"), "--size", "11x11", says=("--size", "square"))

    def test_set_changes_the_land_and_is_recorded(self):
        a, _ = self.made(self.recipe(), folder="a")
        b, _ = self.made(self.recipe(), "--set", "noise.amplitude_m=200", folder="b")
        c, _ = self.made(self.recipe(), "--set", "noise.amplitude_m=100", folder="c")
        self.assertNotEqual(a["files"]["height.tif"]["hash"], b["files"]["height.tif"]["hash"])
        self.assertEqual(a["files"]["height.tif"]["hash"], c["files"]["height.tif"]["hash"])
        self.assertAlmostEqual(b["height_max_m"], 2 * a["height_max_m"], delta=1e-3)
        self.assertEqual(b["settings"], ["noise.amplitude_m=200"])

    def test_a_sample_keeps_its_height_on_a_finer_grid(self):
        self.made(self.recipe(), "--size", "11", "--set", "noise.octaves=1", folder="a")
        self.made(self.recipe(), "--size", "21", "--set", "noise.octaves=1", folder="b")
        coarse, fine = (tiff.cells_of(self.path(f, "height.tif")) for f in "ab")
        for y in range(11):
            for x in range(11):
                self.assertAlmostEqual(coarse[y][x], fine[2 * y][2 * x], delta=1e-3)

    def test_an_old_result_in_the_folder_is_replaced_whole(self):
        folder = self.copy_of_world()
        harness.write_text(os.path.join(folder, "notes.txt"), "mine")
        harness.write_text(os.path.join(folder, ".thalweg-123-0.tmp.tif"), "left by a killed run")
        self.made(self.recipe(), folder="world")
        self.assertEqual(sorted(os.listdir(folder)), ["height.tif", "notes.txt", "preview.png", "terrain.glb",
                                                      "world.json"])

    def test_export_beside_the_world(self):
        j, _ = self.made(self.recipe(size="3200"), "--size", "33", "--export", "unity,blender")
        self.assertEqual(j["size"], [33, 33])
        self.assertEqual(os.path.getsize(self.path("out", "unity", "height.raw")), 33 * 33 * 2)
        self.assertTrue(os.path.exists(self.path("out", "blender", "height.exr")))


if __name__ == "__main__":
    harness.main()
