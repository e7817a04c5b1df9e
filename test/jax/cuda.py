#!/usr/bin/python3
# ===- cuda.py - Models from JAX as programs for GPUs --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""cuda.py CLEAVE [--size full] MODEL...

Exports models for the mesh data=2,model=2 and compiles them for a GPU, on a machine
without one: the executable needs CUDA's libraries but not the driver's, and says in
one error that there is no GPU. No kernel may spill registers, on any GPU. MODEL is
one of models.py, or minilm, which test/exec/minilm writes. Prints how long compiling
took, and the most memory.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from models import MODELS
from run import export, parse_mesh

LIBRARIES = ("libcudart.so", "libcublasLt.so", "libnccl.so")
MESH = "data=2,model=2"
TESTS = pathlib.Path(__file__).resolve().parent.parent
MINILM = TESTS / "exec/minilm"
sys.path.append(str(TESTS / "exec/gpu/Inputs"))
from resources import CHIPS, measure  # pylint: disable=wrong-import-position


def write_model(name, size, folder):
    """The model's file, and the options that cut it."""
    program = folder / "model.mlir"
    if name != "minilm":
        program.write_text(export(MODELS[name](size), parse_mesh(MESH)))
        return [program]
    command = [sys.executable, MINILM / "minilm.py", "-o", folder]
    command += ["--tiny"] if size == "small" else []
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    sys.path.append(str(MINILM))
    import megatron  # pylint: disable=import-outside-toplevel

    return [program, *megatron.sharding_options(MESH)]


# In a process of its own: a child starts with the memory of the one that starts it.
MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
"""


def compile_model(command):
    """Exit status, standard error, seconds and megabytes of memory."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - begin
    return done.returncode, done.stderr, seconds, int(done.stdout or 0) / 1e3


def find_spills(cleave, model):
    """The GPUs for which kernels spill."""
    program, *options = model
    options = options or ["--mesh", MESH]
    return [
        chip
        for chip in CHIPS
        if any(kernel["spill_bytes"] for kernel in measure(cleave, program, chip, options))
    ]


def check(cleave, name, size, folder):
    """What is wrong, or nothing, and the figures."""
    executable = folder / "model"
    model = write_model(name, size, folder)
    command = [cleave, "compile", *model, "-o", executable, "--target", "cuda:sm_90"]
    status, errors, seconds, memory = compile_model(command)
    if status:
        return f"compile ended with {status}: {errors}", ""
    needed = subprocess.run(["ldd", executable], capture_output=True, text=True).stdout
    missing = [library for library in LIBRARIES if library not in needed]
    if missing or "libcuda.so" in needed or "not found" in needed:
        return f"needs other libraries: {needed}", ""
    done = subprocess.run([executable, "--random-inputs", "1"], capture_output=True, text=True)
    errors = done.stderr.splitlines()
    if done.returncode != 3 or len(errors) != 1 or "error: cannot use a GPU" not in errors[0]:
        return f"run ended with {done.returncode}: {done.stderr}", ""
    spills = find_spills(cleave, model)
    if spills:
        return f"kernels spill registers for {', '.join(spills)}", ""
    return None, f"compiled in {seconds:.1f} s with {memory:.0f} MB"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("models", nargs="+", choices=[*MODELS, "minilm"], metavar="MODEL")
    parser.add_argument("--size", default="small", choices=["small", "full"])
    options = parser.parse_args()
    bad = 0
    for name in options.models:
        with tempfile.TemporaryDirectory() as folder:
            wrong, figures = check(options.cleave, name, options.size, pathlib.Path(folder))
        print(f"{'FAIL' if wrong else 'PASS'} {name}: {wrong or 'an executable for sm_90, ' + figures}", flush=True)
        bad += wrong is not None
    sys.exit(bad)


main()
