#!/usr/bin/python3
# ===- time.py - Communication beside computation costs no time *- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""time.py CLEAVE FOLDER

A chain of products and a sum over ranks that it does not need, on links that take as long for the sum as the chain
takes: with overlap the step takes as long as the longer of both, in turns at least about as long as both. Only ratios are compared,
of the fastest steps of rounds in which all variants run, and rounds are added while the machine is too busy.

RUN: %python %s %cleave %t
"""

import json
import os
import subprocess
import sys

# Steps long beside the time in which a busy machine lets a thread begin.
LINKS, SIZE, REPEATS, ROUNDS = 16, 320, 12, 40


def make_model():
    square = f"tensor<{SIZE}x{SIZE}xf32>"
    cut = '{cleave.name = "%s", spmd.sharding = #spmd.sharding<@m, [%s]>}'
    columns, rows = cut % ("x", '{}, {"model"}'), cut % ("w", '{"model"}, {}')
    lines = [
        'spmd.mesh @m <"model"=2>',
        f"func.func @overlap(%x: {square} {columns}, %w: {square} {rows},",
        f'    %h: {square} {{cleave.name = "h"}}, %v: {square} {{cleave.name = "v"}}) -> {square} {{',
        f"  %s = cleave.linear %x, %w : ({square}, {square}) -> {square}",
    ]
    last = "%h"
    for i in range(LINKS):
        lines.append(f"  %l{i} = cleave.linear {last}, %v : ({square}, {square}) -> {square}")
        lines.append(f"  %t{i} = cleave.tanh %l{i} : {square}")
        last = f"%t{i}"
    lines += [f"  %y = cleave.multiply %s, {last} : {square}", f"  return %y : {square}", "}"]
    return "\n".join(lines) + "\n"


def come_first():
    """Other tests run at the same time; where that is allowed, they wait."""
    try:
        os.nice(-15)
    except PermissionError:
        pass


def seconds(program, *options):
    command = [program, "--random-inputs", "1", "--threads-per-rank", "1", "--time", str(REPEATS), "--json", "--counters", *options]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, preexec_fn=come_first).stdout)
    return min(report["seconds"]), report["collectives"][0]["bytes"]


def main(cleave, folder):
    os.makedirs(folder, exist_ok=True)
    model, overlapped, turns = (os.path.join(folder, name) for name in ("model.mlir", "overlapped", "turns"))
    with open(model, "w", encoding="utf-8") as file:
        file.write(make_model())
    subprocess.run([cleave, "compile", model, "-o", overlapped], check=True)
    subprocess.run([cleave, "compile", model, "-o", turns, "--no-overlap"], check=True)
    compute, size = min(seconds(turns) for _ in range(3))
    best = {"compute": compute, "together": float("inf"), "in turns": float("inf")}
    communication = compute
    link = ["--link-bandwidth", str(size / communication / 1e9)]
    for _ in range(ROUNDS):
        best["compute"] = min(best["compute"], seconds(turns)[0])
        best["together"] = min(best["together"], seconds(overlapped, *link)[0])
        best["in turns"] = min(best["in turns"], seconds(turns, *link)[0])
        longer, both = max(best["compute"], communication), best["compute"] + communication
        print({name: round(value * 1e3, 3) for name, value in best.items()}, "link", round(communication * 1e3, 3))
        print(f"together {best['together'] / longer:.3f} of the longer, in turns {best['in turns'] / both:.3f} of both")
        if best["together"] <= 1.15 * longer and best["in turns"] >= 0.9 * both:
            return
    sys.exit("FAIL: communication does not run beside computation")


if __name__ == "__main__":
    main(*sys.argv[1:])
