#!/usr/bin/python3
# ===- faults.py - Every call of CUDA may fail ---------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""faults.py CLEAVE FAKE MODEL FOLDER [OPTIONS OF CLEAVE COMPILE]

Has the first and the last call of each function fail that a run makes: one error,
exit status 3. What frees something at the end is not worth an error.
"""

import pathlib
import re
import shutil
import sys

import fake

# Calls that belong to an operation of the program.
LOCATED = ("cudaLaunchKernel", "cudaLibraryLoadData", "cudaLibraryGetKernel", "cublasLtMatmul")
cleave, library, model, folder, *options = sys.argv[1:]
shutil.rmtree(folder, ignore_errors=True)
pathlib.Path(folder).mkdir(parents=True)
program = fake.Program(cleave, library, model, folder, options)
inputs = ["--random-inputs", "1", "--time", "2"]
log = pathlib.Path(folder, "calls")
done = program.run(*inputs, CLEAVE_FAKE_CUDA_LOG=str(log))
if done.returncode:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
calls = {name: int(count) for name, count in map(str.split, log.read_text().splitlines())}
faults = 0
for name, count in calls.items():
    # The last one of this is when all is over.
    for number in {1, count} if name != "cudaSetDevice" else {1}:
        done = program.run(*inputs, CLEAVE_FAKE_CUDA_FAIL=f"{name}:{number}")
        lines = done.stderr.splitlines()
        where = f"{name}, call {number} of {count}"
        if re.search("Destroy|Free|Unload", name) and name != "cudaGraphDestroy":
            if done.returncode or lines:
                sys.exit(f"{where}: exit status {done.returncode}: {done.stderr}")
            continue
        faults += 1
        named = lines and (name in lines[0] or ("Malloc" in name and "is full" in lines[0]))
        if done.returncode != 3 or len(lines) != 1 or not named:
            sys.exit(f"{where}: exit status {done.returncode}: {done.stderr}")
        if name in LOCATED and not re.search(r"\.mlir:\d+:\d+", lines[0]):
            sys.exit(f"{where}: no location: {done.stderr}")
print(f"{len(calls)} functions, {faults} faults reported")
