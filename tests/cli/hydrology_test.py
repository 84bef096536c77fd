"""hydrology and erode over elevation models: valid codes, sums that close, the georeference kept, odd shapes."""
import array
import json
import os
import stat
import sys

import harness
import tiff
from harness import DEMS

METHODS = ("fill", "fill-epsilon", "breach", "hybrid", "planchon-darboux", "none")
STEP = {1: (1, 0), 2: (1, 1), 4: (0, 1), 8: (-1, 1), 16: (-1, 0), 32: (-1, -1), 64: (0, -1), 128: (1, -1)}
FILES = ["accumulation.tif", "basins.tif", "directions.tif", "filled.tif", "lakes.geojson", "preview.png",
         "rivers.geojson", "rivers.gpkg", "world.json"]
EVEREST = os.path.join(DEMS, "everest_64.tif")
TYROL = os.path.join(DEMS, "tyrol_avamal_64.tif")


class Hydro(harness.Case):
    def asc(self, rows, **more):
        return harness.write_asc(self.path("dem.asc"), rows, **more)

    def drain(self, dem, *args, folder="out"):
        """Runs it, checks what holds for any input, and returns the rasters by name."""
        out = self.path(folder)
        self.ok("hydrology", dem, "-o", out, "-q", *args)
        self.assertEqual(sorted(os.listdir(out)), FILES)
        self.ok("audit", out)
        rasters = {n: tiff.cells_of(os.path.join(out, n + ".tif"))
                   for n in ("filled", "directions", "accumulation", "basins")}
        rasters["world"] = harness.read_json(os.path.join(out, "world.json"))
        return rasters

    def check_directions(self, rasters, pits_allowed=False):
        """Codes are valid; a cell without direction lies on the border or beside NoData; following them ends."""
        d = rasters["directions"]
        height, width = len(d), len(d[0])
        nodata = lambda x, y: not (0 <= x < width and 0 <= y < height) or d[y][x] == 255
        for y in range(height):
            for x in range(width):
                code = d[y][x]
                if code == 255:
                    continue
                self.assertIn(code, (0, *STEP), (x, y))
                if code == 0 and not pits_allowed:
                    self.assertTrue(any(nodata(x + dx, y + dy) for dx, dy in STEP.values()), (x, y))
        done = set()
        for y in range(height):
            for x in range(width):
                at, way = (x, y), []
                while at not in done and not nodata(*at):
                    done.add(at)
                    way.append(at)
                    step = STEP.get(d[at[1]][at[0]])
                    if step is None:
                        break
                    at = (at[0] + step[0], at[1] + step[1])
                    self.assertNotIn(at, way, "a circle")

    def outflow(self, rasters):
        """What leaves the map: the accumulation of cells whose direction leads nowhere."""
        d, a = rasters["directions"], rasters["accumulation"]
        height, width = len(d), len(d[0])
        total = 0
        for y in range(height):
            for x in range(width):
                if d[y][x] == 255:
                    continue
                dx, dy = STEP.get(d[y][x], (0, 0))
                nx, ny = x + dx, y + dy
                if (dx, dy) == (0, 0) or not (0 <= nx < width and 0 <= ny < height) or d[ny][nx] == 255:
                    total += a[y][x]
        return total


