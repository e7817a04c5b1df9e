# ===- minilm.py - Time of a sentence encoder ----------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times the forward pass of all-MiniLM-L6-v2 (8 x 128 tokens) on one rank and
prints the ratio to the time of its matrix products alone, as the trace of the
same run has them. With --onnx FILE also the ratio to onnxruntime, if that is
installed.

RUN: %python %s --tiny --repeats 2 --folder %t
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MINILM = HERE.parent / "exec" / "minilm" / "minilm.py"


def prepare(folder, args):
    command = [sys.executable, MINILM, "--output", folder]
    command += ["--tiny"] if args.tiny else ["--models", args.models]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def traced_run(folder, args):
    """Seconds of each step and of the matrix products in it, warm-up left out."""
    trace = folder / "trace.json"
    command = ["cleave", "run", folder / "model.mlir", "--threads-per-rank", str(args.threads)]
    command += ["--weights", folder / "weights.safetensors"]
    command += ["--input", f"ids={folder / 'ids.npy'}", "--input", f"mask={folder / 'mask.npy'}"]
    command += ["--time", str(args.repeats), "--trace", trace]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    events = json.loads(trace.read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    events = [event for event in events if event.get("ph") == "X"]
    steps = [e for e in events if e["name"] == "step"] or [e for e in events if e["name"].startswith("step")]
    totals = []
    for step in steps[1:] or steps:
        inside = collections.Counter()
        for event in events:
            if step["ts"] <= event["ts"] < step["ts"] + step["dur"] and event is not step:
                inside[event["name"].split()[0]] += event["dur"] / 1e6
        totals.append((step["dur"] / 1e6, inside))
    return totals


def onnx_seconds(path, folder, args):
    try:
        import numpy as np
        import onnxruntime as ort
    except ImportError:
        return None
    options = ort.SessionOptions()
    options.intra_op_num_threads = args.threads
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    ids = np.load(folder / "ids.npy").astype(np.int64)
    feeds = {"input_ids": ids, "attention_mask": (ids != 0).astype(np.int64)}
    feeds["token_type_ids"] = np.zeros_like(ids)
    feeds = {i.name: feeds[i.name] for i in session.get_inputs() if i.name in feeds}
    times = []
    for _ in range(args.repeats + 1):
        start = time.perf_counter()
        session.run(None, feeds)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/benchmark"))
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--onnx")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    prepare(args.folder, args)
    steps = traced_run(args.folder, args)
    step = statistics.median(seconds for seconds, _ in steps)
    gemm = statistics.median(inside["gemm"] for _, inside in steps)
    launch = statistics.median(inside["launch"] for _, inside in steps)
    assert 0 < gemm < step, "the trace has no matrix products"
    print(f"step {step * 1e3:.2f} ms: products {gemm * 1e3:.2f} ms, kernels {launch * 1e3:.2f} ms")
    print(f"ratio to the products alone: {step / gemm:.2f}")
    if args.onnx:
        theirs = onnx_seconds(args.onnx, args.folder, args)
        print(f"ratio to onnxruntime: {step / theirs:.2f}" if theirs else "onnxruntime is not installed")


if __name__ == "__main__":
    main()
