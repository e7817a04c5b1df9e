#!/usr/bin/python3
# ===- meshes.py - Meshes and shard_map from JAX ---------------------------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Exports programs whose text names devices in every way that JAX has, with
Shardy's shardings and with GSPMD's strings: several meshes, meshes in another
order, shard_map over all axes, over some of them, one in another, and their
gradients. Each runs on the ranks of its mesh and is compared with JAX as in
run.py.
"""

import argparse
import pathlib
import sys
import tempfile

import run  # Sets the number of JAX's devices, so first.
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

DEVICES = np.array(jax.devices())
TWO_BY_THREE = Mesh(DEVICES[:6].reshape(2, 3), ("x", "y"))
THREE_BY_TWO = Mesh(DEVICES[:6].reshape(3, 2), ("x", "y"))
XY = Mesh(DEVICES[:4].reshape(2, 2), ("x", "y"))
XYZ = Mesh(DEVICES[:8].reshape(2, 2, 2), ("x", "y", "z"))
REVERSED = Mesh(DEVICES[:4][::-1].reshape(2, 2), ("x", "y"))


def cut(mesh, *axes):
    return NamedSharding(mesh, P(*axes))


def index(axis, like):
    return jax.lax.axis_index(axis).astype(like.dtype)


def some_axes(a, w):
    """Manual along x; a constraint along y."""

    def body(a, w):
        h = jax.lax.with_sharding_constraint(jnp.tanh(a @ w), cut(XY, None, "y"))
        s = jax.lax.psum(h, "x") + jax.lax.ppermute(h, "x", [(0, 1), (1, 0)])
        return (h - s) @ w.T + index("x", a)

    return jax.shard_map(
        body, mesh=XY, in_specs=(P("x", None), P()), out_specs=P("x", None),
        axis_names={"x"}, check_vma=False,
    )(a, w)


def two_of_three(a, w):
    """Manual along x and y; sums of terms along z."""

    def body(a, w):
        h = jax.lax.with_sharding_constraint(a @ w, cut(XYZ, None, "z"))
        t = h @ jax.lax.with_sharding_constraint(h.T, cut(XYZ, "z", None))
        s = jax.lax.psum_scatter(t, "x", scatter_dimension=0, tiled=True)
        return jax.lax.all_gather(s, "y", axis=1, tiled=True) * (1 + index("y", a))

    return jax.shard_map(
        body, mesh=XYZ, in_specs=(P("x", "y"), P("y", None)), out_specs=P(("x", "y"), None),
        axis_names={"x", "y"}, check_vma=False,
    )(a, w)


def nested(a):
    def outer(a):
        inner = jax.shard_map(
            lambda b: jax.lax.psum(b, "y") - index("y", b),
            mesh=jax.sharding.get_abstract_mesh(), in_specs=P(None, "y"),
            out_specs=P("y", None), axis_names={"y"}, check_vma=False,
        )
        c = inner(jnp.sin(a))
        return c + jax.lax.psum(c, "x")

    return jax.shard_map(
        outer, mesh=XY, in_specs=P("x", None), out_specs=P("x", None),
        axis_names={"x"}, check_vma=False,
    )(a)


def gradient(a, w):
    """Of a loop in a region along x, with the weights cut along y."""

    def loss(w):
        def body(a, w):
            c, _ = jax.lax.scan(lambda c, _: (jnp.tanh(c @ w @ w.T), None), a, None, length=3)
            return jax.lax.pmean(jnp.sum(c * c), "x")

        return jax.shard_map(
            body, mesh=XY, in_specs=(P("x", None), P()), out_specs=P(), axis_names={"x"}
        )(a, w)

    return jax.value_and_grad(loss)(w)


def other_factors(a):
    """No mesh has the axes of both 2 x 3 and 3 x 2 devices."""
    b = jax.lax.with_sharding_constraint(jnp.sin(a), cut(THREE_BY_TWO, "x", "y"))
    c = jax.shard_map(
        lambda v: v - jax.lax.psum(v, "x") + 10 * index("x", v) + index("y", v),
        mesh=THREE_BY_TWO, in_specs=P("x", "y"), out_specs=P("x", "y"),
    )(b)
    return jax.shard_map(
        lambda v: v * 2 + jax.lax.ppermute(v, "y", [(0, 1), (1, 2), (2, 0)]),
        mesh=TWO_BY_THREE, in_specs=P("x", "y"), out_specs=P("x", "y"),
    )(c)


def in_reverse(a, w):
    """A mesh of devices in reverse, which JAX numbers anew."""
    return jax.shard_map(
        lambda v, w: jax.lax.psum(v @ w, "y") + index("x", v),
        mesh=REVERSED, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None),
    )(a, w)


def moved(a):
    """What jax.device_put to a mesh of another order runs."""
    return a * 2


def normal(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def programs():
    """Name, function, arguments, options of jit."""
    a, w = normal(8, 6), normal(6, 10)
    along = (cut(XY, "x", None), cut(XY, None, "y"))
    line = Mesh(DEVICES[:4], ("x",))
    there = NamedSharding(line, P("x"), _logical_device_ids=(3, 1, 0, 2))
    yield "some_axes", some_axes, (a, w), {"in_shardings": along}
    yield "two_of_three", two_of_three, (normal(8, 8), normal(8, 16)), {
        "in_shardings": (cut(XYZ, "x", "y"), cut(XYZ, None, "z"))
    }
    yield "nested", nested, (a,), {}
    yield "gradient", gradient, (a, w), {"in_shardings": along}
    yield "other_factors", other_factors, (normal(12, 6),), {
        "in_shardings": cut(TWO_BY_THREE, "x", "y"),
        "out_shardings": cut(TWO_BY_THREE, "x", "y"),
    }
    yield "in_reverse", in_reverse, (a, w), {}
    yield "moved", moved, (a,), {"in_shardings": cut(line, "x"), "out_shardings": there}


def run_jax(function, arguments, options, double):
    with jax.enable_x64(double):
        arguments = [run.widen(a) if double else a for a in arguments]
        return [np.asarray(r) for r in jax.tree.leaves(jax.jit(function, **options)(*arguments))]


def lower(function, arguments, options, is_shardy):
    jax.config.update("jax_use_shardy_partitioner", is_shardy)
    text = jax.jit(function, **options).lower(*arguments).as_text(debug_info=True)
    jax.config.update("jax_use_shardy_partitioner", True)
    return text


def run_one(cleave, label, text, arguments, single, double, folder):
    program, inputs, out = folder / f"{label}.mlir", folder / "in.npz", folder / label
    program.write_text(text)
    names = [f"a{i}" for i in range(len(arguments))]
    np.savez(inputs, **dict(zip(names, arguments)))
    if not run.finished([cleave, "run", program, "--weights", inputs, "--output-dir", out], label):
        return False
    good = True
    for i, (one, two) in enumerate(zip(single, double)):
        found = run.compare(f"{i}", np.load(out / f"out{i}.npy"), one, two)
        good = good and found.ratio() <= 2
        verdict = "PASS" if found.ratio() <= 2 else "FAIL"
        print(f"{verdict} {label}: error {found.error:.1e}, JAX's {found.by_jax:.1e}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("--keep", type=pathlib.Path, help="keep programs here")
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, function, arguments, how in programs():
            # Results in another order than a mesh's are JAX's own business.
            here = {} if function is moved else how
            single = run_jax(function, arguments, here, False)
            double = run_jax(function, arguments, here, True)

            # Arguments are called alike in all programs.
            def called(a0, a1=None, function=function):
                return function(a0) if a1 is None else function(a0, a1)

            for form in ("shardy", "gspmd"):
                text = lower(called, arguments, how, form == "shardy")
                label = f"{name}-{form}"
                bad += not run_one(options.cleave, label, text, arguments, single, double, folder)
    print(f"{bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
