#!/usr/bin/python3
# ===- busy-machine-fails-nothing.py - Waiting is no hang -----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""busy-machine-fails-nothing.py

The child that runs the cases gets no processor for longer than a case may use one:
that is not held against the case.

RUN: %python %s | FileCheck %s
CHECK: 300 cases, 300 passed, 0 failed

What uses the processor for longer is a timeout.
RUN: not cleave-differential --cases 1 --timeout 0.0001 --max-reports 0 \
RUN:   | FileCheck %s --check-prefix=TIMEOUT
TIMEOUT: case 0 (--seed 1 --first 0 --cases 1): timeout
TIMEOUT: 1 cases, 0 passed, 1 failed
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

# Processor seconds of one case, far more than one takes.
LIMIT = 3


def children_of(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def stop_child(pid):
    """Stops a child in the midst of its cases, of which each child takes some."""
    while True:
        for child in children_of(pid):
            time.sleep(0.2)
            if child in children_of(pid):
                os.kill(child, signal.SIGSTOP)
                return child
        time.sleep(0.01)


def main():
    command = ["cleave-differential", "--cases", "300", "--timeout", str(LIMIT)]
    with subprocess.Popen(command) as process:
        child = stop_child(process.pid)
        time.sleep(LIMIT + 1)
        os.kill(child, signal.SIGCONT)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
