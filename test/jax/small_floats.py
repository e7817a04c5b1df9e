#!/usr/bin/python3
# ===- small_floats.py - JAX's floats of 8 bits as programs ---*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""small_floats.py CLEAVE FOLDER [--only NAME] [-- OPTIONS OF CHECK]

Writes a self-checking program for each function below and type of 8 bits, as JAX
exports it, and runs `cleave check` on them. Expected are results in float64,
which ml_dtypes rounds once: the same bits, or, of functions that are no sums or
products, at most the neighbour. Needs jax.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from programs import constant, type_of, used_arguments

jax.config.update("jax_enable_x64", True)
KINDS = ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")


def wide(value):
    return np.asarray(value).astype(np.float64)


def numbers(kind):
    """Numbers of a type as f32, ties between them, and the neighbours of both."""
    values = np.arange(256, dtype=np.uint8).view(kind).astype(np.float32)
    values = np.unique(abs(values[np.isfinite(values)]))
    values = np.concatenate([values, (values[:-1] + values[1:]) / 2, values[-1:] * np.float32(1.0625)])
    values = np.concatenate([values, values[-3:] * 4, np.float32([1e-30, 1e30, np.inf])])
    values = np.concatenate([values, np.nextafter(values, np.float32(0)), np.nextafter(values, np.float32(np.inf))])
    if kind == ml_dtypes.float8_e8m0fnu:
        # ml_dtypes rounds f32's subnormal numbers to a neighbour that is not the nearest one.
        values = values[(values == 0) | (values >= 2.0**-126)]
    return np.concatenate([values, -values, np.float32([np.nan])])


def to_odd(doubles):
    """f32 whose last bit says whether anything was lost, so that rounding it once more is right; ml_dtypes goes through f32, too."""
    singles = doubles.astype(np.float32)
    bits = singles.view(np.uint32).copy()
    bits -= (abs(singles) > abs(doubles)).astype(np.uint32)
    bits |= (singles != doubles) & np.isfinite(doubles)
    return bits.view(np.float32)


def conversions(kind):
    every = np.arange(256, dtype=np.uint8).view(kind)
    for to in (np.float32, np.float64, ml_dtypes.bfloat16, np.float16):
        yield f"to_{np.dtype(to)}", lambda x, to=to: x.astype(to), (every,), every.astype(to), 0
    finite = every[np.isfinite(wide(every))]
    for to in (np.int8, np.uint8, np.int32, np.uint64):
        least, most = float(np.iinfo(to).min), float(np.iinfo(to).max)
        inside = finite[(wide(finite) > least - 1) & (wide(finite) < most)]
        expected = np.trunc(wide(inside)).astype(to)
        yield f"to_{np.dtype(to)}", lambda x, to=to: x.astype(to), (inside,), expected, 0
    values = numbers(kind)
    doubles = np.concatenate([values.astype(np.float64), np.nextafter(values.astype(np.float64), 0)])
    integers = np.arange(-600, 600, dtype=np.int32)
    for source in (values, values.astype(np.float16), values.astype(ml_dtypes.bfloat16), integers):
        yield f"from_{source.dtype}", lambda x: x.astype(kind), (source,), source.astype(kind), 0
    yield "from_float64", lambda x: x.astype(kind), (doubles,), to_odd(doubles).astype(kind), 0
    yield "bits", lambda x: lax.bitcast_convert_type(x, jnp.uint8), (every,), every.view(np.uint8), 0


def movement(kind):
    x = np.arange(256, dtype=np.uint8).view(kind).reshape(16, 16)
    rows = np.array([3, 15, 0, 7, 3], np.int32)
    yield "transpose", lambda x: x.T[1:14:3, ::-1], (x,), x.T[1:14:3, ::-1], 0
    yield "take", lambda x, i: x[i], (x, rows), x[rows], 0
    if kind != ml_dtypes.float8_e8m0fnu:  # which has no zero
        yield "pad", lambda x: jnp.pad(x, ((1, 2), (0, 3))), (x,), np.pad(x.view(np.uint8), ((1, 2), (0, 3))).view(kind), 0
    yield "concatenate", lambda x, y: jnp.concatenate([x, y], 1), (x, x[:, :3]), np.concatenate([x, x[:, :3]], 1), 0
    mask = (np.arange(256) % 3 == 0).reshape(16, 16)
    yield "where", lambda m, x: jnp.where(m, x, x.T), (mask, x), np.where(mask, x.view(np.uint8), x.T.view(np.uint8)).view(kind), 0
    updated = x.copy()
    updated[2:5, 3:7] = x[:3, :4]
    yield "update", lambda x: lax.dynamic_update_slice(x, x[:3, :4], (2, 3)), (x,), updated, 0
    scattered = x.copy()
    scattered[[3, 9]] = x[:2]
    yield "scatter", lambda x, i: x.at[i].set(x[:2]), (x, np.array([3, 9], np.int32)), scattered, 0


