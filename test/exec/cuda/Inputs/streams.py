#!/usr/bin/python3
# ===- streams.py - Events of programs for GPUs -------------- -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""streams.py CLEAVE FAKE MODEL FOLDER AT_LEAST [OPTIONS OF CLEAVE COMPILE]

Of the executable that checks its streams nothing is found with all events, and
something without each one of them. AT_LEAST is how many there must be.
"""

import pathlib
import sys

import fake

cleave, library, model, folder, at_least, *options = sys.argv[1:]
pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
program = fake.Program(cleave, library, model, folder, [*options, "--check-streams"])


def run(**variables):
    return program.run("--random-inputs", "1", **variables)


done = run()
if done.returncode:
    sys.exit(f"FAIL: status {done.returncode}\n{done.stdout}{done.stderr}")
event = 0
while True:
    done = run(CLEAVE_RT_IGNORED_EVENT=str(event))
    text = done.stdout + done.stderr
    if done.returncode == 2 and "events of the program" in text:
        break
    if done.returncode != 3 or "and no event orders them" not in text:
        sys.exit(f"FAIL: without event {event} status {done.returncode}\n{text}")
    event += 1
print(f"{event} events, each needed")
if event < int(at_least):
    sys.exit(f"FAIL: expected at least {at_least}")
