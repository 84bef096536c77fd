"""Recipes with sketches, masks, pictures, kept fields and promises, from the file to the audit."""
import json
import os
import unittest

import harness
import tiff

try:
    import jsonschema
except ImportError:  # python3-jsonschema
    jsonschema = None
try:
    import tomllib
except ImportError:  # Python 3.11
    tomllib = None

RECIPE = """format = "thalweg-recipe 1"
seed = 4
keep = ["on_plain", "grain", "from_ridge"]

[extent]
size_m = 640
cell_m = 20

[[sketch]]
name = "plain"
height_m = 120
polygon = [[150, 150], [350, 150], [350, 350], [150, 350]]

[[sketch]]
name = "ridge"
file = "drawn/ridge.geojson"

[[step]]
op = "noise"
wavelength_m = 400
amplitude_m = 120
offset_m = 150

[[step]]
op = "image"
file = "grain.asc"
out = "grain"
unit = "1"
low = 0
high = 1

[[step]]
op = "sketch-mask"
sketch = "plain"
falloff_m = 100
out = "on_plain"

[[step]]
op = "terrace"
step_m = 40
mask = "grain"

[[step]]
op = "distance"
sketch = "ridge"
limit_m = 200
out = "from_ridge"

[[step]]
op = "sketch"
name = "lift"
sketch = "ridge"
blend = "raise"
falloff_m = 150
tolerance_m = 30

[[step]]
op = "sketch"
name = "level"
sketch = "plain"
falloff_m = 80
tolerance_m = 0.5
protect = true

[[step]]
op = "droplets"
droplets_per_km2 = 500
"""
GRAIN = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
RIDGE = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"height_m": 320},
     "geometry": {"type": "LineString", "coordinates": [[60, 560], [320, 500], [600, 580]]}}]}


class Case(harness.Case):
    def write(self, text=RECIPE, ridge=RIDGE):
        os.makedirs(self.path("recipe", "drawn"), exist_ok=True)
        harness.write_asc(self.path("recipe", "grain.asc"), GRAIN)
        harness.write_text(self.path("recipe", "drawn", "ridge.geojson"), json.dumps(ridge))
        return harness.write_text(self.path("recipe", "r.toml"), text)

    def make(self, text=RECIPE, *args):
        self.ok("generate", self.write(text), "-o", self.path("out"), "--no-preview", "-q", *args)
        return harness.read_json(self.path("out", "world.json"))


