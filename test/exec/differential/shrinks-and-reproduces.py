#!/usr/bin/python3
# ===- shrinks-and-reproduces.py - What is said of a failure -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""shrinks-and-reproduces.py FOLDER FAULT [OPTION...]

With a fault put into every graph, some fail. Of the first that is reported: the
printed options alone must make it fail in the same way, and pass without the
fault; the smallest case must be smaller, and the same must hold of it as a file.

RUN: rm -rf %t && %python %s %t/1 drop-all-reduce
RUN: %python %s %t/2 double-all-reduce --small-floats --seed 3
RUN: not cleave-differential --fault no-such-fault 2>&1 | FileCheck %s
CHECK: unknown mutant 'no-such-fault'; there are: {{.*}}drop-all-reduce
"""

import pathlib
import re
import subprocess
import sys


def differential(*options):
    """(status, output) of one run."""
    done = subprocess.run(
        ["cleave-differential", *options], stdout=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stdout


def expect(holds, what, output):
    if not holds:
        sys.exit(f"FAIL: {what}\n{output}")


def count_ops(module):
    return len(re.findall(r"\b(?:cleave|spmd|func)\.\w+", module))


folder, fault, *options = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True)
status, output = differential(
    "--cases", "40", "--max-reports", "1", "--shrink-seconds", "60", "--fault", fault, *options
)
report = re.search(
    r"^case (\d+) \((.*)\): (.*)\n(?:.*\n)*?smallest case that fails like it: .*\n"
    r"(?:.*\n)*?(module \{\n(?:.*\n)*?\}\n)",
    output,
    re.M,
)
expect(status == 1 and report, "no failure, or no report of it", output)
number, reproduction, verdict, small = report.groups()
print(f"case {number}: {verdict}; {reproduction}")

status, again = differential(*reproduction.split())
expect(status == 1, "the printed options do not fail", again)
expect(f"case {number} ({reproduction}): {verdict}\n" in again, "fails in another way", again)
healthy = reproduction.split()
at = healthy.index("--fault")
del healthy[at : at + 2]
status, text = differential(*healthy)
expect(status == 0 and "1 cases, 1 passed" in text, "fails without the fault", text)

status, whole = differential("--print-case", *healthy)
print(f"{count_ops(whole)} operations, {count_ops(small)} in the smallest case")
expect(0 < count_ops(small) < count_ops(whole), "the smallest case is not smaller", small)
path = folder / "small.mlir"
path.write_text(small)
status, text = differential("--file", str(path), "--fault", fault)
expect(status == 1 and text.startswith(f"{verdict}\n"), "the smallest case passes", text + small)
status, text = differential("--file", str(path))
expect(status == 0, "the smallest case fails without the fault", text + small)
