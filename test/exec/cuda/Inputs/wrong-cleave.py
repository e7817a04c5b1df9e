#!/usr/bin/python3
# ===- wrong-cleave.py - A tool that finds what is wrong ------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What `cleave verify` and `cleave check --json` print, and how they end, when
something is wrong. An executable that it makes says nothing."""

import json
import pathlib
import sys

if sys.argv[1] == "check":
    reason = "eq at odd.mlir:2:3: element [0] is 1, expected 2"
    modules = [{"name": "even.mlir", "verdict": "PASS"}, {"name": "odd.mlir", "verdict": "FAIL", "reason": reason}]
    print(json.dumps({"modules": modules, "passed": 1, "failed": 1, "skipped": 0}))
elif sys.argv[1] == "compile":
    program = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    sys.exit(0)
else:
    print("verified 0 of 1 outputs on 1 ranks")
sys.exit(1)