class Sketched(Case):
    def test_from_the_recipe_to_the_audit(self):
        j = self.make()
        self.assertEqual({n: f["unit"] for n, f in j["files"].items() if n in ("on_plain.tif", "grain.tif", "from_ridge.tif")},
                         {"on_plain.tif": "1", "grain.tif": "1", "from_ridge.tif": "m"})
        self.assertNotIn("protect.tif", j["files"])
        self.assertEqual(sorted(j["inputs"]), ["drawn/ridge.geojson", "grain.asc"])
        self.assertTrue(all(len(i["hash"]) == 32 for i in j["inputs"].values()))
        self.assertEqual([p["sketch"] for p in j["promises"]], ["ridge", "plain"])
        lift, level = j["promises"]
        self.assertTrue(lift["kept"] and level["kept"], j["promises"])
        self.assertEqual((lift["land"], level["land"]), ("at-least", "within"))
        self.assertEqual(level["kind"], "polygons")
        self.assertEqual(level["samples"], 100)
        grain = tiff.cells_of(self.path("out", "grain.tif"))
        self.assertEqual((grain[0][0], grain[0][16], grain[16][16], grain[8][0]), (0, 1, 1, 0.5))
        self.assertEqual(tiff.cells_of(self.path("out", "from_ridge.tif"))[32][0], 200)
        height = tiff.cells_of(self.path("out", "height.tif"))
        self.assertTrue(all(abs(height[y][x] - 120) <= 0.5 for y in range(15, 25) for x in range(8, 18)))
        text = self.ok("audit", self.path("out")).out
        self.assertRegex(text, r"ok    promise: 100 checked \(sketch 'plain', within 0.5 m of its height")

    def test_an_altered_height_breaks_the_promise(self):
        self.make()
        path = self.path("out", "height.tif")
        height = tiff.Tiff(path)
        height.cells[20][12] += 3
        height.write(path)
        answer = self.ends(1, "audit", self.path("out"))
        line = next(l for l in answer.out.splitlines() if l.startswith("FAULT promise"))
        for words in ("1 of 100 wrong", "column 12, row 20", "instead of 120 m", "'plain'"):
            self.assertIn(words, line)

    def test_a_promise_that_is_not_kept_is_said(self):
        broken = RECIPE + '\n[[step]]\nop = "noise"\ncombine = "add"\namplitude_m = 60\nwavelength_m = 300\n'
        answer = self.ok("generate", self.write(broken), "-o", self.path("out"), "--no-preview")
        self.assertIn("promise not kept: sketch 'plain'", answer.err)
        self.assertFalse(harness.read_json(self.path("out", "world.json"))["promises"][1]["kept"])
        self.ends(1, "audit", self.path("out"))

    def test_a_promise_under_water_is_said(self):
        wet = RECIPE + '\n[[step]]\nop = "rivers"\nmin_area_km2 = 100\n'
        wet = wet.replace("[extent]", "[extent]\nsea_level_m = 500")
        answer = self.ok("generate", self.write(wet), "-o", self.path("out"), "--no-preview")
        self.assertIn("promise without land: sketch 'plain'", answer.err)
        self.assertIn("100 more under water", answer.err)
        self.ok("audit", self.path("out"))

    def test_a_damaged_promise_is_no_crash(self):
        j = self.make()
        path = self.path("out", "world.json")
        for key, value in (("kind", "blobs"), ("points", [[1]]), ("points", []), ("tolerance_m", "x"), ("land", 3)):
            damaged = json.loads(json.dumps(j))
            damaged["promises"][0][key] = value
            harness.write_text(path, json.dumps(damaged))
            self.refused(2, "audit", self.path("out"), says=("world.json", "promise 0"))

    def test_same_hashes_for_any_thread_count(self):
        one = self.make(RECIPE, "--threads", 1)
        two = self.make(RECIPE, "--threads", 3)
        self.assertEqual(one["files"], two["files"])
        self.assertEqual(one["promises"], two["promises"])

    def test_half_the_cell_size_is_the_same_picture_and_sketch(self):
        self.make()
        coarse = {n: tiff.cells_of(self.path("out", n + ".tif")) for n in ("grain", "on_plain", "from_ridge")}
        self.make(RECIPE, "--cell-m", 10)
        for name, cells in coarse.items():
            fine = tiff.cells_of(self.path("out", name + ".tif"))
            for y in range(33):
                for x in range(33):
                    self.assertAlmostEqual(cells[y][x], fine[2 * y][2 * x], delta=1e-3, msg=name)


