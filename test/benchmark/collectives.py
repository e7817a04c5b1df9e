#!/usr/bin/python3
# ===- collectives.py - Bandwidth of collectives --------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Measures all_reduce, all_gather, reduce_scatter and all_to_all of f32 on this
machine and prints a table in GB/s.

Bus bandwidth is that of nccl-tests: S / t times 2 (n-1)/n for all_reduce and
(n-1)/n for the others, with S the bytes of the whole buffer (what all_reduce
reduces, all_gather makes, reduce_scatter and all_to_all take), t the time and n
the ranks, of which there should be no more than cores. Operand and result are
buffers of their own, never in place.

`memcpy` is B / t of n threads that at once copy B bytes, as many as the
collective's result has (S, but S/n of reduce_scatter), from an operand to a
result of the same sort. Of 2 ranks, half of what all_gather and all_to_all write
is the own piece, which bus bandwidth does not count: 0.5 x memcpy then says that
the whole result is there in the time of one memcpy.

`local` and `memcpy`, and `mpi` and Open MPI, take turns batch by batch; the best
time of all rounds counts. The programs are not built by default:

  cmake --build build --target cleave-rt-collective-benchmark cleave-rt-mpi-collective-benchmark

RUN: %python %s --self-test
"""

import argparse
import subprocess
import sys

ENGINES = ("local", "mpi", "openmpi", "memcpy")
LOCAL = "cleave-rt-collective-benchmark"
MPI = "cleave-rt-mpi-collective-benchmark"


def run(command, times):
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in text.splitlines():
        engine, kind, size, seconds = line.split()
        best = times.setdefault((kind, int(size)), {})
        best[engine] = min(best.get(engine, float("inf")), float(seconds))


def bandwidth(kind, engine, size, seconds, ranks):
    """In GB/s."""
    if engine == "memcpy":
        factor = 1 / ranks if kind == "reduce_scatter" else 1
    else:
        factor = (ranks - 1) / ranks * (2 if kind == "all_reduce" else 1)
    return factor * size / seconds * 1e-9


def name(size):
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"


def table(times, ranks):
    lines = [
        "| collective | bytes | local | mpi | Open MPI | memcpy "
        "| local / Open MPI | local / memcpy | mpi / Open MPI |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (kind, size), best in times.items():
        rates = {
            engine: bandwidth(kind, engine, size, best[engine], ranks) for engine in ENGINES
        }
        lines.append(
            f"| {kind} | {name(size)} | "
            + " | ".join(f"{rates[engine]:.2f}" for engine in ENGINES)
            + f" | {rates['local'] / rates['openmpi']:.2f}"
            + f" | {rates['local'] / rates['memcpy']:.2f}"
            + f" | {rates['mpi'] / rates['openmpi']:.2f} |"
        )
    return "\n".join(lines)


def self_test():
    assert bandwidth("all_reduce", "local", 4e9, 2, 2) == 2
    assert bandwidth("all_gather", "mpi", 4e9, 2, 4) == 1.5
    assert bandwidth("reduce_scatter", "memcpy", 4e9, 1, 2) == 2
    times = {("all_reduce", 1 << 20): dict.fromkeys(ENGINES, 1e-3)}
    assert "| all_reduce | 1 MB | 1.05 | 1.05 |" in table(times, 2)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--largest", type=int, default=256 << 20, help="bytes")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    times = {}
    for _ in range(options.rounds):
        run([LOCAL, str(options.ranks), str(options.largest)], times)
        run(["mpirun", "-np", str(options.ranks), MPI, str(options.largest)], times)
    print(table(times, options.ranks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
