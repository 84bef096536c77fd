"""Makes the island folder that several test files read: prepare.py --binary THALWEG --world DIR."""
import argparse
import os
import shutil
import sys

import harness

parser = argparse.ArgumentParser()
parser.add_argument("--binary", required=True)
parser.add_argument("--world", required=True)
options = parser.parse_args()
harness.BINARY = os.path.abspath(options.binary)
shutil.rmtree(options.world, ignore_errors=True)
answer = harness.make_world(options.world)
if answer.status != 0:
    sys.exit(str(answer))
