#!/usr/bin/python3
# ===- run.py - Models from JAX, sharded, against JAX's own numbers --------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Exports models from JAX with NamedShardings, runs them with `cleave run` on
the ranks of their mesh, and compares with JAX.

err = max|x - ref| / max|ref|, per output, with the same program in float64 by
JAX as reference. It must be at most twice that of JAX in float32; below the
rounding of the output itself no difference counts.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

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


def export(model, mesh):
    """The StableHLO text, with the arguments' names as locations."""
    shardings = jax.tree_util.tree_map_with_path(
        lambda path, leaf: sharding_of(path, leaf, model, mesh), model.arguments
    )
    # Trees come back with their keys sorted.
    in_shardings = tuple(shardings[name] for name in model.arguments)
    jitted = jax.jit(model.function, in_shardings=in_shardings)
    return jitted.lower(*model.arguments.values()).as_text(debug_info=True)


def named_arguments(model):
    """Leaves by the names that JAX gives them."""
    named = {}
    for name, value in model.arguments.items():
        for path, leaf in jax.tree_util.tree_leaves_with_path(value):
            named[name + jax.tree_util.keystr(path)] = np.asarray(leaf)
    return named


def widen(leaf):
    leaf = np.asarray(leaf)
    return leaf.astype(np.float64) if leaf.dtype == np.float32 else leaf


def run_jax(model, double):
    """The outputs by JAX on one device, flattened."""
    with jax.enable_x64(double):
        arguments = list(model.arguments.values())
        if double:
            arguments = jax.tree.map(widen, arguments)
        results = jax.jit(model.function)(*arguments)
        return [np.asarray(leaf) for leaf in jax.tree.leaves(results)]


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


def compare(outputs, single, double):
    """The worst ratio of errors, and whether all are within their bound."""
    worst, good = (0.0, 0.0), True
    for value, ours, reference in zip(outputs, single, double, strict=True):
        if value.shape != ours.shape or value.dtype != ours.dtype:
            print(f"  got {value.dtype}{value.shape}, JAX {ours.dtype}{ours.shape}")
            return worst, False
        if value.dtype.kind != "f":
            good &= np.array_equal(value, ours)
            continue
        err, by_jax = error(value, reference), error(ours, reference)
        # Half a unit in the last place is what rounding the reference costs.
        good &= err <= 2 * max(by_jax, np.finfo(value.dtype).eps / 2)
        worst = max(worst, (err, by_jax))
    return worst, good


def read_outputs(folder, count):
    return [np.load(folder / f"out{i}.npy") for i in range(count)]


def run_one(options, name, mesh_text, folder):
    model = MODELS[name](options.size)
    mesh = parse_mesh(mesh_text)
    single, double = run_jax(model, False), run_jax(model, True)
    (folder / "model.mlir").write_text(export(model, mesh))
    safetensors.write(folder / "weights.safetensors", named_arguments(model))
    command = [options.cleave, "run", folder / "model.mlir"]
    command += ["--weights", folder / "weights.safetensors"]
    command += ["--output-dir", folder / "out", *options.extra]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"FAIL {name} {mesh_text}: cleave ended with {done.returncode}")
        print(done.stderr[-2000:])
        return False
    outputs = read_outputs(folder / "out", len(single))
    (err, by_jax), good = compare(outputs, single, double)
    print(
        f"{'PASS' if good else 'FAIL'} {name} {mesh_text}: "
        f"err {err:.1e}, JAX {by_jax:.1e}",
        flush=True,
    )
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("--size", default="small", choices=["small", "full"])
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--mesh", action="append", help="default: " + " ".join(MESHES))
    parser.add_argument("--keep", type=pathlib.Path, help="keep programs and weights here")
    options, options.extra = parser.parse_known_args()
    bad = 0
    for name in options.model or MODELS:
        for mesh in options.mesh or MESHES:
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                if options.keep:
                    folder = options.keep / f"{name}-{mesh}"
                    folder.mkdir(parents=True, exist_ok=True)
                bad += not run_one(options, name, mesh, folder)
    print(f"{bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
