#!/usr/bin/python3
# ===- graphs.py - Recorded steps of several ranks ------------ -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""graphs.py CLEAVE FAKE MODEL FOLDER RANKS recorded|run|eager|lost [OPTIONS]

Runs a program as processes that communicate by NCCL, several steps.
recorded: all steps from the second on are launches of a graph, with the numbers and
  counts of a run that records none; none is recorded if one rank does not want to.
run: no step is recorded, and none begun to be.
eager: collectives are run as early as events permit, in steps that are not recorded.
lost: a rank that stops, fails or dies in the step that is recorded, or in one that is
  repeated, is named by the others with the collective.
"""

import pathlib
import re
import shutil
import sys

import fake

REPEATS = 4  # after a first step
cleave, library, model, folder, ranks, how, *options = sys.argv[1:]
ranks = int(ranks)
shutil.rmtree(folder, ignore_errors=True)
pathlib.Path(folder).mkdir(parents=True)
program = fake.Program(cleave, library, model, folder, options)
inputs = ["--random-inputs", "1", "--time", str(REPEATS)]


def read_calls(path):
    return {name: int(count) for name, count in map(str.split, path.read_text().splitlines())}


def run(name, own_options=lambda rank: [], **variables):
    """Outputs, counters and the calls of each rank."""
    outputs = pathlib.Path(folder, name)
    logs = [pathlib.Path(folder, f"{name}-{rank}") for rank in range(ranks)]
    own = lambda rank: ({"CLEAVE_FAKE_CUDA_LOG": str(logs[rank])}, own_options(rank))
    arguments = [*inputs, "--counters", "--poison-padding", "--output-dir", str(outputs)]
    ends = fake.run_ranks(program, ranks, arguments, own=own, **variables)
    for rank, (status, _, errors) in enumerate(ends):
        if status or errors:
            sys.exit(f"{name}: rank {rank} ended with {status}: {errors}")
    counters = [line for line in ends[0][1].splitlines() if line.startswith("collective")]
    return fake.load(outputs), counters, [read_calls(log) for log in logs]


def count_nccl(calls):
    names = ("ncclAllReduce", "ncclReduceScatter", "ncclAllGather", "ncclBroadcast", "ncclSend", "ncclRecv")
    return sum(calls.get(name, 0) for name in names)


def check_same(outputs, others, what):
    for name, expected in outputs.items():
        if expected.tobytes() != others[name].tobytes():
            sys.exit(f"{name} differs {what}")


def expect_calls(what, calls, launches, nccl=None):
    for rank, counts in enumerate(calls):
        launched = counts.get("cudaGraphLaunch", 0)
        begun = counts.get("cudaStreamBeginCapture", 0)
        if launched != launches or begun != (launches > 0):
            sys.exit(f"{what}: rank {rank} launched {launched} graphs and began {begun}")
        if nccl is not None and (count_nccl(counts) != nccl[rank] or not nccl[rank]):
            sys.exit(f"{what}: rank {rank} called NCCL {count_nccl(counts)} times, not {nccl[rank]}")


def check_recorded():
    plain, counters, calls = run("plain", CLEAVE_RT_RECORD="0")
    expect_calls("without recording", calls, 0)
    # Only the first step and the recorded one call NCCL themselves.
    each = [count_nccl(counts) // (REPEATS + 1) for counts in calls]
    outputs, recorded_counters, calls = run("recorded")
    expect_calls("recorded", calls, REPEATS, [2 * count for count in each])
    check_same(plain, outputs, "when steps are recorded")
    if counters != recorded_counters or len(counters) < 2:
        sys.exit(f"counters {recorded_counters}, expected {counters}")
    # A trace of one rank keeps all from recording.
    trace = lambda rank: ["--trace", str(pathlib.Path(folder, "trace.json"))] if rank == 1 else []
    traced, _, calls = run("traced", own_options=trace)
    expect_calls("traced", calls, 0)
    check_same(plain, traced, "with a trace")
    error = fake.compare(outputs, program.reference("--random-inputs", "1"), 2e-5)
    print(f"{REPEATS} graphs launched by each of {ranks} ranks, largest difference {error:.2g}")


def check_run():
    outputs, _, calls = run("run")
    expect_calls("run", calls, 0)
    error = fake.compare(outputs, program.reference("--random-inputs", "1"), 2e-5)
    print(f"no graph, largest difference {error:.2g}")


def check_eager():
    outputs, _, _ = run("eager", CLEAVE_RT_RECORD="0", CLEAVE_FAKE_CUDA_EAGER="1")
    error = fake.compare(outputs, program.reference("--random-inputs", "1"), 2e-5)
    print(f"collectives as early as can be, largest difference {error:.2g}")


def check_lost():
    _, counters, _ = run("whole")
    # Of the last line: all executions of a rank.
    each = int(re.search(r"(\d+) executed", counters[-1])[1]) // (REPEATS + 1)

    def lose(what, named, deadline="60", **others):
        ends = fake.run_ranks(program, ranks, [*inputs, "--deadline", deadline], **others)
        for rank, (status, _, errors) in enumerate(ends):
            lines = errors.splitlines()
            if rank == 1 and others.get("stuck") == 1:
                continue
            pattern = named if rank == 1 else r"(all_|reduce_|the end of the step).*\bmissing ranks? .*\b1\b"
            if status != 3 or len(lines) != 1 or not re.search(pattern, lines[0]):
                sys.exit(f"{what}: rank {rank} ended with {status}: {errors}")
        print(f"{what}: {ranks - 1} ranks name the one that is lost")

    first = lambda step: f"rank=1,collective={step * each}"
    for step, name in ((1, "the recorded step"), (3, "a repeated step")):
        fault = first(step)
        lose(f"fails in {name}", "stopped by", CLEAVE_RT_FAULT=f"{fault},mode=fail")
        hang = {"stuck": 1, "CLEAVE_RT_FAULT": f"{fault},mode=hang"}
        lose(f"hangs in {name}", "", deadline="3", **hang)
        lose(f"is killed in {name}", "", killed_after=3, **hang)
    for call, where in (
        ("cudaStreamBeginCapture:1", "cudaStreamBeginCapture"),
        ("cudaEventRecordWithFlags:1", r"(all_|reduce_).*\.mlir:\d+:\d+.*cudaEventRecordWithFlags"),
        ("cudaStreamEndCapture:1", "recording a step: cudaStreamEndCapture"),
        ("cudaGraphLaunch:1", "a recorded step: cudaGraphLaunch"),
        ("cudaGraphLaunch:3", "a recorded step: cudaGraphLaunch"),
    ):
        own = lambda rank: ({"CLEAVE_FAKE_CUDA_FAIL": call} if rank == 1 else {}, [])
        lose(f"{call} fails", where, own=own)


{"recorded": check_recorded, "run": check_run, "eager": check_eager, "lost": check_lost}[how]()
