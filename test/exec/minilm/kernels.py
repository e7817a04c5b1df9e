# ===- kernels.py - Machine code of the encoder's kernels ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks the object file of a model: each kernel that works on floats is made of
vector instructions, identical kernels are there once, and no scalar function of
the C library's mathematics is called.

RUN: %python %S/minilm.py -o %t
RUN: %cleave compile %t/model.mlir --target host:sapphirerapids --emit obj -o %t/serial.o
RUN: %python %s %t/serial.o zmm
RUN: %cleave compile %t/model.mlir --target host:haswell --emit obj -o %t/narrow.o
RUN: %python %s %t/narrow.o ymm
RUN: %cleave compile %t/model.mlir --target host:sapphirerapids --emit obj -o %t/sharded.o \
RUN:   --mesh data=2,model=2 --shard ids=data,- --shard mask=data,- --shard '*.ffn.up.weight=-,model'
RUN: %python %s %t/sharded.o zmm
"""

import re
import subprocess
import sys

SCALAR = "exp log pow sin cos tan tanh erf cbrt atan2 log1p expm1 fmod".split()


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    path, register = sys.argv[1:]
    undefined = re.findall(r" U (\S+)", output("llvm-nm", path))
    scalar = [f for f in undefined if f.removesuffix("f") in SCALAR or f.startswith("Sleef") and "_u10" in f and re.search(r"Sleef_[a-z0-9]+[fd]?_u10$", f)]
    assert not scalar, f"calls scalar functions: {scalar}"
    assert any(f.startswith("Sleef_") for f in undefined), "softmax and gelu need an exponential"

    code = output("llvm-objdump", "-d", "--no-show-raw-insn", path)
    kernels = dict(re.findall(r"^[0-9a-f]+ <(kernel_\d+)>:\n((?:.+\n)+)", code, re.MULTILINE))
    plain = [name for name, body in kernels.items() if "%" + register not in body and re.search(r"\bv?(add|mul|div|sub|max|fmadd\d+)ss\b", body)]
    assert not plain, f"without vector instructions: {plain}"
    assert any("%" + register in body for body in kernels.values())
    # Six equal layers: more kernels than one layer and the ends need would mean
    # that layers have their own.
    assert 3 <= len(kernels) <= 24, f"{len(kernels)} kernels"
    print(f"{path}: {len(kernels)} kernels")


main()
