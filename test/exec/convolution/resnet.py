#!/usr/bin/python3
# ===- resnet.py - A network for images as a Cleave model ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""resnet.py [--small] [--batch B] -o F.mlir

ResNet-50 (He et al., 2015) for inference, channels last: convolutions, each with a
scale and a shift per feature as batch norm leaves them, bottleneck blocks with a
residual, a mean, a dense layer. All inputs can be random numbers in [-1, 1): what
a convolution sums is scaled by the number of its terms. With --small two blocks of
few features on images of 16 x 16.

RUN: %python %s --small -o %t.mlir
RUN: %cleave verify %t.mlir --random-inputs 1
RUN: %cleave verify %t.mlir --random-inputs 1 --mesh data=2,model=2 --shard x=data,-,-,- \
RUN:   --shard "*.a.kernel=-,-,-,model" --shard "*.b.kernel=-,-,model,-"
RUN: %python %s -o %t.full.mlir
RUN: cleave-opt %t.full.mlir -o /dev/null
"""

import argparse
import math
import pathlib

CONVOLUTION = """%{result} = cleave.convolution {x}, {kernel} {{window_strides = array<i64: {stride}, {stride}>,
      padding = array<i64: {before}, {after}, {before}, {after}>, lhs_dilation = array<i64: 1, 1>,
      rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, input_batch_dimension = 0,
      input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2,
      kernel_output_feature_dimension = 3, kernel_spatial_dimensions = array<i64: 0, 1>, output_batch_dimension = 0,
      output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>, feature_group_count = 1,
      batch_group_count = 1}} : ({types}) -> {type}"""

POOL = """%{result} = cleave.reduce_window({x}) init(%lowest) {{window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 1, 1, 1>,
      window_dilations = array<i64: 1, 1, 1, 1>,
      padding = array<i64: 0, 0, 0, 1, 0, 1, 0, 0>}} : ({types}) -> {type} {{
  ^bb0(%acc: tensor<f32>, %elt: tensor<f32>):
    %larger = cleave.maximum %acc, %elt : tensor<f32>
    cleave.return %larger : tensor<f32>
  }}"""


def tensor(*shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


class Network:
    def __init__(self):
        self.arguments, self.lines = [], []

    def input(self, name, *shape):
        self.arguments.append(f'%{name}: {tensor(*shape)} {{cleave.name = "{name}"}}')
        return f"%{name}"

    def op(self, text, **fields):
        self.lines.append("  " + text.format(**fields))

    def constant(self, name, value, *shape):
        self.op("%{name} = cleave.constant dense<{value}> : {type}", name=name, value=value, type=tensor(*shape))
        return f"%{name}"

    def along_features(self, name, vector, shape):
        self.op(
            "%{name} = cleave.broadcast_in_dim {vector}, dims = [3] : ({types}) -> {type}",
            name=name, vector=vector, types=tensor(shape[3]), type=tensor(*shape),
        )
        return f"%{name}"

    def convolve(self, name, x, shape, features, taps, stride=1):
        """The result's name and shape."""
        batch, size, _, before = shape
        kernel = (taps, taps, before, features)
        out = (batch, -(-size // stride), -(-size // stride), features)
        padding = max((out[1] - 1) * stride + taps - size, 0)
        self.op(
            CONVOLUTION, result=f"{name}.sum", x=x, kernel=self.input(f"{name}.kernel", *kernel),
            stride=stride, before=padding // 2, after=padding - padding // 2,
            types=f"{tensor(*shape)}, {tensor(*kernel)}", type=tensor(*out),
        )
        # Weights and scales in [-1, 1) have a variance of 1/3.
        gain = self.constant(f"{name}.gain", f"{math.sqrt(18 / (taps * taps * before)):e}", features)
        scale, shift = self.input(f"{name}.scale", features), self.input(f"{name}.shift", features)
        self.op("%{n}.scaled = cleave.multiply {s}, {g} : {t}", n=name, s=scale, g=gain, t=tensor(features))
        scales = self.along_features(f"{name}.scales", f"%{name}.scaled", out)
        shifts = self.along_features(f"{name}.shifts", shift, out)
        self.op("%{n}.product = cleave.multiply %{n}.sum, {s} : {t}", n=name, s=scales, t=tensor(*out))
        self.op("%{n} = cleave.add %{n}.product, {s} : {t}", n=name, s=shifts, t=tensor(*out))
        return f"%{name}", out

    def relu(self, name, x, shape):
        self.op("%{n} = cleave.relu {x} : {t}", n=name, x=x, t=tensor(*shape))
        return f"%{name}"

    def block(self, name, x, shape, inner, stride, widens):
        a, inside = self.convolve(f"{name}.a", x, shape, inner, 1)
        a = self.relu(f"{name}.a.active", a, inside)
        b, inside = self.convolve(f"{name}.b", a, inside, inner, 3, stride)
        b = self.relu(f"{name}.b.active", b, inside)
        c, out = self.convolve(f"{name}.c", b, inside, 4 * inner, 1)
        if widens:
            x, _ = self.convolve(f"{name}.skip", x, shape, 4 * inner, 1, stride)
        self.op("%{n}.whole = cleave.add {c}, {x} : {t}", n=name, c=c, x=x, t=tensor(*out))
        return self.relu(f"{name}.out", f"%{name}.whole", out), out

    def text(self, result, type):
        arguments = ",\n    ".join(self.arguments)
        body = "\n".join(self.lines)
        return f"func.func @main({arguments}) -> {type} {{\n{body}\n  return {result} : {type}\n}}\n"


def resnet(batch, image, width, stages, classes):
    n = Network()
    shape = (batch, image, image, 3)
    n.constant("zero", "0.0")
    n.constant("lowest", "0xFF800000")
    x, shape = n.convolve("stem", n.input("x", *shape), shape, width, 7, 2)
    x = n.relu("stem.active", x, shape)
    half = (batch, shape[1] // 2, shape[2] // 2, width)
    n.op(POOL, result="pooled", x=x, types=f"{tensor(*shape)}, tensor<f32>", type=tensor(*half))
    x, shape = "%pooled", half
    for stage, count in enumerate(stages):
        for i in range(count):
            stride = 2 if i == 0 and stage > 0 else 1
            x, shape = n.block(f"stage{stage}.block{i}", x, shape, width * 2**stage, stride, i == 0)
    rows, out = (batch, shape[3]), (batch, classes)
    n.op(
        "%total = cleave.reduce({x} init: %zero) applies cleave.add across dimensions = [1, 2] : ({types}) -> {type}",
        x=x, types=f"{tensor(*shape)}, tensor<f32>", type=tensor(*rows),
    )
    count = n.constant("count", f"{shape[1] * shape[2]:e}", *rows)
    n.op("%mean = cleave.divide %total, {c} : {t}", c=count, t=tensor(*rows))
    weight, bias = n.input("head.kernel", shape[3], classes), n.input("head.bias", classes)
    n.op(
        "%classes = cleave.linear %mean, {w} bias {b} : ({types}) -> {type}",
        w=weight, b=bias, types=f"{tensor(*rows)}, {tensor(shape[3], classes)}, {tensor(classes)}", type=tensor(*out),
    )
    return n.text("%classes", tensor(*out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=2)[1])
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    full = {"image": 224, "width": 64, "stages": (3, 4, 6, 3), "classes": 1000}
    small = {"image": 16, "width": 8, "stages": (1, 1), "classes": 10}
    options.output.write_text(resnet(options.batch, **(small if options.small else full)))


if __name__ == "__main__":
    main()
