# ===- parse_all.py - Parse all programs of a folder ---------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Every .mlir file below FOLDER parses, is printed, and the print parses to the
same print."""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

OPT = ["cleave-opt", "-split-input-file", "-mlir-print-debuginfo"]


def check(path):
    def run(text):
        return subprocess.run(OPT, input=text, capture_output=True, check=False)

    first = run(path.read_bytes())
    if first.returncode:
        return first.stderr.decode()
    second = run(first.stdout)
    if second.returncode:
        return "what was printed does not parse: " + second.stderr.decode()
    return "" if first.stdout == second.stdout else "is printed differently when read back"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--except", dest="left_out", default="", help="a glob of file names")
    options = parser.parse_args()
    paths = sorted(
        path for path in options.folder.rglob("*.mlir") if not path.match(options.left_out or "-")
    )
    assert paths, f"no programs in {options.folder}"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = [(path, error) for path, error in zip(paths, pool.map(check, paths)) if error]
    for path, error in errors:
        print(f"{path}: {error[:400]}")
    print(f"{len(paths)} files, {len(errors)} failed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
