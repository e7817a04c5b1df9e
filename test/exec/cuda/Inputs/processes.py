#!/usr/bin/python3
# ===- processes.py - One process and one GPU per rank --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""processes.py CLEAVE FAKE MODEL FOLDER RANKS variables|mpirun|fail|hang [OPTIONS]

Starts a program as processes, told by variables or by mpirun who they are, that
communicate by NCCL. Numbers are those of the host. With `fail` or `hang`, rank 1
stops before its first collective: all others end with status 3, naming it.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import fake


def main():
    cleave, library, model, folder, ranks, how, *options = sys.argv[1:]
    ranks = int(ranks)
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir(parents=True)
    program = fake.Program(cleave, library, model, folder, options)
    inputs = ["--random-inputs", "1"]
    if how in ("fail", "hang"):
        fault = f"rank=1,collective=0,mode={how}"
        ends = fake.run_ranks(program, ranks, [*inputs, "--deadline", "3"], stuck=1, CLEAVE_RT_FAULT=fault)
        for rank, (status, _, errors) in enumerate(ends):
            named = re.search(r"missing ranks? .*\b1\b", errors)
            if rank != 1 and (status != 3 or not named):
                sys.exit(f"rank {rank} ended with {status}: {errors}")
        print(f"{ranks - 1} ranks name the one that stopped")
        return
    outputs = pathlib.Path(folder, "outputs")
    arguments = [*inputs, "--time", "2", "--output-dir", str(outputs)]
    if how == "variables":
        ends = [(status, errors) for status, _, errors in fake.run_ranks(program, ranks, arguments)]
    else:
        command = ["mpirun", "-np", str(ranks), str(program.path), *arguments]
        environment = program.environment(CLEAVE_FAKE_CUDA_DEVICES=str(ranks))
        # Only the program is to use the libraries.
        preload = environment.pop("LD_PRELOAD")
        command[3:3] = ["-x", f"LD_PRELOAD={preload}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        ends = [(done.returncode, done.stderr)]
    if any(status for status, _ in ends):
        sys.exit("\n".join(f"ended with {status}: {errors}" for status, errors in ends))
    error = fake.compare(fake.load(outputs), program.reference(*inputs), 2e-5)
    print(f"largest difference {error:.2g}")


main()
