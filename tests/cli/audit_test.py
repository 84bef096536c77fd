"""audit: passes every good folder, and finds damage at its place."""
import json
import os

import harness
import tiff


class GoodFolders(harness.Case):
    """`slow` in CTest: a world for each size."""

    def island(self, *args):
        self.ok("generate", "island", "-o", self.path("out"), "-q", *args)
        answer = self.ok("audit", self.path("out"))
        self.assertIn("audit passed", answer.out)
        return harness.read_json(self.path("out", "world.json"))

    def test_sizes_and_seeds(self):
        for size, seed, droplets in ((3, 7, 1), (5, 1, 5), (33, 2, 100), (129, 3, 400), (257, 4, 400)):
            with self.subTest(size=size, seed=seed):
                j = self.island("--size", size, "--seed", seed, "--set", "droplets.droplets_per_km2=%s" % droplets)
                self.assertEqual(j["size"], [size, size])

    def test_more_seeds(self):
        for seed in range(10, 40 if harness.FULL else 12):
            with self.subTest(seed=seed):
                self.island("--size", 65, "--seed", seed, *harness.FEW_DROPLETS)

    def test_widened_extent(self):
        answer = self.ok("generate", "island", "-o", self.path("out"), "--cell-m", "130", *harness.FEW_DROPLETS)
        self.assertIn("widened", answer.err)
        self.assertEqual(harness.read_json(self.path("out", "world.json"))["size"], [65, 65])
        self.ok("audit", self.path("out"))

    def test_the_shipped_recipe_as_it_is(self):
        for size in (2, 33):
            self.island("--size", size)


class Damage(harness.Case):
    def audit(self, folder, check, *place):
        """Faults are found by `check` alone, and its place says all of `place`."""
        answer = self.ends(1, "audit", folder)
        fault = [line for line in answer.out.splitlines() if line.startswith("FAULT")]
        self.assertTrue(any(line.startswith("FAULT " + check) for line in fault), answer)
        for words in place:
            self.assertTrue(any(words in line for line in fault), answer)
        self.assertIn("audit found faults", answer.out)
        report = json.loads(self.ends(1, "audit", folder, "--json").out)
        self.assertFalse(report["ok"])
        bad = {c["name"]: c for c in report["checks"] if not c["ok"]}
        self.assertIn(check, bad)
        self.assertTrue(bad[check]["place"])
        self.assertGreater(bad[check]["faults"], 0)

    def edit_height(self, change):
        folder = self.copy_of_world()
        path = os.path.join(folder, "height.tif")
        height = tiff.Tiff(path)
        change(height.cells)
        height.write(path)
        return folder

    def land(self, cells):
        """A cell of dry land with land all around, high above the sea."""
        lakes = harness.read_json(os.path.join(harness.world(), "lakes.geojson"))["features"]
        wet = [(c[0], c[1]) for f in lakes for ring in f["geometry"]["coordinates"] for c in ring]
        for y in range(3, 62):
            for x in range(3, 62):
                far = all(abs(wx / 128 - x) > 3 or abs((8192 - wy) / 128 - y) > 3 for wx, wy in wet)
                if far and min(cells[b][a] for b in (y - 1, y, y + 1) for a in (x - 1, x, x + 1)) > 60:
                    return x, y
        self.fail("no such land")

    def test_nothing_changed(self):
        folder = self.edit_height(lambda cells: None)
        self.ok("audit", folder)
        self.assertTrue(json.loads(self.ok("audit", folder, "--json").out)["ok"])

    def test_pit(self):
        place = []

        def dig(cells):
            x, y = self.land(cells)
            cells[y][x] = 30
            place.extend(("column %d" % x, "row %d" % y))
        self.audit(self.edit_height(dig), "no-pit", *place)

    def test_land_on_the_edge(self):
        def raise_edge(cells):
            cells[0][17] = 5
        self.audit(self.edit_height(raise_edge), "island", "column 17", "row 0")

    def test_no_land_at_all(self):
        def drown(cells):
            for row in cells:
                for x in range(len(row)):
                    row[x] = -10
        self.ends(1, "audit", self.edit_height(drown))

    def rivers(self, change):
        folder = self.copy_of_world()
        path = os.path.join(folder, "rivers.geojson")
        layer = harness.read_json(path)
        change(layer["features"])
        with open(path, "w", encoding="utf-8") as file:
            json.dump(layer, file)
        return folder

    def longest(self, features):
        return max(features, key=lambda f: len(f["geometry"]["coordinates"]))["geometry"]["coordinates"]

    def test_river_that_climbs(self):
        def raise_end(features):
            line = self.longest(features)
            line[-1][2] = line[0][2] + 0.5
        self.audit(self.rivers(raise_end), "river-climbs")

    def test_river_above_the_ground(self):
        def raise_all(features):
            for point in self.longest(features):
                point[2] += 2
        self.audit(self.rivers(raise_all), "river-climbs")

    def test_river_that_ends_nowhere(self):
        def cut(features):
            f = next(f for f in features if f["properties"]["end"] == "sea"
                     and len(f["geometry"]["coordinates"]) > 3)
            del f["geometry"]["coordinates"][2:]
        self.audit(self.rivers(cut), "river-ends")

    def test_missing_rivers(self):
        folder = self.path("out")
        self.ok("hydrology", os.path.join(harness.DEMS, "tyrol_avamal_64.tif"), "-o", folder, "-q")
        self.ok("audit", folder)
        os.remove(os.path.join(folder, "rivers.geojson"))
        self.audit(folder, "rivers", "rivers.geojson")

    def test_missing_rivers_of_a_generated_world(self):
        folder = self.copy_of_world()
        os.remove(os.path.join(folder, "rivers.geojson"))
        self.assertNotEqual(harness.call("audit", folder).status, 0)

    def test_ledger_that_does_not_close(self):
        folder = self.copy_of_world()
        path = os.path.join(folder, "world.json")
        j = harness.read_json(path)
        j["ledger"][0]["deposited"] += 1
        with open(path, "w", encoding="utf-8") as file:
            json.dump(j, file)
        self.audit(folder, "ledger", "droplets")

    def test_directions_in_a_circle(self):
        folder = self.path("out")
        self.ok("hydrology", os.path.join(harness.DEMS, "tyrol_avamal_64.tif"), "-o", folder, "-q")
        path = os.path.join(folder, "directions.tif")
        directions = tiff.Tiff(path)
        y, x = next((y, x) for y in range(20, 40) for x in range(20, 40)
                    if 255 not in directions.cells[y][x:x + 2])
        directions.cells[y][x], directions.cells[y][x + 1] = 1, 16
        directions.write(path)
        self.audit(folder, "directions-acyclic")

    def test_elevation_models(self):
        pit = harness.write_asc(self.path("pit.asc"), [[9, 9, 9], [9, 1, 9], [9, 9, 9]])
        self.audit(pit, "no-pit", "column 1", "row 1")
        slope = harness.write_asc(self.path("slope.asc"), [[x + 1 for x in range(5)]] * 5)
        self.ok("audit", slope)
        hole = harness.write_asc(self.path("hole.asc"), [[9, 9, 9], [9, -9999, 9], [9, 9, 9]])
        self.ok("audit", hole)


