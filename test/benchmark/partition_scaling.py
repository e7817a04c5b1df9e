# ===- partition_scaling.py - Time of partitioning -----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Times the phases sharding, partition and collectives on a transformer of
GPT-3's size, and prints how the time grows with layers and with ranks, and the
ratio per op to MLIR's own sharding passes on the same number of linalg ops.

The batch divides by both meshes' `data`: where it does not, sums are planned
with more collectives, and the time is that of another program.

With --check the ratios must hold: twice the layers at most 2.2 times the time,
64 times the ranks at most 1.1 times, in processor time of the whole command
(each with the slack given, since times as short as these vary); and the program
for 4096 ranks must have as many collectives as that for 64.

RUN: %python %s --repeats 3 --check --slack 1.25
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# A row of -mlir-timing: seconds, depth in the pipeline, name.
ROW = re.compile(r"^ *([\d.]+) \( *[\d.]+%\)  ( *)'?([\w.]+)", re.MULTILINE)


def generate(folder, layers, mesh, batch=128):
    path = folder / f"{layers}-{mesh}-{batch}.mlir"
    command = [sys.executable, HERE / "megatron.py", "--layers", str(layers)]
    command += ["--hidden", "12288", "--batch", str(batch), "--mesh", mesh]
    path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return path


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def phase_seconds(rows):
    """Of the phases sharding, partition and collectives: all from their first pass
    to what follows the last."""
    names = [name for _, _, name in rows]
    chosen = rows[names.index("AnnotateShardings") : names.index("Output")]
    return sum(float(seconds) for seconds, depth, _ in chosen if not depth)


def shard_seconds(rows):
    return sum(float(seconds) for seconds, _, name in rows if name in ("ShardingPropagation", "Partition"))


def timed(command, seconds_of):
    """Seconds of what is asked for, from -mlir-timing, and the processor time of the
    whole command, which other work on the machine hardly changes."""
    begin = cpu_seconds()
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return seconds_of(ROW.findall(run.stderr)), cpu_seconds() - begin


def best(repeats, command, seconds_of=phase_seconds):
    times = [timed(command, seconds_of) for _ in range(repeats)]
    return min(wall for wall, _ in times), min(cpu for _, cpu in times)


def count_collectives(path):
    command = ["cleave-opt", path, "--cleave-partition"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return len(re.findall(r"= spmd\.(?:all_|reduce_|collective_)", run.stdout))


def cleave(path):
    return ["cleave-opt", path, "--cleave-partition", "--mlir-timing", "-o", "/dev/null"]


def upstream_model(folder, ops):
    """A chain of linalg ops with an annotation in front, for mlir-opt."""
    lines = [
        "shard.grid @grid(shape = 8x8)",
        "func.func @main(%x0: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {",
        "  %s = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding",
        "  %0 = shard.shard %x0 to %s : tensor<1024x1024xf32>",
        "  %e = tensor.empty() : tensor<1024x1024xf32>",
    ]
    for i in range(ops):
        lines.append(
            f"  %{i + 1} = linalg.exp ins(%{i} : tensor<1024x1024xf32>)"
            " outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>"
        )
    lines += [f"  return %{ops} : tensor<1024x1024xf32>", "}"]
    path = folder / "upstream.mlir"
    path.write_text("\n".join(lines) + "\n")
    return path


def upstream_seconds(folder, ops, repeats):
    command = ["mlir-opt-22", upstream_model(folder, ops)]
    command += ["--pass-pipeline=builtin.module(func.func(sharding-propagation,shard-partition))"]
    command += ["--mlir-timing", "-o", "/dev/null"]
    try:
        return best(repeats, command, shard_seconds)[0]
    except (subprocess.CalledProcessError, FileNotFoundError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--slack", type=float, default=1.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        base = generate(folder, 96, "data=8,model=8")
        ops = len(re.findall(r"= cleave\.", base.read_text()))
        seconds, cpu = best(args.repeats, cleave(base))
        deep, deep_cpu = best(args.repeats, cleave(generate(folder, 192, "data=8,model=8")))
        on_more = generate(folder, 96, "data=128,model=32")
        wide, wide_cpu = best(args.repeats, cleave(on_more))
        collectives = [count_collectives(path) for path in (base, on_more)]
        # A batch that leaves ranks without data has other collectives, four times as many.
        uneven = generate(folder, 96, "data=128,model=32", batch=8)
        uneven_seconds, uneven_cpu = best(args.repeats, cleave(uneven))
        theirs = upstream_seconds(folder, 768, args.repeats)
    print(f"96 layers, {ops} ops, 64 ranks: {seconds:.4f} s")
    print(f"192 layers: {deep:.4f} s, ratio {deep / seconds:.2f}, of processor time {deep_cpu / cpu:.2f}")
    print(f"4096 ranks: {wide:.4f} s, ratio {wide / seconds:.2f}, of processor time {wide_cpu / cpu:.2f}")
    print(f"its batch cut unevenly: ratio {uneven_seconds / seconds:.2f}, of processor time {uneven_cpu / cpu:.2f}")
    if theirs:
        ratio = (seconds / ops) / (theirs / 768)
        print(f"mlir-opt, 768 linalg ops: {theirs:.4f} s, ratio per op {ratio:.2f}")
    else:
        print("mlir-opt: its sharding passes could not be timed")
    if args.check:
        assert collectives[0] == collectives[1], f"the programs differ: {collectives}"
        assert deep_cpu / cpu <= 2.2 * args.slack, "time is not linear in the layers"
        assert wide_cpu / cpu <= 1.1 * args.slack, "time depends on the number of ranks"
        assert uneven_cpu / cpu <= 1.2 * args.slack, "uneven blocks take long"


if __name__ == "__main__":
    main()
