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
# Files that one process reads: starting it takes longer than reading one.
BATCH = 64


def check(paths):
    def run(text):
        return subprocess.run(OPT, input=text, capture_output=True, check=False)

    first = run(b"\n// -----\n".join(path.read_bytes() for path in paths))
    if first.returncode:
        return first.stderr.decode()
    second = run(first.stdout)
    if second.returncode:
        return "what was printed does not parse: " + second.stderr.decode()
    return "" if first.stdout == second.stdout else "is printed differently when read back"


def find_errors(paths):
    """(path, error) of the files that fail, found one by one in a batch that does."""
    error = check(paths)
    if not error or len(paths) == 1:
        return [(path, error) for path in paths if error]
    return [found for path in paths for found in find_errors([path])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    paths = sorted(options.folder.rglob("*.mlir"))
    assert paths, f"no programs in {options.folder}"
    batches = [paths[i : i + BATCH] for i in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        errors = [found for batch in pool.map(find_errors, batches) for found in batch]
    for path, error in errors:
        print(f"{path}: {error[:400]}")
    print(f"{len(paths)} files, {len(errors)} failed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