class Figures(harness.Case):
    """How natural the land is, beside real models."""

    EVEREST = os.path.join(harness.DEMS, "everest_64.tif")
    TYROL = os.path.join(harness.DEMS, "tyrol_avamal_64.tif")

    def figures(self, *args):
        answer = harness.call("audit", *args, "--json")
        self.assertIn(answer.status, (0, 1), answer)
        report = json.loads(answer.out)
        return report, {f["name"]: f for f in report["realism"]}

    def hill_land(self, name, cell_m=30, steepness=0.2):
        """Rolling land of 150 x 150 cells that drains to the south; the same for all names."""
        rows = [[round(steepness * ((149 - y) * 3 + 40 * ((x // 7 * 37 + y // 9 * 17) % 11) + (x * 7 + y * 3) % 5), 2)
                 for x in range(150)] for y in range(150)]
        return harness.write_asc(self.path(name), rows, cell_m=cell_m)

    def test_a_table_of_all_figures(self):
        answer = self.ok("audit", harness.world())
        report, figures = self.figures(harness.world())
        self.assertGreaterEqual(len(figures), 20)
        for name in figures:
            self.assertTrue(any(line.startswith("  %s " % name) for line in answer.out.splitlines()), name)
        self.assertIn("real models of cells above 17 m", answer.out)
        self.assertEqual(report["land"]["cell_m"], 128)
        self.assertTrue(answer.out.splitlines()[-1].startswith("audit passed"))
        self.assertRegex(answer.out, r"\nfigures: \d+ of \d+ inside the real range")

    def test_verdicts_follow_the_ranges(self):
        _, figures = self.figures(self.hill_land("hills.asc"))
        judged = 0
        for f in figures.values():
            for key in ("unit", "method", "n", "real", "verdict", "against"):
                self.assertIn(key, f)
            self.assertTrue(f["method"])
            self.assertEqual(f["n"] == 0, f["value"] is None, f)
            real, value = f["real"], f["value"]
            expected = "unjudged"
            if value is not None and real and real["n"] >= 5:
                judged += 1
                expected = ("typical" if real["q25"] <= value <= real["q75"] else
                            "inside" if real["min"] <= value <= real["max"] else "outside")
            self.assertEqual(f["verdict"], expected, f)
        self.assertGreater(judged, 15)

    def test_terrain_and_cell_size_choose_the_models(self):
        _, every = self.figures(self.EVEREST)
        _, mountains = self.figures(self.EVEREST, "--terrain", "mountains")
        self.assertLess(mountains["slope-mean"]["real"]["n"], every["slope-mean"]["real"]["n"])
        self.assertGreater(mountains["slope-mean"]["real"]["median"], every["slope-mean"]["real"]["median"])
        report, medium = self.figures(self.TYROL)
        self.assertEqual(report["land"]["cell_class"], "cells of 4 to 17 m")
        self.assertNotEqual(medium["slope-mean"]["real"], every["slope-mean"]["real"])

    def test_against_other_models(self):
        land = self.hill_land("land.asc")
        steeper = self.hill_land("steeper.asc", steepness=0.4)
        _, figures = self.figures(land, "--against", land, "--against", steeper, "--against", harness.world())
        slope = figures["slope-mean"]
        self.assertEqual([a["path"] for a in slope["against"]], [land, steeper, harness.world()])
        self.assertEqual(slope["against"][0]["value"], slope["value"])
        self.assertGreater(slope["against"][1]["value"], 1.2 * slope["value"])
        self.assertAlmostEqual(figures["hypsometry-map"]["against"][1]["value"], figures["hypsometry-map"]["value"])
        self.assertEqual(slope["real"]["n"], 3)
        self.assertEqual(slope["verdict"], "unjudged")  # three models make no range
        text = harness.call("audit", land, "--against", land, "--against", steeper).out
        self.assertIn("(2) " + steeper, text)
        self.assertNotIn("outside the real range", text)

    def test_five_models_make_a_range(self):
        land = self.hill_land("land.asc", steepness=2)
        others = []
        for i in range(5):
            others += ["--against", self.hill_land("other%d.asc" % i, steepness=0.2 + i / 20)]
        _, figures = self.figures(land, *others)
        self.assertEqual(figures["slope-mean"]["verdict"], "outside")
        self.assertEqual(figures["hypsometry-map"]["verdict"], "typical")
        # One of another cell class is shown and does not count.
        others[-1] = self.hill_land("fine.asc", cell_m=2)
        _, figures = self.figures(land, *others)
        self.assertEqual(figures["slope-mean"]["verdict"], "unjudged")
        self.assertIn("figures vary with the cell size", harness.call("audit", land, *others).out)

    def test_figures_are_no_faults(self):
        slope = harness.write_asc(self.path("slope.asc"), [[x + 1 for x in range(90)]] * 90, cell_m=30)
        self.assertIn("outside the real range", self.ok("audit", slope).out)

    def test_lakes_count_as_water_and_the_sea_not_at_all(self):
        rows = [[0 if x < 30 else (x - 29) * 2 for x in range(90)] for _ in range(60)]
        report, figures = self.figures(harness.write_asc(self.path("coast.asc"), rows, cell_m=30))
        self.assertEqual(report["land"]["cells"], 60 * 60)
        self.assertAlmostEqual(figures["hypsometry-map"]["value"], 0.5, places=6)
        lakes = harness.read_json(os.path.join(harness.world(), "lakes.geojson"))["features"]
        _, figures = self.figures(harness.world())
        self.assertEqual(figures["depressions"]["value"], 0, "%d lakes" % len(lakes))

    def test_the_same_for_any_threads(self):
        one = harness.call("audit", self.EVEREST, "--json", "--threads", 1).out
        self.assertEqual(one, harness.call("audit", self.EVEREST, "--json", "--threads", 5).out)

    def test_refusals(self):
        self.refused(2, "audit", self.EVEREST, "--terrain", "swamp", says=("--terrain swamp", "mountains"))
        self.refused(2, "audit", self.EVEREST, "--against", self.path("none.tif"), says=("--against", "none.tif"))
        self.refused(2, "audit", self.EVEREST, "--against", self.EVEREST, "--memory", "1M", says="memory")


if __name__ == "__main__":
    harness.main()
