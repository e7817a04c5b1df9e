#!/usr/bin/python3
# ===- transpose.py - Time of transposes ---------------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times transposes of matrices on one rank and one thread, and prints the ratio
to the time in which numpy copies as many bytes, measured in turns with it.

RUN: %python %s --sizes 64x96 --rounds 1 --repeats 2 --folder %t | FileCheck %s
CHECK: i8 64x96: {{.*}} GB/s, {{.*}} x the time of a copy
CHECK: bf16 64x96: {{.*}} GB/s
CHECK: f32 64x96: {{.*}} GB/s
CHECK: f64 64x96: {{.*}} GB/s
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import time

import numpy as np

WIDTHS = {"i8": 1, "bf16": 2, "f32": 4, "f64": 8}

MODEL = """\
func.func @main(%x: tensor<{rows}x{cols}x{element}>) -> tensor<{cols}x{rows}x{element}> {{
  %0 = cleave.transpose %x, dims = [1, 0] : (tensor<{rows}x{cols}x{element}>) -> tensor<{cols}x{rows}x{element}>
  return %0 : tensor<{cols}x{rows}x{element}>
}}
"""


def time_transpose(program, repeats):
    command = [program, "--threads-per-rank", "1", "--random-inputs", "1"]
    command += ["--time", str(repeats), "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return min(json.loads(done.stdout)["seconds"])


def time_copy(numbytes, repeats):
    source, target = np.ones(numbytes, np.int8), np.ones(numbytes, np.int8)
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def measure(rows, cols, element, args):
    folder = pathlib.Path(args.folder)
    model = folder / f"transpose-{element}-{rows}x{cols}.mlir"
    model.write_text(MODEL.format(rows=rows, cols=cols, element=element))
    program = model.with_suffix("")
    subprocess.run(["cleave", "compile", model, "-o", program], check=True)
    numbytes = rows * cols * WIDTHS[element]
    transposes, copies = [], []
    for _ in range(args.rounds):
        transposes.append(time_transpose(program, args.repeats))
        copies.append(time_copy(numbytes, args.repeats))
    seconds = statistics.median(transposes)
    ratio = seconds / statistics.median(copies)
    print(
        f"{element} {rows}x{cols}: {2 * numbytes / seconds / 1e9:.1f} GB/s, "
        f"{ratio:.2f} x the time of a copy",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="4096x4096,4000x4100,512x512,1000x300")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--folder", default=".")
    args = parser.parse_args()
    pathlib.Path(args.folder).mkdir(parents=True, exist_ok=True)
    for size in args.sizes.split(","):
        rows, cols = (int(part) for part in size.split("x"))
        for element in WIDTHS:
            measure(rows, cols, element, args)


if __name__ == "__main__":
    main()
