#!/usr/bin/python3
# ===- nested.py - Programs that are nested deeply -----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""nested.py FOLDER DEPTH: a file KIND.mlir for each way to nest, with that many levels."""

import pathlib
import sys

folder, depth = pathlib.Path(sys.argv[1]), int(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)


def attribute(kind, text, before=""):
    function = (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32>\n"
        f"attributes {{a = {text}}} {{\n  return %x : tensor<4xf32>\n}}\n"
    )
    (folder / f"{kind}.mlir").write_text(before + function)


def nest(opener, inner, closer, levels):
    return opener * levels + inner + closer * levels


# One level is that of the attributes.
attribute("array", nest("[", "1", "]", depth - 1))
attribute("dictionary", nest("{b = ", "1", "}", depth - 1))
attribute("tuple", nest("tuple<", "i32", ">", depth - 1))
attribute("function-type", nest("(", "i32", ") -> i32", depth - 1))
attribute("dialect", nest("#foo.bar<", "", ">", depth - 1))
elements = nest("[", "1", "]", depth - 2)
attribute("dense", f"dense<{elements}> : tensor<{'1x' * (depth - 2)}i32>")
attribute("parentheses", f"affine_map<(d0) -> ({nest('(', 'd0', ')', depth - 3)})>")
attribute("sum", f"affine_map<(d0) -> ({'d0 + ' * (depth - 3)}d0)>")
attribute("minus", f"affine_map<(d0) -> ({'-' * (depth - 3)}d0)>")
aliases = "".join(f"#a{i + 1} = [#a{i}]\n" for i in range(depth - 1))
attribute("aliases", f"#a{depth - 1}", "#a0 = 1\n" + aliases)
types = "".join(f"!a{i + 1} = tuple<!a{i}>\n" for i in range(depth - 1))
attribute("type-aliases", f"!a{depth - 1}", "!a0 = i32\n" + types)

(folder / "modules.mlir").write_text(
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
    + nest("module {\n", "", "}\n", depth)
)
# The function, and two brackets for each.
branches = (depth - 1) // 2
lines = ["func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {"]
lines += [f'%r{i} = "stablehlo.if"(%p) ({{' for i in range(branches)]
value = "%x"
for i in reversed(range(branches)):
    lines += [f"stablehlo.return {value} : tensor<4xf32>", "}, {"]
    lines += ["stablehlo.return %x : tensor<4xf32>", "}) : (tensor<i1>) -> tensor<4xf32>"]
    value = f"%r{i}"
lines += [f"return {value} : tensor<4xf32>", "}", ""]
(folder / "branches.mlir").write_text("\n".join(lines))
