#!/usr/bin/python3
# ===- run.py - Numbers of programs for GPUs -----------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""run.py CLEAVE FAKE MODEL FOLDER [OPTIONS OF CLEAVE COMPILE]

The executable gives what the host does, twice in a row, and `cleave verify` agrees
with the evaluator.
"""

import pathlib
import shutil
import sys

import fake

cleave, library, model, folder, *options = sys.argv[1:]
shutil.rmtree(folder, ignore_errors=True)
pathlib.Path(folder).mkdir(parents=True)
program = fake.Program(cleave, library, model, folder, options)
inputs = ["--random-inputs", "1"]
# Several steps, the later of which may be replayed.
outputs = program.outputs(*inputs, "--time", "3", "--poison-padding")
error = fake.compare(outputs, program.reference(*inputs), 2e-5)
print(f"{len(outputs)} outputs, largest difference {error:.2g}")
sys.exit(program.verify(*inputs))
