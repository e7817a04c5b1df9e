#!/usr/bin/python3
# ===- hanging-cleave.py - A tool that can hang ---------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""`cleave verify` and `cleave check --json` of what is right, and nvidia-smi if that
is its name. HANGS is the first file, or how many there are, of what never ends."""

import json
import os
import pathlib
import sys
import time

files = [argument for argument in sys.argv if argument.endswith(".mlir")]
if pathlib.Path(sys.argv[0]).name == "nvidia-smi":
    print("a GPU")
elif os.environ.get("HANGS") in (pathlib.Path(files[0]).name, str(len(files))):
    time.sleep(300)
elif sys.argv[1] == "check":
    print(json.dumps({"modules": [], "passed": len(files), "failed": 0, "skipped": 0}))
