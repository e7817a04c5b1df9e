#!/usr/bin/python3
# ===- run.py - Complex functions against longer arithmetic --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs every complex function of StableHLO and chlo on random and on difficult
numbers, and compares each part with numpy's 80-bit arithmetic, in units in the
last place of the part.

RUN: rm -rf %t && mkdir -p %t && %python %s %cleave %t
"""

import argparse
import pathlib
import subprocess
import sys
from fractions import Fraction

import numpy as np

# What a part may be off by, in units of its last place: in f32, where functions
# are computed in f64 and rounded, and in f64.
BOUNDS = {np.float32: 1, np.float64: 3}

# Real parts that are 0 on curves, next to which f64 has the digits of the terms
# (docs/rationale/complex-functions.md): in units of the whole number.
CURVES = {"exponential_minus_one", "logistic"}


def unary(op):
    dialect = "chlo" if op in CHLO else "stablehlo"
    arrow = " -> TENSOR" if op in CHLO else ""
    return f"{dialect}.{op} %z : TENSOR{arrow}"


CHLO = {"acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh"}


def logistic(z):
    return np.where(z.real < 0, np.exp(z) / (1 + np.exp(z)), 1 / (1 + np.exp(-z)))


def log1p(z):
    """numpy's own adds 1 first; |1 + z|^2 - 1 is exact here."""

    def excess(x, y):
        x, y = Fraction(float(x)), Fraction(float(y))
        exact = 2 * x + x * x + y * y
        rest = float(exact - Fraction(float(exact)))
        return np.longdouble(float(exact)) + np.longdouble(rest)

    real = np.log1p(np.array([excess(v.real, v.imag) for v in z])) / 2
    return real + 1j * np.arctan2(z.imag, 1 + z.real)


def exp2(z):
    """The angle y log 2 has more digits than 80 bits hold."""
    digits = "0.693147180559945309417232121458176568075500134360255254120680"
    exact = [Fraction(float(y)) * Fraction(digits) for y in z.imag]
    high = [float(angle) for angle in exact]
    rest = [float(angle - Fraction(part)) for angle, part in zip(exact, high)]
    high, rest = np.array(high, np.longdouble), np.array(rest, np.longdouble)
    sine, cosine = np.sin(high), np.cos(high)
    return np.exp2(z.real) * (cosine - rest * sine + 1j * (sine + rest * cosine))


def cbrt(z):
    angle = np.arctan2(z.imag, z.real) / 3
    return np.cbrt(np.abs(z)) * (np.cos(angle) + 1j * np.sin(angle))


UNARY = {
    **{name: getattr(np, "arc" + name[1:]) for name in CHLO if name[0] == "a"},
    **{"cosh": np.cosh, "sinh": np.sinh, "cbrt": cbrt, "cosine": np.cos},
    **{"exp2": exp2, "log2": np.log2},
    **{"exponential": np.exp, "exponential_minus_one": np.expm1, "log": np.log},
    **{"log_plus_one": log1p, "logistic": logistic, "sine": np.sin},
    **{"rsqrt": lambda z: 1 / np.sqrt(z), "sign": lambda z: z / np.abs(z)},
    **{"sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh},
}
BINARY = {"divide": np.divide}


def points(rng, dtype):
    """Complex numbers in a shape that all functions can take."""

    def normal(count, scale=1.0):
        return (rng.standard_normal(count) + 1j * rng.standard_normal(count)) * scale

    turn = np.exp(1j * rng.uniform(-np.pi, np.pi, 200))
    near = 1 + rng.standard_normal(200) * 10.0 ** rng.integers(-6, -1, 200)
    axis = rng.standard_normal(50)
    parts = [normal(400), normal(200, 1e-3), normal(200, 10.0), turn * near]
    parts += [turn * near - 1, axis + 0j, 1j * axis, normal(100, 1e-12)]
    z = np.concatenate(parts)
    kind = np.complex64 if dtype is np.float32 else np.complex128
    return z.astype(kind), rng.permutation(z).astype(kind)


def program(element, count):
    tensor = f"tensor<{count}xcomplex<{element}>>"
    names = [*UNARY, *BINARY]
    lines = [f"%{i} = {unary(name)}" for i, name in enumerate(UNARY)]
    lines += [
        f"%{len(UNARY) + i} = stablehlo.{name} %z, %w : TENSOR" for i, name in enumerate(BINARY)
    ]
    values = ", ".join(f"%{i}" for i in range(len(names)))
    types = ", ".join(["TENSOR"] * len(names))
    results = ", ".join(f'TENSOR {{cleave.name = "{name}"}}' for name in names)
    text = (
        'func.func @main(%z: TENSOR {cleave.name = "z"}, %w: TENSOR {cleave.name = "w"})'
        f" -> ({results}) {{\n" + "\n".join(lines) + f"\nreturn {values} : {types}\n}}\n"
    )
    return text.replace("TENSOR", tensor)


def ulps(actual, expected, size, dtype):
    """Distance in units of the last place of `size`."""
    exact = expected.astype(dtype)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(size).astype(dtype))
        distance = np.abs(actual.astype(np.longdouble) - expected) / unit
    return np.where((actual == exact) | (np.isnan(actual) & np.isnan(exact)), 0, distance)


def conditioned(expected, dtype):
    """Parts that are not so small beside the number that arithmetic of the
    type could not give their digits."""
    size = np.abs(expected)
    limit = np.finfo(dtype).eps * 64
    return np.abs(expected.real) > size * limit, np.abs(expected.imag) > size * limit


def check(cleave, folder, dtype, element):
    rng = np.random.default_rng(7)
    z, w = points(rng, dtype)
    (folder / "model.mlir").write_text(program(element, len(z)))
    command = [cleave, "run", folder / "model.mlir", "--output-dir", folder]
    for name, value in (("z", z), ("w", w)):
        for part in ("real", "imag"):
            path = folder / f"{name}.{part}.npy"
            np.save(path, getattr(value, part))
            command += ["--input", f"{name}.{part}={path}"]
    subprocess.run(command, check=True)
    wide_z, wide_w = z.astype(np.clongdouble), w.astype(np.clongdouble)
    failures = 0
    for name, function in {**UNARY, **BINARY}.items():
        with np.errstate(all="ignore"):
            expected = function(wide_z) if name in UNARY else function(wide_z, wide_w)
        for part, good in zip(("real", "imag"), conditioned(expected, dtype)):
            actual = np.load(folder / f"{name}.{part}.npy")
            exact = getattr(expected, part)
            cancels = name in CURVES and part == "real" and dtype is np.float64
            size = expected if cancels else exact
            distance = np.where(good, ulps(actual, exact, size, dtype), 0)
            worst = int(np.argmax(np.where(np.isnan(distance), np.inf, distance)))
            ok = bool(distance[worst] <= BOUNDS[dtype])
            failures += not ok
            print(
                f"{'PASS' if ok else 'FAIL'} {name}.{part} {element}: {float(distance[worst]):.2f}"
                f" ulp at {z[worst]}"
            )
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cleave")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    failures = 0
    for dtype, element in ((np.float32, "f32"), (np.float64, "f64")):
        failures += check(options.cleave, options.folder, dtype, element)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