class RealModels(Hydro):
    def test_every_method(self):
        for dem in (EVEREST, TYROL):
            before = json.loads(self.ok("info", dem, "--json").out)
            ground = tiff.cells_of(dem)
            for method in METHODS:
                with self.subTest(dem=os.path.basename(dem), method=method):
                    r = self.drain(dem, "--depressions", method)
                    self.check_directions(r, pits_allowed=method == "none")
                    self.check_surface(ground, r, method, before["nodata"])
                    for name in ("filled", "directions", "accumulation", "basins"):
                        self.same_place(before, name)
                    self.assertEqual(r["world"]["depressions"], method)
                    lines = harness.read_json(self.path("out", "rivers.geojson"))["features"]
                    self.assertGreater(len(lines), 3)

    def same_place(self, before, name):
        after = json.loads(self.ok("info", self.path("out", name + ".tif"), "--json").out)
        for key in ("size", "geotransform", "crs", "geographic", "cell_m"):
            self.assertEqual(after[key], before[key], (name, key))
        if name in ("filled", "directions"):
            self.assertEqual(after["nodata_cells"], before["nodata_cells"], name)
        if name == "filled":
            self.assertEqual(after["nodata"], before["nodata"])

    def check_surface(self, ground, rasters, method, mark):
        for before, after in zip(ground, rasters["filled"]):
            for a, b in zip(before, after):
                if a == mark:
                    self.assertEqual(b, mark)
                elif method == "none":
                    self.assertEqual(a, b)
                elif method in ("fill", "fill-epsilon", "planchon-darboux"):
                    self.assertGreaterEqual(b, a)
                elif method == "breach":
                    self.assertLessEqual(b, a + 1e-3)

    def test_accumulation_sums_to_the_area(self):
        r = self.drain(TYROL)
        cells = sum(v != 255 for row in r["directions"] for v in row)
        self.assertAlmostEqual(self.outflow(r), cells * 25, delta=1e-6 * cells)
        # In degrees the rows differ: the smallest value of a row is the area of one of its cells.
        r = self.drain(EVEREST, folder="everest")
        total = 0
        for row, codes in zip(r["accumulation"], r["directions"]):
            own = [v for v, c in zip(row, codes) if c != 255]
            total += min(own) * len(own) if own else 0
        self.assertAlmostEqual(self.outflow(r), total, delta=1e-9 * total)

    def test_integer_heights_stay_integers(self):
        r = self.drain(EVEREST)
        self.assertEqual(r["world"]["files"]["filled.tif"]["type"], "int16")
        r = self.drain(EVEREST, "--depressions", "fill-epsilon", folder="epsilon")
        self.assertIn(r["world"]["files"]["filled.tif"]["type"], ("float32", "float64"))

    def test_river_threshold(self):
        few = self.drain(TYROL, "--river-km2", "0.02", folder="few")
        many = self.drain(TYROL, "--river-km2", "0.0005", folder="many")
        count = lambda f: len(harness.read_json(self.path(f, "rivers.geojson"))["features"])
        self.assertLess(count("few"), count("many"))
        self.assertEqual(few["world"]["files"]["directions.tif"]["hash"], many["world"]["files"]["directions.tif"]["hash"])
        self.drain(TYROL, "--river-km2", "1000", folder="none")
        self.assertEqual(count("none"), 0)

    def test_read_only_input_and_folder(self):
        folder = self.path("input")
        os.mkdir(folder)
        with open(TYROL, "rb") as source, open(os.path.join(folder, "dem.tif"), "wb") as copy:
            copy.write(source.read())
        os.chmod(os.path.join(folder, "dem.tif"), stat.S_IRUSR)
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(os.chmod, folder, stat.S_IRWXU)
        self.drain(os.path.join(folder, "dem.tif"))
        self.assertEqual(os.listdir(folder), ["dem.tif"], "no side files beside the input")


