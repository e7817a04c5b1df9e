#!/usr/bin/python3
# ===- small_floats.py - Files of floats of 8 bits -----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""small_floats.py write FOLDER: inputs for docs/examples/small-floats.mlir.
small_floats.py check FOLDER RESULTS: whether these are its results."""

import json
import pathlib
import struct
import sys

import numpy as np

# f8E4M3FN: the numbers of bits 0 to 0x7e; the rest is the sign, and NaN.
NUMBERS = np.array(
    [(bits / 8 if bits < 8 else (1 + bits % 8 / 8) * 2.0 ** (bits // 8 - 1)) * 2.0**-6 for bits in range(127)]
)


def encode(values):
    """The bits of the nearest numbers, ties to even."""
    distance = abs(abs(values)[..., None] - NUMBERS)
    nearest = distance == distance.min(-1, keepdims=True)
    bits = nearest.argmax(-1)
    is_tie = nearest.sum(-1) > 1
    bits += is_tie & (bits % 2 == 1)
    return (bits + 128 * np.signbit(values)).astype(np.uint8)


def decode(bits):
    return np.where(bits & 128, -1, 1) * NUMBERS[bits & 127]


action, folder = sys.argv[1], pathlib.Path(sys.argv[2])
random = np.random.RandomState(1)
x = (random.randint(-40, 41, (8, 64)) / 64).astype(np.float32)
w = encode(random.randint(-16, 17, (64, 32)) / 8)
if action == "write":
    folder.mkdir(parents=True, exist_ok=True)
    header = json.dumps({"w": {"dtype": "F8_E4M3", "shape": [64, 32], "data_offsets": [0, w.size]}}).encode()
    (folder / "w.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + w.tobytes())
    wrong = header.replace(b"F8_E4M3", b"F8_E5M2")
    (folder / "wrong.safetensors").write_bytes(struct.pack("<Q", len(wrong)) + wrong + w.tobytes())
    np.save(folder / "x.npy", x)
    np.save(folder / "w.npy", w)
    # What ml_dtypes saves.
    np.save(folder / "void.npy", w.view("V1"))
else:
    results = pathlib.Path(sys.argv[3])
    rounded = encode(x.astype(np.float64) * 64)
    np.testing.assert_array_equal(np.load(results / "out1.npy"), rounded)
    # These products and their sums are exact.
    np.testing.assert_array_equal(np.load(results / "out0.npy"), decode(rounded) @ decode(w))
