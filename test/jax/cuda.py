#!/usr/bin/python3
# ===- cuda.py - Models from JAX as programs for GPUs --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""cuda.py CLEAVE MODEL...

Exports models for the mesh data=2,model=2 and compiles them for a GPU, on a machine
without one: the executable needs CUDA's libraries but not the driver's, and says in
one error that there is no GPU.
"""

import pathlib
import subprocess
import sys
import tempfile

from models import MODELS
from run import export, parse_mesh

LIBRARIES = ("libcudart.so", "libcublasLt.so", "libnccl.so")


def check(cleave, name, folder):
    program, executable = folder / "model.mlir", folder / "model"
    program.write_text(export(MODELS[name]("small"), parse_mesh("data=2,model=2")))
    command = [cleave, "compile", program, "-o", executable, "--target", "cuda:sm_90"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"compile ended with {done.returncode}: {done.stderr}"
    needed = subprocess.run(["ldd", executable], capture_output=True, text=True).stdout
    missing = [library for library in LIBRARIES if library not in needed]
    if missing or "libcuda.so" in needed or "not found" in needed:
        return f"needs other libraries: {needed}"
    done = subprocess.run([executable, "--random-inputs", "1"], capture_output=True, text=True)
    errors = done.stderr.splitlines()
    if done.returncode != 3 or len(errors) != 1 or "error: cannot use a GPU" not in errors[0]:
        return f"run ended with {done.returncode}: {done.stderr}"
    return None


def main():
    cleave, *names = sys.argv[1:]
    bad = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(cleave, name, pathlib.Path(folder))
        print(f"{'FAIL' if wrong else 'PASS'} {name}: {wrong or 'an executable for sm_90'}")
        bad += wrong is not None
    sys.exit(bad)


main()
