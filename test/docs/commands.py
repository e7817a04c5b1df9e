#!/usr/bin/python3
# ===- commands.py - Runs what the documentation shows -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""commands.py SOURCE FOLDER [PAGE...]

Runs each `$ command` of the documentation in FOLDER, beside copies of the
examples, and checks that every line of output shown after it is printed.
Fractions differ between processors and runs, so they are not compared, nor is
the width of columns. `...` stands for lines left out, or the rest of one. The program that README.md shows must be an example.
Python is written to the file that its first line names.

With PAGEs, only those, which need more than Cleave.

UNSUPPORTED: sanitizer
RUN: rm -rf %t && %python %s --self-test && %python %s %source %t
"""

import pathlib
import re
import shutil
import subprocess
import sys

PAGES = (
    *("README.md", "docs/checking.md", "docs/cli.md", "docs/opt.md"),
    *("docs/from-pytorch.md", "docs/reading-the-phases.md", "docs/stablehlo.md"),
    "docs/testing.md",
)
# Which ranks are late is up to the moment.
SKIPPED = ("--deadline", "scripts/")


def blocks(text, language):
    for found, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M):
        if found == language:
            yield block


def commands(text):
    """(command, lines shown after it) of each `$ command` in a code block."""
    for block in blocks(text, ""):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            lines = [line for line in output.split("\n") if line.strip(" .")]
            yield command, lines


def comparable(line):
    return re.sub(r"\d+\.\d+(e[-+]\d+)?", "N", re.sub(r" +", " ", line.rstrip()))


def missing(shown, printed):
    have = {comparable(line) for line in printed.split("\n")}

    def is_printed(line):
        start, dots, _ = comparable(line).partition("...")
        return any(line.startswith(start) if dots else line == start for line in have)

    return [line for line in shown if not is_printed(line)]


def python_files(text):
    """(name, program) of each program in Python."""
    for program in blocks(text, "python"):
        yield re.match(r"# (\S+\.py)\n", program)[1], program


def check(source, folder, pages):
    folder.mkdir(parents=True)
    for path in (source / "docs/examples").glob("*.mlir"):
        shutil.copy(path, folder)
    (folder / "docs").symlink_to(source / "docs")
    failures = count = 0
    for page in pages or PAGES:
        text = (source / page).read_text()
        for name, program in python_files(text):
            (folder / name).write_text(program)
        for command, shown in commands(text):
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
    program = next(blocks(readme, "mlir"))
    lost = missing(program.split("\n"), example)
    if lost:
        failures += 1
        print("README.md: not in docs/examples/mlp.mlir:", *lost, sep="\n")
    print(f"commands: {count} run, {failures} failures")
    return 1 if failures or not count else 0


def self_test():
    text = "a\n```mlir\n$ no\n```\n```\n$ x y\none 1.5\n...\n$ z\n```\n"
    assert list(python_files("```python\n# a.py\nx\n```\n")) == [("a.py", "# a.py\nx\n")]
    assert list(commands(text)) == [("x y", ["one 1.5"]), ("z", [])]
    assert missing(["a 1.5e-07", "b"], "a 2.25\nb\n") == []
    assert missing(["a 15"], "a 16\n") == ["a 15"]
    assert missing(["a  b ...", "c ..."], "a b 1\n") == ["c ..."]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        sys.exit(check(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]))
