#!/usr/bin/python3
# ===- fails.py - Checks how a command fails -----------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""fails.py [STATUS] COMMAND...

Passes when the command ends with that status (2 unless given), with exactly one
error on stderr (a run that failed has one per rank) and nothing on stdout.
Prints stderr, for FileCheck.
"""

import re
import subprocess
import sys

arguments = sys.argv[1:]
expected = int(arguments.pop(0)) if arguments[0].isdigit() else 2
done = subprocess.run(arguments, capture_output=True, text=True)
print(done.stderr, end="")
errors = len(re.findall(r"\berror: ", done.stderr))
if done.returncode != expected:
    sys.exit(f"status {done.returncode}, not {expected}")
if errors != 1 and expected != 3:
    sys.exit(f"{errors} errors, not one")
if done.stdout:
    sys.exit(f"on standard output: {done.stdout}")
if re.search("Stack dump|PLEASE submit|Traceback|LLVM ERROR", done.stderr):
    sys.exit("a crash")
