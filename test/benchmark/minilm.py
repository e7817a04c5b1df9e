# ===- minilm.py - Time of a sentence encoder ----------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times the forward pass of all-MiniLM-L6-v2 (8 x 128 tokens) on one rank and
prints the ratio to the time of its matrix products alone, as the trace of the
same run has them. Where the packages onnx and onnxruntime are installed, the
same model also runs there, with as many threads, in turns with ours, and the
ratio to the faster of its graphs is printed.

RUN: %python %s --tiny --repeats 2 --rounds 2 --folder %t
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "exec" / "minilm"))
import minilm


def prepare(folder, args):
    """Writes the model, its inputs and its compiled form to `folder`."""
    command = [sys.executable, minilm.__file__, "--output", folder]
    command += ["--tiny"] if args.tiny else ["--models", args.models]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    command = ["cleave", "compile", folder / "model.mlir", "-o", folder / "model"]
    subprocess.run(command, check=True)


class Cleave:
    """Runs the compiled model."""

    def __init__(self, folder, args):
        self.folder = folder
        self.command = [folder / "model", "--threads-per-rank", str(args.threads)]
        self.command += ["--weights", folder / "weights.safetensors"]
        self.command += ["--input", f"ids={folder / 'ids.npy'}"]
        self.command += ["--input", f"mask={folder / 'mask.npy'}"]
        self.command += ["--output-dir", folder / "out", "--time", str(args.repeats)]
        self.command += ["--trace", folder / "trace.json"]

    def time(self):
        """Seconds of each step and of the kinds of work in it; the step that
        warms up is left out."""
        subprocess.run(self.command, check=True, stdout=subprocess.DEVNULL)
        events = json.loads((self.folder / "trace.json").read_text())
        events = events["traceEvents"] if isinstance(events, dict) else events
        events = [event for event in events if event.get("ph") == "X"]
        steps = [event for event in events if event["name"].startswith("step")]
        totals = []
        for step in steps[1:]:
            inside = collections.Counter()
            for event in events:
                if step["ts"] <= event["ts"] < step["ts"] + step["dur"] and event is not step:
                    inside[event["name"].split()[0]] += event["dur"] / 1e6
            totals.append((step["dur"] / 1e6, inside))
        return totals

    def embedding(self):
        return np.load(self.folder / "out" / "embedding.npy")


def create_runners(folder, args):
    """onnxruntime's sessions by the kind of their graph; none without it."""
    try:
        import minilm_onnx
    except ImportError:
        print("not compared with onnxruntime, which is not installed")
        return {}
    paths = minilm_onnx.write(folder, minilm.TINY if args.tiny else minilm.Config())
    return {
        name: minilm_onnx.Runner(path, folder, args.threads) for name, path in paths.items()
    }


def time_runner(runner, repeats):
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        runner.run()
        times.append(time.perf_counter() - start)
    return times[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/benchmark"))
    parser.add_argument("--rounds", type=int, default=10, help="turns of each program")
    parser.add_argument("--repeats", type=int, default=10, help="steps in a turn")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    prepare(args.folder, args)
    cleave = Cleave(args.folder, args)
    runners = create_runners(args.folder, args)

    # In turns, so that whatever else the machine does hits everyone alike.
    steps, theirs, ratios = [], collections.defaultdict(list), collections.defaultdict(list)
    for _ in range(args.rounds):
        round_steps = cleave.time()
        steps += round_steps
        for name, runner in runners.items():
            times = time_runner(runner, args.repeats)
            theirs[name] += times
            ours = statistics.median(seconds for seconds, _ in round_steps)
            ratios[name].append(ours / statistics.median(times))

    step = statistics.median(seconds for seconds, _ in steps)
    gemm = statistics.median(inside["gemm"] for _, inside in steps)
    launch = statistics.median(inside["launch"] for _, inside in steps)
    assert 0 < gemm < step, "the trace has no matrix products"
    expected = np.load(args.folder / "reference.npy")
    difference = np.abs(cleave.embedding() - expected).max()
    print(f"step {step * 1e3:.2f} ms: products {gemm * 1e3:.2f} ms, kernels {launch * 1e3:.2f} ms")
    print(f"ratio to the products alone: {step / gemm:.2f}; {difference:.1e} from numpy")
    for name, times in theirs.items():
        difference = np.abs(runners[name].run() - expected).max()
        print(
            f"ratio to onnxruntime, {name} graph: {statistics.median(ratios[name]):.2f} "
            f"({statistics.median(times) * 1e3:.2f} ms; {difference:.1e} from numpy)"
        )


if __name__ == "__main__":
    main()
