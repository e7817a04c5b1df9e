#!/usr/bin/python3
# ===- run.py - Models from JAX, sharded, against JAX's own numbers --------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Exports models from JAX with NamedShardings, compiles them, runs them on the
ranks of their mesh, and compares with JAX.

err = max|x - ref| / max|ref|, per output, with the same program in float64 by
JAX as reference. It must be at most twice that of JAX in float32; below the
rounding of the output itself no difference counts. For both it is the largest
over several sets of arguments (--samples): the largest of the few elements of a
bias's gradient, from one set, is a matter of luck in either.

With --processes each program also runs as one process per rank, which must give
the bits of ranks that are threads.
"""

import argparse
import dataclasses
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile
import time

DEVICES = 8
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
os.environ["JAX_PLATFORMS"] = "cpu"

# pylint: disable=wrong-import-position
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import safetensors
from models import MODELS

MESHES = ["data=4", "model=4", "data=2,model=2"]


def parse_mesh(text):
    axes = [axis.split("=") for axis in text.split(",")]
    sizes = [int(size) for _, size in axes]
    devices = np.array(jax.devices()[: int(np.prod(sizes))]).reshape(sizes)
    return Mesh(devices, [name for name, _ in axes])


def sharding_of(path, leaf, model, mesh):
    """The user's sharding of one argument: that of its path's longest suffix."""
    keys = [str(getattr(k, "key", getattr(k, "idx", ""))) for k in path]
    spec = ()
    for length in range(1, len(keys) + 1):
        spec = model.specs.get(".".join(keys[-length:]), spec)
    axes = []
    for size, axis in zip(np.shape(leaf), spec):
        fits = axis in mesh.shape and size % mesh.shape[axis] == 0
        axes.append(axis if fits else None)
    return NamedSharding(mesh, PartitionSpec(*axes))


def shardings_of(model, mesh):
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: sharding_of(path, leaf, model, mesh), model.arguments
    )


def lower(model, mesh):
    """The program with the user's shardings, before any compilation."""
    shardings = shardings_of(model, mesh)
    # Trees come back with their keys sorted.
    in_shardings = tuple(shardings[name] for name in model.arguments)
    jitted = jax.jit(model.function, in_shardings=in_shardings)
    return jitted.lower(*model.arguments.values())


def export(model, mesh):
    """The StableHLO text, with the arguments' names as locations."""
    return lower(model, mesh).as_text(debug_info=True)


def named_arguments(arguments):
    """Leaves by the names that JAX gives them."""
    named = {}
    for name, value in arguments.items():
        for path, leaf in jax.tree_util.tree_leaves_with_path(value):
            named[name + jax.tree_util.keystr(path)] = np.asarray(leaf)
    return named


def widen(leaf):
    leaf = np.asarray(leaf)
    return leaf.astype(np.float64) if leaf.dtype == np.float32 else leaf


def run_jax(model, arguments, double):
    """The outputs by JAX on one device, by name."""
    with jax.enable_x64(double):
        arguments = list(arguments.values())
        if double:
            arguments = jax.tree.map(widen, arguments)
        results = jax.jit(model.function)(*arguments)
        leaves = jax.tree_util.tree_leaves_with_path(results)
        return {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in leaves}


def error(value, reference):
    """max|x - ref| / max|ref|; anything but finite numbers must be equal."""
    reference = reference.astype(np.float64)
    finite = np.isfinite(reference)
    if not np.array_equal(value[~finite], reference[~finite], equal_nan=True):
        return np.inf
    difference = np.abs(value.astype(np.float64) - reference)[finite]
    if difference.size == 0 or difference.max() == 0:
        return 0.0
    return float(difference.max() / np.abs(reference[finite]).max())


@dataclasses.dataclass
class Comparison:
    """An output's error and JAX's. Integers and booleans have none, or no end."""

    output: str
    error: float
    by_jax: float

    def worse(self, other):
        return Comparison(
            self.output, max(self.error, other.error), max(self.by_jax, other.by_jax)
        )

    def ratio(self):
        # Half a unit in the last place is what rounding the reference costs.
        return self.error / max(self.by_jax, np.finfo(np.float32).eps / 2)


