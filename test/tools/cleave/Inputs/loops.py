#!/usr/bin/python3
# ===- loops.py - Loops in one another -----------------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""loops.py DEPTH: prints so many loops in one another, each with a product that
is a collective if its operands are cut along columns and rows."""

import sys

depth = int(sys.argv[1])
scalar, matrix = "tensor<i32>", "tensor<4x4xf32>"
lines = [
    f"func.func @main(%x: {matrix}, %n: {scalar}, %w: {matrix}) -> {matrix} {{",
    f"%one = stablehlo.constant dense<1> : {scalar}",
    f"%zero = stablehlo.constant dense<0> : {scalar}",
]
value = "%x"
for i in range(depth):
    lines += [
        f'%r{i}:2 = "stablehlo.while"(%zero, {value}) ({{',
        f"^bb0(%i{i}: {scalar}, %x{i}: {matrix}):",
        f"%p{i} = stablehlo.compare LT, %i{i}, %n : ({scalar}, {scalar}) -> tensor<i1>",
        f"stablehlo.return %p{i} : tensor<i1>",
        "}, {",
        f"^bb0(%j{i}: {scalar}, %y{i}: {matrix}):",
        f"%a{i} = stablehlo.dot_general %y{i}, %w, contracting_dims = [1] x [0] : ({matrix}, {matrix}) -> {matrix}",
        f"%k{i} = stablehlo.add %j{i}, %one : {scalar}",
    ]
    value = f"%a{i}"
for i in reversed(range(depth)):
    lines += [
        f"stablehlo.return %k{i}, {value} : {scalar}, {matrix}",
        f"}}) : ({scalar}, {matrix}) -> ({scalar}, {matrix})",
    ]
    value = f"%r{i}#1"
print("\n".join(lines + [f"return {value} : {matrix}", "}"]))
