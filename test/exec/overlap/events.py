#!/usr/bin/python3
# ===- events.py - Every event of a program is needed ------ --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""events.py CLEAVE FOLDER AT_LEAST MODEL [OPTION]... [-- MODEL [OPTION]...]...

Compiles each model so that it checks its streams, and runs it: nothing may be found. Then it runs once for each event
as if that were not there, with several inputs, since they decide on branches: something must be found with one of
them. AT_LEAST is how many events there must be in all.

RUN: %python %S/training.py 12 > %t.training.mlir
RUN: %python %s %cleave %t 20 %t.training.mlir -- %S/carried.mlir -- %source/docs/examples/overlap.mlir
"""

import os
import subprocess
import sys

SEEDS = range(1, 9)


def run(program, event, seed):
    environment = dict(os.environ)
    if event is not None:
        environment["CLEAVE_RT_IGNORED_EVENT"] = str(event)
    return subprocess.run(
        [program, "--random-inputs", str(seed)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def check(cleave, program, model, options):
    """How many events a model has."""
    subprocess.run([cleave, "compile", model, "-o", program, "--check-streams", *options], check=True)
    for seed in SEEDS:
        done = run(program, None, seed)
        if done.returncode != 0:
            sys.exit(f"FAIL: {model}: status {done.returncode}\n{done.stdout}")
    event = 0
    while True:
        for seed in SEEDS:
            done = run(program, event, seed)
            if done.returncode != 0:
                break
        if done.returncode == 2 and "events of the program" in done.stdout:
            break
        if done.returncode != 3 or "and no event orders them" not in done.stdout:
            sys.exit(f"FAIL: {model}: without event {event} status {done.returncode}\n{done.stdout}")
        event += 1
    print(f"{model}: {event} events, each needed")
    return event


def main(cleave, folder, at_least, models):
    os.makedirs(folder, exist_ok=True)
    total = 0
    while models:
        end = models.index("--") if "--" in models else len(models)
        total += check(cleave, os.path.join(folder, "program"), models[0], models[1:end])
        models = models[end + 1 :]
    if total < int(at_least):
        sys.exit(f"FAIL: {total} events, expected at least {at_least}")


if __name__ == "__main__":
    main(*sys.argv[1:4], sys.argv[4:])