def compare(name, value, single, double):
    if value.shape != single.shape or value.dtype != single.dtype:
        return Comparison(name, np.inf, 0.0)
    if value.dtype.kind != "f":
        equal = np.array_equal(value, single)
        return Comparison(name, 0.0 if equal else np.inf, 0.0)
    assert value.dtype == np.float32
    return Comparison(name, error(value, double), error(single, double))


class Samples:
    """Sets of arguments of a model, and what JAX computes of each in float32 and
    in float64. All but the first have the elements of each array in another
    order."""

    def __init__(self, model, count):
        self.model = model
        self.arguments, self.single, self.double = [], [], []
        for sample in range(count):
            random = np.random.default_rng(sample)
            arguments = dict(model.arguments)
            for name in arguments if sample else ():
                # Trees come back with their keys sorted, so one by one.
                arguments[name] = jax.tree.map(
                    lambda leaf: random.permutation(np.ravel(leaf)).reshape(np.shape(leaf)),
                    arguments[name],
                )
            self.arguments.append(arguments)
            self.single.append(run_jax(model, arguments, False))
            self.double.append(run_jax(model, arguments, True))


def finished(command, label):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"FAIL {label}: {command[0]} ended with {done.returncode}")
        print(done.stderr[-2000:], flush=True)
    return done.returncode == 0


def same_files(folder, other, label):
    """Whether two folders hold the same bits."""
    names = sorted(path.name for path in folder.iterdir())
    _, different, missing = filecmp.cmpfiles(folder, other, names, shallow=False)
    if different or missing or not names:
        print(f"FAIL {label}: processes differ from threads in {different + missing}")
        return False
    return True


def run_one(options, samples, mesh_text, folder):
    model = samples.model
    label = f"{model.name} {mesh_text}"
    program, executable = folder / "model.mlir", folder / "model"
    program.write_text(export(model, parse_mesh(mesh_text)))
    begin = time.monotonic()
    if not finished([options.cleave, "compile", program, "-o", executable], label):
        return False
    worst = {}
    for i, arguments in enumerate(samples.arguments):
        weights, out = folder / f"{i}.safetensors", folder / f"out{i}"
        safetensors.write(weights, named_arguments(arguments))
        command = [executable, "--weights", weights, *options.extra]
        if not finished([*command, "--output-dir", out], label):
            return False
        if options.processes:
            other = folder / f"processes{i}"
            launch = [options.cleave, "run", *command, "--communicator", "mpi"]
            if not finished([*launch, "--output-dir", other], label):
                return False
            if not same_files(out, other, label):
                return False
        for k, (name, single) in enumerate(samples.single[i].items()):
            value = np.load(out / f"out{k}.npy")
            found = compare(name, value, single, samples.double[i][name])
            worst[name] = found.worse(worst.get(name, found))
    seconds = time.monotonic() - begin
    largest = max(worst.values(), key=Comparison.ratio)
    good = largest.ratio() <= 2
    print(
        f"{'PASS' if good else 'FAIL'} {label}: {len(worst)} outputs, "
        f"at most {largest.ratio():.2f} x JAX's error: {largest.error:.1e} to "
        f"{largest.by_jax:.1e} of result{largest.output}; "
        f"{'the same bits by processes; ' if options.processes else ''}{seconds:.1f} s",
        flush=True,
    )
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("--size", default="small", choices=["small", "full"])
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--mesh", action="append", help="default: " + " ".join(MESHES))
    parser.add_argument("--samples", type=int, default=1, help="sets of arguments")
    parser.add_argument("--processes", action="store_true", help="also by mpirun")
    parser.add_argument("--keep", type=pathlib.Path, help="keep programs and weights here")
    options, options.extra = parser.parse_known_args()
    bad = 0
    for name in options.model or MODELS:
        samples = Samples(MODELS[name](options.size), options.samples)
        for mesh in options.mesh or MESHES:
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                if options.keep:
                    folder = options.keep / f"{name}-{mesh}"
                    folder.mkdir(parents=True, exist_ok=True)
                bad += not run_one(options, samples, mesh, folder)
    print(f"{bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
