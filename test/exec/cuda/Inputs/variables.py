#!/usr/bin/python3
# ===- variables.py - Launchers that say something else -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""variables.py CLEAVE FAKE MODEL FOLDER

Runs a program of four ranks as one process that is told something wrong: an error with
status 2, and not a run of all ranks in each process.
"""

import pathlib
import shutil
import sys

import fake

cleave, library, model, folder = sys.argv[1:]
shutil.rmtree(folder, ignore_errors=True)
pathlib.Path(folder).mkdir(parents=True)
program = fake.Program(cleave, library, model, folder)
right = {"RANK": "0", "WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500", "LOCAL_RANK": "0"}
cases = [
    ({"RANK": "1x"}, "RANK is '1x', expected a number from 0 to 3"),
    ({"RANK": "4"}, "RANK is '4', expected a number from 0 to 3"),
    ({"RANK": None}, "RANK is not set"),
    ({"WORLD_SIZE": "four"}, "WORLD_SIZE is 'four', expected a number from 1"),
    ({"WORLD_SIZE": "99999999999"}, "WORLD_SIZE is '99999999999', expected"),
    ({"WORLD_SIZE": None}, "WORLD_SIZE is not set"),
    ({"WORLD_SIZE": "5"}, "compiled for a mesh of 4 ranks, but the launcher started 5"),
    ({"MASTER_ADDR": None}, "MASTER_ADDR is not set"),
    ({"MASTER_PORT": "0"}, "MASTER_PORT is '0', expected a number from 1 to 65535"),
    ({"MASTER_PORT": "70000"}, "MASTER_PORT is '70000', expected a number from 1 to 65535"),
    ({"MASTER_PORT": "65535", "TORCHELASTIC_USE_AGENT_STORE": "True"}, "expected a number from 1 to 65534"),
]
for changes, expected in cases:
    variables = {name: value for name, value in {**right, **changes}.items() if value is not None}
    for options in ([], ["--communicator", "nccl"]):
        done = program.run("--random-inputs", "1", *options, **variables)
        if done.returncode != 2 or expected not in done.stderr or done.stderr.count("error:") != 1:
            sys.exit(f"{changes}: status {done.returncode}, {done.stderr}")
    # What is not asked for cannot be wrong.
    done = program.run("--random-inputs", "1", "--communicator", "local", **variables)
    if done.returncode:
        sys.exit(f"{changes}, local: status {done.returncode}, {done.stderr}")

ends = fake.run_ranks(
    program, 4, ["--random-inputs", "1", "--deadline", "1"], own=lambda rank: ({"LOCAL_RANK": "x"}, [])
)
for rank, (status, _, errors) in enumerate(ends):
    if status == 0 or (rank == 0 and "LOCAL_RANK is 'x', expected the number of a GPU" not in errors):
        sys.exit(f"LOCAL_RANK: rank {rank} ended with {status}: {errors}")
print(f"{len(cases)} mistakes reported")
