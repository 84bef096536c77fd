"""Locales, folders, odd names: the same result wherever the program is called from."""
import json
import os
import subprocess
import unittest

import harness
from harness import FEW_DROPLETS

DEM = os.path.join(harness.DEMS, "tyrol_avamal_64.tif")


def locales():
    try:
        there = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []
    comma = [n for n in there if n.lower().replace("-", "") in ("de_de.utf8", "fr_fr.utf8", "de_at.utf8")]
    return comma[:1] + [n for n in there if n.lower().replace("-", "") == "c.utf8"][:1]


class Locales(harness.Case):
    def test_numbers_keep_their_point(self):
        self.ok("hydrology", DEM, "-o", self.path("plain"), "-q", env={"LC_ALL": "C"})
        want = harness.bytes_of(self.path("plain"))
        # One that does not exist is a common accident, over ssh for instance.
        for name in [*locales(), "xx_YY.UTF-8"]:
            env = {"LC_ALL": name, "LANG": name, "LC_NUMERIC": name}
            self.ok("hydrology", DEM, "-o", self.path("out"), "-q", env=env)
            self.assertEqual(harness.bytes_of(self.path("out")), want, name)
            self.assertEqual(self.ok("ops", "noise", env=env).out, self.ok("ops", "noise", env={"LC_ALL": "C"}).out)

    def test_almost_no_environment(self):
        self.ok("hydrology", DEM, "-o", self.path("plain"), "-q")
        done = subprocess.run([harness.BINARY, "hydrology", DEM, "-o", self.path("out"), "-q"], env={}, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(harness.bytes_of(self.path("out")), harness.bytes_of(self.path("plain")))


class Places(harness.Case):
    def test_another_folder_and_relative_paths(self):
        os.makedirs(self.path("work", "here"))
        cwd = self.path("work", "here")
        self.ok("generate", "island", "-o", "../isle", "--size", 65, "-q", *FEW_DROPLETS, cwd=cwd)
        self.assertEqual(harness.bytes_of(self.path("work", "isle")), harness.bytes_of(harness.world()))
        self.ok("audit", "../isle", cwd=cwd)
        self.ok("audit", ".", cwd=self.path("work", "isle"))
        self.ok("mesh", "../isle", "-o", "m.obj", "-q", cwd=cwd)
        self.ok("preview", "../isle/height.tif", "-o", "./p.png", "-q", "--size", "64x64", cwd=cwd)
        self.assertEqual(sorted(os.listdir(cwd)), ["m.obj", "p.png"])

    def test_folder_with_the_name_of_its_recipe(self):
        """`generate island -o island` twice: the folder does not hide the shipped recipe."""
        for _ in range(2):
            self.ok("generate", "island", "-o", "island", "--size", 33, "-q", "--set", "droplets.droplets_per_km2=50",
                    cwd=self.dir)
        self.ok("audit", "island", cwd=self.dir)
        os.mkdir(self.path("mine"))
        self.refused(2, "generate", "mine", "-o", "x", cwd=self.dir, says=("mine", "folder"))

    def test_names_with_blanks_and_letters_of_all_kinds(self):
        for name in ("with blank", "Höhenmodell", "山と川", "quote'd \"twice\"", "100%", "-dash", "a&b;c", "tab\there"):
            with self.subTest(name=name):
                folder = self.path(name)
                os.mkdir(folder)
                dem = harness.write_asc(os.path.join(folder, name + ".asc"), [[1.5, 2, 3], [2, 1, 4], [3, 4, 5]])
                out = os.path.join(folder, "out " + name)
                j = json.loads(self.ok("hydrology", dem, "-o", out, "--json").out)
                self.assertEqual(j["source"], dem)
                self.ok("audit", out)
                self.assertEqual(json.loads(self.ok("info", dem, "--json").out)["file"], dem)
                self.refused(2, "hydrology", dem + "x", "-o", out, "-q", says="o such file")

    def test_name_that_is_no_utf8(self):
        folder = os.fsencode(self.dir) + b"/\xff\xfe"
        try:
            os.mkdir(folder)
        except OSError:
            self.skipTest("this file system keeps to UTF-8")
        dem = harness.write_asc(folder + b"/dem.asc", [[1.5, 2], [3, 4]])
        answer = harness.call("hydrology", os.fsdecode(dem), "-o", self.path("out"), "--json")
        self.assertEqual(answer.status, 0, answer)
        json.loads(answer.out)

    def test_folders_are_made_as_deep_as_needed(self):
        deep = self.path("a", "b", "c")
        self.ok("hydrology", DEM, "-o", deep + "/", "-q")
        self.ok("audit", deep + "/")

    def test_links(self):
        os.symlink(DEM, self.path("link.tif"))
        os.mkdir(self.path("real"))
        os.symlink(self.path("real"), self.path("out"))
        self.ok("hydrology", self.path("link.tif"), "-o", self.path("out"), "-q")
        self.assertIn("world.json", os.listdir(self.path("real")))
        os.symlink("nowhere", self.path("dangling"))
        self.refused(2, "hydrology", self.path("dangling"), "-o", self.path("x"), says="dangling")

    def test_two_runs_side_by_side(self):
        runs = [harness.start("hydrology", DEM, "-o", self.path("o%d" % i), "-q") for i in range(4)]
        for run in runs:
            self.assertEqual(self.finish(run).status, 0)
        first = harness.bytes_of(self.path("o0"))
        for i in range(1, 4):
            self.assertEqual(harness.bytes_of(self.path("o%d" % i)), first)

    def test_stdout_closed_early(self):
        run = harness.start("ops", "--json")
        run.stdout.close()
        run.wait(60)
        run.stderr.close()
        self.assertIn(run.returncode, (0, 3, -13))


if __name__ == "__main__":
    harness.main()
