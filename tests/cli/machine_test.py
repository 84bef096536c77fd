"""The machine failing (status 3), interruption (130) and sudden death: nothing half-written looks whole."""
import os
import resource
import shutil
import signal
import stat
import subprocess
import time
import unittest

import harness
from harness import DEMS, FEW_DROPLETS

ISLAND = ("generate", "island", "--size", "65", *FEW_DROPLETS)
DEM = os.path.join(DEMS, "tyrol_avamal_64.tif")


class Failing(harness.Case):
    def outputs(self, folder):
        """Every kind of command that writes a folder, into `folder`."""
        return ((*ISLAND, "-o", folder), ("hydrology", DEM, "-o", folder), ("erode", DEM, "-o", folder),
                ("export", harness.world(), "-o", folder, "--preset", "unity"))

    def test_below_a_regular_file(self):
        harness.write_text(self.path("file"), "mine")
        for args in self.outputs(self.path("file", "below")):
            answer = harness.call(*args, "-q")
            self.assertIn(answer.status, (2, 3), answer)
            self.assertEqual(len(answer.err.splitlines()), 1, answer)
            self.assertIn("below", answer.err)
        for args in self.outputs(self.path("file"))[:3]:
            self.refused(2, *args, "-q", says="is a file")
        with open(self.path("file"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_unwritable_place_is_told_before_the_work(self):
        began = time.process_time()
        self.refused_by_machine("generate", "island", "--size", "1025", "-o", self.unwritable("out"))
        self.assertLess(time.process_time() - began, 20)

    def test_no_permission(self):
        for args in self.outputs(self.unwritable("out")):
            self.refused_by_machine(*args)
        for args in (("mesh", harness.world(), "-o", self.unwritable("m.obj")),
                     ("preview", harness.world(), "-o", self.unwritable("p.png"), "--size", "64x64")):
            self.refused_by_machine(*args)

    def unwritable(self, name):
        """A place where nobody may write: root, too, is kept from /proc."""
        if os.geteuid() == 0:
            return "/proc/sys/kernel/" + name
        os.makedirs(self.path("locked"), exist_ok=True)
        os.chmod(self.path("locked"), stat.S_IRUSR | stat.S_IXUSR)
        return self.path("locked", name)

    def refused_by_machine(self, *args):
        answer = harness.call(*args, "-q")
        self.assertIn(answer.status, (2, 3), answer)  # the system calls a missing place in /proc 'no such file'
        if os.geteuid() != 0:
            self.assertEqual(answer.status, 3, answer)
        self.assertEqual(len(answer.err.splitlines()), 1, answer)

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for command, name in (("mesh", "full.obj"), ("mesh", "full.glb"), ("preview", "full.png")):
            os.symlink("/dev/full", self.path(name))
            more = ("--size", "64x64") if command == "preview" else ()
            self.refused(3, command, harness.world(), "-o", self.path(name), *more, "-q", says=name)
        with open("/dev/full", "w", encoding="ascii") as full:
            answer = subprocess.run([harness.BINARY, "ops"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(answer.returncode, 3)
        self.assertEqual(len(answer.stderr.splitlines()), 1)

    def test_disk_full_at_any_file(self):
        """A limit on the size of files stands in for a full disk: the first file that exceeds it fails."""
        def limited(size):
            return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        def run(size, *args):  # Python ignores SIGXFSZ, and so does the program where it is not restored
            return harness.call(*args, preexec_fn=limited(size), restore_signals=False)
        for size in (0, 1000, 3000, 6000, 20000, 300000):
            for args in (self.outputs(self.path("out"))[0], self.outputs(self.path("out"))[1]):
                answer = run(size, *args, "-q")
                if answer.status == 0:
                    self.assertGreaterEqual(size, 20000)
                else:
                    self.assertEqual(answer.status, 3, "limit %d: %s" % (size, answer))
                    self.assertEqual(len(answer.err.splitlines()), 1, answer)
                    self.assert_not_whole(self.path("out"))
                shutil.rmtree(self.path("out"), ignore_errors=True)

    def test_tiny_disk(self):
        disk = self.path("disk")
        os.mkdir(disk)
        script = 'mount -t tmpfs -o size=300k tmpfs "$0" && "$@"; status=$?; ls -a "$0" >&2; exit $status'
        inside = ("unshare", "--mount", "--map-root-user", "sh", "-c", script, disk)
        try:
            probe = subprocess.run([*inside, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        except FileNotFoundError:
            self.skipTest("no unshare here")
        if probe.returncode != 0:
            self.skipTest("mounting is not permitted here")
        answer = harness.call(*ISLAND, "-o", os.path.join(disk, "out"), "-q",
                              wrapper=("unshare", "--mount", "--map-root-user", "sh", "-c",
                                       script.replace('ls -a "$0"', 'ls -a "$0/out"'), disk))
        self.assertEqual(answer.status, 3, answer)
        lines = answer.err.splitlines()
        self.assertIn("space", lines[0], answer)
        self.assertNotIn("world.json", lines, answer)
        self.assertEqual([n for n in lines if n.startswith(".thalweg-")], [], answer)

    def test_allocation_failing_at_run_time(self):
        with open(harness.BINARY, "rb") as file:
            if b"__asan_init" in file.read():
                self.skipTest("the address sanitizer itself needs an unlimited address space")
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (420 << 20, 420 << 20))
        dem = self.path("large.r16")
        with open(dem, "wb") as file:
            file.truncate(2500 * 2500 * 2)
        answer = harness.call("hydrology", dem, "--raw", "2500x2500,u16le,0,100,10", "-o", self.path("out"), "-q",
                              "--threads", "1", preexec_fn=limited)
        self.assertEqual(answer.status, 3, answer)
        self.assertEqual(len(answer.err.splitlines()), 1, answer)
        self.assertIn("memory", answer.err)
        self.assert_not_whole(self.path("out"))


class Interrupted(harness.Case):
    """The signal is sent at moments told by the files that lie in the folder, so that it comes half-way on any machine."""

    def island_until(self, moment, number):
        process = harness.start(*ISLAND, "-o", self.path("out"), "-q", "--threads", "2")
        self.wait_for(moment, process)
        process.send_signal(number)
        return self.finish(process)

    def exists(self, name):
        return lambda: os.path.exists(self.path("out", name))

    def check(self, answer):
        if answer.status == 0:  # the signal came too late
            self.ok("audit", self.path("out"))
            return False
        self.assertEqual(answer.status, 130, answer)
        self.assertEqual(answer.err, "thalweg: interrupted\n", answer)
        self.assert_not_whole(self.path("out"))
        return True

    def test_interrupted_while_writing(self):
        caught = 0
        for number, moment in ((signal.SIGINT, "height.tif"), (signal.SIGTERM, "wear.tif"),
                               (signal.SIGINT, "rivers.geojson"), (signal.SIGTERM, "terrain.glb")):
            caught += self.check(self.island_until(self.exists(moment), number))
            shutil.rmtree(self.path("out"))
        self.assertGreaterEqual(caught, 2)

    def test_interrupted_after_any_time(self):
        for i, delay in enumerate((0.05, 0.1, 0.2, 0.4, 0.8)):
            end = time.monotonic() + delay
            answer = self.island_until(lambda: time.monotonic() > end, (signal.SIGINT, signal.SIGTERM)[i % 2])
            if answer.status < 0:
                self.assertLess(delay, 0.5, "died of the signal: %s" % answer)  # it came before main had begun
                continue
            self.check(answer)
            shutil.rmtree(self.path("out"), ignore_errors=True)

    def test_interrupted_in_long_work(self):
        """Within a step of many seconds the signal is heard soon."""
        dem = self.path("large.r16")
        with open(dem, "wb") as file:
            file.truncate(4000 * 4000 * 2)
        for args in (("generate", "island", "--size", "1025", "--set", "droplets.droplets_per_km2=100000"),
                     ("hydrology", dem, "--raw", "4000x4000,u16le,0,100,10"),
                     ("bench", "noise-warp-fbm6", "--size", "8192", "--memory", "12G")):
            if args[0] == "bench" and not harness.FULL:
                continue
            where = () if args[0] == "bench" else ("-o", self.path("out"))
            process = harness.start(*args, *where, "-q")
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            answer = self.finish(process)
            self.assertEqual(answer.status, 130, answer)
            self.assertLess(time.monotonic() - sent, 20)
            self.assert_not_whole(self.path("out"))

    def test_the_old_result_does_not_outlive_an_interrupted_run(self):
        shutil.copytree(harness.world(), self.path("out"))
        os.utime(self.path("out", "terrain.glb"), (0, 0))
        process = harness.start(*ISLAND, "--seed", "3", "-o", self.path("out"), "-q")
        self.wait_for(lambda: not os.path.exists(self.path("out", "world.json")), process)
        process.send_signal(signal.SIGTERM)
        self.check(self.finish(process))

    def test_killed(self):
        for moment in ("height.tif", "weights_1.png", "terrain.glb"):
            process = harness.start(*ISLAND, "-o", self.path("out"), "-q")
            self.wait_for(self.exists(moment), process)
            process.kill()
            self.finish(process)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            self.assertFalse(os.path.exists(self.path("out", "world.json")))
            self.assert_openable(self.path("out"))
            self.refused(2, "audit", self.path("out"), says="world.json")
        harness.write_text(self.path("out", ".thalweg-99999-3.tmp.tif"), "left by a killed run")
        self.ok(*ISLAND, "-o", self.path("out"), "-q")
        self.assertEqual([n for n in os.listdir(self.path("out")) if n.startswith(".thalweg-")], [])
        self.assertEqual(harness.bytes_of(self.path("out")), harness.bytes_of(harness.world()))

    def test_interrupted_pictures_and_meshes_leave_nothing(self):
        process = harness.start("preview", harness.world(), "-o", self.path("p.png"), "-q", "--size", "8000x4000")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        answer = self.finish(process)
        self.assertEqual(answer.status, 130, answer)
        self.assertEqual(os.listdir(self.dir), [])


if __name__ == "__main__":
    harness.main()
