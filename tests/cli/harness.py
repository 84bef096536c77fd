"""What the tests of the command line share: running it, judging its answers, making small inputs.

Every test file runs by itself, too:  python3 generate_test.py --binary build/dev/apps/cli/thalweg [TestClass.test]
`--world DIR` names a finished island folder (see prepare.py), read only; without it one is made when first needed.
"""
import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEMS = os.path.join(SOURCE_DIR, "tests", "data", "dem")
FULL = bool(os.environ.get("THALWEG_FULL"))

# Droplets take most of the time of a small island; these are enough to test with, at any size.
FEW_DROPLETS = ("--set", "droplets.droplets_per_km2=100")

BINARY = None
_world = None
_own_folders = []


class Answer:
    """Status, stdout and stderr of one call."""

    def __init__(self, args, status, out, err):
        self.args, self.status, self.out, self.err = args, status, out, err

    def __str__(self):
        return "thalweg %s\n  status %s\n  stdout: %s\n  stderr: %s" % (
            " ".join(repr(a) for a in self.args), self.status, self.out[:2000], self.err[:2000])


def text(raw):
    return raw.decode("utf-8", "surrogateescape")


def call(*args, cwd=None, env=None, timeout=300, wrapper=(), **more):
    """Runs the command line to its end."""
    args = [str(a) for a in args]
    environment = dict(os.environ, **env) if env else None
    done = subprocess.run([*wrapper, BINARY, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=cwd, env=environment, timeout=timeout, **more)
    return Answer(args, done.returncode, text(done.stdout), text(done.stderr))


def start(*args, **more):
    """Starts the command line and returns the process."""
    return subprocess.Popen([BINARY, *[str(a) for a in args]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def world():
    """A finished island of 65 x 65 samples. Only to be read."""
    global _world
    if _world is None:
        folder = tempfile.mkdtemp(prefix="thalweg-world-")
        _own_folders.append(folder)
        made = make_world(os.path.join(folder, "island"))
        if made.status != 0:
            raise AssertionError(str(made))
        _world = os.path.join(folder, "island")
    return _world


def make_world(folder):
    return call("generate", "island", "-o", folder, "--size", 65, "--quiet", *FEW_DROPLETS)


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def bytes_of(folder):
    """File name -> digest of everything in a result folder; world.json without the section that no hash covers."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            key = os.path.relpath(path, folder)
            if key == "world.json":
                j = read_json(path)
                j.pop("run")
                found[key] = json.dumps(j)
            else:
                found[key] = digest_of(path)
    return found


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_text(path, content):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(content)
    return path


def write_asc(path, rows, cell_m=10, nodata=-9999, corner=(0, 0)):
    """An ASCII grid; values may be numbers or ready texts."""
    head = "ncols %d\nnrows %d\nxllcorner %s\nyllcorner %s\ncellsize %s\n" % (
        len(rows[0]), len(rows), corner[0], corner[1], cell_m)
    if nodata is not None:
        head += "NODATA_value %s\n" % nodata
    return write_text(path, head + "".join(" ".join(str(v) for v in row) + "\n" for row in rows))


class Case(unittest.TestCase):
    """A test with a folder of its own, whose name holds a blank and letters beyond ASCII."""

    maxDiff = 4000

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="thalweg tést ")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def ok(self, *args, **more):
        """The command ends with status 0."""
        return self.ends(0, *args, **more)

    def ends(self, status, *args, **more):
        answer = call(*args, **more)
        self.assertEqual(answer.status, status, answer)
        return answer

    def refused(self, status, *args, says=(), **more):
        """The command ends with `status`, nothing on stdout and exactly one line on stderr that holds all of `says`."""
        answer = call(*args, **more)
        self.assertEqual(answer.status, status, answer)
        lines = answer.err.splitlines()
        self.assertEqual(len(lines), 1, answer)
        self.assertTrue(answer.err.endswith("\n"), answer)
        self.assertTrue(lines[0].startswith("thalweg: "), answer)
        self.assertGreater(len(lines[0]), len("thalweg: ") + 8, answer)
        self.assertEqual(answer.out, "", answer)
        for words in (says,) if isinstance(says, str) else says:
            self.assertIn(words, lines[0], answer)
        return answer

    def assert_not_whole(self, folder):
        """No sidecar, no temporaries, and every file under its final name can be opened."""
        if not os.path.isdir(folder):
            return
        names = sorted(os.listdir(folder))
        self.assertNotIn("world.json", names)
        self.assertEqual([n for n in names if n.startswith(".thalweg-")], [], "temporaries left")
        self.assert_openable(folder)

    def assert_openable(self, folder):
        for name in sorted(os.listdir(folder)):
            if name.startswith(".thalweg-"):
                continue
            path = os.path.join(folder, name)
            if name.endswith(".tif"):
                self.ok("info", path, "--json")
            elif name.endswith((".json", ".geojson")):
                read_json(path)
            elif name.endswith(".png"):
                with open(path, "rb") as file:
                    self.assertTrue(file.read().endswith(b"IEND\xaeB`\x82"), name)

    def copy_of_world(self):
        folder = self.path("world")
        shutil.copytree(world(), folder)
        return folder

    def wait_for(self, condition, process=None, seconds=120):
        """Waits until `condition()`; False if `process` ended before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return True
            if process is not None and process.poll() is not None:
                return bool(condition())
            time.sleep(0.002)
        self.fail("waited %d s in vain" % seconds)

    def finish(self, process, seconds=120):
        """Status, stdout and stderr of a started process."""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail("did not end within %d s" % seconds)
        return Answer(process.args[1:], process.returncode, text(out), text(err))


def main():
    global BINARY, _world
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--world")
    options, rest = parser.parse_known_args()
    BINARY = os.path.abspath(options.binary)
    if options.world:
        _world = os.path.abspath(options.world)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        unittest.main(module="__main__", argv=[sys.argv[0], *rest], verbosity=2)
    finally:
        for folder in _own_folders:
            shutil.rmtree(folder, ignore_errors=True)
