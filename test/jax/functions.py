#!/usr/bin/python3
# ===- functions.py - JAX's public functions as programs ------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""functions.py CLEAVE [--variant V] [--part I/N] [--mesh M] [--seed S] [--keep FOLDER]

Exports every public function of jax.numpy, jax.lax, jax.nn, jax.random and
jax.scipy for up to two of a list of arguments that it accepts, and verifies the
programs on a mesh with random shardings: `cleave verify --shard random:S`.
A variant exports instead the gradients of the functions, or batches of them, or
calls them in another type or with sizes that nothing divides.
"""

import argparse
import concurrent.futures
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

os.environ["JAX_PLATFORMS"] = "cpu"

# pylint: disable=wrong-import-position
import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.signal
import jax.scipy.special
import jax.scipy.stats
import numpy as np

VARIANTS = ("plain", "gradient", "batch", "large", "bf16", "f64")
MODULES = {
    "numpy": jnp, "numpy.linalg": jnp.linalg, "numpy.fft": jnp.fft, "nn": jax.nn,
    "lax": jax.lax, "special": jax.scipy.special, "linalg": jax.scipy.linalg,
    "signal": jax.scipy.signal,
    **{f"stats.{name}": module for name, module in vars(jax.scipy.stats).items()
       if inspect.ismodule(module) and not name.startswith("_")},
}
# They write files or texts, ask for types, or end the process when traced.
LEFT_OUT = {"array_repr", "array_str", "can_cast", "save", "savez"}


class Arguments:
    """Tuples of arrays to try a function with."""

    def __init__(self, variant):
        random = np.random.RandomState(0)
        kind = {"bf16": jnp.bfloat16, "f64": jnp.float64}.get(variant, jnp.float32)
        sizes = {2: 3, 4: 37, 6: 130} if variant == "large" else {}

        def floats(*shape):
            shape = [sizes.get(size, size) for size in shape]
            return jnp.asarray(random.uniform(0.1, 0.9, shape).astype(np.float32)).astype(kind)

        def ints(*shape):
            shape = [sizes.get(size, size) for size in shape]
            return jnp.asarray(random.randint(1, 5, shape).astype(np.int32))

        def bools(*shape):
            return ints(*shape) > 2

        matrix, line, square = (4, 6), (6,), (4, 4)
        self.of_functions = [
            (floats(*matrix),), (floats(*matrix), floats(*matrix)), (floats(*line),),
            (floats(*line), floats(*line)), (floats(*square),),
            (floats(*square), floats(*square)), (ints(*matrix),),
            (ints(*matrix), ints(*matrix)),
            (floats(*matrix), floats(*matrix), floats(*matrix)), (bools(*matrix),),
            (bools(*matrix), bools(*matrix)), (floats(*matrix), ints(*matrix)),
            (ints(*matrix), floats(*matrix)), (floats(*line), ints(*line)),
            (floats(*line), floats(*line), floats(*line)),
            (floats(*line), floats(*line), floats(*line), floats(*line)),
            (ints(), floats(*line)), (floats(2, 4, 4), floats(2, 4, 4)),
        ]
        self.of_distributions = [
            {"shape": matrix}, (floats(*matrix),), (floats(*matrix), floats(*matrix)),
            (floats(4), (3, 4)), (4,),
        ]


def gradient(function):
    """Of a weighted sum of all results that have one."""

    def total(*arguments):
        parts = [
            jnp.sum(jnp.real(leaf) * jnp.cos(jnp.arange(leaf.size).reshape(leaf.shape)))
            for leaf in jax.tree_util.tree_leaves(function(*arguments))
            if jnp.issubdtype(leaf.dtype, jnp.inexact)
        ]
        return sum(parts[1:], parts[0])

    def gradients(*arguments):
        floating = [i for i, argument in enumerate(arguments)
                    if jnp.issubdtype(argument.dtype, jnp.floating)]
        return jax.grad(total, argnums=tuple(floating))(*arguments)

    return gradients


def public_functions(module):
    for name, function in sorted(vars(module).items()):
        if (callable(function) and not inspect.isclass(function)
                and not name.startswith("_") and name not in LEFT_OUT):
            yield name, function


def export(function, arguments):
    """None for what the function does not accept."""
    try:
        return jax.jit(function).lower(*arguments).as_text()
    except Exception:  # pylint: disable=broad-except
        return None


def sampler(function, arguments):
    keywords = arguments if isinstance(arguments, dict) else {}
    positional = () if keywords else arguments
    return lambda seed: function(jax.random.key(seed[0]), *positional, **keywords)


def programs(variant, part, parts):
    """Name and text of each."""
    arguments = Arguments(variant)
    change = {"gradient": gradient, "batch": jax.vmap}.get(variant, lambda function: function)
    functions = [(f"{place}.{name}", function) for place, module in MODULES.items()
                 for name, function in public_functions(module)]
    for name, function in functions[part::parts]:
        found = 0
        for i, tried in enumerate(arguments.of_functions):
            text = found < 2 and export(change(function), tried)
            if text:
                found += 1
                yield f"{name}.{i}", text
    if variant in ("gradient", "batch"):
        return
    seed = (jnp.arange(2, dtype=jnp.uint32),)
    for name, function in list(public_functions(jax.random))[part::parts]:
        texts = (export(sampler(function, tried), seed)
                 for tried in arguments.of_distributions)
        text = next((text for text in texts if text), None)
        if text:
            yield f"random.{name}", text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("--variant", default="plain", choices=VARIANTS)
    parser.add_argument("--part", default="0/1", help="I/N: every Nth function, from the Ith")
    parser.add_argument("--mesh", default="x=2,y=2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave the programs")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    jax.config.update("jax_enable_x64", options.variant == "f64")
    part, parts = map(int, options.part.split("/"))

    def verify(path):
        done = subprocess.run(
            [options.cleave, "verify", path, "--mesh", options.mesh, "--shard",
             f"random:{options.seed}", "--random-inputs", str(options.seed)],
            capture_output=True, text=True, check=False)
        return path.stem, done

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, text in programs(options.variant, part, parts):
            paths.append(folder / f"{name}.mlir")
            paths[-1].write_text(text)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(verify, paths))
    wrong = [(name, done) for name, done in results if done.returncode]
    for name, done in wrong:
        print(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(results)} programs, {len(results) - len(wrong)} verified, {len(wrong)} not")
    if not results:
        print("no function was exported")
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