class HandMade(Hydro):
    def test_plane_runs_west(self):
        r = self.drain(self.asc([[10.5 * x for x in range(5)] for _ in range(4)]))
        for y in (1, 2):
            self.assertEqual(list(r["directions"][y][1:4]), [16, 16, 16])
            self.assertEqual(list(r["accumulation"][y][1:4]), [400, 300, 200])
        self.assertEqual(self.outflow(r), 20 * 100)
        self.assertEqual([list(row) for row in r["filled"]], [[10.5 * x for x in range(5)]] * 4)

    def test_pit_is_filled_to_its_rim_or_cut_open(self):
        rows = [[9.0] * 5, [9, 5, 5, 5, 9], [9, 5, 1, 5, 7], [9, 5, 5, 5, 9], [9.0] * 5]
        filled = self.drain(self.asc(rows, cell_m=100))  # large enough for a lake
        self.assertEqual([list(r[1:4]) for r in filled["filled"][1:4]], [[7] * 3] * 3)
        self.check_directions(filled)
        lakes = harness.read_json(self.path("out", "lakes.geojson"))["features"]
        self.assertEqual([(f["properties"]["level_m"], f["properties"]["area_m2"]) for f in lakes], [(7, 90000)])
        cut = self.drain(self.asc(rows), "--depressions", "breach")
        self.assertEqual(cut["filled"][2][2], 1)
        self.assertLessEqual(cut["filled"][2][4], 1)
        none = self.drain(self.asc(rows), "--depressions", "none")
        self.assertEqual(none["filled"][2][2], 1)
        self.assertEqual(none["directions"][2][2], 0)

    def test_all_flat(self):
        for method in METHODS:
            r = self.drain(self.asc([[3] * 9] * 7), "--depressions", method)
            self.check_directions(r)
            self.assertEqual(self.outflow(r), 63 * 100)

    def test_sizes_of_one(self):
        for rows in ([[5]], [[5, 4, 3, 6, 2]], [[5], [4], [3], [6], [2]], [[1, 2], [3, 4]], [[1, 2, 3]] * 2,
                     [[9, 9, 9], [9, 1, 9], [9, 9, 9]]):
            for method in METHODS:
                with self.subTest(rows=rows, method=method):
                    r = self.drain(self.asc(rows), "--depressions", method)
                    self.check_directions(r, pits_allowed=method == "none")
                    if method != "none":
                        self.assertEqual(self.outflow(r), len(rows) * len(rows[0]) * 100)

    def test_hole_of_nodata_is_an_outlet(self):
        rows = [[20.5 + abs(x - 4) + abs(y - 4) for x in range(9)] for y in range(9)]
        rows[4][4] = -9999
        for method in METHODS:
            r = self.drain(self.asc(rows), "--depressions", method)
            self.check_directions(r)
            self.assertEqual(r["directions"][4][4], 255)
            self.assertEqual(r["filled"][4][4], -9999)
            self.assertEqual(r["filled"][4][3], 21.5, "nothing was filled")
            self.assertEqual(self.outflow(r), 80 * 100)

    def test_odd_heights(self):
        for a, b in (("-431.5", "-2.25"), ("-0.0", "0.0"), ("1e-30", "-1e-30"), ("999999999.0", "-999999999.0"),
                     ("0.1", "1e8")):
            for method in METHODS:
                with self.subTest(a=a, b=b, method=method):
                    rows = [[a if (x + y) % 2 else b for x in range(6)] for y in range(5)]
                    r = self.drain(self.asc(rows), "--depressions", method)
                    self.check_directions(r, pits_allowed=method == "none")

    def test_nan_text_is_nodata(self):
        r = self.drain(self.asc([[5.5, 5.5, 5.5], [5.5, "nan", 5.5], [5.5, 5.5, 5.5]], nodata=None))
        self.assertEqual(r["directions"][1][1], 255)
        self.assertEqual(self.outflow(r), 800)

    # The reader of ASCII grids takes a file of whole numbers for integers and then reads "nan" and "inf" as 0.
    def test_nan_text_among_whole_numbers_is_nodata(self):
        self.ok("hydrology", self.asc([[5, 5, 5], [5, "nan", 5], [5, 5, 5]], nodata=None), "-o", self.path("out"), "-q")
        self.assertEqual(tiff.cells_of(self.path("out", "directions.tif"))[1][1], 255)

    def test_constant_rain_gives_area_times_rain(self):
        rows = [[(x * 7 + y * 13) % 11 + 0.5 * x for x in range(12)] for y in range(9)]
        dem = self.asc(rows)
        rain = harness.write_asc(self.path("rain.asc"), [[1000.0] * 12] * 9)
        dry, wet = self.drain(dem), self.drain(dem, "--rain", rain, folder="wet")
        self.assertEqual(dry["world"]["files"]["accumulation.tif"]["unit"], "m2")
        self.assertEqual(wet["world"]["files"]["accumulation.tif"]["unit"], "m3/s")
        for areas, flows in zip(dry["accumulation"], wet["accumulation"]):
            for area, flow in zip(areas, flows):
                self.assertAlmostEqual(flow, area * 1.0 / 31556952.0, delta=1e-6 * flow)

    def test_rain_only_here(self):
        rows = [[10.0 * x for x in range(5)] for _ in range(5)]
        rain = [[0.0] * 5 for _ in range(5)]
        rain[2][3] = 500.0
        r = self.drain(self.asc(rows), "--rain", harness.write_asc(self.path("rain.asc"), rain))
        cell = 0.5 * 100 / 31556952.0
        for y in range(5):
            for x in range(5):
                self.assertAlmostEqual(r["accumulation"][y][x], cell if y == 2 and x <= 3 else 0, delta=1e-6 * cell)