def arithmetic(kind):
    random = np.random.RandomState(3)
    x, y = (np.round(random.standard_normal((8, 24)) * 12) / 8).astype(kind), (np.round(random.standard_normal((8, 24)) * 8) / 8).astype(kind)
    a, b = wide(x), wide(y)
    for name, function, expected, ulps in (
        ("add", lambda x, y: x + y, a + b, 0),
        ("subtract", lambda x, y: x - y, a - b, 0),
        ("multiply", lambda x, y: x * y, a * b, 0),
        ("divide", lambda x, y: x / y, np.divide(a, b, where=b != 0, out=np.where(a == 0, np.nan, np.copysign(np.inf, a * np.copysign(1, b)))), 0),
        ("maximum", jnp.maximum, np.maximum(a, b), 0),
        ("minimum", jnp.minimum, np.minimum(a, b), 0),
        ("chain", lambda x, y: x * y + x, wide((a * b).astype(kind)) + a, 0),
        ("negate", lambda x, y: -x, -a, 0),
        ("abs", lambda x, y: abs(x), abs(a), 0),
        ("clip", lambda x, y: jnp.clip(x, -1, 1), np.clip(a, -1, 1), 0),
        ("exp", lambda x, y: jnp.exp(x), np.exp(a), 1),
        ("tanh", lambda x, y: jnp.tanh(x), np.tanh(a), 1),
        ("sqrt", lambda x, y: jnp.sqrt(abs(x)), np.sqrt(abs(a)), 0),
        ("sum", lambda x, y: jnp.sum(x, 1), a.sum(1), 0),
        ("sum_all", lambda x, y: lax.reduce(x, np.array(0, kind), lax.add, (0, 1)), a.sum(), 0),
        ("max", lambda x, y: jnp.max(x, 0), a.max(0), 0),
    ):
        yield name, function, (x, y), np.asarray(expected).astype(kind), ulps
    yield "compare", lambda x, y: x < y, (x, y), a < b, 0
    yield "argmax", lambda x, y: jnp.argmax(x, 1), (x, y), a.argmax(1), 0
    yield "is_finite", lambda x, y: jnp.isfinite(x), (x, y), np.isfinite(a), 0
    expected = np.sort(a, 1).astype(kind)
    yield "sort", lambda x, y: jnp.sort(x, 1), (x, y), expected, 0
    # Products of multiples of 1/8 are exact in f32, and so are their sums.
    products = a @ b.T
    for to in (np.float32, ml_dtypes.bfloat16, kind):
        yield (f"dot_{np.dtype(to)}", lambda x, y, to=to: lax.dot_general(x, y, (((1,), (1,)), ((), ())), preferred_element_type=to),
               (x, y), products.astype(to), 0)
    if kind == ml_dtypes.float8_e4m3fn:
        z = y.astype(ml_dtypes.float8_e5m2)
        yield ("dot_mixed", lambda x, y: lax.dot_general(x, y, (((1,), (1,)), ((), ())), preferred_element_type=np.float32),
               (x, z), (a @ wide(z).T).astype(np.float32), 0)
    # Quantized as in recipes for training: by the largest number, into the type and back.
    largest = float(ml_dtypes.finfo(kind).max)

    def quantize(v, y):
        scale = jnp.max(abs(v)) / largest
        return (v / scale).astype(kind).astype(jnp.float32) * scale

    v = random.standard_normal((8, 24)).astype(np.float32)
    scale = np.float32(abs(v).max()) / np.float32(largest)
    yield "quantize", quantize, (v, y), (v / scale).astype(kind).astype(np.float32) * scale, 1


def scaled(kind):
    """Products of blocks with scales of their own, as `lax.scaled_dot`."""
    random = np.random.RandomState(4)
    a, b = ((np.round(random.standard_normal(shape) * 8) / 8).astype(kind) for shape in ((8, 64), (64, 6)))
    s = (2.0 ** random.randint(-2, 3, (8, 2))).astype(ml_dtypes.float8_e8m0fnu)
    t = (2.0 ** random.randint(-2, 3, (2, 6))).astype(ml_dtypes.float8_e8m0fnu)
    expected = (wide(a) * np.repeat(wide(s), 32, 1)) @ (wide(b) * np.repeat(wide(t), 32, 0))
    c, u = np.ascontiguousarray(b.T)[None], np.ascontiguousarray(t.T)[None]
    yield ("scaled_matmul", jax.nn.scaled_matmul, (a[None], c, s[None], u), expected.astype(np.float32)[None], 0)
    yield ("scaled_dot", lambda a, b, s, t: lax.scaled_dot(a, b, lhs_scale=s, rhs_scale=t), (a, b, s, t),
           expected.astype(ml_dtypes.bfloat16), 0)


def program(function, values, expected, ulps):
    # On processors JAX has no scaled_matmul.
    platform = "cuda" if function is jax.nn.scaled_matmul else "cpu"
    text = jax.jit(function).trace(*values).lower(lowering_platforms=(platform,)).as_text()
    inputs = used_arguments(text, values)
    kind = type_of(expected)
    main = "  func.func public @main() {\n"
    main += "".join(constant(f"in{i}", value) for i, value in enumerate(inputs))
    main += constant("expected", expected)
    main += f"    %r = call @impl({', '.join(f'%in{i}' for i in range(len(inputs)))})"
    main += f" : ({', '.join(map(type_of, inputs))}) -> {kind}\n"
    if ulps:
        bounds = f"min_ulp_difference = 0 : i64, max_ulp_difference = {ulps} : i64"
        main += f'    "check.expect_close"(%r, %expected) {{{bounds}}} : ({kind}, {kind}) -> ()\n'
    else:
        main += f'    "check.expect_eq"(%r, %expected) : ({kind}, {kind}) -> ()\n'
    text = text.replace("func.func public @main", "func.func private @impl", 1)
    end = text.rindex("}")
    return text[:end] + main + "    return\n  }\n" + text[end:]


def main():
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser()
    parser.add_argument("cleave")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args(arguments[:end])
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in KINDS:
        kind = getattr(ml_dtypes, f"float8_{name}")
        families = [conversions, movement]
        if name != "e8m0fnu":
            families += [arithmetic, scaled]
        for family in families:
            with np.errstate(all="ignore"):
                for case, function, values, expected, ulps in family(kind):
                    if re.search(options.only, f"{case}_{name}"):
                        text = program(function, values, np.asarray(expected), ulps)
                        (options.folder / f"{case}_{name}.mlir").write_text(text)
    command = [options.cleave, "check", options.folder, *arguments[end + 1 :]]
    sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
