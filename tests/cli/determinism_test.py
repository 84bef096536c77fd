"""The same recipe and seed give the same bytes: in a second run, for any number of threads and any SIMD level."""
import os
import unittest

import harness
from harness import FEW_DROPLETS


def simd_levels():
    lines = harness.call("--build-info").out.splitlines()
    return next(line for line in lines if line.startswith("simd:")).split()[1:]


class SameBytes(harness.Case):
    size = 97  # more than one tile of droplets

    def island(self, folder, *args):
        self.ok("generate", "island", "-o", self.path(folder), "--size", self.size, "--quiet",
                "--set", "droplets.droplets_per_km2=400", *args)
        return harness.bytes_of(self.path(folder))

    def test_threads_simd_levels_and_a_second_run(self):
        first = self.island("first", "--threads", "1")
        self.assertEqual(self.island("again", "--threads", "1"), first)
        for threads in (2, 7):
            self.assertEqual(self.island("t%d" % threads, "--threads", threads), first, "%d threads" % threads)
        levels = simd_levels()
        self.assertIn("scalar", levels)
        for level in levels[1:]:  # the first is what runs anyway
            self.assertEqual(self.island(level, "--simd", level), first, level)
            run = harness.read_json(self.path(level, "world.json"))["run"]
            self.assertEqual(run["simd"], level)

    def test_hydrology_and_erode(self):
        dem = os.path.join(harness.DEMS, "tyrol_avamal_64.tif")
        for command in (("hydrology", dem, "--depressions", "hybrid"),
                        ("erode", dem, "--set", "droplets_per_km2=20000")):
            results = []
            for i, more in enumerate((("--threads", "1"), ("--threads", "7"), ("--simd", "scalar"), ())):
                folder = self.path("%s%d" % (command[0], i))
                self.ok(*command, "-o", folder, "--quiet", *more)
                results.append(harness.bytes_of(folder))
            for other in results[1:]:
                self.assertEqual(other, results[0], command[0])


class OtherSeeds(harness.Case):
    def test_another_seed_is_another_land(self):
        first = harness.read_json(os.path.join(harness.world(), "world.json"))
        self.ok("generate", "island", "-o", self.path("other"), "--size", 65, "--quiet", "--seed", 8, *FEW_DROPLETS)
        other = harness.read_json(self.path("other", "world.json"))
        self.assertEqual(other["seed"], 8)
        for name in ("height.tif", "water.tif", "flow.tif", "moisture.tif", "biome.tif", "rivers.geojson",
                     "preview.png"):
            self.assertNotEqual(first["files"][name]["hash"], other["files"][name]["hash"], name)

    def test_the_recipes_own_seed_said_aloud_changes_nothing(self):
        self.ok("generate", "island", "-o", self.path("same"), "--size", 65, "--quiet", "--seed", 7, *FEW_DROPLETS)
        self.assertEqual(harness.bytes_of(self.path("same")), harness.bytes_of(harness.world()))


class LevelsThatAreNotThere(harness.Case):
    def test_unknown_level(self):
        self.refused(2, "generate", "island", "-o", self.path("x"), "--simd", "mmx", says=("--simd", "mmx", "scalar"))

    def test_level_this_machine_lacks(self):
        have = simd_levels()
        for level in ("avx3", "avx2", "sse4", "ssse3"):
            if level in have:
                continue
            self.refused(2, "generate", "island", "-o", self.path("x"), "--simd", level,
                         says=("--simd", level, "not available"))
        self.assertFalse(os.path.exists(self.path("x")))


if __name__ == "__main__":
    harness.main()
