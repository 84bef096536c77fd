"""Bad usage, recipes and settings: status 2 and one line that names the place and what would be right."""
import os
import unittest

import harness

RECIPE = """format = "thalweg-recipe 1"
seed = 5
[extent]
size_m = 1000
cell_m = 100
[[step]]
op = "noise"
wavelength_m = 500
"""


class Commands(harness.Case):
    def test_unknown_command_and_option(self):
        self.refused(2, "generat", "island", says=("generat", "--help"))
        self.refused(2, "generate", "island", "-o", self.path("x"), "--frobnicate", says="--frobnicate")
        self.refused(2, "--frobnicate", says="--frobnicate")
        self.refused(2, "audit", harness.world(), "extra", says="extra")

    def test_missing_arguments(self):
        self.refused(2, "generate", says="recipe")
        self.refused(2, "generate", "island", says="--output")
        self.refused(2, "generate", "island", "-o", says="--output")
        self.refused(2, "hydrology", "-o", self.path("x"), says="dem")
        self.refused(2, "export", harness.world(), "-o", self.path("x"), says="--preset")

    def test_missing_recipe_gets_the_nearest_name(self):
        self.refused(2, "generate", "isalnd", "-o", self.path("x"), says=("isalnd", "'island'"))
        self.refused(2, "generate", self.path("none.toml"), "-o", self.path("x"), says=("none.toml", "no such", "island"))
        self.refused(2, "generate", self.dir, "-o", self.path("x"), says="folder")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_common_options(self):
        make = ("generate", "island", "-o", self.path("x"))
        for wrong in ("-1", "abc", "1.5", "100000", ""):
            self.refused(2, *make, "--threads", wrong, says="--threads")
        for wrong in ("lots", "-1", "0", "4X", "1e30", "G"):
            self.refused(2, *make, "--memory", wrong, says="--memory")
        for wrong in ("-1", "abc", "1.5", "99999999999999999999"):
            self.refused(2, *make, "--seed", wrong, says="--seed")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_memory_names_the_need(self):
        for args in (("generate", "island", "--size", "129"),
                     ("hydrology", os.path.join(harness.DEMS, "everest_64.tif")),
                     ("erode", os.path.join(harness.DEMS, "everest_64.tif"))):
            answer = self.refused(2, *args, "-o", self.path("x"), "--memory", "1K", says=("--memory", "1.0 KiB", "MiB"))
            self.assertRegex(answer.err, r"needs \d+(\.\d)? MiB")
        self.refused(2, "bench", "fill", "--size", "512", "--memory", "1K", says=("--memory", "MiB"))
        self.refused(2, "preview", harness.world(), "-o", self.path("x.png"), "--memory", "1K", says=("--memory", "MiB"))
        self.refused(2, "mesh", harness.world(), "-o", self.path("x.obj"), "--memory", "1K", says=("--memory", "MiB"))
        self.assertEqual(os.listdir(self.dir), [])

    def test_size_beyond_any_machine(self):
        self.refused(2, "generate", "island", "-o", self.path("x"), "--size", "1000000", says=("needs", "TiB"))

    def test_sizes(self):
        make = ("generate", "island", "-o", self.path("x"))
        for wrong in ("0", "1", "-5", "abc", "1x1", "100000000", "65x", "x65", "65x65x65", "1e3", "65.5",
                      "99999999999999999999", ""):
            self.refused(2, *make, "--size", wrong, says="--size")
        self.refused(2, *make, "--size", "65x33", says=("--size", "square", "65"))
        for wrong in ("0", "-8", "abc", "nan", "inf", "1e-9", ""):
            self.refused(2, *make, "--cell-m", wrong, says="--cell-m")
        self.refused(2, *make, "--size", "65", "--cell-m", "8", says=("--size", "--cell-m"))
        self.assertFalse(os.path.exists(self.path("x")))

    def test_unknown_names(self):
        world = harness.world()
        dem = os.path.join(harness.DEMS, "everest_64.tif")
        out = self.path("x")
        self.refused(2, "generate", "island", "-o", out, "--export", "untiy", says=("untiy", "unity"))
        self.refused(2, "export", world, "-o", out, "--preset", "bleder", says=("bleder", "blender"))
        self.refused(2, "preview", world, "-o", out + ".png", "--view", "biomee", says=("biomee", "biome"))
        self.refused(2, "preview", world, "-o", out + ".png", "--size", "4x4", says="--size")
        self.refused(2, "preview", world, "-o", out + ".png", "--camera", "azimut=3", says=("azimut", "azimuth"))
        self.refused(2, "preview", world, "-o", out + ".jpg", says=(".png", "x.jpg"))
        self.refused(2, "mesh", world, "-o", out + ".stl", says=(".glb", ".obj"))
        for wrong in ("0", "-1", "abc"):
            self.refused(2, "mesh", world, "-o", out + ".obj", "--step", wrong, says="--step")
        self.refused(2, "bench", "fil", says=("fil", "fill"))
        for wrong in ("1", "-4", "1000000", "abc"):
            self.refused(2, "bench", "fill", "--size", wrong, says="--size")
        self.refused(2, "ops", "droplet", says=("droplet", "'droplets'"))
        self.refused(2, "hydrology", dem, "-o", out, "--depressions", "flil", says=("--depressions", "fill"))
        self.refused(2, "hydrology", dem, "-o", out, "--routing", "d7", says=("--routing", "d8"))
        for wrong in ("-1", "abc", "nan"):
            self.refused(2, "hydrology", dem, "-o", out, "--river-km2", wrong, says="--river-km2")
        self.refused(2, "erode", dem, "-o", out, "--op", "dropletss", says=("--op", "'droplets'"))
        self.refused(2, "erode", dem, "-o", out, "--set", "pathm=3", says=("--set", "path_m"))
        self.assertEqual(os.listdir(self.dir), [])


