#!/usr/bin/python3
# ===- commands.py - Runs what the documentation shows -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""commands.py SOURCE FOLDER

Runs each `$ command` of the documentation in FOLDER, beside copies of the
examples, and checks that every line of output shown after it is printed.
Fractions differ between processors and runs, so they are not compared. `...`
stands for lines left out. The program that README.md shows must be an example.

RUN: rm -rf %t && %python %s --self-test && %python %s %source %t
"""

import pathlib
import re
import shutil
import subprocess
import sys

PAGES = (
    *("README.md", "docs/checking.md", "docs/cli.md", "docs/opt.md"),
    "docs/reading-the-phases.md", "docs/stablehlo.md",
)
# Which ranks are late is up to the moment.
SKIPPED = ("--deadline", "scripts/")


def commands(text):
    """(command, lines shown after it) of each `$ command` in a code block."""
    for block in re.findall(r"^```\n(.*?)^```", text, re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            lines = [line for line in output.split("\n") if line.strip(" .")]
            yield command, lines


def comparable(line):
    return re.sub(r"\d+\.\d+(e[-+]\d+)?", "N", line.rstrip())


def missing(shown, printed):
    have = {comparable(line) for line in printed.split("\n")}
    return [line for line in shown if comparable(line) not in have]


def check(source, folder):
    folder.mkdir(parents=True)
    for path in (source / "docs/examples").glob("*.mlir"):
        shutil.copy(path, folder)
    (folder / "docs").symlink_to(source / "docs")
    failures = count = 0
    for page in PAGES:
        for command, shown in commands((source / page).read_text()):
            if any(word in command for word in SKIPPED):
                continue
            done = subprocess.run(
                command, shell=True, cwd=folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            count += 1
            lost = missing(shown, done.stdout)
            if lost:
                failures += 1
                print(f"{page}: $ {command}\nshown, but not printed:", *lost, sep="\n")
                print(f"printed:\n{done.stdout}")
    readme = (source / "README.md").read_text()
    example = (source / "docs/examples/mlp.mlir").read_text()
    program = re.search(r"^```mlir\n(.*?)^```", readme, re.S | re.M)[1]
    lost = missing(program.split("\n"), example)
    if lost:
        failures += 1
        print("README.md: not in docs/examples/mlp.mlir:", *lost, sep="\n")
    print(f"commands: {count} run, {failures} failures")
    return 1 if failures or not count else 0


def self_test():
    text = "a\n```\n$ x y\none 1.5\n...\n$ z\n```\n```mlir\n$ no\n```\n"
    assert list(commands(text)) == [("x y", ["one 1.5"]), ("z", [])]
    assert missing(["a 1.5e-07", "b"], "a 2.25\nb\n") == []
    assert missing(["a 15"], "a 16\n") == ["a 15"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        sys.exit(check(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