class Routing(Hydro):
    """Methods of routing, attributes, watersheds, and models in tiles."""

    def run_folder(self, dem, *args, folder="out"):
        out = self.path(folder)
        self.ok("hydrology", dem, "-o", out, "-q", *args)
        self.ok("audit", out)
        return out, harness.read_json(os.path.join(out, "world.json"))

    def test_plane_by_every_method(self):
        dem = self.asc([[10.0 * x for x in range(6)] for _ in range(5)])
        for method in ("d8", "rho8", "dinf", "mfd"):
            out, world = self.run_folder(dem, "--routing", method, folder=method)
            self.assertEqual(world["routing"], method)
            area = tiff.cells_of(os.path.join(out, "accumulation.tif"))
            left = sum(row[0] for row in area)
            self.assertAlmostEqual(left, 30 * area[2][5], delta=1e-9 * left, msg="all that falls leaves in the west")
        angles = tiff.cells_of(os.path.join(self.path("dinf"), "directions.tif"))
        self.assertAlmostEqual(angles[2][3], 3.14159265, delta=1e-6)

    def test_rain_by_every_method_leaves_the_map(self):
        rows = [[(x * 7 + y * 13) % 11 + 0.5 * x for x in range(12)] for y in range(9)]
        rain = harness.write_asc(self.path("rain.asc"), [[1000.0] * 12] * 9)
        for method in ("dinf", "mfd"):
            dry, _ = self.run_folder(self.asc(rows), "--routing", method, folder="dry")
            wet, world = self.run_folder(self.asc(rows), "--routing", method, "--rain", rain, folder="wet")
            self.assertEqual(world["files"]["accumulation.tif"]["unit"], "m3/s")
            for areas, flows in zip(*(tiff.cells_of(os.path.join(f, "accumulation.tif")) for f in (dry, wet))):
                for area, flow in zip(areas, flows):
                    self.assertAlmostEqual(flow, area / 31556952.0, delta=1e-5 * flow)

    def test_seed_of_rho8(self):
        one, two, other = (self.run_folder(EVEREST, "--routing", "rho8", "--seed", s, folder=f)[1]
                           for s, f in ((1, "a"), (1, "b"), (2, "c")))
        hashes = [w["files"]["directions.tif"]["hash"] for w in (one, two, other)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])

    def test_attributes(self):
        out, world = self.run_folder(EVEREST, "--attributes", "all")
        names = {"slope": "deg", "aspect": "deg", "profile-curvature": "1/km", "plan-curvature": "1/km", "wetness": "1",
                 "stream-power": "m", "above-drainage": "m", "relief": "m", "roughness": "m", "hillshade": "1",
                 "sky-view": "1"}
        for name, unit in names.items():
            self.assertEqual(world["files"][name + ".tif"]["unit"], unit)
            self.assertEqual(len(tiff.cells_of(os.path.join(out, name + ".tif"))), 64)
        dem = self.asc([[10.0 * x for x in range(6)] for _ in range(5)])
        out, world = self.run_folder(dem, "--attributes", "slope,aspect", folder="plane")
        self.assertNotIn("relief.tif", world["files"])
        self.assertAlmostEqual(tiff.cells_of(os.path.join(out, "slope.tif"))[2][2], 45, delta=1e-4)
        self.assertAlmostEqual(tiff.cells_of(os.path.join(out, "aspect.tif"))[2][2], 270, delta=1e-4)
        self.refused(2, "hydrology", dem, "-o", self.path("no"), "--attributes", "slop", says=("'slope'",))

    def test_watersheds_and_subbasins(self):
        outlet = {"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [86.61, 27.94]}}]}
        file = self.path("outlets.geojson")
        harness.write_text(file, json.dumps(outlet))
        out, world = self.run_folder(EVEREST, "--outlet", file, "--outlet", "86.62,27.95", "--subbasins", "2")
        sheds = harness.read_json(os.path.join(out, "watersheds.geojson"))["features"]
        self.assertEqual([f["properties"]["id"] for f in sheds], [1, 2])
        labels = tiff.cells_of(os.path.join(out, "watersheds.tif"))
        for f in sheds:
            cells = sum(row.count(f["properties"]["id"]) for row in labels)
            self.assertGreater(cells, 0)
            self.assertAlmostEqual(f["properties"]["area_km2"], cells * 0.0076, delta=0.0003 * cells)
        parts = harness.read_json(os.path.join(out, "subbasins.geojson"))["features"]
        self.assertTrue(all(0 <= p["properties"]["pfafstetter"] <= 99 for p in parts))
        self.refused(2, "hydrology", EVEREST, "-o", self.path("no"), "--outlet", "5,6", says=("5,6", "outside"))
        self.refused(2, "hydrology", EVEREST, "-o", self.path("no"), "--outlet", "5;6", says=("5;6",))

    def test_tiles_give_the_same_files(self):
        size = 2400
        dem = self.path("large.tif")
        world = self.path("made")
        recipe = self.path("r.toml")
        harness.write_text(recipe, 'format = "thalweg-recipe 1"\n[extent]\nsize_m = 23990\ncell_m = 10\n'
                                   '[[step]]\nop = "noise"\nwavelength_m = 6000\namplitude_m = 500\noctaves = 6\n')
        self.ok("generate", recipe, "-o", world, "--size", size, "--no-preview", "-q")
        os.replace(os.path.join(world, "height.tif"), dem)
        whole, tiles = self.path("whole"), self.path("tiles")
        self.ok("hydrology", dem, "-o", whole, "-q")
        self.ok("hydrology", dem, "-o", tiles, "--memory", "200M", "--threads", 1, "-q")
        for name in ("filled.tif", "directions.tif", "accumulation.tif"):
            with open(os.path.join(whole, name), "rb") as a, open(os.path.join(tiles, name), "rb") as b:
                self.assertEqual(a.read(), b.read(), name)
        self.assertEqual(sorted(os.listdir(tiles)),
                         ["accumulation.tif", "directions.tif", "filled.tif", "world.json"])
        self.ok("audit", tiles)
        self.refused(2, "hydrology", dem, "-o", tiles, "--memory", "200M", "--routing", "mfd",
                     says=("--memory", "tiles take fill and d8", "MiB"))

    def test_wrong_rain_and_outlets_leave_the_old_result_whole(self):
        rows = [[10.0 * x for x in range(6)] for _ in range(5)]
        dem = self.asc(rows)
        out, before = self.run_folder(dem)
        rain = lambda value, name: harness.write_asc(self.path(name), [[value] * 6] * 5)
        small = harness.write_asc(self.path("small.asc"), [[1.0] * 3] * 3)
        for args, says in ((("--rain", self.path("none.asc")), "none.asc"), (("--rain", rain(-1.0, "n.asc")), "is -1"),
                           (("--rain", rain(1e30, "h.asc")), "100000 mm"), (("--rain", small), "3 x 3"),
                           (("--outlet", "-1e6,4"), "outside of the map"), (("--outlet", "7"), "X,Y")):
            self.refused(2, "hydrology", dem, "-o", out, *args, says=(says,))
            self.ok("audit", out)
            self.assertEqual(harness.read_json(os.path.join(out, "world.json"))["files"], before["files"])
        self.refused(2, "hydrology", dem, "-o", out, "--subbasins", 0, says=("--subbasins",))
        self.refused(2, "hydrology", dem, "-o", out, "--routing", "rho8", "--seed", 2 ** 64, says=("--seed",))

    def test_rain_must_lie_where_the_model_does(self):
        rows = [[10.0 * x for x in range(6)] for _ in range(5)]
        rain = [[1000.0] * 6] * 5
        for dem, other, status in ((EVEREST, TYROL, 2), (EVEREST, EVEREST, 0)):
            answer = harness.call("hydrology", dem, "-o", self.path("out"), "--rain", other, "-q")
            self.assertEqual(answer.status, status, answer)
        self.ok("hydrology", self.asc(rows), "-o", self.path("out"), "--rain",
                harness.write_asc(self.path("rain.asc"), rain), "-q")

    def test_a_result_tells_how_to_repeat_it(self):
        args = ("--routing", "mfd", "--exponent", "2", "--attributes", "slope, wetness", "--outlet", "86.61,27.94",
                "--subbasins", "2")
        _, one = self.run_folder(EVEREST, *args, folder="one")
        self.assertIn("--river-km2", one["options"])
        _, two = self.run_folder(EVEREST, *one["options"], folder="two")
        self.assertEqual(one["files"], two["files"])
        _, d8 = self.run_folder(EVEREST, "--attributes", "wetness", folder="d8")
        self.assertNotEqual(d8["files"]["wetness.tif"]["hash"], one["files"]["wetness.tif"]["hash"])

    def test_options_that_go_with_others(self):
        dem = self.asc([[10.0 * x for x in range(6)] for _ in range(5)])
        for args, words in ((("--exponent", "2"), "--routing mfd"), (("--seed", "2"), "--routing rho8"),
                            (("--snap-m", "2"), "--outlet")):
            self.refused(2, "hydrology", dem, "-o", self.path("no"), *args, says=(args[0], "goes with " + words))


class RawFiles(Hydro):
    values = [[(x * 31 + y * 17) % 97 for x in range(6)] for y in range(4)]

    def write(self, code, big=False):
        data = array.array(code, [v for row in self.values for v in row])
        if big != (sys.byteorder == "big"):
            data.byteswap()
        with open(self.path("h.raw"), "wb") as file:
            file.write(data.tobytes())
        return self.path("h.raw")

    def test_three_layouts_agree(self):
        for code, big, layout in (("H", False, "6x4,u16le,0,65535,30"), ("H", True, "6x4,u16be,0,65535,30"),
                                  ("f", False, "6x4,f32le,0,1,30"), ("f", False, "6x4,f32le,,,30")):
            if layout.endswith(",,,30"):
                layout = "6x4,f32le,30"
            r = self.drain(self.write(code, big), "--raw", layout, "--depressions", "none")
            self.assertEqual([list(row) for row in r["filled"]], self.values, layout)
            self.assertEqual(r["world"]["cell_m"], 30)

    def test_range_is_scaled(self):
        r = self.drain(self.write("H"), "--raw", "6x4,u16le,-100,555.35,2", "--depressions", "none")
        for got, row in zip(r["filled"], self.values):
            for a, v in zip(got, row):
                self.assertAlmostEqual(a, -100 + v * 0.01, delta=1e-4)


class Erode(harness.Case):
    def test_mass_is_kept_and_place_too(self):
        self.ok("erode", TYROL, "-o", self.path("out"), "-q", "--seed", "3", "--set", "droplets_per_km2=20000")
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["deposit.tif", "height.tif", "preview.png", "wear.tif", "world.json"])
        j = harness.read_json(self.path("out", "world.json"))
        self.assertEqual((j["command"], j["seed"]), ("erode", 3))
        self.assertEqual([e["balance"] for e in j["ledger"]], [0])
        self.assertGreater(j["ledger"][0]["eroded"], 0)
        before, after = (json.loads(self.ok("info", p, "--json").out) for p in (TYROL, self.path("out", "height.tif")))
        for key in ("size", "geotransform", "crs", "nodata", "nodata_cells"):
            self.assertEqual(before[key], after[key], key)
        old, new, wear, laid = (tiff.cells_of(p) for p in (
            TYROL, *(self.path("out", n + ".tif") for n in ("height", "wear", "deposit"))))
        changed = 0
        for y, row in enumerate(old):
            for x, h in enumerate(row):
                if h == before["nodata"]:
                    self.assertEqual(new[y][x], h)
                else:
                    self.assertAlmostEqual(new[y][x] - h, laid[y][x] - wear[y][x], delta=2e-3)
                    changed += new[y][x] != h
        self.assertGreater(changed, 500)

    def test_seed_and_settings_matter(self):
        hashes = set()
        for args in ((), ("--seed", "2"), ("--set", "path_m=40"), ("--set", "path_m=40", "--set", "inertia=0.3")):
            self.ok("erode", TYROL, "-o", self.path("out"), "-q", *args)
            hashes.add(harness.read_json(self.path("out", "world.json"))["files"]["height.tif"]["hash"])
        self.assertEqual(len(hashes), 4)

    def test_small_grids(self):
        for rows in ([[5]], [[5, 4, 3, 6, 2]], [[5], [4], [3]], [[1, 2], [3, 4]], [[7] * 6] * 6):
            dem = harness.write_asc(self.path("dem.asc"), rows)
            self.ok("erode", dem, "-o", self.path("out"), "-q")
            self.assertEqual(harness.read_json(self.path("out", "world.json"))["ledger"][0]["balance"], 0)


if __name__ == "__main__":
    harness.main()
