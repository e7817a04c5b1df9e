#!/usr/bin/python3
# ===- from_pytorch.py - The guide for users of PyTorch -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""from_pytorch.py SOURCE FOLDER

What docs/from-pytorch.md does, from where PyTorch is no longer needed: its
Python must parse and name the weights as the exported example does, and its
last commands must compute the model, with weights under these names, on four
ranks: as `cleave run` and as an executable. The reference is numpy.

UNSUPPORTED: sanitizer
RUN: rm -rf %t && %python %s %source %t
"""

import ast
import math
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np


def model(named):
    """Linear, GELU, Linear: weights are outputs by inputs."""
    w1, b1, w2, b2 = (named[f"states[{i}]"].astype(np.float64) for i in range(4))
    h = named["inputs[0][0]"] @ w1.T + b1
    h = h * (1 + np.vectorize(math.erf)(h / math.sqrt(2))) / 2
    return h @ w2.T + b2


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True)
    text = (source / "docs/from-pytorch.md").read_text()
    (python,) = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
    ast.parse(python)
    example = (source / "docs/examples/from-pytorch.mlir").read_text()
    arguments = re.findall(r'%arg\d+: tensor<([\dx]+)xf32> loc\("(.*?)"\)', example)
    for name in ("states[{i}]", "inputs[0][0]"):
        if name not in python or name.format(i=3) not in {name for _, name in arguments}:
            sys.exit(f"FAIL: {name} is not what the example has: {arguments}")

    random = np.random.default_rng(1)
    named = {
        name: random.standard_normal(
            [int(n) for n in shape.split("x")], dtype=np.float32
        )
        / 8
        for shape, name in arguments
    }
    np.savez(folder / "inputs.npz", **named)
    shutil.copy(source / "docs/examples/from-pytorch.mlir", folder / "mlp.mlir")
    shards = re.search(r"^\$ cleave verify from-pytorch.mlir .*?(--mesh.*)$", text, re.M)
    last = re.findall(r"^(?:cleave|\./mlp) .*--\S+.*$", text, re.M)
    if len(last) != 3:
        sys.exit(f"FAIL: expected three last commands, found {last}")
    for command in last:
        command = re.sub(r"--mesh.*?\.\.\.", lambda _: shards[1], command)
        print("+", command, flush=True)
        shutil.rmtree(folder / "out", ignore_errors=True)
        subprocess.run(command, shell=True, cwd=folder, check=True)
        if "--output-dir out" in command:
            (path,) = (folder / "out").iterdir()
            error = np.abs(np.load(path) - model(named)).max()
            print("largest difference from numpy:", error)
            if not error < 1e-5:
                sys.exit("FAIL")


main()
