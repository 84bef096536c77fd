"""The documentation is true: its commands run, its recipes are accepted, its links lead somewhere.

In README.md and docs/*.md every line of a fenced block that begins with `./thalweg ` is run by the built program, file by
file in one temporary folder, in which `everest.tif` and `hills.tif` are small real elevation models. A fenced block that
begins like a recipe is checked as one. An HTML comment on the line above the fence changes that:

    <!-- test: skip -->         the block is not run (it takes too long, or shows what goes wrong)
    <!-- test: file NAME -->    the block is written to NAME in that folder
    <!-- test: status N -->     the commands of the block end with status N
    <!-- test: wrong WORDS -->  the recipe of the block is refused, with these words
"""
import argparse
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = {"everest.tif": "everest_64.tif", "hills.tif": "tyrol_avamal_64.tif"}
BINARY = None

FENCE = re.compile(r"^ {0,3}(```+|~~~+)\s*(\S*)")
MARK = re.compile(r"^\s*<!--\s*test:\s*(.*?)\s*-->\s*$")
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|<img[^>]*\ssrc=\"([^\"]+)\"|<a[^>]*\shref=\"([^\"]+)\"")


def documents():
    return [p for p in [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"),
                                                                          recursive=True))] if os.path.exists(p)]


def blocks_of(text):
    """(first line number, marks, lines) of every fenced block."""
    found, fence, marks, last = [], None, [], []
    for number, line in enumerate(text.splitlines(), 1):
        hit = FENCE.match(line)
        if fence is None and hit:
            fence, last = hit.group(1), []
            found.append((number + 1, marks, last))
        elif fence is not None and hit and hit.group(1).startswith(fence) and not hit.group(2):
            fence, marks = None, []
        elif fence is not None:
            last.append(line)
        elif MARK.match(line):
            marks = marks + [MARK.match(line).group(1).split()]
        elif line.strip():
            marks = []
    return found


def commands_of(lines):
    """(offset, words) of every ./thalweg line; a backslash continues it, a comment ends it."""
    found, waiting = [], None
    for offset, line in enumerate(lines):
        line = line.strip()
        if line.startswith("$ "):
            line = line[2:]
        if waiting is not None:
            waiting[1] += " " + line
        elif line.startswith("./thalweg "):
            waiting = [offset, line]
        else:
            continue
        if waiting[1].endswith("\\"):
            waiting[1] = waiting[1][:-1].rstrip()
            continue
        words = shlex.split(waiting[1], comments=True)[1:]
        if words[:1] == ["-y"]:
            words = words[1:]
        found.append((waiting[0], words))
        waiting = None
    return found


def links_of(text):
    """Targets of links and pictures outside fenced blocks and code."""
    plain, fence = [], None
    for line in text.splitlines():
        hit = FENCE.match(line)
        if hit and fence is None:
            fence = hit.group(1)
        elif hit and hit.group(1).startswith(fence) and not hit.group(2):
            fence = None
        elif fence is None:
            plain.append(re.sub(r"`[^`]*`", "", line))
    return [next(g for g in hit if g) for hit in LINK.findall("\n".join(plain))]


def anchors_of(text):
    """Names that a document's headings get on the usual hosts."""
    names = set()
    for line in text.splitlines():
        if re.match(r"^#{1,6} ", line):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            names.add(words.replace(" ", "-"))
    return names


class Documents(unittest.TestCase):
    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def folder(self):
        folder = tempfile.mkdtemp(prefix="thalweg-docs-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for name, source in MODELS.items():
            shutil.copy(os.path.join(ROOT, "tests", "data", "dem", source), os.path.join(folder, name))
        return folder

    def call(self, words, folder):
        return subprocess.run([BINARY, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=600, check=False)

    def check_block(self, path, first, marks, lines, folder):
        mark = {m[0]: m[1:] for m in marks if m}
        self.assertLessEqual(set(mark), {"skip", "file", "status", "wrong"}, "%s:%d: unknown mark" % (path, first))
        if "skip" in mark:
            return
        if "file" in mark:
            with open(os.path.join(folder, mark["file"][0]), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        if any(line.startswith('format = "thalweg-recipe') for line in lines[:5]):
            with open(os.path.join(folder, "block.toml"), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            done = self.call(["generate", "block.toml", "-o", "unused", "--memory", "1K"], folder)
            expected = " ".join(mark.get("wrong", ["needs"]))
            self.assertIn(expected, done.stderr, "%s:%d: recipe is judged so: %s" % (path, first, done.stderr))
        status = int(mark.get("status", ["0"])[0])
        for offset, words in commands_of(lines):
            done = self.call(words, folder)
            self.assertEqual(done.returncode, status, "%s:%d: thalweg %s\n%s%s" % (
                os.path.relpath(path, ROOT), first + offset, shlex.join(words), done.stdout[-2000:], done.stderr[-2000:]))

    def test_commands_and_recipes(self):
        for path in documents():
            with self.subTest(document=os.path.relpath(path, ROOT)):
                folder = self.folder()
                for first, marks, lines in blocks_of(self.read(path)):
                    self.check_block(path, first, marks, lines, folder)

    def test_links_and_pictures(self):
        extra = [p for n in ("CONTRIBUTING.md", "ARCHITECTURE.md") if os.path.exists(p := os.path.join(ROOT, n))]
        for path in documents() + extra:
            for target in links_of(self.read(path)):
                if re.match(r"^[a-z]+:", target):
                    continue
                with self.subTest(document=os.path.relpath(path, ROOT), target=target):
                    name, _, anchor = target.partition("#")
                    there = os.path.join(os.path.dirname(path), urllib.parse.unquote(name)) if name else path
                    self.assertTrue(os.path.exists(there), "%s links to %s, which does not exist" % (path, target))
                    self.assertTrue(os.path.realpath(there).startswith(os.path.realpath(ROOT)), "leads out of the project")
                    if anchor and there.endswith(".md"):
                        self.assertIn(anchor, anchors_of(self.read(there)), "%s: no such heading" % target)


class Reader(unittest.TestCase):
    """That blocks and links are found at all."""

    text = "\n".join(["# A b-c, d!", "[one](a.md) ![two](b.png \"t\") `[no](x)` <img width=\"3\" src=\"c.png\">", "```",
                      "[not](d.md)", "./thalweg generate a \\", "   -o b  # said", "$ ./thalweg info 'x y'", "other",
                      "```", "<!-- test: skip -->", "", "```sh", "./thalweg no", "```", "words", "~~~", "./thalweg yes",
                      "~~~"])

    def test_blocks_and_commands(self):
        blocks = blocks_of(self.text)
        self.assertEqual([(first, marks) for first, marks, _ in blocks], [(4, []), (13, [["skip"]]), (17, [])])
        self.assertEqual(commands_of(blocks[0][2]), [(1, ["generate", "a", "-o", "b"]), (3, ["info", "x y"])])

    def test_links(self):
        self.assertEqual(links_of(self.text), ["a.md", "b.png", "c.png"])
        self.assertEqual(anchors_of(self.text), {"a-b-c-d"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--binary", required=True)
    options, rest = parser.parse_known_args()
    BINARY = os.path.abspath(options.binary)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
