# ===- table.py - Steps with limits, and the table of them ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs commands within limits of time and keeps a row of each for the table. Run by
itself, the module tests itself.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent


def last_line(text):
    return (text.strip().splitlines() or [""])[-1]


class Check:
    """What all parts of scripts/gpu-check share: options, limits, rows."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.rows, self.failed = [], False
        self.end = self.end_of_part = time.monotonic() + options.seconds
        self.build_folder = pathlib.Path(options.build).resolve()
        self.cleave = self.build_folder / "bin/cleave"
        self.target = ["--target", f"cuda:{options.chip}"]
        self.fake = options.fake
        self.gpus = 2 if self.fake else 0
        self.programs, self.kernels, self.made = {}, {}, {}
        self.copy_bandwidth = None  # of the GPU's memory, read and written, once measured

    def limit(self, seconds):
        """How long a command may take that needs less than `seconds`. None can take
        all the time that there is, so that the first is started in any case."""
        return min(4 * seconds if self.fake else seconds, self.options.seconds / 2)

    def can_start(self, limit):
        """Whether there is time for a command, all of its limit. What is started is
        never cut before, so that one that hangs is not taken for one that was late."""
        now = time.monotonic()
        return now + max(limit, 2) <= self.end and now < self.end_of_part

    @contextlib.contextmanager
    def part(self, seconds):
        """Nothing is started inside after so long; the library of test/fake-cuda takes
        what it needs."""
        self.end_of_part = self.end if self.fake else time.monotonic() + seconds
        try:
            yield
        finally:
            self.end_of_part = self.end

    def add(self, what, result, figures="", failed=False):
        self.rows.append((what, result, figures))
        self.failed |= failed
        print(f"  {what}: {result} {figures}", flush=True)

    def run(self, command, seconds, environment=None, errors=subprocess.STDOUT):
        """(exit status, output), or (None, why) if it did not come to an end: "left out"
        if there was no time to start it."""
        if self.options.dry_run:
            print("    " + " ".join(map(str, command)))
            return None, "not run"
        limit = self.limit(seconds)
        if not self.can_start(limit):
            return None, "left out"
        try:
            # A group of its own: what a command has started ends with it.
            process = subprocess.Popen(
                list(map(str, command)), text=True, cwd=self.folder, start_new_session=True,
                env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=errors,
            )
        except OSError as error:
            return None, str(error)
        try:
            return (process.communicate(timeout=limit)[0], process.returncode)[::-1]
        except subprocess.TimeoutExpired:
            return None, f"took longer than {limit:.0f} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()

    def make(self, what, command, seconds):
        """Whether a command that writes a program has done so; if not, a row says why,
        the first time."""
        if what not in self.made:
            status, text = self.run(command, seconds)
            self.made[what] = status == 0 or self.options.dry_run
            if not self.made[what]:
                self.lose(f"make {what}", status, text)
        return self.made[what]

    def lose(self, what, status, text, needed=True):
        """Adds a row of a command that did not succeed."""
        why = text if status is None else last_line(text)[:110]
        lost = status is None and why in ("not run", "left out")
        if lost:
            note = "no time was left" if why == "left out" else ""
            self.add(what, why, note)
        else:
            self.add(what, "FAILED" if needed else "no", why, failed=needed)

    def step(self, what, command, seconds=60, environment=None, figures=None, needed=True):
        """Runs a command and adds a row; its output if it succeeded, else None."""
        status, text = self.run(command, seconds, environment)
        if status == 0:
            self.add(what, "ok", figures(text) if figures else "")
            return text
        self.lose(what, status, text, needed)
        return "" if self.options.dry_run else None

    def preload(self, devices=1):
        """The variables for a program that has no kernels."""
        if not self.fake:
            return {}
        return {"LD_PRELOAD": self.fake, "CLEAVE_FAKE_CUDA_DEVICES": str(devices)}

    def compile(self, model, options=(), kind="exe"):
        """The executable of a program, made when it is first wanted, and the status
        and output of that."""
        key = (str(model), kind, *map(str, options))
        if key not in self.programs:
            stem = self.folder / f"program{len(self.programs)}"
            command = [self.cleave, "compile", model, "-o", stem, "--emit", kind, *self.target, *options]
            if self.fake:
                command += ["--dump-phases", f"{stem}.phases"]
            self.programs[key] = (stem, *self.run(command, 60))
        return self.programs[key]

    def environment(self, model, options=(), kind="exe"):
        """The variables for a program: the library of test/fake-cuda needs the
        functions of its kernels."""
        if not self.fake or self.options.dry_run:
            return {}
        path = self.compile(model, options, kind)[0].with_suffix(".kernels.mlir")
        if path not in self.kernels:
            self.kernels[path] = self.write_kernels(path, options)
        return {**self.preload(), "CLEAVE_FAKE_CUDA_KERNELS": str(path)}

    def write_kernels(self, path, options):
        codegen = f"--cleave-phase-codegen=target=cuda:{self.options.chip} gpu-functions=true"
        if "stepwise" in options:
            codegen += " math=stepwise"
        stem = path.name.partition(".")[0]
        for schedule in (self.folder / f"{stem}.phases").glob("*-schedule.mlir"):
            command = [self.cleave.parent / "cleave-opt", schedule, codegen, "--mlir-print-op-generic"]
            return self.run([*command, "-o", path], 60)

    def print(self):
        head = ("what", "result", "figures")
        widths = [max(len(row[i]) for row in [head, *self.rows]) for i in range(3)]
        print()
        for row in [head, tuple("-" * width for width in widths), *self.rows]:
            print("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths)) + " |")


def script(*parts):
    """The start of a command that runs a script of the project."""
    return [sys.executable, SOURCE.joinpath(*parts)]


def self_test():
    def rows(seconds, of_part, *commands):
        options = argparse.Namespace(seconds=seconds, build=".", chip="", fake=None, dry_run=False)
        with tempfile.TemporaryDirectory() as folder:
            check = Check(options, folder)
            with check.part(of_part):
                for limit, slept in commands:
                    check.step("sleep", ["sleep", slept], limit)
        return [row[1:] for row in check.rows], check.failed

    late = ("left out", "no time was left")
    # The part's limit comes first, and ends nothing.
    assert rows(600, 0.5, (30, 1), (30, 1)) == ([("ok", ""), late], False)
    assert rows(600, 0.5, (1, 60), (30, 1)) == ([("FAILED", "took longer than 1 s"), late], True)
    # What may not come to an end is not started.
    assert rows(8, 600, (5, 60), (4, 0)) == ([("FAILED", "took longer than 4 s"), late], True)
    assert rows(0, 600, (1, 0)) == ([late], False)


if __name__ == "__main__":
    sys.exit(self_test())
