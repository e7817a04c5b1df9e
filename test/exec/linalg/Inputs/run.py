#!/usr/bin/python3
# ===- run.py - Partitioned linalg programs, by numbers -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""run.py PROGRAM MESH... [--tolerance X]

Runs PROGRAM serially and partitioned on each MESH (`"x"=2, "y"=2`, put in place
of MESH in the text), both by MLIR's own lowering and runner, and compares what
they print. Partitioned, the ops must be local and meet in collectives.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

# Up to local shapes; spmd.mask_padding stays, since it would become ops that
# MLIR does not know.
PARTITION = [
    "-cleave-propagate-shardings",
    "-cleave-carry-partial-sums",
    "-cleave-insert-reshards",
    "-cleave-verify-shardings",
    "-cleave-partition-to-local",
    "-cleave-merge-collectives",
    "-cleave-form-reduce-scatters",
]
LOWER = [
    "-one-shot-bufferize=bufferize-function-boundaries",
    "-convert-linalg-to-loops",
    "-convert-scf-to-cf",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-math-to-libm",
    "-convert-arith-to-llvm",
    "-finalize-memref-to-llvm",
    "-convert-func-to-llvm",
    "-convert-cf-to-llvm",
    "-convert-index-to-llvm",
    "-reconcile-unrealized-casts",
]


def call(command, text):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"FAIL: {' '.join(map(str, command))}: status {done.returncode}")
    return done.stdout


def run(text):
    """What the program prints: the numbers of its results."""
    tools = pathlib.Path(shutil.which("mlir-runner")).resolve().parent
    libraries = tools.parent / "lib"
    text = call(["cleave-side-by-side"], text)
    text = call([tools / "mlir-opt", "-convert-elementwise-to-linalg", *LOWER], text)
    shared = [libraries / f"libmlir_{name}runner_utils.so" for name in ("c_", "")]
    printed = call(
        [tools / "mlir-runner", "-e", "main", "-entry-point-result=void"]
        + [f"-shared-libs={library}" for library in shared],
        text,
    )
    results = [part.split("data =")[1] for part in printed.split("Unranked")[1:]]
    return [
        [float(n) for n in re.findall(r"[-+]?(?:nan|inf|[\d.]+(?:e[-+]?\d+)?)", data)]
        for data in results
    ]


def differ(expected, found, tolerance):
    if len(expected) != len(found):
        return True
    return any(
        len(e) != len(f)
        or any(not abs(a - b) <= tolerance * max(map(abs, e)) for a, b in zip(e, f))
        for e, f in zip(expected, found)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("meshes", nargs="+")
    parser.add_argument("--tolerance", type=float, default=0)
    options = parser.parse_args()
    text = options.program.read_text()
    expected = run(text.replace("MESH", options.meshes[0]))
    if not expected or any(len(set(values)) < 3 for values in expected):
        sys.exit(f"FAIL: the results say little: {expected}")
    for mesh in options.meshes:
        local = call(["cleave-opt", "-", *PARTITION], text.replace("MESH", mesh))
        collectives = re.findall(r"spmd\.(\w+) ", local)
        kinds = sorted(set(collectives) - {"mesh", "mask_padding", "axis_index"})
        if not kinds:
            sys.exit(f"FAIL: nothing is communicated on {mesh}")
        found = run(local)
        if differ(expected, found, options.tolerance):
            sys.exit(f"FAIL: on {mesh} {found} instead of {expected}")
        print(f"{mesh}: {sum(map(len, found))} numbers agree; {', '.join(kinds)}")


main()
