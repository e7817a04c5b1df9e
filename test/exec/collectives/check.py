#!/usr/bin/python3
# ===- check.py - Checks the collectives of a sharded model --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""check.py CLEAVE MODEL EXPECTED [OPTION]...

Checks a model three ways: `cleave explain` lists exactly the expected
collectives (`all_reduce:98304` is one with its bytes; several are joined by
commas; `none` for none, `any` for whatever they are), `cleave verify` finds the results right, and the runtime
counts the same collectives and bytes as `cleave explain` lists.

RUN: %python %s --self-test
"""

import json
import subprocess
import sys


def call(*command):
    print("+", *command, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"FAIL: status {done.returncode}\n{done.stdout}")
    return done.stdout


def explained(report):
    return [(c["kind"], c["axis_names"], c["bytes"]) for c in report["collectives"]]


def counted(report):
    """One entry per execution; all_slice moves nothing and is not listed."""
    return [
        (c["kind"], c["axis_names"], c["bytes"])
        for c in report["collectives"]
        for _ in range(c["count"])
        if c["kind"] != "all_slice"
    ]


def parse_expected(text):
    pairs = [entry.split(":") for entry in text.split(",") if entry != "none"]
    return sorted((kind, int(size)) for kind, size in pairs)


def check(cleave, model, expected, options):
    explain = list(options)
    for name in ("--input", "--weights", "--random-inputs"):
        while name in explain:
            at = explain.index(name)
            del explain[at : at + 2]
    if not any(o in options for o in ("--input", "--weights", "--random-inputs")):
        options = [*options, "--random-inputs", "1"]
    rows = explained(json.loads(call(cleave, "explain", model, "--json", *explain)))
    found = sorted((kind, size) for kind, _, size in rows)
    if expected != "any" and found != parse_expected(expected):
        sys.exit(f"FAIL: expected {expected}, found {found}")
    print(call(cleave, "verify", model, *options), end="")
    run = json.loads(call(cleave, "run", model, "--counters", "--json", *options))
    if sorted(counted(run)) != sorted(rows):
        sys.exit(f"FAIL: explained {sorted(rows)}, counted {sorted(counted(run))}")


def self_test():
    assert parse_expected("none") == []
    assert parse_expected("b:2,a:1") == [("a", 1), ("b", 2)]
    row = {"kind": "all_reduce", "axis_names": "x", "bytes": 8, "count": 2}
    slice = {"kind": "all_slice", "axis_names": "x", "bytes": 0, "count": 1}
    report = {"collectives": [row, slice]}
    assert counted(report) == [("all_reduce", "x", 8)] * 2


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        check(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
