#!/usr/bin/python3
# ===- megatron.py - A large sharded transformer -------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Prints a decoder-only transformer in the split of Megatron-LM (Shoeybi et al.,
2019) as Cleave IR: the batch over the mesh axis `data`, heads and the inner
dimension of the feed-forward layers over `model`. The default is of GPT-3's
size and is there to time the compiler, not to be run.

RUN: %python %s --layers 2 --hidden 48 --sequence 16 --mesh data=2,model=2 > %t.mlir
RUN: cleave-opt %t.mlir -o /dev/null
RUN: FileCheck %s < %t.mlir
CHECK: spmd.mesh @mesh <"data"=2, "model"=2>
CHECK: %x: tensor<8x16x48xf32> {cleave.name = "x", spmd.sharding = #spmd.sharding<@mesh, [{"data"}, {}, {}]>}
CHECK: %layer1.ffn.down.weight: tensor<192x48xf32> {{.*}}[{"model"}, {}]>}
"""

import argparse
import sys


def tensor(*shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


class Model:
    def __init__(self, options):
        self.o = options
        self.axes = dict(axis.split("=") for axis in options.mesh.split(","))
        self.element = options.element
        self.arguments = []
        self.body = []

    def type(self, *shape):
        return tensor(*shape, element=self.element)

    def argument(self, name, shape, cuts):
        """An argument whose dimension i is cut over the axis cuts[i], if the
        mesh has it; returns its type."""
        dims = ", ".join(
            f'{{"{axis}"}}' if axis in self.axes else "{}" for axis in cuts
        )
        self.arguments.append(
            f'    %{name}: {self.type(*shape)} {{cleave.name = "{name}", '
            f"spmd.sharding = #spmd.sharding<@mesh, [{dims}]>}}"
        )
        return self.type(*shape)

    def linear(self, result, operand, name, types, weight, bias, extra=""):
        """types: of the operand and of the result; weight, bias: shape, cuts."""
        w = self.argument(name + ".weight", *weight)
        b = self.argument(name + ".bias", *bias)
        self.body.append(
            f"%{result} = cleave.linear %{operand}, %{name}.weight bias %{name}.bias"
            f"{extra} : ({types[0]}, {w}, {b}) -> {types[1]}"
        )

    def norm(self, result, operand, name, rows):
        vector = self.argument(name + ".weight", (self.o.hidden,), [None])
        self.argument(name + ".bias", (self.o.hidden,), [None])
        self.body.append(
            f"%{result} = cleave.layer_norm %{operand}, %{name}.weight, %{name}.bias, "
            f"epsilon = 1.0e-05 : ({rows}, {vector}, {vector}) -> {rows}"
        )

    def layer(self, index, x):
        o = self.o
        h, n, d, f = o.hidden, o.heads, o.hidden // o.heads, 4 * o.hidden
        rows = self.type(o.batch, o.sequence, h)
        heads = self.type(o.batch, o.sequence, n, d)
        inner = self.type(o.batch, o.sequence, f)
        layer = f"layer{index}"
        self.body += ["", f"// Layer {index}."]
        self.norm(f"{layer}.normed", x, f"{layer}.attention.norm", rows)
        for part in ("query", "key", "value"):
            self.linear(
                f"{layer}.{part}",
                f"{layer}.normed",
                f"{layer}.attention.{part}",
                (rows, heads),
                ((h, n, d), [None, "model", None]),
                ((n, d), ["model", None]),
            )
        self.body.append(
            f"%{layer}.context = cleave.attention %{layer}.query, %{layer}.key, "
            f"%{layer}.value causal : ({heads}, {heads}, {heads}) -> {heads}"
        )
        self.linear(
            f"{layer}.attended",
            f"{layer}.context",
            f"{layer}.attention.output",
            (heads, rows),
            ((n, d, h), ["model", None, None]),
            ((h,), [None]),
            " contracting = 2",
        )
        self.body.append(f"%{layer}.middle = cleave.add %{x}, %{layer}.attended : {rows}")
        self.norm(f"{layer}.middle.normed", f"{layer}.middle", f"{layer}.ffn.norm", rows)
        self.linear(
            f"{layer}.up",
            f"{layer}.middle.normed",
            f"{layer}.ffn.up",
            (rows, inner),
            ((h, f), [None, "model"]),
            ((f,), ["model"]),
        )
        self.body.append(f"%{layer}.gelu = cleave.gelu %{layer}.up form = tanh : {inner}")
        self.linear(
            f"{layer}.down",
            f"{layer}.gelu",
            f"{layer}.ffn.down",
            (inner, rows),
            ((f, h), ["model", None]),
            ((h,), [None]),
        )
        self.body.append(f"%{layer}.output = cleave.add %{layer}.middle, %{layer}.down : {rows}")
        return f"{layer}.output"

    def text(self):
        o = self.o
        rows = self.argument(
            "x", (o.batch, o.sequence, o.hidden), ["data", None, None]
        )
        x = "x"
        for index in range(o.layers):
            x = self.layer(index, x)
        mesh = ", ".join(f'"{name}"={size}' for name, size in self.axes.items())
        arguments = ",\n".join(self.arguments)
        body = "".join(f"  {line}\n" if line else "\n" for line in self.body)
        return (
            f"spmd.mesh @mesh <{mesh}>\n"
            f"func.func @main(\n{arguments})\n    -> {rows} {{"
            f"{body}  return %{x} : {rows}\n}}\n"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--layers", type=int, default=96)
    parser.add_argument("--hidden", type=int, default=12288)
    parser.add_argument("--heads", type=int, help="96, or hidden / 4 if that is less")
    parser.add_argument("--sequence", type=int, default=2048)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--element", default="f32", choices=["f32", "bf16", "f16", "f64"])
    parser.add_argument("--mesh", default="data=8,model=8")
    options = parser.parse_args()
    if options.heads is None:
        options.heads = min(96, options.hidden // 4)
    if options.hidden % options.heads:
        parser.error("--hidden must be a multiple of --heads")
    sys.stdout.write(Model(options).text())


if __name__ == "__main__":
    main()
