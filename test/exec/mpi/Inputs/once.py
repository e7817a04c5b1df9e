#!/usr/bin/python3
# ===- once.py - What processes say that variables started ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""once.py PROGRAM RANKS FOLDER

Runs a program as processes that variables tell who they are. What all of them have to say,
the first one says; what only one of them knows is not lost.
"""

import os
import pathlib
import socket
import subprocess
import sys
import time

program, ranks, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Run:
    """One process per rank; `own` has options and variables of a rank."""

    def __init__(self, *options, size=ranks, own=None, delay=0):
        self.status_file = folder / "status"
        self.status_file.write_text("")
        told = {
            "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()),
            "CLEAVE_RT_STATUS_FILE": str(self.status_file),
        }
        self.processes = {}
        # The first rank comes last.
        for rank in reversed(range(ranks)):
            if rank == 0:
                time.sleep(delay)
            own_options, own_variables = (own or {}).get(rank, ([], {}))
            self.processes[rank] = subprocess.Popen(
                [program, *options, *own_options],
                env={**os.environ, **told, "RANK": str(rank), **own_variables},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )

    def end_all_after_one(self):
        """As launchers do."""
        while all(process.poll() is None for process in self.processes.values()):
            time.sleep(0.01)
        for process in self.processes.values():
            process.terminate()

    def finish(self):
        """(exit status, stdout, stderr) by rank."""
        ends = {}
        for rank in range(ranks):
            texts = self.processes[rank].communicate()
            ends[rank] = (self.processes[rank].returncode, *texts)
        return ends

    def statuses(self):
        return self.status_file.read_text().split()


def expect(what, is_right, ends):
    if not is_right:
        sys.exit(f"{what}: {ends}")


def expect_once(text, speaker, status, run, stream):
    """All end with `status`, and only one says `text`, once, and nothing else."""
    ends = run.finish()
    said = {rank: end[stream].count(text) for rank, end in ends.items()}
    expect(text, said == {rank: int(rank == speaker) for rank in ends}, ends)
    expect(text, all(end[0] == status for end in ends.values()), ends)
    expect(text, all(not end[2] for rank, end in ends.items() if rank != speaker), ends)


common = [
    (["--no-such-option"], ranks, "unknown option '--no-such-option'"),
    (["--communicator", "mpi", "--deadline", "0"], ranks, "--deadline: expected SECONDS, got '0'"),
    (["--communicator", "mpi", "--ranks", "3"], ranks, "a mesh of 4 ranks, not 3"),
    (["--communicator", "mpi"], ranks + 1, "a mesh of 4 ranks, but the launcher started 5"),
    (["--communicator", "nccl"], ranks, "whose ranks communicate by local or mpi, not nccl"),
    (["--communicator", "mpi", "--link-latency", "5"], ranks, "has a model of links"),
]
for options, size, text in common:
    run = Run("--random-inputs", "1", *options, size=size)
    expect_once(text, 0, 2, run, 2)
    expect(text, run.statuses() == ["2"], run.statuses())
print(f"{len(common)} common errors said once")

run = Run("--communicator", "mpi", "--help")
expect_once("usage:", 0, 0, run, 1)
# The variables may be meant for another program.
ends = Run("--help").finish()
expect("help", all(end[1].count("usage:") == 1 for end in ends.values()), ends)
run = Run("--communicator", "mpi", "--random-inputs", "1")
expect_once("y: 2x16x64xf32", 0, 0, run, 1)
expect("a run", run.statuses() == ["0"], run.statuses())
print("help and results printed once")

# Whoever ends first ends the others, the slow first one among them.
run = Run("--no-such-option", delay=0.2)
run.end_all_after_one()
ends = run.finish()
expect("one that is slow", ends[0][2].count("unknown option") == 1, ends)
print("a slow first process has its say")

# All meet, and rank 0 tells what it has heard.
run = Run(
    "--communicator", "mpi", "--random-inputs", "1",
    own={2: (["--input", f"x={folder}/no-such-file.npy"], {})},
)
expect_once(f"cannot open '{folder}/no-such-file.npy'", 0, 2, run, 2)
# This one does not come to meet the others.
run = Run("--communicator", "mpi", "--random-inputs", "1", own={2: ([], {"CLEAVE_RT_FAULT": "x"})})
run.end_all_after_one()
ends = run.finish()
expect("own variable", ends[2][0] == 2 and "CLEAVE_RT_FAULT must be" in ends[2][2], ends)
expect("own variable", run.statuses() == ["2"], run.statuses())
run = Run("--communicator", "mpi", "--random-inputs", "1", own={2: (["--no-such-option"], {})})
run.end_all_after_one()
ends = run.finish()
expect("own option", ends[2][0] == 2 and "unknown option '--no-such-option'" in ends[2][2], ends)
expect("own option", run.statuses() == ["2"], run.statuses())
# A rank that there is not.
run = Run("--communicator", "mpi", "--random-inputs", "1", own={2: ([], {"RANK": "7"})})
run.end_all_after_one()
ends = run.finish()
expect("own rank", ends[2][0] == 2 and "RANK is '7', expected a number from 0 to 3" in ends[2][2], ends)
print("errors of one process are not lost")
