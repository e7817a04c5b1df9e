#!/usr/bin/python3
# ===- wide.py - Results with --math wide are correctly rounded --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""wide.py CLEAVE DIR

Runs one op at a time with --math wide, cut over 1 and 3 ranks, and wants the
bits of numpy's result in longer arithmetic, rounded once. The same without it
must differ somewhere, or the test would show nothing.

RUN: %python %s %cleave %t
"""

import os
import subprocess
import sys

import numpy as np

N, K = 48, 3000
TYPES = {"f16": np.float16, "f32": np.float32}
rng = np.random.default_rng(1)


def run(cleave, folder, body, inputs, result, element, math, ranks):
    """The result of a function of these inputs, which are cut by rows."""
    arguments, options = [], []
    for name, array in inputs.items():
        shape = "x".join(map(str, array.shape))
        arguments.append(
            f'%{name}: tensor<{shape}x{element}> {{cleave.name = "{name}"}}'
        )
        path = os.path.join(folder, name + ".npy")
        np.save(path, array)
        options += ["--input", f"{name}={path}"]
    if ranks > 1:
        options += ["--mesh", f"r={ranks}", "--shard", "x=" + CUTS[len(inputs["x"].shape)]]
    model = os.path.join(folder, "model.mlir")
    with open(model, "w") as file:
        file.write(
            f"func.func @f({', '.join(arguments)}) -> ({result} {{cleave.name = \"y\"}}) {{\n"
            f"{body}\n  return %y : {result}\n}}\n"
        )
    subprocess.run(
        [cleave, "run", model, "--math", math, "--output-dir", folder, *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return np.load(os.path.join(folder, "y.npy"))


CUTS = {1: "r", 2: "-,r"}


def exact_sums(array):
    """Sums of rows in double the digits of f64 (numpy's longdouble)."""
    return array.astype(np.longdouble).sum(axis=1)


def cases(element, dtype):
    vector = rng.normal(size=N).astype(dtype)
    matrix = rng.normal(size=(N, K)).astype(dtype)
    other = rng.normal(size=(K, 5)).astype(dtype)
    v, m = f"tensor<{N}x{element}>", f"tensor<{N}x{K}x{element}>"
    wide = vector.astype(np.longdouble)
    for op, function in (
        ("exponential", np.exp),
        ("tanh", np.tanh),
        ("sine", np.sin),
        ("logistic", lambda x: 1 / (1 + np.exp(-x))),
        ("asinh", np.arcsinh),
    ):
        yield op, f"  %y = cleave.{op} %x : {v}", {"x": vector}, v, function(wide)
    yield (
        "sum",
        f"  %z = cleave.constant dense<0.0> : tensor<{element}>\n"
        f"  %y = cleave.reduce(%x init: %z) applies cleave.add across dimensions = [1]"
        f" : ({m}, tensor<{element}>) -> {v}",
        {"x": matrix},
        v,
        exact_sums(matrix),
    )
    yield (
        "product",
        f"  %y = cleave.dot_general %x, %w, contracting_dims = [1] x [0]"
        f" : ({m}, tensor<{K}x5x{element}>) -> tensor<{N}x5x{element}>",
        {"x": matrix, "w": other},
        f"tensor<{N}x5x{element}>",
        np.stack(
            [
                exact_sums(matrix.astype(np.longdouble) * other[:, j])
                for j in range(5)
            ],
            axis=1,
        ),
    )


def main():
    cleave, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    failures, differing = 0, 0
    for element, dtype in TYPES.items():
        for name, body, inputs, result, exact in cases(element, dtype):
            expected = exact.astype(dtype)
            for ranks in (1, 3):
                actual = run(
                    cleave, folder, body, inputs, result, element, "wide", ranks
                )
                wrong = np.count_nonzero(actual != expected)
                print(f"{name} {element} on {ranks} ranks: {wrong} differ")
                failures += wrong
            plain = run(cleave, folder, body, inputs, result, element, "standard", 1)
            differing += np.count_nonzero(plain != expected)
    print(f"with --math standard: {differing} differ")
    sys.exit(failures > 0 or differing == 0)


main()
