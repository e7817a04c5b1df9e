#!/usr/bin/python3
# ===- survive.py - What ranks do when one is lost ------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs a compiled program as processes, sends a signal to one rank, and checks
that every other rank reports that rank and ends with status 3: in the middle of
many steps with a collective and its location, before the start of MPI with
that.

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

MPIRUN = ["mpirun", "--enable-recovery", "--quiet"]
# Each rank notes its pid before it becomes the program, what it reports (mpirun
# may be out of reach), and its status after. One can stop at the start.
RANK = """
rank=$OMPI_COMM_WORLD_RANK
(echo $BASHPID > "$1/pid.$rank"
 [[ $rank != "$2" ]] || kill -STOP $BASHPID
 exec "${@:3}" 2> "$1/errors.$rank")
status=$?
echo $status > "$1/status.$rank"
exit $status
"""
COLLECTIVE = r"\w+ at \S+\.mlir:\d+:\d+ over \w+: "
START = r"the start of MPI: the deadline of \d+ s passed; "


def read(folder, kind, rank):
    try:
        with open(os.path.join(folder, f"{kind}.{rank}"), encoding="utf-8") as file:
            return int(file.read() or -1)
    except FileNotFoundError:
        return -1


# Of its processor's time; what comes before the steps takes a hundredth of that.
SECONDS_OF_STEPS = 0.3


def seconds_of_thread(pid, name):
    """How long a thread of a process has run, by the names that threads have."""
    for path in glob.glob(f"/proc/{pid}/task/*/stat"):
        try:
            with open(path, encoding="utf-8") as file:
                before, _, after = file.read().rpartition(")")
        except OSError:
            continue
        if before.partition("(")[2] == name:
            ticks = sum(int(field) for field in after.split()[11:13])
            return ticks / os.sysconf("SC_CLK_TCK")
    return 0


def is_among_steps(pid, rank):
    """Whether a process is through its start. On a busy machine no time that passes says so,
    but what it has computed does."""
    return seconds_of_thread(pid, f"rank {rank}") >= SECONDS_OF_STEPS


def check(text, statuses, lost, where=COLLECTIVE):
    """What is wrong with the reports of the survivors; `lost` has for each of
    them the ranks one of which it should name."""
    wrong = []
    for rank, missing in lost.items():
        if statuses[rank] != 3:
            wrong.append(f"rank {rank} ended with status {statuses[rank]}")
        lines = re.findall(rf"error: rank {rank}: (.*)", text)
        names = "|".join(map(str, missing))
        if len(lines) != 1:
            wrong.append(f"rank {rank} reported {len(lines)} times")
        elif not re.search(rf"{where}.*missing ranks? ([^;]*, )?({names})\b", lines[0]):
            wrong.append(f"rank {rank} names nothing that misses rank {names}")
    return wrong


class Job:
    """A program on processes."""

    def __init__(self, launch, ranks, program, options, stopped=-1):
        # pylint: disable=consider-using-with
        self.ranks = ranks
        self.folder = tempfile.TemporaryDirectory()
        self.output = tempfile.TemporaryFile("w+")
        command = [*launch, "-np", str(ranks), "bash", "-c", RANK, "rank"]
        command += [self.folder.name, str(stopped), os.path.abspath(program), *options]
        self.process = subprocess.Popen(command, stderr=self.output, stdout=self.output)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for rank, pid in enumerate(self.pids()):
            if pid > 0 and self.statuses()[rank] == -1:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.folder.cleanup()
        self.output.close()

    def pids(self):
        return [read(self.folder.name, "pid", rank) for rank in range(self.ranks)]

    def statuses(self):
        return [read(self.folder.name, "status", rank) for rank in range(self.ranks)]

    def text(self):
        """What mpirun and all ranks have written."""
        self.output.seek(0)
        text = self.output.read()
        for path in sorted(glob.glob(os.path.join(self.folder.name, "errors.*"))):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        return text

    def wait_for_steps(self):
        while not all(is_among_steps(pid, rank) for rank, pid in enumerate(self.pids())):
            if self.process.poll() is not None:
                sys.exit(f"mpirun ended too early\n{self.text()}")
            time.sleep(0.05)

    def wait_for_ends(self, survivors, seconds):
        """Until all survivors have ended; mpirun may wait for the lost one."""
        begin = time.monotonic()
        while any(self.statuses()[rank] == -1 for rank in survivors):
            if time.monotonic() - begin > seconds:
                break
            time.sleep(0.1)
        print(self.text())
        print(f"ended after {time.monotonic() - begin:.1f} s")


STEPS = ["--random-inputs", "1", "--time", "1000000", "--deadline"]


def survive(launch, ranks, program, act, lost, deadline):
    """Calls act(pids) in the middle of many steps, and checks the survivors."""
    with Job(launch, ranks, program, [*STEPS, str(deadline)]) as job:
        job.wait_for_steps()
        act(job.pids())
        job.wait_for_ends(lost, deadline + 30)
        return check(job.text(), job.statuses(), lost)


def start(launch, ranks, program, victim):
    """One rank never gets to the start of MPI."""
    lost = {rank: [victim] for rank in range(ranks) if rank != victim}
    options = ["--random-inputs", "1", "--deadline", "3"]
    with Job(launch, ranks, program, options, stopped=victim) as job:
        job.wait_for_ends(lost, 60)
        return check(job.text(), job.statuses(), lost, START)


def self_test():
    report = "all_reduce at mlp.mlir:23:8 over model: the deadline passed; missing rank"
    good = [f"x: error: rank {rank}: {report} 2\n" for rank in range(8)]
    good[5] = f"x: error: rank 5: the end of the step: missing rank 1 (failed in {report} 2)\n"
    statuses = [3] * 2 + [-1] + [3] * 5
    lost = {rank: [2] for rank in range(8) if rank != 2}
    assert not check("".join(good), statuses, lost)
    assert check("".join(good), statuses, {rank: [3] for rank in lost})
    assert check("".join(good), statuses, {**lost, 2: [2]})
    assert not check("".join(good), [3] * 8, {rank: [2, 7] for rank in range(8)})
    assert check("".join(good[1:]), statuses, lost)
    assert check("".join(good), [3] * 7 + [0], lost)
    assert check("".join(good), statuses, lost, START)
    good[4] = "x: error: rank 4: the end of the step: missing rank 2\n"
    assert check("".join(good), statuses, lost)
    text = "x: error: rank 0: the start of MPI: the deadline of 20 s passed; missing rank 1\n"
    assert not check(text, [3, -1], {0: [1]}, START)
    with open("/proc/self/comm", encoding="utf-8") as file:
        name = file.read().rstrip("\n")
    while seconds_of_thread(os.getpid(), name) < 0.02:
        pass
    assert seconds_of_thread(os.getpid(), name + "?") == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--victim", type=int)
    parser.add_argument("--signal", choices=["KILL", "STOP"])
    parser.add_argument("--at-start", action="store_true", help="stop it there")
    parser.add_argument("--deadline", type=float, default=3)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.at_start:
        wrong = start(MPIRUN, options.ranks, options.program, options.victim)
        return "\n".join(wrong) if wrong else None
    number = signal.Signals["SIG" + options.signal]
    lost = {rank: [options.victim] for rank in range(options.ranks)}
    del lost[options.victim]
    wrong = survive(
        MPIRUN, options.ranks, options.program,
        lambda pids: os.kill(pids[options.victim], number), lost, options.deadline,
    )
    return "\n".join(wrong) if wrong else None


if __name__ == "__main__":
    sys.exit(main())
