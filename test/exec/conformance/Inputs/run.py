#!/usr/bin/python3
# ===- run.py - cleave check over public programs ------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""run.py FOLDER [options] [-- OPTIONS OF CLEAVE CHECK]

Checks the programs of FOLDER, all or a sample. Nothing may fail; how many may
be skipped or gather operands is bounded. Prints what was skipped, and why. With
--same-as-serial, which is for other kinds of arithmetic than that of the expected
values, what fails without a mesh, and nothing else, may fail with one.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sample", type=int, help="so many files only")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--max-skipped", type=int, default=0)
    parser.add_argument("--max-gathered", type=int)
    parser.add_argument("--same-as-serial", action="store_true")
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return parser.parse_args(arguments[:end]), arguments[end + 1 :]


def choose(options):
    files = sorted(options.folder.rglob("*.mlir"))
    if options.sample:
        files = sorted(random.Random(options.seed).sample(files, options.sample))
    return files


def check(files, arguments):
    done = subprocess.run(
        ["cleave", "check", *files, "--json", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode > 1:
        sys.exit(f"cleave check: status {done.returncode}")
    return json.loads(done.stdout)


def verdicts(result):
    return {module["name"]: module["verdict"] for module in result["modules"]}


def serially(arguments):
    """The arguments without those that cut."""
    return [
        argument
        for before, argument in zip([None, *arguments], arguments)
        if not {before, argument} & {"--mesh", "--shard"}
    ]


def main():
    options, arguments = parse()
    files = choose(options)
    result = check(files, arguments)
    for module in result["modules"]:
        if module["verdict"] != "PASS":
            print(module["verdict"], module["name"] + ":", module["reason"])
    gathered = sum(result["gathered"].values())
    print(f"{gathered} gathered: {result['gathered']}")
    print(
        f"{result['passed']} passed, {result['failed']} failed, "
        f"{result['skipped']} skipped"
    )
    problems = []
    if options.same_as_serial:
        if verdicts(result) != verdicts(check(files, serially(arguments))):
            problems.append("verdicts must be those without a mesh")
    elif result["failed"]:
        problems.append("nothing may fail")
    if result["skipped"] > options.max_skipped:
        problems.append(f"at most {options.max_skipped} may be skipped")
    if options.max_gathered is not None and gathered > options.max_gathered:
        problems.append(f"at most {options.max_gathered} may gather an operand")
    sys.exit("; ".join(problems) or 0)


main()
