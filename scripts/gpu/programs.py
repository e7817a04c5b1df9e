# ===- programs.py - Suites and small programs on a GPU -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The build, the suites of communicators, `cleave verify` of small programs and
`cleave check` of those that know their answer; how a program is verified and timed."""

import json
import os
import pathlib
import random
import re
import statistics
import subprocess

from table import SOURCE, last_line, script

# How many self-checking programs the library of test/fake-cuda is given.
FAKE_PROGRAMS = 1
TARGETS = (
    "cleave", "cleave-rt-cuda", "cleave-rt-mpi", "cleave-rt-device-benchmark",
    "CleaveRtCudaConformanceTests", "CleaveRtNcclConformanceTests",
)


def build(check):
    if check.options.no_build:
        return
    command = [SOURCE / "scripts/build", "--build-dir", check.build_folder, *TARGETS]
    check.step("build", command, 240)


def card(check):
    if check.fake:
        check.add("card", "none", "the library of test/fake-cuda")
        return
    query = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
    text = check.step("card", query, 20, figures=lambda text: text.strip().replace("\n", "; "))
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    check.gpus = len(visible.split(",") if visible else (text or "").strip().splitlines())


def suites(check):
    """The suite of all communicators, between buffers of GPUs. With NCCL it wants
    one for each of eight ranks."""
    only = "--gtest_filter=" + ("*.I8/*" if check.fake else "*.F32/*:*.BF16/*")
    suite = check.build_folder / "bin/CleaveRtCudaConformanceTests"
    check.step("conformance, local on the GPU", [suite, only], 60, check.preload(), last_line)
    if check.gpus >= 8:
        suite = check.build_folder / "bin/CleaveRtNcclConformanceTests"
        command = [*script("test/exec/mpi/Inputs/launch.py"), 8, suite, only]
        check.step("conformance, nccl", command, 60, figures=last_line)


def errors_of(text):
    """The largest error of verify's table, beside its bound."""
    rows = re.findall(r"(\d\.\d+e[-+]\d+)\s+(\d\.\d+e[-+]\d+)", text)
    if not rows:
        return ""
    error, bound = max(((float(e), float(b)) for e, b in rows), key=lambda row: row[0] / (row[1] or 1))
    return f"error {error:.1e}, bound {bound:.1e}"


def verify(check, name, model, options=(), inputs=("--random-inputs", "1")):
    command = [check.cleave, "verify", model, *check.target, *inputs, *options]
    # Communicators do not change kernels.
    compiled = [option for option in options if option not in ("--communicator", "local", "nccl")]
    check.step(f"verify {name}", command, environment=check.environment(model, compiled), figures=errors_of)


def verify_programs(check):
    examples = SOURCE / "docs/examples"
    inputs = {
        "products": SOURCE / "test/exec/cuda/Inputs/products.mlir",
        "layer-norm": examples / "layer-norm.mlir",
        "while": examples / "while.mlir",
        "kv-cache": examples / "kv-cache.mlir",
        "kernels of rows": SOURCE / "test/exec/differential/Inputs/row-kernels.mlir",
    }
    for name, path in list(inputs.items())[: 1 if check.fake else None]:
        verify(check, name, path)


def seconds_of(text):
    return statistics.median(json.loads(text[text.index("{") :])["seconds"])


def median(check, name, model, communicator, options=(), inputs=("--random-inputs", "1"), more=()):
    """The median time of a step of an executable, in seconds."""
    program, status, text = check.compile(model, options)
    if status != 0 and not check.options.dry_run:
        check.lose(f"compile {name}", status, text)
        return None
    repeats = "1" if check.fake else "30"
    command = [program, *inputs, "--communicator", communicator, "--time", repeats, "--json", *more]
    text = check.step(
        f"time {name}, {communicator}", command, environment=check.environment(model, options),
        figures=lambda text: f"median {seconds_of(text) * 1e3:.3f} ms",
    )
    return text and seconds_of(text)


class Verdicts:
    """What `cleave check` says of many programs."""

    def __init__(self, check):
        self.check = check
        self.files = self.passed = self.failed = self.skipped = 0
        self.first = self.stopped = ""

    def run(self, files, seconds):
        """Whether it came to an end."""
        command = [self.check.cleave, "check", *files, *self.check.target, "--jobs", "8", "--json"]
        environment = self.check.environment(files[0], ["--math", "stepwise"], "ptx")
        status, text = self.check.run(command, seconds, environment, subprocess.DEVNULL)
        if status not in (0, 1):
            self.stopped = text if status is None else f"ended with status {status}"
            return False
        result = json.loads(text)
        self.files += len(files)
        self.passed += result["passed"]
        self.failed += result["failed"]
        self.skipped += result["skipped"]
        for module in result["modules"]:
            if module["verdict"] == "FAIL" and not self.first:
                self.first = f"; {pathlib.Path(module['name']).name}: {module['reason'][:70]}"
        return True

    def add(self, what, total):
        figures = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped in {self.files} of {total} files"
        late = self.stopped in ("left out", "not run")
        if not self.files and late:
            self.check.lose(what, None, self.stopped)
            return
        bad = self.failed > 0 or (self.stopped and not late)
        if self.stopped and not late:
            figures += f"; {self.stopped}"
        self.check.add(what, "FAILED" if bad else "ok", figures + self.first, failed=bool(bad))


def is_for_fake(path):
    """The library of test/fake-cuda knows the kernels of one module at a time."""
    return "// -----" not in path.read_text()


def check_files(check, what, files, total, at_once, seconds=60):
    """Some at a time, as long as there is time for more."""
    verdicts = Verdicts(check)
    for start in range(0, len(files), at_once):
        if not verdicts.run(files[start : start + at_once], seconds):
            break
    verdicts.add(what, total)


def check_own(check):
    """The tests of test/exec/stablehlo that are checked without options."""
    command = re.compile(r"^// RUN: %cleave check %s( \||$)", re.MULTILINE)
    files = [path for path in sorted((SOURCE / "test/exec/stablehlo").glob("*.mlir")) if command.search(path.read_text())]
    total = len(files)
    if check.fake:
        files = list(filter(is_for_fake, files))[:FAKE_PROGRAMS]
    check_files(check, "check, own programs", files, total, 1 if check.fake else len(files))


def conformance_folder(check):
    """Where programs from elsewhere are, by the variable or as it was configured."""
    cache = check.build_folder / "CMakeCache.txt"
    found = re.search(r"^CLEAVE_CONFORMANCE_DIR:\w+=(.+)$", cache.read_text() if cache.exists() else "", re.MULTILINE)
    folder = os.environ.get("CLEAVE_CONFORMANCE_DIR") or (found and found[1])
    return pathlib.Path(folder) if folder and pathlib.Path(folder).is_dir() else None


def check_conformance(check):
    """A sample, the larger the more time is left."""
    folder = conformance_folder(check)
    if not folder:
        check.add("check, conformance", "left out", "CLEAVE_CONFORMANCE_DIR is not set")
        return
    files = sorted(folder.glob("stablehlo-*/**/*.mlir"))
    total = len(files)
    random.Random(1).shuffle(files)
    if check.fake:
        files = [path for path in files[:20] if is_for_fake(path)][:FAKE_PROGRAMS]
    check_files(check, "check, conformance", files, total, 1 if check.fake else 40, 40)