class Settings(harness.Case):
    def test_every_kind_of_mistake(self):
        for setting, says in (
                ("foo", "STEP.PARAM=VALUE"), ("noise.octaves", "STEP.PARAM=VALUE"), ("=3", "STEP.PARAM=VALUE"),
                (".=", "STEP.PARAM=VALUE"), ("", "needs a value"), ("dropltes.path_m=3", "'droplets'"),
                ("droplets.pth_m=3", "'path_m'"), ("droplets.path_m=abc", "number"), ("droplets.path_m=-4", "path_m"),
                ("droplets.path_m=1e99", "path_m"), ("droplets.path_m=nan", "path_m"), ("droplets.path_m=", "path_m"),
                ("extent.size=3", "size_m"), ("extent.size_m=abc", "number"), ("extent.size_m=-1", "size_m"),
                ("noise.octaves=3", "names"), ("hills.fractal=fmb", "fbm"), ("hills.octaves=2.5", "octaves"),
                ("hills.octaves=3\nseed=4", "octaves")):
            answer = self.refused(2, "generate", "island", "-o", self.path("x"), "--set", setting, says=says)
            self.assertIn("--set", answer.err, answer)
        self.assertFalse(os.path.exists(self.path("x")))


class Recipes(harness.Case):
    def check(self, content, place, *says):
        path = harness.write_text(self.path("r.toml"), content)
        where = "r.toml:" + place if place else "r.toml"
        return self.refused(2, "generate", path, "-o", self.path("x"), says=(where, *says))

    def test_place_and_nearest_name(self):
        head = RECIPE.splitlines()
        change = lambda n, line: "\n".join(head[:n - 1] + [line] + head[n:]) + "\n"
        self.check(change(7, 'op = "nosie"'), "7:", "nosie", "'noise'")
        self.check(change(8, "wavelenght_m = 500"), "8:1", "wavelenght_m", "'wavelength_m'")
        self.check(change(8, "wavelength_m = -5"), "8:16", "wavelength_m")
        self.check(change(8, 'wavelength_m = "long"'), "8:16", "number")
        self.check(change(8, "wavelength_m = [1, 2]"), "8:16", "wavelength_m")
        self.check(change(8, "wavelength_m = "), "8:", "")
        self.check(change(8, "wavelength_m = 5 5"), "8:", "")
        self.check(change(4, "size_m = 0"), "4:10", "size_m")
        self.check(change(4, "sise_m = 10"), "4:1", "'size_m'")
        self.check(change(4, "size_m = nan"), "4:10", "size_m")
        self.check(change(3, "[extend]"), "3:", "'extent'")
        self.check(change(2, "seed = -5"), "2:8", "seed")
        self.check(change(2, "seeed = 5"), "2:1", "'seed'")
        self.check(change(2, "seed = 5\nseed = 6"), "3:", "seed")
        self.check(change(1, 'format = "thalweg-recipe 99"'), "1:10", "thalweg-recipe 1")
        self.check(change(1, "# nothing"), "1:1", "format")
        self.check(change(6, "[step]"), "", "[[step]]")

    def test_wholes_that_cannot_work(self):
        self.check("", "1:1", "format")
        self.check('format = "thalweg-recipe 1"\n', "1:1", "[[step]]")
        self.check(RECIPE + '[[step]]\nop = "biomes"\n', "10:", "moisture")
        self.check('format = "thalweg-recipe 1"\n[[step]]\nop = "noise"\nout = "bumps"\n', "3:", "height")
        self.check(RECIPE + 'name = "a"\n[[step]]\nop = "noise"\nname = "a"\n', "12:", "'a'")

    def test_files_that_are_no_recipe(self):
        with open(self.path("r.toml"), "wb") as file:
            file.write(bytes(range(256)) * 8)
        self.refused(2, "generate", self.path("r.toml"), "-o", self.path("x"), says="r.toml")
        with open(self.path("r.toml"), "wb") as file:
            file.write(b"format = \"thalweg-recipe 1\"\ntitle = \"\xff\xfe\"\n")
        self.refused(2, "generate", self.path("r.toml"), "-o", self.path("x"), says="r.toml:2")
        self.check("a = " + "[" * 100000, "1:", "")
        self.refused(2, "generate", os.path.join(harness.DEMS, "everest_64.tif"), "-o", self.path("x"), says="everest_64.tif")
        self.assertFalse(os.path.exists(self.path("x")))


if __name__ == "__main__":
    harness.main()
