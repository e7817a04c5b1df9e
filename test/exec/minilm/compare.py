#!/usr/bin/python3
# ===- compare.py - Compares embeddings with a reference -----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Compares two .npy files; status 1 when they differ by more than the bound.

RUN: %python %s --self-test
"""

import argparse
import sys
import tempfile

import numpy as np


def compare(result, reference, bound):
    """Prints the largest absolute error; True if it is within the bound."""
    result = np.load(result)
    reference = np.load(reference)
    if result.shape != reference.shape:
        print(f"FAIL: shape {result.shape}, expected {reference.shape}")
        return False
    # A NaN makes the error NaN, which no comparison accepts.
    error = np.abs(result.astype(np.float64) - reference).max()
    good = bool(error <= bound)
    print(
        f"{'PASS' if good else 'FAIL'}: max absolute error {error:.3e}, bound {bound:g}"
    )
    return good


def self_test():
    with tempfile.TemporaryDirectory() as folder:

        def check(result, expected):
            np.save(f"{folder}/a.npy", result)
            np.save(f"{folder}/b.npy", np.zeros((2, 2)))
            assert compare(f"{folder}/a.npy", f"{folder}/b.npy", 1e-5) == expected

        check(np.full((2, 2), 1e-6, np.float32), True)
        check(np.full((2, 2), 1e-4, np.float32), False)
        check(np.full((2, 2), np.nan, np.float32), False)
        check(np.zeros((2, 1), np.float32), False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("result", nargs="?")
    parser.add_argument("reference", nargs="?")
    parser.add_argument("--bound", type=float, default=1e-5)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return 0
    if not options.reference:
        parser.error("two files are needed")
    return 0 if compare(options.result, options.reference, options.bound) else 1


if __name__ == "__main__":
    sys.exit(main())
