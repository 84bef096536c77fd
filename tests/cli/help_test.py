"""help, ops, bench and build information."""
import json
import unittest

import harness

COMMANDS = ("generate", "hydrology", "erode", "audit", "export", "mesh", "preview", "info", "ops", "bench")
BENCH_KEYS = {"name", "size", "threads", "simd", "items", "unit", "seconds", "hash", "items_per_s", "bytes_per_item",
              "copy_gb_per_s"}


class Help(harness.Case):
    def test_top(self):
        for args in ((), ("--help",), ("-h",)):
            text = self.ok(*args).out
            self.assertIn("Example", text)
            for command in COMMANDS:
                self.assertIn("\n  %s " % command, text)

    def test_every_command(self):
        for command in COMMANDS:
            answer = self.ok(command, "--help")
            self.assertIn("Example: thalweg " + command, answer.out)
            self.assertEqual(answer.err, "")
            for option in ("--threads", "--simd", "--memory", "--quiet", "--json", "--help"):
                self.assertIn(option, answer.out, command)

    def test_build_information(self):
        text = self.ok("--build-info").out
        self.assertRegex(text, r"^thalweg \d+\.\d+\.\d+\n")
        for words in ("commit: ", "simd: ", "scalar", "parts: "):
            self.assertIn(words, text)
        self.assertRegex(self.ok("--version").out, r"^thalweg \d+\.\d+\.\d+\n$")


class Operators(harness.Case):
    def test_table(self):
        table = json.loads(self.ok("ops", "--json").out)
        names = [op["name"] for op in table]
        self.assertGreaterEqual(len(names), 10)
        self.assertEqual(len(set(names)), len(names))
        text = self.ok("ops").out
        for op in table:
            self.assertIn(op["name"], text)
            one = self.ok("ops", op["name"]).out
            self.assertIn(op["help"], one)
            for parameter in op["params"]:
                self.assertIn(parameter["name"], one)
                self.assertIn("default", parameter)
                self.assertTrue(parameter["help"])
            self.assertEqual(json.loads(self.ok("ops", op["name"], "--json").out), op)

    def test_examples_are_recipes(self):
        """Every operator's example is a step that a recipe takes."""
        harness.write_asc(self.path("coast.asc"), [[0, 1], [1, 2]])
        for op in json.loads(self.ok("ops", "--json").out):
            recipe = 'format = "thalweg-recipe 1"\n[extent]\nsize_m = 320\ncell_m = 40\n'
            before = ["noise", "depressions"]
            before += ["moisture"] if {"moisture", "biome"} & set(op["reads"]) else []
            before += ["biomes"] if "biome" in op["reads"] else []
            recipe += "".join('[[step]]\nop = "%s"\n' % name for name in before)
            example = op["example"].replace("coast.png", "coast.asc")
            path = harness.write_text(self.path("r.toml"), recipe + example)
            answer = harness.call("generate", path, "-o", self.path("x"), "--memory", "1K")
            self.assertIn("needs", answer.err, "%s: %s" % (op["name"], answer))  # all was checked before the memory

    def test_schema(self):
        schema = json.loads(self.ok("ops", "--schema").out)
        self.assertIn("$schema", schema)
        text = json.dumps(schema)
        for op in json.loads(self.ok("ops", "--json").out):
            self.assertIn('"%s"' % op["name"], text)


class Bench(harness.Case):
    def names(self):
        return self.ok("bench", "--help").out.split("some of:")[1].split("Options:")[0].replace(",", " ").split()

    def test_every_name(self):
        names = self.names()
        self.assertGreaterEqual(len(names), 10)
        answer = self.ok("bench", *(n for n in names if n != "island"), "--size", 64, "--json", "--threads", 2)
        rows = {r["name"]: r for r in json.loads(answer.out)}
        self.assertEqual(sorted(rows), sorted(n for n in names if n != "island"))
        for name, row in rows.items():
            self.assertEqual(set(row) & BENCH_KEYS, BENCH_KEYS, name)
            self.assertEqual((row["size"], row["threads"]), (64, 2))
            self.assertGreater(row["seconds"], 0, name)
            self.assertGreater(row["items"], 0, name)
            self.assertRegex(row["hash"], r"^[0-9a-f]{32}$", name)
            self.assertAlmostEqual(row["items_per_s"], row["items"] / row["seconds"], delta=0.01 * row["items_per_s"])
        again = json.loads(self.ok("bench", "fill", "accumulate", "noise-fbm6", "--size", 64, "--json", "--threads", 1,
                                   "--simd", "scalar").out)
        for row in again:
            self.assertEqual(row["hash"], rows[row["name"]]["hash"], row["name"])
            self.assertEqual((row["simd"], row["threads"]), ("scalar", 1))

    def test_island_is_measured_or_refused(self):
        """Where the shipped recipe cannot be run at a size, that is an error and no zero."""
        answer = harness.call("bench", "island", "--size", 64, "--json")
        if answer.status == 0:
            self.assertRegex(json.loads(answer.out)[0]["hash"], r"^[0-9a-f]{32}$")
        else:
            self.assertEqual((answer.status, len(answer.err.splitlines()), answer.out), (2, 1, ""), answer)
        self.assertIn("island", answer.out + answer.err)

    def test_plain_lines(self):
        lines = self.ok("bench", "noise-perlin2", "d8", "--size", 33).out.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["noise-perlin2", "d8", "copy:"])


if __name__ == "__main__":
    harness.main()
