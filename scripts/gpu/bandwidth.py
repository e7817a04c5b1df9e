# ===- bandwidth.py - Collectives and copies of GPUs ----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Bus bandwidth of collectives, as docs/bandwidth.md defines it, beside what copies
of as many bytes reach in the same run; and what a kernel moves. Run by itself, the
module tests itself.
"""

import os
import sys

from programs import median
from table import script

KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
RANKS = 4


def parse(text):
    """{(engine, what, bytes): seconds}"""
    lines = (line.split() for line in text.splitlines())
    return {(line[0], line[1], int(line[2])): float(line[3]) for line in lines if len(line) == 4}


def bus(kind, size, seconds, ranks):
    """In GB/s: what a rank sends or receives at least, by the time."""
    return (2 if kind == "all_reduce" else 1) * (ranks - 1) / ranks * size / seconds / 1e9


def by_host(kind, size, ranks, times):
    """The least time of a reduction that is computed on the host: its operands go
    there, and the result comes back; None for those that move data only."""
    back = {"all_reduce": 1, "reduce_scatter": 1 / ranks}.get(kind)
    if back is None:
        return None
    return times["download", "ranks", size] + back * times["upload", "ranks", size]


def name_of(size):
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"


def describe(engine, kind, size, ranks, times, limits):
    """The figures of one collective."""
    seconds = times[engine, kind, size]
    rate = bus(kind, size, seconds, ranks)
    text = f"{rate:.2f} GB/s of the bus"
    if ("copy", "ranks", size) in limits:
        text += f", {rate / (size / limits['copy', 'ranks', size] / 1e9):.2f} x copies between ranks"
    if engine == "local" and by_host(kind, size, ranks, limits):
        text += f", {by_host(kind, size, ranks, limits) / seconds:.2f} x transfers to the host and back"
    return text


def add_rows(check, engine, ranks, cards, times, limits):
    sizes = sorted({size for _, _, size in times})
    # Some of them, up to the largest.
    for size in sizes[::-3][::-1]:
        for kind in KINDS:
            label = f"{kind}, {engine}, {ranks} ranks on {cards}, {name_of(size)}"
            check.add(label, "measured", describe(engine, kind, size, ranks, times, limits))


def measure(check, engine, ranks, devices):
    """The times of the benchmark, or None."""
    largest, repeats = (1024, 1) if check.fake else (64 << 20, 500)
    command = [check.build_folder / "bin/cleave-rt-device-benchmark", engine, ranks, largest, repeats]
    if engine == "nccl":
        command = [*script("test/exec/mpi/Inputs/launch.py"), ranks, *command]
    variables = check.preload(devices)
    if not check.fake and devices == 1:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES") or "0"
        variables["CUDA_VISIBLE_DEVICES"] = visible.split(",")[0]
    cards = "one GPU" if devices == 1 else f"{devices} GPUs"
    text = check.step(f"collectives, {engine}, {ranks} ranks on {cards}", command, 60, variables)
    return text and parse(text)


def collectives(check):
    times = measure(check, "local", RANKS, 1)
    if times:
        add_rows(check, "local", RANKS, "one GPU", times, times)
        size = max(size for _, _, size in times)
        for engine, what, label in (
            ("copy", "alone", "copy in the memory of the GPU"),
            ("copy", "ranks", f"{RANKS} ranks copy between their buffers, each"),
            ("upload", "ranks", f"{RANKS} ranks copy from the host, pinned, each"),
            ("download", "ranks", f"{RANKS} ranks copy to the host, pinned, each"),
        ):
            seconds = times[engine, what, size]
            check.add(f"{label}, {name_of(size)}", "measured", f"{size / seconds / 1e9:.2f} GB/s")
        check.copy_bandwidth = 2 * size / times["copy", "alone", size]
    if check.gpus < 2:
        check.add("collectives, nccl", "left out", "there is one GPU")
        return
    ranks = check.gpus
    # What the links between GPUs do is measured by copies of one process.
    limits = measure(check, "local", ranks, ranks) or {}
    if limits:
        add_rows(check, "local", ranks, f"{ranks} GPUs", limits, limits)
    times = measure(check, "nccl", ranks, ranks)
    if times:
        add_rows(check, "nccl", ranks, f"{ranks} GPUs", times, limits)


def memory(check):
    """What a kernel that reads two vectors and writes one moves per second."""
    count = 1 << (12 if check.fake else 27)
    model = check.folder / "add.mlir"
    vector = f"tensor<{count}xf32>"
    model.write_text(
        f"func.func @main(%x: {vector}, %y: {vector}) -> {vector} {{\n"
        f"  %0 = cleave.add %x, %y : {vector}\n  return %0 : {vector}\n}}\n"
    )
    seconds = median(check, "x + y", model, "local")
    if not seconds:
        return
    rate = 3 * 4 * count / seconds
    figures = f"{rate / 1e9:.2f} GB/s read and written"
    if check.copy_bandwidth:
        figures += f", {rate / check.copy_bandwidth:.2f} x a copy in the GPU's memory"
    check.add("memory by x + y", "measured", figures)


def self_test():
    assert bus("all_reduce", 4e9, 3, 4) == 2 and bus("all_to_all", 4e9, 3, 4) == 1
    times = parse("local all_reduce 4096 0.001\nlocal all_gather 4096 0.001\ncopy ranks 4096 0.0005\n"
                  "download ranks 4096 0.0002\nupload ranks 4096 0.0004\nsomething else\n")
    assert len(times) == 5
    assert by_host("reduce_scatter", 4096, 4, times) == 0.0002 + 0.0001
    assert by_host("all_gather", 4096, 4, times) is None
    figures = describe("local", "all_reduce", 4096, 4, times, times)
    assert figures == "0.01 GB/s of the bus, 0.75 x copies between ranks, 0.60 x transfers to the host and back", figures
    assert describe("nccl", "all_gather", 4096, 4, {("nccl", "all_gather", 4096): 1e-6}, {}) == "3.07 GB/s of the bus"


if __name__ == "__main__":
    sys.exit(self_test())
