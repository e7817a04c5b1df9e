#!/usr/bin/python3
# ===- training.py - A training step with many gradients --- --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""training.py LAYERS: prints a training step of so many linear layers, with data parallelism.

The gradient of each weight is summed over the ranks while those of the layers below are computed.

RUN: %python %s 3 > %t.mlir
RUN: %cleave verify %t.mlir --random-inputs 1 --check-streams | FileCheck %s
RUN: %cleave verify %t.mlir --random-inputs 1 --no-overlap | FileCheck %s
RUN: %cleave compile %t.mlir -o - --emit ir | FileCheck %s --check-prefix=IR
CHECK: verified 3 of 3 outputs on 2 ranks
IR: all_reduce(sum) {{.*}} on communication
IR: exec.record
IR: exec.gemm
IR: exec.wait {{[0-9]+}} on compute
"""

import sys

ROWS, SIZE = 32, 160


def main(layers):
    act, weight = f"tensor<{ROWS}x{SIZE}xf32>", f"tensor<{SIZE}x{SIZE}xf32>"
    rows = '{spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>, cleave.name = "%s"}'
    arguments = [f"%x: {act} {rows % 'x'}", f"%dy: {act} {rows % 'dy'}"]
    arguments += [f'%w{i}: {weight} {{cleave.name = "w{i}"}}' for i in range(layers)]
    results = ", ".join(f'{weight} {{cleave.name = "new{i}"}}' for i in range(layers))
    print('spmd.mesh @m <"data"=2>')
    print(f"func.func @train({', '.join(arguments)}) -> ({results}) {{")
    print(f"  %rate = cleave.constant dense<0.01> : {weight}")
    for i in range(layers):
        operand = f"%h{i - 1}" if i else "%x"
        print(f"  %l{i} = cleave.linear {operand}, %w{i} : ({act}, {weight}) -> {act}")
        print(f"  %h{i} = cleave.tanh %l{i} : {act}")
    error = "%dy"
    for i in reversed(range(layers)):
        operand = f"%h{i - 1}" if i else "%x"
        print(f"  %e{i} = cleave.multiply {error}, %h{i} : {act}")
        print(
            f"  %g{i} = cleave.dot_general {operand}, %e{i}, batching_dims = [] x [], "
            f"contracting_dims = [0] x [0] : ({act}, {act}) -> {weight}"
        )
        print(f"  %s{i} = cleave.multiply %g{i}, %rate : {weight}")
        print(f"  %n{i} = cleave.subtract %w{i}, %s{i} : {weight}")
        if i:
            print(
                f"  %d{i} = cleave.dot_general %e{i}, %w{i}, batching_dims = [] x [], "
                f"contracting_dims = [1] x [1] : ({act}, {weight}) -> {act}"
            )
        error = f"%d{i}"
    names = ", ".join(f"%n{i}" for i in range(layers))
    print(f"  return {names} : {', '.join([weight] * layers)}")
    print("}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
