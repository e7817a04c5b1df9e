#!/usr/bin/python3
# ===- survive.py - What ranks do when one is killed ----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs a compiled program on 8 processes for many steps, sends a signal to one
rank in the middle, and checks that every other rank reports that rank, a
collective and its location, and ends with status 3.

RUN: %python %s --self-test
"""

import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

RANKS = 8
# Each rank notes its pid before it becomes the program, and its status after.
RANK = """
(echo $BASHPID > "$1/pid.$OMPI_COMM_WORLD_RANK"; exec "${@:2}")
status=$?
echo $status > "$1/status.$OMPI_COMM_WORLD_RANK"
exit $status
"""


def read(folder, kind, rank):
    try:
        with open(os.path.join(folder, f"{kind}.{rank}"), encoding="utf-8") as file:
            return int(file.read() or -1)
    except FileNotFoundError:
        return -1


def has_started(pid, rank):
    """Whether a process has got through the start of MPI, which no deadline covers."""
    names = []
    for path in glob.glob(f"/proc/{pid}/task/*/comm"):
        try:
            with open(path, encoding="utf-8") as file:
                names.append(file.read().strip())
        except OSError:
            continue
    return f"rank {rank}" in names


def check(text, statuses, victim):
    """What is wrong with the reports of the survivors."""
    wrong = []
    for rank in range(RANKS):
        if rank == victim:
            continue
        if statuses[rank] != 3:
            wrong.append(f"rank {rank} ended with status {statuses[rank]}")
        lines = re.findall(rf"error: rank {rank}: (.*)", text)
        if len(lines) != 1:
            wrong.append(f"rank {rank} reported {len(lines)} times")
        elif not re.search(
            rf"all_reduce at \S*mlp\.mlir:23:8 over model: .*missing ranks? ([^;]*, )?{victim}\b", lines[0]
        ):
            wrong.append(f"rank {rank} names no collective that misses rank {victim}")
    return wrong


def run(program, victim, number, deadline):
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "--enable-recovery", "--quiet", "-np", str(RANKS)]
        command += ["bash", "-c", RANK, "rank", folder, os.path.abspath(program)]
        command += ["--random-inputs", "1", "--time", "1000000"]
        command += ["--deadline", str(deadline)]
        with tempfile.TemporaryFile("w+") as errors:
            job = subprocess.Popen(command, stderr=errors, stdout=errors)
            try:
                while not all(
                    has_started(read(folder, "pid", rank), rank) for rank in range(RANKS)
                ):
                    if job.poll() is not None:
                        sys.exit("mpirun ended too early")
                    time.sleep(0.05)
                # Long enough to be among the steps.
                time.sleep(3)
                os.kill(read(folder, "pid", victim), number)
                begin = time.monotonic()
                job.wait(timeout=deadline + 30)
                seconds = time.monotonic() - begin
            finally:
                job.kill()
            errors.seek(0)
            text = errors.read()
        statuses = [read(folder, "status", rank) for rank in range(RANKS)]
    print(text)
    print(f"ended after {seconds:.1f} s")
    return check(text, statuses, victim)


def self_test():
    report = "all_reduce at mlp.mlir:23:8 over model: the deadline passed; missing rank"
    good = [f"x: error: rank {rank}: {report} 2\n" for rank in range(RANKS)]
    good[5] = f"x: error: rank 5: the end of the step: missing rank 1 (failed in {report} 2)\n"
    statuses = [3] * 2 + [-1] + [3] * 5
    assert not check("".join(good), statuses, 2)
    assert check("".join(good), statuses, 3)
    assert check("".join(good[1:]), statuses, 2)
    assert check("".join(good), [3] * 7 + [0], 2)
    good[4] = "x: error: rank 4: the end of the step: missing rank 2\n"
    assert check("".join(good), statuses, 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--victim", type=int)
    parser.add_argument("--signal", choices=["KILL", "STOP"])
    parser.add_argument("--deadline", type=float, default=3)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    number = signal.Signals["SIG" + options.signal]
    wrong = run(options.program, options.victim, number, options.deadline)
    return "\n".join(wrong) if wrong else None


if __name__ == "__main__":
    sys.exit(main())
