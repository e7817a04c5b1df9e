#!/usr/bin/python3
# ===- vs_xla.py - Cleave and XLA on the same sharded programs -------------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Partitions the annotated models of test/jax with XLA and with Cleave, and
prints for each model and mesh: the collectives of both and the bytes that each
device receives by them, bytes of temporaries, seconds of partitioning and
compiling, and of a step on the same cores.

XLA's collectives are those of its compiled HLO (hlo_collectives.py), its
temporaries what it reports; Cleave's are from `cleave explain --json` and its
arena, which holds results, too, so XLA's results are added to its temporaries.
Compiling is to machine code in both, without linking. With --check, Cleave
must not send more bytes than XLA.

    PYTHONPATH=build/jax test/benchmark/vs_xla.py build/bin/cleave --size full

REQUIRES: jax
RUN: %jax-python %s %cleave --repeats 0 --check --model llama --model moe --model gpt2_train_sgd --model cnn_train_sgd
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "jax"))

# pylint: disable=wrong-import-position
import run  # Before JAX: it sets the number of devices.
import jax

import hlo_collectives
import safetensors
from models import MODELS

MESHES = ["data=4", "model=4", "data=2,model=2", "data=2,model=4"]


def measure_xla(model, mesh, repeats):
    jax.clear_caches()
    lowered = run.lower(model, mesh)
    begin = time.monotonic()
    compiled = lowered.compile()
    seconds = time.monotonic() - begin
    memory = compiled.memory_analysis()
    shardings = run.shardings_of(model, mesh)
    arguments = [
        jax.device_put(value, shardings[name])
        for name, value in model.arguments.items() if repeats
    ]
    times = []
    for _ in range(repeats and repeats + 1):
        start = time.monotonic()
        jax.block_until_ready(compiled(*arguments))
        times.append(time.monotonic() - start)
    return {
        "collectives": hlo_collectives.count(compiled.as_text()),
        "temporary": memory.temp_size_in_bytes + memory.output_size_in_bytes,
        "compile": seconds,
        "step": sorted(times[1:])[repeats // 2] if repeats else 0.0,
    }


def measure_cleave(cleave, model, mesh, repeats, folder):
    program, binary = folder / "model.mlir", folder / "model.o"
    program.write_text(run.export(model, mesh))

    def cleave_does(*arguments):
        return subprocess.run(
            [cleave, *arguments], capture_output=True, text=True, check=True
        ).stdout

    explained = json.loads(cleave_does("explain", program, "--json"))
    begin = time.monotonic()
    cleave_does("compile", program, "--emit", "obj", "-o", binary)
    seconds = time.monotonic() - begin
    step = 0.0
    if repeats:
        weights = folder / "weights.safetensors"
        safetensors.write(weights, run.named_arguments(model.arguments))
        printed = cleave_does("run", program, "--weights", weights, "--time", str(repeats))
        step = float(re.search(r"^step: .*median ([\d.e+-]+) s", printed, re.M)[1])
    return {
        "collectives": {
            kind: [total["count"], total["bytes"]]
            for kind, total in explained["totals"].items()
        },
        # The manifest is text in the program's data.
        "temporary": int(re.search(rb'"arena_bytes":(\d+)', binary.read_bytes())[1]),
        "compile": seconds,
        "step": step,
    }


def bytes_moved(measured):
    return sum(moved for _, moved in measured["collectives"].values())


def described(collectives):
    short = {
        "all_reduce": "ar", "all_gather": "ag", "reduce_scatter": "rs",
        "all_to_all": "aa", "collective_permute": "cp",
    }
    parts = [
        f"{count} {short.get(kind, kind)} {moved}"
        for kind, (count, moved) in sorted(collectives.items()) if moved
    ]
    return ", ".join(parts) or "none"


def ratio(ours, theirs):
    if ours == theirs:
        return "1.00"
    return f"{ours / theirs:.2f}" if theirs else "inf"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", help="the cleave tool")
    parser.add_argument("--size", default="small", choices=["small", "full"])
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--mesh", action="append", help="default: " + " ".join(MESHES))
    parser.add_argument("--repeats", type=int, default=10, help="timed steps; 0: none")
    parser.add_argument("--check", action="store_true", help="status 1 if Cleave sends more")
    options = parser.parse_args()
    print("ar all_reduce, ag all_gather, rs reduce_scatter, aa all_to_all, cp "
          "collective_permute: number and bytes per device; ratios are Cleave to XLA\n")
    print("| model | mesh | XLA | Cleave | bytes | temporaries | compile | step |")
    print("|---|---|---|---|---|---|---|---|")
    more = 0
    for name in options.model or MODELS:
        model = MODELS[name](options.size)
        for mesh_text in options.mesh or MESHES:
            mesh = run.parse_mesh(mesh_text)
            theirs = measure_xla(model, mesh, options.repeats)
            with tempfile.TemporaryDirectory() as folder:
                ours = measure_cleave(
                    options.cleave, model, mesh, options.repeats, pathlib.Path(folder)
                )
            more += bytes_moved(ours) > bytes_moved(theirs)
            columns = [
                name, mesh_text, described(theirs["collectives"]),
                described(ours["collectives"]),
                ratio(bytes_moved(ours), bytes_moved(theirs)),
                *(ratio(ours[key], theirs[key]) for key in ("temporary", "compile", "step")),
            ]
            print(f"| {' | '.join(columns)} |", flush=True)
    print(f"\nCleave sends more than XLA on {more} rows")
    return 1 if options.check and more else 0


if __name__ == "__main__":
    sys.exit(main())
