#!/usr/bin/env python3
"""Runs the built command over real elevation models and over many seeds, and lets its audit judge the results.

  command_line_test.py CLI models METHOD     hydrology with --depressions METHOD ("default": without that option) on
                                             every $THALWEG_DATA/dem/*.tif
  command_line_test.py CLI seeds SIZE LAST   generate island, seeds 1 to LAST, at --size SIZE

Every folder must pass `audit` with status 0. Exit status: 0 all passed, 1 a fault, 77 skipped (no THALWEG_DATA).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT_S = 600


def run(cli, *arguments):
    """(status, output) of one call; a call that hangs counts as status 124."""
    try:
        done = subprocess.run([cli, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return 124, f"no answer in {TIMEOUT_S} s"
    return done.returncode, done.stdout


def checks_of(report):
    """The checks of an audit's JSON report, or None where it is not one."""
    try:
        return json.loads(report)["checks"]
    except (ValueError, KeyError, TypeError):
        return None


def judge(cli, folder, expected):
    """What is wrong with a folder that was just written: checks that fail, or that did not look at anything."""
    status, report = run(cli, "audit", str(folder), "--json")
    checks = checks_of(report)
    if checks is None:
        return [f"audit ended with {status}", report.strip()]
    wrong = [f"{c['name']}: {c['faults']} of {c['checked']}, first: {c['place']}" for c in checks if not c["ok"]]
    if status != 0:
        wrong.insert(0, f"audit ended with {status}")
    counts = {c["name"]: c["checked"] for c in checks}
    return wrong + [f"the audit made no check '{name}'" for name in expected if counts.get(name, 0) == 0]


def check(cli, title, command, expected):
    """One command and the audit of what it wrote; prints a line and returns whether all is well."""
    with tempfile.TemporaryDirectory(prefix="thalweg_") as scratch:
        folder = pathlib.Path(scratch) / "out"
        status, output = run(cli, *command, "-o", str(folder), "--quiet")
        wrong = judge(cli, folder, expected) if status == 0 else [f"ended with {status}", output.strip()]
    print("\n      ".join([f"{'FAULT' if wrong else 'ok   '} {title}", *wrong]), flush=True)
    return not wrong


def models(cli, method):
    data = os.environ.get("THALWEG_DATA", "")
    if not data:
        print("skipped: THALWEG_DATA does not name a folder with real elevation models")
        return SKIPPED
    files = sorted(pathlib.Path(data, "dem").glob("*.tif"))
    if not files:
        print(f"no elevation models in {data}/dem")
        return 1
    command = ["--depressions", method] if method != "default" else []
    expected = ["no-pit", "directions-acyclic", "river-climbs", "river-ends"]
    good = [check(cli, f"{f.name} {method}", ["hydrology", str(f), *command], expected) for f in files]
    print(f"{sum(good)} of {len(good)} models passed")
    return 0 if all(good) else 1


def seeds(cli, size, last):
    expected = ["no-pit", "river-climbs", "river-ends", "island"]
    good = [check(cli, f"island {size}, seed {seed}", ["generate", "island", "--seed", str(seed), "--size", size],
                  expected) for seed in range(1, int(last) + 1)]
    print(f"{sum(good)} of {len(good)} seeds passed")
    return 0 if all(good) else 1


def main(arguments):
    if len(arguments) == 3 and arguments[1] == "models":
        return models(arguments[0], arguments[2])
    if len(arguments) == 4 and arguments[1] == "seeds":
        return seeds(arguments[0], arguments[2], arguments[3])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
