# ===- fake.py - Run a program for GPUs without one ----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Compiles models for a GPU and runs them on the libraries of test/fake-cuda."""

import os
import pathlib
import socket
import subprocess
import tempfile
import time

import numpy


class Program:
    """A model as an executable for GPUs, in `folder`."""

    def __init__(self, cleave, fake, model, folder, options=(), phase_options=""):
        self.cleave, self.fake, self.model = cleave, fake, model
        self.folder = pathlib.Path(folder)
        self.options = list(options)
        self.path = self.folder / "program"
        # Ranks that are killed leave in it what they would have removed.
        self.temporary = tempfile.TemporaryDirectory(prefix="cleave-fake-")
        dump = self.folder / "phases"
        target = ["--target", "cuda:sm_90", "--dump-phases", str(dump)]
        subprocess.run(
            [cleave, "compile", model, "-o", str(self.path), *target, *self.options],
            check=True,
        )
        # The same functions that the executable has as machine code.
        (schedule,) = dump.glob("*-schedule.mlir")
        self.kernels = self.folder / "kernels.mlir"
        codegen = f"--cleave-phase-codegen=target=cuda:sm_90 gpu-functions=true {phase_options}"
        tool = pathlib.Path(cleave).parent / "cleave-opt"
        # The library does not know the dialect of the program around them.
        command = [str(tool), str(schedule), codegen, "--mlir-print-op-generic"]
        subprocess.run([*command, "-o", str(self.kernels)], check=True)

    def environment(self, **variables):
        values = {
            "LD_PRELOAD": self.fake,
            "CLEAVE_FAKE_CUDA_KERNELS": str(self.kernels),
            "TMPDIR": self.temporary.name,
        }
        return {**os.environ, **values, **variables}

    def run(self, *options, **variables):
        """Runs the executable; the completed process."""
        return subprocess.run(
            [str(self.path), *options],
            env=self.environment(**variables),
            capture_output=True,
            text=True,
        )

    def outputs(self, *options, **variables):
        """The outputs of a run, by name."""
        folder = self.folder / "outputs"
        done = self.run(*options, "--output-dir", str(folder), **variables)
        if done.returncode:
            raise SystemExit(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return load(folder)

    def reference(self, *options):
        """What the host computes."""
        folder = self.folder / "reference"
        command = [self.cleave, "run", self.model, *self.options, *options]
        subprocess.run(
            [*command, "--output-dir", str(folder)], check=True, stdout=subprocess.DEVNULL
        )
        return load(folder)

    def verify(self, *options):
        """cleave verify, compiled for a GPU and run in the tool."""
        command = [self.cleave, "verify", self.model, "--target", "cuda:sm_90"]
        return subprocess.run(
            [*command, *self.options, *options], env=self.environment()
        ).returncode


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_ranks(program, ranks, options, stuck=None, killed_after=None, own=None, **variables):
    """Runs a program as one process per rank, told by variables who they are; (exit
    status, stdout, stderr) of each. A rank that is stuck is ended last, or after so many
    seconds. `own(rank)` gives variables and options of a rank."""
    port = str(free_port())
    processes = []
    for rank in range(ranks):
        own_variables, own_options = own(rank) if own else ({}, [])
        told = {
            "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
            "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port,
            "CLEAVE_FAKE_CUDA_DEVICES": str(ranks),
        }
        environment = program.environment(**{**told, **variables, **own_variables})
        processes.append(
            subprocess.Popen(
                [str(program.path), *options, *own_options], env=environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        )
    if killed_after is not None:
        time.sleep(killed_after)
        processes[stuck].kill()
    if stuck is not None:
        # As a launcher does when others have failed.
        for rank, process in enumerate(processes):
            if rank != stuck:
                process.wait()
        processes[stuck].kill()
    return [(process.returncode, *texts) for process, texts in
            [(process, process.communicate()) for process in processes]]


def load(folder):
    return {path.stem: numpy.load(path) for path in sorted(folder.glob("*.npy"))}


def compare(outputs, reference, bound):
    """The largest error of any output, relative to its largest element; exits if it
    is above `bound`. Integers must be equal."""
    if outputs.keys() != reference.keys() or not outputs:
        raise SystemExit(f"outputs {list(outputs)}, expected {list(reference)}")
    worst = 0.0
    for name, expected in reference.items():
        actual = outputs[name]
        if expected.dtype.kind != "f":
            if not numpy.array_equal(actual, expected):
                raise SystemExit(f"{name} differs")
            continue
        if not numpy.array_equal(numpy.isfinite(actual), numpy.isfinite(expected)):
            raise SystemExit(f"{name} is not finite at other places")
        difference = numpy.abs(numpy.nan_to_num(actual - expected)).max(initial=0)
        scale = numpy.abs(numpy.nan_to_num(expected)).max(initial=0) or 1
        worst = max(worst, difference / scale)
        if difference / scale > bound:
            raise SystemExit(f"{name}: error {difference / scale:.3g} above {bound:.3g}")
    return worst
