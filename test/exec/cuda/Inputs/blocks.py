#!/usr/bin/python3
# ===- blocks.py - Blocks of transformers as programs --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""blocks.py gpt2|llama [--batch B] [--tokens S] [--hidden H] [--heads N]
[--groups G] [--inner F] [--dtype f32|f16|bf16] -o F.mlir

A block of GPT-2 (layer norms, biases, gelu by tanh) or of Llama (root mean square
norms, rotary positions, keys and values for groups of heads, a gated product).
Hidden features, heads and inner features can be cut over an axis "model": inputs
are called `*.in` and `*.out` by the side of the block they are on.
"""

import argparse
import pathlib


class Program:
    def __init__(self, dtype):
        self.dtype, self.arguments, self.lines = dtype, [], []

    def type(self, *shape, element=None):
        return f"tensor<{'x'.join(map(str, shape))}x{element or self.dtype}>"

    def input(self, name, *shape):
        self.arguments.append(f'%{name}: {self.type(*shape)} {{cleave.name = "{name}"}}')
        return f"%{name}"

    def op(self, result, text):
        self.lines.append(f"  %{result} = cleave.{text}")
        return f"%{result}"

    def linear(self, result, x, shape, name, before, after, bias=False, contracting=1):
        weight = self.input(name, *before, *after)
        types = [self.type(*shape), self.type(*before, *after)]
        more = ""
        if bias:
            more = f" bias {self.input(name + '.bias', *after)}"
            types.append(self.type(*after))
        if contracting != 1:
            more += f" contracting = {contracting}"
        out = (*shape[: len(shape) - contracting], *after)
        self.op(result, f"linear {x}, {weight}{more} : ({', '.join(types)}) -> {self.type(*out)}")
        return f"%{result}", out

    def text(self, result, type):
        arguments = ",\n                ".join(self.arguments)
        body = "\n".join(self.lines)
        return f"func.func @main({arguments}) -> {type} {{\n{body}\n  return {result} : {type}\n}}\n"


def gpt2(c):
    p = Program(c.dtype)
    d = c.hidden // c.heads
    rows = (c.batch, c.tokens, c.hidden)
    row = p.type(*rows)

    def norm(result, x, name):
        scale, bias = p.input(name + ".scale", c.hidden), p.input(name + ".shift", c.hidden)
        vector = p.type(c.hidden)
        return p.op(result, f"layer_norm {x}, {scale}, {bias}, epsilon = 1.0e-5 : ({row}, {vector}, {vector}) -> {row}")

    x = p.input("x", *rows)
    first = norm("first", x, "norm1")
    heads = p.type(c.batch, c.tokens, c.heads, d)
    q, k, v = (
        p.linear(part, first, rows, f"{part}.in", (c.hidden,), (c.heads, d), bias=True)[0]
        for part in ("query", "key", "value")
    )
    context = p.op("context", f"attention {q}, {k}, {v} causal : ({heads}, {heads}, {heads}) -> {heads}")
    mixed, _ = p.linear(
        "mixed", context, (c.batch, c.tokens, c.heads, d), "attention.out", (c.heads, d), (c.hidden,), True, 2
    )
    middle = p.op("middle", f"add {mixed}, {x} : {row}")
    second = norm("second", middle, "norm2")
    up, inner = p.linear("up", second, rows, "up.in", (c.hidden,), (c.inner,), bias=True)
    active = p.op("active", f"gelu {up} form = tanh : {p.type(*inner)}")
    down, _ = p.linear("down", active, inner, "down.out", (c.inner,), (c.hidden,), bias=True)
    return p.text(p.op("y", f"add {down}, {middle} : {row}"), row)


def llama(c):
    p = Program(c.dtype)
    d = c.hidden // c.heads
    rows = (c.batch, c.tokens, c.hidden)
    row = p.type(*rows)

    def norm(result, x, name):
        scale = p.input(name + ".scale", c.hidden)
        return p.op(result, f"rms_norm {x}, {scale}, epsilon = 1.0e-5 : ({row}, {p.type(c.hidden)}) -> {row}")

    x = p.input("x", *rows)
    first = norm("first", x, "norm1")
    positions = p.type(c.tokens, element="i32")
    p.op("positions", f"iota dim = 0 : {positions}")
    parts = {}
    for part, count in (("query", c.heads), ("key", c.groups), ("value", c.groups)):
        parts[part], shape = p.linear(part, first, rows, f"{part}.in", (c.hidden,), (count, d))
        if part != "value":
            type = p.type(*shape)
            parts[part] = p.op(
                part + ".turned", f"rotary_embedding {parts[part]}, %positions : ({type}, {positions}) -> {type}"
            )
    heads, groups = (p.type(c.batch, c.tokens, n, d) for n in (c.heads, c.groups))
    context = p.op(
        "context",
        f"attention {parts['query']}, {parts['key']}, {parts['value']} causal : ({heads}, {groups}, {groups}) -> {heads}",
    )
    mixed, _ = p.linear(
        "mixed", context, (c.batch, c.tokens, c.heads, d), "attention.out", (c.heads, d), (c.hidden,), contracting=2
    )
    middle = p.op("middle", f"add {mixed}, {x} : {row}")
    second = norm("second", middle, "norm2")
    gate, inner = p.linear("gate", second, rows, "gate.in", (c.hidden,), (c.inner,))
    up, _ = p.linear("up", second, rows, "up.in", (c.hidden,), (c.inner,))
    wide = p.type(*inner)
    active = p.op("active", f"silu {gate} : {wide}")
    product = p.op("product", f"multiply {active}, {up} : {wide}")
    down, _ = p.linear("down", product, inner, "down.out", (c.inner,), (c.hidden,))
    return p.text(p.op("y", f"add {down}, {middle} : {row}"), row)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("block", choices=("gpt2", "llama"))
    for name, value in (("batch", 2), ("tokens", 8), ("hidden", 32), ("heads", 4), ("groups", 2), ("inner", 64)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--dtype", default="f32", choices=("f32", "f16", "bf16"))
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.write_text({"gpt2": gpt2, "llama": llama}[options.block](options))


main()
