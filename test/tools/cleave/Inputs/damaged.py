#!/usr/bin/python3
# ===- damaged.py - Writes tensor files that are wrong -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""damaged.py FOLDER: files for linear.mlir, one of them right (good)."""

import json
import os
import struct
import sys

import numpy as np


def safetensors(name, header, data, size=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    with open(f"{name}.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text) if size is None else size))
        file.write(text + data)


def entry(shape, begin, end, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


os.makedirs(sys.argv[1], exist_ok=True)
os.chdir(sys.argv[1])
x, w, data = entry([6, 8], 0, 192), entry([8, 4], 192, 320), bytes(320)
safetensors("good", {"x": x, "w": w}, data)
safetensors("missing", {"x": x}, bytes(192))
safetensors("extra", {"x": x, "w": w, "z": entry([2], 320, 328)}, bytes(328))
safetensors("shape", {"x": x, "w": entry([4, 8], 192, 320)}, data)
safetensors("type", {"x": x, "w": entry([8, 4], 192, 320, "I32")}, data)
safetensors("truncated", {"x": x, "w": w}, bytes(300))
safetensors("overlapping", {"x": x, "w": entry([8, 4], 128, 256)}, bytes(256))
safetensors("lying", {"x": x, "w": entry([8, 4], 192, 1 << 40)}, data)
safetensors("short-range", {"x": x, "w": entry([8, 4], 192, 200)}, bytes(200))
safetensors("huge-header", {"x": x, "w": w}, data, 1 << 62)
safetensors("no-json", b"{" * 64, data)
np.save("fortran.npy", np.asfortranarray(np.zeros((6, 8), np.float32)))
np.save("double.npy", np.zeros((6, 8)))
np.save("good.npy", np.zeros((6, 8), np.float32))
np.savez("misnamed.npz", q=np.zeros((6, 8), np.float32), r=np.zeros(2), w=np.zeros((8, 4), np.float32))