class Mistakes(Case):
    def check(self, text, *says, ridge=RIDGE):
        return self.refused(2, "generate", self.write(text, ridge), "-o", self.path("x"), says=says)

    def tearDown(self):
        self.assertFalse(os.path.exists(self.path("x")))

    def test_files(self):
        self.check(RECIPE.replace("drawn/ridge", "drawn/rigde"), "r.toml:16:8", "rigde.geojson", "no such file")
        self.check(RECIPE.replace("grain.asc", "grian.asc"), "r.toml:26:8", "grian.asc")
        # Nothing but files: GDAL would open addresses on the network, too.
        for address in ("/vsicurl/http://127.0.0.1:9/a.png", "/vsimem/a.tif", "http://127.0.0.1:9/a.png"):
            self.check(RECIPE.replace("grain.asc", address), "r.toml:26:8", "is not a file")
        self.check(RECIPE, "r.toml:16:8", "coordinate system", ridge=dict(
            RIDGE, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}))
        self.check(RECIPE, "r.toml:16:8", "no features", ridge={"type": "FeatureCollection", "features": []})
        point = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}
        self.check(RECIPE, "r.toml:16:8", "mixes", ridge=dict(RIDGE, features=RIDGE["features"] + [point]))
        bare = json.loads(json.dumps(RIDGE))
        del bare["features"][0]["properties"]["height_m"]
        self.check(RECIPE, "'ridge' has no heights", ridge=bare)
        self.check(RECIPE, "r.toml:16:8", "FeatureCollection", ridge=0)
        self.check(RECIPE.replace('"drawn/ridge.geojson"', '"grain.asc"'), "r.toml:16:8", "grain.asc")

    def test_an_output_folder_that_holds_an_input(self):
        path = self.write()
        self.refused(2, "generate", path, "-o", self.path("recipe"), says=("-o", "grain.asc"))
        self.refused(2, "generate", path, "-o", self.path("recipe", "drawn"), says=("-o", "ridge.geojson"))

    def test_the_whole(self):
        self.check(RECIPE.replace('mask = "grain"', 'mask = "grian"'), "r.toml:41:8", "'grian'", "did you mean 'grain'?")
        self.check(RECIPE.replace('unit = "1"\n', ""), "r.toml:40:8", "pure numbers")
        self.check(RECIPE.replace('keep = ["on_plain", ', "keep = ["), "r.toml:36:7", "no effect", "on_plain")
        self.check(RECIPE.replace('"from_ridge"]', '"from_rigde"]'), "r.toml:3:30", "did you mean 'from_ridge'?")
        self.check(RECIPE + 'mask = "grain"\n', "'droplets' takes no mask")
        self.refused(2, "generate", self.write(), "-o", self.path("x"), "--set", "terrace.mask=height",
                     says=("--set terrace.mask=height", "pure numbers"))
        self.refused(2, "generate", self.write(), "-o", self.path("x"), "--set", "image.file=none.png",
                     says=("--set image.file=none.png", "none.png"))


@unittest.skipUnless(jsonschema and tomllib, "needs python3-jsonschema and tomllib")
class Schema(Case):
    def setUp(self):
        super().setUp()
        schema = json.loads(self.ok("ops", "--schema").out)
        jsonschema.Draft7Validator.check_schema(schema)
        self.validator = jsonschema.Draft7Validator(schema)

    def faults(self, text):
        return [e.message for e in self.validator.iter_errors(tomllib.loads(text))]

    def test_good_recipes(self):
        folder = os.path.join(harness.SOURCE_DIR, "recipes")
        texts = [RECIPE]
        for name in sorted(os.listdir(folder)):
            if name.endswith(".toml"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts.append(file.read())
        head = 'format = "thalweg-recipe 1"\n'
        texts += [head + op["example"] for op in json.loads(self.ok("ops", "--json").out)]
        for text in texts:
            self.assertEqual(self.faults(text), [], text)

    def test_wrong_recipes(self):
        for change, says in (
                (('size_m = 640', 'size_m = [1, 2, 3]'), "long"), (('op = "terrace"', 'op = "terraces"'), "terraces"),
                (("step_m = 40", "step_m = 0"), "minimum"), (("step_m = 40", "stepm = 40"), "stepm"),
                (("step_m = 40", 'step_m = "40"'), "number"), (('blend = "raise"', 'blend = "up"'), "up"),
                (('sketch = "ridge"\nlimit', "limit"), "'sketch' is a required property"),
                (("height_m = 120", "height = 120"), "height"), (("[350, 150], [350, 350], ", ""), "short"), (('file = "drawn', 'point = [1, 2]\nfile = "drawn'), "valid"),
                (('name = "ridge"\nfile = "drawn/ridge.geojson"', 'name = "ridge"'), "valid"),
                (('droplets_per_km2 = 500', 'droplets_per_km2 = 500\nmask = "grain"'), "mask"),
                (('out = "on_plain"', 'out = "On Plain"'), "match"), (("seed = 4", "seed = -4"), "minimum"),
                (("seed = 4", "sead = 4"), "sead"), (('keep = ["on_plain"', 'keep = [3'), "string")):
            text = RECIPE.replace(*change)
            faults = self.faults(text)
            self.assertNotEqual(text, RECIPE, change)
            self.assertTrue(any(says in f for f in faults), (change, faults))
            self.assertLessEqual(len(faults), 3, "one mistake makes few messages: %s" % faults)


if __name__ == "__main__":
    harness.main()
