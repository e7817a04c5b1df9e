#!/usr/bin/python3
# ===- memory.py - What ranks have of a file in memory --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""memory.py CLEAVE FOLDER RANKS DIMS

Runs a program with one weight of 128 MB, cut as DIMS say, by mpirun: with random
numbers, and with a file. The most memory that a rank has at a time may differ by
half of its shard.

memory.py --rank FOLDER COMMAND... runs the command of one rank and writes the most
memory that it had, in KB, to a file that is called like the rank.
"""

import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys

ROWS, COLUMNS = 2048, 16384
MODEL = f"""func.func @main(%w: tensor<{ROWS}x{COLUMNS}xf32> {{cleave.name = "w"}}) -> tensor<{ROWS}xf32> {{
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %sums = cleave.reduce(%w init: %zero) applies cleave.add across dimensions = [1]
    : (tensor<{ROWS}x{COLUMNS}xf32>, tensor<f32>) -> tensor<{ROWS}xf32>
  return %sums : tensor<{ROWS}xf32>
}}
"""


def run_rank(folder, *command):
    status = subprocess.run(command).returncode
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    pathlib.Path(folder, os.environ["OMPI_COMM_WORLD_RANK"]).write_text(str(memory))
    return status


def write_weights(path):
    """Zeros, which take no room on the disk."""
    size = 4 * ROWS * COLUMNS
    header = json.dumps({"w": {"dtype": "F32", "shape": [ROWS, COLUMNS], "data_offsets": [0, size]}})
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header.encode())
        file.truncate(file.tell() + size)


def measure(folder, program, ranks, inputs):
    """The most memory of each rank, in MB."""
    folder.mkdir()
    command = ["mpirun", "-np", str(ranks), sys.executable, __file__, "--rank", folder, program]
    subprocess.run([*command, "--threads-per-rank", "1", *inputs], check=True, stdout=subprocess.DEVNULL)
    return [int((folder / str(rank)).read_text()) / 1e3 for rank in range(ranks)]


def main():
    cleave, folder, ranks, dims = sys.argv[1:]
    folder, ranks = pathlib.Path(folder), int(ranks)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    model, weights, program = folder / "model.mlir", folder / "weights.safetensors", folder / "program"
    model.write_text(MODEL)
    write_weights(weights)
    cut = ["--mesh", f"x={ranks}", "--shard", f"w={dims}"]
    subprocess.run([cleave, "compile", model, "-o", program, *cut], check=True)
    without = measure(folder / "random", program, ranks, ["--random-inputs", "1"])
    having = measure(folder / "file", program, ranks, ["--weights", weights])
    more = max(after - before for after, before in zip(having, without))
    shard = 4 * ROWS * COLUMNS / ranks / 1e6
    print(f"{ranks} ranks: at most {max(more, 0):.1f} MB more than the shard of {shard:.0f} MB")
    if more > shard / 2:
        sys.exit(f"with random numbers {without} MB, with a file {having} MB")


if sys.argv[1] == "--rank":
    sys.exit(run_rank(*sys.argv[2:]))
main()
